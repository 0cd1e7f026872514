/** What the record says of a judge call, however it ended: usage, cost, what was sent. Over the real wires, against a real server. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  anthropicMessage,
  googleContent,
  type ModelServer,
  marked,
  modelServer,
  openAiCompletion,
  type Script,
  type Seen,
} from '../../test/support/model-server.ts'
import { protocolOf, streamOf } from '../../test/support/model-wire.ts'
import { insideSandbox } from '../../test/support/sandboxed.ts'
import { redactJson } from '../audit/redact.ts'
import { policy } from '../policy/testing/compiled.ts'
import { createSandbox } from '../sandbox/sandbox.ts'
import { consult } from './consult.ts'
import { createMeter } from './meter.ts'
import type { Consulted, ConsultParts } from './question.ts'

const GOOD = '{"score":0.9,"confidence":0.8,"reasoning":"fits"}'
const NONCE = '0123456789abcdef0123456789abcdef'

let script: Script = () => undefined
let server: ModelServer
let work: string
beforeAll(async () => {
  server = await modelServer((seen, response) => script(seen, response))
  work = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-spending-')))
  writeFileSync(join(work, 'a.txt'), 'hello\n')
  writeFileSync(join(work, 'long.txt'), `${'x'.repeat(60)}\n`.repeat(100))
  writeFileSync(join(work, 'many.txt'), 'y\n'.repeat(2_001))
})
afterAll(async () => {
  await server.close()
  rmSync(work, { recursive: true })
})

const ENV = new Map([
  ['KEY', 'sk-test'],
  ['BROKEN', 'sk-broken\u0001secret'],
  ['LINES', 'sk-first\nx-evil: sk-second'],
  ['EMPTY', ''],
  ['PADDED', ' sk-padded\n'],
  ['COUNTERSIGN_JUDGE_ORG', 'org-1'],
  ['ANTHROPIC_API_KEY', 'sk-usual'],
  ['OPENAI_API_KEY', 'sk-usual'],
  ['GEMINI_API_KEY', 'sk-usual'],
])

const PARTS: ConsultParts = {
  fetch: globalThis.fetch,
  env: (name) => ENV.get(name),
  functions: new Map(),
  nonce: () => NONCE,
  now: () => performance.now(),
  depth: () => undefined,
  breakers: new Map(),
  tools: { sandbox: createSandbox(), redact: (value) => redactJson(value).value, sha256: () => 'x', hidden: [] },
}

async function run(fields: string, more: { parts?: Partial<ConsultParts>; timeoutMs?: number } = {}): Promise<Consulted> {
  const { named } = policy(`judges: { j: { ${fields} } }`).judges
  const judge = named.get('j')
  if (judge === undefined) throw new Error('no judge')
  const payload = { body: { task: null }, truncated: false, digest: 'sha256:0' }
  const { timeoutMs = 20_000 } = more
  const question = { judge, named, payload, thresholds: judge, timeoutMs, agent: null, spent: () => false, cwd: work }
  return consult(question, { ...PARTS, breakers: new Map(), ...more.parts })
}

const said = ({ ruling, failure }: Consulted): string => ruling?.verdict ?? failure?.code ?? 'nothing'
const WIRES = [
  ['anthropic', () => `provider: anthropic, model: claude-x, url: "${server.url}"`],
  ['openai', () => `provider: openai, model: gpt-x, url: "${server.url}/v1"`],
  ['google', () => `provider: google, model: gemini-x, url: "${server.url}"`],
] as const

/** A whole answer of the wire that is asked, with what it says for why it stopped. */
function answer(seen: Seen, text: string, stop: Readonly<Record<string, string>>): string {
  const wire = protocolOf(seen.path) ?? 'openai'
  const why = stop[wire] ?? ''
  if (wire === 'anthropic') return anthropicMessage(text, why)
  return wire === 'openai' ? openAiCompletion(text, why) : googleContent(text, why)
}

const USED = { input: 321, output: 45 }
const PRICED = 'price: { input: 1000, output: 2000 }'
/** (321 · 1000 + 45 · 2000) / 1 000 000 */
const COST = 0.411

