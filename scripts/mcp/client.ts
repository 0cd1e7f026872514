/**
 * The client that the conformance suite watches, by the official SDK: `client.ts CLI direct|http|streams URL`. It does
 * what a scenario offers: lists everything and calls every tool. `http` and `streams` put `countersign mcp` between it and the server.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { createClient, exercise } from './exercise.ts'
import { type Context, createLogin } from './login.ts'

const [, , cli = '', way = 'direct', url = ''] = process.argv
const scenario = process.env.MCP_CONFORMANCE_SCENARIO ?? ''
const context = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}') as Context
const stateless = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION === '2026-07-28'

const directory = mkdtempSync(join(tmpdir(), 'countersign-conformance-client-'))
let proxy: ChildProcess | null = null
const policy = join(directory, 'policy.yaml')
writeFileSync(policy, 'version: 1\ndefault: ask\nunregistered: allow\n')
const environment = { PATH: process.env.PATH ?? '', HOME: directory, COUNTERSIGN_HOME: join(directory, 'home') }
const command = [cli, 'mcp', '--policy', policy, '--url', url]

/** Where the proxy listens, in front of the server of the scenario. */
function listening(): Promise<string> {
  const child = spawn(process.execPath, [...command, '--listen', '127.0.0.1:0'], { env: environment, stdio: ['ignore', 'ignore', 'pipe'] })
  proxy = child
  let said = ''
  return new Promise((resolve, reject) => {
    child.once('close', () => reject(new Error(`the proxy ended: ${said}`)))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      const address = /http:\/\/\S+/.exec(said)?.[0]
      if (address !== undefined) resolve(address)
    })
  })
}

const address = way === 'http' ? await listening() : url
const login = createLogin(scenario, context)

function transport(): StreamableHTTPClientTransport | StdioClientTransport {
  if (way === 'streams')
    return new StdioClientTransport({ command: process.execPath, args: [...command], env: environment, stderr: 'ignore' })
  return new StreamableHTTPClientTransport(new URL(address), scenario.startsWith('auth/') ? { authProvider: login.provider } : {})
}

let client = createClient(stateless)
let connected: StreamableHTTPClientTransport | StdioClientTransport = transport()

/** Does it, logging in as often as a person would put up with. */
async function loggedIn<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await act()
    } catch (error) {
      const came = login.back()
      if (!(error instanceof UnauthorizedError) || came === null || attempt >= 2 || way === 'streams') throw error
      await (connected as StreamableHTTPClientTransport).finishAuth(came)
    }
  }
}

async function connect(): Promise<void> {
  client = createClient(stateless)
  connected = transport()
  await client.connect(connected)
}

try {
  await loggedIn(connect)
  for (const [name, came] of await exercise(client, { calls: context.toolCalls, act: loggedIn }))
    if (came instanceof Error) console.error(name, came)
} catch (error) {
  console.error(error)
  process.exitCode = 1
} finally {
  await client.close()
  ;(proxy as ChildProcess | null)?.kill()
  rmSync(directory, { recursive: true, force: true })
}
