import type { SedEdit } from '../../host.ts'
import { HOLE } from '../../resources/text/hole.ts'
import { CodeLimit, LIMITS } from '../limits.ts'

/** Reads a sed script, GNU or BSD: only commands that reach outside of the text are kept. */
export type SedAct =
  /** `r`, `R`, `w`, `W`, `s///w`. */
  | { readonly kind: 'read' | 'write'; readonly path: string }
  /** `e command`. */
  | { readonly kind: 'run'; readonly line: string }
  /** `e` alone: each line is run. */
  | { readonly kind: 'runLines' }
  /** `s///e`: the line is run after the substitution. */
  | { readonly kind: 'runReplaced'; readonly pattern: string; readonly replacement: string }
  /** No sed reads beyond this first character: nothing happens. */
  | { readonly kind: 'refused'; readonly name: string }
  /** An unknown part stands where a command belongs. */
  | { readonly kind: 'unknown' }

const BLANK = /[ \t\r]/
const LABEL_END = /[\s;]/

class Reader {
  readonly text: string
  readonly acts: SedAct[] = []
  /** Edits whose outcome their own text tells; null for any other. */
  readonly edits: (SedEdit | null)[] = []
  at = 0
  /** No bracket expression closes before this index. */
  private unbracketed = 0

  constructor(text: string) {
    this.text = text
  }

  here(): string {
    return this.text[this.at] ?? ''
  }

  get done(): boolean {
    return this.at >= this.text.length
  }

  blanks(): void {
    while (BLANK.test(this.here())) this.at += 1
  }

  /** The rest of the line, the line end taken. */
  line(): string {
    const end = this.text.indexOf('\n', this.at)
    const line = this.text.slice(this.at, end < 0 ? this.text.length : end)
    this.at = end < 0 ? this.text.length : end + 1
    return line
  }

  /** Text of `a`, `i`, `c`, `e`: to the end of a line that no backslash continues. */
  continued(): string {
    this.blanks()
    // `a\` and a line end, or blanks; in `a\\` the backslash is text, which another one may guard.
    if (this.here() === '\\' && /[\s]/.test(this.text[this.at + 1] ?? '')) {
      this.at += 1
      this.blanks()
      if (this.here() === '\n') this.at += 1
    }
    let text = ''
    while (!this.done) {
      const c = this.here()
      if (c === '\n') {
        this.at += 1
        break
      }
      if (c === '\\') this.at += 1
      text += this.here()
      this.at += 1
    }
    return text
  }

  /** A label: to white space or a semicolon. */
  label(stop: string): void {
    this.blanks()
    while (!this.done && !LABEL_END.test(this.here()) && this.here() !== stop) this.at += 1
  }

  digits(): boolean {
    const from = this.at
    while ((this.here() >= '0' && this.here() <= '9') || this.here() === HOLE) this.at += 1
    return this.at > from
  }

  /** Behind the opening delimiter: to the closing one, which is taken. In a pattern a bracket expression may hold it. */
  delimited(delimiter: string, pattern: boolean): string {
    let text = ''
    while (!this.done) {
      const c = this.here()
      if (c === delimiter) {
        this.at += 1
        return text
      }
      const end = pattern && c === '[' ? this.bracket() : -1
      if (end > 0) {
        text += this.text.slice(this.at, end)
        this.at = end
      } else if (c === '\\') {
        const escaped = this.text[this.at + 1] ?? ''
        text += escaped === delimiter && !pattern && delimiter !== '&' ? escaped : c + escaped
        this.at += 2
      } else {
        text += c
        this.at += 1
      }
    }
    throw new CodeLimit('a sed command is not closed')
  }

  /** The index behind the bracket expression that starts here; -1 where it does not close on its line. */
  private bracket(): number {
    if (this.at < this.unbracketed) return -1
    let i = this.at + 1
    if (this.text[i] === '^') i += 1
    if (this.text[i] === ']') i += 1
    for (; i < this.text.length && this.text[i] !== '\n'; i += 1) {
      if (this.text[i] === ']') return i + 1
      if (this.text[i] === '[' && /[:.=]/.test(this.text[i + 1] ?? '')) {
        const close = this.text.slice(i + 2, i + 40).indexOf(`${this.text[i + 1]}]`)
        if (close >= 0) i += close + 3
      }
    }
    this.unbracketed = i
    return -1
  }
}

/** What the script does besides editing text. Throws a CodeLimit where it is no sed script. */
export function readSed(script: string): readonly SedAct[] {
  return read(script).acts
}

/** What the script puts in, and for what; null where that is not known from it alone, or where it does anything besides. */
export function sedEdits(script: string): readonly SedEdit[] | null {
  try {
    const { acts, edits } = read(script)
    const known = edits.filter((edit) => edit !== null)
    return acts.length > 0 || known.length < edits.length ? null : known
  } catch (error) {
    if (error instanceof CodeLimit) return null
    throw error
  }
}

