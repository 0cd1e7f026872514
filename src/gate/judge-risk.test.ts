/** Fullsend's risk judge and Role OS's consult, over the wire of a scripted model: what is asked for, what is shown, what comes of it. */
import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { callOf } from '../../test/support/calls.ts'
import { type ModelServer, marked, modelServer, type Seen } from '../../test/support/model-server.ts'
import { newStateDirectory } from '../../test/support/state-base.ts'
import { COMPILE } from '../cli/open.ts'
import type { JsonObject } from '../core/json.ts'
import { RISK_CATEGORIES, RISK_LEVELS } from '../judges/answer.ts'
import { openGate } from '../open.ts'
import { compilePolicy } from '../policy/compile.ts'
import { sha256 } from '../policy/file.ts'
import { createFixedView } from '../view/fixed.ts'

const WORLD = { home: '/home/user', cwd: '/home/user/project', gate: ['/home/user/.countersign'] }

let home: string
const servers: ModelServer[] = []
beforeEach(() => {
  home = newStateDirectory()
})
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
  rmSync(home, { recursive: true, force: true })
})

async function decide(text: string, said: object, call: { readonly tool: string; readonly args: JsonObject }) {
  const server = await modelServer((seen) => marked(seen, JSON.stringify(said)))
  servers.push(server)
  const written = text.replaceAll('PROVIDER', `provider: openai, model: guard-1, url: "${server.url}/v1"`)
  const compiled = compilePolicy(written, { ...COMPILE, path: null, sha256 })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  const opened = openGate({ home, policy: () => ({ policy: compiled.policy, degraded: null }), view: () => createFixedView(WORLD) })
  try {
    const decision = await opened.gate.decide(callOf(call.tool, call.args, { cwd: WORLD.cwd }))
    return { decision, seen: server.seen }
  } finally {
    opened.close()
  }
}

const words = ([seen]: readonly Seen[]): string => JSON.stringify(seen?.body)
const LS = { tool: 'Bash', args: { command: 'ls' } }
const GATE =
  'version: 1\ntool_families: [claude-code]\njudges: { risk: { PROVIDER } }\ntool_validation: [{ type: semantic, judge_agent: risk }]\n'

describe('the four levels, over the wire', () => {
  const said = (risk_level: string) => ({ risk_level, category: risk_level === 'low' ? null : 'scope_violation', reason: 'one sentence' })

  proves('FUL-53', 'low: the call runs, and what the judge said is in the log', async () => {
    const { decision } = await decide(GATE, said('low'), LS)
    expect([decision.decision, decision.findings.find(({ layer }) => layer === 'judge')?.code]).toEqual(['allow', 'judge.accepted'])
  })

  proves('FUL-54', 'medium: it runs and is flagged', async () => {
    const { decision } = await decide(GATE, said('medium'), LS)
    expect([decision.decision, decision.code]).toEqual(['flag', 'judge.accepted'])
  })

  proves('FUL-55', 'high: it is denied, and the agent goes on', async () => {
    const { decision } = await decide(GATE, said('high'), LS)
    expect([decision.decision, decision.code]).toEqual(['deny', 'judge.rejected'])
  })

  proves('FUL-56', 'critical: the agent is stopped', async () => {
    const { decision } = await decide(GATE, said('critical'), LS)
    expect([decision.decision, decision.code]).toEqual(['halt', 'judge.rejected'])
  })

  test('a model is asked for the seven categories and the four levels, and may answer in both forms', async () => {
    const { decision, seen } = await decide(GATE, { score: 0.9, confidence: 0.9, reasoning: 'fits', ...said('high') }, LS)
    for (const word of [...RISK_CATEGORIES, ...RISK_LEVELS, 'risk_level']) expect(words(seen)).toContain(word)
    expect(decision.decision).toBe('deny')
  })

  test.each(RISK_CATEGORIES)('%s is a category of its own', async (category) => {
    const { decision } = await decide(GATE, { risk_level: 'high', category, reason: 'so' }, LS)
    expect(decision.findings.find(({ layer }) => layer === 'judge')?.message).toContain(category)
  })
})

describe('where it may only raise', () => {
  const RESOLVER =
    'version: 1\nunregistered: deny\ntool_families: [claude-code]\ntools: { mail: { risk_tier: high, irreversible: true } }\njudges: { risk: { PROVIDER, resolves: [registry, hazard, policy] } }\n'
  const MAIL = { tool: 'mail', args: { to: 'a' } }
  const DELETE = { tool: 'Bash', args: { command: 'rm -rf /srv/data' } }

  for (const [title, call, said, want] of [
    ['an ask that only people settle, rejected', MAIL, { score: 0.1, confidence: 1, reasoning: 'no' }, 'deny'],
    ['an ask that only people settle, critical', MAIL, { risk_level: 'critical', category: 'data_exposure', reason: 'leaks' }, 'halt'],
    ['an ask that only people settle, accepted', MAIL, { score: 1, confidence: 1, reasoning: 'fine' }, 'ask'],
    ['what cannot be undone, rejected', DELETE, { risk_level: 'high', category: 'destructive_operation', reason: 'deletes' }, 'deny'],
    ['what cannot be undone, accepted', DELETE, { risk_level: 'low', category: null, reason: 'fine' }, 'ask'],
  ] as const) {
    test(title, async () => {
      const { decision, seen } = await decide(RESOLVER, said, call)
      expect([decision.decision, seen.length]).toEqual([want, 1])
      expect(decision.resolutions.map(({ by, verdict }) => [by, verdict])).toContainEqual(['judge', want])
    })
  }
})

describe("Role OS's consult", () => {
  test('the adviser is shown the words of the contract, its parameters and the state', async () => {
    const policy = `version: 1
tool_families: [claude-code]
tools: { seat: { risk_tier: low } }
contracts:
  tools:
    seat:
      contract: Books a seat that is free.
      params: [{ name: seat, type: string, required: true, max_length: 4 }]
      state_struct: { free: [A1, A2] }
      constraints: [{ kind: member, field: seat, in: { state: free } }]
judges: { risk: { PROVIDER, advises: [contract] } }
`
    const { decision, seen } = await decide(
      policy,
      { score: 0.1, confidence: 1, reasoning: 'not a window' },
      { tool: 'seat', args: { seat: 'A1' } },
    )
    const body = seen[0]?.body as { readonly messages: readonly { readonly content: string }[] }
    const data = JSON.parse(body.messages.at(-1)?.content.split('\n')[1] ?? '{}') as { readonly contracts: unknown }
    expect(data.contracts).toEqual([
      {
        tool: 'seat',
        contract: 'Books a seat that is free.',
        params: [{ name: 'seat', required: true, type: 'string', maxLength: 4 }],
        closed: false,
        state: { free: ['A1', 'A2'] },
      },
    ])
    expect([decision.decision, decision.code]).toEqual(['flag', 'judge.advises'])
  })

  test('a judge that is not asked about contracts sees none', async () => {
    const policy = `${GATE}contracts: { tools: { Bash: { contract: secret words, params: [] } } }\n`
    expect(words((await decide(policy, { score: 1, confidence: 1, reasoning: 'ok' }, LS)).seen)).not.toContain('secret words')
  })
})
