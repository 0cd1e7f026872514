/** Every host but the first, which has tests of its own: what it hears, what is written for it, and what it hears where the hook fails. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { NATIVE } from '../../test/support/native-events.ts'
import { newStateDirectory } from '../../test/support/state-base.ts'
import { loadShipped } from '../cli/open.ts'
import { gateProgram } from '../cli/version.ts'
import type { JsonObject } from '../core/json.ts'
import { digester, openGate } from '../open.ts'
import { createFixedView } from '../view/fixed.ts'
import { type HostAdapter, secondsFor } from './adapter.ts'
import { HOSTS } from './all.ts'
import { answerFor } from './answer.ts'
import { hostNamed, ROWS } from './index.ts'

let home: string
let opened: ReturnType<typeof openGate>
const saved = { HOME: process.env.HOME, COUNTERSIGN_HOME: process.env.COUNTERSIGN_HOME }
beforeAll(() => {
  home = newStateDirectory()
  process.env.HOME = home
  process.env.COUNTERSIGN_HOME = join(home, '.countersign')
  opened = openGate({
    home: join(home, '.countersign'),
    policy: loadShipped,
    view: () => createFixedView({ home: '/home/me', cwd: '/tmp' }),
  })
})
afterAll(() => {
  opened.close()
  for (const [name, value] of Object.entries(saved)) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
  rmSync(home, { recursive: true, force: true })
})

const named = (name: string): HostAdapter => hostNamed(name) as HostAdapter
const bytes = (event: unknown): Uint8Array => Buffer.from(typeof event === 'string' ? event : JSON.stringify(event))

let calls = 0
/** The event in a session of its own, as a call that nobody saw before. */
function anew(event: unknown): string {
  calls++
  return JSON.stringify(event)
    .replaceAll(/"(?:s|T-1)"/g, `"s${calls}"`)
    .replaceAll(/"(?:c|e|v)\d"/g, `"id${calls}"`)
}
const answer = (host: HostAdapter, event: unknown): Promise<JsonObject> =>
  answerFor(host, bytes(event), {
    gate: opened.gate,
    digest: () => 'sha256:0',
    definitionDigest: digester.definitionDigest,
    entrypoint: null,
    user: null,
    result: async () => null,
  })
const refuses = (told: JsonObject, { refusal }: (typeof NATIVE)[number]): boolean =>
  Object.keys(refusal).length === 0 ? Object.hasOwn(told, 'refused') : JSON.stringify(told).includes(JSON.stringify(refusal).slice(1, -2))

test('every host but Claude Code and the editor that shares its hook stands in the table of this suite', () => {
  expect(NATIVE.map(({ name }) => name).sort()).toEqual(
    HOSTS.map(({ name }) => name)
      .filter((name) => name !== 'claude-code' && name !== 'vscode')
      .sort(),
  )
})

test('each row is found by the name that its adapter has, and nothing else is', () => {
  expect(Object.keys(ROWS)).toEqual(HOSTS.map(({ name }) => name))
  for (const host of HOSTS) expect(hostNamed(host.name)).toBe(host)
  for (const name of ['', 'claude', 'toString', '__proto__', 'constructor']) expect(hostNamed(name)).toBe(undefined)
})

