import type { CommandContext } from '../../host.ts'

/** Tasks about databases by their names, whichever framework or build tool is told to run them. */

/** Names of a task end at its arguments: `db:drop[all]`. */
const DROPS = new RegExp(
  String.raw`^(?:db:(?:drop(?::all|:_unsafe)?|reset|purge|truncate_all|wipe|migrate:reset|seed:replant|schema:load|structure:load` +
    String.raw`|rollback-all)|migrate:(?:fresh|reset|refresh)|doctrine:(?:database:drop|schema:drop)|ecto\.(?:drop|reset)|flush` +
    String.raw`|reset_db|sqlflush-run)$`,
)
const MIGRATES = new RegExp(
  String.raw`^(?:db:(?:migrate.*|setup|seed|rollback|create|prepare|forward|version-set)|migrate(?::.*)?` +
    String.raw`|doctrine:(?:migrations:\S+|schema:(?:update|create)|database:create|fixtures:load)` +
    String.raw`|ecto\.(?:migrate|rollback|create|setup|load))$`,
)
const LOOKS = /:status$|:version$|:abort_if|:pretend$/

const TESTS: ReadonlySet<string> = new Set(['test', 'testing'])

/** Of which environment the database is, as far as that is the tests': `RAILS_ENV=test`. An address that is given decides instead. */
export function testEnvironment(variable: string, context: CommandContext): { readonly environment: 'test' } | Record<string, never> {
  const named = TESTS.has(context.variable(variable)?.text ?? '')
  return named && context.variable('DATABASE_URL') === null ? { environment: 'test' } : {}
}

const VARIABLES: Readonly<Record<string, string>> = { rails: 'RAILS_ENV', artisan: 'APP_ENV', mix: 'MIX_ENV' }

/** Emits what the task does to the database; false where it is not about one. */
export function databaseTask(name: string, context: CommandContext, by: string): boolean {
  const target = context.thing('database', 'application')
  if (LOOKS.test(name)) return false
  if (DROPS.test(name))
    context.emit('delete', target, {
      action: 'sql:drop',
      attributes: { by: `${by} ${name}`, ...testEnvironment(VARIABLES[by] ?? '', context) },
    })
  else if (MIGRATES.test(name)) context.emit('change', target, { action: 'sql:migrate', attributes: { by: `${by} ${name}` } })
  else return false
  return true
}

const EMPTIES: ReadonlySet<string> = new Set(['clean', 'dropall', 'drop-all'])
const TOLD: ReadonlySet<string> = new Set(['info', 'validate', 'status', 'diff', 'help', 'history', 'listlocks', 'validatechangelog'])

/** Goals of Maven and tasks of Gradle: `flyway:clean`, `org.flywaydb:flyway-maven-plugin:clean`, `:db:flywayClean`, `dropAll`. */
export function databaseGoal(goal: string, context: CommandContext, by: string): boolean {
  const last = goal.slice(goal.lastIndexOf(':') + 1)
  const word = last.replace(/^(?:flyway|liquibase)/, '').toLowerCase()
  if (last !== 'dropAll' && !/(?:^|[:.])(?:flyway|liquibase)/.test(goal)) return false
  const target = context.thing('database', 'application')
  if (EMPTIES.has(word)) context.emit('delete', target, { action: 'sql:drop', attributes: { by: `${by} ${goal}` } })
  else if (TOLD.has(word)) context.emit('read', context.thing('program', goal), { action: 'pkg:read' })
  else context.emit('change', target, { action: 'sql:migrate', attributes: { by: `${by} ${goal}` } })
  return true
}
