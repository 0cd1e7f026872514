import { HOLE } from '../code/stream/hole.ts'
import { hasClass } from '../effect.ts'
import { isStream, readPath, wordOf, writePath } from './acts.ts'
import { each, list, literal, takes } from './commands/tool.ts'
import { arriving, everything, found, MOST } from './names.ts'
import type { CommandContext, CommandSpec, CommandTable, Input, Invocation, ParsedCommand, Word } from './spec.ts'
import { EVERY } from './walk-template.ts'
import { across, HELP, joined, quote } from './wrappers-words.ts'

/** `xargs`, `parallel` and `find`: one command for many names, that come from a pipe or from the file system. */

/** Puts a value where the replacement string stands. A name in the middle of a word may stand in the middle of code. */
function replaced(words: readonly Word[], mark: string, value: Word): readonly Word[] {
  return words.map((word) => {
    const known = word.text ?? word.prefix
    const at = known.indexOf(mark)
    if (at < 0) return word
    if (word.text === mark) return { ...value, span: word.span }
    if (word.text !== null && value.text !== null && !value.glob) {
      const text = word.text.replaceAll(mark, value.text)
      return { ...word, text, prefix: text, ...(value.decoded === true ? { decoded: true } : {}) }
    }
    const pieces = word.text === null ? {} : { pieces: interleaved(word.text.split(mark), value) }
    return { ...value, text: null, prefix: known.slice(0, at) + value.prefix, span: word.span, ...pieces }
  })
}

/** The known parts of a word, and between them what is known of the names that will stand there. */
function interleaved(parts: readonly string[], value: Word): readonly (string | null)[] {
  const every = value.text?.endsWith('/*') === true
  const standing = every ? [value.prefix.slice(0, -1) + EVERY] : [value.prefix, null]
  return parts.flatMap((part, index) => (index === 0 ? [part] : [...standing, part])).filter((piece) => piece !== '')
}

const NO_INPUT: Input = { kind: 'none' }

function runXargs(parsed: ParsedCommand, context: CommandContext): void {
  const { invocation } = parsed
  const file = parsed.value('-a', '--arg-file')
  if (file !== null) readPath(context, file)
  const mark = parsed.value('-I', '--replace', '-J')?.text ?? (parsed.flag('-i', '--replace') ? '{}' : null)
  const template = parsed.operands.length === 0 ? [literal('echo', invocation.span)] : parsed.operands
  const zero = parsed.flag('-0', '--null') || parsed.value('-d', '--delimiter')?.text === '\\0'
  const separator = zero ? '\0' : mark !== null || parsed.value('-d', '--delimiter') !== null ? '\n' : /\s+/
  const source: Invocation = file === null ? invocation : { ...invocation, input: { kind: 'pipe', from: [], producers: [] } }
  const words = arriving(source, separator)
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
  options: takes('-a --arg-file -d --delimiter -E -I -J -L --max-lines -n --max-args -P --max-procs -R -s --max-chars --process-slot-var'),
  optionalValues: list('-e --eof -i --replace -l'),
  inert: HELP,
  stopAtOperand: true,
  operands: [],
  refine: runXargs,
}

const SOURCES: ReadonlySet<string> = new Set([':::', ':::+', '::::', '::::+'])

/** GNU parallel joins its words, puts values in, and hands the line to a shell. */
function runParallel(parsed: ParsedCommand, context: CommandContext): void {
  const { invocation, operands } = parsed
  const at = operands.findIndex((word) => SOURCES.has(word.text ?? ''))
  const template = at < 0 ? operands : operands.slice(0, at)
  const inline = at >= 0 && operands[at]?.text?.startsWith('::::') !== true
  if (at >= 0 && !inline) for (const word of operands.slice(at + 1)) readPath(context, word)
  if (template.length === 0 && !inline) {
    context.stdin('shell')
    return
  }
  const unknown: Word = { ...literal('', invocation.span), text: null, dynamic: true }
  const values = inline
    ? operands.slice(at + 1).filter((word) => !SOURCES.has(word.text ?? ''))
    : at < 0
      ? arriving(invocation, '\n')
      : [unknown]
  for (const value of values.slice(0, MOST)) {
    const marked = template.some((word) => word.prefix.includes('{'))
    const words = marked ? replaced(template, '{}', value) : [...template, value]
    const text = joined(words.map((word) => (word === value && word.text !== null ? wordOf(quote(word.text), word) : word)))
    if (text !== null) context.shell(text, across(template, invocation.span), 'parallel')
    else if (value.glob && !value.dynamic && template.every((word) => word.text !== null)) {
      // It quotes what it puts in: a name that was found is one word, whatever is in it.
      const name = value.text?.endsWith('/*') === true ? value.prefix.slice(0, -1) + EVERY : value.prefix + HOLE
      const line = template.map((word) => word.text?.replaceAll('{}', name)).join(' ')
      context.shell(marked ? line : `${line} ${name}`, across(template, invocation.span), 'parallel')
    } else if (template.length > 1) context.command(words, 'parallel', NO_INPUT)
    else context.shell(null, across(template, invocation.span), 'parallel')
  }
}

