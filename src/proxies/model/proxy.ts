/** The proxy in front of model APIs: one request in, the same request on, and its answer back without what may not run. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { ApprovalQueue } from '../../approvals/queue.ts'
import { issueReceipt, type ReceiptIssuer } from '../../audit/receipt.ts'
import type { ToolCall } from '../../core/call.ts'
import type { Digester } from '../../core/digest.ts'
import type { Json } from '../../core/json.ts'
import type { Gate, PolicyState } from '../../gate.ts'
import type { ModelProxySection, Upstream } from '../../policy/proxies/model.ts'
import type { Store } from '../../store/store.ts'
import { createMetrics, type Metrics } from '../metrics.ts'
import { createUninspected, type Owing, type Uninspected } from '../uninspected.ts'
import { callerOf, type TokenHolder } from './callers.ts'
import { answerJson, bodyOf, fingerprintOf } from './incoming.ts'
import { Memory } from './memory.ts'
import { createWithheldBook } from './responses/book.ts'
import { LABELS, type Label } from './routes.ts'
import { destinationOf } from './upstream.ts'
import { type House, type Visit, visit } from './visit.ts'

export interface ModelProxyParts {
  readonly gate: Pick<Gate, 'decide' | 'refuse'>
  readonly queue: Pick<ApprovalQueue, 'wait'>
  readonly store: Pick<Store, 'append' | 'run' | 'query' | 'now'>
  readonly digester: Pick<Digester, 'definitionDigest' | 'digest'>
  /** Names bytes that never became a call. */
  readonly digest: (bytes: Uint8Array) => string
  readonly policy: () => PolicyState
  readonly tokenHolder: (secret: string) => TokenHolder | null
  readonly ownTools: ReadonlySet<string>
  /** Stands above the upstreams of the policy. */
  readonly upstream?: Upstream
  /** Keeps what a call returned, and tells its session. */
  readonly result: (call: ToolCall, result: Json) => Promise<unknown>
  /** Signet's answers, whatever the policy says. */
  readonly strict?: boolean
  /** Signs receipts; called only where one is asked for. */
  readonly receipts: () => ReceiptIssuer
  readonly env: (name: string) => string | undefined
  /** Why a request may not come from where it says, as where a page of a browser sends it; null: it may. */
  readonly siteFault: (request: IncomingMessage) => string | null
  /** What the log was not told of yet. */
  readonly owing?: Owing
  /** True where other machines reach the proxy: then callers must be known. */
  readonly exposed: boolean
  /** Milliseconds between signs of life of a waiting answer; default ten seconds. */
  readonly signEveryMs?: number
  /** Told in one line of what failed inside. */
  readonly note: (line: string) => void
}

export interface ModelProxy {
  readonly server: Server
  readonly metrics: Metrics<Label>
}

const OWN = '/countersign'
const REMEMBERED = 10_000
const MAX_KEPT = 256

export function createModelProxy(parts: ModelProxyParts): ModelProxy {
  const away: House['away'] = new Map()
  const metrics = createMetrics({ routes: LABELS, away: () => away.size })
  const house: House = {
    ...parts,
    metrics,
    away,
    offered: new Memory(REMEMBERED),
    answers: new Memory(REMEMBERED),
    rulings: new Memory(REMEMBERED),
    results: new Memory(REMEMBERED),
    withheld: createWithheldBook(parts.store),
    kept: new Memory(MAX_KEPT),
    uninspected: notInspected(parts, metrics),
    strict: () => parts.strict === true || answersOf(parts) !== 'rewrite',
    strictOptions: () => ({ verbose: answersOf(parts) === 'verbose', base: parts.policy().policy?.server.publicUrl ?? '' }),
    receipt: (decision) => issueReceipt(decision, Date.now(), parts.receipts()),
  }
  const server = createServer({ noDelay: true }, (request, response) => {
    handle(house, { request, response }).catch((error: unknown) => {
      parts.note(`a request failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
      response.destroy()
    })
  })
  // Sockets that carry anything but requests and answers are not looked into.
  server.on('upgrade', (_request, socket) => {
    metrics.uninspected('uninspected')
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
  })
  server.requestTimeout = 0
  server.headersTimeout = 60_000
  return { server, metrics }
}

/** One count for each upstream, as it stands in the log. */
function notInspected({ store, owing = new Set() }: ModelProxyParts, metrics: Metrics<Label>): House['uninspected'] {
  const known = new Map<string, Uninspected>()
  return ({ destination: { upstream } }, what, passed) => {
    const counted = known.get(upstream.url) ?? createUninspected({ store, proxy: 'model', upstream: upstream.url, session: null, owing })
    known.set(upstream.url, counted)
    counted.count(what, passed)
    metrics.uninspected('uninspected')
  }
}

function answersOf({ policy }: ModelProxyParts): ModelProxySection['answers'] {
  return policy().policy?.modelProxy.answers ?? 'rewrite'
}

interface Request {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

async function handle(house: House, { request, response }: Request): Promise<void> {
  const target = request.url ?? '/'
  const site = house.siteFault(request)
  if (site !== null) return refuse(response, 403, site)
  if (target === OWN || target.startsWith(`${OWN}/`)) return ownRoute(house, target, response)
  const admitted = admit(house, request, target)
  if ('message' in admitted) return refuse(response, admitted.status, admitted.message)
  const body = await bodyOf(request)
  if (body === null) return refuse(response, 413, 'The request is too long, or broke off.')
  if (house.away.size > 0 && attached(house, { request, response }, body)) return
  await visit({ house, request, response, body, ...admitted })
}

/** True where the same request waits for its client: that is the answer to this one. */
function attached({ away }: House, { request, response }: Request, body: Buffer): boolean {
  const key = fingerprintOf(request, body)
  if (away.get(key)?.attach(response) !== true) return false
  away.delete(key)
  return true
}

type Admission = Pick<Visit, 'destination' | 'caller' | 'section'> | { readonly status: number; readonly message: string }

/** Where the request goes and who sends it, or why it does not go anywhere. */
function admit(house: House, { headers }: IncomingMessage, target: string): Admission {
  const section = house.policy().policy?.modelProxy
  if (section === undefined) return { status: 503, message: 'Countersign has no valid policy, so nothing passes.' }
  const destination = destinationOf(target, house.upstream === undefined ? section.upstreams : [house.upstream, ...section.upstreams])
  if (destination === null) return { status: 404, message: 'No upstream of Countersign takes this path.' }
  const caller = callerOf(headers, { tokenHolder: house.tokenHolder, keys: section.keys })
  const needed = section.callers === 'known' || house.exposed || destination.upstream.key !== null
  if (caller !== null && (caller.known || !needed)) return { destination, caller, section }
  return { status: 401, message: 'Countersign does not know the caller of this request.' }
}

function refuse(response: ServerResponse, status: number, message: string): void {
  answerJson(response, status, { error: { message, type: 'countersign' } })
}

function ownRoute({ metrics }: House, target: string, response: ServerResponse): void {
  if (target === `${OWN}/metrics`) {
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
    response.end(metrics.text())
  } else if (target === `${OWN}/healthz`) answerJson(response, 200, { status: 'ok' })
  else refuse(response, 404, 'There is nothing at this address.')
}
