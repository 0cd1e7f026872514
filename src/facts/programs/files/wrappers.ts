import { type Effect, effect, hasClass } from '../../effect.ts'
import type { CommandContext, CommandSpec, CommandTable, Input, Invocation, ParsedCommand, Word } from '../../host.ts'
import { isStream, readPath, writePath } from '../../resources/acts.ts'
import { EVERY } from '../../resources/text/template.ts'
import { knownWord } from '../../resources/text/word.ts'
import { HELP, wrapping } from '../running/words.ts'
import { each, list, takes } from '../tool.ts'
import { arriving, everything, found, MOST } from './names.ts'

/** `xargs`, `parallel` and `find`: one command for many names, that come from a pipe or from the file system. */

/** Puts a value where the replacement string stands. A name in the middle of a word may stand in the middle of code. */
export function replaced(words: readonly Word[], mark: string, value: Word): readonly Word[] {
  return words.map((word) => {
    const known = word.text ?? word.prefix
    const at = known.indexOf(mark)
    if (at < 0) return word
    if (word.text === mark) return { ...value, span: word.span }
    if (word.text !== null && value.text !== null && !value.glob) return told(word, word.text.replaceAll(mark, value.text), value)
    const pieces = word.text === null ? {} : { pieces: interleaved(word.text.split(mark), value) }
    const takesAlong = value.from !== undefined && value.from.length > 0 && (value.from.some(isSecret) || isAddress(known, at, mark))
    const raw = value.raw === undefined && takesAlong ? { raw: word.raw ?? known } : {}
    return { ...value, text: null, prefix: known.slice(0, at) + value.prefix, span: word.span, ...raw, ...pieces }
  })
}

/** The word with another text, into which the value went. */
function told(word: Word, text: string, { from = [], decoded }: Word): Word {
  const origins = from.length === 0 ? {} : { from: [...(word.from ?? []), ...from] }
  return { ...word, text, prefix: text, ...origins, ...(decoded === true ? { decoded: true } : {}) }
}

/** An address, or the name of a host, with the mark in it. */
const isAddress = (known: string, at: number, mark: string) =>
  /^[\w+.-]{1,20}:\/\//.test(known.slice(0, at)) || /^\.[\w-]+\.?\w/.test(known.slice(at + mark.length))
/** Kept as it was written, a word with a secret put into it is known as the address that takes the secret along. */
const isSecret = ({ verb, target: { kind, classes } }: Effect) => verb === 'read' && (kind === 'variable' || classes.includes('credential'))

/** The known parts of a word, and between them what is known of the names that will stand there. */
function interleaved(parts: readonly string[], value: Word): readonly (string | null)[] {
  const every = value.text?.endsWith('/*') === true
  const standing = every ? [value.prefix.slice(0, -1) + EVERY] : [value.prefix, null]
  return parts.flatMap((part, index) => (index === 0 ? [part] : [...standing, part])).filter((piece) => piece !== '')
}

export const NO_INPUT: Input = { kind: 'none' }

const readBy = (file: Word, context: CommandContext) => [effect('read', context.path(file), { span: file.span })]

function runXargs(parsed: ParsedCommand, context: CommandContext): void {
  const { invocation } = parsed
  const file = parsed.value('-a', '--arg-file')
  if (file !== null) readPath(context, file)
  const mark = parsed.value('-I', '--replace', '-J')?.text ?? (parsed.flag('-i', '--replace') ? '{}' : null)
  const template = parsed.operands.length === 0 ? [knownWord('echo', invocation.span)] : parsed.operands
  const zero = parsed.flag('-0', '--null') || parsed.value('-d', '--delimiter')?.text === '\\0'
  const separator = zero ? '\0' : mark !== null || parsed.value('-d', '--delimiter') !== null ? '\n' : /\s+/
  const source: Invocation =
    file === null ? invocation : { ...invocation, input: { kind: 'file', word: file, from: readBy(file, context) } }
  const words = arriving(source, separator, context)
  if (mark === null) {
    const each = parsed.value('-n', '--max-args', '-L', '--max-lines')?.text
    const groups = each === '1' ? words.map((word) => [word]) : [words]
    for (const group of groups) context.command([...template, ...group], invocation.name, NO_INPUT)
  } else {
    for (const word of words) context.command(replaced(template, mark, word), invocation.name, NO_INPUT)
  }
}

const xargs: CommandSpec = {
  flags: list('-0 -o -p -r -t -x --null --interactive --open-tty --no-run-if-empty --verbose --exit --show-limits'),
  options: takes('-a --arg-file -d --delimiter -E -I -J -L -n --max-args -P --max-procs -R -s --max-chars -S --process-slot-var'),
  optionalValues: list('-e --eof -i --replace -l --max-lines'),
  inert: HELP,
  stopAtOperand: true,
  operands: [],
  refine: runXargs,
}

