import { type Expression, JustReader, JustUnread, partsOf } from './expression.ts'

/** A justfile as its items: each line belongs to one, or is told. */

export interface Parameter {
  readonly name: string
  /** `+` and `*` take all that is left. */
  readonly rest: '+' | '*' | ''
  readonly exported: boolean
  readonly value: Expression | null
}

export interface Dependency {
  readonly path: readonly string[]
  readonly args: readonly Expression[]
}

export interface Recipe {
  readonly name: string
  readonly parameters: readonly Parameter[]
  readonly before: readonly Dependency[]
  readonly after: readonly Dependency[]
  /** Lines without the blanks that all begin with. */
  readonly lines: readonly string[]
  /** Lines in brackets above it, such as `[script]`; just calls them attributes. */
  readonly marks: readonly string[]
}

export interface Items {
  readonly variables: ReadonlyMap<string, { readonly value: Expression; readonly exported: boolean }>
  /** Those of one name stand for different systems. */
  readonly recipes: ReadonlyMap<string, readonly Recipe[]>
  readonly aliases: ReadonlyMap<string, readonly string[]>
  readonly settings: ReadonlyMap<string, readonly Expression[]>
  readonly imports: readonly { readonly path: string; readonly optional: boolean }[]
  readonly modules: ReadonlyMap<string, string | null>
  /** Lines that no item has a place for. */
  readonly unread: readonly string[]
}

type Mutable<T> = {
  -readonly [Key in keyof T]: T[Key] extends ReadonlyMap<infer K, infer V> ? Map<K, V> : T[Key] extends readonly (infer V)[] ? V[] : T[Key]
}

const MAX_ITEMS = 4_000

export function itemsOf(text: string): Items {
  const items: Mutable<Items> = {
    variables: new Map(),
    recipes: new Map(),
    aliases: new Map(),
    settings: new Map(),
    imports: [],
    modules: new Map(),
    unread: [],
  }
  const reader = new JustReader(text.includes('\r') ? text.replaceAll('\r\n', '\n') : text)
  let marks: string[] = []
  for (let count = 0; !reader.done; count += 1) {
    const start = reader.at
    try {
      if (count > MAX_ITEMS) throw new JustUnread('more items than are read')
      marks = item(reader, items, marks)
    } catch (error) {
      if (!(error instanceof JustUnread)) throw error
      items.unread.push(text.slice(start, start + 40).split('\n')[0] ?? '')
      reader.at = count > MAX_ITEMS ? text.length : Math.max(start, reader.at)
      if (!reader.done) reader.line()
    }
  }
  return items
}

const WORD = /(?:set|alias|import\??|mod\??|export|unexport|eager|lazy)(?=[ \t])/y

