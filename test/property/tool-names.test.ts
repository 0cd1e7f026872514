/** Names that hosts run together: a policy that names the host's own spelling gets no looser, and what is doubtful only raises. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { COMPILE } from '../../src/cli/open.ts'
import { type JsonObject, own } from '../../src/core/json.ts'
import { compare, type Verdict } from '../../src/core/verdict.ts'
import { answerFor } from '../../src/hosts/answer.ts'
import { hostNamed } from '../../src/hosts/index.ts'
import { bytesDigest, digester, openGate } from '../../src/open.ts'
import { compilePolicy } from '../../src/policy/compile.ts'
import { sha256 } from '../../src/policy/file.ts'
import type { Policy } from '../../src/policy/policy.ts'
import { recordedCallFrom } from '../../src/replay/recorded-call.ts'
import type { StoredRecord } from '../../src/store/store.ts'
import { proves } from '../proves.ts'
import { stateDirectoryOfTest } from '../support/state.ts'
import { describedView } from '../support/workplace.ts'

let home: string
let project: string

beforeEach(() => {
  home = stateDirectoryOfTest()
  project = join(home, 'work', 'shop')
  mkdirSync(project, { recursive: true })
  for (const [name, value] of Object.entries({ HOME: home, XDG_CONFIG_HOME: '', OPENCODE_CONFIG_DIR: '', COPILOT_HOME: '' }))
    vi.stubEnv(name, value === '' ? undefined : value)
})
afterEach(() => vi.unstubAllEnvs())

interface Host {
  readonly name: string
  readonly user: string
  readonly project: string
  readonly field: string
  /** The host's own name for the tool of a server. */
  readonly said: (server: string, tool: string) => string
  readonly event: (said: string, args: JsonObject) => JsonObject
}

const HOSTS: readonly Host[] = [
  {
    ...{ name: 'opencode', user: '.config/opencode/opencode.json', project: 'opencode.json', field: 'mcp' },
    said: (server, tool) => `${server}_${tool}`,
    event: (tool, args) => ({ event: 'before', session: 's', call: 'c', directory: project, tool, args }),
  },
  {
    ...{ name: 'copilot-cli', user: '.copilot/mcp-config.json', project: '.vscode/mcp.json', field: 'mcpServers' },
    said: (server, tool) => `${server}-${tool}`,
    event: (toolName, toolArgs) => ({ sessionId: 's', timestamp: 1, cwd: project, toolName, toolArgs }),
  },
  {
    ...{ name: 'vscode', user: '.config/Code/User/mcp.json', project: '.vscode/mcp.json', field: 'servers' },
    said: (server, tool) => `mcp_${server}_${tool}`,
    event: (tool_name, tool_input) => ({
      ...{ hookEventName: 'PreToolUse', sessionId: 's', cwd: project },
      ...{ tool_name, tool_input, tool_use_id: 'c' },
    }),
  },
]

function servers(path: string, field: string, names: readonly string[]): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify({ [field]: Object.fromEntries(names.map((name) => [name, { url: `https://${name}.example` }])) }))
}

interface Judged {
  readonly verdict: Verdict
  readonly tool: string
  readonly codes: readonly string[]
}

async function judged(host: string, event: JsonObject, policy: string): Promise<Judged> {
  const text = `version: 1\n${policy}\n`
  const compiled = compilePolicy(text, { ...COMPILE, path: null, sha256 })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled))
  const { policy: made } = compiled
  const opened = openGate({
    home: stateDirectoryOfTest(),
    policy: () => ({ policy: made, degraded: null }),
    view: () => describedView({}),
  })
  onTestFinished(() => opened.close())
  const adapter = hostNamed(host)
  if (adapter === undefined) throw new Error(host)
  await answerFor(adapter, Buffer.from(JSON.stringify(event)), {
    ...{ gate: opened.gate, digest: bytesDigest, definitionDigest: digester.definitionDigest, entrypoint: null, user: 'me' },
    result: async () => null,
  })
  const [record] = [...(opened.store.read({ kind: 'decision' }) as Iterable<StoredRecord>)]
  if (record === undefined) throw new Error('nothing was recorded')
  const { call, decision } = record.body as unknown as {
    call: { tool: string; server: string | null }
    decision: { findings: { code: string }[] }
  }
  expect(await replayed(record, made)).toEqual([record.decision, decision.findings.map(({ code }) => code)])
  return {
    verdict: record.decision as Verdict,
    tool: call.server === null ? call.tool : `${call.server}/${call.tool}`,
    codes: decision.findings.map(({ code }) => code),
  }
}

/** The call of the record, judged again by a gate that knows no host and no settings. */
async function replayed({ body }: StoredRecord, policy: Policy): Promise<readonly [string, readonly string[]]> {
  const read = recordedCallFrom(own(body, 'call') ?? null)
  if (!read.ok) throw new Error(read.message)
  const { gate, close } = openGate({
    ...{ home: stateDirectoryOfTest(), record: false },
    policy: () => ({ policy, degraded: null }),
    view: () => describedView({}),
  })
  onTestFinished(close)
  const { decision, findings } = await gate.decide(read.call)
  return [decision, findings.map(({ code }) => code)]
}

const RULES: readonly ((name: string) => string)[] = [
  (name) => `unregistered: allow\nrules: { deny: [{ tool: ${name} }] }`,
  (name) => `unregistered: allow\nrules: { ask: [{ tool: ${name} }] }`,
  (name) => `unregistered: allow\ntools: { ${name}: { risk_tier: critical } }`,
  (name) => `unregistered: allow\ntools: { ${name}: { risk_tier: high, irreversible: true } }`,
  (name) =>
    `unregistered: allow\ncontracts: { enforcement: hard, tools: { ${name}: { contract: x, params: [{ name: id, required: true, type: string }] } } }`,
  (name) =>
    `unregistered: allow\ntools: { ${name}: { effects: [{ verb: pay, action: 'payment:refund' }] } }\ncapabilities: { gate: [payment] }`,
  (name) => `unregistered: allow\nroles: { '*': { deny_list: [${name}] } }`,
]

