/** Channels as an operator meets them, with real processes: `serve` carries what waits, over kills; `channels` shows and repairs. */
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { signWebhook, webhookSecret } from '../../src/approvals/channels/standard-webhooks.ts'
import { CLI, cli, type Home, makeHome, stop } from '../hosts/harness.ts'
import { proves } from '../proves.ts'
import { type Receiver, type Respond, receiver } from '../support/receiver.ts'
import { askSocket } from '../support/server.ts'

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`
const KEY = webhookSecret(SECRET) ?? new Uint8Array()

let home: Home
beforeEach(() => {
  home = makeHome()
})
afterEach(() => home.remove())

/** A policy whose one channel is this receiver. */
function policyOf(server: Receiver, attempts = 8): string {
  const [path, secret] = [join(home.user, 'policy.yaml'), join(home.user, 'ops.key')]
  writeFileSync(secret, `${SECRET}\n`, { mode: 0o600 })
  writeFileSync(
    path,
    `version: 1
unregistered: ask
approvals:
  channels:
    - name: ops
      type: webhook
      url: ${server.url}/hook
      secrets: ["file:${secret}"]
      allow_private: true
      timeout: 1s
      attempts: ${attempts}
      approvers: { alice@ops: alice }
`,
  )
  return path
}

interface Serving {
  readonly url: string
  readonly process: ChildProcess
}

async function serve(policy: string): Promise<Serving> {
  const child = spawn(process.execPath, [CLI, 'serve', '--listen', '127.0.0.1:0', '--policy', policy], {
    env: home.environment,
    cwd: home.user,
  })
  onTestFinished(() => stop(child, 'SIGKILL'))
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const address = (): string | undefined => /at (http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1]
  await until(() => address() !== undefined || child.exitCode !== null)
  const url = address()
  if (url !== undefined) return { url, process: child }
  throw new Error(said)
}

async function asked(amount = 5): Promise<number> {
  const body = { tool: 'wire_money', args: { amount }, session: 's1', principal: { user: 'me' } }
  return (await askSocket(join(home.state, 'run/gate.sock'), '/v1/decisions', { body })).status
}

async function until(what: () => boolean): Promise<void> {
  while (!what()) await new Promise((resolve) => setTimeout(resolve, 20))
}

const dataOf = (server: Receiver, at = 0) =>
  (JSON.parse(server.seen[at]?.body ?? '{}') as { data: { approval: string; digest: string } }).data

async function reply({ url }: Serving, server: Receiver, approved = true) {
  const { approval, digest } = dataOf(server)
  const body = JSON.stringify({ type: 'approval.answered', data: { approval, digest, approved, by: 'alice@ops' } })
  const headers = { ...signWebhook({ id: 'msg_cli', at: Date.now(), body }, [KEY]), 'content-type': 'application/json' }
  return (await fetch(`${url}/v1/channels/ops/reply`, { method: 'POST', body, headers })).status
}

const status = (
  json = true,
): { readonly code: number | null; readonly rows: readonly Record<string, unknown>[]; readonly text: string } => {
  const run = cli(home, ['channels', 'status', ...(json ? ['--json'] : [])])
  const rows = json ? run.stdout.split('\n').filter((line) => line !== '') : []
  return { code: run.status, rows: rows.map((line) => JSON.parse(line) as Record<string, unknown>), text: run.stdout }
}

describe('serve', () => {
  proves(
    'T27',
    'tells the channel, takes its answer, and the call runs once',
    async () => {
      const server = await receiver()
      const serving = await serve(policyOf(server))
      expect(await asked()).toBe(202)
      await until(() => server.seen.length > 0)
      expect(await reply(serving, server)).toBe(200)
      expect([await asked(), await asked()]).toEqual([200, 202])
    },
    180_000,
  )

  proves(
    'T26',
    'that is killed loses no message: the next one sends it, with the same id, and the call still waits',
    async () => {
      let up = false
      const respond: Respond = (_sent, response) => void (up ? response.writeHead(200).end() : response.destroy())
      const server = await receiver(respond)
      const policy = policyOf(server)
      const first = await serve(policy)
      expect(await asked()).toBe(202)
      await until(() => server.seen.length > 0)
      await stop(first.process, 'SIGKILL')
      const second = await serve(policy)
      await until(() => server.seen.length > 1)
      await stop(second.process, 'SIGKILL')
      up = true
      const third = await serve(policy)
      await until(() => status().rows[0]?.state === 'told')
      expect(new Set(server.seen.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      expect(await reply(third, server)).toBe(200)
      expect([await asked(), await asked()]).toEqual([200, 202])
    },
    180_000,
  )
})

describe('channels', () => {
  test('without any message says so', () => {
    expect(status(false)).toMatchObject({ code: 0, text: 'no channel was ever to be told anything\n' })
    expect(cli(home, ['channels', 'deliver'])).toMatchObject({ status: 0, stdout: 'nothing is due\n' })
    expect(cli(home, ['channels', 'retry', 'msg_x'])).toMatchObject({ status: 2 })
  })

  test('deliver sends what waits, status tells, retry begins again with what was given up', async () => {
    let up = false
    const server = await receiver((_sent, response) => void response.writeHead(up ? 200 : 500).end())
    const policy = policyOf(server, 1)
    const serving = await serve(policy)
    expect(await asked()).toBe(202)
    await until(() => server.seen.length > 0)
    await stop(serving.process)
    const [row] = status().rows
    expect([status().code, row]).toMatchObject([1, { channel: 'ops', state: 'dead', attempts: 1, error: 'it answered 500', shown: true }])
    expect(status(false).text).toContain('ops  requested  dead  1 attempt  it answered 500')
    up = true
    expect(await run(['channels', 'deliver', '--policy', policy])).toBe('nothing is due\n')
    expect(await run(['channels', 'retry', String(row?.id), '--policy', policy])).toBe(`${row?.id} waits to be sent\n`)
    expect(await run(['channels', 'deliver', '--policy', policy])).toContain('1 message tried')
    expect([status().code, status().rows[0]?.state, server.seen.length]).toEqual([0, 'told', 2])
    expect(cli(home, ['channels', 'retry', String(row?.id)])).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('was not given up'),
    })
  })
})

/** As `cli`, but this process goes on: the receiver lives in it. */
function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [CLI, ...args], { env: home.environment, cwd: home.user })
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
    child.on('close', () => resolve(out))
  })
}
