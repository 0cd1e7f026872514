/** Models over their wires: tools, streams, patience, and every way to break off. The server speaks the real protocols. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type ModelServer, marked, modelServer, type Script, type Seen } from '../../../test/support/model-server.ts'
import { protocolOf, type Said, streamOf } from '../../../test/support/model-wire.ts'
import { insideSandbox } from '../../../test/support/sandboxed.ts'
import { redactJson } from '../../audit/redact.ts'
import { policy } from '../../policy/testing/compiled.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { consult } from '../consult.ts'
import type { Consulted, ConsultParts } from '../question.ts'
import { EventReader } from './events.ts'
import { waitOf } from './fetch.ts'

const GOOD = '{"score":0.9,"confidence":0.8,"reasoning":"fits"}'
const NONCE = '0123456789abcdef0123456789abcdef'

const servers: ModelServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function serve(script: Script): Promise<ModelServer> {
  const server = await modelServer(script)
  servers.push(server)
  return server
}

let work: string
beforeAll(() => {
  work = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-models-')))
  writeFileSync(join(work, 'a.txt'), 'hello\n')
})
afterAll(() => rmSync(work, { recursive: true }))

const PARTS: ConsultParts = {
  fetch: globalThis.fetch,
  env: (name) => (name === 'KEY' ? 'sk-test' : undefined),
  functions: new Map(),
  nonce: () => NONCE,
  now: () => performance.now(),
  depth: () => undefined,
  breakers: new Map(),
  tools: { sandbox: createSandbox(), redact: (value) => redactJson(value).value, sha256: () => 'x', hidden: [] },
}

async function run(fields: string, more: { parts?: Partial<ConsultParts>; timeoutMs?: number; cwd?: string } = {}): Promise<Consulted> {
  const { named } = policy(`judges: { j: { ${fields} } }`).judges
  const judge = named.get('j')
  if (judge === undefined) throw new Error('no judge')
  const payload = { body: { task: null }, truncated: false, digest: 'sha256:0' }
  const parts = { ...PARTS, breakers: new Map(), ...more.parts }
  const { timeoutMs = 20_000, cwd = work } = more
  return consult({ judge, named, payload, thresholds: judge, timeoutMs, agent: null, spent: () => false, cwd }, parts)
}

const said = ({ ruling, failure }: Consulted): string => ruling?.verdict ?? failure?.code ?? 'nothing'

const PROVIDERS = [
  ['anthropic', (url: string) => `provider: anthropic, model: claude-x, url: "${url}", api_key_env: KEY`],
  ['openai', (url: string) => `provider: openai, model: gpt-x, url: "${url}/v1", api_key_env: KEY`],
  ['google', (url: string) => `provider: google, model: gemini-x, url: "${url}", api_key_env: KEY`],
] as const

/** How many turns with tools the conversation of a request has had. */
function turns({ body }: Seen): number {
  const messages = body?.messages ?? body?.contents
  const list: readonly unknown[] = Array.isArray(messages) ? messages : []
  return list.filter((each) => JSON.stringify(each).includes('<result-')).length
}

