/** Results of a megabyte through the built proxy: a real server, a client that reads lines, and messages beside them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect } from 'vitest'
import { CLI } from '../hosts/harness.ts'
import { proves } from '../proves.ts'
import { MCP_POLICY } from '../support/mcp.ts'
import { mcpHome, proxyCommand, startListening } from '../support/mcp-peers.ts'

const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'

/** Answers a call with a megabyte, and says something else in the same breath; `last` in the arguments: then it ends. */
const SERVER = `
const tools = [{ name: 'echo', description: 'echo', inputSchema: { type: 'object' } }]
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  const text = method === 'tools/call' ? 'a line of a long file\\n'.repeat(50000) + params.arguments.end : ''
  const result = method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
    : method === 'tools/list' ? { tools } : { content: [{ type: 'text', text }] }
  const behind = method === 'tools/call' ? JSON.stringify({ jsonrpc: '2.0', method: 'notifications/behind-' + id }) + '\\n' : ''
  const over = params?.arguments?.last ? () => process.exit(0) : () => {}
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n' + behind, over)
})
`

interface Sent {
  readonly end: string
  readonly last?: boolean
}

const POLICY = `${MCP_POLICY}mcp_proxy: { withhold: [secret] }\n`
const BARE = [process.execPath, '-e', SERVER]

/** The lines of the client, from a server alone, through the proxy, or through the proxy from a server over HTTP. */
async function linesOf(way: 'alone' | 'proxied' | { readonly url: string }, ...sent: readonly Sent[]): Promise<readonly string[]> {
  const home = mcpHome(POLICY)
  const own = [CLI, 'mcp', '--policy', home.policy, '--name', 'fixture']
  const args = way === 'alone' ? BARE.slice(1) : way === 'proxied' ? [...own, '--', ...BARE] : [...own, '--url', way.url]
  const child = spawn(process.execPath, args, { cwd: home.work, env: home.environment, stdio: ['pipe', 'pipe', 'ignore'] })
  const write = (message: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const lines: string[] = []
  let rest = ''
  let wake = (): void => {}
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
    wake()
  })
  const until = async (count: number): Promise<void> => {
    while (lines.length < count) await new Promise<void>((resolve) => (wake = resolve))
  }
  write({
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  })
  await until(1)
  write({ id: 'tools', method: 'tools/list' })
  await until(2)
  for (const [index, args_] of sent.entries()) {
    write({ id: `call-${index}`, method: 'tools/call', params: { name: 'echo', arguments: args_ } })
    await (args_.last === true ? once(child, 'close') : until(2 * index + 4))
  }
  child.kill()
  return lines.slice(2)
}

const nameOf = (line: string): unknown => {
  const { id, method } = JSON.parse(line) as { id?: string; method?: string }
  return method ?? id
}

describe('a result of a megabyte', () => {
  proves(
    'SIG-W1',
    'goes on byte by byte, after what stood behind it; one with a secret is held back; the last one of a server arrives',
    async () => {
      const sent = [{ end: '' }, { end: SECRET }, { end: 'over', last: true }]
      const bare = await linesOf('alone', ...sent)
      const through = await linesOf('proxied', ...sent)
      expect(bare.map(nameOf)).toEqual([0, 1, 2].flatMap((index) => [`call-${index}`, `notifications/behind-call-${index}`]))
      expect(through.map(nameOf)).toEqual([0, 1, 2].flatMap((index) => [`notifications/behind-call-${index}`, `call-${index}`]))
      expect([through[1], through[5]]).toEqual([bare[0], bare[4]])
      expect(through[3]).toContain('held back')
      expect(through.join('')).not.toContain(SECRET)
    },
  )

  proves('SIG-W1', 'reaches clients over HTTP as it came, and clients over streams of a server over HTTP', async () => {
    const [text, last] = ['no secret in it', `${'x'.repeat(40_000)} the end`]
    const bare = await linesOf('alone', { end: text }, { end: last })
    const home = mcpHome(POLICY)
    const url = await startListening(proxyCommand(home, ['--name', 'inner', '--listen', '127.0.0.1:0', '--', ...BARE]), home)
    const through = await linesOf({ url }, { end: text }, { end: last }, { end: SECRET })
    expect(through.filter((line) => nameOf(line) === 'call-0' || nameOf(line) === 'call-1')).toEqual([bare[0], bare[2]])
    expect(through.find((line) => nameOf(line) === 'call-2')).toContain('held back')
    expect(through.join('')).not.toContain(SECRET)
  })
})