const parallel: CommandSpec = {
  flags: list(
    '-0 -k -m -q -u -v -X -x -t --bar --dry-run --eta --gnu --halt-on-error --keep-order --line-buffer --lb --no-notice --null --pipe --progress --quote --tag --ungroup --verbose --will-cite',
  ),
  options: takes(
    '-a --arg-file -C --colsep -d --delimiter -I -j --jobs -L -n --max-args -N -P --max-procs -S --sshlogin --results --joblog --retries --timeout --delay --halt --tmpdir --workdir --wd --env --memfree --load',
  ),
  inert: [...HELP, '--dry-run'],
  stopAtOperand: true,
  operands: [],
  refine: runParallel,
}

/** Expressions of `find` that take a value and do nothing with it. */
const TESTS: ReadonlySet<string> = new Set(
  list(
    '-amin -anewer -atime -cmin -cnewer -context -ctime -fstype -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mtime -name -newer -path -perm -printf -regex -regextype -samefile -size -type -uid -used -user -wholename -xtype -D -files0-from -newermt -newerat -newerct',
  ),
)
/** Values that narrow nothing. */
const WIDE: ReadonlySet<string> = new Set(['-maxdepth', '-mindepth', '-type', '-printf', '-regextype', '-D'])

interface Search {
  readonly roots: readonly Word[]
  /** Any expression narrows what is found. */
  narrowed: boolean
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
  const search: Search = { roots: roots.length > 0 ? roots : [literal('.', span)], narrowed: false }
  const all = !args.slice(at).some((word, index, rest) => narrows(word.text, rest[index + 1]?.text))
  for (const root of search.roots) listBelow(root, all, context)
  while (at < args.length) at = expression(args, at, { search, context, name })
}

/** Says whether every name below it was listed, so that whoever deletes what was listed is seen to delete everything. */
function listBelow(root: Word, all: boolean, context: CommandContext): void {
  readPath(context, root, { action: 'fs:list', attributes: { recursive: true, ...(all ? { everything: true } : {}) } })
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
  switch (word.text) {
    case '-delete':
      for (const root of search.roots) remove(root, finding, word)
      return at + 1
    case '-exec':
    case '-execdir':
    case '-ok':
    case '-okdir':
      return execute(args, at, finding)
    case '-fprint':
    case '-fprint0':
    case '-fls':
    case '-fprintf':
      if (value !== undefined && !isStream(value)) writePath(context, value)
      return at + (word.text === '-fprintf' ? 3 : 2)
    default:
      if (narrows(word.text, value?.text)) search.narrowed = true
      return TESTS.has(word.text) ? at + 2 : at + 1
  }
}

function remove(root: Word, { search, context }: Finding, at: Word): void {
  const target = context.path(root)
  const whole = hasClass(target, 'filesystem-root', 'home-root', 'workspace-root')
  context.emit('delete', search.narrowed ? { ...target, classes: target.classes.filter((item) => !item.endsWith('-root')) } : target, {
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
  for (const root of search.roots) {
    const value = root.text !== null && !search.narrowed ? everything(root) : found(root.text ?? root.prefix, root.span)
    context.command(replaced(template, '{}', value), name, NO_INPUT)
  }
  return end + 1
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
    '-t --type -e --extension -E --exclude -d --max-depth --min-depth -S --size -c --color -j --threads --changed-within --changed-before -o --owner --max-results',
  ),
  inert: ['--help', '--version', '-h', '-V'],
  inertFirst: true,
  refine: (parsed, context) => {
    const { operands, invocation } = parsed
    const { args } = invocation
    const at = args.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word.text ?? ''))
    const before = at < 0 ? operands : operands.filter((word) => args.indexOf(word) < at)
    const roots = before.length > 1 ? before.slice(1) : [literal('.', invocation.span)]
    const all = (before[0]?.text ?? '.') === '.' && parsed.value('-e', '--extension', '-S', '--size', '-E', '--exclude') === null
    for (const root of roots) listBelow(root, all, context)
    if (at < 0) return
    const template = args.slice(at + 1)
    const marked = template.some((word) => word.prefix.includes('{'))
    for (const root of roots) {
      const value = all && root.text !== null ? everything(root) : found(root.text ?? root.prefix, root.span)
      context.command(marked ? replaced(template, '{}', value) : [...template, value], 'fd', NO_INPUT)
    }
  },
}

export const fileWrappers: CommandTable = {
  ...each('xargs gxargs', xargs),
  parallel,
  ...each('find gfind', find),
  ...each('fd fdfind', fd),
}