describe.each(PROVIDERS)('%s', (_name, of) => {
  test('is asked in its own protocol, with its key', async () => {
    const server = await serve((seen) => marked(seen, GOOD))
    const consulted = await run(of(server.url))
    expect([said(consulted), consulted.evidence.usage, consulted.evidence.cached]).toEqual(['allow', { input: 321, output: 45 }, false])
    expect(JSON.stringify(server.seen[0]?.headers)).toContain('sk-test')
    expect(JSON.stringify(server.seen[0]?.body)).toContain(`<call-${NONCE}>`)
    expect(server.seen[0]?.body).not.toHaveProperty('tools')
  })

  test('is read while it writes', async () => {
    const server = await serve((seen) => marked(seen, GOOD))
    const consulted = await run(`${of(server.url)}, stream: true`)
    expect([said(consulted), consulted.evidence.usage]).toEqual(['allow', { input: 321, output: 45 }])
    const { path, body } = server.seen[0] ?? { path: '', body: null }
    expect(body?.stream === true || path.includes('alt=sse')).toBe(true)
  })

  test('streams that break off, stall or end in an error are no answer', async () => {
    const opened = (
      pieces: (text: Said, protocol: NonNullable<ReturnType<typeof protocolOf>>) => readonly string[],
      end: boolean,
    ): Script => {
      return (seen, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const protocol = protocolOf(seen.path) ?? 'openai'
        for (const piece of pieces(marked(seen, GOOD), protocol)) response.write(piece)
        if (end) response.end()
        return undefined
      }
    }
    const cases: readonly (readonly [string, Script, string])[] = [
      ['whole, and left open', opened((text, protocol) => streamOf(protocol, text), true), 'allow'],
      ['half of it', opened((text, protocol) => streamOf(protocol, text).slice(0, 1), true), 'judge.malformed'],
      ['nothing', opened(() => [], true), 'judge.malformed'],
      ['no JSON', opened(() => ['data: {"a":\n\n'], true), 'judge.malformed'],
      ['a line without end', opened(() => [`data: "${'x'.repeat(1_100_000)}`], true), 'judge.malformed'],
      ['an error', opened(() => ['data: {"type":"error","error":{"message":"overloaded"}}\n\n'], true), 'judge.unavailable'],
      ['stalls', opened((text, protocol) => streamOf(protocol, text).slice(0, 1), false), 'timeout.judge'],
    ]
    for (const [title, script, expected] of cases) {
      const server = await serve(script)
      const consulted = await run(`${of(server.url)}, stream: true`, { timeoutMs: expected === 'timeout.judge' ? 200 : 20_000 })
      expect([title, said(consulted)]).toEqual([title, expected])
    }
  })

  test('waits where the server says for how long, as long as there is time', async () => {
    const cases: readonly (readonly [number, string | null, number, string, number])[] = [
      [429, '0', 1, 'allow', 2],
      [429, '0', 2, 'allow', 3],
      [429, '0', 3, 'judge.unavailable', 3],
      [503, '0', 1, 'allow', 2],
      [529, '0', 1, 'allow', 2],
      [500, '0', 1, 'judge.unavailable', 1],
      [429, null, 1, 'judge.unavailable', 1],
      [429, 'soon', 1, 'judge.unavailable', 1],
      [429, '3600', 1, 'judge.unavailable', 1],
      [429, 'Fri, 01 Jan 2021 00:00:00 GMT', 1, 'allow', 2],
    ]
    for (const [status, after, times, expected, requests] of cases) {
      let left = times
      const server = await serve((seen, response) => {
        if (left-- <= 0) return marked(seen, GOOD)
        response.writeHead(status, after === null ? {} : { 'retry-after': after }).end('{}')
        return undefined
      })
      const consulted = await run(of(server.url))
      expect([status, after, times, said(consulted), server.seen.length]).toEqual([status, after, times, expected, requests])
    }
  })

  test('a tool that it was not given is no answer', async () => {
    const server = await serve(() => ({ calls: [{ name: 'read_file', input: { path: 'a.txt' } }] }))
    expect([said(await run(of(server.url))), server.seen.length]).toEqual(['judge.malformed', 1])
  })

  for (const stream of [false, true]) {
    insideSandbox(`looks around with its tools and then answers${stream ? ', in streams' : ''}`, async () => {
      const server = await serve((seen) => {
        const first = {
          calls: [
            { name: 'read_file', input: { path: 'a.txt' } },
            { name: 'grep', input: { pattern: 'nothing' } },
          ],
        }
        return turns(seen) === 0 ? first : marked(seen, GOOD)
      })
      const consulted = await run(`${of(server.url)}, stream: ${stream}, tools: [read_file, grep]`)
      expect([said(consulted), consulted.evidence.usage]).toEqual(['allow', { input: 642, output: 90 }])
      expect(consulted.evidence.tool_calls).toMatchObject([
        { tool: 'read_file', input: '{"path":"a.txt"}', status: 'ok' },
        { tool: 'grep', status: 'ok' },
      ])
      const second = JSON.stringify(server.seen[1]?.body)
      expect(second).toContain(`<result-${NONCE}>\\nhello\\n\\n</result-${NONCE}>`)
      expect(second).toContain('no line matches')
      expect(JSON.stringify(server.seen[0]?.body)).toContain('You may ask for tools 8 times')
    })
  }

  insideSandbox('has so many steps and no more, and so many tools at once', async () => {
    const server = await serve(() => ({ calls: [{ name: 'read_file', input: { path: 'a.txt' } }] }))
    const consulted = await run(`${of(server.url)}, tools: { allow: [read_file], max_steps: 2 }`)
    expect([said(consulted), server.seen.length]).toEqual(['judge.steps', 3])
    expect(consulted.evidence.tool_calls).toHaveLength(2)
    const greedy = await serve(() => ({ calls: Array.from({ length: 9 }, () => ({ name: 'grep', input: { pattern: 'x' } })) }))
    expect(said(await run(`${of(greedy.url)}, tools: [grep]`))).toBe('judge.malformed')
  })

  insideSandbox('tools are stopped with the judge whose time is over', async () => {
    const server = await serve(() => ({ calls: [{ name: 'cmd_run', input: { command: ['sleep', '600'] } }] }))
    const consulted = await run(`${of(server.url)}, tools: { allow: [cmd.run], commands: ['sleep *'] }`, { timeoutMs: 700 })
    expect(said(consulted)).toBe('timeout.judge')
  })

  test('without a sandbox, or without anything to show, a judge with tools is not asked at all', async () => {
    const server = await serve((seen) => marked(seen, GOOD))
    const tools = PARTS.tools === undefined ? undefined : { ...PARTS.tools, sandbox: createSandbox([work]) }
    const fields = `${of(server.url)}, tools: [grep]`
    const { tools: _none, ...bare } = PARTS
    expect(said(await run(fields, { parts: tools === undefined ? {} : { tools } }))).toBe('judge.sandbox')
    expect(said(await run(fields, { cwd: '/' }))).toBe('judge.sandbox')
    const judge = policy(`judges: { j: { ${fields} } }`).judges
    const j = judge.named.get('j')
    if (j === undefined) throw new Error('no judge')
    const payload = { body: {}, truncated: false, digest: 'sha256:0' }
    const question = { judge: j, named: judge.named, payload, thresholds: j, timeoutMs: 5_000, agent: null, spent: () => false, cwd: work }
    expect(said(await consult(question, { ...bare, breakers: new Map() }))).toBe('judge.sandbox')
    expect(server.seen).toEqual([])
  })
})

