import type { CommandSpec, Invocation, ParsedCommand, Role, Word } from '../host.ts'
import { sliceWord } from '../resources/text/word.ts'

/**
 * The option grammar: reads an invocation with the option tables of its spec. What it does not know it hands on as unknown
 * options and operands, so that a spelling nobody foresaw never hides an operand.
 */

/** One use of an option, in order. */
export interface OptionUse {
  /** Canonical spelling: `--recursive` for `--rec`. */
  readonly name: string
  /** False where negated (`--no-x`, `--x=false`). */
  readonly on: boolean
  readonly value: Word | null
  /** Role of the value; null for a flag. */
  readonly role: Role | null
  /** Stood before every operand. */
  readonly early: boolean
}

export interface Reading {
  readonly parsed: ParsedCommand
  /** The spec of the innermost subcommand. */
  readonly spec: CommandSpec
  readonly uses: readonly OptionUse[]
  /** A word that stood where a subcommand belongs and named none that is known. */
  readonly unresolved: Word | null
  /** The option that nobody knows right before the operand that ends the options: that operand may be its value. */
  readonly doubtful: string | null
}

type OptionKind = { readonly form: 'flag' | 'value' | 'optional'; readonly role: Role | null; readonly inert: boolean }
interface Found extends OptionKind {
  readonly name: string
  readonly negated: boolean
}
/** What a spec says of options, ready to be asked; made once for each spec. */
interface Grammar {
  readonly options: ReadonlyMap<string, Found>
  /** Inert options as the spec spells them, with their values. */
  readonly inert: readonly string[]
  readonly inertNames: ReadonlySet<string>
}

/** Letters of one word that are read as flags; no program has as many. */
const LONGEST_BUNDLE = 128

const grammars = new WeakMap<CommandSpec, Grammar>()
const FALSE: ReadonlySet<string> = new Set(['false', '0', 'no', 'none', 'off', 'never'])
const TRUE: ReadonlySet<string> = new Set(['true', '1', 'yes'])

function grammarOf(spec: CommandSpec): Grammar {
  const known = grammars.get(spec)
  if (known !== undefined) return known
  const inertNames = new Set((spec.inert ?? []).map(inertName))
  const options = new Map<string, Found>()
  const add = (name: string, form: OptionKind['form'], role: Role | null) =>
    options.set(name, { form, role, inert: inertNames.has(name), name, negated: false })
  for (const name of inertNames) add(name, 'flag', null)
  for (const name of spec.flags ?? []) add(name, 'flag', null)
  for (const name of spec.optionalValues ?? []) add(name, 'optional', 'data')
  for (const [name, role] of Object.entries(spec.options ?? {})) add(name, 'value', role)
  const grammar = { options, inert: spec.inert ?? [], inertNames }
  grammars.set(spec, grammar)
  return grammar
}

function inertName(entry: string): string {
  const at = entry.indexOf('=')
  return at < 0 ? entry : entry.slice(0, at)
}

/**
 * Reads an invocation with the grammar of `spec`: bundles, attached and separate values, `--no-x`, `--`, unambiguous
 * abbreviations of long options, global options on either side of a subcommand. `valued` are options that the spec does not
 * know and that take the word after them. Linear in the words.
 */
export function readCommand(spec: CommandSpec, invocation: Invocation, valued: ReadonlySet<string> = NONE): Reading {
  const reader = new Reader(spec, invocation, valued)
  reader.run()
  return {
    parsed: new Parsed(invocation, reader),
    spec: reader.spec,
    uses: reader.uses,
    unresolved: reader.unresolved,
    doubtful: reader.doubtful,
  }
}

const NONE: ReadonlySet<string> = new Set()

class Reader {
  spec: CommandSpec
  readonly uses: OptionUse[] = []
  readonly path: string[] = []
  readonly operands: Word[] = []
  readonly rest: Word[] = []
  readonly unknown: Word[] = []
  readonly chain: CommandSpec[]
  unresolved: Word | null = null
  doubtful: string | null = null
  private readonly args: readonly Word[]
  private readonly valued: ReadonlySet<string>
  private next = 0
  private settled = false
  /** Every further word is an operand. */
  private ended = false
  private afterDashes = false

  constructor(spec: CommandSpec, invocation: Invocation, valued: ReadonlySet<string>) {
    this.spec = spec
    this.chain = [spec]
    this.args = invocation.args
    this.valued = valued
  }

