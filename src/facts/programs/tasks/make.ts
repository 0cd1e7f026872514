import type { Span } from '../../effect.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { doubt, doubtPlace } from '../../resources/doubt.ts'
import { knownWord } from '../../resources/text/word.ts'
import { ranUnread } from '../loads.ts'
import { wrapping } from '../running/words.ts'
import { each, list, takes } from '../tool.ts'
import type { Locals } from './make/expand.ts'
import { Makefile, type Rule } from './make/makefile.ts'
import { firstOf, type Looking, ran } from './nearest.ts'

/** `make`: the recipes of the targets that would be made, with what they need, what is included, and what is run on the way. */

/** UTF-16 units read of all rules together, and files included in each other. */
const LONGEST = 262_144
const MAX_INCLUDED = 32
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']

/** With these, no recipe runs; what is computed while the rules are read does. */
const ONLY_SHOWS = list('-n --dry-run --just-print --recon -q --question')

function runMake(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.operands) runVariable(word, context)
  const directory = parsed.value('-C', '--directory')
  const run = (inner: CommandContext): void => {
    const rules = makefile(parsed, inner)
    if (!parsed.flag(...ONLY_SHOWS)) makeAll(rules, { parsed, context: inner })
    else if (rules !== null)
      inner.within({ attributes: {}, remote: false, files: rules.files }, (at) =>
        readLines(rules, { context: at, span: parsed.invocation.span }),
      )
  }
  if (directory === null) run(context)
  else context.within({ attributes: {}, remote: false, directory }, run)
}

const ASSIGNS = /^([A-Za-z_]\w*)[:+?]*=(.*)$/s

function assignedIn(operands: readonly Word[]): ReadonlyMap<string, string> {
  return new Map(
    operands.flatMap(({ text }): readonly [string, string][] => {
      const [, name, value = ''] = ASSIGNS.exec(text ?? '') ?? []
      return name === undefined ? [] : [[name, value]]
    }),
  )
}

/** Makes the targets that are named, or the first. */
function makeAll(
  rules: Rules | null,
  { parsed: { operands, invocation }, context }: { readonly parsed: ParsedCommand; readonly context: CommandContext },
): void {
  const targets = operands.filter((word) => !/^[A-Za-z_]\w*[:+?]*=/.test(word.prefix))
  for (const word of targets.length > 0 ? targets : [knownWord('', invocation.span)]) {
    const { span, text, prefix } = word
    const certainty = rules === null ? 'likely' : 'certain'
    context.emit('execute', context.thing('script', text === '' ? 'make' : `make ${text ?? prefix}`), {
      action: 'dev:make',
      span,
      certainty,
    })
    if (rules === null) continue
    const place = { attributes: {}, remote: false, files: rules.files, certainty: text === null ? 'possible' : 'certain' } as const
    context.within(place, (at) => recipes(rules, word, { context: at, span }))
  }
}

interface Rules {
  /** The file, once for each way in which conditions that are not known may turn out. */
  readonly readings: readonly Makefile[]
  /** Where all rules stand; empty where the call says some of them itself. */
  readonly files: readonly string[]
}

/** The text of all rules; null where there is none or it is not known, which is said where this call put it there. */
function makefile(parsed: ParsedCommand, context: CommandContext): Rules | null {
  const given = parsed.values('--eval', '-E')
  for (const word of given) if (word.text === null) context.opaque('`make` evaluates text that is not known', word.span)
  const file = parsed.value('-f', '--file', '--makefile')
  const piped = file?.text === '-' || file?.text === '/dev/stdin'
  const files: string[] = []
  const looking: LookingForRules = { context, span: parsed.invocation.span, files, texts: new Map() }
  const text = piped ? makefileOnInput(parsed, context) : standing(file, looking)
  const before = [...given.flatMap((word) => word.text ?? ''), ...firstFiles(parsed, looking)].join('\n')
  if (text === null && before === '') return null
  const readings = readingsOf(`${before}\n${text ?? ''}`, parsed, looking)
  return { readings, files: given.some((word) => word.text !== '') || piped ? [] : files }
}

/** Files that a variable of the environment names are read first. */
function firstFiles({ invocation: { env } }: ParsedCommand, looking: LookingForRules): readonly string[] {
  const names = env.get('MAKEFILES')
  const options = env.get('MAKEFLAGS')
  if (names?.text === null || (options !== undefined && /--e|(?:^|\s)-?\w*E/.test(options.text ?? '--e')))
    looking.context.opaque('`make` reads rules from a variable of its environment', (names ?? options)?.span ?? looking.span)
  return (names?.text ?? '').split(/\s+/).flatMap((name) => (name === '' ? [] : (firstFile([name], looking) ?? [])))
}

/** Readings of a file whose conditions are not known. */
const MAX_READINGS = 4