describe('Gemini', () => {
  const raw =
    (body: object): Script =>
    (_seen, response) =>
      void response.end(JSON.stringify(body))
  const cases: readonly (readonly [string, object, string])[] = [
    ['a blocked prompt', { promptFeedback: { blockReason: 'SAFETY' } }, 'judge.refused'],
    ['a blocked answer', { candidates: [{ finishReason: 'SAFETY' }] }, 'judge.refused'],
    ['recitation', { candidates: [{ finishReason: 'RECITATION' }] }, 'judge.refused'],
    ['half an answer', { candidates: [{ content: { parts: [{ text: GOOD }] }, finishReason: 'MAX_TOKENS' }] }, 'judge.malformed'],
    ['no candidates', { candidates: [] }, 'judge.malformed'],
    ['two candidates', { candidates: [{ finishReason: 'STOP' }, { finishReason: 'STOP' }] }, 'judge.malformed'],
    ['no parts', { candidates: [{ content: {}, finishReason: 'STOP' }] }, 'judge.malformed'],
    ['two texts', { candidates: [{ content: { parts: [{ text: 'a' }, { text: 'b' }] }, finishReason: 'STOP' }] }, 'judge.malformed'],
  ]
  for (const [title, body, expected] of cases) {
    test(`${title}: ${expected}`, async () => {
      const server = await serve(raw(body))
      expect(said(await run(`provider: google, model: gemini-x, url: "${server.url}"`))).toBe(expected)
    })
  }

  test('what it thought is no part of its answer', async () => {
    const server = await serve((seen, response) => {
      const parts = [{ text: 'hmm', thought: true }, { text: marked(seen, GOOD) }]
      response.end(JSON.stringify({ candidates: [{ content: { parts }, finishReason: 'STOP' }] }))
      return undefined
    })
    expect(said(await run(`provider: google, model: "gemini/x?y", url: "${server.url}"`))).toBe('allow')
    expect(server.seen[0]?.path).toBe('/v1beta/models/gemini%2Fx%3Fy:generateContent')
  })
})

