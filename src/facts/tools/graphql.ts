/** A GraphQL document among the arguments of a tool that nobody knows: what its mutations say that they do. */
import type { Collector } from './collect.ts'
import { intentOf } from './intent.ts'
import type { Argument, Intent } from './spec.ts'

/** UTF-16 units of a document that are read; in a longer one the rest is not known. */
const MAX_DOCUMENT = 65_536
const MAX_FIELDS = 64

/** Comments, strings and block strings hold no fields. */
const NOISE = /#[^\n]*|"""[\s\S]*?(?:"""|$)|"(?:[^"\\\n]|\\.)*"?/g
const MUTATION = /(?<![\w$])mutation\b/g

export function reportMutations(argument: Argument, collector: Collector): void {
  const { text } = argument
  if (!/\bmutation\b/.test(text.slice(0, MAX_DOCUMENT)) || !text.includes('{')) return
  const document = text.slice(0, MAX_DOCUMENT).replace(NOISE, ' ""')
  if (!/^[\s",]*(?:mutation|query|subscription|fragment)\b/.test(document)) return
  const fields = [...document.matchAll(MUTATION)].flatMap(({ index }) => {
    const brace = document.indexOf('{', index)
    return brace < 0 ? [] : topFields(document, brace + 1)
  })
  if (text.length > MAX_DOCUMENT || fields.length > MAX_FIELDS) collector.opaque('a GraphQL document is too long to be read')
  for (const { name, takes } of fields.slice(0, MAX_FIELDS)) {
    // Words of arguments say what is changed: `updateUser(role: ADMIN)` changes a role.
    const { verb, action, kind, irreversible } = gravest(name, takes)
    collector.emit(verb, collector.thing(kind, name), {
      action,
      certainty: 'likely',
      reversible: !irreversible,
      span: { pointer: argument.pointer, start: 0, end: text.length },
    })
  }
}

const CHANGE = { verb: 'change', action: 'resource:change', kind: 'resource', irreversible: false } as const
const MILD: ReadonlySet<string | null> = new Set(['resource:change', 'resource:create', null])

function gravest(name: string, takes: readonly string[]): Pick<Intent, 'verb' | 'action' | 'kind' | 'irreversible'> {
  const own = intentOf(name)
  if (own !== null && own.verb !== 'read' && !MILD.has(own.action)) return own
  const about = takes
    .map((each) => intentOf(`${name}_${each}`))
    .find((each) => each !== null && each.verb !== 'read' && !MILD.has(each.action))
  return about ?? (own === null || own.verb === 'read' ? CHANGE : own)
}

interface Field {
  readonly name: string
  /** Names of its arguments, those of objects in them too. */
  readonly takes: string[]
}

/** The fields of a selection that begins at the index; an alias stands for the field behind it. */
function topFields(document: string, start: number): readonly Field[] {
  const fields: Field[] = []
  let braces = 1
  let parentheses = 0
  const tokens = /(?<![@.\w])[A-Za-z_]\w*(\s{0,64}:)?|[{}()]/g
  tokens.lastIndex = start
  for (let found = tokens.exec(document); found !== null && braces > 0; found = tokens.exec(document)) {
    const [token, colon] = found
    if (token === '(' || token === ')') parentheses += token === '(' ? 1 : -1
    else if (token !== '{' && token !== '}') {
      if (braces === 1)
        take(fields, { name: token.slice(0, token.length - (colon ?? '').length), argument: parentheses > 0, label: colon !== undefined })
    } else if (parentheses === 0) braces += token === '{' ? 1 : -1
  }
  return fields
}

interface Name {
  readonly name: string
  /** It stands in parentheses. */
  readonly argument: boolean
  /** A colon follows. */
  readonly label: boolean
}

function take(fields: Field[], { name, argument, label }: Name): void {
  if (argument && label) fields.at(-1)?.takes.push(name)
  else if (!argument && !label) fields.push({ name, takes: [] })
}