/** One item; attributes that the next one has. */
function item(reader: JustReader, items: Mutable<Items>, marks: readonly string[]): string[] {
  const first = reader.text[reader.at] ?? ''
  if (first === '\n' || first === '#' || /^[ \t]*(?:\n|#|$)/.test(reader.text.slice(reader.at, reader.at + 200))) {
    reader.line()
    return [...marks]
  }
  if (first === '[') return [...marks, reader.line().trim()]
  WORD.lastIndex = reader.at
  const word = WORD.exec(reader.text)?.[0]
  const known = word === undefined ? undefined : STATEMENTS[word.replace('?', '')]
  // A recipe may be called like a statement.
  if (
    word !== undefined &&
    known !== undefined &&
    !/^[^\n]{0,40}:(?!=|:)/.test(reader.text.slice(reader.at, reader.at + word.length + 1))
  ) {
    reader.at += word.length
    reader.blanks()
    known(reader, items, word.endsWith('?'))
  } else named(reader, items, marks)
  return []
}

type Statement = (reader: JustReader, items: Mutable<Items>, optional: boolean) => void

function nameOf(reader: JustReader): string {
  reader.blanks()
  const name = reader.name()
  if (name === null) throw new JustUnread('a name is missing')
  return name
}

/** Nothing but a remark may stand behind it. */
function ends(reader: JustReader): void {
  reader.blanks()
  const rest = reader.line().trim()
  if (rest !== '' && !rest.startsWith('#')) throw new JustUnread(`\`${rest.slice(0, 20)}\` is not expected`)
}

function texts(reader: JustReader): readonly Expression[] {
  reader.blanks()
  if (!reader.takes('[')) return [reader.expression()]
  const all: Expression[] = []
  for (;;) {
    while (/[\s,]/.test(reader.text[reader.at] ?? '')) reader.at += 1
    if (reader.takes(']')) return all
    all.push(reader.expression())
  }
}

const setting: Statement = (reader, items) => {
  const name = nameOf(reader)
  reader.blanks()
  items.settings.set(name, reader.takes(':=') ? texts(reader) : [])
  ends(reader)
}

const assigned: (exported: boolean) => Statement = (exported) => (reader, items) => {
  const name = nameOf(reader)
  reader.needs(':=')
  items.variables.set(name, { value: reader.expression(), exported })
  ends(reader)
}

const literal = (expression: Expression): string => {
  if (expression.kind !== 'text') throw new JustUnread('a path that is not plain')
  return expression.text
}

const STATEMENTS: Readonly<Record<string, Statement>> = {
  set: setting,
  alias: (reader, items) => {
    const name = nameOf(reader)
    reader.needs(':=')
    items.aliases.set(name, pathOf(reader))
    ends(reader)
  },
  import: (reader, items, optional) => {
    items.imports.push({ path: literal(reader.value()), optional })
    ends(reader)
  },
  mod: (reader, items) => {
    const name = nameOf(reader)
    reader.blanks()
    const path = /["'x]/.test(reader.text[reader.at] ?? '') ? literal(reader.value()) : null
    items.modules.set(name, path)
    ends(reader)
  },
  export: assigned(true),
  eager: assigned(false),
  lazy: assigned(false),
  unexport: (reader) => {
    nameOf(reader)
    ends(reader)
  },
}

/** `a::b`. */
function pathOf(reader: JustReader): readonly string[] {
  const path = [nameOf(reader)]
  while (reader.takes('::')) path.push(nameOf(reader))
  return path
}

/** `name := value`, or a recipe. */
function named(reader: JustReader, items: Mutable<Items>, marks: readonly string[]): void {
  reader.takes('@')
  const name = reader.name()
  if (name === null) throw new JustUnread('no item begins here')
  reader.blanks()
  if (reader.takes(':=')) {
    items.variables.set(name, { value: reader.expression(), exported: false })
    ends(reader)
    return
  }
  const parameters: Parameter[] = []
  for (reader.blanks(); !reader.takes(':'); reader.blanks()) parameters.push(parameter(reader))
  const { before, after } = dependencies(reader)
  const recipe: Recipe = { name, parameters, before, after, marks, lines: body(reader) }
  items.recipes.set(name, [...(items.recipes.get(name) ?? []), recipe])
}

function parameter(reader: JustReader): Parameter {
  const rest = reader.takes('+') ? '+' : reader.takes('*') ? '*' : ''
  const exported = reader.takes('$')
  const name = nameOf(reader)
  reader.blanks()
  const value = reader.text[reader.at] === '=' && reader.takes('=')
  reader.blanks()
  return { name, rest, exported, value: value ? reader.value() : null }
}

function dependencies(reader: JustReader): { readonly before: readonly Dependency[]; readonly after: readonly Dependency[] } {
  const [before, after]: [Dependency[], Dependency[]] = [[], []]
  let current = before
  for (reader.blanks(); !reader.done && !/[\n#]/.test(reader.text[reader.at] ?? ''); reader.blanks()) {
    if (reader.takes('&&')) current = after
    else if (reader.takes('(')) {
      const path = pathOf(reader)
      const args: Expression[] = []
      for (reader.blanks(); !reader.takes(')'); reader.blanks()) args.push(reader.expression())
      current.push({ path, args })
    } else current.push({ path: pathOf(reader), args: [] })
  }
  reader.line()
  return { before, after }
}

/** Lines that are indented; empty ones between them belong to it. */
function body(reader: JustReader): readonly string[] {
  const lines: string[] = []
  let indent: string | null = null
  while (!reader.done) {
    const start = reader.at
    const line = reader.line()
    if (line.trim() !== '' && !/^[ \t]/.test(line)) {
      reader.at = start
      break
    }
    if (line.trim() !== '') indent ??= /^[ \t]*/.exec(line)?.[0] ?? ''
    lines.push(line.startsWith(indent ?? '') ? line.slice(indent?.length ?? 0) : line.trimStart())
  }
  while (lines.at(-1)?.trim() === '') lines.pop()
  return lines
}

/** The expressions of a line; null where they cannot be read. */
export function lineOf(line: string): Expression | null {
  try {
    return { kind: 'parts', parts: partsOf(line) }
  } catch (error) {
    if (error instanceof JustUnread) return null
    throw error
  }
}
