/** The memory of sessions for a gate on this machine, and what it tells of the flow of data in a call. */
import { randomBytes } from 'node:crypto'
import type { ToolCall } from './core/call.ts'
import type { History } from './core/history.ts'
import type { Facts } from './facts/facts.ts'
import { familyTool, splitName } from './facts/tools/registry.ts'
import type { RoleOverrides } from './facts/tools/roles/of-call.ts'
import type { View } from './facts/view.ts'
import { flowOf } from './flow/analyse.ts'
import { type HistoryContext, historyOf, secretRunsOut } from './flow/history.ts'
import { withLabels } from './flow/labelled.ts'
import { aimsUnnamed, filesLeft, holdsOf } from './flow/noted.ts'
import { reachOfCall } from './flow/reach.ts'
import { type DeclassifyRule, type SourceTrust, tookInUntrusted } from './flow/trust.ts'
import type { CommitContext } from './gate/commit.ts'
import { createMemoryParts, type Decided, type KnownMemory, type MemoryParts, type Noted } from './gate/session-memory.ts'
import type { ToolPattern } from './policy/glob.ts'
import type { Policy } from './policy/policy.ts'
import { ruleInput } from './policy/reading/input.ts'
import { judgingPolicies, operatorPolicies } from './policy/scopes/model.ts'
import { type HashKey, keyedHash } from './provenance/keyed-hash.ts'
import type { Mark } from './session/memory/monitors.ts'
import { liftedAt } from './session/risk/run.ts'
import type { SessionState } from './session/state.ts'
import { isLogged } from './store/session-log.ts'
import { loadKeys, signerOf } from './store/sqlite/keys.ts'
import type { Store } from './store/store.ts'

export interface MemoryOptions {
  readonly home: string
  /** False: nothing is kept, so the memory is this process's alone. */
  readonly keep: boolean
  readonly store: Pick<Store, 'query'>
}

export function memoryParts({ home, keep, store }: MemoryOptions): MemoryParts {
  const own = signerOf(randomBytes(32))
  return createMemoryParts({
    store,
    keys: () => (keep ? loadKeys(home) : { current: own, ring: new Map([[own.id, own]]) }),
    logged: (tenant, session) => keep && isLogged(store, tenant, session),
    noted: notedOf,
  })
}

/** The facts with what the session knows of where the arguments come from. Without a session nothing is known of it. */
function withFlow(call: ToolCall, facts: Facts, { state, policy }: { readonly state: SessionState; readonly policy: Policy }): Facts {
  const known = readable(state.memory)
  if (known === null) return facts
  const flow = flowOf(call, facts, { ...known, ...knowledge(call, policy), now: state.now })
  return flow === null ? facts : { ...facts, flow }
}

type Analyse = (call: ToolCall, view: View, known: { readonly state: SessionState; readonly policy: Policy }) => Facts

/** The analysis of a call with the flow of its data. */
export function withAnalysis(analyse: Analyse): Analyse {
  return (call, view, known) => withFlow(call, withLabels(call, analyse(call, view, known), { view, labels: known.state.labels }), known)
}

/** What rules over time and flow may ask of the session. */
export function historyFor(
  call: ToolCall,
  facts: Facts,
  { state, policy }: { readonly state: SessionState; readonly policy: Policy },
): History | null {
  const known = readable(state.memory)
  return known === null
    ? null
    : historyOf({ call, facts, ...known, ...knowledge(call, policy), now: state.now, lifted: lifted(call, state) })
}

/** What cannot be read now is for the memory to refuse. */
function lifted(call: ToolCall, state: SessionState): number {
  try {
    return liftedAt(state.count, call)
  } catch {
    return 0
  }
}

type Knowledge = Pick<HistoryContext, 'trust' | 'roles' | 'hostTool' | 'rules' | 'wordsAuthorize'>

/** By policy and tool: it is asked for thrice at each decision. Bounded, for whoever calls names the tool. */
const KNOWLEDGE = new WeakMap<Policy, Map<string, Knowledge>>()
const MAX_KNOWN_TOOLS = 1_024

function knowledge(call: ToolCall, policy: Policy): Knowledge {
  const { server, name } = call.tool
  const tool = server === null ? ` ${name}` : `${server.length} ${server} ${name}`
  let known = KNOWLEDGE.get(policy)
  if (known === undefined || known.size >= MAX_KNOWN_TOOLS) {
    known = new Map()
    KNOWLEDGE.set(policy, known)
  }
  let found = known.get(tool)
  if (found === undefined) {
    found = knowledgeOf(call, policy)
    known.set(tool, found)
  }
  return found
}

function knowledgeOf(call: ToolCall, policy: Policy): Knowledge {
  const wordsAuthorize = judgingPolicies(policy).every(({ authorization }) => authorization.words)
  return {
    trust: trustOf(policy),
    rules: rulesOf(policy),
    roles: rolesOf(call, policy),
    hostTool: isHostTool(call, policy),
    wordsAuthorize,
  }
}

