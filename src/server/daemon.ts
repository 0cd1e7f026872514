/** The daemon: one gate, one writer, a socket of mode 0600 in a directory of mode 0700 (T65). */
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { connect, type Server } from 'node:net'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'

export interface Daemon {
  readonly socket: string
  /** Stops taking calls, lets those under way finish, and removes the socket. */
  readonly stop: () => Promise<void>
}

/** Where the socket of a state directory is. */
export function socketPath(home: string): string {
  return join(home, 'run', 'gate.sock')
}

/** Listens; throws where another daemon answers there already. */
export async function startDaemon(app: Hono, home: string): Promise<Daemon> {
  const directory = join(home, 'run')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  chmodSync(directory, 0o700)
  const socket = socketPath(home)
  await removeStale(socket)
  const server = createAdaptorServer({ fetch: app.fetch }) as Server
  // The mask holds from the first moment the socket exists: nobody else can connect before the chmod.
  const mask = process.umask(0o177)
  try {
    await listen(server, socket)
  } finally {
    process.umask(mask)
  }
  chmodSync(socket, 0o600)
  return { socket, stop: () => close(server, socket) }
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

function listen(server: Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(socket, () => {
      server.removeListener('error', reject)
      resolve()
    })
  })
}

function close(server: Server, socket: string): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      rmSync(socket, { force: true })
      resolve()
    })
  })
}
