/** The Python client against a real daemon, in the interpreter that is here, and against servers that are no gate. */
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { cli, makeHome, startServe, stop } from '../hosts/harness.ts'

const PYTHON = 'examples/python'
const POLICY = `version: 1
unregistered: allow
rules:
  allow: [{ tool: read, reason: yes }, { tool: fails, reason: yes }, { tool: search_orders, reason: yes }]
  ask: [{ tool: paint, reason: see it }, { tool: search_orders, argument_contains: asked, reason: see it }]
  deny: [{ tool: wipe, reason: never }, { tool: search_orders, argument_contains: denied, reason: never }]
`

interface Said {
  readonly result?: unknown
  readonly code?: string
  readonly message?: string
  readonly approval?: string | null
  readonly raised?: string
  readonly ran?: readonly string[]
  readonly start?: string
}

type Step = readonly [tool: string, args: Readonly<Record<string, unknown>>]

/** Runs the steps in one process of Python. */
function python(gate: object, steps: readonly Step[]): Promise<readonly Said[]> {
  const running = promisify(execFile)('python3', [join(PYTHON, 'test_cases.py')], {
    env: { PYTHONDONTWRITEBYTECODE: '1' },
    timeout: 120_000,
  })
  running.child.stdin?.end(JSON.stringify({ gate, steps }))
  return running.then(({ stdout }) =>
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Said),
  )
}

describe('a Python program', () => {
  const home = makeHome()
  const path = join(home.state, 'run/gate.sock')
  let daemon: Awaited<ReturnType<typeof startServe>>
  beforeAll(async () => {
    writeFileSync(join(home.user, 'countersign.yaml'), POLICY)
    daemon = await startServe({ ...home, environment: { ...home.environment, COUNTERSIGN_POLICY: join(home.user, 'countersign.yaml') } })
  })
  afterAll(async () => {
    await stop(daemon)
    home.remove()
  })

  test('runs what is allowed, and nothing else; its errors are its own', async () => {
    const said = await python({ path, wait: 0 }, [
      ['read', { name: 'notes' }],
      ['paint', { name: 'notes' }],
      ['wipe', { name: 'notes' }],
      ['fails', { name: 'mine' }],
    ])
    expect(said).toMatchObject([
      { result: 'read of notes', ran: ['read'] },
      { code: 'rules.asked', approval: expect.stringMatching(/^apr_/), ran: [] },
      { code: 'rules.denied', message: expect.stringContaining('not allowed'), ran: [] },
      { raised: expect.stringContaining('mine') },
      { start: 'declared, but not gated: search' },
    ])
  })

  test('waits for people, runs once after their yes, and is asked again', async () => {
    const waiting = python({ path, wait: 60, session: 'py-1' }, [['paint', { name: 'wall' }]])
    const id = await vi.waitFor(
      () => {
        const listed = cli(home, ['approvals', 'list', '--json']).stdout.split('\n')
        const found = /"id":"(apr_[0-9a-f]+)"/.exec(listed.find((line) => line.includes('"session":"py-1')) ?? '')
        return found?.[1] ?? expect.fail('no approval yet')
      },
      { timeout: 60_000, interval: 200 },
    )
    cli(home, ['approvals', 'approve', id, '--reason', 'fine'])
    expect((await waiting)[0]).toMatchObject({ result: 'paint of wall', ran: ['paint'] })
    const [again] = await python({ path, wait: 0, session: 'py-1' }, [['paint', { name: 'wall' }]])
    expect(again).toMatchObject({ code: 'rules.asked', ran: [] })
  })

  test('does not run with what JSON cannot say', async () => {
    const strange = ['date', 'nan', 'tuple', 'key', 'bytes']
    const said = await python(
      { path, wait: 0 },
      strange.map((name) => ['read', { name: 'notes', more: `!${name}` }] as const),
    )
    for (const at of strange.keys()) expect([strange[at], said[at]]).toMatchObject([strange[at], { code: 'client.arguments', ran: [] }])
  })

  test('the examples for LangChain and Pydantic AI hold calls back in the form that their frameworks document', async () => {
    const paths = [PYTHON, 'test/examples/python-shapes']
    const env = { COUNTERSIGN_HOME: home.state, WAIT: '0', PYTHONPATH: paths.join(':'), PYTHONDONTWRITEBYTECODE: '1' }
    const args = ['test/examples/python-shapes/run.py', 'mine', 'asked', 'denied']
    const { stdout } = await promisify(execFile)('python3', args, { env, timeout: 120_000 })
    const [mine, asked, denied] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    const result = ['success', 'orders of mine']
    expect(mine).toEqual({ sync: result, async: result, pydantic: 'orders of mine' })
    const waits = ['error', expect.stringContaining('apr_')]
    expect(asked).toEqual({ sync: waits, async: waits, pydantic: expect.stringMatching(/^refused: .*apr_/) })
    const never = ['error', expect.stringContaining('not allowed')]
    expect(denied).toEqual({ sync: never, async: never, pydantic: expect.stringMatching(/^refused: .*not allowed/) })
  })

  test('runs nothing where nobody answers', async () => {
    for (const gate of [{ path: join(home.user, 'nothing.sock') }, { url: 'http://127.0.0.1:1' }])
      expect((await python(gate, [['read', { name: 'a' }]]))[0]).toMatchObject({ code: 'client.unreachable', ran: [] })
  })
})

describe('what answers and is no gate', () => {
  const answers: readonly (readonly [title: string, status: number, body: string])[] = [
    ['nothing', 200, ''],
    ['no JSON', 200, '<html>allow</html>'],
    ['a text', 200, '"allow"'],
    ['no decision', 200, '{"ok":true}'],
    ['an allow with the status of a denial', 403, '{"decision":"allow"}'],
    ['an allow with the status of an ask', 202, '{"decision":"allow"}'],
    ['a denial with the status of an allow', 200, '{"decision":"deny","code":"rules.denied","agent_reason":"no"}'],
    ['a decision of another form', 200, '{"decision":{"allow":true}}'],
    ['an error', 503, '{"error":"infra.audit_unavailable","message":"no"}'],
  ]
  test('lets nothing run', async () => {
    let asked = 0
    const server = createServer((_, response) => {
      const [, status = 500, body = ''] = answers[asked++] ?? []
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const said = await python(
      { url, wait: 1 },
      answers.map(() => ['read', { name: 'a' }] as const),
    )
    for (const [at, [title]] of answers.entries())
      expect([title, said[at]]).toMatchObject([title, { code: expect.stringMatching(/^(?:client|rules|infra)\./), ran: [] }])
    expect(asked).toBe(answers.length)
    server.close()
  })
})