/** By which tool what somebody else may have written came into the session of a call that was decided, or into the call; null: by none. */
export function takenIn({ basis }: CommitContext): string | null {
  if (basis === null) return null
  const { facts, policy, state } = basis
  const [label] = facts.labelled ?? []
  const tools = readable(state.memory)?.memory.untrusted.keys() ?? []
  return label?.source ?? [...tools].find((tool) => tookInUntrusted(trustOf(policy), [tool])) ?? null
}

/** What is remembered of a call that was decided. */
function notedOf({ call, at, basis }: CommitContext, { decision }: Decided, { memory, key }: KnownMemory): Noted {
  if (basis === null) return { reach: 'tool', holds: null, marks: [], sent: [], files: [], aims: [] }
  const { facts, policy, state } = basis
  const context: HistoryContext = { call, facts, memory, key, ...knowledge(call, policy), now: at }
  const wrote = (path: string): boolean => state.written.get(path) !== undefined
  return {
    // What another session left in a file is read as what it took in.
    reach: facts.labelled === undefined ? reachOfCall(call, facts, { hostTool: context.hostTool, wrote }) : 'tool',
    holds: holdsOf(facts, context.hostTool),
    sent: secretRunsOut(context),
    files: filesLeft(context),
    aims: aimsUnnamed(context),
    marks: marksOf({ call, facts, policy, history: historyOf(context), key, decision }),
  }
}

interface Marked {
  readonly call: ToolCall
  readonly facts: Facts
  readonly policy: Policy
  readonly history: History
  readonly key: HashKey
  readonly decision: string
}

/** What the rules of every policy look for and found in the call, each thing once. */
function marksOf({ call, facts, policy, history, key, decision }: Marked): readonly Mark[] {
  const rules = judgingPolicies(policy).flatMap(({ sequences }) => sequences)
  const found = new Map<string, Mark>()
  const names = [call.tool, ...(call.alsoNamed ?? [])]
  for (const { condition } of names.map((name) => ruleInput({ ...call, tool: { ...call.tool, ...name } }, facts))) {
    for (const { by, value, ...mark } of rules.flatMap((rule) => rule.marks(condition, history, decision))) {
      const plain = typeof value === 'number' ? value : keyedHash(key, value)
      if (!found.has(mark.id)) found.set(mark.id, { ...mark, by: by === null ? 0 : keyedHash(key, by), value: plain })
    }
  }
  return [...found.values()].slice(0, MAX_MARKS)
}

const MAX_MARKS = 64
/** A denial stands without its memory. Nothing is allowed without it: whoever cannot read the memory cannot add to it either. */
function readable(memory: SessionState['memory']): ReturnType<SessionState['memory']> {
  try {
    return memory()
  } catch {
    return null
  }
}

/** A tool of the agent's own host, of a family that the operator registered. */
function isHostTool({ tool }: Pick<ToolCall, 'tool'>, { registry }: Policy): boolean {
  if (splitName(tool.server, tool.name).server !== null) return false
  const family = familyTool(null, tool.name, registry.families)?.family
  return family !== undefined && registry.families.has(family)
}

const NO_ROLES: RoleOverrides = new Map()

function rolesOf({ tool }: ToolCall, policy: Policy): RoleOverrides {
  const { server, name } = splitName(tool.server, tool.name)
  for (const { registry } of operatorPolicies(policy)) {
    const found = registry.tools.get(`${server}/${name}`) ?? registry.tools.get(name)
    if (found !== undefined && found.roles.size > 0) return found.roles
  }
  return NO_ROLES
}

const TRUST = new WeakMap<Policy, readonly SourceTrust[]>()

/** Of the operator's policies: nobody else says who is believed. */
function trustOf(policy: Policy): readonly SourceTrust[] {
  const known = TRUST.get(policy)
  if (known !== undefined) return known
  const made = operatorPolicies(policy).flatMap(({ flow }) =>
    flow.sources.map(({ tools, fields, trust }): SourceTrust => {
      return { matches: (server, tool) => tools.some((pattern) => pattern.matches(server, tool)), fields, trust }
    }),
  )
  TRUST.set(policy, made)
  return made
}

const RULES = new WeakMap<Policy, readonly DeclassifyRule[]>()

/** Of the operator's policies, as `trustOf`. */
function rulesOf(policy: Policy): readonly DeclassifyRule[] {
  const known = RULES.get(policy)
  if (known !== undefined) return known
  const made = operatorPolicies(policy).flatMap(({ flow }) =>
    flow.declassify.map(({ from, into, ...rest }): DeclassifyRule => ({ ...rest, from: anyOf(from), into: anyOf(into) })),
  )
  RULES.set(policy, made)
  return made
}

function anyOf(patterns: readonly ToolPattern[]): DeclassifyRule['from'] {
  return (server, tool) => patterns.some((pattern) => pattern.matches(server, tool))
}

/** Between two slices of a long reading. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