/** Expressions of `find` that take a value and do nothing with it. */
const TESTS: ReadonlySet<string> = new Set(
  list(
    '-amin -anewer -atime -cmin -cnewer -context -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename ' +
      '-links -lname -maxdepth -mindepth -mmin -mtime -name -newer -path -perm -printf -regex -regextype -samefile -size ' +
      '-type -uid -used -user -wholename -xtype -D -files0-from -newermt -newerat -newerct',
  ),
)
/** Values that narrow nothing. */
const WIDE: ReadonlySet<string> = new Set(['-maxdepth', '-mindepth', '-type', '-printf', '-regextype', '-D'])

interface Search {
  readonly roots: readonly Word[]
  /** Any expression narrows what is found. */
  narrowed: boolean
  /** Patterns of which each name that is found matches one, as far as they are known. */
  readonly named: readonly string[]
}

/** `find` reads its own words: the expression has no option grammar. */
function runFind(parsed: ParsedCommand, context: CommandContext): void {
  const { args, span, name } = parsed.invocation
  let at = 0
  while (/^-(?:[HLP]|O\d?|E|X|d|s|x)$/.test(args[at]?.text ?? '')) at++
  if (args[at]?.text === '-D') at += 2
  const roots: Word[] = []
  for (let word = args[at]; word !== undefined && !/^[-(!),]/.test(word.text ?? word.prefix); word = args[++at]) roots.push(word)
  for (const word of roots.slice(1))
    if (word.prefix === '' && word.text === null) context.opaque('an operand of `find` may be an expression', word.span)
  if (roots.length === 0) roots.push(rootsListed(args, context) ?? knownWord('.', span))
  const rest = args.slice(at)
  const named = namesSought(rest)
  const search: Search = { roots, narrowed: false, named }
  const everything = !rest.some((word, index) => narrows(word.text, rest[index + 1]?.text))
  for (const root of roots) listBelow(root, { everything, named }, context)
  while (at < args.length) at = expression(args, at, { search, context, name })
}

/** `-files0-from FILE`: the file says where is searched. */
function rootsListed(args: readonly Word[], context: CommandContext): Word | null {
  const option = args.findIndex(({ text }) => text === '-files0-from')
  const file = option < 0 ? undefined : args[option + 1]
  if (file === undefined) return null
  if (file.text !== '-') readPath(context, file)
  return { ...file, text: null, prefix: '', glob: false }
}

/** Says whether every name below it was listed, so that whoever deletes what was listed is seen to delete everything. */
function listBelow(root: Word, { everything: all, named }: Below, context: CommandContext): void {
  const attributes = { recursive: true, ...(all ? { everything: true } : {}), ...(named.length === 0 ? {} : { named }) }
  readPath(context, root, { action: 'fs:list', attributes })
}

interface Below {
  readonly everything: boolean
  readonly named: readonly string[]
}

const BY_NAME: ReadonlySet<string> = new Set(['-name', '-iname', '-path', '-ipath', '-wholename', '-iwholename'])

/** The names that an expression of `find` asks for: neither those it turns away, nor those below which it does not look. */
function namesSought(args: readonly Word[]): readonly string[] {
  const kept: string[] = []
  let branch: string[] = []
  let pruned = false
  for (let at = 0; at < args.length; at++) {
    const text = args[at]?.text ?? ''
    if (text === '!' || text === '-not') at = skipTest(args, at + 1)
    else if (BY_NAME.has(text)) branch.push(args[++at]?.text ?? '')
    else if (text === '-prune') pruned = true
    else if (text === '-o' || text === '-or' || text === ',') {
      if (!pruned) kept.push(...branch)
      branch = []
      pruned = false
    }
  }
  return [...kept, ...branch].filter((name) => name !== '' && name !== '*').slice(0, MOST)
}

/** The offset of the last word of the test that stands at `at`, or of the group of tests. */
function skipTest(args: readonly Word[], at: number): number {
  if (args[at]?.text !== '(') return TESTS.has(args[at]?.text ?? '') ? at + 1 : at
  let depth = 0
  for (let end = at; end < args.length; end++) {
    if (args[end]?.text === '(') depth++
    else if (args[end]?.text === ')' && --depth === 0) return end
  }
  return args.length
}

function narrows(expression: string | null, value: string | null | undefined): boolean {
  if (expression === '-empty') return true
  return TESTS.has(expression ?? '') && !WIDE.has(expression ?? '') && value !== '*'
}

interface Finding {
  readonly search: Search
  readonly context: CommandContext
  readonly name: string
}

/** Reads one expression at `at`; the offset after it. */
function expression(args: readonly Word[], at: number, finding: Finding): number {
  const word = args[at]
  const { search, context } = finding
  if (word === undefined) return at + 1
  if (word.text === null) {
    context.opaque('an expression of `find` is not known before it runs', word.span)
    return at + 1
  }
  const value = args[at + 1]
  if (word.text === '-delete') {
    for (const root of search.roots) remove(root, finding, word)
    return at + 1
  }
  if (EXECUTING.has(word.text)) return execute(args, at, finding)
  const printed = PRINTING.get(word.text)
  if (printed !== undefined) {
    if (value !== undefined && !isStream(value)) writePath(context, value)
    return at + printed
  }
  if (narrows(word.text, value?.text)) search.narrowed = true
  return TESTS.has(word.text) ? at + 2 : at + 1
}

