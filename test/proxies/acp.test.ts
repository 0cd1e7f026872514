/** An editor and an agent, both on the official SDK of the Agent Client Protocol, as real processes with the proxy between them. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { client, methods, ndJsonStream, PROTOCOL_VERSION, type RequestPermissionRequest } from '@agentclientprotocol/sdk'
import { describe, expect, onTestFinished, test } from 'vitest'
import { CLI } from '../hosts/harness.ts'
import { proves } from '../proves.ts'
import { type McpHome, mcpHome } from '../support/mcp-peers.ts'
import { bundled } from '../support/program.ts'

const AGENT = bundled(new URL('./programs/acp-agent.ts', import.meta.url))

const POLICY = `version: 1
default: ask
unregistered: ask
tool_families: [claude-code]
rules:
  deny: [{ tool: Bash, argument_contains: forbidden, reason: not here }]
`

interface Step {
  readonly request?: string
  readonly notify?: string
  readonly params?: object
  readonly wait?: number
}

interface Turn {
  readonly stopReason: string
  /** What became of each request, as the agent saw it. */
  readonly became: readonly { readonly result?: unknown; readonly error?: { readonly code: number; readonly data?: unknown } }[]
  /** What the person read beside it. */
  readonly said: string
}

interface Editor {
  readonly turn: (...steps: readonly Step[]) => Promise<Turn>
  /** Questions that the person was asked, and commands that ran, in order. */
  readonly asked: RequestPermissionRequest[]
  readonly ran: string[]
  /** What the person chooses: the kind of an option. */
  answer: string
}

async function editor(home: McpHome, options: readonly string[] = []): Promise<Editor> {
  const child = spawn(process.execPath, [CLI, 'acp', '--policy', home.policy, ...options, '--', process.execPath, AGENT], {
    cwd: home.work,
    env: home.environment,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGTERM'))
  let said = ''
  const app = client({ name: 'editor' })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      at.asked.push(params)
      const option = params.options.find(({ kind }) => kind === at.answer)
      return { outcome: option === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId: option.optionId } }
    })
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') said += update.content.text
    })
    .onRequest(methods.client.fs.writeTextFile, ({ params }) => {
      writeFileSync(params.path, params.content)
      return {}
    })
    .onRequest(methods.client.fs.readTextFile, ({ params }) => ({ content: readFileSync(params.path, 'utf8') }))
    .onRequest(methods.client.terminal.create, ({ params }) => {
      at.ran.push([params.command, ...(params.args ?? [])].join(' '))
      return { terminalId: `t-${at.ran.length}` }
    })
  const stream = ndJsonStream(
    Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
  )
  const { agent } = app.connect(stream)
  await agent.request(methods.agent.initialize, {
    protocolVersion: PROTOCOL_VERSION,
    clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
  })
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd: home.work, mcpServers: [] })
  const at: Editor = {
    asked: [],
    ran: [],
    answer: 'allow_once',
    turn: async (...steps) => {
      said = ''
      const prompt = [{ type: 'text' as const, text: JSON.stringify(steps) }]
      const { stopReason } = await agent.request<{ stopReason: string }>(methods.agent.session.prompt, { sessionId, prompt })
      // The SDK may hand over what the agent said after the end of its turn.
      await expect.poll(() => said, { timeout: 30_000 }).toContain('became: ')
      const [before = '', became = '[]'] = said.split('became: ')
      return { stopReason, became: JSON.parse(became) as Turn['became'], said: before }
    },
  }
  return at
}

const terminal = (command: string, args: readonly string[] = [], more: object = {}): Step => ({
  request: 'terminal/create',
  params: { command, args, ...more },
})
const write = (path: string, content = 'x'): Step => ({ request: 'fs/write_text_file', params: { path, content } })
const OPTIONS = ['allow_once', 'allow_always', 'reject_once'].map((kind) => ({ optionId: `o-${kind}`, name: kind, kind }))
const permission = (toolCall: object): Step => ({ request: 'session/request_permission', params: { toolCall, options: OPTIONS } })
const execute = (id: string, command: string, more: object = {}): object => ({
  toolCallId: id,
  title: command,
  kind: 'execute',
  rawInput: { command },
  ...more,
})
const told = (sessionUpdate: string, fields: object): Step => ({
  notify: 'session/update',
  params: { update: { sessionUpdate, ...fields } },
})
const REFUSED = { error: { code: 403 } }

