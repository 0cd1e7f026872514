/** `countersign mcp` but for the traffic: drafts, locks, and what it refuses to begin with. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Home, makeHome } from '../hosts/harness.ts'
import { commandLine } from '../support/command-line.ts'
import { serverCommand } from '../support/mcp-peers.ts'

let home: Home
beforeEach(() => {
  home = makeHome()
})
afterEach(() => home.remove())

const SCRIPTED = `
const tools = JSON.parse(process.env.TOOLS)
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line)
  const say = (result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }))
  if (method === 'initialize') say({ protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } })
  if (method === 'tools/list') say({ tools })
})
`

/** A client's file with one server that offers these tools. */
function config(...tools: readonly object[]): string {
  return configOf({ command: process.execPath, args: ['-e', SCRIPTED], env: { TOOLS: JSON.stringify(tools) } })
}

/** The same once `mcp install` has taken the server over. */
function taken(...tools: readonly object[]): string {
  const args = ['mcp', '--name', 'acme', '--policy', 'of-the-team.yaml', '--', process.execPath, '-e', SCRIPTED]
  return configOf({ command: 'countersign', args, env: { TOOLS: JSON.stringify(tools) } })
}

function configOf(entry: object): string {
  const path = join(home.user, 'mcp.json')
  writeFileSync(path, JSON.stringify({ mcpServers: { acme: entry } }))
  return path
}

const tool = (name: string, description: string) => ({ name, description, inputSchema: { type: 'object' } })

describe('--draft', () => {
  test('prints a policy that holds', async () => {
    const [command = '', ...args] = serverCommand('filesystem', home.user)
    const run = await commandLine(home, ['mcp', '--draft', '--', command, ...args])
    expect(run.status).toBe(0)
    expect(run.stdout).toContain('filesystem/write_file: { risk_tier: medium')
    const file = join(home.user, 'draft.yaml')
    writeFileSync(file, run.stdout)
    expect((await commandLine(home, ['policy', 'lint', file])).status).toBe(0)
  })

  test('writes a new file and no other', async () => {
    const [path, out] = [config(tool('send_email', 'Sends a mail')), join(home.user, 'new.yaml')]
    expect((await commandLine(home, ['mcp', '--draft', '--config', path, '--out', out])).status).toBe(0)
    expect(readFileSync(out, 'utf8')).toContain('acme/send_email: { risk_tier: high, irreversible: true')
    const again = await commandLine(home, ['mcp', '--draft', '--config', path, '--out', out])
    expect([again.status, again.stderr.includes('is there already')]).toEqual([2, true])
  })

  test('asks the server itself, also where it stands behind the proxy', async () => {
    const run = await commandLine(home, ['mcp', '--draft', '--config', taken(tool('send_email', 'Sends a mail'))])
    expect([run.status, run.stdout]).toEqual([0, expect.stringContaining('acme/send_email: { risk_tier: high, irreversible: true')])
  })

  test('says why a server does not answer', async () => {
    for (const [args, said] of [
      [['--', join(home.user, 'none')], 'cannot be started'],
      [['--', process.execPath, '-e', ''], 'ended before it answered'],
      [['--url', 'http://127.0.0.1:9/mcp'], 'cannot be reached'],
    ] as const) {
      const run = await commandLine(home, ['mcp', '--draft', ...args])
      expect([run.status, run.stderr]).toEqual([2, expect.stringContaining(said)])
    }
  })
})

describe('--lock', () => {
  test('is written, compared, and says what changed', async () => {
    const lock = join(home.user, 'mcp.lock.json')
    const run = (path: string, ...more: readonly string[]) => commandLine(home, ['mcp', '--lock', lock, ...more, '--config', path])
    expect((await run(config(tool('a', 'one'), tool('b', 'two')), '--check')).status).toBe(2)
    expect((await run(config(tool('a', 'one'), tool('b', 'two')), '--write')).status).toBe(0)
    expect((await run(config(tool('a', 'one'), tool('b', 'two')), '--check')).status).toBe(0)
    const other = await run(config(tool('a', 'another'), tool('c', 'new')), '--check')
    expect([
      other.status,
      other.stdout
        .split('\n')
        .filter((line) => line !== '')
        .sort(),
    ]).toEqual([1, ['acme/a changed (/description changed)', 'acme/b removed', 'acme/c added']])
    writeFileSync(lock, '{"version":2}')
    expect((await run(config(tool('a', 'one')), '--check')).stderr).toContain('is no lock')
  })

  test('says the same of a server whether it stands behind the proxy or not', async () => {
    const lock = join(home.user, 'mcp.lock.json')
    const run = (path: string, ...more: readonly string[]) => commandLine(home, ['mcp', '--lock', lock, ...more, '--config', path])
    expect((await run(taken(tool('a', 'one')), '--write')).status).toBe(0)
    const written = readFileSync(lock, 'utf8')
    expect([(await run(config(tool('a', 'one')), '--check')).status, (await run(taken(tool('a', 'one')), '--check')).status]).toEqual([
      0, 0,
    ])
    expect((await run(taken(tool('a', 'another')), '--check')).stdout).toContain('acme/a changed (/description changed)')
    rmSync(lock)
    expect((await run(config(tool('a', 'one')), '--write')).status).toBe(0)
    expect(readFileSync(lock, 'utf8')).toBe(written)
  })
})

describe('what it refuses', () => {
  for (const [args, said] of [
    [[], 'name one server'],
    [['--url', 'http://a', '--', 'b'], 'name one server'],
    [['--url', 'ftp://a/b'], 'write it as https://mcp.example.com/mcp'],
    [['--url', 'http://127.0.0.1:9/mcp', '--header', 'nothing'], 'is no header'],
    [['--config', 'none.json'], 'cannot be read'],
    [['--check', '--', 'x'], '--lock FILE'],
    [['--url', 'http://127.0.0.1:9/mcp', '--listen', 'nowhere at all'], 'is no address'],
  ] as const) {
    test(args.join(' ') || 'nothing', async () => {
      const run = await commandLine(home, ['mcp', ...args])
      expect([run.status, run.stderr]).toEqual([2, expect.stringContaining(said)])
      expect(existsSync(join(home.state, 'audit.db'))).toBe(false)
    })
  }

  test('a file with servers that cannot be started, or several over standard streams', async () => {
    const path = join(home.user, 'mcp.json')
    for (const [servers, said] of [
      [{}, 'names no server'],
      [{ a: {} }, 'neither `command` nor `url`'],
      [{ 'a b': { command: 'x' } }, 'has a name of other characters'],
      [{ a: { command: 'x', args: [1] } }, 'no list of texts'],
      [{ a: { command: 'x' }, b: { command: 'y' } }, 'names several servers (a, b)'],
    ] as const) {
      writeFileSync(path, JSON.stringify({ mcpServers: servers }))
      const run = await commandLine(home, ['mcp', '--config', path])
      expect([run.status, run.stderr]).toEqual([2, expect.stringContaining(said)])
    }
  })
})
