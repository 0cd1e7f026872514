import { isJsonObject, own } from '../../core/json.ts'
import type { OpenedGate } from '../../open.ts'
import { parseUpstream } from '../../policy/proxies/model-section.ts'
import { type AgentsApi, ApiFault, createAgentsApi } from '../../proxies/agents/api.ts'
import { ungatedTools } from '../../proxies/agents/wire.ts'
import { createWorker, type WorkerParts } from '../../proxies/agents/worker.ts'
import { openMcpGate } from '../mcp/parts.ts'
import { stopped } from '../proxies/serving.ts'
import { type Beside, sessionParts } from '../proxies/session-parts.ts'
import { EXIT, print, UsageError, visible } from '../terminal.ts'

interface ApiAt {
  readonly url?: string
  readonly workspace?: string
}

interface WorkerOptions extends ApiAt {
  readonly all?: boolean
  readonly policy?: string
  readonly role?: string
  readonly agent?: string
}

/** Milliseconds between two looks for new sessions. */
const LOOK_MS = 10_000

/** `countersign agents worker`: runs until it is told to stop, or until the sessions that were named are over. */
export async function worker(sessions: readonly string[], options: WorkerOptions): Promise<number> {
  if (sessions.length === 0 && options.all !== true) throw new UsageError('name the sessions, or give `--all`')
  if (sessions.length > 0 && options.all === true) throw new UsageError('give either sessions or `--all`, not both')
  const api = apiOf(options)
  const house = openMcpGate({ agent: 'claude-managed-agents', ...options })
  const parts: WorkerParts = { ...partsOf(house, api), principal: house.principal }
  const { attend } = createWorker(parts)
  const end = new AbortController()
  const { signal } = end
  let faults = 0
  const attended = async (session: string): Promise<void> => {
    try {
      for (const line of await ungatedLines(api, session, signal)) parts.note(line)
      await attend(session, signal)
      parts.note(`${session}: over`)
    } catch (error) {
      if (signal.aborted) return
      faults++
      parts.note(`${session}: not attended any more: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const told = stopped().then(() => end.abort())
  try {
    if (options.all === true) await Promise.race([everySession(api, attended, { signal, note: parts.note }), told])
    else await Promise.race([Promise.all(sessions.map(attended)), told])
  } finally {
    end.abort()
    await house.close()
  }
  return faults === 0 ? EXIT.ok : EXIT.broken
}

/** `countersign agents check`. */
export async function check(sessions: readonly string[], options: ApiAt): Promise<number> {
  const api = apiOf(options)
  let found = 0
  for (const session of sessions) {
    const lines = await ungatedLines(api, session, new AbortController().signal).catch((error: unknown) => {
      throw error instanceof ApiFault ? new UsageError(error.message) : error
    })
    found += lines.length
    for (const line of lines) print(visible(line))
    if (lines.length === 0) print(visible(`${session}: every tool is asked about`))
  }
  return found === 0 ? EXIT.ok : EXIT.broken
}

async function ungatedLines(api: AgentsApi, session: string, signal: AbortSignal): Promise<readonly string[]> {
  const found = ungatedTools(await api.session(session, signal))
  if (found === null) return [`${session}: it does not tell which tools it has, so nobody knows which run without a question`]
  return found.map(
    ({ agent, tool, policy }) =>
      `${session}: \`${tool}\` of ${agent} runs without a question (${policy}): the gate sees it only afterwards`,
  )
}

interface Looking {
  readonly signal: AbortSignal
  readonly note: (line: string) => void
}

async function everySession(api: AgentsApi, attended: (session: string) => Promise<void>, { signal, note }: Looking): Promise<void> {
  const running = new Set<string>()
  while (!signal.aborted) {
    try {
      for (const session of await api.sessions(signal)) {
        if (running.has(session)) continue
        running.add(session)
        void attended(session).finally(() => running.delete(session))
      }
    } catch (error) {
      if (!(error instanceof ApiFault) || !error.passes) throw error
      note(`the list of sessions: ${error.message}; trying again`)
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS).unref())
  }
}

function apiOf({ url, workspace }: ApiAt): AgentsApi {
  const key = process.env.ANTHROPIC_API_KEY
  if (!key) throw new UsageError('`ANTHROPIC_API_KEY` is not set')
  const named = url ?? process.env.ANTHROPIC_BASE_URL ?? 'https://api.anthropic.com'
  const at = parseUpstream(named)
  if (at === null)
    throw new UsageError(`\`${named}\` is no address of an API; write it as https://api.anthropic.com (http only on this machine)`)
  return createAgentsApi({ url: new URL(at), key, ...(workspace === undefined ? {} : { workspace }) })
}

interface House extends Beside {
  readonly opened: OpenedGate
}

/** What the worker needs of an open gate. */
export function partsOf({ opened, ...beside }: House, api: AgentsApi): Omit<WorkerParts, 'principal'> {
  return {
    ...sessionParts(opened, { proxy: 'agents', upstream: 'managed-agents' }, beside),
    api,
    known: (session) => knownOf(opened, session),
  }
}

function knownOf({ store }: Pick<OpenedGate, 'store'>, session: string): ReturnType<WorkerParts['known']> {
  const results = new Set<string>()
  for (const { body } of listed(store.read({ session, kind: 'result' }))) {
    const call = own(body, 'call')
    const id = isJsonObject(call) ? own(call, 'call_id') : undefined
    if (typeof id === 'string') results.add(id)
  }
  const prompted = listed(store.read({ session, kind: 'session' })).some(({ body }) => own(body, 'event') === 'prompt')
  return { results, prompted }
}

function listed<T>(records: Iterable<T> | AsyncIterable<T>): readonly T[] {
  return Symbol.iterator in records ? [...records] : []
}
