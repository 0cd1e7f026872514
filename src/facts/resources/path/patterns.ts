/**
 * The pattern language of the catalogues and its index. `~/x` lies in some user's home, `/x` is absolute, `x/y` may lie
 * anywhere; `*` stands for any part of one name, a final `/**` for the directory and everything below it.
 */
import type { PathClass } from '../../effect.ts'
import { fold } from './segments.ts'

export interface Entry {
  readonly classes: readonly PathClass[]
  readonly patterns: readonly string[]
}

interface Compiled {
  readonly names: readonly string[]
  readonly deep: boolean
  readonly classes: readonly PathClass[]
}

interface Shelf {
  readonly byFirst: ReadonlyMap<string, readonly Compiled[]>
  readonly loose: Loose
}

/** Patterns whose first name holds a `*`, by the letter that this name starts or, failing that, ends with. */
interface Loose {
  readonly head: ReadonlyMap<string, readonly Compiled[]>
  readonly tail: ReadonlyMap<string, readonly Compiled[]>
  readonly rest: readonly Compiled[]
}

export interface Catalogue {
  readonly home: Shelf
  readonly absolute: Shelf
  readonly anywhere: Shelf
}

/** Builds the index; patterns are folded as paths are. */
export function compileCatalogue(entries: readonly Entry[]): Catalogue {
  const lists = { home: [] as Compiled[], absolute: [] as Compiled[], anywhere: [] as Compiled[] }
  for (const entry of entries) {
    for (const pattern of entry.patterns) {
      const place = pattern.startsWith('~/') ? 'home' : pattern.startsWith('/') ? 'absolute' : 'anywhere'
      const deep = pattern.endsWith('/**')
      const body = pattern.slice(place === 'home' ? 2 : place === 'absolute' ? 1 : 0, deep ? -3 : undefined)
      const names = body.split('/').map(fold)
      if (place === 'anywhere' && names.length > 1 && names[0]?.includes('*')) throw new Error(`\`${pattern}\` cannot start with a \`*\``)
      lists[place].push({ names, deep, classes: entry.classes })
    }
  }
  return { home: shelve(lists.home), absolute: shelve(lists.absolute), anywhere: shelve(lists.anywhere) }
}

function shelve(list: readonly Compiled[]): Shelf {
  const byFirst = new Map<string, Compiled[]>()
  const head = new Map<string, Compiled[]>()
  const tail = new Map<string, Compiled[]>()
  const rest: Compiled[] = []
  const put = (into: Map<string, Compiled[]>, key: string, compiled: Compiled): void =>
    void into.set(key, [...(into.get(key) ?? []), compiled])
  for (const compiled of list) {
    const first = compiled.names[0] ?? ''
    const start = first.charAt(0)
    const end = first.charAt(first.length - 1)
    if (!first.includes('*')) put(byFirst, first, compiled)
    else if (start !== '*') put(head, start, compiled)
    else if (end !== '*') put(tail, end, compiled)
    else rest.push(compiled)
  }
  return { byFirst, loose: { head, tail, rest } }
}

/** Adds the classes of every pattern of the shelf that matches the folded names from the start. */
export function matchFromStart(shelf: Shelf, names: readonly string[], add: (c: PathClass) => void): void {
  const at: Matching = { names, at: 0, add }
  addMatching(shelf.byFirst.get(names[0] ?? ''), at)
  addLoose(shelf.loose, at)
}

/** The same at every depth; patterns of names with a `*` are one name long here, and are tried on the last one only. */
export function matchAnywhere(shelf: Shelf, names: readonly string[], add: (c: PathClass) => void): void {
  for (let at = 0; at < names.length; at += 1) {
    const found = shelf.byFirst.get(names[at] ?? '')
    if (found !== undefined) addMatching(found, { names, at, add })
  }
  if (names.length > 0) addLoose(shelf.loose, { names, at: names.length - 1, add })
}

interface Matching {
  readonly names: readonly string[]
  readonly at: number
  readonly add: (c: PathClass) => void
}

/** Of the loose patterns only those that begin or end as the name does. */
function addLoose({ head, tail, rest }: Loose, matching: Matching): void {
  const name = matching.names[matching.at] ?? ''
  addMatching(head.get(name.charAt(0)), matching)
  addMatching(tail.get(name.charAt(name.length - 1)), matching)
  addMatching(rest, matching)
}

function addMatching(list: readonly Compiled[] | undefined, { names, at, add }: Matching): void {
  if (list === undefined) return
  for (const compiled of list) if (matches(compiled, names, at)) compiled.classes.forEach(add)
}

function matches(compiled: Compiled, names: readonly string[], at: number): boolean {
  const length = names.length - at
  if (compiled.deep ? length < compiled.names.length : length !== compiled.names.length) return false
  for (let i = 0; i < compiled.names.length; i += 1) if (!matchName(compiled.names[i] ?? '', names[at + i] ?? '')) return false
  return true
}

/** `*` matches any run of characters of one name; at most |pattern| x |name| steps, and patterns are our own. */
export function matchName(pattern: string, name: string): boolean {
  // Most patterns fail at their last letter: `*.pem`, `id_*_rsa`.
  const last = pattern.length - 1
  if (pattern[last] !== '*' && pattern[last] !== name[name.length - 1]) return false
  if (!pattern.includes('*')) return pattern === name
  let p = 0
  let n = 0
  let star = -1
  let mark = 0
  while (n < name.length) {
    if (pattern[p] === '*') {
      star = p
      mark = n
      p += 1
    } else if (pattern[p] === name[n]) {
      p += 1
      n += 1
    } else if (star >= 0) {
      p = star + 1
      mark += 1
      n = mark
    } else return false
  }
  while (pattern[p] === '*') p += 1
  return p === pattern.length
}
