/** The official client and servers of others, with the proxy between them and without it. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MCP_POLICY } from '../support/mcp.ts'
import { connected, type Era, mcpHome, progressOnWire, ranIn, serverCommand } from '../support/mcp-peers.ts'
import { bundled } from '../support/program.ts'

const SERVER = bundled(new URL('./programs/server.ts', import.meta.url))
const PROXIED = ['--name', 'fixture'] as const

const POLICY = `${MCP_POLICY}mcp_proxy: { hold: 200ms }\n`.replace(
  'tools: {',
  'tools: { progress: { risk_tier: low }, asks: { risk_tier: low },',
)

for (const era of ['legacy', 'stateless'] as const satisfies readonly Era[]) {
  describe(`${era}: a server on the official SDK`, () => {
    test('allowed runs, denied and pending do not, progress and elicitation pass', async () => {
      const home = mcpHome(POLICY)
      const marker = join(home.work, 'ran')
      const client = await connected(home, [process.execPath, SERVER], {
        era,
        proxy: PROXIED,
        environment: { MARKER: marker },
        capabilities: { elicitation: {} },
        prepare: (each) => each.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: { name: 'me' } })),
      })
      const { tools } = await client.listTools()
      expect(tools.map(({ name }) => name)).toContain('delete_account')
      const text = async (name: string, args = {}) => JSON.stringify(await client.callTool({ name, arguments: args }))
      expect(await text('echo', { id: 1 })).toContain('echo ran')
      expect(await text('forbidden')).toContain('rules.denied')
      expect(await text('delete_account', { id: 1 })).toContain('is pending until')
      const seen = progressOnWire(client)
      const told = await client.callTool({ name: 'progress', arguments: {} }, { onprogress: () => {} })
      expect(JSON.stringify(told)).toContain('progress ran')
      expect(seen).toEqual([1, 2, 3, 'result'])
      expect(await text('asks')).toContain('asks ran')
      expect(ranIn(marker)).toEqual(['echo {"id":1}', 'progress {}', 'asks {"said":{"name":"me"}}'])
    })
  })
}

describe('server-filesystem', () => {
  test('answers through the proxy as it answers without it', async () => {
    const home = mcpHome(`${MCP_POLICY}mcp_proxy: { hold: 200ms }\n`)
    const command = serverCommand('filesystem', home.work)
    const said = []
    for (const proxy of [null, []]) {
      const client = await connected(home, command, { era: 'legacy', proxy })
      const file = join(home.work, 'a.txt')
      said.push([
        await client.listTools(),
        await client.callTool({ name: 'write_file', arguments: { path: file, content: 'hello\nworld\n' } }),
        await client.callTool({ name: 'edit_file', arguments: { path: file, edits: [{ oldText: 'hello', newText: 'bye' }] } }),
        await client.callTool({ name: 'read_text_file', arguments: { path: file } }),
        await client.callTool({ name: 'list_directory', arguments: { path: home.work } }),
        await client.callTool({ name: 'read_text_file', arguments: { path: join(home.work, 'none') } }),
      ])
    }
    expect(said[1]).toEqual(said[0])
  })
})

describe('server-everything', () => {
  test('has its tools, resources, prompts and logging through the proxy as without it', async () => {
    const home = mcpHome(`version: 1\ndefault: ask\nunregistered: allow\n`)
    const said = []
    for (const proxy of [null, []]) {
      const client = await connected(home, serverCommand('everything', 'stdio'), {
        era: 'legacy',
        proxy,
        capabilities: { sampling: {}, roots: {} },
      })
      const [tools, resources, prompts] = [await client.listTools(), await client.listResources(), await client.listPrompts()]
      said.push([
        client.getServerCapabilities(),
        client.getInstructions(),
        tools,
        resources.resources.length,
        prompts,
        await client.callTool({ name: 'echo', arguments: { message: 'hi' } }),
        await client.callTool({ name: 'get-tiny-image', arguments: {} }),
        await client.callTool({ name: 'get-structured-content', arguments: { location: 'New York' } }),
        await client.readResource({ uri: resources.resources[0]?.uri ?? '' }).then(({ contents }) => contents.length),
      ])
    }
    expect(said[1]).toEqual(said[0])
  })
})
