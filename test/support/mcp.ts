/** MCP traffic between a scripted client and a scripted server, over a real gate and store in a described world. */
import { onTestFinished } from 'vitest'
import type { ApprovalQueue } from '../../src/approvals/queue.ts'
import { redactJson } from '../../src/audit/redact.ts'
import { COMPILE } from '../../src/cli/open.ts'
import { keepResult } from '../../src/cli/results.ts'
import type { ResultThread } from '../../src/cli/threads/open.ts'
import type { Principal } from '../../src/core/call.ts'
import { isJsonObject, type Json, type JsonObject } from '../../src/core/json.ts'
import { resultFindings } from '../../src/layers/integrity/result.ts'
import { bytesDigest, digester, type OpenedGate, openGate } from '../../src/open.ts'
import { landLooked } from '../../src/open-results.ts'
import { compilePolicy } from '../../src/policy/compile.ts'
import { sha256 } from '../../src/policy/file.ts'
import type { Policy } from '../../src/policy/policy.ts'
import { inOrder } from '../../src/proxies/mcp/order.ts'
import { deliver, type Exchange, type TrafficParts, type TrafficSide } from '../../src/proxies/mcp/shared.ts'
import { createTraffic, type Traffic } from '../../src/proxies/mcp/traffic.ts'
import type { StoredRecord } from '../../src/store/store.ts'
import { stateDirectoryOfTest } from './state.ts'
import { describedView } from './workplace.ts'

/** Files of `/repo` are read and written without a question; what is deleted, and other tools, need a person. */
export const MCP_POLICY = `version: 1
default: ask
unregistered: ask
tool_families: [mcp-filesystem]
tools: { echo: { risk_tier: low } }
rules:
  deny: [{ tool: forbidden }]
`

export function mcpPolicy(text: string): Policy {
  const compiled = compilePolicy(text, { ...COMPILE, path: null, sha256 })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  return compiled.policy
}

export interface McpPlace {
  readonly opened: OpenedGate
  readonly queue: ApprovalQueue
  readonly traffic: Traffic
  /** What reached the server, and what reached the client, in order, as texts. */
  readonly toServer: string[]
  readonly toClient: string[]
  readonly fromClient: (message: Json | string) => void
  readonly fromServer: (message: Json | string) => void
  /** The server has these tools, and answers when it is asked for them. */
  readonly lists: (...tools: readonly JsonObject[]) => void
  /** The answer to this call, or the call where it went on to the server: whichever comes first. */
  readonly outcome: (id: string | number) => Promise<JsonObject>
  /** The next message of a side that fits, once it is there; fails where none comes. */
  readonly clientGets: (fits: (message: JsonObject) => boolean) => Promise<JsonObject>
  readonly serverGets: (fits: (message: JsonObject) => boolean) => Promise<JsonObject>
  readonly records: (kind?: StoredRecord['kind']) => readonly StoredRecord[]
  readonly uninspected: string[]
  /** Lines for the operator. */
  readonly notes: string[]
  readonly policy: (text: string) => void
  /** The client is gone. */
  readonly leave: () => void
}

export interface PlaceOptions {
  readonly policy?: string
  readonly side?: Partial<TrafficSide>
  readonly principal?: Partial<Principal>
  readonly files?: Readonly<Record<string, string>>
  readonly home?: string
  readonly wrap?: (gate: OpenedGate['gate']) => OpenedGate['gate']
  /** Looks large results through; default: nobody does, so it is done where they come. */
  readonly results?: Pick<ResultThread, 'lookAtAnswer'>
}

/** Of a server that lists nothing else: the tools that the tests call. */
export const TOOLS: readonly JsonObject[] = ['echo', 'forbidden', 'delete_account', 'read_file', 'write_file'].map((name) => ({
  name,
  description: `the tool ${name}`,
  inputSchema: { type: 'object' },
}))

/** What traffic over this gate is judged with. */
export function mcpParts(
  opened: OpenedGate,
  policy: () => Policy,
  {
    uninspected,
    notes = [],
    wrap = (gate) => gate,
  }: { readonly uninspected: string[]; readonly notes?: string[]; readonly wrap?: NonNullable<PlaceOptions['wrap']> },
): TrafficParts {
  return {
    gate: wrap(opened.gate),
    queue: opened.queue,
    digester,
    bytesDigest,
    policy,
    findings: opened.findings,
    keep: (result) => keepResult(opened, result),
    land: (result) => landLooked(opened, result),
    lookApart: null,
    withWords: (call) => call,
    redact: (value) => redactJson(value).value,
    uninspected: (what, passed) => uninspected.push(`${what} ${passed ? 'passed' : 'blocked'}`),
    note: (line) => notes.push(line),
    asking: (_id, _ask, judge) => judge(),
    learn: opened.learn,
    consider: async (call) => (await opened.reviewing.consider(call)).decision,
    inspect: (value) => {
      return resultFindings(policy().guards, value)
    },
  }
}

