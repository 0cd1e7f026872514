import { callEach, isCallable } from '../interpret/callbacks.ts'
import { fromBase32, fromBase64, fromHex, fromPercent, fromUtf8, rot13, toBase64, toUtf8 } from '../interpret/decode.ts'
import { exactJson } from '../interpret/json.ts'
import { decoded, fromCodes, joined } from '../interpret/methods.ts'
import { percentFormat } from '../interpret/operators.ts'
import { itemsOf, known } from '../interpret/reading.ts'
import type { Call, Handler, Table } from '../interpret/run.ts'
import { CLEAN, FROM, flag, joinTaint, list, number, taintOf, text, UNKNOWN, unknown, type Value } from '../interpret/value.ts'
import { passes } from './act.ts'

/** Functions that only compute: encodings, characters, numbers, lists. */

const base64 = ((call) => decoded(call.args[0] ?? UNKNOWN, fromBase64)) satisfies Handler
const hex = ((call) => decoded(call.args[0] ?? UNKNOWN, fromHex)) satisfies Handler

/** Compression and ciphers are not undone, but what comes out of them was hidden. */
const opaqueDecoder: Handler = (call) => unknown(joinTaint(taintOf(call.args[0] ?? UNKNOWN), flag(FROM.decoded)))

const codec: Handler = (call) => {
  const encoding = known(call.args[1]) ?? 'utf-8'
  const value = call.args[0] ?? UNKNOWN
  if (/^rot_?13$/.test(encoding)) return decoded(value, rot13, false)
  if (/^hex/.test(encoding)) return decoded(value, fromHex)
  if (/^base64/.test(encoding)) return decoded(value, fromBase64)
  const plain = known(value)
  return plain === null ? unknown(taintOf(value)) : text(fromUtf8(plain), taintOf(value))
}

export const bytes: Handler = (call) => {
  const value = call.args[0]
  if (value?.kind === 'list' && !value.open)
    return { ...fromCodes(value.items), ...(value.items.length > 0 ? { bytes: true } : {}) } as Value
  if (value?.kind === 'text') return text(toUtf8(value.text), value.taint, true)
  return value
}

const range: Handler = (call) => {
  const [a, b, c] = call.args.map((v) => (v.kind === 'number' ? v.value : Number.NaN))
  const [from, to, step] = b === undefined ? [0, a ?? 0, 1] : [a ?? 0, b, c ?? 1]
  const count = Math.ceil((to - from) / step)
  if (!Number.isFinite(count) || count > 512) return list([], true)
  return list(Array.from({ length: Math.max(0, count) }, (_, i) => number(from + i * step)))
}

const zip: Handler = (call) => {
  const lists = call.args.map((v) => itemsOf(v))
  const length = Math.min(...lists.map((l) => l?.length ?? 0))
  return lists.some((l) => l === null)
    ? list([], true, call.taint)
    : list(Array.from({ length }, (_, i) => list(lists.map((l) => l?.[i] ?? UNKNOWN))))
}

const enumerate: Handler = (call) => {
  const items = itemsOf(call.args[0] ?? UNKNOWN)
  if (items !== null) return list(items.map((item, i) => list([number(i), item])))
  return list([list([UNKNOWN, unknown(call.taint)])], true, call.taint)
}

const toText: Handler = (call) => {
  const value = call.args[0]
  if (value?.kind === 'number') return text(String(value.value))
  if (value?.kind === 'object') return value.fields.get('text') ?? unknown(taintOf(value))
  return value?.kind === 'text' && value.bytes ? text(fromUtf8(value.text), value.taint) : value
}

/** The text of a value as JSON, where all of it is known. */
const toJson: Handler = (call) => {
  const [value] = call.args
  const json = value === undefined || value.kind === 'text' ? undefined : exactJson(value)
  return json === undefined ? undefined : text(JSON.stringify(json), call.taint)
}

