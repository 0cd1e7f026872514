/**
 * Calls that touch what the user did not speak of, once text came in that somebody else may have written. Where nobody vouches for what
 * the user asked for, or the call names no session, this cannot be told: then it is marked and nothing more.
 */
import type { Finding } from '../../core/finding.ts'
import type { JsonObject } from '../../core/json.ts'
import type { ArgumentFlow, FlowFact } from '../../facts/facts.ts'
import { finding } from '../finding.ts'
import type { Layer } from '../layer.ts'

export const flow: Layer = {
  name: 'flow',
  onError: 'ask',
  evaluate: ({ facts, policy }): readonly Finding[] => {
    const { askAt } = policy.flow
    if (askAt === null || facts.flow === undefined || facts.flow.doubt < askAt) return []
    if (facts.flow.taskUnknown && !facts.flow.arguments.some(isFromOthers)) return []
    return [doubted(facts.flow)]
  },
}

/** Without a request nothing is asked for and nothing is named: only what others wrote says anything. */
function isFromOthers({ role, origin }: ArgumentFlow): boolean {
  return role === 'target' && (origin === 'text' || origin === 'selected-text')
}

function doubted(fact: FlowFact): Finding {
  const common = { layer: 'flow', rule: 'unasked', evidence: evidenceOf(fact) } as const
  const message = messageOf(fact)
  if (fact.taskUnknown)
    return finding({
      ...common,
      verdict: 'flag',
      code: 'flow.unknown_task',
      message: `${message}; nobody vouches for a request of the user`,
    })
  return finding({ ...common, verdict: 'ask', code: 'flow.unasked', message, resolvers: ['judge', 'human'] })
}

/** From which on an origin is told: what comes from the user needs no explanation. */
const TOLD: ReadonlySet<string> = new Set(['structured', 'named-text', 'selected-text', 'text', 'nowhere'])

function messageOf({ arguments: args, because }: FlowFact): string {
  const told = args.filter(({ origin }) => TOLD.has(origin)).slice(0, 4)
  return [...told.map(argumentText), ...because].join('; ')
}

function argumentText({ name, source, origin, hidden }: ArgumentFlow): string {
  if (source === null)
    return `\`${name}\` ${origin === 'nowhere' ? 'stands neither in the user’s words nor in a result' : 'stands in an earlier result'}`
  const field = source.field === '' ? '' : `, field \`${source.field}\``
  return `\`${name}\` stands in the result of \`${source.tool}\`${field}${hidden ? ', in another form' : ''}; the user did not name it`
}

function evidenceOf({ act, match, doubt, arguments: args }: FlowFact): JsonObject {
  return { act, match, doubt, flows: args.map(flowJson) }
}

function flowJson({ pointer, name, role, origin, source, hidden }: ArgumentFlow): JsonObject {
  return {
    pointer,
    argument: name,
    role,
    origin,
    ...(source === null ? {} : { source: { tool: source.tool, field: source.field, step: source.step } }),
    ...(hidden ? { hidden } : {}),
  }
}
