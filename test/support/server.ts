/** A real server on loopback for tests: its own state directory, a policy of text, real tokens, any free port. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { type Channels, type ChannelsParts, createChannels } from '../../src/approvals/channels/index.ts'
import { redactJson } from '../../src/audit/redact.ts'
import { appParts } from '../../src/cli/commands/serve.ts'
import { type OpenedGate, openGate } from '../../src/open.ts'
import type { Policy } from '../../src/policy/policy.ts'
import { policy as compiled } from '../../src/policy/testing/compiled.ts'
import { type App, createApp } from '../../src/server/app.ts'
import { addToken, ensureOperatorToken, type NewToken } from '../../src/server/auth/tokens.ts'
import { type Address, addressText, type Daemon, startDaemon } from '../../src/server/daemon.ts'
import { loadKeys } from '../../src/store/sqlite/keys.ts'
import { createFixedView } from '../../src/view/fixed.ts'

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
  readonly policy?: string
  /** Where to listen; default loopback. */
  readonly host?: string
  /** Secrets of channels, by variable; absent: there are no channels. */
  readonly env?: Readonly<Record<string, string>>
  /** As of the daemon. */
  readonly patience?: number
}

/** Asks for whatever has no rule. */
export const ASKING = `unregistered: ask
tools: { get_x: { risk_tier: low }, get_weather: { risk_tier: low }, get_it: { risk_tier: low } }
rules: { deny: [{ tool: never, reason: never }] }
`

export async function startServer(options: TestServerOptions = {}): Promise<TestServer> {
  const home = mkdtempSync(join(tmpdir(), 'cs-server-'))
  let policy: Policy = compiled(options.policy ?? ASKING)
  let skew = 0
  const state = () => ({ policy, degraded: null })
  const opened = openGate({ home, policy: state, view: () => createFixedView({ home: '/home/u', cwd: '/home/u' }) })
  let bound: Address | null = null
  const now = () => Date.now() + skew
  const channels = channelsOf(options.env, { store: opened.store, home, policy: () => policy, now })
  const parts = appParts(opened, { home, policy: state })
  const app = createApp({ ...parts, now, channels, base: () => (bound === null ? null : `http://${addressText(bound)}`) })
  const operator = ensureOperatorToken(home)
  const daemon = await startDaemon(app, {
    home,
    listen: { host: options.host ?? '127.0.0.1', port: 0 },
    ...(options.patience === undefined ? {} : { patience: options.patience }),
    listening: (address) => {
      bound = address
    },
  })
  return {
    url: `http://127.0.0.1:${daemon.address?.port ?? 0}`,
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

/** One request; POST where there is a body. The answer's JSON, or its text as `{ text }`. */
export async function ask<T = Record<string, unknown>>(url: string, { token, headers = {}, body, method }: Ask = {}): Promise<Got<T>> {
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
