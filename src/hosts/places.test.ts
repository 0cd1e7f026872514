/** Where hosts keep their settings: each is read, written and left where the host itself looks, comments and all. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { temporaryDirectory } from '../../test/support/records.ts'
import { gateProgram } from '../cli/version.ts'
import type { JsonObject } from '../core/json.ts'
import type { HostAdapter } from './adapter.ts'
import { commentsOf, edited, plainJson } from './comments.ts'
import { hostNamed } from './index.ts'

const VARIABLES = ['XDG_CONFIG_HOME', 'CODEX_HOME', 'CLAUDE_CONFIG_DIR', 'GEMINI_CLI_HOME', 'QWEN_HOME', 'COPILOT_HOME', 'APPDATA']
const OWN = ['OPENCODE_CONFIG', 'OPENCODE_CONFIG_DIR', 'OPENCLAW_STATE_DIR', 'COUNTERSIGN_HOME']

let home: string
beforeEach(() => {
  home = temporaryDirectory()
  vi.stubEnv('HOME', home)
  for (const name of [...VARIABLES, ...OWN]) vi.stubEnv(name, undefined)
  return () => vi.unstubAllEnvs()
})

const named = (name: string): HostAdapter => hostNamed(name) as HostAdapter

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { mode: 0o700 })
}

function apply(changes: readonly { readonly path: string; readonly after: string | null }[]): void {
  for (const { path, after } of changes) {
    if (after === null) rmSync(path)
    else write(path, after)
  }
}

const PLAIN = '{\n    "theme" : "dark"\n}\n'
const COMMENTED = `// mine
{
  /* a "theme" */ "theme": "x // no comment", // at night
  "hooks": {
    "Other": [
      { "a": 1 } // first
    ]
  } // the end
}
`
const WITH_COMMAS = '{\n  "amp.url": "https://ampcode.com", // ours\n  "amp.permissions": [ { "tool": "Bash", "action": "ask", }, ],\n}\n'

type Row = readonly [host: string, environment: Readonly<Record<string, string>>, file: string, before: string]

const ROWS: readonly Row[] = [
  ['claude-code', {}, '.claude/settings.json', PLAIN],
  ['claude-code', { CLAUDE_CONFIG_DIR: '/else' }, 'else/settings.json', PLAIN],
  ['vscode', {}, '.claude/settings.json', PLAIN],
  ['codex', { CODEX_HOME: '/else' }, 'else/hooks.json', PLAIN],
  ['gemini-cli', {}, '.gemini/settings.json', COMMENTED],
  ['gemini-cli', { GEMINI_CLI_HOME: '/else' }, 'else/.gemini/settings.json', COMMENTED],
  ['qwen-code', {}, '.qwen/settings.json', COMMENTED],
  ['qwen-code', { QWEN_HOME: '/else' }, 'else/settings.json', COMMENTED],
  ['qwen-code', { QWEN_HOME: '~/own' }, 'own/settings.json', PLAIN],
  ['copilot-cli', { COPILOT_HOME: '/else' }, 'else/hooks/countersign.json', ''],
  ['opencode', { XDG_CONFIG_HOME: '/else' }, 'else/opencode/plugin/countersign.js', ''],
  ['opencode', { OPENCODE_CONFIG_DIR: '/else' }, 'else/plugin/countersign.js', ''],
  ['amp', {}, '.config/amp/settings.json', WITH_COMMAS],
  ['amp', { XDG_CONFIG_HOME: '/else' }, 'else/amp/settings.json', WITH_COMMAS],
  ['openclaw', { OPENCLAW_STATE_DIR: '/else' }, 'else/extensions/countersign/index.js', ''],
]

/** Variables that begin with a slash lead below the home of the test. */
function surround(environment: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value.startsWith('/') ? home + value : value)
}

describe('the hook', () => {
  for (const [name, environment, file, before] of ROWS)
    test(`${name} at ${file}, ${JSON.stringify(environment)}: written, found, and taken away to the byte`, () => {
      surround(environment)
      const [host, path, program] = [named(name), join(home, file), { scope: 'user', ...gateProgram() } as const]
      mkdirSync(join(home, '.vscode'))
      if (before !== '') write(path, before)
      apply(host.install(program))
      const after = readFileSync(path, 'utf8')
      expect([after === before, commentsOf(before === '' ? '' : after)]).toEqual([false, commentsOf(before)])
      expect([host.installed(), host.install(program)]).toEqual([true, []])
      apply(host.uninstall(program))
      expect(existsSync(path) ? readFileSync(path, 'utf8') : '').toBe(before)
      expect(host.installed()).toBe(false)
    })

  test('what somebody wrote since stays, with its comments, when the hook goes', () => {
    const [host, path, program] = [named('gemini-cli'), join(home, '.gemini/settings.json'), { scope: 'user', ...gateProgram() } as const]
    write(path, COMMENTED)
    apply(host.install(program))
    const since = (text: string) => text.replace('"theme":', '"a": 2, // since\n  "theme":')
    write(path, since(readFileSync(path, 'utf8')))
    apply(host.uninstall(program))
    expect(readFileSync(path, 'utf8').replaceAll(/\s/g, '')).toBe(since(COMMENTED).replaceAll(/\s/g, ''))
  })

  test('what the host does not read is not written over', () => {
    for (const [name, file, text] of [
      ['gemini-cli', '.gemini/settings.json', '{ "a": [1,], }'],
      ['gemini-cli', '.gemini/settings.json', '{ "a": 1 /* }'],
      ['qwen-code', '.qwen/settings.json', '{ "a": 1, "a": 2 } // twice'],
      ['claude-code', '.claude/settings.json', '{ "a": 1 } // dropped by the host'],
      ['copilot-cli', '.copilot/hooks/countersign.json', '// a comment\n{}'],
    ] as const) {
      write(join(home, file), text)
      expect(() => named(name).install({ scope: 'user', ...gateProgram() })).toThrow('is not valid JSON')
    }
  })
})

describe('servers that settings name', () => {
  const vscode = { hookEventName: 'PreToolUse', sessionId: 's', tool_name: 'mcp_crm_close', tool_input: {}, tool_use_id: 'c' }
  const opencode = { event: 'before', session: 's', call: 'c', tool: 'crm_close', args: {} }
  const copilot = { sessionId: 's', timestamp: 1, toolName: 'crm-close', toolArgs: {} }
  const list = (field: string) => `{ // servers of mine\n  "${field}": { "crm": { "url": "https://crm.example", }, },\n}\n`
  const CASES = [
    ['vscode', {}, '.config/Code/User/mcp.json', list('servers'), vscode],
    ['vscode', {}, '.config/Code - Insiders/User/mcp.json', list('servers'), vscode],
    ['vscode', {}, '.config/VSCodium/User/mcp.json', list('servers'), vscode],
    ['vscode', {}, '.config/Code/User/profiles/3f1/mcp.json', list('servers'), vscode],
    ['vscode', {}, '.vscode-server/data/User/mcp.json', list('servers'), vscode],
    ['vscode', { XDG_CONFIG_HOME: '/else' }, 'else/Code/User/mcp.json', list('servers'), vscode],
    ['opencode', {}, '.config/opencode/opencode.jsonc', list('mcp'), opencode],
    ['opencode', { OPENCODE_CONFIG_DIR: '/else' }, 'else/opencode.json', list('mcp'), opencode],
    ['opencode', { OPENCODE_CONFIG_DIR: '/else' }, '.config/opencode/opencode.json', list('mcp'), opencode],
    ['copilot-cli', { COPILOT_HOME: '/else' }, 'else/mcp-config.json', list('mcpServers'), copilot],
  ] as const
  for (const [name, environment, file, text, event] of CASES)
    test(`${name} reads ${file}, ${JSON.stringify(environment)}`, () => {
      surround(environment)
      const heard = () => {
        const read = named(name).parse(Buffer.from(JSON.stringify(event)), { digest: () => '', entrypoint: null } as never)
        return read.kind === 'call' ? `${read.call.tool.server}/${read.call.tool.name}` : read.kind
      }
      expect(heard()).toMatch(/^null\//)
      write(join(home, file), text)
      expect(heard()).toBe('crm/close')
    })

  test('a file that OPENCODE_CONFIG names, which an agent may write, only raises', () => {
    surround({ OPENCODE_CONFIG: '/else/mine.json' })
    write(join(home, 'else/mine.json'), list('mcp'))
    const read = named('opencode').parse(Buffer.from(JSON.stringify(opencode)), { digest: () => '', entrypoint: null } as never)
    expect(read).toMatchObject({ call: { tool: { server: null }, alsoNamed: [{ server: 'crm', name: 'close', sure: false }] } })
  })

  test('the installed hook looks where its variables lead, with nothing of them in the program', () => {
    surround({ COPILOT_HOME: '/else' })
    const policy = 'version: 1\nunregistered: allow\nrules: { deny: [{ tool: crm/close, reason: theirs }] }\n'
    write(join(home, '.countersign/countersign.yaml'), policy)
    const host = named('copilot-cli')
    apply(host.install({ scope: 'user', ...gateProgram() }))
    const { hooks } = JSON.parse(readFileSync(join(home, 'else/hooks/countersign.json'), 'utf8')) as {
      hooks: { preToolUse: { bash: string }[] }
    }
    const said = (env: Readonly<Record<string, string>>): unknown => {
      const options = {
        input: JSON.stringify({ ...copilot, cwd: home }),
        encoding: 'utf8',
        env: { PATH: '/usr/bin:/bin', HOME: home, COUNTERSIGN_DAEMON: 'off', ...env },
      } as const
      return JSON.parse(spawnSync('/bin/sh', ['-c', hooks.preToolUse[0]?.bash ?? ''], options).stdout)
    }
    const led = { COPILOT_HOME: join(home, 'else') }
    expect(said(led)).toEqual({})
    write(join(home, 'else/mcp-config.json'), list('mcpServers'))
    expect(said({})).toEqual({})
    expect(said(led)).toMatchObject({ permissionDecision: 'deny' })
  })
})

