import { afterEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import {
  anthropicMessage,
  type ModelServer,
  marked,
  modelServer,
  openAiCompletion,
  type Script,
  type Seen,
} from '../../../test/support/model-server.ts'
import type { JudgePolicy } from '../../policy/judges.ts'
import { policy } from '../../policy/testing/compiled.ts'
import { consult } from '../consult.ts'
import type { Consulted, ConsultParts } from '../question.ts'

const GOOD = '{"score":0.9,"confidence":0.8,"reasoning":"fits"}'
const BAD = '{"score":0.1,"confidence":0.8,"reasoning":"deletes"}'

const servers: ModelServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function serve(script: Script): Promise<ModelServer> {
  const server = await modelServer(script)
  servers.push(server)
  return server
}

function parts(more: Partial<ConsultParts> = {}): ConsultParts {
  return {
    fetch: globalThis.fetch,
    env: (name) => (name === 'KEY' ? 'sk-test' : undefined),
    functions: new Map(),
    nonce: () => '0123456789abcdef0123456789abcdef',
    now: () => performance.now(),
    depth: () => undefined,
    breakers: new Map(),
    ...more,
  }
}

interface Options {
  readonly timeoutMs?: number
  readonly agent?: string | null
  readonly spent?: (judge: JudgePolicy) => boolean
  readonly using?: ConsultParts
}

async function run(text: string, options: Options = {}): Promise<Consulted> {
  const { named } = policy(`judges:\n${text}`).judges
  const judge = [...named.values()].at(-1)
  if (judge === undefined) throw new Error('no judge')
  const body = { task: null, proposed_tool_call: { name: 'Bash', arguments: { command: 'ls' } } }
  const payload = { body, truncated: false, digest: 'sha256:0' }
  const { timeoutMs = 5_000, agent = null, spent = () => false } = options
  return consult({ judge, named, payload, thresholds: judge, timeoutMs, agent, spent }, options.using ?? parts())
}

const said = ({ ruling, failure }: Consulted): string => ruling?.verdict ?? failure?.code ?? 'nothing'

const anthropic = ({ url }: ModelServer) => `  j: { provider: anthropic, model: claude-x, url: "${url}", api_key_env: KEY }`
const openai = ({ url }: ModelServer) => `  j: { provider: openai, model: gpt-x, url: "${url}/v1", api_key_env: KEY }`
const http = ({ url }: ModelServer) => `  j: { provider: http, url: "${url}/judge", api_key_env: KEY }`
const command = (script: string) => `  j: { provider: command, command: ${JSON.stringify([process.execPath, '-e', script])} }`

describe('a model', () => {
  test('is asked in the protocol of its provider, with its key', async () => {
    const first = await serve((seen) => marked(seen, GOOD))
    const one = await run(anthropic(first))
    expect([said(one), one.evidence.usage, one.evidence.model]).toEqual(['allow', { input: 321, output: 45 }, 'claude-x'])
    expect(first.seen[0]).toMatchObject({
      path: '/v1/messages',
      method: 'POST',
      headers: { 'x-api-key': 'sk-test', 'anthropic-version': '2023-06-01', 'content-type': 'application/json' },
      body: { model: 'claude-x', messages: [{ role: 'user' }] },
    })
    const second = await serve((seen) => marked(seen, BAD))
    const two = await run(openai(second))
    expect([said(two), two.evidence.usage]).toEqual(['deny', { input: 321, output: 45 }])
    expect(second.seen[0]).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: 'Bearer sk-test' },
      body: { model: 'gpt-x', messages: [{ role: 'system' }, { role: 'user' }] },
    })
  })

  const raw =
    (status: number, text: string): Script =>
    (_seen, response) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(text)
      return undefined
    }

  proves('T35', 'an outage has its own code for each kind, and is never a verdict', async () => {
    const cases: readonly (readonly [string, Script, string])[] = [
      ['429', raw(429, '{"error":{}}'), 'judge.unavailable'],
      ['500', raw(500, 'oops'), 'judge.unavailable'],
      ['529', raw(529, GOOD), 'judge.unavailable'],
      ['redirect', (_, response) => void response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(), 'judge.unavailable'],
      ['cut off', (_, response) => void response.writeHead(200, { 'content-length': '900' }).write('{"a'), 'timeout.judge'],
      ['reset', (_, response) => void response.destroy(), 'judge.unavailable'],
      ['hang', () => undefined, 'timeout.judge'],
      ['10 MB', raw(200, `{"content":"${'x'.repeat(10_000_000)}"}`), 'judge.malformed'],
      ['half JSON', raw(200, '{"content":[{"type":"te'), 'judge.malformed'],
      ['empty', raw(200, ''), 'judge.malformed'],
      ['a list', raw(200, '[]'), 'judge.malformed'],
      ['no choices', raw(200, '{"choices":[],"content":[]}'), 'judge.malformed'],
    ]
    for (const [name, script, expected] of cases) {
      const server = await serve(script)
      for (const judge of [anthropic(server), openai(server)]) {
        const consulted = await run(judge, { timeoutMs: expected === 'timeout.judge' ? 150 : 5_000 })
        expect([name, said(consulted)]).toEqual([name, expected])
        expect(consulted.ruling).toBeNull()
      }
    }
  })

  test('one that is not there is an outage, too', async () => {
    const server = await modelServer(() => GOOD)
    await server.close()
    for (const judge of [anthropic(server), openai(server), http(server)]) {
      const consulted = await run(judge)
      expect([said(consulted), consulted.failure?.message]).toEqual([
        'judge.unavailable',
        expect.stringMatching(/^fetch failed: .*ECONNREFUSED/),
      ])
    }
  })

  test('prose, a refusal, a half answer, another mark and a second answer are no answer', async () => {
    const cases: readonly (readonly [(seen: Seen) => string, string, string])[] = [
      [() => GOOD, 'stop', 'judge.malformed'],
      [() => 'ALLOW', 'stop', 'judge.malformed'],
      [(seen) => `Sure: ${marked(seen, GOOD)}`, 'stop', 'judge.malformed'],
      [(seen) => marked(seen, GOOD) + marked(seen, GOOD), 'stop', 'judge.malformed'],
      [() => `<answer-ffff>${GOOD}</answer-ffff>`, 'stop', 'judge.malformed'],
      [(seen) => marked(seen, GOOD), 'length', 'judge.malformed'],
      [(seen) => marked(seen, GOOD), 'refusal', 'judge.refused'],
      [(seen) => marked(seen, GOOD), 'content_filter', 'judge.refused'],
      [(seen) => marked(seen, GOOD), 'stop', 'allow'],
    ]
    for (const [text, stop, expected] of cases) {
      const script: Script = (seen, response) => {
        const claude = seen.path === '/v1/messages'
        const reason = claude && stop === 'stop' ? 'end_turn' : stop
        response.end(claude ? anthropicMessage(text(seen), reason) : openAiCompletion(text(seen), reason))
        return undefined
      }
      const server = await serve(script)
      for (const judge of [anthropic(server), openai(server)]) expect(said(await run(judge))).toBe(expected)
    }
    const declined = await serve((_seen, response) => void response.end(openAiCompletion('', 'stop', 'no')))
    expect(said(await run(openai(declined)))).toBe('judge.refused')
  })
})