describe.each(HOSTS)('$name', ({ name, user, project: local, field, said, event }) => {
  const spelled = said('crm', 'delete_customer')
  const call = (): JsonObject => event(spelled, { id: 7 })

  proves(
    ['T11', 'P3', 'P10'],
    'what a policy says against a tool holds under the spelling of the host, and under that of its server; so does its record',
    async () => {
      for (const rule of RULES) {
        const before = await judged(name, call(), rule(spelled))
        expect([rule(spelled), compare(before.verdict, 'ask') >= 0]).toEqual([rule(spelled), true])
      }
      servers(join(home, user), field, ['crm', 'shop'])
      for (const rule of RULES)
        for (const each of [spelled, 'crm/delete_customer', 'mcp__crm__delete_customer']) {
          const after = await judged(name, call(), rule(each))
          expect([rule(each), after.tool, compare(after.verdict, 'ask') >= 0]).toEqual([rule(each), 'crm/delete_customer', true])
        }
    },
  )

  proves('T11', 'the stricter of both spellings holds, and a permit counts under the server’s name', async () => {
    servers(join(home, user), field, ['crm'])
    const rules = (allow: string, deny: string): string => `rules: { allow: [{ tool: ${allow} }], deny: [{ tool: ${deny} }] }`
    expect((await judged(name, call(), rules('crm/delete_customer', spelled))).verdict).toBe('deny')
    expect((await judged(name, call(), rules(spelled, 'crm/delete_customer'))).verdict).toBe('deny')
    const listed = 'tools: { crm/delete_customer: { risk_tier: low } }'
    expect((await judged(name, call(), listed)).codes).toContain('registry.permitted')
  })

  proves(['T11', 'T42'], 'a file of the project only raises', async () => {
    servers(join(project, local), field, ['crm'])
    const permits = 'tools: { crm/delete_customer: { risk_tier: low } }\nrules: { allow: [{ tool: crm/delete_customer }] }'
    const opened = await judged(name, call(), permits)
    expect([opened.tool, opened.verdict]).toEqual([spelled, 'deny'])
    expect((await judged(name, call(), `unregistered: allow\nrules: { deny: [{ tool: crm/delete_customer }] }`)).verdict).toBe('deny')
    // A server of the user that the project names as well may be another one.
    servers(join(home, user), field, ['crm'])
    expect((await judged(name, call(), permits)).tool).toBe(spelled)
    writeFileSync(join(project, local), '{ // no end')
    expect((await judged(name, call(), permits)).tool).toBe(spelled)
  })

  proves('T11', 'a name that may be read in two ways is judged in both', async () => {
    const separator = said('', '').at(-1) ?? '_'
    const [one, two] = ['a', `a${separator}b`]
    servers(join(home, user), field, [one, two])
    const doubtful = event(said(one, `b${separator}c`), { id: 7 })
    for (const denied of [`${one}/b${separator}c`, `${two}/c`]) {
      const found = await judged(name, doubtful, `unregistered: allow\nrules: { deny: [{ tool: '${denied}' }] }`)
      expect([denied, found.verdict, found.tool]).toEqual([denied, 'deny', said(one, `b${separator}c`)])
    }
    const permits = `rules: { allow: [{ tool: '${one}/b${separator}c' }, { tool: '${two}/c' }] }`
    expect((await judged(name, doubtful, permits)).verdict).toBe('deny')
  })
})

test('a tool that the host brings along is never one of a server', async () => {
  servers(join(home, '.config/opencode/opencode.json'), 'mcp', ['apply', 'todo'])
  const patch = { event: 'before', session: 's', call: 'c', directory: project, tool: 'apply_patch', args: { patchText: '' } }
  expect((await judged('opencode', patch, 'rules: { allow: [{ tool: apply/patch }] }')).tool).toBe('apply_patch')
})

describe('cursor', () => {
  const event = (more: JsonObject): JsonObject => ({
    ...{ conversation_id: 's', generation_id: 'g', cursor_version: '3.14', workspace_roots: [project] },
    ...{ hook_event_name: 'beforeMCPExecution', tool_name: 'delete_customer', tool_input: '{"id":7}', ...more },
  })
  const entries = (path: string, mcpServers: JsonObject): void => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, JSON.stringify({ mcpServers }))
  }

  proves('T11', 'a server is known by its address or its command line', async () => {
    const path = join(home, '.cursor/mcp.json')
    entries(path, { crm: { url: 'https://crm.example' }, shop: { command: 'npx', args: ['shop-mcp', '--stdio'] } })
    for (const [more, tool] of [
      [{ url: 'https://crm.example' }, 'crm/delete_customer'],
      [{ command: 'npx shop-mcp --stdio' }, 'shop/delete_customer'],
      [{ url: 'https://other.example' }, 'mcp/delete_customer'],
      [{}, 'mcp/delete_customer'],
    ] as const) {
      const found = await judged('cursor', event(more), `unregistered: allow\nrules: { deny: [{ tool: mcp/delete_customer }] }`)
      expect([found.tool, found.verdict]).toEqual([tool, 'deny'])
    }
    entries(join(project, '.cursor/mcp.json'), { other: { url: 'https://crm.example' } })
    const both = await judged('cursor', event({ url: 'https://crm.example' }), `unregistered: allow\nrules: { deny: [{ tool: other/* }] }`)
    expect([both.tool, both.verdict]).toEqual(['mcp/delete_customer', 'deny'])
  })
})
