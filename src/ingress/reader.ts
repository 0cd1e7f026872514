/** The reader behind json.ts: recursive descent over one text, one pass, no backtracking; recursion is bounded by `maxDepth`. */
import type { Json } from '../core/json.ts'
import { numberFault } from './number.ts'
import { type Fault, type IngressCode, quote } from './refusal.ts'

export interface JsonLimits {
  /** Bytes of UTF-8. Default 1,048,576. */
  readonly maxBytes: number
  /** Nested arrays and objects; at most 512, for the reader recurses. Default 64. */
  readonly maxDepth: number
  /** Keys of one object. Default 10,000. */
  readonly maxKeys: number
  /** UTF-16 code units of one string or key. Default 1,048,576. */
  readonly maxString: number
}

/** Tolerated faults of one text; with one more, the whole is refused. */
const MAX_INEXACT = 1_000

/** UTF-16 units after which what is left of a string is looked for as a whole. */
const LONG_STRING = 128
const BY_NUMBER = /\\u/
const CONTROL = /[\x00-\x1f]/

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])
const LITERALS: readonly (readonly [string, Json])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/** One reading of one well-formed text. `document()` returns the value, or throws after setting `fault`. */
export class Reader {
  /** Set before anything is thrown; null means that a throw was not about the input. */
  fault: Fault | null = null
  /** Numbers that a double cannot carry and halves of surrogate pairs, where they are tolerated. */
  readonly inexact: Fault[] = []
  private at = 0
  private depth = 0
  private readonly path: (string | number)[] = []
  private readonly text: string
  private readonly limits: JsonLimits
  private readonly tolerant: boolean

  /** `tolerant`: what has no exact value is kept in `inexact` instead of refused. */
  constructor(text: string, limits: JsonLimits, tolerant = false) {
    this.text = text
    this.limits = limits
    this.tolerant = tolerant
  }

  document(): Json {
    this.space()
    if (this.at >= this.text.length) this.refuse('ingress.empty', 'the input is empty', 'send one JSON value')
    const value = this.value()
    this.space()
    if (this.at < this.text.length) {
      this.refuse('ingress.trailing_data', `there is ${this.here()} after the JSON value`, 'send exactly one JSON value')
    }
    return value
  }

