/** A real MCP client of a real server, whose tools stand behind the gate. */
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { approvePending, openTestGate } from '../../../../test/support/framework-gate.ts'
import type { Gate } from '../gate.ts'
import { gateClient } from './mcp-client.ts'

const POLICY = `version: 1
unregistered: allow
rules:
  allow: [{ tool: "files/list_directory", reason: yes }]
  ask: [{ tool: "files/create_directory", reason: see it }]
  deny: [{ tool: "files/write_file", reason: never }]
`

let directory: string
const client = new Client({ name: 'test', version: '1' })

beforeAll(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-mcp-client-')))
  writeFileSync(join(directory, 'notes'), 'text')
  const server = 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js'
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [server, directory], stderr: 'ignore' }))
})
afterAll(async () => {
  await client.close()
  rmSync(directory, { recursive: true, force: true })
})

const open = (more = {}): Gate => openTestGate({ policy: POLICY, ...more })
const gated = (gate: Gate) => gateClient(gate, client, { server: 'files' })
const make = (gate: Gate) => gated(gate).callTool({ name: 'create_directory', arguments: { path: join(directory, 'made') } })

test('allow reaches the server, deny does not; everything else of the client is as it was', async () => {
  const behind = gated(open())
  expect(JSON.stringify(await behind.callTool({ name: 'list_directory', arguments: { path: directory } }))).toContain('notes')
  const denied = await behind.callTool({ name: 'write_file', arguments: { path: join(directory, 'new'), content: 'x' } })
  expect(denied).toMatchObject({ isError: true, content: [{ type: 'text', text: expect.stringContaining('not allowed') }] })
  expect((await behind.listTools()).tools.map(({ name }) => name)).toContain('write_file')
  expect(readdirSync(directory)).toEqual(['notes'])
})

test('a call that people have to see runs after their yes, once', async () => {
  const gate = open()
  expect(await make(gate)).toMatchObject({ isError: true })
  expect(readdirSync(directory)).toEqual(['notes'])
  await approvePending(gate)
  expect(await make(gate)).not.toMatchObject({ isError: true })
  expect(readdirSync(directory)).toEqual(['made', 'notes'])
  expect(await make(gate)).toMatchObject({ isError: true })
})

test('a gate that is gone, or that throws, reaches no server', async () => {
  const gone = open()
  gone.close()
  const call = { name: 'list_directory', arguments: { path: directory } }
  expect(await gated(gone).callTool(call)).toMatchObject({ isError: true })
  const throws = open({
    caller: () => {
      throw new Error('who is it?')
    },
  })
  await expect(
    gated(throws)
      .callTool(call)
      .then((said) => 'isError' in said && said.isError),
  ).resolves.toBe(true)
})

proves(
  ['P1', 'P6'],
  'what would go past the gate is refused: a client without `callTool`, a server without a name, a bare request',
  async () => {
    const gate = open()
    expect(() => gateClient(gate, {} as never, { server: 'files' })).toThrow('declared, but not gated: files')
    expect(() => gateClient(gate, client, { server: '' })).toThrow('name')
    const params = { name: 'create_directory', arguments: { path: join(directory, 'past') } }
    expect(() => gated(gate).request({ method: 'tools/call', params })).toThrow('not gated')
    expect(readdirSync(directory)).not.toContain('past')
    expect(await gated(gate).request({ method: 'tools/list' })).toMatchObject({ tools: expect.any(Array) })
  },
)