describe('an HTTP judge', () => {
  proves('AEG-11', 'malformed JSON, nothing, lateness, cancelling and no reasoning are no acceptance', async () => {
    const cases: readonly (readonly [Script, string])[] = [
      [() => '{"score":', 'judge.malformed'],
      [() => '', 'judge.malformed'],
      [() => undefined, 'timeout.judge'],
      [(_, response) => void response.destroy(), 'judge.unavailable'],
      [() => '{"score":1,"confidence":1}', 'judge.malformed'],
      [() => GOOD, 'allow'],
      [() => `\`\`\`json\n${GOOD}\n\`\`\``, 'allow'],
    ]
    for (const [script, expected] of cases) {
      expect(said(await run(http(await serve(script)), { timeoutMs: expected === 'timeout.judge' ? 150 : 5_000 }))).toBe(expected)
    }
  })

  test('gets the payload and the depth; a pending answer is looked at again, on the same origin only', async () => {
    const server = await serve((seen, response) => {
      if (seen.method === 'GET') return GOOD
      response.writeHead(202, { location: '/answers/1' }).end()
      return undefined
    })
    expect(said(await run(http(server)))).toBe('allow')
    expect(server.seen.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /judge', 'GET /answers/1'])
    expect(server.seen[0]).toMatchObject({
      headers: { 'countersign-judge-depth': '1', authorization: 'Bearer sk-test' },
      body: { proposed_tool_call: { name: 'Bash', arguments: { command: 'ls' } } },
    })
    for (const location of ['http://127.0.0.1:1/steal', 'http://[']) {
      const elsewhere = await serve((_seen, response) => void response.writeHead(202, { location }).end())
      expect(said(await run(http(elsewhere)))).toBe('judge.malformed')
      expect(elsewhere.seen).toHaveLength(1)
    }
  })
})

describe('a command judge', () => {
  const answering = (code: string) => `let s='';process.stdin.on('data',(c)=>{s+=c}).on('end',()=>{${code}})`

  proves('T36', "a judge's own work is bounded and says how deep it is, in an environment of its own", async () => {
    process.env.COUNTERSIGN_TEST_SECRET = 'visible'
    const report =
      'console.log(JSON.stringify({score:1,confidence:1,reasoning:Object.keys(process.env).sort().join()+" "+process.env.COUNTERSIGN_JUDGE_DEPTH}))'
    const consulted = await run(command(answering(report)))
    delete process.env.COUNTERSIGN_TEST_SECRET
    expect(consulted.ruling?.reason).toMatch(/: COUNTERSIGN_JUDGE_DEPTH,LANG,PATH 1$/)
    const deeper = await run(command(answering(report)), { using: parts({ depth: () => '2' }) })
    expect(deeper.ruling?.reason).toMatch(/ 3$/)
    for (const depth of ['3', '9', 'x']) {
      const refused = await run(command(answering(report)), { using: parts({ depth: () => depth }) })
      expect([said(refused), refused.evidence.asked]).toEqual(['judge.depth', []])
    }
  })

  test('what it says, and how it fails', async () => {
    const cases: readonly (readonly [string, string])[] = [
      [answering(`console.log(JSON.parse(s).proposed_tool_call.name==='Bash'?'${GOOD}':'${BAD}')`), 'allow'],
      [answering(`console.log('${BAD}')`), 'deny'],
      [answering(`console.log('${GOOD}');process.exitCode=1`), 'judge.unavailable'],
      [answering(`console.log('allow')`), 'judge.malformed'],
      [answering(''), 'judge.malformed'],
      [`console.log('${GOOD}')`, 'allow'],
      ["process.stdout.write('x'.repeat(3000000))", 'judge.malformed'],
      ['setInterval(()=>{},1000)', 'timeout.judge'],
    ]
    for (const [script, expected] of cases) {
      expect([script, said(await run(command(script), { timeoutMs: expected === 'timeout.judge' ? 400 : 20_000 }))]).toEqual([
        script,
        expected,
      ])
    }
    expect(said(await run('  j: { provider: command, command: [/nonexistent/judge] }'))).toBe('judge.unavailable')
  })
})

describe('a function of the host program', () => {
  test('answers with a value of either form', async () => {
    const cases: readonly (readonly [unknown, string])[] = [
      [{ score: 1, confidence: 1, reasoning: 'ok' }, 'allow'],
      [{ risk_level: 'critical', category: 'destructive_operation', reason: 'gone' }, 'halt'],
      [Promise.resolve({ level: 'medium', category: 'scope_violation', reason: 'odd' }), 'flag'],
      [undefined, 'judge.malformed'],
      [true, 'judge.malformed'],
      ['allow', 'judge.malformed'],
      [Promise.reject(new Error('boom')), 'judge.unavailable'],
      [new Promise(() => {}), 'timeout.judge'],
    ]
    for (const [value, expected] of cases) {
      const using = parts({ functions: new Map([['j', () => value]]) })
      expect(said(await run('  j: { provider: function }', { using, timeoutMs: 50 }))).toBe(expected)
    }
    expect(said(await run('  j: { provider: function }'))).toBe('judge.unavailable')
  })

  test('rests after five failures, and is not asked over its budget or about its own family', async () => {
    let asked = 0
    const down = (): never => {
      asked++
      throw new Error('down')
    }
    const using = parts({ functions: new Map([['j', down]]) })
    for (let n = 0; n < 8; n++) await run('  j: { provider: function }', { using })
    expect(asked).toBe(5)
    const fresh = parts({ functions: using.functions })
    expect(said(await run('  j: { provider: function }', { using: fresh, spent: () => true }))).toBe('judge.over_budget')
    expect(said(await run('  j: { provider: function, family: claude }', { using: fresh, agent: 'claude-code' }))).toBe('judge.same_family')
    expect(asked).toBe(5)
  })
})

describe('a tribunal', () => {
  const judges = (a: ModelServer, b: ModelServer) =>
    `  a: { provider: anthropic, model: claude-x, url: "${a.url}" }\n  b: { provider: openai, model: gpt-x, url: "${b.url}/v1" }\n  t: { provider: tribunal, judges: [a, b] }`

  proves(['SIG-15', 'SIG-16', 'SIG-17', 'SIG-18', 'SIG-19'], 'over two real wires: agree, split, one down, both down', async () => {
    const server = async (answer: string | null) =>
      serve((seen, response) => (answer === null ? void response.writeHead(503).end() : marked(seen, answer)))
    const cases: readonly (readonly [string | null, string | null, string])[] = [
      [GOOD, GOOD, 'allow'],
      [BAD, BAD, 'deny'],
      [GOOD, BAD, 'ask'],
      [BAD, GOOD, 'ask'],
      [GOOD, null, 'judge.unavailable'],
      [null, BAD, 'deny'],
      [null, null, 'judge.unavailable'],
    ]
    for (const [first, second, expected] of cases) {
      const [a, b] = [await server(first), await server(second)]
      const consulted = await run(judges(a, b))
      expect([first, second, said(consulted)]).toEqual([first, second, expected])
      expect(consulted.evidence.asked).toEqual(['t', 'a', 'b'])
    }
  })
})