function readingsOf(text: string, parsed: ParsedCommand, looking: LookingForRules): readonly Makefile[] {
  const own = assignedIn(parsed.operands)
  const environment = new Map(
    [...parsed.invocation.env].flatMap(([name, word]) => (word.text === null ? [] : [[name, word.text] as const])),
  )
  const overrides = parsed.flag('-e', '--environment-overrides')
  const read = (branch: number, room?: number): Makefile => {
    const including = new Including(looking, text.length)
    const include = (names: string, known: boolean): string => including.text(names, known)
    return new Makefile(text.slice(0, LONGEST), own, { branch, environment, overrides, include, ...(room === undefined ? {} : { room }) })
  }
  const first = read(0)
  const readings = [first]
  for (let branch = 1; branch < Math.min(first.readings, MAX_READINGS); branch += 1) readings.push(read(branch, readings.at(-1)?.room))
  if (first.readings > MAX_READINGS) looking.context.opaque('the rules of `make` have more branches than are followed', looking.span)
  if (text.length > LONGEST) looking.context.opaque(TOO_LONG, looking.span)
  return readings
}

/** The file that is named, or one by its usual name. */
function standing(file: Word | null, looking: LookingForRules): string | null {
  const { context } = looking
  if (file?.text === null) context.opaque('which rules `make` follows is not known before it runs', file.span)
  const text = firstFile(file === null ? MAKEFILES : file.text === null ? [] : [file.text], looking)
  if (text === null && file === null) doubtPlace('`make` looks for its rules', looking)
  else if (text === null && file !== null) ranUnread(file, context)
  return text
}

/** `make -f -`. */
function makefileOnInput({ invocation: { input, span } }: ParsedCommand, context: CommandContext): string | null {
  if (input.kind === 'text' && input.text !== null) return input.text
  if (input.kind !== 'none') context.opaque('`make` follows rules from standard input that are not known before it runs', span)
  return null
}

/** Variables of make whose value is a program, and where compilers are told to load a plugin. */
const PROGRAM_VARIABLE = /^(?:SHELL|CC|CXX|CPP|LD|AR|AS|FC|RM|INSTALL|MAKE|PYTHON|NODE|TEST_RUNNER)[:+?]?=/
const PLUGIN = /^\w*FLAGS[:+?]?=.*-f(?:pass-)?plugin=(\S+)/

function runVariable(word: Word, context: CommandContext): void {
  const { text } = word
  if (PROGRAM_VARIABLE.test(word.prefix)) context.shell(text === null ? null : text.slice(text.indexOf('=') + 1), word.span, 'make')
  const plugin = PLUGIN.exec(text ?? '')?.[1]
  if (plugin !== undefined)
    context.emit('execute', context.path({ ...word, text: plugin, prefix: plugin }), { action: 'code:load', span: word.span })
}

/** Every file that is found is put down. */
interface LookingForRules extends Looking {
  readonly files: string[]
  /** Files that were looked for already; null where there is none. */
  readonly texts: Map<string, string | null>
}

function firstFile(names: readonly string[], looking: LookingForRules): string | null {
  const known = names.length === 1 ? looking.texts.get(names[0] ?? '') : undefined
  if (known !== undefined) return known
  const found = firstOf(names, looking)
  if (names.length === 1) looking.texts.set(names[0] ?? '', found?.text ?? null)
  if (found === null) return null
  ran(found, looking.context)
  looking.files.push(found.path)
  return found.text
}

const TOO_LONG = 'the rules of `make` with those they include are more than is read'

/** Files that one reading includes. */
class Including {
  readonly #looking: LookingForRules
  #length: number
  #count = 0
  #said = false

  constructor(looking: LookingForRules, length: number) {
    this.#looking = looking
    this.#length = length
  }

