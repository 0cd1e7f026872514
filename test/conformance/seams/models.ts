/** The model proxy: a model that proposes the call, and what of it reaches the client. The cases go through the four APIs in turn. */
import { createServer } from 'node:http'
import { receiptKey } from '../../../src/audit/receipt-key.ts'
import { recordResult } from '../../../src/cli/results.ts'
import { bytesDigest, digester } from '../../../src/open.ts'
import type { ApiName } from '../../../src/proxies/model/api.ts'
import { createModelProxy } from '../../../src/proxies/model/proxy.ts'
import { scripted } from '../../support/model-turns-more.ts'
import { decisionsOf, type Place } from '../place.ts'
import type { Heard, Sent } from '../seam.ts'
import type { Opened } from './direct.ts'
import { TASK } from './list.ts'
import { listening } from './mcp.ts'

const PATHS: Readonly<Record<ApiName, { readonly json: string; readonly sse: string }>> = {
  anthropic: { json: '/v1/messages', sse: '/v1/messages' },
  chat: { json: '/v1/chat/completions', sse: '/v1/chat/completions' },
  responses: { json: '/v1/responses', sse: '/v1/responses' },
  gemini: { json: '/v1beta/models/m:generateContent', sse: '/v1beta/models/m:streamGenerateContent?alt=sse' },
}
const APIS = Object.keys(PATHS) as readonly ApiName[]

/** The requests are as short as their APIs take them. */
function requestOf(api: ApiName, stream: boolean): Readonly<Record<string, unknown>> {
  const content = TASK
  if (api === 'gemini') return { contents: [{ role: 'user', parts: [{ text: content }] }] }
  if (api === 'responses') return { model: 'm', input: content, stream }
  return { model: 'm', max_tokens: 10, messages: [{ role: 'user', content }], stream }
}

/** Names as a model may write them. */
const written = ({ server, tool }: Sent['named']): string => (server === null ? tool : `mcp__${server}__${tool}`)

const SCRIPT = 'x-corpus-turn'

export async function modelProxy(place: Place, streams: boolean): Promise<Opened> {
  const name = streams ? 'model-sse' : 'model-json'
  const opened = place.open(name)
  const turns = new Map<string, ReturnType<typeof scripted>>()
  const upstream = createServer((request, response) => {
    const turn = turns.get(String(request.headers[SCRIPT]))
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': turn?.type ?? 'text/event-stream' })
      for (const piece of turn?.pieces ?? []) response.write(piece)
      response.end()
    })
  })
  const proxy = createModelProxy({
    gate: opened.gate,
    queue: opened.queue,
    store: opened.store,
    result: (call, response) => recordResult(opened, { kind: 'result', call, response }),
    digester,
    digest: bytesDigest,
    policy: () => ({ policy: place.policy, degraded: null }),
    tokenHolder: () => null,
    ownTools: new Set(),
    receipts: () => ({ key: receiptKey(place.state(name)), digester }),
    env: () => undefined,
    siteFault: () => null,
    exposed: false,
    note: () => {},
    upstream: { prefix: '', url: await listening(upstream), key: null },
  })
  const url = await listening(proxy.server)
  let calls = 0
  return {
    queue: opened.queue,
    // A caller on loopback that nobody knows has its sessions for itself.
    records: (session) => decisionsOf(opened, session === undefined ? undefined : `${session}@loopback`),
    send: async (sent) => {
      calls += 1
      const id = String(calls)
      const api = APIS[calls % APIS.length] as ApiName
      turns.set(id, scripted(api, streams, [{ call: { id: `call_${id}`, name: written(sent.named), args: sent.named.args } }]))
      const role = sent.one.role === null ? {} : { 'x-countersign-role': sent.one.role }
      const answer = await fetch(`${url}${PATHS[api][streams ? 'sse' : 'json']}`, {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', [SCRIPT]: id, ...role },
          ...{ 'x-countersign-session': sent.session, 'x-countersign-cwd': place.repo },
        },
        body: JSON.stringify(requestOf(api, streams)),
      })
      return told(await answer.text(), `call_${id}`)
    },
    close: async () => {
      for (const each of [proxy.server, upstream]) await new Promise<void>((resolve) => each.close(() => resolve()).closeAllConnections())
      opened.close()
    },
  }
}

/** The call as the model wrote it, or a sentence in its place. */
function told(text: string, id: string): Heard {
  const stopped = text.includes('did not run') || text.includes('is pending')
  const runs = text.includes('tool_use') || text.includes('tool_calls') || text.includes('functionCall') || text.includes('function_call')
  return stopped ? (text.includes(`"${id}"`) ? 'unclear' : 'stopped') : runs ? 'runs' : 'unclear'
}
