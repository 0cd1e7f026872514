import { endingReplaced, TEXT_FUNCTIONS, wordsOf } from './functions.ts'
import { assignmentOf, outside } from './lines.ts'

/** Expands texts of a makefile: variables, functions, and what they run. */

export interface Variable {
  readonly text: string
  /** Its text was expanded when it was set. */
  readonly simple: boolean
}

/** Who holds the variables, and what an expansion does besides. */
export interface Makes {
  variable(name: string): Variable | null
  /** A command line that runs while this is expanded. */
  runs(command: string): void
  /** Rules and variables that are read as if they stood in the file. */
  evaluates(text: string): void
  /** `$(file >name,…)`. */
  reaches(verb: 'read' | 'write', path: string): void
  /** A part that could not be read. */
  unread(what: string): void
  /** Counts characters; false once there were too many. */
  spend(units: number): boolean
}

export type Locals = ReadonlyMap<string, Variable>

/** Stand around the index of a part that is not known. */
const OPEN = '\uE010'
const CLOSE = '\uE011'
const PIECE = /\uE010(\d{1,7})\uE011/g

const MAX_DEPTH = 40
const MAX_WORDS = 64
const NO_LOCALS: Locals = new Map()

/** Without the characters that stand for what is not known. */
export const cleaned = (text: string): string => text.replaceAll(/[\uE010\uE011]/g, '?')

export const isKnown = (text: string): boolean => !text.includes(OPEN)

export class Expander {
  readonly #makes: Makes
  /** How parts that are not known are said in a shell. */
  readonly #pieces: string[] = []
  readonly #indices = new Map<string, number>()
  #depth = 0

  constructor(makes: Makes) {
    this.#makes = makes
  }

  /** The text with what is not known as one word each, which `shown` says in a shell. */
  expand(text: string, locals: Locals = NO_LOCALS): string {
    if (!this.#makes.spend(text.length)) return this.#piece('"$UNKNOWN"')
    if (!text.includes('$')) return text
    if (this.#depth >= MAX_DEPTH) {
      this.#makes.unread('expansions that are nested too deep')
      return this.#piece('"$UNKNOWN"')
    }
    this.#depth += 1
    let result = ''
    let from = 0
    for (let at = text.indexOf('$'); at >= 0; at = text.indexOf('$', from)) {
      result += text.slice(from, at)
      const end = referenceEnd(text, at)
      result += this.#reference(text.slice(at + 1, end), locals)
      from = end
    }
    this.#depth -= 1
    result += text.slice(from)
    return this.#makes.spend(result.length) ? result : this.#piece('"$UNKNOWN"')
  }

  /** As a shell reads it. */
  shown(text: string): string {
    return text.includes(OPEN) ? text.replace(PIECE, (_, index: string) => this.#pieces[Number(index)] ?? '"$UNKNOWN"') : text
  }

  /** With what commands print as not known: they ran already. */
  masked(text: string): string {
    return text.replace(PIECE, (_, index: string) => {
      const shown = this.#pieces[Number(index)] ?? ''
      return shown.startsWith('${') ? shown : '"$UNKNOWN"'
    })
  }

  /** `$(command)`, as it stands in a shell. */
  substitution(command: string): string {
    return this.#piece(`$(${command})`)
  }

  #piece(shell: string): string {
    const known = this.#indices.get(shell)
    const index = known ?? this.#pieces.push(shell) - 1
    if (known === undefined) this.#indices.set(shell, index)
    return OPEN + index + CLOSE
  }

  /** What stands behind a `$`: one character, or what brackets hold. */
  #reference(reference: string, locals: Locals): string {
    if (reference === '' || reference === '$') return '$'
    if (!/^[({]/.test(reference)) return this.#variable(reference, locals)
    const content = reference.slice(1, /[)}]$/.test(reference) ? -1 : undefined)
    const called = /^([a-z][a-z-]*)(?:\s+|$)/.exec(content)
    const name = called?.[1] ?? ''
    if (called !== null && /\s$/.test(called[0]) && (TEXT_FUNCTIONS.has(name) || DOING.has(name)))
      return this.#call(name, content.slice(called[0].length), locals)
    const colon = outside(content, ':')
    const ending = colon > 0 && content.includes('=', colon) ? assignmentOf(content.slice(colon + 1)) : null
    if (colon > 0 && content.includes('=', colon)) {
      const [from, to] = ending === null ? ['', content.slice(content.indexOf('=', colon) + 1)] : [ending.name, ending.value]
      const value = this.#variable(this.expand(content.slice(0, colon), locals), locals)
      return endingReplaced(this.expand(from, locals), this.expand(to, locals), value)
    }
    return this.#variable(this.expand(content, locals), locals)
  }

