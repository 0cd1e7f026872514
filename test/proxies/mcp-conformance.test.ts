/**
 * A short form of `npm run check:mcp`: the peers of the conformance suite without the suite. Every tool, resource and prompt that its scenarios
 * ask for answers through the proxy as it does directly, in both eras and over both transports.
 */
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, onTestFinished, test } from 'vitest'
import { createClient, exercise } from '../../scripts/mcp/exercise.ts'
import { freePort } from '../support/free-port.ts'
import { type McpHome, mcpHome, proxyCommand, startListening } from '../support/mcp-peers.ts'
import { bundled } from '../support/program.ts'

const SERVER = bundled(new URL('../../scripts/mcp/server.ts', import.meta.url))
const POLICY =
  'version: 1\ndefault: ask\nunregistered: allow\nrules: { allow: [{ tool: test_elicitation, reason: of the peer }, { tool: test_sampling, reason: of the peer }] }\n'
const PEER = [process.execPath, SERVER]

type Place = { readonly url: string } | { readonly command: readonly string[]; readonly home: McpHome }

async function cameOf(place: Place, stateless: boolean): Promise<Map<string, unknown>> {
  const client = createClient(stateless)
  onTestFinished(() => client.close())
  if ('url' in place) await client.connect(new StreamableHTTPClientTransport(new URL(place.url)))
  else {
    const [command = '', ...args] = place.command
    await client.connect(new StdioClientTransport({ command, args, env: place.home.environment, cwd: place.home.work, stderr: 'ignore' }))
  }
  return exercise(client)
}

const listening = (home: McpHome, server: readonly string[]): Promise<string> =>
  startListening(proxyCommand(home, ['--name', 'peer', '--listen', '127.0.0.1:0', ...server]), home)

for (const stateless of [false, true])
  test(`${stateless ? '2026-07-28' : '2025-11-25'}: all that the conformance peer offers answers the same through the proxy`, async () => {
    const [direct, behind, inFront] = [mcpHome(POLICY), mcpHome(POLICY), mcpHome(POLICY)]
    const url = await startListening([...PEER, String(await freePort())], direct)
    const streams = await cameOf({ command: PEER, home: direct }, stateless)
    const http = await cameOf({ url }, stateless)
    expect([...http.keys()].filter((name) => name.startsWith('tools/call')).length).toBeGreaterThan(20)
    expect(await cameOf({ url: await listening(behind, ['--url', url]) }, stateless)).toEqual(http)
    expect(await cameOf({ command: proxyCommand(inFront, ['--name', 'peer', '--', ...PEER]), home: inFront }, stateless)).toEqual(streams)
  })

test('a session that its client ended is unknown from then on, also while its server over streams still ends', async () => {
  const home = mcpHome(POLICY)
  const url = await listening(home, ['--', ...PEER])
  const send = (method: string, session: string | null, message: object | null): Promise<Response> =>
    fetch(url, {
      method,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session === null ? {} : { 'mcp-session-id': session }),
      },
      body: message === null ? null : JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
    })
  const begin = {
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  }
  const session = (await send('POST', null, begin)).headers.get('mcp-session-id')
  expect((await send('POST', session, { method: 'ping' })).status).toBe(200)
  expect((await send('DELETE', session, null)).status).toBe(200)
  expect((await send('POST', session, { method: 'ping' })).status).toBe(404)
  expect((await send('DELETE', session, null)).status).toBe(404)
})

test('a server over streams is called by HTTP only where the headers repeat what its tool has repeated', async () => {
  const home = mcpHome(POLICY)
  const url = await listening(home, ['--', ...PEER])
  const version = '2026-07-28'
  const post = async (method: string, params: object, headers: Readonly<Record<string, string>>): Promise<number> => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } })
    const standard = { 'content-type': 'application/json', 'mcp-protocol-version': version, 'mcp-method': method }
    const answer = await fetch(url, {
      method: 'POST',
      body,
      headers: { accept: 'application/json, text/event-stream', ...standard, ...headers },
    })
    await answer.text()
    return answer.status
  }
  expect(await post('tools/list', {}, {})).toBe(200)
  const name = 'test_header_param'
  const call = (region: string | null, header: string | null): Promise<number> =>
    post(
      'tools/call',
      { name, arguments: region === null ? {} : { region } },
      { 'mcp-name': name, ...(header === null ? {} : { 'mcp-param-region': header }) },
    )
  expect([await call('eu', 'eu'), await call(null, null), await call('eu', null), await call('eu', 'us')]).toEqual([200, 200, 400, 400])
})

test('in front of a server over streams the proxy holds requests to what the protocol has over HTTP', async () => {
  const home = mcpHome(POLICY)
  const url = await listening(home, ['--', ...PEER])
  const ours = '2026-07-28'
  const whole = { 'io.modelcontextprotocol/protocolVersion': ours, 'io.modelcontextprotocol/clientCapabilities': {} }
  const post = async (method: string, _meta: object | undefined, version = ours): Promise<readonly [number, Record<string, unknown>]> => {
    const headers = { 'content-type': 'application/json', 'mcp-protocol-version': version, 'mcp-method': method }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: _meta === undefined ? {} : { _meta } })
    const answer = await fetch(url, { method: 'POST', body, headers: { accept: 'application/json, text/event-stream', ...headers } })
    const { id, error, result } = (await answer.json()) as Record<string, Record<string, unknown>>
    return [answer.status, { id, code: error?.code, data: error?.data, versions: result?.supportedVersions }]
  }
  const { 'io.modelcontextprotocol/clientCapabilities': _none, ...bare } = whole
  const invalid = [400, { id: 7, code: -32602, data: undefined, versions: undefined }]
  expect(await post('server/discover', undefined)).toEqual(invalid)
  expect(await post('server/discover', { 'io.modelcontextprotocol/clientCapabilities': {} })).toEqual(invalid)
  expect(await post('server/discover', bare)).toEqual(invalid)
  // Without the header of the stateless protocol it is a message of a session.
  expect((await post('server/discover', undefined, '2025-11-25'))[1]).toMatchObject({ code: -32600 })
  expect(await post('server/discover', whole)).toEqual([200, { id: 7, code: undefined, data: undefined, versions: [ours] }])
  // Now the server is at work in its version, and would take another one for it.
  expect((await post('tools/list', whole))[0]).toBe(200)
  const other = { ...whole, 'io.modelcontextprotocol/protocolVersion': 'v999.0.0' }
  expect(await post('server/discover', other, 'v999.0.0')).toEqual([
    400,
    { id: 7, code: -32022, data: { supported: [ours], requested: 'v999.0.0' }, versions: undefined },
  ])
  expect((await post('server/discover', other))[1]).toMatchObject({ code: -32020 })
})