export function mcpPlace({
  policy: text = MCP_POLICY,
  side = {},
  principal,
  files = {},
  home,
  wrap,
  results,
}: PlaceOptions = {}): McpPlace {
  let policy = mcpPolicy(text)
  const directory = home ?? stateDirectoryOfTest()
  const opened = openGate({ home: directory, policy: () => ({ policy, degraded: null }), view: () => describedView(files) })
  onTestFinished(() => opened.close())
  const uninspected: string[] = []
  const notes: string[] = []
  const parts: TrafficParts = {
    ...mcpParts(opened, () => policy, { uninspected, notes, ...(wrap === undefined ? {} : { wrap }) }),
    lookApart: results === undefined ? null : (answer, call) => results.lookAtAnswer(answer, opened.looking(call)),
  }
  const traffic = createTraffic(parts, {
    server: 'filesystem',
    origin: 'server-filesystem /repo',
    session: 's-1',
    cwd: '/repo',
    principal: { agent: null, role: null, user: 'me', tenant: null, chain: [], ...principal },
    ...side,
  })
  const [toServer, toClient]: [string[], string[]] = [[], []]
  let tools = TOOLS
  const gone = new AbortController()
  const text_ = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
  const fromServer = (message: Json | string): void => {
    deliver(traffic.fromServer(bytesOf(message), ''), (each) => toClient.push(text_(each)))
  }
  const reachesServer = (bytes: Uint8Array): void => {
    const line = text_(bytes)
    const message: unknown = JSON.parse(line)
    const own = line.includes('"id":"countersign-')
    if (own && isRequest(message, 'tools/list')) fromServer({ jsonrpc: '2.0', id: message.id ?? null, result: { tools } })
    else toServer.push(line)
  }
  const exchange: Exchange = {
    scope: '',
    signal: gone.signal,
    tell: (bytes) => toClient.push(text_(bytes)),
    ask: reachesServer,
  }
  const send = inOrder((onward) => {
    if (onward.kind === 'forward') reachesServer(onward.bytes)
    if (onward.kind === 'answer') toClient.push(text_(onward.bytes))
  })
  return {
    opened,
    queue: opened.queue,
    traffic,
    toServer,
    toClient,
    fromClient: (message) => send(traffic.fromClient(bytesOf(message), exchange)),
    fromServer,
    lists: (...others) => {
      tools = others
    },
    outcome: (id) => first([toClient, toServer], (message) => answers(id)(message) || calls(id)(message)),
    clientGets: (fits) => first([toClient], fits),
    serverGets: (fits) => first([toServer], fits),
    records: (kind) => {
      const found = opened.store.read(kind === undefined ? {} : { kind })
      if (!(Symbol.iterator in found)) throw new Error('the store reads at once')
      return [...found]
    },
    uninspected,
    notes,
    policy: (next) => {
      policy = mcpPolicy(next)
    },
    leave: () => gone.abort(),
  }
}

function bytesOf(message: Json | string): Uint8Array {
  return new TextEncoder().encode(typeof message === 'string' ? message : JSON.stringify(message))
}

function isRequest(message: unknown, method: string): message is { readonly id?: string | number } {
  return typeof message === 'object' && message !== null && 'method' in message && message.method === method
}

/** Enough for a machine that is busy with everything else. */
const PATIENCE_MS = 25_000

async function first(sides: readonly (readonly string[])[], fits: (message: JsonObject) => boolean): Promise<JsonObject> {
  const seen = sides.map(() => 0)
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 2))) {
    for (const [side, lines] of sides.entries()) {
      for (const line of lines.slice(seen[side])) {
        const message = parsed(line)
        if (message !== null && fits(message)) return message
      }
      seen[side] = lines.length
    }
  }
  const last = sides.map((lines) => lines.slice(-3).map((line) => line.slice(0, 300)))
  throw new Error(`no such message; the last ones are ${JSON.stringify(last)}`)
}

function parsed(line: string): JsonObject | null {
  try {
    const value = JSON.parse(line) as Json
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

export const answers = (id: string | number) => (message: JsonObject) => message.id === id && message.method === undefined
export const calls = (id: string | number) => (message: JsonObject) => message.id === id && message.method === 'tools/call'
export const says = (method: string) => (message: JsonObject) => message.method === method

export function call(id: string | number, name: string, args: JsonObject = {}, more: JsonObject = {}): JsonObject {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args, ...more } }
}

/** The client introduces itself, as in a session. */
export function initialize(name: string, capabilities: JsonObject = {}): JsonObject {
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name, version: '1' } }
  return { jsonrpc: '2.0', id: 'init', method: 'initialize', params }
}

/** What every request of a stateless client carries. */
export function stateless(name: string, capabilities: JsonObject = {}): JsonObject {
  return {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name, version: '1' },
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    },
  }
}
