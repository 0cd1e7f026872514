import { areEqual, branchesOf, Conditions, testOf } from './conditions.ts'
import { cleaned, Expander, isKnown, type Locals, type Makes, type Variable } from './expand.ts'
import { stemOf, wordsOf } from './functions.ts'
import {
  type Assignment,
  assignmentOf,
  conditionalOf,
  Definition,
  definitionOf,
  logicalLines,
  outside,
  type RuleLine,
  ruleOf,
  unmodified,
  unprefixed,
  withoutComment,
} from './lines.ts'
import { automatic, handed, IMPLICIT } from './recipes.ts'

/**
 * Makefiles as text: rules, variables, and what is run while they are read. Each line is a rule, a recipe, a variable or a directive,
 * or else it is told. What is expanded is bounded for the whole of a file.
 */

export interface Rule {
  readonly needs: readonly string[]
  /** Lines that are not expanded yet. */
  readonly recipe: readonly string[]
}

/** Characters that all lines together are expanded to. */
const MAX_EXPANDED = 524_288
/** Rules of a file, command lines that run while it is read, and texts that are read within each other. */
const MAX_RULES = 5_000
const MAX_READ = 1_000
const MAX_NESTED = 36

export interface Reading {
  /** The text of a file that is included; null where there is none or it is not known. */
  readonly include?: (names: string, known: boolean) => string
  /** Which branch of conditions is taken that are not known. Default: the first. */
  readonly branch?: number
  /** Variables of the environment that are known. */
  readonly environment?: ReadonlyMap<string, string>
  /** The environment's variables stand before the file's (`-e`). */
  readonly overrides?: boolean
  readonly room?: number
}

/** What the lines of a text go on with. */
interface Open {
  recipe: string[] | null
  defining: Definition | null
  /** Branches of the conditions that begin last. */
  total: number
}

export class Makefile implements Makes {
  /** Command lines that run while the file is read. */
  readonly read: string[] = []
  /** Libraries that make loads. */
  readonly loads: string[] = []
  /** What `$(file …)` reads and writes. */
  readonly files: { readonly verb: 'read' | 'write'; readonly path: string }[] = []
  /** Parts that could not be read: what they do is not known. */
  readonly unreadable = new Set<string>()
  /** More had to be expanded than can be: what is asked for from then on is not known. */
  exhausted = false
  /** Characters that are left to expand. */
  room: number
  /** Every target as it is written, in the order of the file. */
  readonly targets: string[] = []
  readonly #expander = new Expander(this)
  readonly #conditions: Conditions
  readonly #reading: Reading
  readonly #own: ReadonlyMap<string, string>
  readonly #variables = new Map<string, Variable>()
  /** Variables of one target each. */
  readonly #locals = new Map<string, Map<string, Variable>>()
  readonly #exported = new Set<string>()
  readonly #named = new Map<string, Rule[]>()
  readonly #patterns: { readonly pattern: string; readonly rule: Rule }[] = []
  /** What stands before the shell of recipes, as far as it was run. */
  readonly #started = new Set<string>()
  #rules = 0
  #nested = 0

  /** @param own variables of the command line, which those of the file do not change */
  constructor(text: string, own: ReadonlyMap<string, string>, reading: Reading = {}) {
    this.#reading = reading
    this.#own = own
    this.room = reading.room ?? MAX_EXPANDED
    this.#conditions = new Conditions(reading.branch ?? 0, (test) => this.#holds(test))
    this.#parse(cleaned(text))
    this.#export()
  }

  /** How many readings the file has that differ by conditions that are not known. */
  get readings(): number {
    return this.#conditions.readings
  }