  #variable(name: string, locals: Locals): string {
    const variable = locals.get(name) ?? this.#makes.variable(name.trim())
    if (variable === null) return this.#piece(unknownOf(name))
    return variable.simple ? variable.text : this.expand(variable.text, locals)
  }

  #call(name: string, text: string, locals: Locals): string {
    const doing = DOING.get(name)
    if (doing !== undefined) return doing({ text, locals, expander: this, makes: this.#makes })
    const limit = ARGUMENTS.get(name) ?? 1
    const args = argumentsOf(text, limit).map((arg) => this.expand(arg, locals))
    return TEXT_FUNCTIONS.get(name)?.(args) ?? ''
  }
}

/** Arguments of functions that take more than one. */
const ARGUMENTS: ReadonlyMap<string, number> = new Map([
  ['subst', 3],
  ['patsubst', 3],
  ['wordlist', 3],
  ...['findstring', 'filter', 'filter-out', 'word', 'addsuffix', 'addprefix', 'join'].map((name) => [name, 2] as const),
])

interface Doing {
  readonly text: string
  readonly locals: Locals
  readonly expander: Expander
  readonly makes: Makes
}

type Does = (doing: Doing) => string

const shell: Does = ({ text, locals, expander, makes }) => {
  const command = expander.shown(expander.expand(text, locals))
  makes.runs(command)
  return expander.substitution(command)
}

const evaluated: Does = ({ text, locals, expander, makes }) => {
  makes.evaluates(expander.expand(text, locals))
  return ''
}

const called: Does = ({ text, locals, expander, makes }) => {
  const [first = '', ...given] = argumentsOf(text, MAX_WORDS).map((arg) => expander.expand(arg, locals))
  const name = first.trim()
  if (TEXT_FUNCTIONS.has(name) || DOING.has(name)) return expander.expand(`$(${name} ${escaped(given.join(','))})`)
  const own = new Map(locals)
  own.set('0', { text: name, simple: true })
  for (let at = 1; at < 10; at += 1) own.set(String(at), { text: given[at - 1] ?? '', simple: true })
  const variable = locals.get(name) ?? makes.variable(name)
  if (variable === null || !isKnown(name)) {
    makes.unread(`what \`$(call ${expander.shown(name)})\` stands for`)
    return ''
  }
  return variable.simple ? variable.text : expander.expand(variable.text, own)
}

const escaped = (text: string): string => text.replaceAll('$', '$$$$')

const repeated: Does = ({ text, locals, expander, makes }) => {
  const [name = '', list = '', body = ''] = argumentsOf(text, 3)
  const variable = expander.expand(name, locals).trim()
  const words = wordsOf(expander.expand(list, locals))
  if (words.length > MAX_WORDS) makes.unread('a list that is longer than what is followed')
  const parts = words
    .slice(0, MAX_WORDS)
    .map((word) => expander.expand(body, new Map([...locals, [variable, { text: word, simple: true }]])))
  return parts.join(' ')
}

