import type { Effect, Span } from '../../effect.ts'
import type { Word } from '../../host.ts'
import { HOLE } from '../../resources/text/hole.ts'
import { cutAtMarks, EVERY, FOUND, withoutMarks } from '../../resources/text/template.ts'
import { LIMITS } from '../state/budget.ts'
import { merged } from '../state/origins.ts'

/** The fields that one word becomes: known text, patterns and holes, split where an expansion stands unquoted. */

const GLOB_START = /[*?[]/

/** Collects the fields of one word. */
export class Fields {
  readonly words: Word[] = []
  readonly span: Span
  private readonly raw: string
  private text = ''
  /** Where in the text something unknown stands. */
  private holes: number[] = []
  private prefix: string | null = null
  private known = true
  private glob = false
  private dynamic = false
  private decoded = false
  private many = false
  private from: readonly Effect[] = []
  private started = false
  /** Lists of origins that are in `from` already: one value may be named thousands of times. */
  private readonly origins = new Set<readonly Effect[]>()
  /** A word grew past what can be analysed: the rest of it is unknown. */
  overlong = false
  /** UTF-16 units that went into all of the words, and origins that were put together. */
  size = 0

  constructor(span: Span, raw: string) {
    this.span = span
    this.raw = withoutMarks(raw)
  }

  /** Marks that a field exists even if it stays empty: `""`. */
  start(): void {
    this.started = true
  }

  literal(text: string): void {
    this.started = true
    for (const part of cutAtMarks(text) ?? [text]) {
      if (part === HOLE) this.unknown(FOUND)
      else if (part === EVERY) this.pattern('*')
      else this.append(part)
    }
  }

  /** Text that doubles itself at every step (`x=$x$x`) must not be written out. */
  private append(text: string): void {
    this.size += text.length
    if (this.text.length + text.length <= LIMITS.text) this.text += text
    else {
      this.overlong = true
      this.freeze()
      this.known = false
      this.dynamic = true
    }
  }

  pattern(text: string): void {
    this.started = true
    this.freeze()
    this.glob = true
    this.append(text)
  }

  /** A value that came out of an expansion. */
  value(word: Word, quoted: boolean, ifs: string): void {
    this.origin(word.from)
    if (word.decoded === true) this.decoded = true
    if (word.text === null) {
      this.unknown(word)
      if (word.many === true || !(quoted || word.whole === true)) this.many = true
    } else if (word.glob) this.pattern(word.text)
    else if (quoted || word.whole === true) this.literal(word.text)
    else this.split(word.text, ifs)
  }

  flush(): void {
    if (!this.started) return
    const { text: known, span, raw, glob, dynamic } = this
    // Written out: one shape for most words, and spreading is slow.
    if (this.known && this.prefix === null && this.from.length === 0 && !this.decoded && !this.many)
      this.words.push({ text: known, prefix: known, glob, dynamic, span, raw })
    else this.words.push(this.uncommon())
    this.text = ''
    if (!this.known) this.holes = []
    this.prefix = null
    this.known = true
    this.glob = false
    this.dynamic = false
    this.many = false
    this.started = false
  }

  private uncommon(): Word {
    const text = this.known ? this.text : null
    const from = this.from.length > 0 ? { from: this.from } : {}
    const decoded = this.decoded ? { decoded: true } : {}
    const many = this.many ? { many: true } : {}
    const prefix = this.prefix ?? this.text
    const pieces = this.known ? {} : { pieces: cut(this.text, this.holes) }
    const { glob, dynamic, span, raw } = this
    return { text, prefix, glob, dynamic, span, raw, ...from, ...decoded, ...many, ...pieces }
  }

  private origin(from: readonly Effect[] | undefined): void {
    if (from === undefined || from.length === 0 || this.origins.has(from)) return
    this.origins.add(from)
    this.size += this.from.length + from.length
    this.from = merged(this.from, from)
  }

  private unknown(word: Pick<Word, 'prefix' | 'glob' | 'dynamic'>): void {
    this.started = true
    this.append(word.prefix)
    this.freeze()
    this.known = false
    this.holes.push(this.text.length)
    if (word.dynamic) this.dynamic = true
    if (word.glob) this.glob = true
  }

  private freeze(): void {
    this.prefix ??= this.text
  }

  private split(text: string, ifs: string): void {
    let piece = ''
    for (const character of text) {
      if (!ifs.includes(character)) piece += character
      else {
        if (piece !== '') this.scan(piece)
        piece = ''
        this.flush()
        if (this.words.length > LIMITS.words) return
      }
    }
    if (piece !== '') this.scan(piece)
  }

  /** Unquoted text of an expansion may hold glob characters. */
  private scan(piece: string): void {
    const at = piece.search(GLOB_START)
    if (at < 0) this.literal(piece)
    else {
      this.literal(piece.slice(0, at))
      this.pattern(piece.slice(at))
    }
  }
}

function cut(text: string, holes: readonly number[]): readonly (string | null)[] {
  const pieces: (string | null)[] = []
  let from = 0
  for (const hole of holes) {
    if (hole > from) pieces.push(text.slice(from, hole))
    pieces.push(null)
    from = hole
  }
  return from < text.length ? [...pieces, text.slice(from)] : pieces
}
