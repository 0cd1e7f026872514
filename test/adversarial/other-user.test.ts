/**
 * Another user of the same machine, a real uid, tries to be heard by the gate: to get decisions, to learn what its user can read, to
 * stop the sessions of others, and to keep people out. Becoming another user takes root, which CI has.
 */
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startDaemon } from '../../src/server/daemon.ts'
import { createNodeView } from '../../src/view/node.ts'
import { proves } from '../proves.ts'
import { asOther, canBecomeOthers, OTHER } from '../support/other-user.ts'
import { ASKING, ask, askSocket, startServer, type TestServer } from '../support/server.ts'

const POLICY = `${ASKING}tool_families: [claude-code]\ndisclosure: { repeats_before_halt: 2 }\nserver: { rates: { logins: 1 } }\n`

test('there is a second user to try it with', () => {
  if (canBecomeOthers()) return
  if (process.env.CI !== undefined) throw new Error('these tests need root to become another user; run them as root in CI')
  process.stderr.write('test/adversarial/other-user: not root, so nothing here was tried; run it as root, such as in a container\n')
})

let server: TestServer
let place: string
beforeEach(async () => {
  place = mkdtempSync(join(tmpdir(), 'cs-other-'))
  chmodSync(place, 0o755)
  server = await startServer({ policy: POLICY, view: (call) => createNodeView({ cwd: call.cwd, gate: [] }) })
})
afterEach(async () => {
  await server.stop()
  rmSync(place, { recursive: true, force: true })
})

interface Answer {
  readonly status: number
  readonly text: string
}

const session = 's-1'
const lockIt = `for (let i = 0; i < 8; i += 1) await post(input.url, { tool: 'never', args: {}, session: 's-1' }, input.token)
  return post(input.url, { tool: 'get_x', args: {}, session: 's-1' }, input.token)`
const decisionOf = ({ text }: Answer) => (JSON.parse(text) as { decision?: string }).decision
const own = async () =>
  (await askSocket(server.daemon.socket, '/v1/decisions', { body: { tool: 'get_x', args: {}, session } })).body.decision

describe.runIf(canBecomeOthers())('another user of the machine', () => {
  proves('T65', 'gets no decision by the socket', async () => {
    const connect = `return new Promise((resolve) => net.connect(input.socket).on('connect', () => resolve('in')).on('error', ({ code }) => resolve(code)))`
    chmodSync(server.home, 0o755)
    expect(await asOther(connect, { socket: server.daemon.socket })).toBe('EACCES')
  })

  proves('T65', 'gets no decision over loopback without a token, and so no effects of a script that only its owner can read', async () => {
    const script = join(place, 'deploy.sh')
    writeFileSync(script, 'curl https://internal.example/secret-path\n', { mode: 0o600 })
    const body = { tool: 'Bash', args: { command: `bash ${script}` }, session, cwd: place }
    const answers = await asOther<Answer[]>(
      `return Promise.all(['/v1/decisions', '/v1/results', '/v1/hooks/claude-code'].map((path) => post(input.url + path, input.body)))`,
      { url: server.url, body },
    )
    for (const { status, text } of answers) expect([status, text.includes('internal.example')]).toEqual([401, false])
  })

  proves('T22', 'reads no token and no key', async () => {
    server.token({ name: 'bot', role: 'agent' })
    const files = ['operator-token', 'tokens.json', 'keys', 'countersign.db', 'run/gate.sock'].map((name) => join(server.home, name))
    const read = `return input.files.map((file) => { try { return fs.readFileSync(file).length } catch ({ code }) { return code } })`
    chmodSync(server.home, 0o755)
    for (const seen of await asOther<unknown[]>(read, { files })) expect(typeof seen).toBe('string')
  })

  proves(['T64', 'T65'], 'with a token of its own stops a session of the same name, and that is its own', async () => {
    const token = server.token({ name: 'theirs', role: 'agent' })
    expect(decisionOf(await asOther(lockIt, { url: `${server.url}/v1/decisions`, token }))).toBe('halt')
    expect(await own()).toBe('allow')
  })

  proves('T65', 'with a token of its own cannot write the name that the log knows a session by', async () => {
    const [victim, theirs] = [server.token({ name: 'victim', role: 'agent' }), server.token({ name: 'theirs', role: 'agent' })]
    const sent = { tool: 'get_x', args: {}, session }
    await ask(`${server.url}/v1/decisions`, { token: victim, body: sent })
    const { body } = await ask<{ sessions: { session: string }[] }>(`${server.url}/v1/sessions`, { token: server.operator })
    const name = body.sessions.find((row) => row.session.startsWith('s-1@'))?.session ?? ''
    const stop = lockIt.replaceAll(`'s-1'`, 'input.name')
    expect(decisionOf(await asOther(stop, { url: `${server.url}/v1/decisions`, token: theirs, name }))).toBe('halt')
    expect((await ask(`${server.url}/v1/decisions`, { token: victim, body: sent })).body.decision).toBe('allow')
  })

  proves('T65', 'cannot lock the link of an approver out', async () => {
    const code = server.app.loginCode({ kind: 'person', name: 'human:alice', role: 'approver', tenant: null })
    const tries = `const seen = []
      for (let i = 0; i < 30; i += 1) seen.push((await post(input.url, { code: 'x' + i })).status)
      return seen`
    expect((await asOther<number[]>(tries, { url: `${server.url}/v1/login` })).at(-1)).toBe(429)
    expect((await ask(`${server.url}/v1/login`, { body: { code } })).status).toBe(200)
  })

  proves('T65', 'is heard where loopback is open, told little, and stops nobody else', async () => {
    const open = await startServer({ policy: POLICY, openLoopback: true })
    const answer = await asOther<Answer>(lockIt, { url: `${open.url}/v1/decisions` })
    expect([decisionOf(answer), /"(?:effects|findings|reason)"/.test(answer.text)]).toEqual(['halt', false])
    const { body } = await askSocket(open.daemon.socket, '/v1/decisions', { body: { tool: 'get_x', args: {}, session } })
    expect(body.decision).toBe('allow')
    await open.stop()
  })
})

describe('a place for the socket that somebody else prepared is not used', () => {
  const app = { fetch: () => new Response(), close: () => {} }
  const start = () => startDaemon(app, { home: join(place, 'home'), listen: null })

  for (const [title, prepare] of [
    ['a link', (run: string) => symlinkSync(place, run)],
    ['a link to a directory of its own', (run: string) => symlinkSync(join(place, 'home'), run)],
  ] as const) {
    proves('T65', title, async () => {
      mkdirSync(join(place, 'home'))
      prepare(join(place, 'home/run'))
      await expect(start()).rejects.toThrow('is not a directory of your own')
    })
  }

  test.runIf(canBecomeOthers())('a directory of another user', async () => {
    mkdirSync(join(place, 'home/run'), { recursive: true })
    chownSync(join(place, 'home/run'), OTHER, OTHER)
    await expect(start()).rejects.toThrow('is not a directory of your own')
  })

  test.runIf(canBecomeOthers())('a state directory of another user', async () => {
    mkdirSync(join(place, 'home'), { recursive: true })
    chownSync(join(place, 'home'), OTHER, OTHER)
    await expect(start()).rejects.toThrow('is not a directory of your own')
  })
})
