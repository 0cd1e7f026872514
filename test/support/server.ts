/** A real server on loopback for tests: its own state directory, a policy of text, real tokens, any free port. */
import { readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { type Channels, type ChannelsParts, createChannels } from '../../src/approvals/channels/index.ts'
import { redactJson } from '../../src/audit/redact.ts'
import { appParts } from '../../src/cli/app-parts.ts'
import { type OpenedGate, type OpenOptions, openGate } from '../../src/open.ts'
import type { LookElsewhere } from '../../src/open-results.ts'
import type { Policy } from '../../src/policy/policy.ts'
import { policy as compiled } from '../../src/policy/testing/compiled.ts'
import type { Threads } from '../../src/server/apart/forward.ts'
import { type App, createApp } from '../../src/server/app.ts'
import { addToken, ensureOperatorToken, type NewToken } from '../../src/server/auth/tokens.ts'
import { type Address, addressText, type Daemon, startDaemon } from '../../src/server/daemon.ts'
import { loadKeys } from '../../src/store/sqlite/keys.ts'
import { createFixedView } from '../../src/view/fixed.ts'
import { newStateDirectory } from './state-base.ts'

export interface TestServer {
  readonly url: string
  readonly home: string
  readonly app: App
  readonly daemon: Daemon
  readonly opened: OpenedGate
  readonly channels: Channels | null
  /** Token of the local operator. */
  readonly operator: string
  /** Makes a token and gives its secret. */
  readonly token: (token: Partial<NewToken> & Pick<NewToken, 'name' | 'role'>) => string
  /** The policy from now on. */
  readonly use: (text: string) => void
  /** Moves the clock of tokens, sessions and approvals. */
  readonly pass: (milliseconds: number) => void
  readonly stop: () => Promise<void>
}

export interface TestServerOptions {
  /** A text is compiled with the few names of tests. */
  readonly policy?: string | Policy
  /** Where to listen; default loopback. */
  readonly host?: string
  /** Secrets of channels, by variable; absent: there are no channels. */
  readonly env?: Readonly<Record<string, string>>
  /** Agents on loopback need no token. */
  readonly openLoopback?: boolean
  /** Default: a described machine without files. */
  readonly view?: OpenOptions['view']
  /** As of the daemon. */
  readonly patience?: number
  /** Threads over the state directory; default none. */
  readonly threads?: (home: string) => Threads
  /** Where large results are looked through; default where they came. */
  readonly look?: LookElsewhere
}

/** Asks for whatever has no rule. */
export const ASKING = `unregistered: ask
tools: { get_x: { risk_tier: low }, get_weather: { risk_tier: low }, get_it: { risk_tier: low } }
rules: { deny: [{ tool: never, reason: never }] }
`

export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const home = newStateDirectory()
  const { policy: given = ASKING } = options
  let policy: Policy = typeof given === 'string' ? compiled(given) : given
  let skew = 0
  const state = () => ({ policy, degraded: null })
  const opened = openGate({ home, policy: state, view: options.view ?? (() => createFixedView({ home: '/home/u', cwd: '/home/u' })) })
  let bound: Address | null = null
  const now = () => Date.now() + skew
  const channels = channelsOf(options.env, { store: opened.store, home, policy: () => policy, now })
  const threads = options.threads?.(home)
  const parts = appParts(opened, { home, policy: state, look: options.look ?? null, ...(threads === undefined ? {} : { threads }) })
  const app = createApp({
    ...parts,
    now,
    channels,
    openLoopback: options.openLoopback === true,
    base: () => (bound === null ? null : `http://${addressText(bound)}`),
  })
  const operator = ensureOperatorToken(home)
  const daemon = await startDaemon(app, {
    home,
    listen: { host: options.host ?? '127.0.0.1', port: 0 },
    ...(options.patience === undefined ? {} : { patience: options.patience }),
    listening: (address) => {
      bound = address
    },
  })
  const url = `http://127.0.0.1:${daemon.address?.port ?? 0}`
  heardAt(url, daemon.socket)
  return {
    url,
    home,
    app,
    daemon,
    opened,
    channels,
    operator,
    token: (token) => addToken(home, { tenant: null, as: { role: null, user: null }, expiresAt: null, ...token }, Date.now()).secret,
    use: (text) => {
      policy = compiled(text)
    },
    pass: (milliseconds) => {
      skew += milliseconds
    },
    stop: async () => {
      await daemon.stop()
      await channels?.stop()
      threads?.looks?.close()
      threads?.calls?.close()
      opened.close()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

type ChannelsOf = Pick<ChannelsParts, 'store' | 'policy' | 'now'> & { readonly home: string }

function channelsOf(env: TestServerOptions['env'], { home, ...parts }: ChannelsOf): Channels | null {
  if (env === undefined) return null
  const redact: ChannelsParts['redact'] = (value) => redactJson(value).value
  const machine = { random: () => 0, resolve: async () => ['127.0.0.1'], env: (name: string) => env[name] }
  return createChannels({ ...parts, ...machine, redact, keys: () => loadKeys(home) })
}

/** As approvals name whoever runs the tests. */
export const OPERATOR = `human:${userInfo().username}`

export interface Got<T = Record<string, unknown>> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

export interface Ask {
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON; text is sent as it is. */
  readonly body?: unknown
  readonly method?: string
}

/** Sockets of the servers that run, by the address that stands for them. */
const SOCKETS = new Map<string, string>()

/** What agents ask of the server at this address without a token goes by this socket. */
export function heardAt(url: string, socket: string): void {
  SOCKETS.set(url, socket)
}

/** What agents ask for. Without a token, they are heard on the private socket alone. */
const FOR_AGENTS = /^\/(?:v1\/(?:decisions|results)|v1\/approvals\/[^/]+|metrics)(?:\?|$)/

/**
 * One request; POST where there is a body. The answer's JSON, or its text as `{ text }`. What an agent asks for without a token, and
 * without anything else that says who it is or where it comes from, goes by the socket.
 */
export async function ask<T = Record<string, unknown>>(url: string, how: Ask = {}): Promise<Got<T>> {
  const { origin, pathname, search } = new URL(url)
  const socket = SOCKETS.get(origin)
  const plain = how.token === undefined && Object.keys(how.headers ?? {}).every((name) => name.toLowerCase().startsWith('countersign-'))
  const reading = how.method === undefined && (how.body === undefined) === pathname.startsWith('/v1/approvals/')
  if (socket !== undefined && plain && (reading || pathname === '/metrics') && FOR_AGENTS.test(pathname)) {
    return askSocket<T>(socket, `${pathname}${search}`, how)
  }
  return askAddress<T>(url, how)
}

const ignore = (): void => {}

/** One request by the private socket, as the installed hook sends it. */
export function askSocket<T = Record<string, unknown>>(
  socketPath: string,
  path: string,
  { headers = {}, body }: Ask = {},
): Promise<Got<T>> {
  return new Promise((resolve, reject) => {
    const type = { 'content-type': 'application/json' }
    const method = body === undefined ? 'GET' : 'POST'
    const sent = request(
      { socketPath, path, method, headers: { host: 'localhost', ...(body === undefined ? {} : type), ...headers } },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const text = Buffer.concat(chunks)
            .toString()
            .replace(/\n\.\n$/, '\n')
          const pairs = Object.entries(response.headers).flatMap(([name, value]) =>
            [value ?? []].flat().map((each): [string, string] => [name, each]),
          )
          const json = response.headers['content-type']?.startsWith('application/json') === true
          resolve({ status: response.statusCode ?? 0, headers: new Headers(pairs), body: (json ? JSON.parse(text) : { text }) as T })
        })
      },
    )
    sent.on('error', reject)
    // Once it has the answer, Node listens no more for what becomes of a body that the server does not want to read to its end.
    sent.on('socket', (socket) => {
      if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore)
    })
    sent.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
  })
}