  private value(): Json {
    const code = this.text.charCodeAt(this.at)
    if (code === 0x22) return this.string()
    if (code === 0x7b) return this.object()
    if (code === 0x5b) return this.array()
    if (code === 0x2d || (code >= 0x30 && code <= 0x39)) return this.number()
    for (const [word, value] of LITERALS) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length
        return value
      }
    }
    return this.syntax('a value')
  }

  private object(): Json {
    this.enter()
    const object: Record<string, Json> = Object.create(null)
    let keys = 0
    if (!this.closes(0x7d)) {
      do {
        this.space()
        this.member(object, ++keys)
        this.space()
      } while (this.goesOn(0x7d))
    }
    this.depth--
    return object
  }

  private member(object: Record<string, Json>, count: number): void {
    const start = this.at
    if (this.text.charCodeAt(start) !== 0x22) this.syntax('a key in double quotes')
    const key = this.string()
    if (key === '__proto__' || count > this.limits.maxKeys || Object.hasOwn(object, key)) this.refuseKey(key, start, count)
    this.space()
    if (this.text.charCodeAt(this.at) !== 0x3a) this.syntax('`:`')
    this.at++
    this.space()
    this.path.push(key)
    object[key] = this.value()
    this.path.pop()
  }

  private refuseKey(key: string, start: number, count: number): never {
    this.at = start
    if (count > this.limits.maxKeys) {
      this.refuse('ingress.too_many_keys', `an object has more than ${this.limits.maxKeys} keys`, 'split the work into smaller calls')
    }
    this.path.push(key)
    if (key === '__proto__') this.refuse('ingress.prototype_key', 'there is the key `__proto__`', 'use another key')
    return this.refuse('ingress.duplicate_key', `the key ${quote(key)} is there twice`, 'give each key of an object once')
  }

  private array(): Json {
    this.enter()
    const array: Json[] = []
    if (!this.closes(0x5d)) {
      do {
        this.space()
        this.path.push(array.length)
        array.push(this.value())
        this.path.pop()
        this.space()
      } while (this.goesOn(0x5d))
    }
    this.depth--
    return array
  }

  private enter(): void {
    if (++this.depth > this.limits.maxDepth) {
      this.refuse('ingress.too_deep', `the input is nested deeper than ${this.limits.maxDepth} levels`, 'send flatter arguments')
    }
    this.at++
  }

  /** Takes the closing bracket of an empty container. */
  private closes(bracket: number): boolean {
    this.space()
    if (this.text.charCodeAt(this.at) !== bracket) return false
    this.at++
    return true
  }

  /** Takes a comma (true) or the closing bracket (false). */
  private goesOn(bracket: number): boolean {
    const code = this.text.charCodeAt(this.at)
    if (code !== 0x2c && code !== bracket) this.syntax(`\`,\` or \`${String.fromCharCode(bracket)}\``)
    this.at++
    return code === 0x2c
  }

  private number(): number {
    NUMBER.lastIndex = this.at
    const literal = NUMBER.exec(this.text)?.[0]
    if (literal === undefined) return this.syntax('a number')
    const value = Number(literal)
    const fault = numberFault(literal, value)
    if (fault !== null) {
      const help = 'send such a number as a string'
      this.faulty({ code: fault.code, path: [...this.path], offset: this.at, what: `the number ${quote(literal)} ${fault.what}`, help })
    }
    this.at += literal.length
    return value === 0 ? 0 : value
  }

  /** Notes the fault, or refuses the whole where nothing of the kind is tolerated, or more than anybody looks at. */
  private faulty(fault: Fault): void {
    if (!this.tolerant || this.inexact.length >= MAX_INEXACT) this.abort(fault)
    this.inexact.push(fault)
  }

  private string(): string {
    const start = this.at
    let from = ++this.at
    let out = ''
    let long = start + LONG_STRING
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code === 0x22) break
      if (code === 0x5c) {
        out += this.text.slice(from, this.at) + this.escape()
        from = this.at
      } else if (!(code >= 0x20)) this.syntax('no control character inside a string, and `"` at its end')
      else if (++this.at >= long) {
        long = Number.POSITIVE_INFINITY
        const whole = this.longString(start)
        if (whole === null) continue
        out = whole
        from = this.at
      }
    }
    out += this.text.slice(from, this.at++)
    if (out.length > this.limits.maxString) {
      this.at = start
      this.refuse('ingress.long_string', `a string is longer than ${this.limits.maxString} characters`, 'split the work into smaller calls')
    }
    return out
  }

  /**
   * All of a long string that begins with this quotation mark, of which we are within; null where it has to be read sign by sign: there is
   * something wrong with it, or there are escapes by number in it. What is left is the same for the reader of the platform, which takes a
   * tenth of the time.
   */
  private longString(start: number): string | null {
    const end = this.endOfString()
    if (end === null) return null
    // With its quotation marks, as a piece of the text: put together anew it would be copied, and copied again when it is read.
    const quoted = this.text.slice(start, end + 1)
    if (BY_NUMBER.test(quoted)) return null
    let read = quoted
    if (quoted.includes('\\')) {
      try {
        read = JSON.parse(quoted) as string
      } catch {
        return null
      }
    } else {
      if (CONTROL.test(quoted)) return null
      read = quoted.slice(1, -1)
    }
    this.at = end
    return read
  }

  /** The first quotation mark from here that no backslash stands for; null: there is none. */
  private endOfString(): number | null {
    for (let end = this.text.indexOf('"', this.at); end !== -1; end = this.text.indexOf('"', end + 1)) {
      let before = end
      while (this.text.charCodeAt(before - 1) === 0x5c && before > this.at) before--
      if ((end - before) % 2 === 0) return end
    }
    return null
  }

  private escape(): string {
    const letter = this.text[this.at + 1]
    if (letter === 'u') return this.unicodeEscape()
    const plain = letter === undefined ? undefined : ESCAPES.get(letter)
    if (plain === undefined) return this.syntax('a valid escape')
    this.at += 2
    return plain
  }

  private unicodeEscape(): string {
    const start = this.at
    const first = this.hexadecimal()
    if (first < 0xd800 || first > 0xdfff) return String.fromCharCode(first)
    if (first < 0xdc00 && this.text.startsWith('\\u', this.at)) {
      const second = this.hexadecimal()
      if (second >= 0xdc00 && second <= 0xdfff) return String.fromCharCode(first, second)
    }
    this.faulty(loneSurrogate(start, this.path))
    this.at = start + 6
    return String.fromCharCode(first)
  }

  private hexadecimal(): number {
    const digits = this.text.slice(this.at + 2, this.at + 6)
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) return this.syntax('four hexadecimal digits after `\\u`')
    this.at += 6
    return Number.parseInt(digits, 16)
  }

  private space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.at++
    }
  }

  private here(): string {
    const point = this.text.codePointAt(this.at)
    return point === undefined ? 'the end of the input' : quote(String.fromCodePoint(point))
  }

  private syntax(expected: string): never {
    return this.refuse('ingress.syntax', `expected ${expected}, found ${this.here()}`, 'send one well-formed JSON value')
  }

  private refuse(code: IngressCode, what: string, help: string): never {
    return this.abort({ code, path: [...this.path], offset: this.at, what, help })
  }

  private abort(fault: Fault): never {
    this.fault = fault
    throw fault.code
  }
}

/** Half of a surrogate pair: two different ones have the same UTF-8, so a digest could not tell them apart. */
export function loneSurrogate(offset: number, path: readonly (string | number)[]): Fault {
  return {
    code: 'ingress.lone_surrogate',
    path: [...path],
    offset,
    what: 'there is half of a surrogate pair',
    help: 'write characters beyond U+FFFF as a pair, or leave it out',
  }
}