  /** What `include` names stands in its place. */
  text(line: string, known: boolean): string {
    const names = line.split(/\s+/).filter((name) => name !== '')
    const plain = names.filter((name) => !/[$*?[]/.test(name))
    if (!this.#said && (plain.length < names.length || !known)) {
      doubt('which rules `make` includes is not known', this.#looking)
      this.#said = true
    }
    return plain.map((name) => this.#file(name)).join('\n')
  }

  #file(name: string): string {
    if (this.#length > LONGEST) return ''
    this.#count += 1
    const text = this.#count > MAX_INCLUDED ? null : firstFile([name], this.#looking)
    this.#length += this.#count > MAX_INCLUDED ? LONGEST + 1 : (text?.length ?? 0)
    if (this.#length > LONGEST) this.#looking.context.opaque(TOO_LONG, this.#looking.span)
    return this.#length > LONGEST ? '' : (text ?? '')
  }
}

interface Making {
  readonly context: CommandContext
  readonly span: Span
}

/** Rules that are walked for one target. */
const MAX_TARGETS = 128

/** What runs while the rules are read. */
function readLines({ readings }: Rules, { context, span }: Making): void {
  const seen = new Set<string>()
  for (const file of readings)
    for (const line of file.read) {
      if (!file.exhausted && !seen.has(line)) context.shell(line, span, 'make')
      seen.add(line)
    }
  reached(readings, { context, span })
}

/** Libraries, files and what could not be read, of all readings. */
function reached(readings: readonly Makefile[], { context, span }: Making): void {
  const loads = new Set(readings.flatMap(({ loads: libraries }) => libraries))
  for (const library of loads) context.emit('execute', context.path(knownWord(library, span)), { action: 'code:load', span })
  const files = new Map(readings.flatMap(({ files: reach }) => reach).map(({ verb, path }) => [`${verb} ${path}`, { verb, path }]))
  for (const { verb, path } of files.values())
    context.emit(verb, context.path(knownWord(path, span)), { span, certainty: path.includes('$') ? 'possible' : 'certain' })
  const [unread] = readings.flatMap(({ unreadable }) => [...unreadable])
  if (unread !== undefined) context.opaque(`\`make\` reads what is not understood: ${unread}`, span)
}

interface Pending {
  readonly name: string
  readonly locals: Locals
}

function recipes(rules: Rules, target: Word, making: Making): void {
  const { context, span } = making
  readLines(rules, making)
  const said = new Set<string>()
  for (const file of rules.readings) {
    const now = new Set<string>()
    const before = { read: file.read.length, files: file.files.length, unread: file.unreadable.size }
    if (!file.exhausted) recipesOf(file, startsOf(target, file, rules.files), { ...making, said, now })
    for (const text of now) said.add(text)
    if (file.exhausted) context.opaque('the rules of `make` come to more than can be followed', span)
    // A recipe may evaluate rules.
    if (file.files.length > before.files || file.unreadable.size > before.unread) reached([file], making)
  }
}

interface MakingOnce extends Making {
  /** What ran for a target already, in the readings before. */
  readonly said: ReadonlySet<string>
  readonly now: Set<string>
}

function recipesOf(file: Makefile, starts: readonly string[], { context, span, said, now }: MakingOnce): void {
  const pending: Pending[] = starts.map((name) => ({ name, locals: new Map() }))
  const seen = new Set<string>()
  const run = (name: string, text: string): void => {
    if (!file.exhausted && !said.has(`${name}\0${text}`)) context.shell(text, span, 'make')
    now.add(`${name}\0${text}`)
  }
  for (let at = 0; at < pending.length && !file.exhausted; at++) {
    const { name, locals: outer } = pending[at] as Pending
    if (seen.has(name)) continue
    if (seen.size >= MAX_TARGETS) {
      context.opaque('`make` makes more targets than can be followed', span)
      return
    }
    seen.add(name)
    const locals = file.localsOf(name, outer)
    const rules = file.rulesFor(name)
    const implicit = rules.some(({ recipe }) => recipe.length > 0) ? null : file.implicit(name, locals)
    if (implicit !== null) run(name, implicit)
    for (const rule of rules) followed(rule, { file, name, locals, pending, run })
  }
}

interface Following extends Pending {
  readonly file: Makefile
  readonly pending: Pending[]
  readonly run: (name: string, text: string) => void
}

/** What a rule needs, and then what it runs. */
function followed(rule: Rule, { file, name, locals, pending, run }: Following): void {
  const first = file.read.length
  for (const need of file.needsOf(rule)) pending.push({ name: need, locals })
  for (const command of file.read.slice(first)) run(name, command)
  for (const shell of file.shells(rule, name, locals)) run(name, shell)
}

/** The target; the goal of the file for an empty one, and every one that may be meant where it is not known. Rules for the files go first. */
function startsOf({ text, prefix }: Word, file: Makefile, files: readonly string[]): readonly string[] {
  const remade = files.map((path) => path.slice(path.lastIndexOf('/') + 1)).filter((name) => file.targets.includes(name))
  if (text === null) return [...remade, ...file.targets.filter((name) => /[$%]/.test(name) || name.startsWith(prefix))]
  const start = text === '' ? file.goal : text
  return start === undefined ? remade : [...remade, start]
}

const make: CommandSpec = {
  flags: list(
    '-B -b -d -e -i -k -L -m -n -p -q -r -R -s -S -t -v -w --always-make --dry-run --just-print --recon --silent --quiet ' +
      '--keep-going --question --print-data-base --touch --trace --no-print-directory',
  ),
  options: takes('-C --directory -f --file --makefile -I --include-dir -o --old-file -W --what-if --eval -E'),
  optionalValues: list('-j --jobs -l --load-average --max-load -O --output-sync --debug'),
  inert: ['--version', '--help', '-v', '-h'],
  operands: [],
  refine: runMake,
}

export const makeWrappers: CommandTable = wrapping(each('make gmake', make))
