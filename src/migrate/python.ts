/**
 * Python as located values: calls by name, with names resolved that the file gives one value at its top. Nothing is run: whatever
 * would have to be is `code`, and its importer says so. A file with a syntax error is refused, since nobody knows what was meant.
 */
import { parser } from '@lezer/python'
import { pythonText } from './python-text.ts'
import { type Entry, type Place, type SourceFile, UnreadableSource, type Value } from './source.ts'

type SyntaxNode = ReturnType<typeof parser.parse>['topNode']

export interface PythonFile {
  /** Every call of a function or class of this name, outermost first; `pkg.Name(…)` is one of `Name`. */
  readonly calls: (name: string) => readonly CallValue[]
  /** Calls of names that end like this, such as `Check`. */
  readonly callsEnding: (suffix: string) => readonly CallValue[]
  /** Where else a name that was resolved is used, and so may be changed. */
  readonly otherUses: () => readonly { readonly name: string; readonly place: Place }[]
}

export type CallValue = Extract<Value, { kind: 'call' }>

/** @throws {UnreadableSource} where the file is not Python. */
export function readPython(file: SourceFile): PythonFile {
  const reading = new Reading(file)
  const found = (wanted: (name: string) => boolean) =>
    reading.callNodes.filter(({ name }) => wanted(name)).map(({ node }) => reading.call(node))
  return {
    calls: (name) => found((each) => each === name),
    callsEnding: (suffix) => found((each) => each.endsWith(suffix)),
    otherUses: () => reading.otherUses(),
  }
}

/** A chain of names that leads on this long is read no further. */
const MAX_NAMES = 32
const DEEPEST = 64

interface Assigned {
  readonly node: SyntaxNode
  readonly times: number
}

class Reading {
  readonly #file: SourceFile
  readonly #starts: readonly number[]
  readonly #assigned = new Map<string, Assigned>()
  readonly #uses = new Map<string, SyntaxNode[]>()
  /** Nodes of names that an import read. */
  readonly #read = new Set<number>()
  readonly #resolved = new Set<string>()
  readonly callNodes: { readonly name: string; readonly node: SyntaxNode }[] = []

