/** Effects in words that a reviewer understands, each with the part of the call it was read from. Pure. */
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import type { Effect, Span, Verb } from './effect.ts'
import type { Facts } from './facts.ts'

const WORDS: Readonly<Record<Verb, string>> = {
  read: 'reads',
  write: 'writes',
  delete: 'deletes',
  execute: 'runs',
  fetch: 'gets over the network',
  send: 'sends to',
  publish: 'publishes to',
  pay: 'pays',
  persist: 'leaves behind, to run later,',
  change: 'changes',
  opaque: 'cannot be told:',
}

/** Every effect of a call, one line each, in the order of the call. */
export function explainFacts(facts: Facts, args: JsonObject): readonly string[] {
  const lines = facts.effects.map((effect) => explainEffect(effect, args))
  if (facts.coverage === 'partial') lines.push('part of the call could not be analysed')
  return lines.length === 0 ? ['nothing that can be seen'] : lines
}

/** One effect: what, on what, how surely, whether it can be undone, and from which words. */
export function explainEffect(effect: Effect, args: JsonObject): string {
  const parts = [subject(effect), ...remarks(effect)]
  const source = effect.span === null ? null : excerpt(effect.span, args)
  return `${parts.join(', ')}${source === null ? '' : `  ← ${source}`}`
}

function subject(effect: Effect): string {
  const { target } = effect
  if (effect.verb === 'opaque') return `${WORDS.opaque} ${effect.reason ?? 'what this part does'}`
  const name = target.value === '' ? 'something unknown' : `\`${target.value}\``
  const real = target.real !== null && target.real !== target.value ? ` (really \`${target.real}\`)` : ''
  return `${WORDS[effect.verb]} ${name}${real}${effect.action === null ? '' : ` [${effect.action}]`}`
}

function remarks(effect: Effect): string[] {
  const { target } = effect
  const remarks: string[] = []
  if (target.classes.length > 0) remarks.push(target.classes.join(' and '))
  if (target.scope !== 'unknown') remarks.push(`in scope ${target.scope}`)
  for (const [name, value] of Object.entries(effect.attributes))
    if (value !== false && value !== null && name !== CHECKED_OUT) remarks.push(attribute(name, value))
  if (effect.certainty !== 'certain') remarks.push(effect.certainty)
  if (!effect.reversible && effect.verb !== 'opaque') remarks.push('cannot be undone')
  if (effect.reason !== null && effect.verb !== 'opaque') remarks.push(effect.reason)
  return remarks
}

/** Where the call is made from, for conditions; it is not what the call would do. */
const CHECKED_OUT = 'head'

function attribute(name: string, value: Json): string {
  return value === true ? name : `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`
}

function excerpt(span: Span, args: JsonObject): string | null {
  const text = at(args, span.pointer)
  if (text === null) return null
  const part = text.slice(span.start, span.end).replaceAll('\n', ' ⏎ ')
  return part.length > 80 ? `${part.slice(0, 77)}…` : part
}

/** The string at a JSON pointer, or null. */
function at(args: JsonObject, pointer: string): string | null {
  let value: Json | undefined = args
  for (const token of pointer.split('/').slice(1)) {
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(value)) value = value[Number(key)]
    else if (isJsonObject(value)) value = Object.hasOwn(value, key) ? value[key] : undefined
    else return null
  }
  return typeof value === 'string' ? value : null
}
