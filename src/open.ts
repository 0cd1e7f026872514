/** Puts a gate together on this machine: files, clock, store and View. The only place that knows every part by name. */

import { createHash, hash, randomBytes } from 'node:crypto'
import type { ApprovalQueue, Reviewing } from './approvals/queue.ts'
import { approvalSheet } from './approvals/sheet.ts'
import { toRecord } from './audit/record.ts'
import { redactJson } from './audit/redact.ts'
import type { ToolCall } from './core/call.ts'
import { createDigester, type Digester } from './core/digest.ts'
import type { Json } from './core/json.ts'
import { once, onceEach } from './core/once.ts'
import type { ToolName } from './core/tool-name.ts'
import { analyse } from './facts/analyse.ts'
import type { Facts } from './facts/facts.ts'
import { familyTool, splitName } from './facts/tools/index.ts'
import type { View } from './facts/view.ts'
import { createApprovalParts } from './gate/approvals.ts'
import { type CallIdParts, createCallIdParts } from './gate/calls.ts'
import { createCommit } from './gate/commit.ts'
import { createGrantParts } from './gate/grants.ts'
import { handover } from './gate/handover.ts'
import { createLabelParts } from './gate/labels/files.ts'
import { createHandedParts } from './gate/labels/handed.ts'
import { createOutcomeParts } from './gate/outcome/attempts.ts'
import { createPinParts, type PinParts } from './gate/pins.ts'
import { rates } from './gate/rates.ts'
import { repeats } from './gate/repeats.ts'
import { inRole } from './gate/role.ts'
import { createScannerReview, inTurn } from './gate/scanners.ts'
import { scopeNotes } from './gate/scope-notes.ts'
import type { KeptSource } from './gate/tables/kept.ts'
import type { PastSource } from './gate/tables/past.ts'
import { createSessionTables } from './gate/tables/tables.ts'
import { createWrittenParts, type Left } from './gate/written.ts'
import { type ConsideringGate, createGate, type Gate, type GateParts, type PolicyState, type Resolver } from './gate.ts'
import type { JsonLimits } from './ingress/json.ts'
import type { JudgeFunction } from './judges/providers/provider.ts'
import { baseline } from './layers/baseline/index.ts'
import { capability } from './layers/capability/index.ts'
import { contracts } from './layers/contracts/index.ts'
import { flow } from './layers/flow/index.ts'
import { hazard } from './layers/hazard/index.ts'
import { integrity } from './layers/integrity/index.ts'
import type { ResultFinding } from './layers/integrity/result.ts'
import type { Layer } from './layers/layer.ts'
import { outcome } from './layers/outcome/index.ts'
import { createRegistry } from './layers/registry/index.ts'
import { risk } from './layers/risk/index.ts'
import { roles } from './layers/roles/index.ts'
import { rules } from './layers/rules/index.ts'
import { sequences } from './layers/sequences/index.ts'
import { undo } from './layers/undo/index.ts'
import { vocabularyOf } from './layers/vocabulary.ts'
import type { Resolve } from './lookup/hosts.ts'
import type { Fetch } from './lookup/http.ts'
import type { Answers, StateProvider } from './lookup/index.ts'
import { judging } from './open-authorization.ts'
import { baselineParts } from './open-baseline.ts'
import { copiesFirst, openCopies, withCopyNotes } from './open-copies.ts'
import { judgingFiles } from './open-files.ts'
import type { Looked, Looking } from './open-looking.ts'
import { askingOf, type Hosts, lookUpFirst } from './open-lookup.ts'
import { historyFor, memoryParts, pause, takenIn, withAnalysis } from './open-memory.ts'
import { forget, forgetful } from './open-nothing.ts'
import { beforeRunning } from './open-preview.ts'
import { queueOf } from './open-queue.ts'
import { type Landing, type Observation, returning } from './open-returning.ts'
import type { OfferedTool } from './pins/offered.ts'
import type { DeclaredEffect, Policy } from './policy/policy.ts'
import { hookDeadline, operatorPolicies, ownDigest } from './policy/scopes/model.ts'
import { hashKeyOf } from './provenance/keyed-hash.ts'
import { runScanner } from './scanners/run.ts'
import { emptySession, type SessionState } from './session/state.ts'
import type { Signer } from './store/chain.ts'
import type { KeptCopies } from './store/copies/keep.ts'
import { logEnd, pastResults } from './store/session-log.ts'
import { createKeyReader } from './store/sqlite/keys.ts'
import { openStore } from './store/sqlite/open.ts'
import type { Store } from './store/store.ts'
import { digestOfFile } from './view/committed.ts'
import { identityOfMade } from './view/identity.ts'
import { createNodeView } from './view/node.ts'
import { type ProgramPlaces, programPlaces, runningDaemon } from './view/own.ts'

