/** Clients and servers over HTTP and over standard streams, each with each, in both eras: the same happens to the same calls. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { MCP_POLICY } from '../support/mcp.ts'
import {
  type ClientOptions,
  connected,
  connectedTo,
  type Era,
  type McpHome,
  mcpHome,
  progressOnWire,
  proxyCommand,
  ranIn,
  serverCommand,
  startListening,
} from '../support/mcp-peers.ts'
import { bundled } from '../support/program.ts'

const STDIO = bundled(new URL('./programs/server.ts', import.meta.url))
const HTTP = bundled(new URL('./programs/http-server.ts', import.meta.url))
const POLICY = `${MCP_POLICY}mcp_proxy: { hold: 200ms }\n`.replace(
  'tools: {',
  'tools: { progress: { risk_tier: low }, asks: { risk_tier: low },',
)

type Way = 'streams' | 'http'

/** A client that is connected to the fixture by these ways, through the proxy. */
async function client(home: McpHome, { era, to, from }: { readonly era: Era; readonly to: Way; readonly from: Way }, marker: string) {
  const environment = { MARKER: marker }
  const options = {
    era,
    environment,
    proxy: ['--name', 'fixture'],
    capabilities: { elicitation: {} },
    prepare: (each: Awaited<ReturnType<typeof connected>>) =>
      each.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'me' } })),
  }
  const behind = to === 'http' ? await startListening([process.execPath, HTTP], home, environment) : null
  if (from === 'streams') {
    const proxy = behind === null ? options.proxy : [...options.proxy, '--url', behind]
    return connected(home, behind === null ? [process.execPath, STDIO] : [], { ...options, proxy })
  }
  const server = behind === null ? ['--', process.execPath, STDIO] : ['--url', behind]
  const url = await startListening(proxyCommand(home, ['--name', 'fixture', '--listen', '127.0.0.1:0', ...server]), home, environment)
  return connectedTo(url, options)
}

for (const era of ['legacy', 'stateless'] as const)
  for (const from of ['streams', 'http'] as const)
    for (const to of ['streams', 'http'] as const) {
      if (from === 'streams' && to === 'streams') continue
      test(`${era}: a client over ${from}, a server over ${to}`, async () => {
        const home = mcpHome(POLICY)
        const marker = join(home.work, 'ran')
        const at = await client(home, { era, to, from }, marker)
        const { tools } = await at.listTools()
        expect(tools.map(({ name }) => name)).toContain('delete_account')
        const text = async (name: string, args = {}) => JSON.stringify(await at.callTool({ name, arguments: args }))
        expect(await text('echo', { id: 1 })).toContain('echo ran')
        expect(await text('forbidden')).toContain('rules.denied')
        expect(await text('delete_account', { id: 1 })).toContain('is pending until')
        const seen = progressOnWire(at)
        const told = await at.callTool({ name: 'progress', arguments: {} }, { onprogress: () => {} })
        expect(JSON.stringify(told)).toContain('progress ran')
        expect(seen).toEqual([1, 2, 3, 'result'])
        const ran = ['echo {"id":1}', 'progress {}']
        // Without a session the server cannot ask, whoever stands between.
        if (era === 'stateless' || to === 'streams') {
          expect(await text('asks')).toContain('asks ran')
          ran.push('asks {"said":{"name":"me"}}')
        }
        expect(ranIn(marker)).toEqual(ran)
      })
    }

describe('server-everything over HTTP, with sessions', () => {
  for (const from of ['streams', 'http'] as const) {
    test(`a client over ${from} gets the same answers, questions and notifications as without the proxy`, async () => {
      const home = mcpHome('version: 1\ndefault: ask\nunregistered: allow\n')
      const url = await startListening(serverCommand('everything', 'streamableHttp'), home, { PORT: String(await freePort()) })
      const said = []
      for (const through of [false, true]) {
        const asked: string[] = []
        const options: ClientOptions = {
          era: 'legacy',
          proxy: ['--name', 'everything', '--url', url],
          capabilities: { elicitation: {}, sampling: {}, roots: {} },
          prepare: (each) => {
            each.setRequestHandler('elicitation/create', async ({ params }) => {
              asked.push(params.message)
              return { action: 'decline' }
            })
            each.setRequestHandler('sampling/createMessage', async () => {
              asked.push('sampling')
              return { role: 'assistant', model: 'm', content: { type: 'text', text: 'sampled' } }
            })
            each.setRequestHandler('roots/list', async () => ({ roots: [] }))
          },
        }
        const proxied = (): Promise<string> => startListening(proxyCommand(home, ['--url', url, '--listen', '127.0.0.1:0']), home)
        const at = !through
          ? await connectedTo(url, options)
          : from === 'http'
            ? await connectedTo(await proxied(), options)
            : await connected(home, [], options)
        const seen: number[] = []
        const call = (name: string, args = {}) =>
          at.callTool({ name, arguments: args }, { onprogress: ({ progress }) => seen.push(progress) })
        said.push([
          at.getServerCapabilities(),
          (await at.listTools()).tools.map(({ name }) => name),
          await call('echo', { message: 'hi' }),
          await call('trigger-long-running-operation', { duration: 0.4, steps: 2 }),
          // What comes together with the result, the client does not always tell.
          seen[0],
          await call('trigger-sampling-request', { prompt: 'p', maxTokens: 5 }),
          await call('trigger-elicitation-request'),
          asked,
          (await at.listPrompts()).prompts.length,
          (await at.readResource({ uri: 'demo://resource/dynamic/text/1' })).contents.length,
        ])
        await at.close()
      }
      expect(said[1]).toEqual(said[0])
    })
  }
})
