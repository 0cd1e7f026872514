/**
 * Has a judge make an authorisation graph of each request of a user, before the first call that comes with it is judged. What it says is
 * recorded and remembered with the session, and is one event of its memory; a judge that gives none is not asked again for that request.
 */

import type { KnownTool } from '../../authorization/graph/model.ts'
import { linesOfGraph } from '../../authorization/graph/words.ts'
import type { ToolCall } from '../../core/call.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import type { PolicyState } from '../../gate.ts'
import { askForGraph, type GraphAnswer } from '../../judges/graph.ts'
import type { Policy } from '../../policy/policy.ts'
import { keyedHash } from '../../provenance/keyed-hash.ts'
import { keptPermits } from '../../session/memory/graph.ts'
import type { RecordInput, Store } from '../../store/store.ts'
import { countAsked, isResting, isSpent } from '../judge-memory.ts'
import type { JudgeGateParts } from '../judges.ts'
import type { MemoryParts } from '../session-memory.ts'

export interface AuthorizationSource {
  readonly policy: (cwd: string | null) => PolicyState
  readonly memory: Pick<MemoryParts, 'of' | 'graph'>
  readonly judges: Pick<JudgeGateParts, 'consult' | 'payload' | 'patienceMs'>
  readonly store: Pick<Store, 'query' | 'run' | 'now'>
  /** Definitions that were pinned, by the tenant of the call. */
  readonly pinned: (call: ToolCall) => readonly KnownTool[]
  /** An event as it is recorded: without its secrets. */
  readonly record: (event: Omit<RecordInput, 'erased'>) => RecordInput
  /** False: nothing is recorded, so the memory is this process's alone. */
  readonly keep: boolean
}

/** Requests of one session of which a graph is made. */
const MAX_REQUESTS = 16

/** Null where no judge has to be asked before this call; never rejects. */
export function graphsFirst(source: AuthorizationSource): (call: ToolCall) => Promise<void> | null {
  const asking = new Map<string, Promise<void>>()
  return (call) => {
    const due = dueOf(call, source)
    if (due === null) return null
    const name = JSON.stringify([call.principal.tenant, call.session, due.task])
    // Calls that come at the same time wait for one answer.
    const made = asking.get(name) ?? make(call, due, source).finally(() => asking.delete(name))
    asking.set(name, made)
    return made
  }
}

interface Due {
  readonly policy: Policy
  readonly judge: string
  /** Hash of the request. */
  readonly task: number
  readonly request: string
}

function dueOf(call: ToolCall, { policy: policyFor, memory, store }: AuthorizationSource): Due | null {
  const { task: request, vouched } = call.context
  if (call.session === null || vouched !== true || request === null || request.trim() === '') return null
  try {
    const { policy } = policyFor(call.cwd)
    const judge = policy?.authorization.judge ?? null
    const known = policy === null || judge === null ? null : memory.of(call)
    if (policy === null || judge === null || known === null) return null
    const task = keyedHash(known.key, request)
    if (known.memory.graphs.some((graph) => graph.task === task)) return null
    const made = store.query((tx) => tx.count(requestsKey(call), store.now()))
    return made >= MAX_REQUESTS ? null : { policy, judge, task, request }
  } catch {
    // A memory that cannot be read now is for the gate to refuse.
    return null
  }
}

function requestsKey({ principal, session }: ToolCall): readonly [string, ...string[]] {
  return [principal.tenant ?? '', 'graphs', session ?? '']
}

async function make(call: ToolCall, due: Due, source: AuthorizationSource): Promise<void> {
  try {
    const answer = await asked(call, due, source)
    if (answer !== null) await keep(call, due, { source, answer })
  } catch {
    // Without a graph the rules decide.
  }
}

