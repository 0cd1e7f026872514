import { decodeBase64, decodeHex, encodeBase64, toUtf8 } from '../../resources/text/decode-bytes.ts'
import { withoutTrailing } from '../../resources/text/trim.ts'
import { known, type Output } from '../state/state.ts'

/**
 * Computes the output of programs whose output is a function of their arguments and standard input (`echo`, `printf`,
 * `base64 -d`, `xxd -r`, `tr`, `rev` …), so that code hidden by an encoding is analysed as the code it is.
 */

/** Longest text that is computed. */
const LONGEST = 65_536

type Producer = (args: readonly string[], stdin: string | null) => Output | null

/** Programs that turn an encoding back into text: what comes out of them was hidden, known or not. */
const DECODERS: ReadonlyMap<string, (args: readonly string[]) => boolean> = new Map([
  ['base64', wantsDecoding],
  ['base32', wantsDecoding],
  ['basenc', wantsDecoding],
  ['xxd', (args) => args.some((arg) => /^-\w*r/.test(arg))],
  ['openssl', (args) => args.includes('-d') || args.includes('-decode')],
  ['gpg', (args) => args.includes('-d') || args.includes('--decrypt')],
  ['rev', () => true],
  ['uudecode', () => true],
  ['gunzip', () => true],
  ['zcat', () => true],
  ['gzip', wantsDecoding],
  ['bzip2', wantsDecoding],
  ['bzcat', () => true],
  ['xz', wantsDecoding],
  ['xzcat', () => true],
])

function wantsDecoding(args: readonly string[]): boolean {
  return args.some((arg) => arg === '--decode' || arg === '--decompress' || (/^-[a-zD]+$/.test(arg) && /d/i.test(arg)))
}

/** True where the program, so called, takes text out of an encoding. */
export function decodes(name: string, args: readonly (string | null)[]): boolean {
  const test = DECODERS.get(name)
  return test?.(args.filter((arg) => arg !== null)) ?? false
}

/**
 * The output of a program with known arguments and known standard input (null: none or unknown), or null where it cannot be
 * told. Nothing is run.
 */
export function knownOutput(name: string, args: readonly string[], stdin: string | null): Output | null {
  const output = PRODUCERS.get(name)?.(args, stdin) ?? null
  return output === null || output.text === null || output.text.length > LONGEST ? null : output
}

/** `echo` with `-n`, `-e`, `-E`. */
function echo(args: readonly string[]): Output {
  let at = 0
  let newline = '\n'
  let escapes = false
  for (; at < args.length && /^-[neE]+$/.test(args[at] ?? ''); at++) {
    const flags = args[at] ?? ''
    if (flags.includes('n')) newline = ''
    if (flags.includes('e')) escapes = true
    if (flags.includes('E')) escapes = false
  }
  const text = args.slice(at).join(' ')
  const value = escapes ? unescaped(text) : text
  return known(value + newline, escapes && hides(text))
}

/** `printf`: the format is used again while arguments are left. */
function printf(args: readonly string[]): Output | null {
  const rest = args[0] === '--' ? args.slice(1) : args
  const format = rest[0]
  if (format === undefined || format.startsWith('-v')) return null
  const values = rest.slice(1)
  const pieces = format.match(FORMAT_PIECES) ?? []
  let result = ''
  let next = 0
  for (let round = 0; round === 0 || (next < values.length && round < 512); round++) {
    const filled = fill(pieces, values.slice(next), LONGEST - result.length)
    if (filled === null) return null
    result += filled.text
    if (filled.used === 0) break
    next += filled.used
  }
  return known(result, hides(format) || (format.includes('%b') && values.some(hides)))
}

