import { LIMITS } from '../limits.ts'
import { callableOn } from './callbacks.ts'
import { fromBase64, fromHex, fromUtf8, rot13, toUtf8 } from './decode.ts'
import { braceFormat, percentFormat, spelled } from './operators.ts'
import { concat, elementOf, itemsOf, known, pieces } from './reading.ts'
import type { Call } from './run.ts'
import { CLEAN, either, FROM, flag, joinTaint, list, number, part, taintOf, text, unknown, type Value } from './value.ts'

/** Methods of texts, lists and dictionaries that every language has under one name or another, computed where all is known. */
type Method = (call: Call) => Value | undefined

/** The value of a method on a constant; undefined where it is no such method. */
export function fold(call: Call): Value | undefined {
  const { self, name } = call
  if (self === null) return undefined
  const onItems = callableOn(call)
  if (onItems !== undefined) return onItems
  switch (self.kind) {
    case 'text':
    case 'part':
      return (Object.hasOwn(TEXT, name) ? TEXT[name] : undefined)?.(call)
    case 'list':
      return (Object.hasOwn(LIST, name) ? LIST[name] : undefined)?.(call)
    case 'dict':
      return (Object.hasOwn(DICT, name) ? DICT[name] : undefined)?.(call)
    case 'number':
      return name === 'chr' ? text(String.fromCodePoint(Math.max(0, Math.min(self.value, 0x10ffff))), flag(FROM.spelled)) : undefined
    default:
      return undefined
  }
}

function mapped(call: Call, change: (whole: string) => string | null, bits = 0): Value | undefined {
  const { self } = call
  if (self?.kind !== 'text') return self?.kind === 'part' ? unknown(joinTaint(self.taint, flag(bits))) : undefined
  const result = change(self.text)
  const taint = bits === 0 ? self.taint : joinTaint(self.taint, flag(bits))
  return result === null ? unknown(taint) : { ...text(result, taint, self.bytes) }
}

/** Keeps what is known of the beginning. */
const same: Method = ({ self }) => self ?? undefined

const trim: Method = (call) => {
  const set = known(call.args[0])
  if (call.self?.kind === 'part') return call.self
  return mapped(call, (s) => (set === null ? s.trim() : trimmed(s, set)))
}

function trimmed(s: string, set: string): string {
  let from = 0
  let to = s.length
  while (from < to && set.includes(s[from] as string)) from += 1
  while (to > from && set.includes(s[to - 1] as string)) to -= 1
  return s.slice(from, to)
}

const upper: Method = (call) => mapped(call, (s) => s.toUpperCase())
const lower: Method = (call) => mapped(call, (s) => s.toLowerCase())

const reverse: Method = (call) =>
  mapped(call, (s) => [...s].reverse().join(''), call.self?.kind === 'text' && call.self.text.length > 8 ? FROM.decoded : 0)

/** Text replaced by text; patterns are not followed. */
const replace: Method = (call) => {
  const [from, to] = [known(call.args[0]), known(call.args[1])]
  if (from === null || to === null || from === '') return unknown(call.taint)
  return mapped(call, (s) => (s.length * (to.length + 1) > LIMITS.folded * 4 ? null : s.replaceAll(from, to)))
}

const split: Method = (call) => {
  const { self } = call
  const separator = call.args[0] === undefined ? null : known(call.args[0])
  if (self?.kind !== 'text') return list([], true, self === null ? CLEAN : taintOf(self))
  const parts =
    separator === null || separator === ' ' ? self.text.trim().split(/\s+/) : separator === '' ? [...self.text] : self.text.split(separator)
  return list(
    parts.slice(0, LIMITS.items).map((p) => text(p, self.taint)),
    parts.length > LIMITS.items,
  )
}

