/** Whether the database that a migration changes is the one that would be dumped. */
import type { Effect } from '../../core/effect.ts'
import { addressOf, type DumpParts } from './dumps.ts'
import type { KnownDatabase } from './known.ts'
import type { Chosen } from './place.ts'
import { isSame, settingsOf } from './settings.ts'

/** Null: the known database is dumped. @throws where the settings of the tool plainly name another database. */
export function fileOfApplication(
  database: KnownDatabase,
  effect: Effect,
  { cwd, variable }: { readonly cwd: string | null } & Pick<DumpParts, 'variable'>,
): string | null {
  const by = toolOf(effect)
  // Where it works is not always known; settings beside the call that name another database are then a reason to stop, and none to go on.
  const directory = effect.directory ?? cwd
  if (by === null) return null
  if (directory === null) {
    if (chosenBy(effect, '/') === null) return null
    throw new Error('it is not known where the settings are that the call names')
  }
  const chosen = chosenBy(effect, cwd ?? directory)
  const settings = settingsOf(by, { directory, variable, ...(chosen === null ? {} : { chosen }) })
  if (settings === null && chosen !== null)
    throw new Error(`it is not known which database \`${nameOf(chosen)}\` stands for: its settings do not say it plainly`)
  if (settings === null) return null
  const { file, names } = settings
  if ('sqlite' in names) {
    if (typeof effect.directory === 'string') return names.sqlite
    throw new Error(`\`${file}\` names the file \`${names.sqlite}\`, and \`${database.name}\` is another database`)
  }
  if (!isSame(names.address, addressOf(database, { variable }), database.engine))
    throw new Error(`\`${file}\` names another database than \`${database.name}\``)
  return null
}

/** The file of SQLite that the tool's settings plainly name, of a database that no policy names; null: none is named, or it is not known. */
export function sqliteOfApplication(
  effect: Effect,
  { cwd, variable }: { readonly cwd: string | null } & Pick<DumpParts, 'variable'>,
): string | null {
  const by = toolOf(effect)
  const { verb, directory = null, attributes = {} } = effect
  // A host stands there where the call tells the tool another database than its settings name.
  if (by === null || directory === null || verb === 'read' || verb === 'fetch' || 'host' in attributes) return null
  const chosen = chosenBy(effect, cwd ?? directory)
  try {
    const { names } = settingsOf(by, { directory, variable, ...(chosen === null ? {} : { chosen }) }) ?? {}
    return names !== undefined && 'sqlite' in names ? names.sqlite : null
  } catch {
    // No way back was promised, and none is made up.
    return null
  }
}

/** Null: the call leaves it at the usual settings. */
function chosenBy({ attributes = {} }: Effect, within: string): Chosen | null {
  const { settings, environment, section, arguments: words } = attributes
  const chosen = {
    ...(typeof settings === 'string' ? { settings } : typeof environment === 'string' && environment !== 'test' ? { environment } : {}),
    ...(typeof section === 'string' ? { section } : {}),
    ...(words === true ? { hasArguments: true } : {}),
  }
  return Object.keys(chosen).length === 0 ? null : { ...chosen, within }
}

/** As the call says it. */
const nameOf = ({ settings, environment, section }: Chosen): string => settings ?? environment ?? section ?? '-x'

/** Null: the call names the database itself. */
function toolOf({ target, attributes = {} }: Effect): string | null {
  if (target.kind === 'resource') return 'supabase'
  if (target.value !== 'application') return null
  const { by, task } = attributes
  return typeof by === 'string' ? by : typeof task === 'string' ? task : null
}
