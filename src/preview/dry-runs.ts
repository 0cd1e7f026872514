/** Programs that can say themselves what they would do: how a command becomes its own dry run. From the manuals of the programs. Pure. */
import type { Facts } from '../facts/facts.ts'
import { DRY_RUN_PROGRAMS, type DryRunProgram } from '../policy/preview/model.ts'
import { type SqlRun, sqlTrialOf } from './sql/clients.ts'

export interface DryRun {
  /** The program, as the policy names it. */
  readonly program: DryRunProgram
  /** A command of its own, which is judged as one. */
  readonly words: readonly string[]
  /** What it cannot show. */
  readonly cannot: string
  /** Exit codes that say that all went well. */
  readonly ends: readonly number[]
  /** What the dry run itself does: one that starts code of the project never runs outside of the sandbox. */
  readonly effects: DryRunEffects
  /** SQL in a transaction that is rolled back. Absent: another dry run. */
  readonly sql?: SqlRun
}

export type DryRunEffects = 'reads' | 'executes'

/** The program has a dry run, and this use of it must not have one. */
export interface NoDryRun {
  readonly refused: string
}

interface Row {
  readonly names: readonly string[]
  readonly effects: DryRunEffects
  readonly cannot: string
  /** Words that make even the dry run start a program that they name. */
  readonly starts?: RegExp
  /** Words after the program; null: this use has no dry run, or is one already. */
  readonly words: (args: readonly string[], name: string) => readonly string[] | SqlRun | NoDryRun | null
}

const IN_TRANSACTION =
  'what others write in the meantime. It ran in a transaction that was rolled back: what it touched was locked until then, and the numbers ' +
  'that it took of sequences are used up'

