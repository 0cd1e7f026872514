/** Agents: each call as an event of the agent, answered as the daemon answers its installed hook. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Json, JsonObject } from '../../../src/core/json.ts'
import type { HostAdapter } from '../../../src/hosts/adapter.ts'
import { answerFor } from '../../../src/hosts/answer.ts'
import { hostNamed } from '../../../src/hosts/index.ts'
import { askSocket } from '../../support/server.ts'
import { decisionsOf, type Place } from '../place.ts'
import { atPlace, type Bench, type Heard, type Sent } from '../seam.ts'
import type { House } from './direct.ts'

interface At extends Sent {
  readonly cwd: string
  readonly id: string
}

type Event = (at: At) => JsonObject

const flat = ({ server, tool }: Sent['named']): string => (server === null ? tool : `mcp__${server}__${tool}`)

/** As hosts write it that have one name for both. */
const joined = ({ server, tool }: Sent['named'], separator: string, prefix = ''): string =>
  server === null ? tool : `${prefix}${server}${separator}${tool}`

const entryOf = (server: string): JsonObject => ({ url: `https://${server}.example/mcp` })

/** The settings of the user, by which such a host knows its servers. */
export function writeServers(home: string, servers: readonly string[]): void {
  const entries = Object.fromEntries(servers.map((server) => [server, entryOf(server)]))
  const files: Readonly<Record<string, string>> = {
    '.config/opencode/opencode.json': 'mcp',
    '.copilot/mcp-config.json': 'mcpServers',
    '.cursor/mcp.json': 'mcpServers',
    '.config/Code/User/mcp.json': 'servers',
  }
  for (const [file, field] of Object.entries(files)) {
    mkdirSync(dirname(join(home, file)), { recursive: true })
    writeFileSync(join(home, file), JSON.stringify({ [field]: entries }))
  }
}

const claude: Event = (at) => ({
  session_id: at.session,
  transcript_path: '/t',
  cwd: at.cwd,
  hook_event_name: 'PreToolUse',
  tool_use_id: at.id,
  permission_mode: 'default',
  tool_name: flat(at.named),
  tool_input: at.named.args,
})

const windsurf: Event = ({ named: { server, tool, args }, session, id, cwd }) => {
  const base = { trajectory_id: session, execution_id: id, timestamp: '2026-11-24T00:00:00Z' }
  const event = (agent_action_name: string, tool_info: JsonObject) => ({ ...base, agent_action_name, tool_info: { cwd, ...tool_info } })
  if (server !== null) return event('pre_mcp_tool_use', { mcp_server_name: server, mcp_tool_name: tool, mcp_tool_arguments: args })
  if (tool === 'run_command') return event('pre_run_command', { command_line: args.CommandLine as Json })
  return event('pre_read_code', { file_path: args.AbsolutePath as Json })
}

