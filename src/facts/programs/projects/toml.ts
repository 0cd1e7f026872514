/** TOML as far as settings of projects need it: sections, keys, texts, lists and tables on one line or several. What is anything else is left out. */

export type Toml = string | readonly Toml[] | { readonly [key: string]: Toml }

const LONGEST = 65_536
const MAX_DEPTH = 8

/** Values by section and key, both as they are written: `tool.tox.env_run_base` and `commands`. Sections of one name are joined. */
export function tomlOf(text: string): ReadonlyMap<string, ReadonlyMap<string, Toml>> {
  const sections = new Map<string, Map<string, Toml>>()
  let current = new Map<string, Toml>()
  sections.set('', current)
  const reader = new Reader(text.slice(0, LONGEST))
  while (!reader.done) {
    const heading = reader.heading()
    if (heading !== null) {
      current = sections.get(heading) ?? new Map()
      sections.set(heading, current)
      continue
    }
    const key = reader.key()
    const value = key === null ? null : reader.value(0)
    if (key !== null && value !== null) current.set(key, value)
    reader.line()
  }
  return sections
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get done(): boolean {
    this.#blank()
    return this.#at >= this.#text.length
  }

  heading(): string | null {
    const [whole, name] = this.#match(/\[{1,2}[ \t]{0,8}([^\]\n]{1,256})\]{1,2}/y) ?? []
    if (whole === undefined || name === undefined) return null
    this.line()
    return name.trim().replaceAll(/["']/g, '')
  }

  key(): string | null {
    const [, name] = this.#match(/([\w."' -]{1,256}?)[ \t]{0,8}=[ \t]{0,8}/y) ?? []
    return name === undefined ? null : name.trim().replaceAll(/["']/g, '')
  }

  /** Skips the rest of the line. */
  line(): void {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end < 0 ? this.#text.length : end + 1
  }

  value(depth: number): Toml | null {
    if (depth > MAX_DEPTH) return null
    const sign = this.#text[this.#at]
    if (sign === '"' || sign === "'") return this.#quoted(sign)
    if (sign === '[') return this.#list(depth)
    if (sign === '{') return this.#table(depth)
    return this.#match(/[^\s,\]}#]{1,256}/y)?.[0] ?? null
  }

  #quoted(quote: string): string {
    const close = this.#text.startsWith(quote.repeat(3), this.#at) ? quote.repeat(3) : quote
    let text = ''
    for (this.#at += close.length; this.#at < this.#text.length && !this.#text.startsWith(close, this.#at); this.#at++) {
      const char = this.#text[this.#at] ?? ''
      if (char === '\n' && close.length === 1) break
      if (char !== '\\' || quote === "'") text += char
      else {
        const next = this.#text[++this.#at] ?? ''
        text += next === 'n' ? '\n' : next === 't' ? '\t' : next
      }
    }
    this.#at += close.length
    return text
  }

  #list(depth: number): Toml {
    const items: Toml[] = []
    this.#at++
    for (;;) {
      this.#blank()
      if (this.#at >= this.#text.length || this.#text[this.#at] === ']') break
      const value = this.value(depth + 1)
      if (value !== null) items.push(value)
      else this.#at++
      this.#blank()
      if (this.#text[this.#at] === ',') this.#at++
    }
    this.#at++
    return items
  }

  #table(depth: number): Toml {
    const entries: Record<string, Toml> = Object.create(null)
    this.#at++
    for (;;) {
      this.#blank()
      if (this.#at >= this.#text.length || this.#text[this.#at] === '}') break
      const key = this.key()
      const value = key === null ? null : this.value(depth + 1)
      if (key !== null && value !== null) entries[key] = value
      else this.#at++
      this.#blank()
      if (this.#text[this.#at] === ',') this.#at++
    }
    this.#at++
    return entries
  }

  /** Steps over blanks and comments. */
  #blank(): void {
    for (; this.#at < this.#text.length; this.#at++) {
      const sign = this.#text[this.#at] ?? ''
      if (sign === '#')
        this.#at = Math.max(this.#at, this.#text.indexOf('\n', this.#at) < 0 ? this.#text.length : this.#text.indexOf('\n', this.#at))
      else if (!/\s/.test(sign)) return
    }
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found !== null) this.#at += found[0].length
    return found
  }
}

/** The texts of a value: of a list its items, of a text itself. */
export function textsOf(value: Toml | undefined): readonly string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

/** A field of a table. */
export function fieldOf(value: Toml | undefined, name: string): Toml | undefined {
  return typeof value === 'object' && !Array.isArray(value) && Object.hasOwn(value, name)
    ? (value as Record<string, Toml>)[name]
    : undefined
}
