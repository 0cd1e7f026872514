/**
 * Calls that touch what the user did not speak of, once text came in that somebody else may have written. Where nobody vouches for what
 * the user asked for, or the call names no session, this cannot be told: then it is marked and nothing more.
 */
import type { Finding } from '../../core/finding.ts'
import type { JsonObject } from '../../core/json.ts'
import type { ArgumentFlow, Authorization, FlowFact } from '../../facts/facts.ts'
import type { Policy } from '../../policy/policy.ts'
import { finding } from '../finding.ts'
import type { Layer } from '../layer.ts'

export const flow: Layer = {
  name: 'flow',
  onError: 'ask',
  evaluate: ({ facts: { flow: fact }, policy }): readonly Finding[] => {
    if (fact === undefined) return []
    const covered = fact.authorization != null && lifts(fact.authorization, policy)
    if (isDoubted(fact, policy.flow.askAt)) return covered ? [authorized(fact, fact.authorization)] : [doubted(fact)]
    return isUncovered(fact, policy) && !covered ? [uncovered(fact)] : []
  },
}

function isDoubted(fact: FlowFact, askAt: number | null): boolean {
  if (askAt === null || fact.doubt < askAt) return false
  return !fact.taskUnknown || fact.arguments.some(isFromOthers)
}

/** A policy takes a graph from nobody but the judge that it names itself. */
function lifts({ by, judge }: Authorization, { authorization }: Policy): boolean {
  return by === 'words' ? authorization.words : judge === authorization.judge
}

/** Only where there is a graph, and only once something came in that could have asked for the call: text of others leaves doubt. */
function isUncovered({ graph, doubt }: FlowFact, { authorization }: Policy): boolean {
  const from = authorization.uncoveredAt
  return from !== null && graph === authorization.judge && graph != null && doubt > 0 && doubt >= from
}

/** Nothing is permitted by it: the question is not asked, and the record says why. */
function authorized(fact: FlowFact, { by, judge, permit }: Authorization): Finding {
  const told = by === 'words' ? `the user ${permit}` : `the graph of \`${judge}\` covers it: ${permit}`
  return finding({
    layer: 'flow',
    rule: 'unasked',
    verdict: 'abstain',
    code: 'flow.authorized',
    message: told,
    evidence: { ...evidenceOf(fact), authorized: { by, judge, permit } },
  })
}

function uncovered(fact: FlowFact): Finding {
  return finding({
    layer: 'flow',
    rule: 'uncovered',
    verdict: 'ask',
    code: 'flow.uncovered',
    message: `the graph that \`${fact.graph}\` made of the request covers no such call`,
    evidence: evidenceOf(fact),
    resolvers: ['judge', 'human'],
  })
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

function flowJson({ pointer, name, role, origin, source, hidden, by }: ArgumentFlow): JsonObject {
  return {
    pointer,
    argument: name,
    role,
    origin,
    ...(source === null ? {} : { source: { tool: source.tool, field: source.field, step: source.step } }),
    ...(hidden ? { hidden } : {}),
    ...(by === undefined ? {} : { by }),
  }
}