const decode: Method = (call) => {
  const encoding = known(call.args[0]) ?? 'utf-8'
  if (/^rot_?13$/.test(encoding)) return mapped(call, rot13, FROM.decoded)
  if (encoding === 'hex') return mapped(call, fromHex, FROM.decoded)
  if (encoding === 'base64') return mapped(call, fromBase64, FROM.decoded)
  if (call.self?.kind !== 'text') return call.self ?? undefined
  return { ...text(call.self.bytes ? fromUtf8(call.self.text) : call.self.text, call.self.taint) }
}

const encode: Method = ({ self }) => (self?.kind === 'text' ? text(toUtf8(self.text), self.taint, true) : (self ?? undefined))

const substring: Method = (call) => {
  const [from, to] = call.args.map((v) => (v.kind === 'number' ? v.value : undefined))
  if (call.args.some((v) => v.kind !== 'number')) return unknown(call.taint)
  return mapped(call, (s) => s.slice(from, to))
}

const charCode: Method = ({ self, args }) => {
  const at = args[0]?.kind === 'number' ? args[0].value : 0
  return self?.kind === 'text' && at < self.text.length ? number(self.text.charCodeAt(at)) : undefined
}

const join: Method = (call) => {
  // Python: glue.join(list); the others: list.join(glue).
  const [glue, items] =
    call.self?.kind === 'list'
      ? [call.args[0] ?? text(call.run.profile.language === 'node' ? ',' : ''), call.self]
      : [call.self, call.args[0]]
  return glue === null || glue === undefined || items === undefined ? undefined : joined(glue, items)
}

/** Items of a list with glue between them. */
export function joined(glue: Value, items: Value): Value {
  const all = items.kind === 'list' ? items.items : (itemsOf(items) ?? [])
  const open = items.kind === 'list' ? items.open : itemsOf(items) === null
  const between = pieces(glue)
  const out: (string | null)[] = []
  for (const [i, item] of all.entries()) out.push(...(i > 0 ? between : []), ...pieces(item))
  if (open) out.push(null)
  const taint = joinTaint(taintOf(glue), taintOf(items), ...all.slice(0, 64).map((v) => taintOf(v)), flag(spelled(all.slice(0, 64))))
  return part(out, taint)
}

const TEXT: Readonly<Record<string, Method>> = {
  strip: trim,
  trim,
  lstrip: (call) => mapped(call, (s) => s.trimStart()) ?? call.self ?? undefined,
  rstrip: trim,
  trimStart: (call) => mapped(call, (s) => s.trimStart()),
  trimEnd: (call) => mapped(call, (s) => s.trimEnd()),
  chomp: trim,
  upper,
  toUpperCase: upper,
  upcase: upper,
  lower,
  toLowerCase: lower,
  downcase: lower,
  swapcase: (call) => mapped(call, (s) => [...s].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('')),
  reverse,
  replace,
  replaceAll: replace,
  gsub: replace,
  sub: replace,
  split,
  decode,
  encode,
  toString: (call: Call) => decode({ ...call, args: [] }),
  to_s: same,
  valueOf: same,
  freeze: same,
  dup: same,
  substring,
  slice: substring,
  charAt: (call) =>
    call.args[0]?.kind === 'number' ? mapped(call, (s) => s.charAt((call.args[0] as { value: number }).value)) : undefined,
  charCodeAt: charCode,
  codePointAt: charCode,
  ord: charCode,
  join,
  format: ({ self, args, named, taint }) => (self?.kind === 'text' ? braceFormat(self.text, args, named) : unknown(taint)),
  concat: ({ self, args }) => (self === null ? undefined : concat([self, ...args])),
  repeat: (call) => {
    const count = call.args[0]?.kind === 'number' ? call.args[0].value : -1
    return mapped(call, (s) => (count < 0 || s.length * count > LIMITS.folded ? null : s.repeat(count)))
  },
  '%': ({ self, args }) => (self === null || args[0] === undefined ? undefined : percentFormat(self, args[0])),
  hex: (call) => mapped(call, (s) => [...s].map((c) => c.charCodeAt(0).toString(16).padStart(2, '0')).join('')),
  unpack1: (call) => mapped(call, (s) => (known(call.args[0])?.startsWith('m') ? fromBase64(s) : fromHex(s)), FROM.decoded),
  unpack: (call) =>
    list([mapped(call, (s) => (known(call.args[0])?.startsWith('m') ? fromBase64(s) : null), FROM.decoded) ?? unknown(call.taint)]),
  expanduser: same,
  splitlines: (call: Call) => split({ ...call, args: [text('\n')] }),
}

