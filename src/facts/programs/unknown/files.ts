/**
 * Files and addresses among words that nothing else is known of: those of a program without a table, options that a table leaves aside,
 * a file of credentials that a program is given of which nothing was told. Names are a habit and no grammar, so all of it is possible
 * at most.
 */

import { type Effect, target } from '../../effect.ts'
import type { CommandContext, Invocation, ParsedCommand, Word } from '../../host.ts'
import { sliceWord } from '../../resources/text/word.ts'
import { list } from '../tool.ts'

const ADDRESS = /^(?:https?|ftp|wss?|ssh|git|s3|gs):\/\//i
const FILE_NAME = /^(?:\.?[\w-]+\.[a-z]\w{0,4}|\.[a-z][\w-]{1,40}(?:\.[\w-]{1,40}){0,3})$/i

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

/** The protocol of mining pools; without it, what a pool is called, where a program is told whom to work for. */
const isPool = (name: string, value: string) =>
  /^stratum\d?(?:\+\w{1,8})?:\/\//i.test(value) ||
  (/^(?:-o|--(?:url|pool|server))$/.test(name) &&
    /^(?:[\w-]{1,63}\.){0,4}(?:pool|[a-z]{0,20}xmr|[a-z]{0,20}mining|[a-z]{0,20}pool)\.[\w.-]{1,80}:\d{2,5}$/i.test(value))

/** Emits what a word may stand for, given its option; true where it is a file that is read. */
function visible(context: CommandContext, part: Word, { name, value }: { readonly name: string; readonly value: string }): boolean {
  const { span } = part
  if (isPool(name, value)) context.emit('execute', target('program', 'a miner'), { action: 'proc:mine', span, reversible: false })
  if (sendNamed(name, part, context)) return false
  if (ADDRESS.test(value)) context.emit('fetch', context.url(part), { span, certainty: 'possible' })
  else if (name !== '' && writesFile(name, true) && isFile(value)) write(part, context)
  else if (name !== '' && MACHINE_CODE.test(value)) loadNamed(name, part, context)
  else if (value.includes('/') || value.startsWith('~') || FILE_NAME.test(value)) {
    context.emit('read', context.path(part), { span, certainty: 'possible' })
    return true
  }
  return false
}

/** Parts of the names of options that are told where something goes. */
const SENDS: ReadonlySet<string> = new Set(list('upload push send submit publish deliver export post forward ship sink'))

/** `--upload-to https://x`, `--push-url=https://x`: what the program has goes there. True where it does. */
export function sendNamed(name: string, value: Word, context: CommandContext): boolean {
  if (!ADDRESS.test(value.text ?? value.prefix) || !/^--?[A-Za-z]/.test(name) || name.length > 64) return false
  const parts = name.replace(/^--?/, '').toLowerCase().split(/[-_.]/)
  if (parts[0] === 'no' || !parts.some((part) => SENDS.has(part))) return false
  context.emit('send', context.url(value), { action: 'net:upload', span: value.span, certainty: 'likely', attributes: { carries: 'file' } })
  return true
}

/** Paths and URLs among the arguments of a program that no table knows: read, or written after an option that says so. */
export function visibleWords(context: CommandContext, { args }: Invocation): void {
  let option = ''
  const files: Word[] = []
  for (const word of args) {
    const known = word.text ?? word.prefix
    const dashed = known.startsWith('-')
    const equals = dashed ? known.indexOf('=') : -1
    const name = equals < 0 ? option : known.slice(0, equals)
    option = dashed ? known : ''
    if (dashed && equals < 0) continue
    const value = known.slice(equals + 1)
    const part = equals < 0 ? word : { ...word, text: word.text === null ? null : value, prefix: word.prefix.slice(equals + 1) }
    if (visible(context, part, { name, value }) && name === '' && EXTENDED.test(value)) files.push(part)
  }
  const last = files.at(-1)
  if (last !== undefined && becomes(files.at(-2), last)) write(last, context)
}

/** `acme in.svg in.png`, `acme in.png out.png`: what comes last may be what becomes of the other. */
function becomes(before: Word | undefined, last: Word): boolean {
  if (before === undefined) return false
  const [from, to] = [before.prefix, last.prefix].map((name) => name.slice(name.lastIndexOf('/') + 1).toLowerCase())
  if (from === undefined || to === undefined) return false
  return (
    from.slice(from.lastIndexOf('.')) !== to.slice(to.lastIndexOf('.')) ||
    /(?:^|[^a-z])(?:out|output|result|dest|new|min|converted)/.test(to)
  )
}

