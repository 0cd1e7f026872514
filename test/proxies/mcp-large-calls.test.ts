/** Calls of two megabytes through the built proxy: decided beside everything else, and as small ones are. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { openStore } from '../../src/store/sqlite/open.ts'
import type { StoredRecord } from '../../src/store/store.ts'
import { CLI } from '../hosts/harness.ts'
import { proves } from '../proves.ts'
import { mcpHome } from '../support/mcp-peers.ts'

/** Notes the length and the end of each text that reaches it. */
const SERVER = `
const { appendFileSync } = require('node:fs')
const properties = { text: { type: 'string' } }
const tools = ['note', 'publish'].map((name) => ({ name, description: name, inputSchema: { type: 'object', properties } }))
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'tools/call') appendFileSync(process.env.MARKER, [params.name, params.arguments.text.length, params.arguments.text.slice(-9)].join(' ') + '\\n')
  const result = method === 'initialize' ? { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
    : method === 'tools/list' ? { tools } : method === 'tools/call' ? { content: [] } : {}
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n')
})
`

const POLICY = `version: 1
default: ask
unregistered: ask
mcp_proxy: { hold: 10ms }
tools: { fixture/note: { risk_tier: low } }
rules:
  deny: [{ tool: fixture/note, when: 'args.text.endsWith("forbidden")', reason: not this }]
`

interface Answer {
  readonly id: string
  readonly result?: { readonly isError?: boolean }
}

proves(
  'P5',
  'a call of two megabytes is allowed, denied and asked about like any other; messages behind it do not wait, its session does',
  async () => {
    const home = mcpHome(POLICY)
    const marker = join(home.work, 'ran')
    const args = [CLI, 'mcp', '--policy', home.policy, '--name', 'fixture', '--session', 's', '--', process.execPath, '-e', SERVER]
    const env = { ...home.environment, MARKER: marker }
    const child = spawn(process.execPath, args, { cwd: home.work, env, stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill())
    const answers: Answer[] = []
    let rest = ''
    let wake = (): void => {}
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\n')
      rest = parts.pop() ?? ''
      answers.push(...parts.map((each) => JSON.parse(each) as Answer).filter(({ id }) => id !== undefined))
      wake()
    })
    const ask = (id: string, method: string, params: object = {}): void =>
      void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    const call = (id: string, name: string, text: string): void => ask(id, 'tools/call', { name, arguments: { text } })
    const until = async (count: number): Promise<void> => {
      while (answers.length < count) await new Promise<void>((resolve) => (wake = resolve))
    }
    ask('begin', 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } })
    await until(1)
    ask('tools', 'tools/list')
    await until(2)
    const long = 'a line of a long text, as people write it\n'.repeat(48_000)
    call('large', 'note', long)
    ask('ping', 'ping')
    call('small', 'note', 'short')
    await until(5)
    call('denied', 'note', `${long}forbidden`)
    call('asked', 'publish', long)
    await until(7)
    expect(answers.slice(2).map(({ id }) => id)).toEqual(['ping', 'large', 'small', 'denied', 'asked'])
    expect(answers.filter(({ result }) => result?.isError === true).map(({ id }) => id)).toEqual(['denied', 'asked'])
    expect(existsSync(marker) && readFileSync(marker, 'utf8').split('\n')).toEqual([
      `note ${long.length} ${long.slice(-9).trim()}`,
      '',
      'note 5 short',
      '',
    ])
    const store = openStore({ directory: home.home })
    onTestFinished(() => store.close())
    const decided = [...(store.read({ kind: 'decision' }) as Iterable<StoredRecord>)]
    expect(decided.map(({ session, decision }) => [session, decision])).toEqual(
      ['allow', 'allow', 'deny', 'ask'].map((each) => ['s', each]),
    )
  },
)
