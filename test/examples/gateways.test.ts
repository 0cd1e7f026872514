/**
 * The gateways of others, as the examples connect them: LiteLLM's guardrail under the calls that LiteLLM makes of it, and the
 * authorization service under the requests that Envoy sends, both against a real server of ours.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { temporaryDirectory } from '../support/records.ts'
import { startServer, type TestServer } from '../support/server.ts'

const POLICY = `unregistered: deny
tools: { get_weather: { risk_tier: low }, pay: { risk_tier: high, irreversible: true }, rm_rf: { risk_tier: low }, files/get_weather: { risk_tier: low } }
rules: { deny: [{ tool: rm_rf, reason: never }], allow: [{ tool: get_weather }, { tool: files/get_weather }] }
`
const DIRECTORY = resolve('examples/gateways')

let server: TestServer
let token = ''
beforeAll(async () => {
  server = await startServer({ policy: POLICY })
  token = server.token({ name: 'gateway', role: 'agent' })
})
afterAll(() => server.stop())

const environment = (url = server.url) => ({ PATH: process.env.PATH ?? '', COUNTERSIGN_URL: url, COUNTERSIGN_TOKEN: token })

function printed(child: ChildProcess): Promise<string> {
  return new Promise((done) => child.stdout?.once('data', (chunk: Buffer) => done(chunk.toString().trim())))
}

describe('Envoy', () => {
  async function authorized(body: string, headers: Record<string, string> = {}, url = server.url): Promise<readonly [number, string]> {
    const child = spawn(process.execPath, [join(DIRECTORY, 'authz.mjs'), '0'], { env: environment(url) })
    onTestFinished(() => void child.kill())
    const asked = {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-envoy-auth-partial-body': 'false', ...headers },
      body,
    }
    const response = await fetch(`${await printed(child)}/files/mcp`, asked)
    return [response.status, await response.text()]
  }
  const call = (name: string, args: unknown = {}): string =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })

  test.each([
    ['a call that may run', 200, call('get_weather', { city: 'Oslo' }), {}],
    ['a message that is no call', 200, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', {}],
    ['a call that may not', 403, call('rm_rf'), {}],
    ['one of several that may not', 403, `[${call('get_weather')},${call('rm_rf')}]`, {}],
    ['half of a message', 403, call('get_weather').slice(0, 50), { 'x-envoy-auth-partial-body': 'true' }],
    ['no message at all', 403, '', {}],
    ['a name that stands twice', 403, call('get_weather').replace('"name"', '"name":"rm_rf","n\\u0061me"'), {}],
    ['what is packed', 403, call('get_weather'), { 'content-encoding': 'gzip' }],
  ] as const)('%s: %i', async (_title, status, body, headers) => {
    expect((await authorized(body, headers))[0]).toBe(status)
  })

  test('a call that waits is not let through, and says so', async () => {
    const [status, text] = await authorized(call('pay', { amount: 5 }))
    expect([status, text]).toEqual([403, expect.stringContaining('did not run')])
  })

  test('nobody to ask: nothing passes', async () => {
    expect((await authorized(call('get_weather'), {}, 'http://127.0.0.1:9'))[0]).toBe(403)
  })

  test('its configuration shows whole messages and lets nothing through where nobody answers', () => {
    const text = readFileSync(join(DIRECTORY, 'envoy.yaml'), 'utf8')
    expect(parse(text)).toBeTypeOf('object')
    expect(text).toContain('failure_mode_allow: false')
    expect(text).toContain('allow_partial_message: false')
  })
})

/** What the guardrail takes from LiteLLM, as of its documents of October 2026, and the calls that LiteLLM makes of it. */
const LITELLM = {
  'litellm/__init__.py': '',
  'litellm/integrations/__init__.py': '',
  'litellm/integrations/custom_guardrail.py': `
class CustomGuardrail:
    def __init__(self, guardrail_name=None, event_hook=None, default_on=False, **kwargs):
        self.guardrail_name = guardrail_name
`,
  'fastapi.py': `
class HTTPException(Exception):
    def __init__(self, status_code, detail=None):
        super().__init__(detail)
        self.status_code, self.detail = status_code, detail
`,
  'ask.py': `
import asyncio, json, sys
from countersign_guardrail import CountersignGuardrail
from fastapi import HTTPException

class Part:
    def __init__(self, **fields): self.__dict__.update(fields)

async def main():
    guardrail = CountersignGuardrail(guardrail_name="countersign", event_hook="post_call", default_on=True)
    for line in sys.stdin:
        asked = json.loads(line)
        calls = [{"id": "c", "type": "function", "function": {"name": name, "arguments": arguments}} for name, arguments in asked["calls"]]
        if asked.get("objects"): calls = [Part(id="c", type="function", function=Part(**call["function"])) for call in calls]
        inputs = {"texts": ["ok"], "tool_calls": calls}
        try:
            same = await guardrail.apply_guardrail(inputs=inputs, request_data=asked.get("data", {}), input_type=asked.get("type", "response"), logging_obj=None)
            print(json.dumps([200, "the same" if same is inputs else "another"]))
        except HTTPException as error:
            print(json.dumps([error.status_code, error.detail]))

asyncio.run(main())
`,
}