async function askAddress<T>(url: string, { token, headers = {}, body, method }: Ask): Promise<Got<T>> {
  const response = await fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    redirect: 'manual',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const json = response.headers.get('content-type')?.startsWith('application/json') === true
  return { status: response.status, headers: response.headers, body: (json ? JSON.parse(text) : { text }) as T }
}

/** The text of a file of the state directory. */
export function fileOf(server: Pick<TestServer, 'home'>, name: string): string {
  return readFileSync(join(server.home, name), 'utf8')
}

/** The status of a request written by hand: headers as given, twice where given twice. */
export async function rawStatus(server: Pick<TestServer, 'daemon'>, request: string): Promise<number> {
  const { connect } = await import('node:net')
  return new Promise((resolve, reject) => {
    const socket = connect(server.daemon.address?.port ?? 0, '127.0.0.1', () => socket.write(request))
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk
      if (!text.includes('\r\n')) return
      socket.destroy()
      resolve(Number(text.split(' ')[1]))
    })
    socket.on('error', reject)
    socket.on('end', () => resolve(0))
  })
}

/** A call that the policy `ASKING` has a person asked about. */
export function asking(more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { tool: 'send_it', args: { to: 'somebody' }, session: 's', principal: { agent: 'a' }, ...more }
}

export interface Waiting {
  readonly id: string
  readonly token: string
}

/** Asks, and gives the approval that waits. */
export async function opened(
  server: Pick<TestServer, 'url'>,
  more: Readonly<Record<string, unknown>> = {},
  token?: string,
): Promise<Waiting> {
  const { status, body } = await ask<{ approval: Waiting }>(`${server.url}/v1/decisions`, {
    body: asking(more),
    ...(token === undefined ? {} : { token }),
  })
  if (status !== 202) throw new Error(`no approval was opened: ${status} ${JSON.stringify(body)}`)
  return body.approval
}