const FORMAT_PIECES = /%%|%[-+ #]{0,4}\d{0,6}(?:\.\d{1,6})?[a-zA-Z]|%|\\(?:x[0-9a-fA-F]{1,2}|[0-7]{1,3}|[\s\S])|[^%\\]+|\\/g

/** The format once, with the values in their places; null where one of them cannot be told, or the text outgrows its room. */
function fill(pieces: readonly string[], values: readonly string[], room: number): { readonly text: string; readonly used: number } | null {
  let text = ''
  let used = 0
  for (const piece of pieces) {
    const value = piece.startsWith('%') && piece !== '%%' ? conversion(piece, values[used++] ?? '') : literal(piece)
    if (value === null) return null
    text += value
    if (text.length > room) return null
  }
  return { text, used }
}

function literal(piece: string): string {
  return piece === '%%' ? '%' : unescaped(piece)
}

function conversion(piece: string, value: string): string | null {
  const kind = piece.at(-1)
  const plain = piece.length === 2
  if (kind === 'b') return unescaped(value)
  if (kind === 's') return plain ? value : /^%-?\d{1,4}s$/.test(piece) ? padded(value, piece) : null
  if (kind === 'd' || kind === 'i') return plain && /^-?\d{1,15}$/.test(value || '0') ? String(Number(value || '0')) : null
  if (kind === 'c') return value.slice(0, 1)
  return kind === 'x' && plain && /^\d{1,9}$/.test(value) ? Number(value).toString(16) : null
}

function padded(value: string, piece: string): string {
  const width = Number(piece.replace(/\D/g, ''))
  return piece.includes('-') ? value.padEnd(width) : value.padStart(width)
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', '\x07'],
  ['b', '\b'],
  ['e', '\x1b'],
  ['f', '\f'],
  ['v', '\v'],
  ['\\', '\\'],
  ['"', '"'],
  ["'", "'"],
])

function unescaped(text: string): string {
  return text.replace(/\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|0?[0-7]{1,3}|[\s\S])/g, (whole, body: string) => {
    if (/^[xu]./.test(body)) return String.fromCharCode(Number.parseInt(body.slice(1), 16))
    if (/^[0-7]/.test(body)) return String.fromCharCode(Number.parseInt(body, 8) & 255)
    return ESCAPES.get(body) ?? whole
  })
}

/** Escapes that stand for printable characters: nobody needs them but to hide something. */
function hides(text: string): boolean {
  const codes = text.match(/\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\0?[0-7]{2,3}/g) ?? []
  return codes.some((code) => /[\x20-\x7e]/.test(unescaped(code)))
}

function base64(args: readonly string[], stdin: string | null): Output | null {
  if (stdin === null || args.some((arg) => !arg.startsWith('-') || arg === '--version')) return null
  if (wantsDecoding(args)) {
    const text = decodeBase64(stdin)
    return text === null ? null : known(text, true)
  }
  return known(`${encodeBase64(stdin)}\n`)
}

function xxd(args: readonly string[], stdin: string | null): Output | null {
  const flags = args.join('')
  if (stdin === null || args.some((arg) => !/^-[rp]+$|^-ps$|^-plain$|^-revert$/.test(arg)) || !flags.includes('p')) return null
  if (flags.includes('r')) {
    const text = decodeHex(stdin)
    return text === null ? null : known(text, true)
  }
  return known(
    `${toUtf8(stdin)
      .map((byte) => byte.toString(16).padStart(2, '0'))
      .join('')}\n`,
  )
}

function openssl(args: readonly string[], stdin: string | null): Output | null {
  const [command, ...rest] = args
  if (command !== 'base64' && !(command === 'enc' && (rest.includes('-base64') || rest.includes('-a')))) return null
  return base64(rest.includes('-d') ? ['-d'] : [], stdin)
}

function rev(args: readonly string[], stdin: string | null): Output | null {
  if (stdin === null || args.length > 0) return null
  return known(
    stdin
      .split('\n')
      .map((line) => [...line].reverse().join(''))
      .join('\n'),
    true,
  )
}