describe.each(WIRES)('%s: what an exchange used is in the record', (_wire, of) => {
  const ends = (text: (seen: Seen) => string, stop: Readonly<Record<string, string>>): Script => {
    return (seen, response) => void response.end(answer(seen, text(seen), stop))
  }
  const WHOLE = { anthropic: 'end_turn', openai: 'stop', google: 'STOP' }
  const HALF = { anthropic: 'max_tokens', openai: 'length', google: 'MAX_TOKENS' }
  const REFUSED = { anthropic: 'refusal', openai: 'content_filter', google: 'SAFETY' }
  const CASES: readonly (readonly [string, Script, string])[] = [
    ['an answer', ends((seen) => marked(seen, GOOD), WHOLE), 'allow'],
    ['prose', ends(() => 'fine', WHOLE), 'judge.malformed'],
    ['nothing', ends(() => '', WHOLE), 'judge.malformed'],
    ['half an answer', ends((seen) => marked(seen, GOOD), HALF), 'judge.malformed'],
    ['a refusal', ends(() => 'I cannot', REFUSED), 'judge.refused'],
    ['tools that it was not given', () => ({ calls: [{ name: 'grep', input: { pattern: 'x' } }] }), 'judge.malformed'],
  ]
  for (const [title, each, expected] of CASES) {
    test(title, async () => {
      script = each
      const consulted = await run(`${of()}, ${PRICED}`)
      expect([said(consulted), consulted.evidence.usage, consulted.evidence.cost]).toEqual([expected, USED, COST])
      expect(consulted.evidence).not.toHaveProperty('cost_bounded')
    })
  }

  test('where a stream breaks off, what it said of it so far', async () => {
    script = (seen, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const pieces = streamOf(protocolOf(seen.path) ?? 'openai', marked(seen, GOOD))
      for (const piece of pieces) response.write(piece)
      response.write('data: {"broken\n\n')
      response.end()
      return undefined
    }
    const consulted = await run(`${of()}, stream: true, ${PRICED}`)
    const { usage, cost } = consulted.evidence
    expect([usage, cost]).toEqual([USED, COST])
  })

  test('where nothing was counted the cost is bounded, and never below what was sent', async () => {
    script = () => undefined
    const consulted = await run(`${of()}, ${PRICED}`, { timeoutMs: 120 })
    const { usage, cost, cost_bounded: bounded } = consulted.evidence
    expect([said(consulted), usage, bounded]).toEqual(['timeout.judge', null, true])
    expect(Number(cost)).toBeGreaterThan(8_192 * 0.002)
  })

  for (const status of [400, 401, 404, 429, 500, 502, 503, 529]) {
    test(`status ${status} costs nothing`, async () => {
      script = (_seen, response) => void response.writeHead(status).end('{}')
      const consulted = await run(`${of()}, ${PRICED}`)
      expect([said(consulted), consulted.evidence.usage, consulted.evidence.cost]).toEqual(['judge.unavailable', null, 0])
    })
  }

  test('what was paid after it was asked to come back is counted once', async () => {
    let left = 2
    script = (seen, response) => (left-- > 0 ? void response.writeHead(429, { 'retry-after': '0' }).end() : marked(seen, GOOD))
    const consulted = await run(`${of()}, ${PRICED}`)
    expect([said(consulted), consulted.evidence.usage, consulted.evidence.cost]).toEqual(['allow', USED, COST])
  })

  test('without a price there is no cost, and a price of each call is one of each', async () => {
    script = (seen) => marked(seen, GOOD)
    expect((await run(of())).evidence.cost).toBeNull()
    expect((await run(`${of()}, price: { call: 0.25 }`)).evidence.cost).toBe(0.25)
    expect((await run(`${of()}, price: { call: 0.25, input: 1000, output: 2000 }`)).evidence.cost).toBe(0.661)
  })

  insideSandbox('steps that led nowhere are counted, and all of them', async () => {
    script = () => ({ calls: [{ name: 'read_file', input: { path: 'a.txt' } }] })
    const consulted = await run(`${of()}, ${PRICED}, tools: { allow: [read_file], max_steps: 2 }`)
    expect([said(consulted), consulted.evidence.usage]).toEqual(['judge.steps', { input: 963, output: 135 }])
    expect(consulted.evidence.cost).toBeCloseTo(3 * COST, 9)
  })

  test('a key that cannot be sent is named, and never told', async () => {
    script = (seen) => marked(seen, GOOD)
    for (const [key, expected] of [
      ['BROKEN', 'judge.unavailable'],
      ['LINES', 'judge.unavailable'],
      ['EMPTY', 'judge.unavailable'],
      ['MISSING', 'judge.unavailable'],
      ['PADDED', 'allow'],
      ['KEY', 'allow'],
    ] as const) {
      const before = server.seen.length
      const consulted = await run(`${of()}, api_key_env: ${key}`)
      expect([key, said(consulted), server.seen.length - before]).toEqual([key, expected, expected === 'allow' ? 1 : 0])
      expect(JSON.stringify([consulted.evidence, consulted.failure])).not.toMatch(/sk-|secret/)
      if (expected !== 'allow') expect(consulted.failure?.message).toContain(`\`${key}\``)
    }
  })

  test('the usual key is for the maker of the model alone', async () => {
    script = (seen) => marked(seen, GOOD)
    expect(said(await run(of()))).toBe('allow')
    expect(JSON.stringify(server.seen.at(-1)?.headers)).not.toContain('sk-')
  })

  test('headers of the policy are sent, and without their variable nothing is', async () => {
    script = (seen) => marked(seen, GOOD)
    expect(said(await run(`${of()}, headers_env: { X-Org: COUNTERSIGN_JUDGE_ORG }`))).toBe('allow')
    expect(server.seen.at(-1)?.headers['x-org']).toBe('org-1')
    const before = server.seen.length
    const missing = await run(`${of()}, headers_env: { X-Org: COUNTERSIGN_JUDGE_NONE }`)
    expect([said(missing), server.seen.length - before]).toEqual(['judge.unavailable', 0])
    expect(missing.failure?.message).toContain('COUNTERSIGN_JUDGE_NONE')
  })

  test('a temperature is sent where the policy says one', async () => {
    script = (seen) => marked(seen, GOOD)
    await run(of())
    expect(JSON.stringify(server.seen.at(-1)?.body)).not.toContain('temperature')
    await run(`${of()}, temperature: 0.5`)
    expect(JSON.stringify(server.seen.at(-1)?.body)).toContain('"temperature":0.5')
  })

  insideSandbox('who was not shown all that a tool said, was not shown all', async () => {
    for (const [path, cut] of [
      ['a.txt', false],
      ['long.txt', true],
    ] as const) {
      let asked = false
      script = (seen) => {
        if (asked) return marked(seen, GOOD)
        asked = true
        return { calls: [{ name: 'read_file', input: { path } }] }
      }
      const { evidence } = await run(`${of()}, tools: { allow: [read_file], output_kb: 2 }`)
      expect([path, evidence.outcome, evidence.truncated]).toEqual([path, 'allow', cut])
    }
  })
})