function read(script: string): Reader {
  const reader = new Reader(script)
  for (let count = 0; !reader.done; count += 1) {
    if (count > LIMITS.tokens) throw new CodeLimit('the sed script has more commands than are analysed')
    command(reader)
  }
  return reader
}

function command(reader: Reader): void {
  while (/[\s;]/.test(reader.here())) reader.at += 1
  if (reader.done) return
  addresses(reader)
  while (reader.here() === '!' || BLANK.test(reader.here())) reader.at += 1
  const name = reader.here()
  reader.at += 1
  const handler = COMMANDS.get(name)
  if (handler !== undefined) {
    if (!'sai{}#'.includes(name)) reader.edits.push(null)
    handler(reader)
  } else if (name === HOLE || name === '') reader.acts.push({ kind: 'unknown' })
  else if (reader.at === 1) {
    reader.acts.push({ kind: 'refused', name })
    reader.at = reader.text.length
  } else throw new CodeLimit(`\`${name}\` is no sed command`)
}

function addresses(reader: Reader): void {
  if (!address(reader)) return
  reader.blanks()
  if (reader.here() === ',') {
    reader.at += 1
    reader.blanks()
    if (reader.here() === '+' || reader.here() === '~') reader.at += 1
    if (!address(reader)) throw new CodeLimit('a sed address is not complete')
  }
}

function address(reader: Reader): boolean {
  const c = reader.here()
  if (c === '$') reader.at += 1
  else if (c === '/' || c === '\\') {
    reader.at += c === '/' ? 1 : 2
    reader.delimited(c === '/' ? c : (reader.text[reader.at - 1] ?? ''), true)
    while (reader.here() === 'I' || reader.here() === 'M') reader.at += 1
  } else if (c === '+' || c === '~') {
    // GNU sed takes the sign of an offset for an address of its own: `+e id` runs.
    reader.at += 1
    reader.digits()
  } else if (!reader.digits()) return false
  if (reader.here() === '~') {
    reader.at += 1
    reader.digits()
  }
  return true
}

type Handler = (reader: Reader) => void

const nothing: Handler = () => undefined

const text: Handler = (reader) => {
  reader.edits.push({ pattern: '', replacement: reader.continued() })
}

const change: Handler = (reader) => {
  reader.continued()
}

const file =
  (kind: 'read' | 'write'): Handler =>
  (reader) => {
    reader.blanks()
    const path = reader.line().trimEnd()
    if (path !== '') reader.acts.push({ kind, path })
  }

const run: Handler = (reader) => {
  reader.blanks()
  const alone = reader.done || /[\n;}]/.test(reader.here())
  reader.acts.push(alone ? { kind: 'runLines' } : { kind: 'run', line: reader.continued() })
}

const substitute: Handler = (reader) => {
  const delimiter = reader.here()
  if (delimiter === '' || delimiter === '\n' || delimiter === '\\') throw new CodeLimit('a sed command is not closed')
  reader.at += 1
  const pattern = reader.delimited(delimiter, true)
  const replacement = reader.delimited(delimiter, false)
  reader.edits.push(/[\\&]/.test(replacement) ? null : { pattern, replacement })
  for (; !reader.done; reader.at += 1) {
    const flag = reader.here()
    if (flag === 'e') reader.acts.push({ kind: 'runReplaced', pattern, replacement })
    else if (flag === HOLE) reader.acts.push({ kind: 'unknown' })
    else if (flag === 'w') {
      reader.at += 1
      file('write')(reader)
      return
    } else if (!/[gpIiMm0-9 \t\r]/.test(flag)) return
  }
}

const translate: Handler = (reader) => {
  const delimiter = reader.here()
  reader.at += 1
  reader.delimited(delimiter, false)
  reader.delimited(delimiter, false)
}

const branch: Handler = (reader) => reader.label('}')

const counted: Handler = (reader) => {
  reader.blanks()
  reader.digits()
}

const COMMANDS: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  ...[...'{}=dDgGhHnNpPxzF'].map((name) => [name, nothing] as const),
  ...[...'ai'].map((name) => [name, text] as const),
  ['c', change],
  ...[...'btTv'].map((name) => [name, branch] as const),
  ...[...'lLqQ'].map((name) => [name, counted] as const),
  [':', (reader) => reader.label('')],
  [
    '#',
    (reader) => {
      reader.line()
    },
  ],
  ...[...'rR'].map((name) => [name, file('read')] as const),
  ...[...'wW'].map((name) => [name, file('write')] as const),
  ['e', run],
  ['s', substitute],
  ['y', translate],
])
