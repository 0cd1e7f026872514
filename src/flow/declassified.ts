/**
 * Values that somebody who may vouches for: an approver for one session, or a rule of the policy. Each is held to what it names: the
 * value or its source, the tool, the argument, and a time. A value in another form (decoded, backwards) is none of them. Pure.
 */
import type { ToolCall } from '../core/call.ts'
import { keyedHash } from '../provenance/keyed-hash.ts'
import { comparedForms, fold } from '../provenance/text.ts'
import type { Declassified } from '../session/memory/declassified.ts'
import type { ValueSource } from '../session/memory/memory.ts'
import type { Known, Provenance } from './origin.ts'
import { type DeclassifyRule, isField, namesOf } from './trust.ts'

export interface Aimed {
  readonly tool: Pick<ToolCall['tool'], 'server' | 'name'>
  /** Dotted name of the argument. */
  readonly argument: string
  readonly text: string
}

/** Who or which rule vouches for it; null: nobody does. */
export function vouchedBy(aimed: Aimed, { source, hidden }: Provenance, known: Known): string | null {
  if (hidden) return null
  const rule = known.rules?.find((each) => source !== null && isOf(each, aimed, { source, now: known.now ?? 0 }))
  if (rule !== undefined) return rule.id
  return known.memory.declassified.find((each) => covers(each, aimed, { source, known }))?.by ?? null
}

function isOf(
  { from, fields, into, arguments: args, until }: DeclassifyRule,
  { tool, argument }: Aimed,
  { source, now }: { readonly source: ValueSource; readonly now: number },
): boolean {
  if (until !== null && now >= until) return false
  const { server, name } = namesOf(source.tool)
  if (!from(server, name) || !into(tool.server, tool.name)) return false
  if (fields !== null && ![...fields].some((field) => isField(source.field, field))) return false
  return args === null || args.has(argument.split('.')[0] ?? '')
}

function covers(
  { values, from, tool, argument, until }: Declassified,
  aimed: Aimed,
  { source, known: { key, now = 0 } }: { readonly source: ValueSource | null; readonly known: Known },
): boolean {
  const { server, name } = aimed.tool
  if (now >= until || (argument !== null && argument !== aimed.argument.split('.')[0])) return false
  if (tool !== null && tool !== (server === null ? name : `${server}/${name}`)) return false
  if (from !== null && (source === null || source.tool !== from.tool || (from.field !== null && !isField(source.field, from.field))))
    return false
  return values === null || comparedForms(fold(aimed.text)).some((form) => values.includes(keyedHash(key, form)))
}