/** What a gate needs of a store. */
export type GateStore = Pick<Store, 'append' | 'run' | 'query' | 'read' | 'now' | 'close'>

export { judgeParts } from './open-judges.ts'
export type { Observation } from './open-returning.ts'
export { stateDirectory } from './view/state-directory.ts'

/** Every layer there is; a new one is one folder and one line here. */
export const LAYERS: readonly Layer[] = [
  integrity,
  hazard,
  flow,
  sequences,
  baseline,
  risk,
  capability,
  roles,
  createRegistry(familyTool),
  contracts,
  undo,
  outcome,
  rules,
]

/** Names that a policy may use. */
export const VOCABULARY = vocabularyOf(LAYERS)

/** The one hash, in the form that core asks for. */
export const digester: Digester = createDigester((text) => hash('sha256', text))

/** Digest of input that never became JSON. */
export function bytesDigest(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update('countersign/refused/v1\0').update(bytes).digest('hex')}`
}

/** What `openGate` takes; everything but `home` and `policy` has a default. */
export interface OpenOptions {
  /** State directory: store, keys, socket. */
  readonly home: string
  /** The policy in force at each call, which may depend on the directory that the call comes from. */
  readonly policy: (cwd: string | null) => PolicyState
  /** A store of the caller's; default: the SQLite file of the state directory. */
  readonly store?: GateStore
  /** Places besides the state directory that the agent must not touch. */
  readonly protect?: readonly string[]
  /** A View of the caller's, such as one described by recorded data. */
  readonly view?: (call: ToolCall, hosts?: Hosts) => View
  /** For the store of the state directory: told that its journal has grown, where another thread copies it into the file. */
  readonly grown?: () => void
  /** False: decisions are not kept. For looking only, never for enforcing. */
  readonly record?: boolean
  /** True: decisions are kept, but nothing is spent: no grant, no approval, no rate. For calls that never run, such as recorded ones. */
  readonly rehearsal?: boolean
  /** Layers that judge; default all of them. */
  readonly layers?: readonly Layer[]
  /** Asked after grants, in order, for whatever is still open. */
  readonly resolvers?: readonly Resolver[]
  /** State providers of the host program, by the names under which the policy binds them. */
  readonly providers?: ReadonlyMap<string, StateProvider>
  /** Tries a call out before people are asked, without its effects: what it shows is shown to them, and their yes binds to it. */
  readonly preview?: GateParts['preview']
  /** Judges of the host program, by the names under which the policy knows them. */
  readonly judges?: ReadonlyMap<string, JudgeFunction>
  /** Milliseconds that all judges of one call may take together, where a host waits no longer; default as the policy says. */
  readonly patienceMs?: number
  /** For providers and judges that are reached over HTTP; default the platform's. */
  readonly fetch?: Fetch
  /** Addresses of a host name, where the policy has names looked up; default the platform's resolver. */
  readonly resolve?: Resolve
}

/** The gate of a state directory, with what stands around it. */
export interface OpenedGate {
  readonly gate: Gate
  readonly store: GateStore
  /** Tells the session what a call returned; later calls are judged by it (`contracts.state`). Answers what is wrong with it, or null. */
  readonly observe: (call: ToolCall, result: Json) => Observation | null
  /** What is wrong with what a call returned; nobody is told of it yet. */
  readonly findings: (call: ToolCall, response: Json) => readonly ResultFinding[]
  /** What has to be known of a call to look its result through, on whichever thread (`lookThrough`). */
  readonly looking: (call: ToolCall) => Looking
  /**
   * Tells the session what was seen in a result that is recorded: `land` belongs into the transaction of its record, and answers what
   * became of the call.
   */
  readonly landing: (call: ToolCall, looked: Looked) => Landing
  /** Where the approvals that this gate opens are read and answered, in this process. */
  readonly queue: ApprovalQueue
  /** Takes in what a server says of its tools, before any of them is called. Rejects where it cannot be kept. */
  readonly learn: (offered: readonly ToolCall[]) => Promise<readonly OfferedTool[]>
  /** For a queue of the caller's own: decides what people change a call into. */
  readonly reviewing: Reviewing
  /** How large and how nested a call may be, as the policy says; what is larger is refused before it is looked at. */
  readonly limits: () => Partial<JsonLimits>
  /** Milliseconds within which a hook's call is decided, as the policy says; null: it says nothing. */
  readonly deadline: () => number | null
  /** True where the policy for calls from this directory names judges. */
  readonly asksJudges: (cwd: string | null) => boolean
  /** True of a prompt that an agent handed on, whose session had taken in what somebody else may have written. */
  readonly isHanded: (prompt: string) => boolean
  readonly close: () => void
}

const micros = (): number => Math.round(performance.now() * 1000)
const KNOWN = { analyse: withAnalysis(analyseCall), history: historyFor, callDigest: digester.callDigest, micros }

/** A gate over the real machine. A store that cannot be opened makes every call a denial, not a crash (P5). */
export function openGate(given: OpenOptions): OpenedGate {
  const { copies, ...options } = keeping(given)
  const { store } = options
  const places: Places = { own: [options.home, ...(options.protect ?? [])], programs: programPlaces(options.home) }
  const keep = options.record !== false
  const spends = keep && options.rehearsal !== true
  const keys = createKeyReader(options.home)
  const grants = createGrantParts({ store, ring: () => (keep ? keys().ring : new Map<string, Signer>()) })
  const approvals = createApprovalParts({ store, keys, ...APPROVAL_TOOLS })
  const callIds = createCallIdParts({ store, keys })
  const tables = createSessionTables(pastOf(store, keep, spends ? keys : null), pause)
  const pins = createPinParts({ store, keys, redact: (value) => redactJson(value).value })
  const { written, labels, handed } = labelParts(store, keys)
  const memory = memoryParts({ home: options.home, keep, store })
  const outcomes = createOutcomeParts({ store, keys, callDigest: digester.callDigest })
  const { judges, graphs } = judging(options, { keep, memory })
  const asking = askingOf(options, { past: tables.ready, graphs })
  const baselines = baselineParts({ home: options.home, keep, store })
  const lasting = [memory.spender, written.spender, tables.spender, pins.spender, rates, judges.spender, repeats.spender, scopeNotes]
  const spenders = spends
    ? [handover, callIds.spender, outcomes.spender, grants.spender, ...lasting, labels.spender, handed.spender, approvals.spender]
    : [memory.spender, written.spender, judges.spender]
  const gate: ConsideringGate = createGate({
    policy: options.policy,
    commit: keep ? createCommit({ store, toRecord, spenders }) : forget,
    view: (call) => viewOf(call, { options, places, hosts: asking.hosts.get(call) }),
    ...KNOWN,
    layers: options.layers ?? LAYERS,
    resolvers: [grants.resolver, ...(options.resolvers ?? [])],
    ...(spends ? { examine: examining(approvals.examine, callIds.examine) } : {}),
    ...beforeRunning(options, spends ? { view: (call) => viewOf(call, { options, places }), own: places.own, gate: () => gate } : null),
    judges: { ...judges, review: inTurn(createScannerReview({ run: runScanner, env: (name) => process.env[name] }), judges.review) },
    prepare: (call) => lookUpFirst(call, gate, asking),
    state: (call, now, policy) => {
      const told = asking.told.get(call)?.get(ownDigest(policy))
      return {
        ...emptySession(now),
        written: written.of(call),
        labels: labels.of(call, now),
        memory: once(() => memory.of(call)),
        baseline: once(() => baselines.of(call)),
        tables: withAnswers(tables.of(call, policy), told?.answers),
        count: onceEach((key) => store.query((tx) => tx.count(key, now))),
        grants: grants.held(call, policy, now),
        ...(spends ? { pin: pins.of(call), attempts: outcomes.of(call) } : {}),
        ...(told === undefined ? {} : { unanswered: told.unanswered }),
      }
    },
    now: store.now,
  })
  const wrapped = (asked: Gate): Gate => inRole(copies === null ? asked : copiesFirst(asked, copies), options.policy)
  return {
    store,
    ...queueOf(gate, { asking, store, home: options.home, own: places.own, digest: digester.digest, spends, wrapped }),
    ...returning(options, { tables, memory, written, outcomes, now: store.now }),
    learn: learning(options, spends ? pins : null),
    ...{ ...askedOfPolicy(options), isHanded: handed.isHanded },
    close: () => closeAll([asking.sql.sqlite, store]),
  }
}

/** What stays with files and words that go from one agent to another. */
function labelParts(store: GateStore, keys: () => { readonly current: Signer }) {
  const known = { store, sha256: (text: string) => hash('sha256', text) }
  const key = () => hashKeyOf(keys().current.mac('countersign/handed-words/v1'))
  return {
    written: createWrittenParts({ ...known, look: lookAtLeft, callDigest: digester.callDigest }),
    labels: createLabelParts({ ...known, source: takenIn }),
    handed: createHandedParts({ store, key, source: takenIn }),
  }
}

const lookAtLeft = ({ path, directory, since }: Left): string | null => (directory ? identityOfMade(path, since) : digestOfFile(path))

/** @param keys null: nothing is written down of the state of contracts. */
function pastOf(store: GateStore, keep: boolean, keys: KeptSource['keys'] | null): PastSource {
  if (!keep) return { results: () => [] }
  return { results: (query) => pastResults(store, query), log: logEnd(store), ...(keys === null ? {} : { kept: { store, keys } }) }
}

function askedOfPolicy({ policy }: OpenOptions): Pick<OpenedGate, 'limits' | 'deadline' | 'asksJudges'> {
  return {
    limits: () => limitsOf(policy(null)),
    deadline: () => hookDeadline(policy(null).policy),
    asksJudges: (cwd) => (policy(cwd).policy?.judges.named.size ?? 0) > 0,
  }
}

/** One text may be all of a call. */
function limitsOf({ policy }: PolicyState): Partial<JsonLimits> {
  return policy === null ? {} : { maxBytes: policy.limits.maxBytes, maxString: policy.limits.maxBytes, maxDepth: policy.limits.maxDepth }
}

/** The store to decide over, and what the policies say with it. Copies of the head are kept of the log of the state directory. */
function keeping(given: OpenOptions): OpenOptions & { readonly store: GateStore; readonly copies: KeptCopies | null } {
  if (given.record === false) return { ...given, store: forgetful(), copies: null }
  if (given.store !== undefined) return { ...given, store: given.store, copies: null }
  const opened = openOrRefuse(given)
  if (opened.refused) return { ...given, store: opened.store, copies: null }
  const copies = openCopies(opened.store, given)
  return { ...given, store: copies.store, policy: withCopyNotes(given.policy, copies), copies }
}

function closeAll(parts: readonly { readonly close: () => void }[]): void {
  for (const part of parts) part.close()
}

const NOTHING_ELSE = { findings: [], resolver: null }

/** What the call's id and approvals say, and what was denied before. */
function examining(examine: NonNullable<GateParts['examine']>, byId: CallIdParts['examine']): NonNullable<GateParts['examine']> {
  return (judgement, context) => {
    const known = byId(context)
    const said = known === null ? examine(judgement, context) : { ...NOTHING_ELSE, ...known }
    const raised = repeats.examine(judgement, context)
    return raised.length === 0 ? said : { ...said, findings: [...said.findings, ...raised] }
  }
}

function learning({ policy }: OpenOptions, pins: Pick<PinParts, 'learn'> | null): OpenedGate['learn'] {
  return async (offered) => {
    const { policy: loaded } = policy(offered[0]?.cwd ?? null)
    return loaded === null || pins === null ? [] : pins.learn(offered, loaded)
  }
}

/** What approvals need of this machine. */
const APPROVAL_TOOLS = {
  digest: digester.digest,
  sha256: (text: string) => hash('sha256', text),
  random: (bytes: number) => randomBytes(bytes).toString('hex'),
  sheet: approvalSheet,
}

function withAnswers(tables: SessionState['tables'], answers: Answers | undefined): SessionState['tables'] {
  return answers === undefined || answers.size === 0 ? tables : new Map([...tables, ...answers])
}

/** The caller's View, or this machine's, with the names that were looked up for the call. */
function viewOf(call: ToolCall, at: { readonly options: OpenOptions; readonly places: Places; readonly hosts?: Hosts | undefined }): View {
  const { options, places, hosts } = at
  if (options.view !== undefined) return options.view(call, hosts)
  const { policy } = options.policy(call.cwd)
  const { packages, others } = places.programs
  const develops = policy !== null && operatorPolicies(policy).every(({ guards }) => guards.ownProgram.develop)
  return createNodeView({
    cwd: call.cwd,
    gate: [...places.own, ...judgingFiles(policy)],
    programs: develops ? others : [...packages, ...others],
    daemon: () => runningDaemon(options.home),
    hosts,
  })
}

interface Places {
  readonly own: readonly string[]
  readonly programs: ProgramPlaces
}

/** The facts of a call under a policy's limits and tokens. */
export function analyseCall(call: ToolCall, view: View, context: { state: SessionState; policy: Policy | null }): Facts {
  const policies = context.policy === null ? [] : operatorPolicies(context.policy)
  return analyse(call, view, {
    state: context.state,
    canaryTokens: policies.flatMap(({ guards }) => guards.canary.tokens),
    maxCommandBytes: context.policy?.limits.maxCommandBytes ?? 64 * 1024,
    declared: policies.flatMap((policy) => spelledAs(call).flatMap((tool) => declaredEffects(tool, policy))),
  })
}

/** Every spelling of the tool. */
function spelledAs({ tool, alsoNamed }: ToolCall): readonly ToolName[] {
  return alsoNamed === undefined ? [tool] : [tool, ...alsoNamed.filter(({ sure }) => sure)]
}

const NOTHING_DECLARED: readonly DeclaredEffect[] = []

/** What the policy says of the tool, under its server's name and under its bare one: both raise. */
function declaredEffects(tool: ToolName, { registry }: Policy): readonly DeclaredEffect[] {
  const { server, name } = splitName(tool.server, tool.name)
  if (server === null && name === tool.name) return registry.tools.get(name)?.effects ?? NOTHING_DECLARED
  const names = new Set([tool.name, name, ...(server === null ? [] : [`${server}/${name}`])])
  return [...names].flatMap((each) => registry.tools.get(each)?.effects ?? [])
}

function openOrRefuse({ home, grown }: OpenOptions): { readonly store: GateStore; readonly refused: boolean } {
  try {
    return { store: openStore({ directory: home, ...(grown === undefined ? {} : { grown }) }), refused: false }
  } catch (error) {
    const refuse = () => Promise.reject(error)
    const fail = () => {
      throw error
    }
    return { store: { append: refuse, run: refuse, query: fail, read: fail, now: Date.now, close: () => {} }, refused: true }
  }
}