describe('ordinary work', () => {
  test('files of the workspace, commands that read, and what is no call go on without a question', async () => {
    const home = mcpHome(POLICY)
    const at = await editor(home)
    const file = join(home.work, 'a.txt')
    const { became, stopReason } = await at.turn(
      write(file, 'hello'),
      { request: 'fs/read_text_file', params: { path: file } },
      terminal('ls', ['-la']),
      terminal('git status'),
      terminal('grep', ['-rn', 'a; b && c', '.']),
      told('tool_call', { ...execute('c-1', 'ls'), status: 'in_progress' }),
      told('tool_call_update', { toolCallId: 'c-1', status: 'completed' }),
      { request: '_editor/own', params: {} },
    )
    expect(became.slice(0, 5).map((each) => 'result' in each)).toEqual([true, true, true, true, true])
    expect(became[1]).toEqual({ result: { content: 'hello' } })
    // The editor's own answer to what it does not know.
    expect(became[5]).toMatchObject({ error: { code: -32601 } })
    expect([stopReason, at.asked, at.ran]).toEqual(['end_turn', [], ['ls -la', 'git status', 'grep -rn a; b && c .']])
  })

  test('what the person agreed to runs, once, and is not asked about twice', async () => {
    const home = mcpHome(POLICY)
    const at = await editor(home)
    const push = 'git push --force origin main'
    const { became } = await at.turn(permission(execute('c-1', push)), terminal('git', ['push', '--force', 'origin', 'main']))
    expect(became).toMatchObject([
      { result: { outcome: { outcome: 'selected', optionId: 'o-allow_once' } } },
      { result: { terminalId: 't-1' } },
    ])
    expect(at.asked.map(({ options }) => options.map(({ kind }) => kind))).toEqual([['allow_once', 'reject_once']])
    expect(JSON.stringify(at.asked[0]?.toolCall)).toContain('Countersign asks')
    // In another directory it is another call, and so is the same again, or in a later turn.
    const here = terminal('git', ['push', '--force', 'origin', 'main'])
    const there = terminal('git', ['push', '--force', 'origin', 'main'], { cwd: '/' })
    const elsewhere = await at.turn(permission(execute('c-2', push)), there, here)
    expect([elsewhere.became.length, at.asked.length, at.ran.length]).toEqual([3, 3, 3])
    await at.turn(permission(execute('c-3', push)))
    at.answer = 'reject_once'
    const again = await at.turn(here)
    expect(again.became).toMatchObject([REFUSED])
    expect([at.asked.length, at.ran.length]).toEqual([5, 3])
  })
})

describe('hostile', () => {
  proves('T22', 'what is denied never reaches the editor, and the agent is told why', async () => {
    const home = mcpHome(POLICY)
    const at = await editor(home)
    const { became, said } = await at.turn(
      terminal('forbidden', ['x']),
      terminal('sh', ['-c', 'forbidden']),
      terminal('rm', ['-rf', '/']),
      write(join(home.home, 'countersign.yaml')),
      write(join(home.home, 'operator-token')),
      permission(execute('c-1', 'forbidden')),
      { request: 'terminal/create', params: { command: ['ls'] } },
      { request: 'session/request_permission', params: { options: OPTIONS } },
    )
    expect(became.slice(0, 5)).toMatchObject([REFUSED, REFUSED, REFUSED, REFUSED, REFUSED])
    expect(became[5]).toMatchObject({ result: { outcome: { outcome: 'selected', optionId: 'o-reject_once' } } })
    expect(became[6]).toMatchObject(REFUSED)
    expect(became[7]).toMatchObject({ result: { outcome: { optionId: 'o-reject_once' } } })
    expect(said).toContain('Countersign: ')
    expect([at.asked, at.ran, existsSync(join(home.home, 'countersign.yaml'))]).toEqual([[], [], false])
  })

  test('variables of a command are part of it', async () => {
    const at = await editor(mcpHome(POLICY))
    at.answer = 'reject_once'
    const { became } = await at.turn(terminal('ls', [], { env: [{ name: 'LD_PRELOAD', value: '/tmp/x.so' }] }))
    expect([became, at.asked.length, at.ran]).toMatchObject([[REFUSED], 1, []])
  })

  test('an agent that runs by itself what is denied, or asks nobody, loses its turn', async () => {
    const at = await editor(mcpHome(POLICY))
    for (const [name, ...steps] of [
      ['denied', told('tool_call', { ...execute('d-1', 'forbidden'), status: 'in_progress' })],
      [
        'shown one thing, runs another',
        permission(execute('d-2', 'git status')),
        told('tool_call_update', { toolCallId: 'd-2', status: 'in_progress', rawInput: { command: 'forbidden' } }),
      ],
      [
        'asked nobody',
        told('tool_call', { ...execute('d-3', 'git push --force origin main'), status: 'in_progress' }),
        told('tool_call_update', { toolCallId: 'd-3', status: 'completed' }),
      ],
    ] as const) {
      const { stopReason } = await at.turn(...steps, { wait: 20_000 })
      expect([name, stopReason]).toEqual([name, 'cancelled'])
    }
  })
})
