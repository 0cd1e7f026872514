/** The server as a real process: stopped, killed and started again, nothing is lost and nothing runs twice. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CLI, cli, type Home, makeHome, stop } from '../hosts/harness.ts'
import { proves } from '../proves.ts'
import { commandLine } from '../support/command-line.ts'
import { ask, heardAt } from '../support/server.ts'

interface Serving {
  readonly child: ChildProcess
  readonly url: string
  readonly login: string
  readonly printed: () => string
}

let home: Home
let running: ChildProcess[] = []
beforeEach(() => {
  home = makeHome()
  running = []
})
afterEach(async () => {
  for (const child of running) await stop(child, 'SIGKILL')
  home.remove()
})

/** Waits until the server says where it answers. */
async function serve(...args: readonly string[]): Promise<Serving> {
  const child = spawn(process.execPath, [CLI, 'serve', ...(args.length === 0 ? ['--listen', '127.0.0.1:0'] : args)], {
    env: home.environment,
    cwd: home.user,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.push(child)
  let printed = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const url = () => /and at (http:\/\/\S+)/.exec(printed)?.[1]
  const login = () => /#login=(\S+)\n/.exec(printed)?.[1]
  while (child.exitCode === null && (url() === undefined || login() === undefined)) await new Promise((resolve) => setTimeout(resolve, 20))
  const found = url()
  if (found === undefined) throw new Error(`the server did not start: ${printed}`)
  heardAt(found, join(home.state, 'run/gate.sock'))
  return { child, url: found, login: login() ?? '', printed: () => printed }
}

const CALL = { tool: 'Bash', args: { command: 'git push --force origin main' }, session: 's-1', cwd: '/tmp', principal: { agent: 'a' } }
const decide = (url: string, call: object = CALL) =>
  ask<{ approval: { id: string } | null; decision: string }>(`${url}/v1/decisions`, { body: call })
const operator = () => readFileSync(join(home.state, 'operator-token'), 'utf8').trim()

describe('a server that is told to stop', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    proves(
      ['T26', 'P5'],
      `${signal}: ends streams and waiting requests with answers, exits 0, and what waits for people still waits`,
      async () => {
        const first = await serve()
        const id = (await decide(first.url)).body.approval?.id ?? ''
        const waiting = ask(`${first.url}/v1/approvals/${id}?wait=60s`)
        const stream = await fetch(`${first.url}/v1/events`, { headers: { authorization: `Bearer ${operator()}` } })
        const told = stream.text()
        const calls = Array.from({ length: 20 }, (_, n) => decide(first.url, { ...CALL, args: { command: `echo ${n}` } }).catch(() => null))
        await new Promise((resolve) => setTimeout(resolve, 50))
        const started = performance.now()
        first.child.kill(signal)
        expect((await waiting).body).toMatchObject({ id, status: 'pending' })
        expect(await told).toContain('retry:')
        const ended = new Promise<number | null>((resolve) =>
          first.child.exitCode === null ? first.child.once('exit', resolve) : resolve(first.child.exitCode),
        )
        expect(await ended).toBe(0)
        // It did not sit out the wait that somebody had asked for.
        expect(performance.now() - started).toBeLessThan(50_000)
        expect(existsSync(join(home.state, 'run/gate.sock'))).toBe(false)
        for (const answer of await Promise.all(calls)) if (answer !== null) expect(answer.body.decision).toBe('allow')
        const second = await serve()
        expect((await ask(`${second.url}/v1/approvals/${id}`)).body.status).toBe('pending')
        expect((await ask(`${second.url}/v1/approvals/${id}/approve`, { token: operator(), body: {} })).status).toBe(200)
        expect((await decide(second.url)).status).toBe(200)
        expect((await decide(second.url)).status).toBe(202)
        await stop(second.child)
        expect((await commandLine(home, ['audit', 'verify'])).status).toBe(0)
      },
      180_000,
    )
  }
})

describe('a server that is killed', () => {
  proves(
    ['T26', 'P7'],
    'at every step: pending stays pending, approved is used once',
    async () => {
      const first = await serve()
      const id = (await decide(first.url)).body.approval?.id ?? ''
      await stop(first.child, 'SIGKILL')
      const second = await serve()
      expect((await ask(`${second.url}/v1/approvals/${id}`)).body.status).toBe('pending')
      expect((await ask(`${second.url}/v1/approvals/${id}/approve`, { token: operator(), body: {} })).status).toBe(200)
      await stop(second.child, 'SIGKILL')
      const third = await serve()
      const answers = await Promise.all(Array.from({ length: 20 }, () => decide(third.url)))
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
      await stop(third.child, 'SIGKILL')
      const fourth = await serve()
      expect((await decide(fourth.url)).status).toBe(202)
      await stop(fourth.child)
      expect((await commandLine(home, ['audit', 'verify'])).status).toBe(0)
    },
    180_000,
  )
})