const LIST: Readonly<Record<string, Method>> = {
  join,
  append: (call) => added(call, call.args),
  push: (call) => added(call, call.args),
  unshift: (call) =>
    call.self?.kind === 'list' && call.run.state.certainty === 'certain' ? placed(call, 0, call.args) : disturbed(call, call.args),
  insert: (call) => disturbed(call, call.args),
  prepend: (call) => disturbed(call, call.args),
  splice: (call) => disturbed(call, call.args.slice(2)),
  fill: (call) => disturbed(call, call.args),
  remove: (call) => disturbed(call, []),
  delete: (call) => disturbed(call, []),
  delete_at: (call) => disturbed(call, []),
  clear: (call) => disturbed(call, []),
  rotate: (call) => disturbed(call, []),
  replace: (call) => disturbed(call, call.args),
  extend: (call) => added(call, call.args[0]?.kind === 'list' ? call.args[0].items : null),
  concat: ({ self, args }) =>
    self?.kind === 'list'
      ? list([...self.items, ...args.flatMap((a) => (a.kind === 'list' ? a.items : [a]))], self.open, self.taint)
      : undefined,
  copy: same,
  flat: same,
  flatten: same,
  to_a: same,
  sort: (call) => disturbed(call, []),
  reverse: (call) => {
    const { self, run } = call
    if (self?.kind !== 'list') return undefined
    const backwards = list([...self.items].reverse(), self.open, self.taint)
    // Ruby makes another list; elsewhere it is this one.
    if (run.profile.language !== 'ruby' && run.profile.language !== 'perl') disturbed(call, [])
    return backwards
  },
  slice: ({ self, args }) => {
    const [from, to] = args.map((v) => (v.kind === 'number' ? v.value : undefined))
    return self?.kind === 'list' ? list(self.items.slice(from, to), self.open, self.taint) : undefined
  },
  pop: (call) => takenOut(call, -1),
  shift: (call) => takenOut(call, 0),
  first: ({ self }) => (self?.kind === 'list' ? (self.items[0] ?? unknown(self.taint)) : undefined),
  last: ({ self }) => (self?.kind === 'list' ? (self.items.at(-1) ?? unknown(self.taint)) : undefined),
  pack: ({ self, args }) => packed(self, known(args[0]) ?? ''),
  toString: (call: Call) => joined(text(','), call.self ?? unknown(CLEAN)),
  decode: same,
}

function added({ self, run }: Call, values: readonly Value[] | null): Value | undefined {
  if (self?.kind !== 'list') return undefined
  if (run.state.endless) {
    run.acts.once('execute', run.context.thing('resource', 'memory'), {
      action: 'resource:exhaust',
      reversible: false,
      reason: 'a loop fills the memory',
    })
  }
  if (values === null || self.items.length + values.length > LIMITS.items) self.open = true
  else self.items.push(...values)
  return self
}

/** Which item stands where is not known any more, but for what was put there or was there. */
function disturbed({ self }: Call, values: readonly Value[]): Value | undefined {
  if (self?.kind !== 'list') return undefined
  const any = either([...self.items, ...values.map((value) => (value.kind === 'list' ? elementOf(value) : value))])
  self.items.fill(any)
  self.open = true
  return self
}

function placed({ self }: Call, at: number, values: readonly Value[]): Value | undefined {
  if (self?.kind !== 'list') return undefined
  self.items.splice(at, 0, ...values.slice(0, LIMITS.items - self.items.length))
  return number(self.items.length)
}

