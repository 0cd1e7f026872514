import { type Effect, effect, type Span, target } from '../../effect.ts'
import type { CommandContext, Input, Word } from '../../host.ts'
import type { Script } from './tree.ts'

/** What a PowerShell expression stands for, as far as it is statically known, and where it came from. */
export interface Value {
  /** Null where it is not statically known. */
  readonly text: string | null
  /** The known beginning; the whole text where known. */
  readonly prefix: string
  /** Elements of an array. */
  readonly items: readonly Value[] | null
  /** Entries of a hashtable, keys in lower case. */
  readonly table: ReadonlyMap<string, Value> | null
  readonly block: Script | null
  /** Type of an object whose methods matter: `net.webclient`; of a type literal its own name. */
  readonly type: string | null
  /** Effects that the text comes from. */
  readonly from: readonly Effect[]
  /** It was taken out of an encoding. */
  readonly decoded: boolean
  /** Typed without quotes: a program on Unix gets what it matches. */
  readonly bare: boolean
}

const NOTHING: Value = { text: null, prefix: '', items: null, table: null, block: null, type: null, from: [], decoded: false, bare: false }

export function knownValue(text: string, more: Partial<Value> = {}): Value {
  return { ...NOTHING, text, prefix: text, ...more }
}

export function unknownValue(more: Partial<Value> = {}): Value {
  return { ...NOTHING, ...more }
}

/** Every scalar in a value, arrays taken apart. */
export function scalars(value: Value | null): readonly Value[] {
  if (value === null) return []
  return value.items === null ? [value] : value.items.flatMap(scalars)
}

/** Values joined to one text. */
export function joinValues(values: readonly Value[], between = ''): Value {
  const from = values.flatMap((value) => value.from)
  const decoded = values.some((value) => value.decoded)
  const end = values.findIndex((value) => value.text === null)
  const known = (end < 0 ? values : values.slice(0, end)).map((value) => value.text ?? '').join(between)
  if (end < 0) return knownValue(known, { from, decoded })
  return unknownValue({ prefix: known + (end > 0 ? between : '') + (values[end]?.prefix ?? ''), from, decoded })
}

/** One text of arguments as a program takes it apart: at blanks, quotes kept together. */
export function splitArguments(value: Value): readonly Value[] {
  if (value.text === null) return [value]
  const parts = value.text.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []
  return parts.map((part) => knownValue(/^["']/.test(part) ? part.slice(1, -1) : part, { from: value.from, decoded: value.decoded }))
}

/** The value as a word of a command; `path` lets `*` and `?` stand for many names. */
export function wordFrom(value: Value, span: Span, path = false): Word {
  const { from, decoded } = value
  const text = value.text === null ? null : slashed(value.text)
  const prefix = slashed(value.prefix)
  return {
    text,
    prefix,
    glob: (path || value.bare) && /[*?[]/.test(text ?? ''),
    dynamic: text === null && from.length > 0,
    span,
    ...(text === null ? { raw: `${prefix}…` } : {}),
    ...(from.length > 0 ? { from } : {}),
    ...(decoded ? { decoded } : {}),
  }
}

/** PowerShell takes both slashes everywhere; a path that starts like one of Unix, or with a drive, is one. */
function slashed(text: string): string {
  if (/^[a-z]:\\[^"'<>|]*$/i.test(text)) return text.replaceAll('\\', '/')
  return /^(?:\.{1,2}|~|\/[^\\]*)\\/.test(text) && !/[\s"'<>|]/.test(text) ? text.replaceAll('\\', '/') : text
}

/** The value as standard input of a program. */
export function inputFrom(value: Value | null, span: Span): Input {
  if (value === null) return { kind: 'none' }
  const [only, ...more] = scalars(value)
  if (only !== undefined && more.length === 0 && only.text !== null) {
    return { kind: 'text', text: only.text, span, ...(only.decoded ? { decoded: true } : {}) }
  }
  const parts = scalars(value)
  const decoded = parts.some((part) => part.decoded)
  return { kind: 'pipe', from: parts.flatMap((part) => part.from), producers: [], ...(decoded ? { decoded } : {}) }
}

/** A value that a read of the path gives. */
export function readFrom(context: CommandContext, path: Word): Value {
  return unknownValue({ from: [effect('read', context.path(path))] })
}

/** A value that the address answers with. */
export function fetchedFrom(context: CommandContext, address: Word): Value {
  return unknownValue({ from: [effect('fetch', context.url(address))] })
}

/** Where Windows puts these, whoever the user is. */
const OF_WINDOWS: ReadonlyMap<string, string> = new Map([
  ['APPDATA', 'C:\\Users\\user\\AppData\\Roaming'],
  ['LOCALAPPDATA', 'C:\\Users\\user\\AppData\\Local'],
  ['PROGRAMDATA', 'C:\\ProgramData'],
  ['ALLUSERSPROFILE', 'C:\\ProgramData'],
  ['PROGRAMFILES', 'C:\\Program Files'],
  ['PUBLIC', 'C:\\Users\\Public'],
  ['SYSTEMROOT', 'C:\\Windows'],
  ['WINDIR', 'C:\\Windows'],
  ['SYSTEMDRIVE', 'C:'],
])

/** A variable that nobody set: those of PowerShell itself, and those of the environment. */
export function variableOf(name: string, context: CommandContext): Value {
  const own = OWN_VARIABLES.get(name)
  if (own !== undefined) {
    const text = own(context)
    return text === null ? unknownValue() : knownValue(text)
  }
  if (!name.startsWith('env:')) return unknownValue()
  const variable = name.slice(4).toUpperCase()
  const set = context.view.env(variable) ?? OF_WINDOWS.get(variable) ?? null
  return set !== null ? knownValue(set) : unknownValue({ from: [effect('read', target('variable', variable))] })
}

type OwnVariable = (context: CommandContext) => string | null

const home: OwnVariable = ({ view }) => view.home
const temporary: OwnVariable = ({ view }) => view.temporary[0] ?? '/tmp'

const OWN_VARIABLES: ReadonlyMap<string, OwnVariable> = new Map([
  ['home', home],
  ['env:home', home],
  ['env:userprofile', home],
  ['env:temp', temporary],
  ['env:tmp', temporary],
  ['pwd', ({ cwd }) => cwd],
  ['profile', ({ view }) => `${view.home}/.config/powershell/Microsoft.PowerShell_profile.ps1`],
  ['true', () => 'true'],
  ['false', () => 'false'],
  ['null', () => ''],
])

/** `'{1}{0}' -f 'x','ie'`. */
function formatted(format: Value, values: readonly Value[]): Value {
  if (format.text === null) return unknownValue({ from: format.from })
  const parts = format.text.split(/\{(\d{1,2})(?::[^{}]*)?\}/)
  return joinValues(parts.map((part, at) => (at % 2 === 0 ? knownValue(part) : (values[Number(part)] ?? knownValue('')))))
}

/** Two values with an operator between them. */
export function combined(left: Value, sign: string, right: Value): Value {
  if (sign === '+' && (left.items !== null || right.items !== null)) return unknownValue({ items: [...scalars(left), ...scalars(right)] })
  if (sign === '+') return joinValues([left, right])
  if (sign === '-join') return joinValues(scalars(left), right.text ?? '')
  if (sign === '-f') return formatted(left, scalars(right))
  const both = [...scalars(left), ...scalars(right)]
  return unknownValue({ from: both.flatMap((value) => value.from), decoded: both.some((value) => value.decoded) })
}