const EXTENDED = /^[^\s=:]{0,1024}[^\s=:/.]\.[A-Za-z]\w{0,4}$/

function write(word: Word, context: CommandContext): void {
  context.emit('write', context.path(word), { span: word.span, certainty: 'possible' })
}

/** Options that are told which code to load, and how files of machine code are called. */
const LOADS: ReadonlySet<string> = new Set(
  list(
    'engine plugin plugins module modules load library lib preload extension ext provider driver agent backend codec filter pkcs11 auth',
  ),
)
const MACHINE_CODE = /\.(?:so(?:\.\d{1,8}){0,4}|dylib|dll)$/

/** `--engine /tmp/x.so`, `-D /tmp/x.so`: machine code that a program is told to load. */
export function loadNamed(name: string, value: Word, context: CommandContext): void {
  const { text } = value
  if (text === null || text.length > 4096 || !text.includes('/') || !(MACHINE_CODE.test(text) || text.startsWith('../'))) return
  if (name.length <= 2 && !MACHINE_CODE.test(text)) return
  if (name.length > 2 && !LOADS.has((name.split(/[-_.]/).at(-1) ?? '').toLowerCase())) return
  context.emit('execute', context.path(value), { action: 'code:load', span: value.span, certainty: 'likely' })
}

/** The same for the value of one option of a known program. */
export function writeNamed(name: string, value: Word, context: CommandContext): void {
  if (writesFile(name, false) && isFile(value.text ?? value.prefix)) write(value, context)
}

/** Files that options are named for which the table of a known program does not know. */
export function writeUnknown({ unknown, invocation: { args } }: ParsedCommand, context: CommandContext): void {
  for (const word of unknown) {
    const known = word.text ?? word.prefix
    const equals = known.indexOf('=')
    const name = equals > 0 ? known.slice(0, equals) : known
    const value = equals > 0 ? sliceWord(word, equals + 1) : args[args.indexOf(word) + 1]
    if (value === undefined) continue
    writeNamed(name, value, context)
    loadNamed(name, value, context)
    sendNamed(name, value, context)
  }
}

/** Where the text of a word begins that may be a path of the whole machine: `/x`, `~/x`, `@/x`, `--from=/x`, `file:///x`. */
const WHOLE = /^(?:--?[\w.-]{1,64}=)?@?(?:file:\/\/)?(?=[/~])/

/** Programs whose words are names, patterns and text, not files. */
const NAMES: ReadonlySet<string> = new Set([
  ...list(
    'echo printf test expr let which whereis type basename dirname realpath readlink sleep seq help apropos whatis tldr true false : [',
  ),
  ...list(
    'git gh glab hub hg svn grep egrep fgrep zgrep rg ag ack ugrep pdfgrep find fd fdfind locate rename sed awk gawk jq yq logger tmux',
  ),
])

/** Programs that log in with the keys they are given: that is what these are for. */
const LOGS_IN: ReadonlySet<string> = new Set(list('ssh autossh mosh scp sftp sshfs rsync'))

/** Where the credentials of the system itself stand: no option of a tool is meant for them. */
const SYSTEM = /\/(?:etc|proc|root)\//

const mayBePath = (text: string): boolean => text.length >= 4 && text.length <= 4096 && !/\s/.test(text)

/**
 * Says that a file of credentials is read that a known program is given: any where no effect at all was told since `start`, one of the
 * system itself where none was told of that file.
 */
export function implicitReads(context: CommandContext, { args, name }: Invocation, { effects, start }: Told): void {
  if (NAMES.has(name)) return
  const silent = effects.length === start && !LOGS_IN.has(name)
  for (const word of args) {
    const known = word.text ?? ''
    if (!mayBePath(known) || !(silent ? /[/~]/ : SYSTEM).test(known)) continue
    const from = WHOLE.exec(known)?.[0].length
    if (from === undefined) continue
    const target = context.path(from === 0 ? word : sliceWord(word, from))
    if (!target.classes.includes('credential') || !(silent || target.scope === 'system')) continue
    const told = effects.some((item, at) => at >= start && item.target.kind !== 'url' && item.target.value === target.value)
    if (!told) context.emit('read', target, { span: word.span, certainty: 'possible' })
  }
}

/** All effects so far, and where those of the program begin. */
interface Told {
  readonly effects: readonly Effect[]
  readonly start: number
}