describe('what OpenAI itself is sent', () => {
  const sent: string[] = []
  const fetch = (_url: string, init: RequestInit): Promise<Response> => {
    sent.push(String(init.body))
    return Promise.reject(new Error('no network in tests'))
  }
  const CASES: readonly (readonly [string, string, string])[] = [
    ['gpt-5', '', 'max_completion_tokens'],
    ['gpt-5.1-mini', '', 'max_completion_tokens'],
    ['gpt-4o', '', 'max_completion_tokens'],
    ['o3', ', url: "https://gateway.example/v1"', 'max_completion_tokens'],
    ['openai/gpt-5', ', url: "https://gateway.example/v1"', 'max_completion_tokens'],
    ['llama3.3', ', url: "http://localhost:11434/v1"', 'max_tokens'],
    ['gpt-oss:20b', ', url: "http://localhost:11434/v1"', 'max_tokens'],
    ['gpt-4o', ', url: "https://gateway.example/v1"', 'max_tokens'],
  ]
  for (const [model, url, expected] of CASES) {
    test(`${model}${url}`, async () => {
      await run(`provider: openai, model: "${model}"${url}`, { parts: { fetch } })
      const body = JSON.parse(sent.at(-1) ?? '{}') as Record<string, unknown>
      expect(['max_tokens', 'max_completion_tokens'].filter((key) => key in body)).toEqual([expected])
    })
  }

  test('without its key it is not asked at all', async () => {
    const before = sent.length
    for (const provider of ['openai', 'anthropic', 'google']) {
      const consulted = await run(`provider: ${provider}, model: m`, { parts: { fetch, env: () => undefined } })
      expect([said(consulted), consulted.failure?.message]).toEqual([
        'judge.unavailable',
        expect.stringMatching(/`\w+_API_KEY` is not set/),
      ])
    }
    expect(sent.length).toBe(before)
  })
})

describe('the meter', () => {
  const price = { input: 1, output: 2, call: 0.5 }
  const count = (input: number, output: number) => () => ({ input, output })
  const CASES: readonly (readonly [string, readonly [number, (() => { input: number; output: number }) | null][], number, boolean])[] = [
    ['no exchange costs the call alone', [], 500_000, false],
    ['one that counts', [[10, count(100, 50)]], 500_200, false],
    [
      'two that count',
      [
        [10, count(100, 50)],
        [10, count(1, 1)],
      ],
      500_203,
      false,
    ],
    ['one that does not', [[10, null]], 500_000 + 10 + 2 * 8_192, true],
    [
      'one of each',
      [
        [10, count(1, 0)],
        [20, null],
      ],
      500_000 + 21 + 2 * 8_192,
      true,
    ],
  ]
  for (const [title, exchanges, micros, bounded] of CASES) {
    test(title, () => {
      const meter = createMeter()
      for (const [sent, tokens] of exchanges) meter.open({ sent, tokens: tokens ?? (() => null) })
      expect(meter.cost(price)).toEqual({ micros, bounded })
    })
  }

  test('what was turned away is no exchange, and fractions are rounded up', () => {
    const meter = createMeter()
    meter.open({ sent: 9, tokens: count(3, 0) })
    meter.open({ sent: 9, tokens: () => null })()
    expect([meter.counted(), meter.cost({ input: 0.25, output: 0, call: 0 })]).toEqual([
      { input: 3, output: 0 },
      { micros: 1, bounded: false },
    ])
    expect(createMeter().counted()).toBeNull()
  })
})

describe('the AI SDK', () => {
  const load = (name: string) =>
    Promise.resolve({ generateText: () => ({}), [name]: () => name, exec: () => name, runInThisContext: () => name })
  for (const name of ['vm', 'fs', 'module', 'process', 'fs/promises']) {
    test(`\`${name}\` is no provider`, async () => {
      const consulted = await run(`provider: ai-sdk, model: "touch x", module: { name: ${name}, export: exec }`, { parts: { load } })
      expect([said(consulted), consulted.failure?.message]).toEqual(['judge.unavailable', `\`${name}\` is no package of a provider`])
    })
  }
})