async function asked(call: ToolCall, { policy, judge: name, request }: Due, source: AuthorizationSource): Promise<GraphAnswer | null> {
  const { judges, store } = source
  const judge = policy.judges.named.get(name)
  if (judge === undefined) return null
  const now = store.now()
  const count = (key: readonly [string, ...string[]]): number => store.query((tx) => tx.count(key, now))
  const shown = judges.payload.redact(request)
  return askForGraph(
    {
      judge,
      request: typeof shown === 'string' ? shown : '',
      tools: knownTools(call, policy, source),
      agent: call.principal.agent,
      timeoutMs: Math.min(judge.timeoutMs, judges.patienceMs ?? judge.timeoutMs),
      spent: isSpent(judge, call, { count, now }),
      resting: isResting(judge, call, { count, now }),
    },
    { ...judges.consult, sha256: judges.payload.sha256 },
  )
}

const MONTH = 2_592_000_000

async function keep(
  call: ToolCall,
  { task, judge }: Due,
  { source, answer }: { readonly source: AuthorizationSource; readonly answer: GraphAnswer },
): Promise<void> {
  const { store, memory } = source
  const at = store.now()
  const known = memory.of(call)
  if (known === null) return
  const permits = answer.graph === null ? null : keptPermits(answer.graph, known.key)
  const land = memory.graph(call, { kind: 'graph', at, task, by: judge, permits }, source.keep)
  if (!source.keep) return
  await store.run(
    (tx) => {
      land(tx)
      tx.add([...requestsKey(call)], 1, { now: at, expiresAt: at + MONTH })
      countAsked(tx, answer.evidence, { call, at })
    },
    () => source.record(graphEvent(call, answer, at)),
  )
}

/** What the operator is shown of it. */
function graphEvent({ session, principal, context }: ToolCall, answer: GraphAnswer, at: number): Omit<RecordInput, 'erased'> {
  const { graph, problems, failure, evidence } = answer
  return {
    kind: 'session',
    session,
    tenant: principal.tenant,
    tool: null,
    decision: null,
    code: failure?.code ?? null,
    at,
    body: {
      event: 'authorization_graph',
      request: context.task,
      permits: graph === null ? null : linesOfGraph(graph),
      problems: problems.map(({ code, pointer, message }) => ({ code, pointer, message })),
      judge: evidence,
    },
  }
}

/** Of the policy, of what was pinned, and of the call at hand: its definition came before any result of this request. */
function knownTools(call: ToolCall, { registry }: Policy, { pinned }: AuthorizationSource): readonly KnownTool[] {
  const tools = new Map<string, KnownTool>()
  const add = (tool: KnownTool): void => {
    if ((tools.get(tool.name)?.arguments ?? null) === null) tools.set(tool.name, tool)
  }
  for (const [name, { inputSchema, roles }] of registry.tools) {
    const known = argumentsIn(inputSchema)
    add({
      name,
      description: null,
      arguments: known ?? (roles.size === 0 ? null : new Map([...roles].map(([key, { role }]) => [key, role]))),
    })
  }
  for (const tool of pinned(call)) add(tool)
  const { server, name } = call.tool
  add(toolOf(server === null ? name : `${server}/${name}`, call.definition))
  return [...tools.values()].slice(0, MAX_TOOLS)
}

const MAX_TOOLS = 128

type Defined = { readonly description: string | null; readonly inputSchema: JsonObject | null }

export function toolOf(name: string, definition: Defined | null): KnownTool {
  return { name, description: definition?.description ?? null, arguments: argumentsIn(definition?.inputSchema ?? null) }
}

function argumentsIn(schema: JsonObject | null): ReadonlyMap<string, string> | null {
  const properties = schema === null ? undefined : own(schema, 'properties')
  if (!isJsonObject(properties)) return null
  return new Map(Object.keys(properties).map((key) => [key, saidOf(own(properties, key) ?? null)]))
}

function saidOf(schema: Json): string {
  if (!isJsonObject(schema)) return ''
  const [type, description] = [own(schema, 'type'), own(schema, 'description')]
  return [type, description].filter((part) => typeof part === 'string').join(': ')
}
