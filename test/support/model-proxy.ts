/** The model API proxy on loopback in front of a scripted upstream that answers with bytes of the test's own, in pieces of its own. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { receiptKey } from '../../src/audit/receipt-key.ts'
import { COMPILE } from '../../src/cli/open.ts'
import { recordResult } from '../../src/cli/results.ts'
import type { Decision } from '../../src/core/decision.ts'
import { bytesDigest, digester, type OpenedGate, openGate } from '../../src/open.ts'
import type { LookElsewhere } from '../../src/open-results.ts'
import { compilePolicy } from '../../src/policy/compile.ts'
import { sha256 } from '../../src/policy/file.ts'
import type { Policy } from '../../src/policy/policy.ts'
import { createModelProxy, type ModelProxy, type ModelProxyParts } from '../../src/proxies/model/proxy.ts'
import { stateDirectoryOfTest } from './state.ts'
import { describedView } from './workplace.ts'

/** What the upstream answers: bytes in pieces, and whether it then ends or breaks the connection. */
export interface Scripted {
  readonly status?: number
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly pieces: readonly (string | Buffer)[]
  readonly breaks?: boolean
}

export interface Asked {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface ProxyBench {
  /** Where clients point at. */
  readonly url: string
  /** A proxy that has only the upstreams of the policy. */
  readonly other: string
  /** Where the model is. */
  readonly upstream: string
  readonly home: string
  readonly opened: OpenedGate
  readonly proxy: ModelProxy
  /** Requests that reached the upstream. */
  readonly asked: Asked[]
  /** What the gate decided, in order. */
  readonly decided: Decision[]
  /** The answers to come, the last one for good. */
  readonly answer: (...answers: readonly Scripted[]) => void
  readonly use: (section: string) => void
}

const BASE = 'version: 1\ndefault: deny\nunregistered: deny\n'
const IMPATIENT = 'model_proxy: { hold: 1ms }\n'

export interface BenchOptions {
  readonly policy?: string
  readonly parts?: Partial<ModelProxyParts>
  /** Looks large results through; default: it is done where they come. */
  readonly look?: LookElsewhere
}

const COMPILED = new Map<string, Policy>()

export function compiledPolicy(section: string): Policy {
  const known = COMPILED.get(section)
  if (known !== undefined) return known
  const compiled = compilePolicy(
    section.startsWith('version') ? section : `${BASE}${section.includes('model_proxy') ? '' : IMPATIENT}${section}`,
    { ...COMPILE, path: null, sha256 },
  )
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  COMPILED.set(section, compiled.policy)
  return compiled.policy
}

export async function proxyBench({ policy: section = '', parts = {}, look }: BenchOptions = {}): Promise<ProxyBench> {
  const asked: Asked[] = []
  const decided: Decision[] = []
  let answers: Scripted[] = []
  const upstream = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      asked.push({ method, url, headers, text: Buffer.concat(chunks).toString('utf8') })
      const [next = { status: 500, pieces: ['nothing is scripted'] }, ...rest] = answers
      if (rest.length > 0) answers = rest
      void play(next, response)
    })
  })
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  const home = stateDirectoryOfTest()
  let policy = compiledPolicy(section)
  const state = () => ({ policy, degraded: null })
  const opened = openGate({ home, policy: state, view: () => describedView({}) })
  const gate: ModelProxyParts['gate'] = {
    decide: async (...given) => {
      const decision = await opened.gate.decide(...given)
      decided.push(decision)
      return decision
    },
    refuse: async (...given) => {
      const decision = await opened.gate.refuse(...given)
      decided.push(decision)
      return decision
    },
  }
  const address = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
  const shared: Omit<ModelProxyParts, 'upstream'> = {
    gate,
    queue: opened.queue,
    store: opened.store,
    result: (call, response) => recordResult(opened, { call, response }, { look: look ?? null }),
    digester,
    digest: bytesDigest,
    policy: state,
    tokenHolder: () => null,
    ownTools: new Set(),
    receipts: () => ({ key: receiptKey(home), digester }),
    env: () => undefined,
    siteFault: () => null,
    exposed: false,
    note: () => {},
    ...parts,
  }
  const own = parts.upstream ?? { prefix: '', url: '', key: null }
  const proxy = createModelProxy({ ...shared, upstream: { ...own, url: own.url === '' ? address : own.url } })
  const { upstream: _own, ...rest } = shared as ModelProxyParts
  const other = createModelProxy(rest)
  for (const { server } of [proxy, other]) await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const server of [proxy.server, other.server, upstream]) {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    }
    opened.close()
  })
  return {
    url: `http://127.0.0.1:${(proxy.server.address() as AddressInfo).port}`,
    other: `http://127.0.0.1:${(other.server.address() as AddressInfo).port}`,
    upstream: address,
    home,
    opened,
    proxy,
    asked,
    decided,
    answer: (...next) => {
      answers = [...next]
    },
    use: (next) => {
      policy = compiledPolicy(next)
    },
  }
}

async function play(
  { status = 200, type = 'text/event-stream', headers = {}, pieces, breaks = false }: Scripted,
  response: ServerResponse,
) {
  response.writeHead(status, { 'content-type': type, ...headers })
  response.flushHeaders()
  for (const piece of pieces) {
    response.write(piece)
    await new Promise((resolve) => setImmediate(resolve))
  }
  if (breaks) response.destroy()
  else response.end()
}