  run(): void {
    for (let word = this.args[this.next++]; word !== undefined; word = this.args[this.next++]) {
      const known = word.text ?? word.prefix
      if (this.ended) this.operand(word)
      else if (word.text === '--') this.endOptions()
      else if (known.startsWith('-') && known !== '-') this.option(word, known)
      else this.operand(word)
    }
  }

  private endOptions(): void {
    this.ended = true
    this.afterDashes = true
  }

  private operand(word: Word): void {
    if (this.afterDashes) this.rest.push(word)
    if (this.spec.subcommands !== undefined && !this.settled && this.descend(word)) return
    this.operands.push(word)
    if (this.spec.stopAtOperand !== true || this.ended) return
    this.ended = true
    // A spec without a grammar reads its words itself.
    if ((this.spec.flags === undefined && this.spec.options === undefined) || this.spec.singleDashLong === true) return
    const before = this.args[this.next - 2]
    if (before !== undefined && this.unknown.at(-1) === before && mayTakeValue(before.text)) this.doubtful = before.text
  }

  /** Takes the word as a subcommand where it names one. A word after an unknown option may be that option's value. */
  private descend(word: Word): boolean {
    if (word.text === null) {
      this.unresolved = word
      return false
    }
    const { subcommands = {}, aliases = {} } = this.spec
    const alias = Object.hasOwn(aliases, word.text) ? aliases[word.text] : undefined
    const name = alias ?? word.text
    const child = Object.hasOwn(subcommands, name) ? subcommands[name] : undefined
    if (child === undefined) {
      this.unresolved ??= word
      this.settled = this.unknown.length === 0
      return false
    }
    if (this.unresolved?.text !== null) this.unresolved = null
    this.spec = child
    this.chain.unshift(child)
    this.path.push(name)
    return true
  }

  private option(word: Word, known: string): void {
    if (this.valued.has(known)) {
      this.unknown.push(word)
      this.next++
      return
    }
    if (known.startsWith('--')) {
      if (!this.long(word, known)) this.unknown.push(word)
      return
    }
    // Of `-ldflags=-X=v=$(…)` the name is known.
    if (known.length > 2 && (word.text !== null || known.includes('=')) && this.exact(word, known)) return
    this.bundle(word, known)
  }

  private long(word: Word, known: string): boolean {
    const at = known.indexOf('=')
    if (at < 0 && word.text === null) return false
    const found = this.resolve(at < 0 ? known : known.slice(0, at))
    if (found === null) return false
    this.take(found, at < 0 ? null : sliceWord(word, at + 1))
    return true
  }

  /** `-name` or `-name=value` as the table spells it. */
  private exact(word: Word, known: string): boolean {
    const whole = this.lookup(known)
    if (whole !== null) {
      this.take(whole, null)
      return true
    }
    const at = known.indexOf('=')
    const found = at > 1 && this.chain.some((s) => s.singleDashLong === true) ? this.lookup(known.slice(0, at)) : null
    if (found === null) return false
    this.take(found, sliceWord(word, at + 1))
    return true
  }

  private bundle(word: Word, known: string): void {
    let clean = known.length <= LONGEST_BUNDLE
    for (let at = 1; at < Math.min(known.length, LONGEST_BUNDLE); at++) {
      const found = this.lookup(`-${known[at]}`)
      if (found === null) {
        clean = false
      } else if (found.form !== 'flag') {
        const attached = at + 1 < known.length || word.text === null
        this.take(found, attached ? sliceWord(word, at + 1) : null)
        if (!clean) this.unknown.push(word)
        return
      } else if (clean || !found.inert) {
        this.take(found, null)
      }
    }
    if (!clean || word.text === null) this.unknown.push(word)
  }

  private take(found: Found, attached: Word | null): void {
    let value = attached
    if (found.form === 'value' && attached === null) value = this.args[this.next++] ?? null
    const off = found.form !== 'value' && value?.text !== undefined && value.text !== null && FALSE.has(value.text)
    const on = found.negated === off
    const role = found.form === 'flag' ? null : found.role
    this.uses.push({ name: found.name, on, value, role, early: this.operands.length === 0 })
  }

  private lookup(name: string): Found | null {
    for (const spec of this.chain) {
      const found = grammarOf(spec).options.get(name)
      if (found !== undefined) return found
    }
    return null
  }

