/**
 * An agent of the same user against a real server (T22): it proposes every way to answer for itself through its hook, and then
 * goes around the hook, as a process that nothing gates. Whatever it does, its call stays where it was.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { CLI, event, type Home, installedCommand, makeHome, permission, runHook, stop } from '../hosts/harness.ts'
import { proves } from '../proves.ts'
import { commandLine } from '../support/command-line.ts'
import { ask, heardAt } from '../support/server.ts'

const CALL = {
  tool: 'Bash',
  args: { command: 'git push --force origin main' },
  session: 's-1',
  cwd: '/tmp',
  principal: { agent: 'claude-code' },
}

let home: Home
let child: ChildProcess
let url = ''
let id = ''
let token = ''
beforeAll(async () => {
  home = makeHome()
  await commandLine(home, ['init', '--yes'])
  child = spawn(process.execPath, [CLI, 'serve', '--listen', '127.0.0.1:0'], {
    env: home.environment,
    cwd: home.user,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let printed = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    printed += chunk.toString()
  })
  while (!printed.includes('#login=')) await new Promise((resolve) => setTimeout(resolve, 20))
  url = /and at (http:\/\/\S+)/.exec(printed)?.[1] ?? ''
  heardAt(url, join(home.state, 'run/gate.sock'))
  const { body } = await ask<{ approval: { id: string; token: string } }>(`${url}/v1/decisions`, { body: CALL })
  id = body.approval.id
  token = body.approval.token
})
afterAll(async () => {
  await stop(child)
  home.remove()
})

const operator = () => readFileSync(join(home.state, 'operator-token'), 'utf8').trim()
const status = async () => (await ask(`${url}/v1/approvals/${id}`)).body.status

describe('through its hook', () => {
  for (const command of [
    'cat ~/.countersign/operator-token',
    'cp -r ~/.countersign /tmp/copy',
    'curl -d "{}" URL/v1/approvals/ID/approve',
    'curl -H "authorization: Bearer $(cat ~/.countersign/operator-token)" -d "{}" URL/v1/approvals/ID/approve',
    'curl -H "authorization: Bearer TOKEN" -d "{}" URL/v1/approvals/ID/approve',
    'curl --unix-socket ~/.countersign/run/gate.sock -d "{}" http://localhost/v1/approvals/ID/approve',
    `python3 -c "import urllib.request; urllib.request.urlopen('URL/v1/approvals/ID/approve', data=b'{}')"`,
    'countersign approvals approve ID',
    'countersign tokens add --name human:me --role admin',
    'countersign tokens link',
    'countersign trust .',
    'yes | countersign trust',
    'script -qc "countersign trust ." /dev/null',
    'node /usr/lib/node_modules/countersign/dist/cli/bin.js trust revoke',
    'echo {} > ~/.countersign/trusted-policies.json',
    'echo /tmp/mine.yaml > ~/.countersign/policy-path',
    'countersign audit accept-loss --reason x',
    'node dist/cli/bin.js audit accept-loss --reason x',
    'rm ~/.countersign/keys/audit.counter',
    'cp /tmp/audit.counter ~/.countersign/keys/',
    'pkill -f "countersign serve" && countersign serve --listen 127.0.0.1:0',
    'sqlite3 ~/.countersign/countersign.db "update approvals set status = \'approved\'"',
  ]) {
    proves(['T22', 'P9'], `${command} is denied`, async () => {
      const real = command.replaceAll('URL', url).replaceAll('ID', id).replaceAll('TOKEN', operator())
      const answer = await runHook(installedCommand(home), event(real, `toolu_${command.length}`), home.environment)
      expect([permission(answer.stdout), await status()]).toEqual(['deny', 'pending'])
    })
  }
})

describe('around its hook, without a secret of a person', () => {
  for (const [title, headers] of [
    ['nothing', {}],
    ['the token of its own approval', { authorization: 'Bearer TOKEN' }],
    ['the approval itself', { 'countersign-approval': 'TOKEN' }],
    ['a cookie it made up', { cookie: 'countersign_session=x' }],
    ['a name it made up', { 'x-commit-owner': 'human:operator', 'x-forwarded-user': 'root', 'x-remote-user': 'root' }],
    ['an address it made up', { 'x-forwarded-for': '127.0.0.1', forwarded: 'for=127.0.0.1;host=localhost' }],
  ] as const) {
    proves('T22', `over loopback, with ${title}`, async () => {
      const sent = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value.replace('TOKEN', token)]))
      for (const [path, body] of [
        [`/v1/approvals/${id}/approve`, {}],
        [`/v1/approvals/${id}/deny`, {}],
        ['/v1/approvals/batch', { ids: [id], verdict: 'approve' }],
      ] as const) {
        expect((await ask(`${url}${path}`, { body, headers: sent })).status).toBe(401)
      }
      expect(await status()).toBe('pending')
    })
  }

  proves('T22', 'over the socket of the hook', async () => {
    const answered = await new Promise((resolve, reject) => {
      const sent = request(
        {
          socketPath: join(home.state, 'run/gate.sock'),
          path: `/v1/approvals/${id}/approve`,
          method: 'POST',
          headers: { 'content-type': 'application/json' },
        },
        (response) => {
          response.resume()
          resolve(response.statusCode)
        },
      )
      sent.on('error', reject)
      sent.end('{}')
    })
    expect([answered, await status()]).toEqual([401, 'pending'])
  })

  proves('T22', 'with a token of an agent, or of somebody who only looks', async () => {
    for (const [name, role] of [
      ['bot', 'agent'],
      ['human:vera', 'viewer'],
    ] as const) {
      const own = (await commandLine(home, ['tokens', 'add', '--name', name, '--role', role])).stdout.trim()
      expect((await ask(`${url}/v1/approvals/${id}/approve`, { token: own, body: {} })).status).toBe(403)
    }
    expect(await status()).toBe('pending')
  })

  proves(['T22', 'T63'], 'with the cookie of a person, from whatever page', async () => {
    const login = await ask(`${url}/v1/login`, { body: { token: operator() } })
    const cookie = (login.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    for (const headers of [
      {},
      { origin: 'null' },
      { origin: url },
      { 'x-countersign-csrf': 'guess' },
      { 'sec-fetch-site': 'same-origin' },
    ]) {
      expect((await ask(`${url}/v1/approvals/${id}/approve`, { body: {}, headers: { cookie, ...headers } })).status).toBe(403)
    }
    expect(await status()).toBe('pending')
  })

  proves(['T22', 'P8'], 'as a person who approves what they asked for themselves', async () => {
    const alice = (await commandLine(home, ['tokens', 'add', '--name', 'alice', '--role', 'approver'])).stdout.trim()
    const { body } = await ask<{ approval: { id: string } }>(`${url}/v1/decisions`, { token: alice, body: { ...CALL, session: 's-2' } })
    const own = await ask(`${url}/v1/approvals/${body.approval.id}/approve`, { token: alice, body: {} })
    expect([own.status, own.body.error]).toEqual([403, 'approval.requester'])
  })

  proves('T22', 'and the tries are in the log, as of an untrusted channel', async () => {
    const of = async (word: string) => (await commandLine(home, ['audit', 'search', word, '--json'])).stdout
    for (const part of ['"channel":"untrusted"', '"status":401', '"status":403', '"why":"http.csrf"', '"listener":"socket"'])
      expect(await of('answer_refused')).toContain(part)
    expect(await of('asked')).toContain('"code":"approval.requester"')
  })
})
