/** A real `countersign serve` in a home of its own, and what agents and people send to it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { JsonObject } from '../../src/core/json.ts'
import { addToken, listTokens, revokeToken } from '../../src/server/auth/tokens.ts'
import { CLI, makeHome, runHook } from '../hosts/harness.ts'
import { askSocket } from '../support/server.ts'

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly body: JsonObject & { readonly approval?: { readonly id: string; readonly token?: string } }
}

export interface ConsoleGate {
  readonly url: string
  /** The link that `serve` printed: logs the operator in once. */
  readonly loginUrl: string
  /** A call as an agent sends it; `approval` as the header. */
  readonly propose: (call: JsonObject, approval?: string) => Promise<Answered>
  /** An event of an agent, as its hook hears it. */
  readonly hear: (agent: string, event: JsonObject) => Promise<void>
  /** Writes settings below the home of whoever uses that agent. */
  readonly settings: (path: string, value: JsonObject) => void
  /** What the call returned, as the agent's host tells it. */
  readonly returned: (call: JsonObject, result: JsonObject) => Promise<Answered>
  /** A token of a person; the operator's without a name. */
  readonly token: (name?: string, role?: 'viewer' | 'approver' | 'admin') => string
  /** Ends every token of a person, as `countersign tokens revoke` does. */
  readonly revoke: (name: string) => void
  /** Any request, as the person of the token. */
  readonly as: (token: string, method: string, path: string, body?: JsonObject) => Promise<Answered>
  readonly setPolicy: (text: string) => void
  /** Ends it as the system would, and gives the port free. */
  readonly stop: () => Promise<void>
  /** Starts it again in the same home at the same port. */
  readonly restart: () => Promise<void>
  readonly remove: () => void
}

/** Starts on a free port of loopback. */
export async function startConsoleGate(policy: string): Promise<ConsoleGate> {
  const home = makeHome()
  const file = join(home.user, 'countersign.yaml')
  writeFileSync(file, policy)
  const launch = (port: number) => launched(['serve', '--listen', `127.0.0.1:${port}`, '--policy', file], home.environment)
  let running = await launch(0)
  const { url, loginUrl } = running
  const send = async (method: string, path: string, { headers = {}, body }: { headers?: Record<string, string>; body?: JsonObject }) => {
    const init = body === undefined ? {} : { body: JSON.stringify(body) }
    const response = await fetch(url + path, { method, headers: { 'content-type': 'application/json', ...headers }, ...init })
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answered['body'] }
  }
  return {
    url,
    loginUrl,
    propose: (call, approval) =>
      askSocket<Answered['body']>(join(home.state, 'run/gate.sock'), '/v1/decisions', {
        body: call,
        ...(approval === undefined ? {} : { headers: { 'countersign-approval': approval } }),
      }),
    hear: async (agent, event) => {
      await runHook(`"${process.execPath}" "${CLI}" hook ${agent}`, JSON.stringify(event), home.environment)
    },
    settings: (path, value) => {
      mkdirSync(join(home.user, dirname(path)), { recursive: true })
      writeFileSync(join(home.user, path), JSON.stringify(value))
    },
    returned: (call, result) =>
      askSocket<Answered['body']>(join(home.state, 'run/gate.sock'), '/v1/results', { body: { ...call, result } }),
    token: (name, role = 'approver') =>
      name === undefined
        ? readFileSync(join(home.state, 'operator-token'), 'utf8').trim()
        : addToken(home.state, { name, role, tenant: null, as: { role: null, user: null }, expiresAt: null }, Date.now()).secret,
    revoke: (name) => {
      for (const entry of listTokens(home.state)) if (entry.name === name) revokeToken(home.state, entry.id)
    },
    as: (token, method, path, body) =>
      send(method, path, { headers: { authorization: `Bearer ${token}` }, ...(body === undefined ? {} : { body }) }),
    setPolicy: (text) => {
      // In one step, as an editor does: a file that is empty for a moment is a policy of its own.
      writeFileSync(`${file}.new`, text)
      renameSync(`${file}.new`, file)
    },
    stop: () => ended(running.process),
    restart: async () => {
      running = await launch(Number(new URL(url).port))
    },
    remove: home.remove,
  }
}

interface Launched {
  readonly process: ChildProcess
  readonly url: string
  readonly loginUrl: string
}

/** Resolves once the login link is printed. */
function launched(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<Launched> {
  const child = spawn(process.execPath, [CLI, ...args], { env: environment, stdio: ['ignore', 'ignore', 'pipe'] })
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const link = /(http:\/\/[^\s/]+)\/#login=\S+/.exec(said)
      if (link !== null) resolve({ process: child, url: link[1] ?? '', loginUrl: link[0] })
    })
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${said}`)))
  })
}

function ended(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}
