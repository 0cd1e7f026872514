/** What operators see of a proxy: counters over HTTP, and what could not be looked into, from the log, once it ended. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'vitest'
import { CLI } from '../hosts/harness.ts'
import { proves } from '../proves.ts'
import { MCP_POLICY } from '../support/mcp.ts'
import { connectedTo, mcpHome, proxyCommand, startListening } from '../support/mcp-peers.ts'
import { bundled } from '../support/program.ts'

const SERVER = bundled(new URL('./programs/server.ts', import.meta.url))

proves('P5', 'a proxy over HTTP counts what it decided, for each server', async () => {
  const home = mcpHome(`${MCP_POLICY}mcp_proxy: { hold: 10ms }\n`)
  const name = 'my-fixture'
  const own = ['--name', name, '--listen', '127.0.0.1:0', '--', process.execPath, SERVER]
  const url = await startListening(proxyCommand(home, own), home, { MARKER: join(home.work, 'ran') })
  const client = await connectedTo(url, { era: 'legacy', proxy: null })
  for (const tool of ['echo', 'echo', 'delete_account']) await client.callTool({ name: tool, arguments: { text: 'x' } })
  const answer = await fetch(new URL('/countersign/metrics', url))
  const lines = (await answer.text()).split('\n')
  expect(answer.headers.get('content-type')).toContain('text/plain')
  expect(lines).toContain(`countersign_proxy_calls_total{route="${name}",decision="flag"} 2`)
  expect(lines).toContain(`countersign_proxy_calls_total{route="${name}",decision="ask"} 1`)
  expect(lines).toContain(`countersign_proxy_uninspected_total{route="${name}"} 0`)
  expect(lines).toContain('countersign_proxy_release_seconds_count 3')
  expect(lines).toContain('countersign_proxy_holding 0')
})

proves('P5', 'a proxy over standard streams leaves in the log how often it could not look into something', async () => {
  const home = mcpHome(MCP_POLICY)
  const child = spawn(process.execPath, [CLI, 'mcp', '--policy', home.policy, '--name', 'fixture', '--', process.execPath, SERVER], {
    cwd: home.work,
    env: { ...home.environment, MARKER: join(home.work, 'ran') },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const twice = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","name":"delete_account"}}\n'
  child.stdin.write(twice.repeat(7))
  child.stdout.resume()
  child.stdin.end()
  await once(child, 'close')
  const told = execFileSync(process.execPath, [CLI, 'stats', 'uninspected', '--json'], { env: home.environment, encoding: 'utf8' })
  expect(
    told
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([{ proxy: 'mcp', upstream: 'fixture', what: 'client message', passed: false, count: 7 }])
  const plain = execFileSync(process.execPath, [CLI, 'stats', 'uninspected'], { env: home.environment, encoding: 'utf8' })
  expect(plain).toBe('mcp fixture: 7 times client message, held back\n')
})