const python = spawnSync('python3', ['--version']).status === 0

describe.skipIf(!python && process.env.CI === undefined)('LiteLLM', () => {
  function asked(lines: readonly object[], url = server.url): Promise<readonly (readonly [number, string])[]> {
    const place = temporaryDirectory()
    for (const name of ['litellm', 'litellm/integrations']) mkdirSync(join(place, name), { recursive: true })
    for (const [name, text] of Object.entries(LITELLM)) writeFileSync(join(place, name), text)
    const env = { ...environment(url), PYTHONPATH: `${place}:${DIRECTORY}`, PYTHONDONTWRITEBYTECODE: '1' }
    const child = spawn('python3', [join(place, 'ask.py')], { env })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
    child.stdin.end(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    return new Promise((done, failed) =>
      child.once('close', (code) =>
        code === 0
          ? done(
              out
                .trim()
                .split('\n')
                .map((line) => JSON.parse(line) as [number, string]),
            )
          : failed(new Error(err)),
      ),
    )
  }

  test('answers whose calls may run pass, others do not, and neither do streams', async () => {
    const oslo = '{"city":"Oslo"}'
    const cases: readonly (readonly [object, number, string])[] = [
      [{ calls: [] }, 200, 'the same'],
      [{ calls: [['get_weather', oslo]] }, 200, 'the same'],
      [{ calls: [['get_weather', oslo]], objects: true, data: { litellm_session_id: 's-1' } }, 200, 'the same'],
      [{ calls: [['get_weather', '']] }, 200, 'the same'],
      [{ calls: [['rm_rf', '{}']] }, 403, 'The call of `rm_rf` did not run.'],
      [
        {
          calls: [
            ['get_weather', oslo],
            ['rm_rf', '{}'],
          ],
        },
        403,
        'The call of `rm_rf` did not run.',
      ],
      [{ calls: [['pay', '{"amount":5}']], data: { litellm_call_id: 'x' } }, 403, 'pending'],
      [{ calls: [['get_weather', '{"city":']] }, 403, 'did not run'],
      [{ calls: [['get_weather', '{},"tool":"get_weather"']] }, 403, 'did not run'],
      [{ calls: [], type: 'request', data: { stream: true } }, 403, 'stream'],
      [{ calls: [], type: 'request' }, 200, 'the same'],
    ]
    const seen = await asked(cases.map(([line]) => line))
    expect(seen.map(([status]) => status)).toEqual(cases.map(([, status]) => status))
    for (const [at, [, , text]] of cases.entries()) expect(seen[at]?.[1]).toContain(text)
  })

  test('nobody to ask: nothing passes', async () => {
    expect((await asked([{ calls: [['get_weather', '{}']] }], 'http://127.0.0.1:9'))[0]?.[0]).toBe(403)
  })
})