describe('settings with comments', () => {
  test('only what is no string is a comment', () => {
    for (const [text, plain] of [
      ['{"a":"//","b":"/*"}', '{"a":"//","b":"/*"}'],
      ['{"a":"\\"//"}//x', '{"a":"\\"//"}   '],
      ['[1,/* , */]', '[1        ]'],
      ['[1,\n//x\n]', '[1 \n   \n]'],
      ['[",]"]', '[",]"]'],
      ['[,]', '[,]'],
      ['{"a":1,,}', '{"a":1,,}'],
      ['/*', '  '],
      ['"/*', '"/*'],
    ])
      expect([text, plainJson(text ?? '', 'commas')]).toEqual([text, plain])
  })

  test('any change says what it should, and keeps the comments outside of what goes', () => {
    const from = { a: [1, 2, { b: null }], 'c"': { d: true }, e: -1.5e3 }
    const text = '/*0*/{//1\n"a":[1,/*2*/2,//3\n{"b":null}],"c\\"":{/*4*/"d":true},//5\n"e":-1.5e3/*6*/}//7'
    expect(JSON.parse(plainJson(text, 'comments'))).toEqual(from)
    for (const to of [
      {},
      { e: -1500 },
      { a: from.a },
      { ...from, 'c"': {} },
      { ...from, 'c"': { d: true, f: [] } },
      { ...from, a: [] },
      { ...from, a: [0, ...from.a] },
      { ...from, a: [...from.a, 3] },
      { ...from, a: [2] },
      { ...from, a: [{ b: null }] },
      { ...from, a: [1, 2, { b: 7 }] },
      { ...from, e: [], z: { y: 1 } },
      { x: 1 },
    ] as JsonObject[]) {
      const after = edited(text, to, 'comments')
      expect([to, JSON.parse(plainJson(after, 'comments'))]).toEqual([to, to])
      expect(commentsOf(text).match(/[067]/g)).toEqual(commentsOf(after).match(/[067]/g))
    }
  })
})