  private resolve(name: string): Found | null {
    const exact = this.lookup(name)
    if (exact !== null) return exact
    if (name.startsWith('--no-')) {
      const positive = this.lookup(`--${name.slice(5)}`)
      if (positive !== null && positive.form !== 'value') return { ...positive, negated: true }
    }
    return this.abbreviation(name)
  }

  /** An unambiguous beginning of a long option; never of an inert one, because a table may not know every option. */
  private abbreviation(name: string): Found | null {
    if (name.length < 3) return null
    const found = new Map<string, Found>()
    for (const spec of this.chain) {
      for (const [spelling, kind] of grammarOf(spec).options) {
        if (spelling.startsWith(name) && !found.has(spelling)) found.set(spelling, kind)
      }
    }
    const [only] = found.values()
    return found.size !== 1 || only === undefined || only.inert ? null : only
  }
}

/** `--name` or `-x` alone; `--name=value` has its value, and `-5` is one. */
function mayTakeValue(text: string | null): text is string {
  return text !== null && /^-[A-Za-z]$|^--?[A-Za-z][\w-]+$/.test(text)
}

class Parsed implements ParsedCommand {
  readonly invocation: Invocation
  readonly path: readonly string[]
  readonly operands: readonly Word[]
  readonly rest: readonly Word[]
  readonly unknown: readonly Word[]
  readonly inert: boolean
  private readonly uses: readonly OptionUse[]
  private readonly asked = new Set<string>()

  constructor(invocation: Invocation, reader: Reader) {
    this.invocation = invocation
    this.path = reader.path
    this.operands = reader.operands
    this.rest = reader.rest
    this.unknown = reader.unknown
    this.uses = reader.uses
    this.inert = isInert(reader)
  }

  flag(...names: readonly string[]): boolean {
    return this.uses.findLast((use) => names.includes(use.name))?.on ?? false
  }

  value(...names: readonly string[]): Word | null {
    const last = this.uses.findLast((use) => use.value !== null && names.includes(use.name))
    if (last === undefined) return null
    this.asked.add(last.name)
    return last.value
  }

  values(...names: readonly string[]): readonly Word[] {
    return this.uses.flatMap((use) => {
      if (use.value === null || !names.includes(use.name)) return []
      this.asked.add(use.name)
      return [use.value]
    })
  }

  unconsumed(): readonly { readonly name: string; readonly value: Word }[] {
    const left: { readonly name: string; readonly value: Word }[] = []
    for (const { name, value, role } of this.uses)
      if (value !== null && role === 'data' && !this.asked.has(name)) left.push({ name, value })
    return left
  }
}

/** Programs also read `--NO-Simulate`, a beginning such as `--no-dry`, and settings such as `-o APT::Get::Simulate=no`. */
function takenBack(name: string, { unknown, uses }: Reader): boolean {
  const wanted = `--no-${name.replace(/^-+/, '')}`
  const isBeginning = ({ text }: Word): boolean => text !== null && /^--no-[a-z]/i.test(text) && wanted.startsWith(text.toLowerCase())
  const sets = ({ value }: OptionUse): boolean => value !== null && /::(?:simulate|just-print|dry-run|recon|no-act)\s*=/i.test(value.prefix)
  return (
    unknown.some(({ text }) => text !== null && /^--no-(?:simulate|just-print|dry-run|recon|no-act)$/i.test(text)) ||
    unknown.some(isBeginning) ||
    uses.some(sets)
  )
}

/** The last inert option decides, and only where it is surely on: `--dry-run=$x` is not. */
function isInert(reader: Reader): boolean {
  if (reader.uses.length === 0) return false
  const said = reader.chain.map(grammarOf).filter(({ inert }) => inert.length > 0)
  if (said.length === 0) return false
  const last = reader.uses.findLast((use) => said.some(({ inertNames }) => inertNames.has(use.name)))
  if (last === undefined || !last.on || takenBack(last.name, reader)) return false
  if (!last.early && reader.chain.some((spec) => spec.inertFirst === true)) return false
  const stands = (entry: string) => said.some(({ inert }) => inert.includes(entry))
  if (last.value === null) return stands(last.name)
  const text = last.value.text
  if (text === null) return false
  return stands(`${last.name}=${text}`) || (TRUE.has(text) && stands(last.name))
}