const bound: Does = ({ text, locals, expander }) => {
  const [names = '', list = '', body = ''] = argumentsOf(text, 3)
  const words = wordsOf(expander.expand(list, locals))
  const own = new Map(locals)
  const all = wordsOf(expander.expand(names, locals)).slice(0, MAX_WORDS)
  for (const [at, name] of all.entries())
    own.set(name, { text: at === all.length - 1 ? words.slice(at).join(' ') : (words[at] ?? ''), simple: true })
  return expander.expand(body, own)
}

/** Both outcomes where the condition is not known. */
const conditional: Does = ({ text, locals, expander }) => {
  const [test = '', yes = '', no = ''] = argumentsOf(text, 3)
  const condition = expander.expand(test.trim(), locals)
  if (condition === '') return expander.expand(no, locals)
  const outcome = expander.expand(yes, locals)
  if (isKnown(condition)) return outcome
  return [outcome, expander.expand(no, locals)].filter((part) => part !== '').join(' ')
}

/** `or`: the first that is not empty; `and`: the last, where none is empty. */
const logical =
  (stops: boolean): Does =>
  ({ text, locals, expander }) => {
    const parts: string[] = []
    for (const arg of argumentsOf(text, MAX_WORDS)) {
      const part = expander.expand(arg.trim(), locals)
      if (part !== '') parts.push(part)
      if (isKnown(part) && (part !== '') === stops) return stops ? parts.join(' ') : parts.filter((found) => !isKnown(found)).join(' ')
    }
    return stops ? parts.join(' ') : (parts.at(-1) ?? '')
  }

const file: Does = ({ text, locals, expander, makes }) => {
  const [target = ''] = argumentsOf(text, 2).map((arg) => expander.shown(expander.expand(arg, locals)))
  const [, way = '', path = ''] = /^(>{1,2}|<)(.*)/s.exec(target.trim()) ?? []
  if (way === '') makes.unread(`\`$(file ${target})\``)
  else makes.reaches(way === '<' ? 'read' : 'write', path.trim())
  return way === '<' ? expander.substitution(`cat ${path}`) : ''
}

const raw: Does = ({ text, locals, expander, makes }) => {
  const name = expander.expand(text, locals).trim()
  return (locals.get(name) ?? makes.variable(name))?.text ?? ''
}

const compared: Does = ({ text, locals, expander }) =>
  argumentsOf(text, 5)
    .map((arg) => expander.expand(arg, locals))
    .slice(2)
    .join(' ')

const guile: Does = ({ text, makes }) => {
  makes.unread(`\`$(guile ${text.slice(0, 40)})\``)
  return ''
}

/** Functions that do something, or that expand some of their arguments only. */
const DOING: ReadonlyMap<string, Does> = new Map<string, Does>([
  ['shell', shell],
  ['eval', evaluated],
  ['call', called],
  ['foreach', repeated],
  ['let', bound],
  ['if', conditional],
  ['or', logical(true)],
  ['and', logical(false)],
  ['file', file],
  ['value', raw],
  ['intcmp', compared],
  ['guile', guile],
])

/** Index behind the reference that a `$` begins. */
function referenceEnd(text: string, at: number): number {
  const open = text[at + 1]
  if (open !== '(' && open !== '{') return Math.min(text.length, at + 2)
  const close = open === '(' ? ')' : '}'
  let depth = 0
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === open) depth += 1
    else if (text[end] === close) depth -= 1
    if (depth === 0) return end + 1
  }
  return text.length
}

/** Split at commas outside of brackets; the last takes all that is left. */
function argumentsOf(text: string, limit: number): readonly string[] {
  const args: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < text.length && args.length < limit - 1; at += 1) {
    const c = text[at] ?? ''
    if (c === '(' || c === '{') depth += 1
    else if (c === ')' || c === '}') depth -= 1
    else if (c === ',' && depth <= 0) {
      args.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...args, text.slice(from)]
}

/** A variable of the environment, if of anything. */
const unknownOf = (name: string): string => (/^[A-Za-z_]\w*$/.test(name) ? `\${${name}}` : '"$UNKNOWN"')