/** The characters of a `tr` set; null where it is too unusual. */
function trSet(text: string): string | null {
  const classes: ReadonlyMap<string, string> = new Map([
    ['lower', 'abcdefghijklmnopqrstuvwxyz'],
    ['upper', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'],
    ['digit', '0123456789'],
    ['space', ' \t\n\r\f\v'],
  ])
  let result = ''
  for (const piece of text.match(/\[:[a-z]+:\]|\\[\s\S]|[\s\S]-[\s\S]|[\s\S]/g) ?? []) {
    if (piece.startsWith('[:')) {
      const members = classes.get(piece.slice(2, -2))
      if (members === undefined) return null
      result += members
    } else if (piece.length === 3) {
      const [from, to] = [piece.charCodeAt(0), piece.charCodeAt(2)]
      for (let code = from; code <= to && code - from < 256; code++) result += String.fromCharCode(code)
    } else result += unescaped(piece)
  }
  return result
}

function tr(args: readonly string[], stdin: string | null): Output | null {
  const remove = args[0] === '-d'
  const sets = (remove ? args.slice(1) : args).map(trSet)
  const [first, second] = sets
  if (stdin === null || first === undefined || first === null || second === null || sets.length > 2) return null
  if (args.some((arg) => arg.startsWith('-') && arg !== '-d')) return null
  if (remove) return second === undefined ? known([...stdin].filter((c) => !first.includes(c)).join('')) : null
  if (second === undefined || second === '') return null
  const map = new Map([...first].map((from, at) => [from, second[Math.min(at, second.length - 1)] ?? from]))
  return known([...stdin].map((c) => map.get(c) ?? c).join(''), true)
}

function lines(args: readonly string[], stdin: string | null, last: boolean): Output | null {
  const spec = args.join(' ')
  const count = args.length === 0 ? 10 : Number(/^(?:-n ?|-)(\d{1,6})$/.exec(spec)?.[1] ?? Number.NaN)
  if (stdin === null || Number.isNaN(count)) return null
  const all = stdin.endsWith('\n') ? stdin.slice(0, -1).split('\n') : stdin.split('\n')
  const kept = last ? all.slice(Math.max(0, all.length - count)) : all.slice(0, count)
  return known(kept.length === 0 ? '' : `${kept.join('\n')}\n`)
}

function baseName([path, suffix, ...more]: readonly string[]): Output | null {
  if (path === undefined || path.startsWith('-') || more.length > 0) return null
  const base = withoutTrailing(path, '/').split('/').at(-1) || '/'
  return known(`${suffix !== undefined && base !== suffix && base.endsWith(suffix) ? base.slice(0, -suffix.length) : base}\n`)
}

function directoryName([path, ...more]: readonly string[]): Output | null {
  if (path === undefined || path.startsWith('-') || more.length > 0) return null
  const trimmed = withoutTrailing(path, '/')
  const at = trimmed.lastIndexOf('/')
  return known(`${at < 0 ? '.' : trimmed.slice(0, at) || '/'}\n`)
}

function sequence(args: readonly string[]): Output | null {
  const numbers = args.map((arg) => (/^-?\d{1,6}$/.test(arg) ? Number(arg) : Number.NaN))
  if (numbers.length < 1 || numbers.length > 3 || numbers.some(Number.isNaN)) return null
  const [from, step, to] = numbers.length === 1 ? [1, 1, numbers[0]] : numbers.length === 2 ? [numbers[0], 1, numbers[1]] : numbers
  if (from === undefined || step === undefined || to === undefined || step === 0 || Math.abs((to - from) / step) > 256) return null
  let text = ''
  for (let value = from; step > 0 ? value <= to : value >= to; value += step) text += `${value}\n`
  return known(text)
}

const PRODUCERS: ReadonlyMap<string, Producer> = new Map<string, Producer>([
  ['echo', (args) => echo(args)],
  ['printf', (args) => printf(args)],
  ['base64', base64],
  ['xxd', xxd],
  ['openssl', openssl],
  ['rev', rev],
  ['tr', tr],
  ['cat', (args, stdin) => (stdin !== null && args.every((arg) => arg === '-') ? known(stdin) : null)],
  ['tee', (_, stdin) => (stdin === null ? null : known(stdin))],
  [
    'tac',
    (args, stdin) =>
      stdin === null || args.length > 0 ? null : known(`${stdin.replace(/\n$/, '').split('\n').reverse().join('\n')}\n`, true),
  ],
  ['head', (args, stdin) => lines(args, stdin, false)],
  ['tail', (args, stdin) => lines(args, stdin, true)],
  ['basename', baseName],
  ['dirname', directoryName],
  ['seq', sequence],
  ['true', () => known('')],
  [':', () => known('')],
])