  constructor(file: SourceFile) {
    this.#file = file
    this.#starts = [0, ...[...file.text.matchAll(/\n/g)].map(({ index }) => index + 1)]
    parser.parse(file.text).iterate({
      enter: (reference) => {
        if (reference.type.isError) throw new UnreadableSource(this.#placeAt(reference.from), 'this is not Python')
        if (reference.name === 'AssignStatement') this.#assignment(reference.node)
        if (reference.name === 'CallExpression') this.#callee(reference.node)
        if (reference.name === 'VariableName') this.#use(reference.node)
      },
    })
  }

  call(node: SyntaxNode): CallValue {
    return this.#call(node, { depth: 0, names: 0 })
  }

  otherUses(): readonly { readonly name: string; readonly place: Place }[] {
    return [...this.#resolved].flatMap((name) =>
      (this.#uses.get(name) ?? [])
        .filter((node) => !this.#read.has(node.from) && !isAssigned(node) && node.parent?.name !== 'ImportStatement')
        .map((node) => ({ name, place: this.#placeAt(node.from) })),
    )
  }

  #assignment(node: SyntaxNode): void {
    const [target, ...rest] = children(node)
    if (target?.name !== 'VariableName') return
    const [operator, value, ...more] = rest.filter((child) => child.name !== 'TypeDef')
    if (value === undefined) return
    const name = this.#text(target)
    const plain = node.parent?.name === 'Script' && operator?.name === 'AssignOp' && more.length === 0
    this.#assigned.set(name, { node: value, times: (this.#assigned.get(name)?.times ?? 0) + (plain ? 1 : 2) })
  }

  #callee(node: SyntaxNode): void {
    const callee = node.firstChild
    const last = callee?.name === 'MemberExpression' ? callee.lastChild : callee
    if (last?.name === 'VariableName' || last?.name === 'PropertyName') this.callNodes.push({ name: this.#text(last), node })
  }

  #use(node: SyntaxNode): void {
    const name = this.#text(node)
    this.#uses.set(name, [...(this.#uses.get(name) ?? []), node])
  }

  #value(node: SyntaxNode, at: { readonly depth: number; readonly names: number }): Value {
    const place = this.#placeAt(node.from)
    const below = { ...at, depth: at.depth + 1 }
    if (at.depth > DEEPEST) return { kind: 'code', text: this.#text(node), place }
    switch (node.name) {
      case 'String':
      case 'ContinuedString':
        return this.#string(node)
      case 'Number':
      case 'UnaryExpression':
        return this.#number(node)
      case 'Boolean':
        return { kind: 'scalar', scalar: this.#text(node) === 'True', place }
      case 'None':
        return { kind: 'scalar', scalar: null, place }
      case 'MemberExpression':
        return /^[\w.]+$/.test(this.#text(node)) ? { kind: 'name', name: this.#text(node), place } : this.#code(node)
      case 'VariableName':
        return this.#name(node, at)
      default:
        return this.#compound(node, below)
    }
  }

  #compound(node: SyntaxNode, below: { readonly depth: number; readonly names: number }): Value {
    switch (node.name) {
      case 'ParenthesizedExpression':
        return this.#inner(node, below)
      case 'ArrayExpression':
      case 'TupleExpression':
      case 'SetExpression':
        return this.#list(node, below)
      case 'DictionaryExpression':
        return this.#dictionary(node, below)
      case 'CallExpression':
        return this.#call(node, below)
      default:
        return this.#code(node)
    }
  }

  #code(node: SyntaxNode): Value {
    return { kind: 'code', text: this.#text(node), place: this.#placeAt(node.from) }
  }

  #string(node: SyntaxNode): Value {
    const parts = node.name === 'String' ? [node] : children(node)
    const texts = parts.map((part) => (part.name === 'String' ? pythonText(this.#text(part)) : null))
    if (texts.includes(null)) return this.#code(node)
    return { kind: 'scalar', scalar: texts.join(''), place: this.#placeAt(node.from) }
  }

  #number(node: SyntaxNode): Value {
    const written = this.#text(node).replaceAll('_', '').replaceAll(' ', '')
    const value = written === '' ? Number.NaN : Number(written)
    return Number.isFinite(value) ? { kind: 'scalar', scalar: value, place: this.#placeAt(node.from) } : this.#code(node)
  }

  #inner(node: SyntaxNode, at: { readonly depth: number; readonly names: number }): Value {
    const [only, ...more] = valuesIn(node)
    return only === undefined || more.length > 0 ? this.#code(node) : this.#value(only, at)
  }

  #list(node: SyntaxNode, at: { readonly depth: number; readonly names: number }): Value {
    if (hasSpread(node)) return this.#code(node)
    return { kind: 'list', items: valuesIn(node).map((item) => this.#value(item, at)), place: this.#placeAt(node.from) }
  }

  #dictionary(node: SyntaxNode, at: { readonly depth: number; readonly names: number }): Value {
    const place = this.#placeAt(node.from)
    const entries: Entry[] = []
    const parts = children(node).filter(({ name }) => !['{', '}', ',', ':', 'Comment'].includes(name))
    for (let index = 0; index < parts.length; index += 2) {
      const [key, value] = [parts[index], parts[index + 1]]
      if (key === undefined || value === undefined) return this.#code(node)
      const read = this.#value(key.name === '**' ? value : key, at)
      // Of a mapping that is spread, and of a key that is computed, nobody knows what it overrides.
      if (key.name === '**' && read.kind !== 'map') return this.#code(node)
      if (key.name === '**' && read.kind === 'map') entries.push(...read.entries)
      else if (read.kind === 'scalar') entries.push({ key: String(read.scalar), place: read.place, value: this.#value(value, at) })
      else return this.#code(node)
    }
    return { kind: 'map', entries: lastOfEach(entries), place }
  }

  #call(node: SyntaxNode, at: { readonly depth: number; readonly names: number }): CallValue {
    const args = node.getChild('ArgList')
    const parts = args === null ? [] : children(args).filter(({ name }) => !['(', ')', ',', 'Comment'].includes(name))
    const positional: Value[] = []
    const named: Entry[] = []
    if (args !== null && parts.some(({ name }) => name === 'for')) return this.#called(node, [this.#code(args)], [])
    for (let index = 0; index < parts.length; index++) {
      const [part, next, value] = [parts[index], parts[index + 1], parts[index + 2]]
      if (part === undefined) continue
      if (next?.name === 'AssignOp' && value !== undefined) {
        this.#read.add(part.from)
        named.push({ key: this.#text(part), place: this.#placeAt(part.from), value: this.#value(value, at) })
        index += 2
      } else if (/^\*\*?$/.test(part.name) || /^\*\*?$/.test(this.#text(part))) {
        named.push({ key: this.#text(part), place: this.#placeAt(part.from), value: this.#code(next ?? part) })
        index += 1
      } else positional.push(this.#value(part, at))
    }
    return this.#called(node, positional, named)
  }

  #called(node: SyntaxNode, positional: readonly Value[], named: readonly Entry[]): CallValue {
    const callee = node.firstChild
    const last = callee?.name === 'MemberExpression' ? callee.lastChild : callee
    if (callee !== null) this.#read.add(callee.from)
    return { kind: 'call', name: last == null ? '' : this.#text(last), positional, named, place: this.#placeAt(node.from) }
  }

  /** One value at the top of the file, and no other: then the name stands for it. */
  #name(node: SyntaxNode, at: { readonly depth: number; readonly names: number }): Value {
    const name = this.#text(node)
    const assigned = this.#assigned.get(name)
    this.#read.add(node.from)
    if (assigned === undefined) return { kind: 'name', name, place: this.#placeAt(node.from) }
    if (assigned.times > 1 || at.names > MAX_NAMES) return this.#code(node)
    this.#resolved.add(name)
    return this.#value(assigned.node, { ...at, names: at.names + 1 })
  }

  #text(node: SyntaxNode): string {
    return this.#file.text.slice(node.from, node.to)
  }

  #placeAt(offset: number): Place {
    let [low, high] = [0, this.#starts.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return { path: this.#file.path, line: low + 1 }
  }
}

function children(node: SyntaxNode): readonly SyntaxNode[] {
  const all: SyntaxNode[] = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) all.push(child)
  return all
}

const SIGNS = new Set(['(', ')', '[', ']', '{', '}', ',', ':', 'Comment'])

function valuesIn(node: SyntaxNode): readonly SyntaxNode[] {
  return children(node).filter(({ name }) => !SIGNS.has(name))
}

function hasSpread(node: SyntaxNode): boolean {
  return children(node).some(({ name }) => name === '*' || name === '**')
}

/** The target of its one assignment. */
function isAssigned(node: SyntaxNode): boolean {
  return node.parent?.name === 'AssignStatement' && node.parent.firstChild?.from === node.from
}

/** As Python does: a key that comes again has its last value, in the place of the first. */
function lastOfEach(entries: readonly Entry[]): readonly Entry[] {
  return [...new Map(entries.map((entry) => [entry.key, entry])).values()]
}