const toNumber: Handler = (call) => {
  const [value, base] = call.args
  const digits = known(value)
  if (digits === null) return unknown(call.taint)
  const parsed = base?.kind === 'number' && base.value >= 2 && base.value <= 36 ? Number.parseInt(digits, base.value) : Number(digits)
  return Number.isNaN(parsed) ? UNKNOWN : number(Math.trunc(parsed))
}

const ord: Handler = (call) => {
  const c = known(call.args[0])
  return c === null || c === '' ? undefined : number(c.codePointAt(0) ?? 0)
}

const reversed: Handler = (call) => {
  const value = call.args[0]
  const items = value === undefined ? null : itemsOf(value)
  return items === null ? unknown(joinTaint(call.taint, flag(FROM.decoded))) : list([...items].reverse())
}

const encode64: Handler = (call) => {
  const plain = known(call.args[0])
  return plain === null ? unknown(call.taint) : text(toBase64(plain), call.taint, true)
}

/** The items of what `list(…)` and its like are given, as a list. */
function items({ args: [given] }: Call): Value {
  if (given === undefined) return list([])
  return given.kind === 'text' || given.kind === 'dict' ? list(itemsOf(given) ?? [], itemsOf(given) === null) : given
}

export const PYTHON_PURE: Table = {
  'base64.b64decode base64.urlsafe_b64decode base64.standard_b64decode base64.decodebytes base64.decodestring binascii.a2b_base64': base64,
  'base64.b32decode': (call) => decoded(call.args[0] ?? UNKNOWN, fromBase32),
  'bytes.fromhex bytearray.fromhex binascii.unhexlify binascii.a2b_hex base64.b16decode': hex,
  'zlib.decompress gzip.decompress bz2.decompress lzma.decompress base64.b85decode base64.a85decode marshal.loads Fernet.decrypt':
    opaqueDecoder,
  'base64.b64encode base64.urlsafe_b64encode base64.standard_b64encode': encode64,
  'codecs.decode': codec,
  'codecs.encode': (call) => (/^rot_?13$/.test(known(call.args[1]) ?? '') ? decoded(call.args[0] ?? UNKNOWN, rot13, false) : call.args[0]),
  'urllib.parse.unquote urllib.unquote': (call) => decoded(call.args[0] ?? UNKNOWN, fromPercent, false),
  'urllib.parse.quote urllib.parse.quote_plus urllib.parse.urljoin': passes(0),
  'urllib.parse.urlencode': (call) => unknown(call.taint),
  'chr unichr': (call) => singleCode(call.args[0]),
  ord,
  'bytes bytearray': bytes,
  str: toText,
  repr: toText,
  'json.dumps': toJson,
  int: toNumber,
  'list tuple set frozenset iter': items,
  sorted: (call) => {
    const key = call.named.get('key')
    if (key !== undefined && isCallable(key, call.run)) callEach(key, items(call), call.run)
    return items(call)
  },
  dict: (call) =>
    call.args[0]?.kind === 'dict'
      ? call.args[0]
      : { kind: 'dict', entries: new Map(call.named), open: call.args.length > 0, taint: call.taint },
  'range xrange': range,
  reversed,
  zip,
  enumerate,
  'itertools.count itertools.cycle itertools.repeat': () => ({
    kind: 'object',
    type: 'endless',
    fields: new Map(),
    taint: CLEAN,
  }),
  len: (call) =>
    call.args[0]?.kind === 'text'
      ? number(call.args[0].text.length)
      : call.args[0]?.kind === 'list' && !call.args[0].open
        ? number(call.args[0].items.length)
        : undefined,
  'str.join': (call) => joined(call.args[0] ?? UNKNOWN, call.args[1] ?? UNKNOWN),
  'textwrap.dedent': passes(0),
}

function singleCode(value: Value | undefined): Value {
  return value === undefined ? UNKNOWN : fromCodes([value])
}

