/** The daemon's listeners: a socket of mode 0600 in a directory of mode 0700 (T65), and an address that browsers reach. */
import { chmodSync, lstatSync, mkdirSync, rmSync, type Stats, statSync } from 'node:fs'
import type { Server as HttpServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { ALIVE_EVERY_MS, HUNG_FILE, SILENCE_SECONDS } from '../hosts/seal.ts'
import type { Listening } from '../policy/policy.ts'
import type { App } from './app.ts'
import type { Listener } from './parts.ts'

export type Address = Listening

export interface Daemon {
  readonly socket: string
  /** Where it listens for browsers and other machines; null: nowhere. */
  readonly address: Address | null
  /** Stops taking calls, lets those under way finish, and removes the socket. */
  readonly stop: () => Promise<void>
}

/** Milliseconds that requests under way have to finish once the daemon stops. */
const GRACE = 10_000
const IDLE_EVERY = 100

/** Where the socket of a state directory is. */
export function socketPath(home: string): string {
  return join(home, 'run', 'gate.sock')
}

/** A daemon that was stopped for a while tells hooks that they can count on it again. */
function watchOwnPulse(home: string): NodeJS.Timeout {
  const hung = join(home, HUNG_FILE)
  rmSync(hung, { force: true })
  let last = Date.now()
  return setInterval(() => {
    if (Date.now() - last > (SILENCE_SECONDS - 1) * 1000) rmSync(hung, { force: true })
    last = Date.now()
  }, ALIVE_EVERY_MS).unref()
}

export interface DaemonOptions {
  readonly home: string
  /** Null: the socket alone. Port 0: any that is free. */
  readonly listen: Address | null
  /** Told of the address before anything is answered there. */
  readonly listening?: (address: Address) => void
  /** Told of every request. */
  readonly heard?: () => void
  /** Milliseconds that the headers of a request may take, and a third of what all of it may; default 10000. */
  readonly patience?: number
}

/** Listens; throws where another daemon answers there already, or the port is taken. */
export async function startDaemon(
  app: Pick<App, 'fetch' | 'close'>,
  { home, listen, listening, heard = () => {}, patience = 10_000 }: DaemonOptions,
): Promise<Daemon> {
  const directory = join(home, 'run')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  assertOwn(home, statSync(home))
  assertOwn(directory, lstatSync(directory))
  chmodSync(directory, 0o700)
  const socket = socketPath(home)
  await removeStale(socket)
  const web = listen === null ? null : serverFor(app, { listener: isLoopback(listen.host) ? 'loopback' : 'network', patience })
  const address = listen === null || web === null ? null : await listenAt(web, listen)
  if (address !== null) listening?.(address)
  const local = serverFor(app, { listener: 'socket', patience })
  for (const server of [local, ...(web === null ? [] : [web])]) server.on('request', heard)
  // The mask holds from the first moment the socket exists: nobody else can connect before the chmod.
  const mask = process.umask(0o177)
  try {
    await started(local, () => local.listen(socket))
  } catch (error) {
    web?.close()
    throw error
  } finally {
    process.umask(mask)
  }
  chmodSync(socket, 0o600)
  const pulse = watchOwnPulse(home)
  return {
    socket,
    address,
    stop: async () => {
      clearInterval(pulse)
      rmSync(socket, { force: true })
      const closing = [local, ...(web === null ? [] : [web])].map(close)
      app.close()
      await Promise.all(closing)
    },
  }
}

/** Who sends a request drop by drop gives up before the gate does. */
function serverFor(app: Pick<App, 'fetch'>, { listener, patience }: { listener: Listener; patience: number }): HttpServer {
  const fetch = (request: Request, env: object) => app.fetch(request, { ...env, listener })
  const serverOptions = { headersTimeout: patience, requestTimeout: 3 * patience, connectionsCheckingInterval: Math.ceil(patience / 4) }
  return createAdaptorServer({ fetch, serverOptions }) as HttpServer
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/** How somebody on this machine reaches it. */
export function reachable({ host, port }: Address): Address {
  return { host: host === '0.0.0.0' || host === '::' ? 'localhost' : host, port }
}

export function addressText({ host, port }: Address): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`
}

async function listenAt(server: HttpServer, { host, port }: Address): Promise<Address> {
  try {
    await started(server, () => server.listen({ host, port, exclusive: true }))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    const where = addressText({ host, port })
    if (code === 'EADDRINUSE')
      throw new Error(
        `another program listens on \`${where}\` already; choose another address with \`--listen 127.0.0.1:0\`, or \`--no-listen\``,
      )
    if (code === 'EACCES' || code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new Error(`\`${where}\` cannot be listened on (${code}); choose another address with \`--listen\``)
    throw error
  }
  return { host, port: (server.address() as AddressInfo).port }
}

/**
 * Who connects is not asked: Node tells no peer's uid. That only the owner can is the file system's doing, which holds where the
 * directory is the owner's own. Not so for a link, as that leads wherever somebody likes.
 */
function assertOwn(place: string, found: Stats): void {
  if (found.isDirectory() && (process.getuid === undefined || found.uid === process.getuid())) return
  throw new Error(`\`${place}\` is not a directory of your own, so others could stand between the agents and the gate; move it away`)
}

async function removeStale(socket: string): Promise<void> {
  if (!exists(socket)) return
  if (await answers(socket)) throw new Error(`a gate already answers at \`${socket}\``)
  rmSync(socket, { force: true })
}

function exists(path: string): boolean {
  try {
    lstatSync(path)
    return true
  } catch {
    return false
  }
}

/** True where a daemon takes connections; a socket file alone may be what a killed one left. */
export function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket)
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })
}

/** Whether a daemon does not only take connections, which its system does for it, but answers. */
export function pulse(socket: string): Promise<'answers' | 'hangs' | 'gone'> {
  return new Promise((resolve) => {
    const probe = connect(socket)
    probe.setTimeout(SILENCE_SECONDS * 1000, () => end('hangs'))
    probe.once('connect', () => probe.write('GET /healthz HTTP/1.0\r\nhost: localhost\r\n\r\n'))
    probe.once('data', () => end('answers'))
    probe.once('error', () => end('gone'))
    probe.once('close', () => resolve('gone'))
    function end(state: 'answers' | 'hangs' | 'gone'): void {
      probe.destroy()
      resolve(state)
    }
  })
}

function started(server: HttpServer, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('listening', () => {
      server.removeListener('error', reject)
      resolve()
    })
    listen()
  })
}

/** No new connection is taken; what is under way has its grace, then the rest is cut off. */
function close(server: HttpServer): Promise<void> {
  return new Promise((resolve) => {
    const late = setTimeout(() => server.closeAllConnections(), GRACE)
    // A connection is idle once its last answer is out, which may be after this: hosts and browsers keep theirs open.
    const idle = setInterval(() => server.closeIdleConnections(), IDLE_EVERY)
    server.close(() => {
      clearTimeout(late)
      clearInterval(idle)
      resolve()
    })
    server.closeIdleConnections()
  })
}
