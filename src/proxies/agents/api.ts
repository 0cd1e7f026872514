/** The sessions of Claude Managed Agents over HTTP: what they are, what happened, what happens, and what we answer. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'
import { FrameReader } from '../model/sse.ts'

export interface AgentsApi {
  readonly session: (id: string, signal: AbortSignal) => Promise<JsonObject>
  /** Ids of sessions that are not over. */
  readonly sessions: (signal: AbortSignal) => Promise<readonly string[]>
  /** All events so far, the oldest first. */
  readonly history: (id: string, signal: AbortSignal) => Promise<readonly Json[]>
  /** Resolves once it is open; events from then on. */
  readonly stream: (id: string, signal: AbortSignal) => Promise<AsyncIterable<Json>>
  readonly send: (id: string, events: readonly JsonObject[], signal: AbortSignal) => Promise<void>
}

export interface ApiOptions {
  readonly url: URL
  readonly key: string
  /** Absent: the workspace that the key belongs to. */
  readonly workspace?: string
}

/** The API did not answer as it should. */
export class ApiFault extends Error {
  override readonly name = 'ApiFault'
  /** HTTP status; null: there was none. */
  readonly status: number | null

  constructor(message: string, status: number | null) {
    super(message)
    this.status = status
  }

  /** True where the same request may be answered later. */
  get passes(): boolean {
    return this.status === null || this.status === 408 || this.status === 429 || this.status >= 500
  }
}

const BETA = 'managed-agents-2026-04-01'
/** Pages that are read of one list. */
const MAX_PAGES = 1_000
/** Milliseconds for an answer that is no stream. */
const ANSWER_MS = 30_000
/** Milliseconds without a byte after which a stream is taken for dead; servers send comments in between. */
const SILENCE_MS = 300_000

export function createAgentsApi({ url, key, workspace }: ApiOptions): AgentsApi {
  const headers = {
    'anthropic-beta': BETA,
    'anthropic-version': '2023-06-01',
    'x-api-key': key,
    ...(workspace === undefined ? {} : { 'anthropic-workspace-id': workspace }),
  }
  const ask = async (path: string, more: RequestInit): Promise<Response> => {
    const to = new URL(`${url.pathname.replace(/\/$/, '')}${path}`, url)
    const init: RequestInit = { redirect: 'error', ...more, headers: { ...headers, ...more.headers } }
    const answer = await fetch(to, init).catch((error: unknown) => {
      throw new ApiFault(`no answer: ${error instanceof Error ? error.message : String(error)}`, null)
    })
    if (answer.ok) return answer
    await answer.body?.cancel()
    throw new ApiFault(`${more.method ?? 'GET'} ${path.split('?')[0]}: HTTP ${answer.status}`, answer.status)
  }
  const object = async (path: string, signal: AbortSignal, more: RequestInit = {}): Promise<JsonObject> => {
    const answer = await ask(path, { ...more, signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]) })
    const read = readJson(new Uint8Array(await answer.arrayBuffer()))
    if (!read.ok || !isJsonObject(read.value)) throw new ApiFault('the answer is no JSON object', null)
    return read.value
  }
  const all = async (path: string, signal: AbortSignal): Promise<readonly Json[]> => {
    const found: Json[] = []
    let page: string | null = ''
    for (let pages = 0; page !== null; pages++) {
      if (pages === MAX_PAGES) throw new ApiFault(`more than ${MAX_PAGES} pages`, null)
      const answer: JsonObject = await object(page === '' ? path : `${path}&page=${encodeURIComponent(page)}`, signal)
      const [data, next] = [own(answer, 'data'), own(answer, 'next_page')]
      if (!Array.isArray(data)) throw new ApiFault('the list has no `data`', null)
      found.push(...data)
      page = typeof next === 'string' && next !== '' ? next : null
    }
    return found
  }
  const at = (id: string): string => `/v1/sessions/${encodeURIComponent(id)}`
  return {
    session: (id, signal) => object(at(id), signal),
    sessions: async (signal) => (await all('/v1/sessions?limit=100', signal)).flatMap(liveId),
    history: (id, signal) => all(`${at(id)}/events?limit=1000&order=asc`, signal),
    stream: async (id, signal) => {
      const answer = await ask(`${at(id)}/events/stream`, { signal, headers: { accept: 'text/event-stream' } })
      if (answer.body === null) throw new ApiFault('the stream is empty', null)
      return eventsIn(answer.body)
    },
    send: async (id, events, signal) => {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ events }) }
      await object(`${at(id)}/events`, signal, init)
    },
  }
}

function liveId(session: Json): readonly string[] {
  if (!isJsonObject(session) || own(session, 'status') === 'terminated' || (own(session, 'archived_at') ?? null) !== null) return []
  const id = own(session, 'id')
  return typeof id === 'string' ? [id] : []
}

/** Ends with the stream. @throws {ApiFault} where it says what cannot be read: what was missed is asked for again. */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<Json> {
  const frames = new FrameReader()
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader)
      if (done) return
      for (const { data, legible } of frames.push(Buffer.from(value))) {
        if (data === null) continue
        const read = legible ? readJson(data) : null
        if (read?.ok !== true) throw new ApiFault('an event of the stream is no JSON', null)
        yield read.value
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

type Chunk = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>

async function withinSilence(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Chunk> {
  let timer: NodeJS.Timeout | undefined
  const silent = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ApiFault(`nothing came for ${SILENCE_MS / 1000} s`, null)), SILENCE_MS)
  })
  try {
    return await Promise.race([reader.read(), silent])
  } catch (error) {
    if (error instanceof ApiFault) throw error
    throw new ApiFault(`the stream broke: ${error instanceof Error ? error.message : String(error)}`, null)
  } finally {
    clearTimeout(timer)
  }
}