const EXECUTING: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir'])
/** Expressions that print into a file, and of how many words each is. */
const PRINTING: ReadonlyMap<string, number> = new Map([
  ['-fprint', 2],
  ['-fprint0', 2],
  ['-fls', 2],
  ['-fprintf', 3],
])

function remove(root: Word, { search, context }: Finding, at: Word): void {
  const target = context.path(root)
  // What bears that name may be a secret or a repository, wherever it lies.
  const names = search.named.length === 0 ? [] : context.path(found(root.text ?? root.prefix, at.span, search.named)).classes
  const whole = hasClass(target, 'filesystem-root', 'home-root', 'workspace-root')
  const classes = [...new Set([...target.classes, ...names])].filter((item) => !item.endsWith('-root'))
  context.emit('delete', search.narrowed ? { ...target, classes } : target, {
    action: 'fs:remove',
    span: at.span,
    attributes: {
      recursive: true,
      ...(search.narrowed ? { filtered: true } : { mass: true }),
      ...(whole && !search.narrowed ? { root: true } : {}),
    },
  })
}

/** The command up to `;` or `+`, once for each root, with `{}` standing for what is found below it. */
function execute(args: readonly Word[], at: number, { search, context, name }: Finding): number {
  let end = at + 1
  while (end < args.length && args[end]?.text !== ';' && !(args[end]?.text === '+' && args[end - 1]?.text === '{}')) end++
  const template = args.slice(at + 1, end)
  const apart = args[at]?.text?.endsWith('dir') === true
  for (const given of search.roots) {
    const root = apart ? absolute(given, context) : given
    const value = root.text !== null && !search.narrowed ? everything(root) : found(root.text ?? root.prefix, root.span, search.named)
    const words = replaced(template, '{}', value)
    if (!apart) context.command(words, name, NO_INPUT)
    // Where what is found lies: in the root, or somewhere below it.
    const places = apart
      ? [{ directory: root }, { directory: found(root.text ?? root.prefix, root.span), certainty: 'possible' as const }]
      : []
    for (const place of places) context.within({ attributes: {}, remote: false, ...place }, (inner) => inner.command(words, name, NO_INPUT))
  }
  return end + 1
}

/** The same place, wherever a command is run. */
function absolute(word: Word, context: CommandContext): Word {
  const real = word.text === null ? null : context.path(word).real
  return real === null ? word : { ...word, text: real, prefix: real }
}

const find: CommandSpec = {
  inert: ['--help', '--version', '-help', '-version'],
  inertFirst: true,
  singleDashLong: true,
  operands: [],
  refine: runFind,
}

/** `fd pattern -x command` and `-X command`. */
const fd: CommandSpec = {
  flags: list(
    '-H -I -u -s -i -g -F -a -l -L -p -0 -q -1 --hidden --no-ignore --unrestricted --glob --absolute-path --follow --full-path --print0',
  ),
  options: takes(
    '-t --type -e --extension -E --exclude -d --max-depth --min-depth -S --size -c --color -j --threads --changed-within ' +
      '--changed-before -o --owner --max-results',
  ),
  inert: ['--help', '--version', '-h', '-V'],
  inertFirst: true,
  refine: (parsed, context) => {
    const { operands, invocation } = parsed
    const { args } = invocation
    const at = args.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word.text ?? ''))
    const before = at < 0 ? operands : operands.filter((word) => args.indexOf(word) < at)
    const roots = before.length > 1 ? before.slice(1) : [knownWord('.', invocation.span)]
    const all = (before[0]?.text ?? '.') === '.' && parsed.value('-e', '--extension', '-S', '--size', '-E', '--exclude') === null
    const named = [...parsed.values('-e', '--extension').map(({ text }) => `*.${text ?? ''}`), plainPattern(before[0]?.text ?? '')]
    const names = named.filter((name) => name !== '')
    for (const root of roots) listBelow(root, { everything: all, named: names }, context)
    if (at < 0) return
    const template = args.slice(at + 1)
    const marked = template.some((word) => word.prefix.includes('{'))
    for (const root of roots) {
      const value = all && root.text !== null ? everything(root) : found(root.text ?? root.prefix, root.span, names)
      context.command(marked ? replaced(template, '{}', value) : [...template, value], 'fd', NO_INPUT)
    }
  },
}

/** A pattern that is a name, with its dot escaped or not and its end marked or not. */
function plainPattern(pattern: string): string {
  const text = pattern.replaceAll('\\.', '.').replace(/^\^/, '').replace(/\$$/, '')
  if (!/^[\w.-]+$/.test(text) || text === '.') return ''
  return text.startsWith('.') ? `*${text}` : text
}

export const fileWrappers: CommandTable = wrapping(
  {
    ...each('xargs gxargs', xargs),
    ...each('find gfind', find),
    ...each('fd fdfind', fd),
  },
  ['xargs'],
)