export const NODE_PURE: Table = {
  atob: (call) => decoded(call.args[0] ?? UNKNOWN, fromBase64, false),
  btoa: encode64,
  'unescape decodeURIComponent decodeURI': (call) => decoded(call.args[0] ?? UNKNOWN, fromPercent, false),
  'String.fromCharCode String.fromCodePoint': (call) => fromCodes(call.args),
  'Buffer.from Buffer': (call) => {
    const encoding = known(call.args[1]) ?? ''
    const value = call.args[0] ?? UNKNOWN
    if (encoding === 'base64' || encoding === 'base64url') return decoded(value, fromBase64)
    if (encoding === 'hex') return decoded(value, fromHex)
    return value.kind === 'list' ? fromCodes(value.items) : value
  },
  'Buffer.concat': (call) => (call.args[0]?.kind === 'list' ? joined(text(''), call.args[0]) : undefined),
  'zlib.gunzipSync zlib.inflateSync zlib.unzipSync zlib.brotliDecompressSync zlib.inflateRawSync': opaqueDecoder,
  'String JSON.stringify': toText,
  'Number parseInt': toNumber,
  'Array.from': passes(0),
  'util.format': (call) => percentFormat(call.args[0] ?? UNKNOWN, list(call.args.slice(1))),
}

export const PHP_PURE: Table = {
  base64_decode: base64,
  base64_encode: encode64,
  hex2bin: hex,
  str_rot13: (call) => decoded(call.args[0] ?? UNKNOWN, rot13, false),
  'gzinflate gzuncompress gzdecode convert_uudecode openssl_decrypt': opaqueDecoder,
  'urldecode rawurldecode': (call) => decoded(call.args[0] ?? UNKNOWN, fromPercent, false),
  chr: (call) => singleCode(call.args[0]),
  ord,
  strrev: (call) => decoded(call.args[0] ?? UNKNOWN, (s) => [...s].reverse().join(''), false),
  'implode join': (call) => joined(call.args[0] ?? UNKNOWN, call.args[1] ?? UNKNOWN),
  sprintf: (call) => percentFormat(call.args[0] ?? UNKNOWN, list(call.args.slice(1))),
  'trim rtrim ltrim': (call) => {
    const value = call.args[0]
    return value?.kind === 'text' && call.args.length === 1 ? text(value.text.trim(), value.taint) : value
  },
  'strval realpath escapeshellarg escapeshellcmd': passes(0),
  range,
}

export const PERL_PURE: Table = {
  'decode_base64 MIME.Base64.decode_base64 MIME.Base64.decode': base64,
  pack: (call) => {
    const format = known(call.args[0]) ?? ''
    const value = call.args[1] ?? UNKNOWN
    if (/^H/.test(format)) return decoded(value, fromHex)
    if (/^[CcUW]\*?/.test(format)) return fromCodes(call.args.length === 2 && value.kind === 'list' ? value.items : call.args.slice(1))
    if (/^u/.test(format)) return opaqueDecoder({ ...call, args: [value] })
    return /^A/.test(format) ? value : unknown(call.taint)
  },
  unpack: opaqueDecoder,
  chr: (call) => singleCode(call.args[0]?.kind === 'list' ? call.args[0].items[0] : call.args[0]),
  ord,
  reverse: (call) =>
    call.args.length === 1 ? decoded(call.args[0] ?? UNKNOWN, (s) => [...s].reverse().join(''), false) : list([...call.args].reverse()),
  join: (call) =>
    joined(call.args[0] ?? UNKNOWN, call.args.length === 2 && call.args[1]?.kind === 'list' ? call.args[1] : list(call.args.slice(1))),
  sprintf: (call) => percentFormat(call.args[0] ?? UNKNOWN, list(call.args.slice(1))),
  uncompress: opaqueDecoder,
}

export const RUBY_PURE: Table = {
  'Base64.decode64 Base64.strict_decode64 Base64.urlsafe_decode64': base64,
  'Zlib.Inflate.inflate Zlib.inflate Zlib.GzipReader.new': opaqueDecoder,
  'sprintf format': (call) => percentFormat(call.args[0] ?? UNKNOWN, list(call.args.slice(1))),
  'URI.decode_www_form_component CGI.unescape': (call) => decoded(call.args[0] ?? UNKNOWN, fromPercent, false),
  'Shellwords.escape': passes(0),
  String: toText,
  Integer: toNumber,
}
