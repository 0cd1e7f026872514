/** Programs that can say themselves what they would do: how a command becomes its own dry run. From the manuals of the programs. Pure. */
import type { Facts } from '../facts/facts.ts'
import { DRY_RUN_PROGRAMS, type DryRunProgram } from '../policy/preview/model.ts'
import {
  APT,
  GIT_PUSH,
  HELM,
  HELM_DIFF,
  HELM_GLOBAL,
  isFlywayOption,
  KUBECTL,
  KUBECTL_DIFF,
  KUBECTL_GLOBAL,
  RSYNC,
  TERRAFORM,
  TERRAFORM_APPLY,
} from './grammars.ts'
import { type Grammar, type Option, optionsIn, wordsIn } from './options.ts'
import { type SqlRun, sqlTrialOf } from './sql/clients.ts'
import { inlined, type ReadFile } from './sql/source.ts'
import { type Started, startedIn } from './started.ts'

export interface DryRun {
  /** The program, as the policy names it. */
  readonly program: DryRunProgram
  /** A command of its own, which is judged as one. */
  readonly words: readonly string[]
  /** What it cannot show. */
  readonly cannot: string
  /** Whether it went well: then what it said is what would be done. */
  readonly endedWell: (exitCode: number, output: string) => boolean
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
  /** Words after the program; null: this use has no dry run, or is one already. `read` reads files of the workspace. */
  readonly words: (args: readonly string[], name: string, read: ReadFile) => readonly string[] | Uncertain | SqlRun | NoDryRun | null
  /** Absent: 0 alone is a good end. */
  readonly endedWell?: DryRun['endedWell']
}

/** With an option that is not known: it may start a program, or take the dry run back. */
interface Uncertain {
  readonly uncertain: readonly string[]
}

const made = (words: readonly string[], known: boolean): readonly string[] | Uncertain => (known ? words : { uncertain: words })

interface Verb {
  readonly before: readonly string[]
  readonly verb: string
  readonly options: readonly Option[]
}

/** The first operand, with what stands before and behind it; null where an option is not known. A dry run already is none. */
function verbIn(args: readonly string[], global: Grammar, all: Grammar): Verb | null {
  const before: string[] = []
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? ''
    if (!word.startsWith('-')) {
      const options = optionsIn(args.slice(at + 1), all)
      return options === null ? null : { before, verb: word, options }
    }
    const takesNext = !word.includes('=') && global.values.has(word)
    const read = optionsIn(args.slice(at, at + (takesNext ? 2 : 1)), global)
    if (read === null) return null
    before.push(...wordsIn(read))
    if (takesNext) at += 1
  }
  return null
}