const EVENTS: Readonly<Record<string, Event>> = {
  'claude-code': claude,
  codex: (at) => ({ ...claude(at), turn_id: 't', model: 'm' }),
  'qwen-code': claude,
  droid: claude,
  vscode: ({ named, session, id, cwd }) => ({
    ...{ timestamp: '2026-11-24T00:00:00Z', hookEventName: 'PreToolUse', sessionId: session, transcript_path: '/t', cwd },
    ...{ tool_name: joined(named, '_', 'mcp_'), tool_input: named.args, tool_use_id: id },
  }),
  'gemini-cli': ({ named: { server, tool, args }, session, cwd }) => ({
    ...{ session_id: session, transcript_path: '/t', cwd, hook_event_name: 'BeforeTool', timestamp: 't' },
    ...(server === null
      ? { tool_name: tool }
      : { tool_name: `mcp_${server}_${tool}`, mcp_context: { server_name: server, tool_name: tool } }),
    tool_input: args,
  }),
  cursor: ({ named: { server, tool, args }, session, id, cwd }) => {
    const base = {
      conversation_id: session,
      generation_id: 'g',
      model: 'm',
      cursor_version: '3.14',
      workspace_roots: [cwd],
      user_email: null,
    }
    if (tool === 'Shell') return { ...base, hook_event_name: 'beforeShellExecution', command: args.command as Json, cwd }
    if (server !== null)
      return { ...base, hook_event_name: 'beforeMCPExecution', tool_name: tool, tool_input: JSON.stringify(args), ...entryOf(server) }
    return { ...base, hook_event_name: 'preToolUse', tool_name: tool, tool_input: args, tool_use_id: id }
  },
  'copilot-cli': ({ named, session, cwd }) => {
    return { sessionId: session, timestamp: 1, cwd, toolName: joined(named, '-'), toolArgs: JSON.stringify(named.args) }
  },
  opencode: ({ named, session, id, cwd }) => {
    return { event: 'before', session, call: id, directory: cwd, tool: joined(named, '_'), args: named.args }
  },
  openclaw: ({ named: { tool, args }, session, id, cwd }) => ({
    ...{ event: 'before', session, call: id, directory: cwd, agent: null },
    ...{ tool: tool.replace('openclaw_', ''), args },
  }),
  cline: ({ named: { server, tool, args }, session, id, cwd }) => ({
    ...{ clineVersion: '3', hookName: 'PreToolUse', taskId: session, workspaceRoots: [cwd], tool_call: { id } },
    preToolUse:
      server === null
        ? { toolName: tool, parameters: args }
        : { toolName: 'use_mcp_tool', parameters: { server_name: server, tool_name: tool, arguments: JSON.stringify(args) } },
  }),
  windsurf,
  goose: ({ named: { server, tool, args }, session, id, cwd }) => ({
    ...{ event: 'PreToolUse', session_id: session, tool_call_id: id, working_dir: cwd },
    ...{ tool_name: server === null ? tool : `${server}__${tool}`, tool_input: args },
  }),
  kiro: ({ named: { server, tool, args }, cwd }) => ({
    ...{ hook_event_name: 'preToolUse', cwd, tool_name: server === null ? tool : `@${server}/${tool}` },
    tool_input: args,
  }),
  amp: ({ named, session, cwd }) => {
    const { command: cmd, file_path: path, ...args } = named.args
    const own = { Bash: { cmd }, Read: { path } }[named.tool]
    return { tool: flat(named), thread: session, cwd, args: own === undefined ? named.args : { ...own, ...args } } as JsonObject
  },
}

let calls = 0

/** Without a socket, the events are answered in this process by what the daemon answers them with. */
export function hostBench(name: string, place: Place, { opened, hook, socket }: House): Bench {
  const host = hostNamed(name) as HostAdapter
  const event = EVENTS[name] as Event
  const answer = async (at: At): Promise<JsonObject> => {
    const { role } = at.one
    if (socket === null) return answerFor(host, Buffer.from(JSON.stringify(event(at))), { ...hook, entrypoint: 'sdk-cli', role })
    const headers = { 'x-countersign-entrypoint': 'sdk-cli', ...(role === null ? {} : { 'x-countersign-role': role }) }
    return (await askSocket<JsonObject>(socket, `/v1/hooks/${name}`, { body: event(at), headers })).body
  }
  return {
    queue: opened.queue,
    records: (session) => decisionsOf(opened, session),
    send: async (sent) => {
      calls += 1
      return heard(host, await answer({ ...sent, named: atPlace(sent.named, place), cwd: place.repo, id: `call-${calls}` }))
    },
  }
}

/** A host that can end the whole turn is told so beside the denial. */
function withoutStop({ continue: goesOn, stopReason, ...rest }: JsonObject): JsonObject {
  return goesOn === false && typeof stopReason === 'string' ? rest : { continue: goesOn ?? null, ...rest }
}

/** What the host does with the answer: it goes on where that says nothing, or nothing but a line for the person. */
function heard(host: HostAdapter, answer: JsonObject): Heard {
  const { systemMessage: _, ...rest } = answer
  if (JSON.stringify(rest) === JSON.stringify(host.noOpinion)) return 'runs'
  if (JSON.stringify(answer).includes('"permissionDecision":"ask"')) return 'prompt'
  const denied = [answer, withoutStop(answer)].some((each) => shape(each) === shape(host.denial('no')))
  return denied ? 'stopped' : 'unclear'
}

/** The fields, and the values that are no sentences. */
function shape(value: JsonObject): string {
  return JSON.stringify(value, (key, each: Json) => (typeof each === 'string' && /reason|message|refused/i.test(key) ? '' : each))
}
