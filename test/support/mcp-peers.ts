/** The official MCP client, and servers of others behind the proxy, as real processes. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
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
export async function connected(
  { home, ...at }: Pick<McpHome, 'environment' | 'work' | 'policy' | 'home'>,
  server: readonly string[],
  options: ClientOptions,
): Promise<Client> {
  void home
  const through = options.proxy === null ? [] : [process.execPath, CLI, 'mcp', '--policy', at.policy, ...options.proxy, '--']
  const [command = '', ...args] = [...through, ...server]
  const transport = new StdioClientTransport({
    command,
    args,
    cwd: at.work,
    env: { ...at.environment, ...options.environment },
    stderr: 'ignore',
  })
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