for (const native of NATIVE) {
  describe(native.name, () => {
    proves(['T30', 'FUL-5'], 'denies what is hostile, says nothing to what is ordinary, and never takes a question for a yes', async () => {
      const host = named(native.name)
      const parsed = host.parse(bytes(native.shell('rm -rf ~')), { digest: () => '', entrypoint: null, user: null })
      const [tool, argument] = native.judged
      expect(parsed).toMatchObject({
        kind: 'call',
        call: { tool: { name: tool }, args: { [argument]: 'rm -rf ~' }, principal: { agent: native.name } },
      })
      expect(refuses(await answer(host, anew(native.shell('rm -rf ~'))), native)).toBe(true)
      const asked = await answer(host, anew(native.shell('git push --force origin main')))
      expect([refuses(asked, native), JSON.stringify(asked).includes('apr_')]).toEqual([true, true])
      expect(await answer(host, anew(native.read))).toEqual(host.noOpinion)
      expect(await answer(host, anew(native.shell('git status')))).toEqual(host.noOpinion)
    })

    proves('T30', 'what it cannot read is refused', async () => {
      const host = named(native.name)
      const shell = native.shell('git status')
      for (const event of [
        '',
        '{',
        '[]',
        '{}',
        '{"a":1,"a":2}',
        {
          ...shell,
          tool_name: '',
          tool_input: 1,
          toolArgs: '{',
          args: 1,
          command: 1,
          tool_info: 1,
          preToolUse: { toolName: 'x', parameters: 1 },
        },
      ])
        expect([event, refuses(await answer(host, typeof event === 'string' ? event : anew(event)), native)]).toEqual([event, true])
    })

    test('is installed into the files that it reads, once, and leaves them as they were', () => {
      const host = named(native.name)
      const installation = { scope: 'user', ...gateProgram() } as const
      const before = new Map(
        native.files
          .filter((file) => file.endsWith('settings.json') || file.endsWith('.toml'))
          .map((file) => [file, file.endsWith('.toml') ? 'model = "x"\n' : '{"theme":"x"}']),
      )
      for (const [file, text] of before) write(join(home, file), text)
      const changes = host.install(installation)
      expect(changes.map(({ path }) => path)).toEqual(expect.arrayContaining(native.files.map((file) => join(home, file))))
      for (const { path, after } of changes) write(path, after ?? '')
      expect([host.install(installation), host.installed()]).toEqual([[], true])
      for (const { path, after } of host.uninstall(installation)) {
        if (after === null) rmSync(path)
        else write(path, after)
      }
      for (const file of native.files)
        expect([file, existsSync(join(home, file)) ? readFileSync(join(home, file), 'utf8') : undefined]).toEqual([file, before.get(file)])
      expect(host.installed()).toBe(false)
    })

    proves('T30', 'hears a denial where the script is missing, empty, garbage, or dies', () => {
      const host = named(native.name)
      const installation = { scope: 'user', ...gateProgram() } as const
      for (const { path, after } of host.install(installation)) write(path, after ?? '')
      const script = join(home, '.countersign/bin', `${native.name}-hook`)
      for (const text of [null, '', '\u0000garbage', '#!/bin/sh\nkill -9 $$\n']) {
        if (text === null) rmSync(script, { force: true })
        else write(script, text)
        const run = spawnSync('/bin/sh', ['-c', commandIn(native.files[0] ?? '')], {
          input: '{}',
          encoding: 'utf8',
          env: { PATH: '/usr/bin:/bin', HOME: home, PWD: home, AGENT_TOOL_NAME: 'Bash' },
        })
        expect([text, run.status, run.stderr]).toEqual([text, 2, expect.stringContaining('countersign')])
        if (Object.keys(native.refusal).length > 0)
          expect([text, refuses(JSON.parse(run.stdout) as JsonObject, native)]).toEqual([text, true])
      }
      for (const { path, after } of host.uninstall(installation)) {
        if (after === null) rmSync(path)
        else write(path, after)
      }
    })
  })
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, 0o700)
}

/** What the host would start, as it stands in the file. */
function commandIn(file: string): string {
  const text = readFileSync(join(home, file), 'utf8')
  if (text.startsWith('#!')) return text
  const quoted = /"(?:command|bash)": ("(?:[^"\\]|\\.)*")|^const command = ("(?:[^"\\]|\\.)*")$/m.exec(text)
  return String(JSON.parse(quoted?.[1] ?? quoted?.[2] ?? '""'))
}

describe('deadlines', () => {
  for (const host of HOSTS)
    test(`${host.name}: both tries together end within 60 % of what the host waits`, () => {
      const seconds = secondsFor(host.about)
      expect(seconds).toBeGreaterThanOrEqual(1)
      expect(2 * seconds + 3).toBeLessThanOrEqual(host.about.waits * 0.6)
    })
})

describe('questions', () => {
  for (const { name, about } of HOSTS) test(`${name}: never an allow`, () => expect(['prompt', 'denial']).toContain(about.ask.attended))
  test('the editor that shares a hook with Claude Code has its own events, and its own prompt', async () => {
    const event = {
      sessionId: 's',
      hookEventName: 'PreToolUse',
      cwd: '/tmp',
      tool_name: 'run_in_terminal',
      tool_input: { command: 'git push --force origin main' },
      tool_use_id: 'v1',
    }
    for (const name of ['vscode', 'claude-code'])
      expect(await answer(named(name), anew(event))).toMatchObject({
        hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'ask' },
      })
  })
  test('Codex opens no shell that is typed into later', async () => {
    const [native] = NATIVE
    for (const command of ['bash', 'python3 -i', 'cd x && sh'])
      expect(JSON.stringify(await answer(named('codex'), anew(native?.shell(command))))).toContain('ingress.unseen_input')
  })
})