describe('where it listens', () => {
  test('says where, and logs the operator in once', async () => {
    const { url, login, printed } = await serve()
    expect(printed()).toContain(`#login=${login}`)
    expect((await ask(`${url}/v1/login`, { body: { code: login } })).body).toMatchObject({ role: 'admin', tenant: null })
    expect((await ask(`${url}/v1/login`, { body: { code: login } })).status).toBe(401)
    for (const file of ['operator-token', 'run/gate.sock']) expect(statSync(join(home.state, file)).mode & 0o777).toBe(0o600)
    expect(statSync(join(home.state, 'run')).mode & 0o777).toBe(0o700)
  })

  test('a port that is taken is told with a way out, and nothing is left behind', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as { port: number }
    const run = cli(home, ['serve', '--listen', `127.0.0.1:${port}`])
    expect([run.status, run.stderr.includes('--no-listen'), existsSync(join(home.state, 'run/gate.sock'))]).toEqual([2, true, false])
    taken.close()
  })

  for (const [address, part] of [
    ['nonsense:port', 'no address'],
    ['127.0.0.1:99999', 'no address'],
    ['', 'no address'],
    ['http://127.0.0.1:80', 'no address'],
    ['203.0.113.1:0', 'cannot be listened on'],
  ] as const) {
    test(`\`${address}\`: exit 2, ${part}`, () => {
      const run = cli(home, ['serve', '--listen', address])
      expect([run.status, run.stderr.includes(part)]).toEqual([2, true])
    })
  }

  test('a second server of the same state directory does not start', async () => {
    await serve()
    const run = cli(home, ['serve', '--no-listen'])
    expect([run.status, run.stderr.includes('another `countersign serve` runs')]).toEqual([2, true])
  })
})

describe('tokens on the command line', () => {
  test('are made, listed, used and revoked while the server runs', async () => {
    const { url } = await serve()
    const made = await commandLine(home, [
      'tokens',
      'add',
      '--name',
      'alice',
      '--role',
      'approver',
      '--tenant',
      'acme',
      '--expires',
      '30d',
      '--json',
    ])
    const { token, id, name } = JSON.parse(made.stdout) as { token: string; id: string; name: string }
    expect([made.status, name]).toEqual([0, 'human:alice'])
    expect((await ask(`${url}/v1/whoami`, { token })).body).toEqual({ name: 'human:alice', role: 'approver', tenant: 'acme', csrf: null })
    const listed = await commandLine(home, ['tokens', 'list'])
    expect([listed.stdout.includes('human:alice'), listed.stdout.includes(token)]).toEqual([true, false])
    expect((await commandLine(home, ['tokens', 'revoke', id])).status).toBe(0)
    expect((await ask(`${url}/v1/whoami`, { token })).status).toBe(401)
    const log = (await commandLine(home, ['audit', 'search', id, '--json'])).stdout
    expect([log.includes('token_added'), log.includes('token_revoked'), log.includes(token)]).toEqual([true, true, false])
  })

  test('a link logs a browser in once', async () => {
    const { url } = await serve()
    const { stdout, status } = await commandLine(home, ['tokens', 'link'])
    const [base, code = ''] = stdout.trim().split('/#login=')
    expect([status, base]).toEqual([0, url])
    expect((await ask(`${url}/v1/login`, { body: { code } })).status).toBe(200)
  })

  for (const [args, part] of [
    [['add', '--name', 'alice', '--role', 'root'], 'no role'],
    [['add', '--name', 'agent:x', '--role', 'viewer'], 'names no person'],
    [['add', '--name', 'a\u202eb', '--role', 'viewer'], 'cannot see'],
    [['add', '--name', '', '--role', 'agent'], 'cannot see'],
    [['add', '--name', 'alice', '--role', 'viewer', '--as-role', 'x'], 'tokens of agents'],
    [['add', '--name', 'alice', '--role', 'viewer', '--expires', 'soon'], 'no time'],
    [['add', '--name', 'alice'], 'required option'],
    [['revoke', 'tok_none'], 'no token'],
    [['link'], 'operator token'],
  ] as const) {
    test(`${args.join(' ')}: exit 2, ${part}`, async () => {
      const run = await commandLine(home, ['tokens', ...args])
      expect([run.status, run.stderr.includes(part)]).toEqual([2, true])
    })
  }
})
