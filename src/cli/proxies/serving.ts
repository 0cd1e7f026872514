/** What proxies over HTTP share: who calls them, which pages may, and how they begin and end. */
import type { IncomingMessage, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseListening } from '../../policy/sections/server.ts'
import type { TokenHolder } from '../../proxies/model/callers.ts'
import type { Caller } from '../../server/auth/caller.ts'
import { LOOPBACK, siteFault } from '../../server/auth/site.ts'
import { type Address, addressText } from '../../server/daemon.ts'
import { UsageError } from '../terminal.ts'

/** Whom a token stands for; null for nobody. A person asks for calls in person. */
export function holderOf(caller: Caller): TokenHolder | null {
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
export function siteOf(listen: Address, hosts: () => readonly string[]): (request: IncomingMessage) => string | null {
  return ({ method = 'GET', rawHeaders, socket }) => {
    const headers = rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : []))
    const names = new Set([...LOOPBACK, listen.host, ...hosts()])
    return siteFault({ method, headers, port: socket.localPort ?? null }, { hosts: names, origins: new Set() })?.message ?? null
  }
}

export function listening(server: Server, { host, port }: Address): Promise<Address> {
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

export function stopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}

/** `usual`: what an address that leaves out a part of it means. */
export function listeningOf(text: string, usual: Address): Address {
  const address = parseListening(text, usual)
  if (address !== null) return address
  throw new UsageError(`\`${text}\` is no address; write it as ${usual.host}:${usual.port}, or :0 for any free port`)
}
