/** The official MCP client, and servers of others behind the proxy, as real processes. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { onTestFinished } from 'vitest'
import { CLI } from '../hosts/harness.ts'
import { temporaryDirectory } from './records.ts'

const packages = createRequire(import.meta.url)

/** How a server of the official collection is started. */
export function serverCommand(name: 'filesystem' | 'everything', ...args: readonly string[]): readonly string[] {
  return [process.execPath, packages.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`), ...args]
}

export type Era = 'legacy' | 'stateless'

export interface McpHome {
  /** State directory of the gate. */
  readonly home: string
  /** The directory that clients and servers work in. */
  readonly work: string
  readonly policy: string
  readonly environment: Record<string, string>
}

/** A directory to work in, a policy, and a state directory of its own. */
export function mcpHome(policy: string): McpHome {
  const directory = temporaryDirectory()
  const [home, work, file] = [join(directory, 'home'), join(directory, 'work'), join(directory, 'policy.yaml')]
  mkdirSync(work)
  writeFileSync(file, policy)
  return { home, work, policy: file, environment: { PATH: process.env.PATH ?? '', HOME: directory, COUNTERSIGN_HOME: home, NO_COLOR: '1' } }
}

export interface ClientOptions {
  readonly era: Era
  readonly environment?: Readonly<Record<string, string>>
  /** Null: the server itself, without the proxy. */
  readonly proxy: readonly string[] | null
  readonly prepare?: (client: Client) => void
  readonly name?: string
  readonly capabilities?: ConstructorParameters<typeof Client>[1] extends infer O
    ? O extends { capabilities?: infer C }
      ? C
      : never
    : never
}

/** A client of the official SDK that is connected to the server, through the proxy or not. */
export async function connected(at: McpHome, server: readonly string[], options: ClientOptions): Promise<Client> {
  const through = options.proxy === null ? [] : proxyCommand(at, options.proxy)
  const [command = '', ...args] = [...through, ...(options.proxy === null || server.length === 0 ? [] : ['--']), ...server]
  const env = { ...at.environment, ...options.environment }
  return connect(new StdioClientTransport({ command, args, cwd: at.work, env, stderr: 'ignore' }), options)
}

/** The same, for an entry of a client's file. */
export function connectedWith(entry: { command: string; args: string[]; cwd: string; env: Record<string, string> }): Promise<Client> {
  return connect(new StdioClientTransport({ ...entry, stderr: 'ignore' }), { era: 'legacy', proxy: null })
}

/** The same over HTTP. */
export function connectedTo(
  url: string,
  options: ClientOptions & { readonly headers?: Readonly<Record<string, string>> },
): Promise<Client> {
  return connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { ...options.headers } } }), options)
}

async function connect(transport: StdioClientTransport | StreamableHTTPClientTransport, options: ClientOptions): Promise<Client> {
  const mode = options.era === 'legacy' ? 'legacy' : { pin: '2026-07-28' as const }
  const client = new Client(
    { name: options.name ?? 'official-client', version: '1' },
    { versionNegotiation: { mode }, ...(options.capabilities === undefined ? {} : { capabilities: options.capabilities }) },
  )
  options.prepare?.(client)
  onTestFinished(() => client.close())
  await client.connect(transport)
  return client
}

/**
 * What a call's progress and result were on the wire, in order. The client's own callback is not asked: where progress and
 * result come together, as on a busy machine, the client drops the progress.
 */
export function progressOnWire(client: Client): readonly (number | 'result')[] {
  const seen: (number | 'result')[] = []
  const transport = client.transport
  const deliver = transport?.onmessage
  if (transport === undefined || deliver === undefined) throw new Error('the client is not connected')
  transport.onmessage = (message, extra) => {
    if ('method' in message && message.method === 'notifications/progress') seen.push(Number(message.params?.progress))
    else if ('result' in message && seen.length > 0) seen.push('result')
    deliver.call(transport, message, extra)
  }
  return seen
}

export function proxyCommand(at: McpHome, options: readonly string[]): readonly string[] {
  return [process.execPath, CLI, 'mcp', '--policy', at.policy, ...options]
}

/** Starts a program that listens; resolves with the first address that it prints to its errors. */
export function startListening(
  [command = '', ...args]: readonly string[],
  at: McpHome,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child: ChildProcess = spawn(command, args, {
    cwd: at.work,
    env: { ...at.environment, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        if (child.exitCode !== null) return resolve()
        child.once('close', () => resolve())
        child.kill('SIGTERM')
      }),
  )
  let said = ''
  return new Promise((resolve, reject) => {
    child.once('close', () => reject(new Error(`it ended: ${said}`)))
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const address = /http:\/\/127\.0\.0\.1:\d+\S*/.exec(said)?.[0]
      const port = /listening on port (\d+)/.exec(said)?.[1]
      if (address !== undefined) resolve(address)
      else if (port !== undefined) resolve(`http://127.0.0.1:${port}/mcp`)
    })
  })
}

/** What the fixture server ran. */
export function ranIn(marker: string): readonly string[] {
  try {
    return readFileSync(marker, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
  } catch {
    return []
  }
}