/** The first or the last item, which is gone then. */
function takenOut(call: Call, at: 0 | -1): Value | undefined {
  const { self, args, run } = call
  if (self?.kind !== 'list') return undefined
  const item = self.items.at(at) ?? unknown(self.taint)
  if (args.length === 0 && run.state.certainty === 'certain' && !self.open) self.items.splice(at, 1)
  else return disturbed(call, []) === undefined ? undefined : either([item, elementOf(self)])
  return item
}

/** Ruby's `[…].pack('c*')`, `pack('m')`, `pack('H*')`. */
function packed(self: Value | null, format: string): Value | undefined {
  if (self?.kind !== 'list') return undefined
  const numbers = self.items.length <= LIMITS.items && self.items.every((v) => v.kind === 'number')
  if (/^[cCU]\*$/.test(format) && numbers)
    return text(String.fromCharCode(...self.items.map((v) => (v.kind === 'number' ? v.value & 0xffff : 0))), flag(FROM.decoded))
  const first = known(self.items[0])
  if (/^H\*?$/.test(format) && first !== null) return text(fromHex(first) ?? '', flag(FROM.decoded))
  return unknown(taintOf(self))
}

/** `d.update({…}, k=v)`: what is not known of it may be any of them. */
function updated({ self, args, named, run }: Call): Value | undefined {
  if (self?.kind !== 'dict') return undefined
  const put = (key: string, value: Value): void => {
    const old = self.entries.get(key)
    self.entries.set(key, old === undefined || run.state.certainty === 'certain' ? value : either([old, value]))
  }
  for (const value of args) {
    if (value.kind === 'dict') for (const [key, item] of value.entries) put(key, item)
    if (value.kind !== 'dict' || value.open)
      for (const [key, old] of self.entries) self.entries.set(key, either([old, unknown(taintOf(value))]))
  }
  for (const [key, value] of named) put(key, value)
  return self
}

const DICT: Readonly<Record<string, Method>> = {
  get: ({ self, args }) => {
    const key = known(args[0])
    if (self?.kind !== 'dict' || key === null) return undefined
    return self.entries.get(key) ?? args[1] ?? unknown(self.taint)
  },
  values: ({ self }) => (self?.kind === 'dict' ? list([...self.entries.values()], self.open, self.taint) : undefined),
  keys: ({ self }) =>
    self?.kind === 'dict'
      ? list(
          [...self.entries.keys()].map((k) => text(k)),
          self.open,
          self.taint,
        )
      : undefined,
  items: ({ self }) =>
    self?.kind === 'dict'
      ? list(
          [...self.entries].map(([k, v]) => list([text(k), v])),
          self.open,
          self.taint,
        )
      : undefined,
  copy: same,
  update: updated,
  'merge!': updated,
  setdefault: ({ self, args, run }) => {
    const key = known(args[0])
    if (self?.kind !== 'dict' || key === null) return undefined
    const value = self.entries.get(key) ?? args[1] ?? unknown(self.taint)
    if (run.state.certainty === 'certain') self.entries.set(key, value)
    return value
  },
}

/** A text of the characters with the given codes. */
export function fromCodes(codes: readonly Value[]): Value {
  const exact = codes.length <= LIMITS.items && codes.every((v) => v.kind === 'number')
  if (!exact) return unknown(joinTaint(...codes.slice(0, 16).map((v) => taintOf(v)), flag(FROM.spelled)))
  const characters = codes.map((v) =>
    String.fromCodePoint(v.kind === 'number' ? Math.max(0, Math.min(Math.trunc(v.value) || 0, 0x10ffff)) : 0),
  )
  return text(characters.join(''), flag(characters.length >= 4 ? FROM.decoded : FROM.spelled))
}

/** Marks a decoded text; known only where the decoder could undo it. */
export function decoded(value: Value, decoder: (encoded: string) => string | null, bytes = true): Value {
  const taint = joinTaint(taintOf(value), flag(FROM.decoded))
  const encoded = known(value)
  const result = encoded === null ? null : decoder(encoded)
  return result === null ? unknown(taint) : text(result, taint, bytes)
}
