/**
 * Files and addresses among words that nothing else is known of: those of a program without a table, options that a table leaves aside,
 * a file of credentials that a program is given of which nothing was told. Names are a habit and no grammar, so all of it is possible
 * at most.
 */
import { list } from './commands/tool.ts'
import { sliceWord } from './options.ts'
import type { CommandContext, Invocation, ParsedCommand, Word } from './spec.ts'

const ADDRESS = /^(?:https?|ftp|wss?|ssh|git|s3|gs):\/\//i
const FILE_NAME = /^\.?[\w-]+\.[a-z]\w{0,4}$/i

/** Last parts of the names of options whose value is written, and those that are where `file` or the like follows. */
const WRITTEN: ReadonlySet<string> = new Set(list('output out outfile outdir outputfile outputdir dest destination logfile'))
const WRITTEN_FILE: ReadonlySet<string> = new Set(list('log report dump save saved export result results trace'))
const FILE: ReadonlySet<string> = new Set(list('file filename dir directory path folder to as'))

/** Whether an option is called as if its value were written: `--output`, `--out-dir`, `--log-file`, and `-o` where nothing is known. */
export function writesFile(name: string, short: boolean): boolean {
  if (name.length < 3) return short && (name === '-o' || name === '-O')
  if (name.length > 64 || !/^--?[A-Za-z]/.test(name)) return false
  const parts = name.replace(/^--?/, '').toLowerCase().split(/[-_.]/)
  if (parts[0] === 'no') return false
  const last = parts.at(-1) ?? ''
  const before = FILE.has(last) ? (parts.at(-2) ?? '') : ''
  return WRITTEN.has(last) || WRITTEN.has(before) || WRITTEN_FILE.has(before)
}

const isFile = (value: string) => (value.includes('/') || value.startsWith('~') || FILE_NAME.test(value)) && !/[\s=]/.test(value)

/** Paths and URLs among the arguments of a program that no table knows: read, or written after an option that says so. */
export function visibleWords(context: CommandContext, { args }: Invocation): void {
  let option = ''
  for (const word of args) {
    const known = word.text ?? word.prefix
    const dashed = known.startsWith('-')
    const equals = dashed ? known.indexOf('=') : -1
    const name = equals < 0 ? option : known.slice(0, equals)
    option = dashed ? known : ''
    if (dashed && equals < 0) continue
    const value = known.slice(equals + 1)
    const part = equals < 0 ? word : { ...word, text: word.text === null ? null : value, prefix: word.prefix.slice(equals + 1) }
    if (ADDRESS.test(value)) context.emit('fetch', context.url(part), { span: word.span, certainty: 'possible' })
    else if (name !== '' && writesFile(name, true) && isFile(value)) write(part, context)
    else if (value.includes('/') || value.startsWith('~') || FILE_NAME.test(value)) {
      context.emit('read', context.path(part), { span: word.span, certainty: 'possible' })
    }
  }
}

function write(word: Word, context: CommandContext): void {
  context.emit('write', context.path(word), { span: word.span, certainty: 'possible' })
}

/** The same for the value of one option of a known program. */
export function writeNamed(name: string, value: Word | undefined, context: CommandContext): void {
  if (value !== undefined && writesFile(name, false) && isFile(value.text ?? value.prefix)) write(value, context)
}

/** The same for options that the table of a known program does not know. */
export function writeUnknown({ unknown, invocation: { args } }: ParsedCommand, context: CommandContext): void {
  for (const word of unknown) {
    const known = word.text ?? word.prefix
    const equals = known.indexOf('=')
    if (equals > 0) writeNamed(known.slice(0, equals), sliceWord(word, equals + 1), context)
    else if (writesFile(known, false)) writeNamed(known, args[args.indexOf(word) + 1], context)
  }
}

/** Where the text of a word begins that may be a path of the whole machine: `/x`, `~/x`, `@/x`, `--from=/x`, `file:///x`. */
const WHOLE = /^(?:--?[\w.-]{1,64}=)?@?(?:file:\/\/)?(?=[/~])/

/** Programs whose words are names and text, not files. */
const NAMES: ReadonlySet<string> = new Set(
  list(
    'echo printf test expr let which whereis type basename dirname realpath readlink sleep seq help man apropos whatis tldr true false : [',
  ),
)

/** Says that a file of credentials is read that a known program is given of which no effect at all was told. */
export function readUntold(context: CommandContext, { args, name }: Invocation): void {
  if (NAMES.has(name)) return
  for (const word of args) {
    const known = word.text ?? ''
    if (known.length < 4 || known.length > 4096 || !/[/~]/.test(known) || /\s/.test(known)) continue
    const from = WHOLE.exec(known)?.[0].length
    if (from === undefined) continue
    const target = context.path(from === 0 ? word : sliceWord(word, from))
    if (target.classes.includes('credential')) context.emit('read', target, { span: word.span, certainty: 'possible' })
  }
}