describe('what is judged is what runs', () => {
  const parsed = (name: string, event: unknown) => named(name).parse(bytes(event), { digest: () => '', entrypoint: null, user: null })
  const cline = (parameters: unknown, toolName = 'use_mcp_tool') => ({
    ...{ hookName: 'PreToolUse', taskId: 's', workspaceRoots: ['/tmp'] },
    preToolUse: { toolName, parameters },
  })

  test('Cline calls the tools of every server by one tool of its own', () => {
    const whole = { server_name: 'crm', tool_name: 'get_customer', arguments: '{"id":7}' }
    const call = { tool: { server: 'crm', name: 'get_customer' }, args: { id: 7 } }
    for (const parameters of [whole, JSON.stringify(whole), { ...whole, arguments: { id: 7 } }])
      expect(parsed('cline', cline(parameters))).toMatchObject({ kind: 'call', call })
    expect(parsed('cline', cline({ server_name: 'crm', tool_name: 'list' }))).toMatchObject({ kind: 'call', call: { args: {} } })
    // Without a server, and under another name, it is the tool that it says.
    for (const parameters of [{ tool_name: 'x' }, { server_name: '', tool_name: 'x' }, { server_name: 7, tool_name: 'x' }])
      expect(parsed('cline', cline(parameters))).toMatchObject({ kind: 'call', call: { tool: { server: null, name: 'use_mcp_tool' } } })
    expect(parsed('cline', cline(whole, 'other'))).toMatchObject({ kind: 'call', call: { tool: { server: null, name: 'other' } } })
    for (const given of ['{', '[1]', 7]) expect(parsed('cline', cline({ ...whole, arguments: given }))).toMatchObject({ kind: 'refused' })
    expect(parsed('cline', cline({ ...whole, tool_name: '' }))).toMatchObject({ kind: 'refused' })
  })

  test('the command-line client of Cline tells the arguments twice: as texts, and as the model gave them', () => {
    const event = (given: unknown, parameters: unknown = { commands: '["ls"]' }) => ({
      ...{ hookName: 'tool_call', taskId: 's', workspaceRoots: ['/tmp'], tool_call: given },
      preToolUse: { toolName: 'run_commands', parameters },
    })
    const args = { commands: ['rm -rf ~', 'ls'] }
    const whole = event({ id: 'c1', name: 'run_commands', input: args })
    expect(parsed('cline', whole)).toMatchObject({ kind: 'call', call: { callId: 'c1', tool: { name: 'run_commands' }, args } })
    expect(parsed('cline', { ...whole, sessionContext: { rootSessionId: 'r1' } })).toMatchObject({ call: { session: 'r1' } })
    expect(parsed('cline', { ...whole, sessionContext: {} })).toMatchObject({ call: { session: 's' } })
    // Another tool beside it: nobody knows which one runs.
    expect(parsed('cline', event({ id: 'c1', name: 'read_files', input: { files: [] } }))).toMatchObject({ kind: 'refused' })
    for (const given of [undefined, { id: 'c1' }, { id: 'c1', name: 'run_commands', input: 'x' }])
      expect(parsed('cline', event(given))).toMatchObject({ kind: 'call', call: { args: { commands: '["ls"]' } } })
    const result = { postToolUse: { toolName: 'run_commands', parameters: { commands: '["ls"]' }, result: 'out', success: true } }
    const ended = { taskId: 's', workspaceRoots: ['/tmp'], tool_result: { id: 'c1', name: 'run_commands', input: args }, ...result }
    expect(parsed('cline', ended)).toMatchObject({ kind: 'result', call: { callId: 'c1', args } })
  })

  test('Amp has other names of arguments; where both are given, both are judged', () => {
    const amp = (tool: string, args: unknown) => parsed('amp', { tool, thread: 'T-1', cwd: '/tmp', args })
    expect(amp('Bash', { cmd: 'ls' })).toMatchObject({ call: { args: { command: 'ls' } } })
    expect(amp('Read', { path: 'a.md', read_range: [1, 2] })).toMatchObject({ call: { args: { file_path: 'a.md', read_range: [1, 2] } } })
    expect(amp('Bash', { cmd: 'rm -rf ~', command: 'ls' })).toMatchObject({ call: { args: { cmd: 'rm -rf ~', command: 'ls' } } })
    expect(amp('create_file', { path: 'a.md', cmd: 'x' })).toMatchObject({ call: { args: { path: 'a.md', cmd: 'x' } } })
  })
})
