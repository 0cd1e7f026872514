import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bytesDigest, digester, openGate, stateDirectory, VOCABULARY } from '../../open.ts'
import type { Upstream } from '../../policy/proxies/model.ts'
import { parseUpstream } from '../../policy/proxies/model-section.ts'
import { parseListening } from '../../policy/sections/server.ts'
import type { TokenHolder } from '../../proxies/model/callers.ts'
import { createModelProxy } from '../../proxies/model/proxy.ts'
import type { Caller } from '../../server/auth/caller.ts'
import { LOOPBACK, siteFault } from '../../server/auth/site.ts'
import { createTokenBook } from '../../server/auth/tokens.ts'
import { type Address, addressText, isLoopback, reachable } from '../../server/daemon.ts'
import { EXIT, UsageError, warn } from '../terminal.ts'
import { watchInForce } from '../watch.ts'

export interface ProxyOptions {
  readonly upstream?: string
  readonly listen?: string
  readonly policy?: string
}

/** `countersign proxy`: runs until it is told to stop. */
export async function proxy(options: ProxyOptions): Promise<number> {
  const home = stateDirectory()
  const watched = watchInForce(options.policy ?? null, (line) => warn(`countersign: ${line}`))
  const section = watched.current(null).policy?.modelProxy
  const upstream = options.upstream === undefined ? undefined : upstreamOf(options.upstream)
  if (upstream === undefined && (section === undefined || section.upstreams.length === 0))
    throw new UsageError('no model API is named; add `--upstream https://api.anthropic.com`, or `model_proxy.upstreams` to the policy')
  const listen = options.listen === undefined ? (section?.listen ?? USUAL) : listeningOf(options.listen)
  const opened = openGate({ home, policy: watched.current })
  const tokens = createTokenBook(home)
  const { server } = createModelProxy({
    gate: opened.gate,
    queue: opened.queue,
    store: opened.store,
    digester,
    digest: bytesDigest,
    policy: () => watched.current(null),
    tokenHolder: (secret) => holderOf(tokens.callerOf(secret, Date.now())),
    ownTools: new Set((VOCABULARY.toolNames?.(null) ?? []).flatMap(({ names }) => names)),
    ...(upstream === undefined ? {} : { upstream }),
    env: (name) => process.env[name],
    siteFault: siteOf(listen, () => watched.current(null).policy?.server.hosts ?? []),
    exposed: !isLoopback(listen.host),
    note: (line) => warn(`countersign: ${line}`),
  })
  const address = await listening(server, listen)
  announce(address, upstream === undefined ? (section?.upstreams ?? []) : [upstream])
  await stopped()
  server.close()
  server.closeAllConnections()
  watched.stop()
  opened.close()
  return EXIT.ok
}

const USUAL: Address = { host: '127.0.0.1', port: 7434 }

function upstreamOf(text: string): Upstream {
  const url = parseUpstream(text)
  if (url !== null) return { prefix: '', url, key: null }
  throw new UsageError(`\`${text}\` is no address of a model API; write it as https://api.anthropic.com (http only on this machine)`)
}

function listeningOf(text: string): Address {
  const address = parseListening(text, USUAL)
  if (address !== null) return address
  throw new UsageError(`\`${text}\` is no address; write it as 127.0.0.1:7434, or :0 for any free port`)
}

/** Whom a token stands for; null for nobody. A person asks for calls in person. */
function holderOf(caller: Caller): TokenHolder | null {
  switch (caller.kind) {
    case 'nobody':
      return null
    case 'agent':
      return { principal: caller.claims, owner: caller.token, vouches: caller.vouches }
    case 'person':
      return { principal: { agent: null, role: null, user: caller.name, tenant: caller.tenant }, owner: caller.name, vouches: true }
  }
}

/** Pages of browsers may send nothing here. */
function siteOf(listen: Address, hosts: () => readonly string[]): (request: IncomingMessage) => string | null {
  return ({ method = 'GET', rawHeaders, socket }) => {
    const headers = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : []))
    const names = new Set([...LOOPBACK, listen.host, ...hosts()])
    return siteFault({ method, headers, port: socket.localPort ?? null }, { hosts: names, origins: new Set() })?.message ?? null
  }
}

function listening(server: ReturnType<typeof createModelProxy>['server'], { host, port }: Address): Promise<Address> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const where = addressText({ host, port })
      reject(
        new UsageError(
          error.code === 'EADDRINUSE'
            ? `another program listens on \`${where}\` already; choose another address with \`--listen 127.0.0.1:0\``
            : `\`${where}\` cannot be listened on (${error.code}); choose another address with \`--listen\``,
        ),
      )
    })
    server.listen({ host, port, exclusive: true }, () => resolve({ host, port: (server.address() as AddressInfo).port }))
  })
}

function announce(address: Address, upstreams: readonly Upstream[]): void {
  const base = `http://${addressText(reachable(address))}`
  warn(`countersign: the model API proxy answers at ${base}`)
  for (const { prefix, url } of upstreams) warn(`countersign: ${base}${prefix} → ${url}`)
}

function stopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}