describe('the AI SDK', () => {
  const fields = "provider: ai-sdk, model: m, module: { name: '@ai-sdk/groq', export: groq }"
  const answer = `<answer-${NONCE}>${GOOD}</answer-${NONCE}>`
  const modules = (result: () => unknown) => (name: string) => {
    const ai = { generateText: (options: { model: string }) => (options.model === 'groq:m' ? result() : null) }
    return Promise.resolve(name === 'ai' ? ai : { groq: (model: string) => `groq:${model}` })
  }
  class Result {
    readonly #text: string
    readonly finishReason: string
    constructor(text: string, finishReason: string) {
      this.#text = text
      this.finishReason = finishReason
    }
    get text(): string {
      return this.#text
    }
    get usage(): object {
      return { inputTokens: 3, outputTokens: 4 }
    }
  }
  const cases: readonly (readonly [string, () => unknown, string])[] = [
    ['an answer', () => new Result(answer, 'stop'), 'allow'],
    ['half an answer', () => new Result(answer, 'length'), 'judge.malformed'],
    ['a refusal', () => new Result('', 'content-filter'), 'judge.refused'],
    ['prose', () => new Result('fine', 'stop'), 'judge.malformed'],
    ['nothing', () => undefined, 'judge.malformed'],
    ['an error', () => Promise.reject(new Error('429')), 'judge.unavailable'],
  ]
  for (const [title, result, expected] of cases) {
    test(`${title}: ${expected}`, async () => expect(said(await run(fields, { parts: { load: modules(result) } }))).toBe(expected))
  }

  test('tokens are counted', async () => {
    const consulted = await run(fields, { parts: { load: modules(() => new Result(answer, 'stop')) } })
    expect(consulted.evidence.usage).toEqual({ input: 3, output: 4 })
    // A name that says secret would be masked in the record, and take the digest of the call with it.
    expect(redactJson(consulted.evidence).erased).toEqual([])
  })

  test('a package that is not there, or is another one, is named', async () => {
    expect((await run(fields.replace('@ai-sdk/groq', '@ai-sdk/not-installed'), {})).failure?.message).toMatch(
      /install it beside countersign/,
    )
    const other = await run(fields, { parts: { load: () => Promise.resolve({}) } })
    expect(other.failure?.message).toBe('`ai` exports no function `generateText`')
  })
})

describe('events', () => {
  const cases: readonly (readonly [readonly string[], readonly string[]])[] = [
    [['data: a\n\n'], ['a']],
    [['data: a\n\ndata: b\n\n'], ['a', 'b']],
    [['da', 'ta: a', '\n', '\n'], ['a']],
    [['data: a\r\n\r\ndata: b\r\n\r\n'], ['a', 'b']],
    [
      ['data: a\r', '\n\r', '\ndata: b\r\n\r\n'],
      ['a', 'b'],
    ],
    [['data: a\ndata: b\n\n'], ['a\nb']],
    [[': comment\nevent: x\nid: 1\ndata:a\n\n'], ['a']],
    [['\n\n\n'], []],
    [['data: a'], []],
    [['retry: 5\n\n'], []],
  ]
  for (const [pieces, expected] of cases) {
    test(JSON.stringify(pieces), () => {
      const reader = new EventReader()
      expect(pieces.flatMap((piece) => reader.read(piece))).toEqual(expected)
    })
  }
})

describe('how long to wait', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  const cases: readonly (readonly [string | null, number | null])[] = [
    [null, null],
    ['', null],
    ['5', 5_000],
    ['0', 0],
    ['-1', null],
    ['1e3', null],
    ['soon', null],
    ['Thu, 01 Jan 2026 00:00:07 GMT', 7_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ]
  for (const [written, expected] of cases) test(`${written}`, () => expect(waitOf(written, now)).toBe(expected))
})