  /** Rules for a target: its own, or else those whose pattern it fits, or else what is done for those without any. */
  rulesFor(target: string): readonly Rule[] {
    const own = this.#named.get(target) ?? []
    if (own.some(({ recipe }) => recipe.length > 0) || !this.spend(this.#patterns.length * 4)) return own
    const fits = this.#patterns.flatMap(({ pattern, rule }) => {
      const stem = stemOf(pattern, target)
      return stem === null ? [] : [{ ...rule, needs: rule.needs.map((need) => need.replace('%', () => stem)) }]
    })
    const found = [...own, ...fits]
    return found.length > 0 ? found : (this.#named.get('.DEFAULT') ?? [])
  }

  /** Names of what a target needs; what is read behind the rule may say more of them. */
  needsOf({ needs }: Rule): readonly string[] {
    if (!needs.some((need) => need.includes('$'))) return needs
    if (this.#named.has('.SECONDEXPANSION')) return this.#words(needs.join(' '))
    return needs.flatMap((need) => (this.#variables.has(/^\$\{(\w+)\}$/.exec(need)?.[1] ?? '') ? this.#words(need) : [need]))
  }

  /** The target that is made where none is named. */
  get goal(): string | undefined {
    const said = this.#variables.get('.DEFAULT_GOAL')
    const named = said === undefined ? '' : this.expanded(said.simple ? said.text : this.#expander.expand(said.text), '')
    return named.trim() === '' ? this.targets.find((name) => !name.startsWith('.') || name.includes('/')) : named.trim()
  }

  /** Variables of a target, and of those that need it. */
  localsOf(target: string, outer: Locals): Locals {
    const own = this.#locals.get(target)
    return own === undefined ? outer : new Map([...outer, ...own])
  }

  /** Command lines of the rule that make knows itself, where the file says which program it runs. */
  implicit(target: string, locals: Locals): string | null {
    if (!/\.(?:o|a|c)$|^[^.]*$/.test(target) || this.#named.has(target)) return null
    const name = ['CC', 'CXX', 'FC', 'AS', 'AR', 'LD'].find((program) => this.#variables.has(program))
    return name === undefined ? null : this.expanded(`$(${name}) ${target}`, target, locals)
  }

  /** Texts that run in one shell each; those that go nowhere may as well run together. */
  shells({ recipe }: Rule, target: string, locals: Locals = new Map()): readonly string[] {
    const lines = recipe.map((line) => unprefixed(this.expanded(line, target, locals))).filter((line) => line !== '')
    if (lines.length === 0) return []
    const oneShell = this.#named.has('.ONESHELL')
    const moves = !oneShell && lines.some((line) => /\b(?:cd|pushd|exit|exec|set|export|[A-Za-z_]\w*=)/.test(line))
    return (moves ? lines : [lines.join('\n')]).map((text) => this.#given(text, locals))
  }

  /** The text as a shell reads it: what is not known is a variable that nobody set. What it runs that is not in it runs too. */
  expanded(line: string, target: string, locals: Locals = new Map()): string {
    if (this.exhausted) return '$UNKNOWN'
    const first = this.read.length
    const text = this.#expander.expand(line, line.includes('$') ? automatic(target, locals) : locals)
    const shown = this.exhausted ? '$UNKNOWN' : this.#expander.shown(text)
    const beside = this.read.splice(first).filter((command) => shown.includes("'") || !shown.includes(command))
    return beside.length === 0 ? shown : `${beside.join('\n')}\n${shown}`
  }

  variable(name: string): Variable | null {
    if (name === '') return NOTHING
    const own = this.#own.get(name)
    if (own !== undefined && !this.#variables.has(`override ${name}`)) return { text: own, simple: false }
    const given = this.#reading.environment?.get(name)
    const environment = given === undefined ? null : { text: given, simple: false }
    if (environment !== null && this.#reading.overrides === true) return environment
    const implicit = IMPLICIT.get(name)
    return this.#variables.get(name) ?? environment ?? (implicit === undefined ? null : { text: implicit, simple: false })
  }

  runs(command: string): void {
    this.read.push(command)
  }

  evaluates(text: string): void {
    if (text.trim() !== '') this.#within(text)
  }

  reaches(verb: 'read' | 'write', path: string): void {
    if (!/^\/dev\/std/.test(path)) this.files.push({ verb, path })
  }

  unread(what: string): void {
    this.unreadable.add(what)
  }

  spend(units: number): boolean {
    this.room -= units
    if (this.room < 0 || this.#rules > MAX_RULES || this.read.length > MAX_READ) this.exhausted = true
    return !this.exhausted
  }

  /** A recipe for the shell that the file names. */
  #given(text: string, locals: Locals): string {
    const start = this.read.length
    const [shell = '', flags = ''] = ['SHELL', '.SHELLFLAGS'].map((name) => {
      const set = locals.has(name) || this.#variables.has(name) || this.#own.has(name)
      return set ? this.#expander.masked(this.#expander.expand(`$(${name})`, locals)).trim() : ''
    })
    const beside = this.read.splice(start)
    const { text: line, starting } = handed(text, shell, flags)
    const first = [...beside, ...(starting === null ? [] : [starting])].join('\n')
    if (first === '' || this.#started.has(first)) return line
    this.#started.add(first)
    return `${first}\n${line}`
  }

  #words(text: string): readonly string[] {
    return wordsOf(this.#expander.shown(this.#expander.expand(text)))
  }

  /** A text that stands in another: an included file, or what `$(eval …)` reads. */
  #within(text: string): void {
    if (this.#nested >= MAX_NESTED) {
      this.unread('texts that are nested too deep')
      return
    }
    this.#nested += 1
    this.#parse(text)
    this.#nested -= 1
  }

  #parse(text: string): void {
    const lines = logicalLines(text.includes('\r') ? text.replaceAll('\r\n', '\n') : text)
    const totals = text.includes('endif') ? branchesOf(lines) : new Map<number, number>()
    const open: Open = { recipe: null, defining: null, total: 1 }
    for (const [at, line] of lines.entries()) {
      if (!this.spend(0)) return
      open.total = totals.get(at) ?? open.total
      if (open.defining !== null) this.#defines(line, open.defining, open)
      else if (open.recipe !== null && line.startsWith(this.#prefix)) {
        if (this.#conditions.active) open.recipe.push(line.slice(1).trim())
      } else this.#begins(line, open)
    }
    if (open.defining?.counts === true) this.unread('a definition that does not end')
  }

  #defines(line: string, defining: Definition, open: Open): void {
    if (defining.add(line)) return
    if (defining.counts) this.#assign(defining.assignment)
    open.defining = null
  }

  #begins(line: string, open: Open): void {
    const condition = conditionalOf(line)
    const definition = condition === null ? definitionOf(line) : null
    if (condition !== null) this.#conditions.enter(condition, open.total)
    else if (definition !== null) open.defining = new Definition(definition, this.#conditions.active)
    else if (this.#conditions.active) open.recipe = this.#line(withoutComment(line), open.recipe)
  }

  get #prefix(): string {
    return this.#variables.get('.RECIPEPREFIX')?.text.trim()[0] ?? '\t'
  }

  /** One line that counts; the recipe that the lines after it go on with, if any. */
  #line(line: string, recipe: string[] | null): string[] | null {
    if (line.trim() === '') return recipe
    if (this.#directive(line)) return null
    const inner = unmodified(line)
    const assignment = assignmentOf(inner ?? line)
    if (assignment !== null && assignment.name !== '') {
      this.#modified(line, assignment)
      return null
    }
    if (inner !== null) {
      this.#exports(line, inner)
      return null
    }
    const rule = ruleOf(line)
    if (rule !== null) return this.#rule(rule)
    this.#expression(line)
    return null
  }

  /** A line that is one expansion: what comes of it stands in its place. */
  #expression(line: string): void {
    const text = this.#expander.expand(line)
    if (text.trim() === '') return
    if (text !== line && !text.trim().includes('\n') && isKnown(text) && outside(text, ':=') >= 0) this.#within(text)
    else this.unread(`the line \`${this.#expander.shown(text).trim().slice(0, 40)}\``)
  }

  #directive(line: string): boolean {
    const [, word, rest = ''] = DIRECTIVE.exec(line.trim()) ?? []
    if (word === undefined || /^\s*[:+?!]?=/.test(rest)) return false
    const text = this.#expander.expand(rest).trim()
    const shown = this.#expander.shown(text)
    if (word.endsWith('include')) this.#within(cleaned(this.#reading.include?.(shown, isKnown(text)) ?? ''))
    else if (word.endsWith('load')) this.loads.push(...wordsOf(shown).map((library) => library.split('(')[0] ?? ''))
    else if (word === 'undefine') for (const name of wordsOf(shown)) this.#variables.delete(name)
    return true
  }

  #modified(line: string, assignment: Assignment): void {
    const modifiers = line.slice(0, line.length - (unmodified(line) ?? line).length)
    const name = this.#assign(assignment, modifiers.includes('override'))
    if (/\bexport\b/.test(modifiers)) this.#exported.add(name)
  }

  #exports(line: string, names: string): void {
    const words = this.#words(names)
    if (!/^\s*export\b/.test(line)) return
    for (const name of words) this.#exported.add(name)
    if (words.length === 0) for (const name of this.#variables.keys()) this.#exported.add(name)
  }

  /** What recipes are given in their environment is expanded for them. */
  #export(): void {
    if (this.#named.has('.EXPORT_ALL_VARIABLES')) this.#exports('export', '')
    for (const name of this.#exported) {
      const variable = this.#variables.get(name)
      if (variable !== undefined && !variable.simple && /\$[({]/.test(variable.text)) this.#expander.expand(variable.text)
    }
  }

  #assign({ name: said, sign, value }: Assignment, overrides = false): string {
    const name = this.#expander.expand(said).trim()
    if (overrides) this.#variables.set(`override ${name}`, { text: '', simple: true })
    const variable = this.#valued(sign, value, this.#variables.get(name) ?? null)
    if (sign !== '?' || this.variable(name) === null) this.#variables.set(name, variable)
    if (/^(?:GNU)?MAKEFLAGS$/.test(name) && /--e|(?:^|\s)-?\w*[EfC]/.test(value)) this.unread(`options in \`${name}\``)
    return name
  }

  #valued(sign: Assignment['sign'], value: string, before: Variable | null): Variable {
    if (sign === '!') {
      const command = this.#expander.shown(this.#expander.expand(value))
      this.runs(command)
      return { text: this.#expander.substitution(command), simple: true }
    }
    if (sign === ':') return { text: this.#expander.expand(value), simple: true }
    if (sign !== '+' || before === null) return { text: value, simple: false }
    return { text: `${before.text} ${before.simple ? this.#expander.expand(value) : value}`, simple: before.simple }
  }

  #rule({ targets: said, needs, recipe: beside, own }: RuleLine): string[] | null {
    const targets = this.#words(said)
    if (own !== null) {
      for (const target of targets) this.#localVariable(target, own)
      return null
    }
    const colon = outside(needs, ':')
    const [pattern, behind] = colon < 0 ? [null, needs] : [this.#words(needs.slice(0, colon))[0] ?? '', needs.slice(colon + 1)]
    const words = this.#words(behind.replaceAll('|', ' '))
    const recipe = beside === null || beside === '' ? [] : [beside]
    this.#rules += 1
    if (!this.spend(0)) return null
    this.targets.push(...targets)
    for (const target of targets) {
      const stem = pattern === null ? null : stemOf(pattern, target)
      this.#index(target, { recipe, needs: stem === null ? words : words.map((need) => need.replace('%', () => stem)) })
    }
    return recipe
  }

  #localVariable(target: string, { name, sign, value }: Assignment): void {
    const known = this.#locals.get(target) ?? new Map<string, Variable>()
    this.#locals.set(target, known)
    known.set(name, this.#valued(sign, value, known.get(name) ?? this.#variables.get(name) ?? null))
  }

  #index(name: string, rule: Rule): void {
    const known = this.#named.get(name)
    if (known === undefined) this.#named.set(name, [rule])
    else known.push(rule)
    const unknown = name.replace(/\$\{\w+\}|"\$UNKNOWN"/, '%')
    // `.c.o` is `%.o: %.c`.
    const pattern = /^\.\w+\.\w+$/.test(name) ? `%${name.slice(name.lastIndexOf('.'))}` : unknown === '%' && name !== '%' ? '' : unknown
    if (pattern.includes('%')) this.#patterns.push({ pattern, rule })
  }

  #holds(text: string): boolean | null {
    const test = testOf(text)
    if (test === null) {
      this.unread(`the condition \`${text.slice(0, 40)}\``)
      return null
    }
    const holds = 'name' in test ? this.#isSet(test.name) : areEqual(this.#expander.expand(test.left), this.#expander.expand(test.right))
    return holds === null ? null : holds !== test.negated
  }

  #isSet(said: string): boolean | null {
    const name = this.#expander.expand(said).trim()
    const variable = isKnown(name) ? this.variable(name) : null
    return variable === null ? null : variable.text !== ''
  }
}

const NOTHING: Variable = { text: '', simple: true }

const DIRECTIVE = /^([-s]?include|-?load|vpath|undefine)(?:\s(.*))?$/s
