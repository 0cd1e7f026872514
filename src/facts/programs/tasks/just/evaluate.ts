import type { Condition, Expression } from './expression.ts'

/** What an expression comes to, as text of a shell: what is not known is a variable that nobody set. */

export interface Values {
  /** Text of a variable or a parameter; null where there is none of that name. */
  variable(name: string): string | null
  /** A command line that runs to compute a value. */
  runs(command: string): void
  /** Counts characters; false once there were too many. */
  spend(units: number): boolean
}

export const UNKNOWN = '"$UNKNOWN"'

export function evaluated(expression: Expression, values: Values): string {
  const text = said(expression, values)
  return values.spend(text.length) ? text : UNKNOWN
}

function said(expression: Expression, values: Values): string {
  switch (expression.kind) {
    case 'text':
      return expression.text
    case 'name':
      return values.variable(expression.name) ?? UNKNOWN
    case 'command':
      values.runs(expression.command)
      return `$(${expression.command})`
    case 'call':
      return called(
        expression.name,
        expression.args.map((arg) => evaluated(arg, values)),
        values,
      )
    case 'joined':
      return joined(expression.sign, evaluated(expression.left, values), evaluated(expression.right, values))
    case 'choice':
      return chosen(expression, values)
    case 'parts':
      return expression.parts.map((part) => evaluated(part, values)).join('')
  }
}

function joined(sign: string, left: string, right: string): string {
  if (sign === '+') return left + right
  if (sign === '/') return `${left}/${right}`
  const empty = sign === '&&' ? left === '' : left !== '' && !left.includes('$')
  return empty ? left : sign === '&&' ? right : left === '' ? right : `${left} ${right}`
}

/** One outcome, or both where the condition is not known. */
function chosen({ test, yes, no }: Expression & { readonly kind: 'choice' }, values: Values): string {
  const holds = test === null ? null : holdsIn(test, values)
  if (holds !== null) return evaluated(holds ? yes : no, values)
  return [evaluated(yes, values), evaluated(no, values)].filter((text) => text !== '').join(' ')
}

function holdsIn({ sign, left: first, right: second }: Condition, values: Values): boolean | null {
  const [left, right] = [evaluated(first, values), evaluated(second, values)]
  if (left.includes('$') || right.includes('$') || sign.endsWith('~')) return null
  return (left === right) === (sign === '==')
}

/** As it is, in a shell. */
export const singly = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** As one word of a shell. */
export const quoted = (text: string): string => (text.includes('$') ? `"${text.replaceAll('"', '')}"` : singly(text))

function called(name: string, args: readonly string[], values: Values): string {
  const [first = '', second = '', third = ''] = args
  const known = FUNCTIONS.get(name)
  if (known !== undefined) return known(first, second, third)
  if (name !== 'shell') return UNKNOWN
  const command = args.length < 2 ? first : `sh -c ${singly(first)} sh ${args.slice(1).map(quoted).join(' ')}`
  values.runs(command)
  return `$(${command})`
}

type Text = (first: string, second: string, third: string) => string

/** Some of the environment's, of which the name alone is known. */
const environment: Text = (name, otherwise) =>
  /^[A-Za-z_]\w*$/.test(name) ? (otherwise === '' ? `\${${name}}` : `\${${name}:-${otherwise}}`) : UNKNOWN
/** Recipes run where their file stands. */
const here: Text = () => '.'

const FUNCTIONS: ReadonlyMap<string, Text> = new Map<string, Text>([
  ...['env', 'env_var', 'env_var_or_default'].map((name) => [name, environment] as const),
  ...['justfile_directory', 'justfile_dir', 'source_directory', 'source_dir', 'invocation_directory', 'invocation_dir'].map(
    (name) => [name, here] as const,
  ),
  ['just_executable', () => 'just'],
  ['os', () => 'linux'],
  ['os_family', () => 'unix'],
  ['quote', quoted],
  ['replace', (text, from, to) => (from === '' ? text : text.replaceAll(from, () => to))],
  ['uppercase', (text) => (text.includes('$') ? text : text.toUpperCase())],
  ['lowercase', (text) => (text.includes('$') ? text : text.toLowerCase())],
  ['trim', (text) => text.trim()],
  ['trim_start', (text) => text.trimStart()],
  ['trim_end', (text) => text.trimEnd()],
  ['trim_start_match', (text, start) => (text.startsWith(start) ? text.slice(start.length) : text)],
  ['trim_end_match', (text, end) => (text.endsWith(end) ? text.slice(0, text.length - end.length) : text)],
  [
    'append',
    (end, text) =>
      text
        .split(/\s+/)
        .map((word) => word + end)
        .join(' '),
  ],
  [
    'prepend',
    (start, text) =>
      text
        .split(/\s+/)
        .map((word) => start + word)
        .join(' '),
  ],
  ['join', (left, right, more) => [left, right, more].filter((part) => part !== '').join('/')],
  ['clean', (path) => path],
  ['absolute_path', (path) => path],
  ['canonicalize', (path) => path],
  ['which', (program) => program],
  ['require', (program) => program],
  ['read', (path) => `$(cat ${path})`],
  ['error', () => ''],
  ['assert', () => ''],
])