const ROWS: Readonly<Record<DryRunProgram, Row>> = {
  git: {
    names: ['git'],
    effects: 'reads',
    cannot: 'what hooks of the server would refuse or start; hooks of this repository are not run',
    words: (args) => {
      const at = args.indexOf('push')
      if (at === -1 || !args.slice(0, at).every((word) => word.startsWith('-')) || has(args, /^(?:-n|--dry-run)$/)) return null
      return [
        ...args.slice(0, at),
        'push',
        '--dry-run',
        '--no-verify',
        '--porcelain',
        ...without(args.slice(at + 1), /^--(?:porcelain|verify|no-verify|quiet)$|^-q$/),
      ]
    },
  },
  rsync: {
    names: ['rsync'],
    effects: 'reads',
    starts: /^(?:-[A-Za-z]{0,20}e|--rsh|--rsync-path)/,
    cannot: 'files that change until it runs',
    words: (args) =>
      has(args, /^(?:--dry-run|--daemon)$/) || args.some(isShortDryRun) ? null : ['--dry-run', '--itemize-changes', ...args],
  },
  npm: {
    names: ['npm', 'pnpm'],
    effects: 'executes',
    cannot: 'whether the registry takes it; scripts of the package run in the dry run, too',
    words: (args) => (args[0] !== 'publish' || has(args, /^--dry-run/) ? null : [...args, '--dry-run', '--fetch-retries=0']),
  },
  apt: {
    names: ['apt', 'apt-get'],
    effects: 'reads',
    starts: /^(?:-[oc]|--option|--config-file)/,
    cannot: 'scripts of the packages; the sandbox has no lists of packages, so it takes a policy that names apt',
    words: (args) => {
      const changes = has(args, /^(?:install|remove|purge|upgrade|dist-upgrade|full-upgrade|autoremove)$/)
      return !changes || has(args, /^(?:-s|--simulate|--dry-run|--just-print|--no-act|--recon)$/) ? null : ['-s', ...args]
    },
  },
  terraform: {
    names: ['terraform', 'tofu'],
    effects: 'reads',
    cannot: 'values that are known only after it ran; it reads the state and asks the providers with your keys',
    words: (args) => {
      const at = args.findIndex((word) => !word.startsWith('-'))
      const verb = args[at]
      if (verb !== 'apply' && verb !== 'destroy') return null
      const rest = without(args.slice(at + 1), /^-auto-approve|^-input|^-no-color|^-lock=|^-json$|^-backup/)
      // A plan that was kept is applied as it is: it shows itself.
      if (rest.some((word) => !word.startsWith('-'))) return null
      const destroys = verb === 'destroy' && !has(rest, /^-destroy$/) ? ['-destroy'] : []
      return [...args.slice(0, at), 'plan', '-input=false', '-no-color', '-lock=false', ...destroys, ...rest]
    },
  },
  kubectl: {
    names: ['kubectl', 'oc'],
    effects: 'reads',
    starts: /^--kubeconfig/,
    cannot: 'what controllers of the cluster do with the change; admission of the cluster is asked',
    words: (args) => {
      const at = args.findIndex((word) => /^(?:apply|create|delete|patch|scale|label|annotate|replace|set|rollout|run|expose)$/.test(word))
      if (at === -1 || has(args, /^--dry-run/)) return null
      if (args[at] !== 'apply') return args[at] === 'rollout' ? null : [...args, '--dry-run=server']
      return [...args.slice(0, at), 'diff', ...without(args.slice(at + 1), /^--(?:wait|overwrite|validate|record)/)]
    },
  },
  helm: {
    names: ['helm'],
    effects: 'reads',
    starts: /^--(?:post-renderer|kubeconfig)/,
    cannot: 'hooks of the chart; the plugin `diff` has to be there for an upgrade',
    words: (args) => {
      const at = args.findIndex((word) => word === 'upgrade' || word === 'install')
      if (at === -1 || has(args, /^--dry-run/) || has(args.slice(0, at), /^diff$/)) return null
      const rest = without(args.slice(at + 1), /^--(?:atomic|wait|create-namespace|cleanup-on-fail)$/)
      return args[at] === 'install'
        ? [...args, '--dry-run=server']
        : [...args.slice(0, at), 'diff', 'upgrade', ...replaced(rest, { '--install': '--allow-unreleased', '-i': '--allow-unreleased' })]
    },
  },
  ansible: {
    names: ['ansible-playbook'],
    effects: 'executes',
    cannot: 'tasks without a check mode, and what later tasks make of the changes of earlier ones',
    words: (args) => (has(args, /^(?:-C|--check|--list-|--syntax-check)/) ? null : [...args, '--check', '--diff']),
  },
  alembic: {
    names: ['alembic'],
    effects: 'executes',
    cannot: 'how many rows change, and what the migration reads from the database',
    words: (args) => (!has(args, /^(?:upgrade|downgrade)$/) || has(args, /^--sql$/) ? null : [...args, '--sql']),
  },
  flyway: {
    names: ['flyway'],
    effects: 'reads',
    cannot: 'what the migrations do: it lists those that are pending',
    words: (args) => (has(args, /^migrate$/) ? replaced(args, { migrate: 'info' }) : null),
  },
  prisma: {
    names: ['prisma'],
    effects: 'executes',
    cannot: 'what the migrations do: it lists those that are pending',
    words: (args) => (args[0] === 'migrate' && args[1] === 'deploy' ? ['migrate', 'status', ...args.slice(2)] : null),
  },
  drizzle: {
    names: ['drizzle-kit'],
    effects: 'executes',
    cannot: 'what others write in the meantime; only a database that is a file of the workspace can be reached',
    // It prints its statements and asks; a dry run has no terminal, and so no answer. `migrate` has no plan.
    words: (args) =>
      args[0] !== 'push' || has(args, /^--(?:strict|verbose|explain)/)
        ? null
        : ['push', '--strict', '--verbose', ...without(args.slice(1), /^--force/)],
  },
  psql: {
    names: ['psql'],
    effects: 'reads',
    cannot: IN_TRANSACTION,
    words: (args, name) => sqlTrialOf('psql', name, args),
  },
  mysql: {
    names: ['mysql', 'mariadb'],
    effects: 'reads',
    cannot: `${IN_TRANSACTION}; rows that foreign keys change with it`,
    words: (args, name) => sqlTrialOf('mysql', name, args),
  },
  sqlite: {
    names: ['sqlite3'],
    effects: 'reads',
    cannot: 'what others write in the meantime',
    words: (args) => {
      const [sql, ...before] = args.toReversed()
      const plain = before.filter((word) => !word.startsWith('-')).length === 1 && !has(args, /^-(?:readonly|help|version|init|cmd)$/)
      return sql === undefined || !plain || sql.startsWith('.')
        ? null
        : [...before.toReversed(), `${sql}\n;select '${COUNTED}' || total_changes()`]
    },
  },
}