const isKnown = ({ flags, values }: Grammar, name: string | null): boolean => name !== null && (flags.has(name) || values.has(name))

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
      const before = args.slice(0, at)
      if (at === -1 || !before.every((word) => word.startsWith('-')) || has(args, /^(?:-n|--dry-run)$/)) return null
      const rest = without(args.slice(at + 1), /^--(?:porcelain|verify|no-verify|quiet)$|^-q$/)
      // A shortened `--no-dry` takes the dry run back, and a shortened `--verif` the hooks.
      const known = before.every((word) => word === '--no-pager') && optionsIn(rest, GIT_PUSH) !== null
      return made([...before, 'push', '--dry-run', '--no-verify', '--porcelain', ...rest], known)
    },
  },
  rsync: {
    names: ['rsync'],
    effects: 'reads',
    cannot: 'files that change until it runs',
    words: (args) =>
      has(args, /^(?:--dry-run|--daemon)$/) || args.some(isShortDryRun)
        ? null
        : made(['--dry-run', '--itemize-changes', ...args], optionsIn(args, RSYNC) !== null),
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
    cannot: 'scripts of the packages; the sandbox has no lists of packages, so it takes a policy that names apt',
    words: (args) => {
      const changes = has(args, /^(?:install|remove|purge|upgrade|dist-upgrade|full-upgrade|autoremove)$/)
      if (!changes || has(args, /^(?:-s|--simulate|--dry-run|--just-print|--no-act|--recon)$/)) return null
      // `--No-Simulate` and `-yo APT::Get::Simulate=no` take it back.
      return made(['-s', ...args], optionsIn(args, APT) !== null)
    },
  },
  terraform: {
    names: ['terraform', 'tofu'],
    effects: 'reads',
    cannot: 'values that are known only after it ran; it reads the state and asks the providers with your keys',
    words: (args) => {
      const at = args.findIndex((word) => !word.startsWith('-'))
      const [before, verb] = [args.slice(0, at), args[at]]
      if (!before.every((word) => /^--?chdir=/.test(word)) || (verb !== 'apply' && verb !== 'destroy')) return null
      const options = optionsIn(args.slice(at + 1), TERRAFORM)
      // A plan that was kept is applied as it is: it shows itself.
      if (options === null || options.some(({ name }) => name === null || name === '--')) return null
      const kept = wordsIn(options.filter(({ name }) => !TERRAFORM_APPLY.test(name ?? '')))
      const destroys = verb === 'destroy' && !kept.includes('-destroy') ? ['-destroy'] : []
      return [...before, 'plan', '-input=false', '-no-color', '-lock=false', ...destroys, ...kept]
    },
  },
  kubectl: {
    names: ['kubectl', 'oc'],
    effects: 'reads',
    starts: /^--kubeconfig/,
    cannot: 'what controllers of the cluster do with the change; admission of the cluster is asked',
    words: (args) => {
      const found = verbIn(args, KUBECTL_GLOBAL, KUBECTL)
      if (found === null) return null
      const { before, verb, options } = found
      if (/^(?:create|delete|patch|scale|label|annotate|replace|set|run|expose)$/.test(verb))
        // Right behind the verb: an option without its value, or `--`, would take it at the end.
        return [...before, verb, '--dry-run=server', ...wordsIn(options)]
      if (verb !== 'apply' || options.some(({ name }) => name === null || name === '--')) return null
      const isKept = ({ name }: Option): boolean => KUBECTL_DIFF.test(name ?? '') || isKnown(KUBECTL_GLOBAL, name)
      return [...before, 'diff', ...wordsIn(options.filter(isKept))]
    },
  },
  helm: {
    names: ['helm'],
    effects: 'reads',
    starts: /^--(?:post-renderer|kubeconfig)/,
    cannot: 'hooks of the chart; the plugin `diff` has to be there for an upgrade',
    words: (args) => {
      const found = verbIn(args, HELM_GLOBAL, HELM)
      if (found === null) return null
      const { before, verb, options } = found
      if (verb === 'install') return [...before, 'install', '--dry-run=server', ...wordsIn(options)]
      if (verb !== 'upgrade') return null
      const isKept = ({ name }: Option): boolean => name === null || name === '--' || HELM_DIFF.has(name) || isKnown(HELM_GLOBAL, name)
      const installs = options.some(({ name }) => name === '--install' || name === '-i') ? ['--allow-unreleased'] : []
      return [...before, 'diff', 'upgrade', ...installs, ...wordsIn(options.filter(isKept))]
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
    cannot:
      'which migrations the database has already: all from the first on are printed; how many rows change, and what a migration reads from ' +
      'the database',
    // It prints without asking the database, so it knows no way down and no number of steps. A file of SQLite is tried out on a copy instead.
    words: (args, _name, read) =>
      !args.includes('upgrade') || has(args, /^(?:--sql|[+-]\d{1,9})$/) || SQLITE_OF_ALEMBIC.test(read('alembic.ini') ?? '')
        ? null
        : [...args, '--sql'],
  },
  flyway: {
    names: ['flyway'],
    effects: 'reads',
    cannot: 'what the migrations do: it lists those that are pending',
    words: (args) => {
      const verbs = args.filter((word) => !word.startsWith('-'))
      if (verbs.length !== 1 || verbs[0] !== 'migrate') return null
      const isPlain = (word: string): boolean => word === 'migrate' || isFlywayOption(word)
      return made(replaced(args, { migrate: 'info' }), args.every(isPlain))
    },
  },
  prisma: {
    names: ['prisma'],
    effects: 'executes',
    cannot: 'what the migrations do: it lists those that are pending',
    words: (args) => (args[0] === 'migrate' && args[1] === 'deploy' ? ['migrate', 'status', ...args.slice(2)] : null),
    // It ends with 1 where migrations are pending, as with every problem.
    endedWell: (exitCode, output) => exitCode === 0 || (exitCode === 1 && /not yet been applied/.test(output)),
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

const SQLITE_OF_ALEMBIC = /^sqlalchemy\.url\s{0,20}[=:]\s{0,20}sqlite/m

/** `kubectl diff` ends with 1 where there is a difference. */
const differs = (exitCode: number): boolean => exitCode === 0 || exitCode === 1
const COUNTED = 'rows changed: '

const NAMED = new Map(DRY_RUN_PROGRAMS.flatMap((program) => ROWS[program].names.map((name) => [name, program] as const)))

/** Null where the call is more than this one command, or has no dry run that is known. */
export function dryRunOf(facts: Facts, text: string, read: ReadFile = () => null): DryRun | NoDryRun | null {
  const sql = inlined(text, read)
  if (sql !== null && 'refused' in sql) return sql
  const [name = '', ...args] = sql ?? wordsOf(facts, text) ?? []
  return dryRunBy({ program: name, args, before: [name] }, read) ?? startedDryRun(facts, text, read)
}

/** What something else starts, or a path names, may be any program of that name: its dry run never leaves the sandbox. */
function startedDryRun(facts: Facts, text: string, read: ReadFile): DryRun | NoDryRun | null {
  const executes = (name: string): boolean => {
    const program = NAMED.get(name)
    return program !== undefined && ROWS[program].effects === 'executes'
  }
  const started = startedIn(facts, text, executes)
  return started === null ? null : dryRunBy(started, read)
}

function dryRunBy({ program: name, args, before }: Started, read: ReadFile): DryRun | NoDryRun | null {
  const program = NAMED.get(name)
  if (program === undefined) return null
  const { words, cannot, effects, starts, endedWell = (exitCode: number) => exitCode === 0 } = ROWS[program]
  const found = words(args, name, read)
  if (found === null || 'refused' in found) return found
  if ('answer' in found) return { program, words: found.words, cannot, effects, endedWell: differs, sql: found }
  const isUncertain = 'uncertain' in found
  const dry = isUncertain ? found.uncertain : found
  return {
    program,
    words: [...before, ...dry],
    cannot,
    effects: isUncertain || (starts !== undefined && has(args, starts)) ? 'executes' : effects,
    endedWell: dry.includes('diff') && program === 'kubectl' ? differs : endedWell,
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
