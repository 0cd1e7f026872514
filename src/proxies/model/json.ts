/**
 * JSON text as a tree that knows where each part stands: a part can be replaced, and everything around it stays as it was, byte
 * for byte. Signatures of a model's thoughts do not survive anything less.
 */
import { isJsonObject, type Json, own } from '../../core/json.ts'

/** A value of the text, from `start` up to `end`. */
export interface Part {
  readonly start: number
  readonly end: number
  /** Of an object, in their order. */
  readonly members?: ReadonlyMap<string, Member>
  /** Of an array. */
  readonly items?: readonly Part[]
}

export interface Member {
  /** Where its key begins. */
  readonly start: number
  readonly value: Part
}

export interface Located {
  readonly text: string
  readonly root: Part
  /** What it says. */
  readonly value: Json
}

/** Replaces what stands from `start` up to `end`. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

const MAX_DEPTH = 256

/** Null where the text is not one JSON value, names a key twice in one object, or is nested too deep: two readers may differ on it. */
export function locate(text: string): Located | null {
  try {
    const value = JSON.parse(text) as Json
    return { text, root: new Scanner(text).value(0), value }
  } catch {
    return null
  }
}

export type Path = readonly (string | number)[]

/** The part at the end of a path of keys and indices; undefined where there is none. */
export function partAt(part: Part | undefined, ...path: Path): Part | undefined {
  let found = part
  for (const step of path) found = typeof step === 'number' ? found?.items?.[step] : found?.members?.get(step)?.value
  return found
}

export function sourceOf({ text }: Pick<Located, 'text'>, { start, end }: Part): string {
  return text.slice(start, end)
}

/** The value at the end of a path; undefined where there is none. */
export function reach(value: Json | undefined, ...path: Path): Json | undefined {
  let found = value
  for (const step of path) {
    if (typeof step === 'number') found = Array.isArray(found) ? (found as readonly Json[])[step] : undefined
    else found = isJsonObject(found) ? own(found, step) : undefined
  }
  return found
}

/** The text at the end of a path; null where there is none. */
export function reachText(value: Json | undefined, ...path: Path): string | null {
  const found = reach(value, ...path)
  return typeof found === 'string' ? found : null
}

/** The list at the end of a path; empty where there is none. */
export function reachList(value: Json | undefined, ...path: Path): readonly Json[] {
  const found = reach(value, ...path)
  return Array.isArray(found) ? (found as readonly Json[]) : []
}

/** The text with all edits done; they may come in any order, but must not overlap. */
export function edited({ text }: Pick<Located, 'text'>, edits: readonly Edit[]): string {
  let out = ''
  let at = 0
  for (const { start, end, text: inserted } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start < at) throw new RangeError('two edits of one text overlap')
    out += text.slice(at, start) + inserted
    at = end
  }
  return out + text.slice(at)
}

export function replacing({ start, end }: Part, text: string): Edit {
  return { start, end, text }
}

/** The object without these members; the others as they were. */
export function without(located: Located, part: Part, keys: readonly string[]): string {
  const kept = [...(part.members ?? [])].filter(([key]) => !keys.includes(key))
  return `{${kept.map(([, { start, value }]) => located.text.slice(start, value.end)).join(',')}}`
}

const BACKSLASH = 0x5c

/** Walks over text that is known to be JSON, so that it need not look at what cannot be. */
class Scanner {
  private readonly text: string
  private depth = 0

  constructor(text: string) {
    this.text = text
  }

  value(from: number): Part {
    const start = this.space(from)
    switch (this.text[start]) {
      case '{':
        return this.nested(start, () => this.object(start))
      case '[':
        return this.nested(start, () => this.array(start))
      case '"':
        return { start, end: this.stringEnd(start) }
      default:
        return { start, end: this.literalEnd(start) }
    }
  }

  private nested(start: number, read: () => Part): Part {
    if (++this.depth > MAX_DEPTH) throw new RangeError(`nested too deep at ${start}`)
    const part = read()
    this.depth--
    return part
  }

  private object(start: number): Part {
    const members = new Map<string, Member>()
    let at = this.space(start + 1)
    while (this.text[at] !== '}') {
      const end = this.stringEnd(at)
      const raw = this.text.slice(at + 1, end - 1)
      const key = raw.includes('\\') ? (JSON.parse(this.text.slice(at, end)) as string) : raw
      if (members.has(key)) throw new RangeError(`a key stands twice at ${at}`)
      const value = this.value(this.space(end) + 1)
      members.set(key, { start: at, value })
      at = this.next(value.end)
    }
    return { start, end: at + 1, members }
  }

  private array(start: number): Part {
    const items: Part[] = []
    let at = this.space(start + 1)
    while (this.text[at] !== ']') {
      const item = this.value(at)
      items.push(item)
      at = this.next(item.end)
    }
    return { start, end: at + 1, items }
  }

  /** Over a comma to what follows it, or to the closing bracket. */
  private next(from: number): number {
    const at = this.space(from)
    return this.text[at] === ',' ? this.space(at + 1) : at
  }

  private stringEnd(start: number): number {
    let at = start
    for (;;) {
      at = this.text.indexOf('"', at + 1)
      let before = at - 1
      while (this.text.charCodeAt(before) === BACKSLASH) before--
      if ((at - before) % 2 === 1) return at + 1
    }
  }

  private literalEnd(start: number): number {
    let at = start
    while (at < this.text.length && !/[\s,\]}]/.test(this.text[at] ?? '')) at++
    return at
  }

  private space(from: number): number {
    let at = from
    for (;;) {
      const code = this.text.charCodeAt(at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at
      at++
    }
  }
}