const ENDS = [0]
/** `kubectl diff` ends with 1 where there is a difference. */
const DIFFERS = [0, 1]
const COUNTED = 'rows changed: '

const NAMED = new Map(DRY_RUN_PROGRAMS.flatMap((program) => ROWS[program].names.map((name) => [name, program] as const)))

/** Null where the call is more than this one command, or has no dry run that is known. */
export function dryRunOf(facts: Facts, text: string): DryRun | NoDryRun | null {
  const [name = '', ...args] = wordsOf(facts, text) ?? []
  const program = NAMED.get(name)
  if (program === undefined) return null
  const { words, cannot, effects, starts } = ROWS[program]
  const made = words(args, name)
  if (made === null || 'refused' in made) return made
  if ('answer' in made) return { program, words: made.words, cannot, effects, ends: DIFFERS, sql: made }
  return {
    program,
    words: [name, ...made],
    cannot,
    effects: starts !== undefined && has(args, starts) ? 'executes' : effects,
    ends: made.includes('diff') && program === 'kubectl' ? DIFFERS : ENDS,
  }
}

/** Of a command that stands alone, and whose words are all known. */
function wordsOf({ commands, coverage }: Facts, text: string): readonly string[] | null {
  const [command, ...others] = commands
  // What it starts itself, such as scripts of a package, is a part of it.
  const isPart = ({ wrappers }: Facts['commands'][number]): boolean => wrappers[0] === command?.program
  if (command === undefined || !others.every(isPart) || coverage !== 'full' || command.wrappers.length > 0) return null
  if (command.span.start !== 0 || command.span.end !== text.trim().length) return null
  const words = command.argv.filter((word) => word !== null)
  if (words.length !== command.argv.length || NAMED.get(command.program ?? '') === undefined) return null
  // A variable that is set for it, or a stream that leads elsewhere, would be left out of the dry run.
  return /^\w+\+?=/.test(text) || redirects(text) ? null : words
}

/** Outside of quotes. */
function redirects(text: string): boolean {
  let quote = ''
  for (let at = 0; at < text.length; at += 1) {
    const c = text[at] ?? ''
    if (c === '\\' && quote !== "'") at += 1
    else if (c === quote) quote = ''
    else if (quote === '' && (c === "'" || c === '"')) quote = c
    else if (quote === '' && (c === '<' || c === '>')) return true
  }
  return false
}

/** Rows of a database that were changed. */
export function rowsIn(program: DryRunProgram, output: string): number {
  if (program !== 'sqlite') return 0
  return Number(/rows changed: (\d{1,12})\s*$/.exec(output)?.[1] ?? 0)
}

function has(args: readonly string[], pattern: RegExp): boolean {
  return args.some((word) => pattern.test(word))
}

function without(args: readonly string[], pattern: RegExp): readonly string[] {
  return args.filter((word) => !pattern.test(word))
}

function replaced(args: readonly string[], by: Readonly<Record<string, string>>): readonly string[] {
  return args.map((word) => (Object.hasOwn(by, word) ? (by[word] ?? word) : word))
}

/** `-avn`: among the letters of one word. */
function isShortDryRun(word: string): boolean {
  return /^-[A-Za-z]{1,20}$/.test(word) && word.includes('n')
}
