/** Every seam: how it names what the corpus calls, and what it has no call for. Pure, so that the table of the docs is made from it. */
import type { JsonObject } from '../../../src/core/json.ts'
import type { Case, Form } from '../corpus.ts'
import { type Named, plainly } from '../normal.ts'

/** Why a form is no call at a seam. */
export interface Skip {
  readonly skip: string
}

export interface Seam {
  readonly name: string
  readonly title: string
  readonly named: (form: Form) => Named | Skip
  /** False: its events name no session. */
  readonly sessions: boolean
  /** True: a question is the agent's own prompt, and no approval of the gate's. */
  readonly prompts: boolean
  /** What the request that a call belongs to asks for; null: the seam hears of no request. */
  readonly task: string | null
  /** True: a call waits for the person, and runs once they agreed. */
  readonly holds: boolean
}

type Naming = (form: Form) => Named | Skip

const FUNCTIONS: Skip = { skip: 'the agent has its own tools and those of servers' }
const NAMELESS: Skip = { skip: 'the event runs the names of server and tool together, and nothing here says which servers there are' }

interface HostNames {
  readonly shell: readonly [tool: string, argument: string]
  readonly read: ((path: string) => readonly [tool: string, args: JsonObject]) | Skip
  readonly write: ((path: string, content: string) => readonly [tool: string, args: JsonObject]) | Skip
  readonly servers?: Skip
  /** Arguments beside the command. */
  readonly more?: JsonObject
}

const nativeTo =
  ({ shell, read, write, servers, more }: HostNames): Naming =>
  (form) => {
    switch (form.kind) {
      case 'shell':
        return { server: null, tool: shell[0], args: { [shell[1]]: form.command, ...more } }
      case 'read':
        return typeof read === 'function' ? own(read(form.path)) : read
      case 'write':
        return typeof write === 'function' ? own(write(form.path, form.content)) : write
      case 'server':
        return servers ?? plainly(form)
      case 'function':
        return FUNCTIONS
    }
  }

const own = ([tool, args]: readonly [string, JsonObject]): Named => ({ server: null, tool, args })

const file =
  (tool: string, key = 'file_path', more: JsonObject = {}) =>
  (path: string): readonly [string, JsonObject] => [tool, { [key]: path, ...more }]

const filled =
  (tool: string, [key, content]: readonly [string, string] = ['file_path', 'content'], more: JsonObject = {}) =>
  (path: string, text: string): readonly [string, JsonObject] => [tool, { ...more, [key]: path, [content]: text }]

const HOSTS: Readonly<Record<string, HostNames>> = {
  'claude-code': { shell: ['Bash', 'command'], read: file('Read'), write: filled('Write') },
  codex: {
    shell: ['Bash', 'command'],
    read: { skip: 'the agent reads files with its shell' },
    write: { skip: 'the agent writes files by patches' },
  },
  'gemini-cli': { shell: ['run_shell_command', 'command'], read: file('read_file'), write: filled('write_file') },
  cursor: { shell: ['Shell', 'command'], read: file('Read'), write: filled('Write') },
  'copilot-cli': {
    shell: ['bash', 'command'],
    read: file('view', 'path'),
    write: filled('create', ['path', 'file_text']),
  },
  opencode: {
    shell: ['bash', 'command'],
    read: file('read', 'filePath'),
    write: filled('write', ['filePath', 'content']),
  },
  'qwen-code': { shell: ['run_shell_command', 'command'], read: file('read_file'), write: filled('write_file') },
  vscode: {
    shell: ['run_in_terminal', 'command'],
    read: file('copilot_readFile', 'filePath'),
    write: filled('create_file', ['filePath', 'content']),
  },
  cline: { shell: ['execute_command', 'command'], read: file('read_file', 'path'), write: filled('write_to_file', ['path', 'content']) },
  windsurf: {
    shell: ['run_command', 'CommandLine'],
    more: { Cwd: '{cwd}' },
    read: file('view_file', 'AbsolutePath'),
    write: { skip: 'the agent tells edits, and not what the file will hold' },
  },
  goose: {
    shell: ['developer__shell', 'command'],
    read: file('developer__text_editor', 'path', { command: 'view' }),
    write: filled('developer__text_editor', ['path', 'file_text'], { command: 'write' }),
  },
  kiro: {
    shell: ['execute_bash', 'command'],
    read: (path) => ['fs_read', { operations: [{ mode: 'Line', path }] }],
    write: filled('fs_write', ['path', 'file_text'], { command: 'create' }),
  },
  droid: { shell: ['Execute', 'command'], read: file('Read'), write: filled('Create') },
  amp: {
    shell: ['Bash', 'command'],
    read: file('Read'),
    write: filled('create_file', ['path', 'content']),
  },
  openclaw: {
    shell: ['openclaw_exec', 'command'],
    read: file('read', 'path'),
    write: filled('write', ['path', 'content']),
    servers: NAMELESS,
  },
}

const SERVERS: Naming = (form) => (form.kind === 'server' ? plainly(form) : { skip: 'a server has no tools but its own' })

const direct = (name: string, title: string, more: Partial<Seam> = {}): Seam => {
  return { name, title, named: plainly, sessions: true, prompts: false, task: null, holds: false, ...more }
}

/** Agents that call a hook, by the names of their adapters. */
export const HOST_SEAMS: readonly Seam[] = Object.entries(HOSTS).map(([name, names]) =>
  direct(name, `hook of \`${name}\``, { named: nativeTo(names), sessions: name !== 'kiro', prompts: name === 'vscode' }),
)

export const TASK = 'go on'

export const LIBRARY = direct('library', 'library (`openGate` of `countersign/advanced`)')
export const CREATE_GATE = direct('create-gate', 'library (`createGate`)')
export const CLI = direct('cli', 'command line (`countersign check --lines`)')
export const HTTP = direct('http', 'HTTP (`POST /v1/decisions`)')
export const MCP_STDIO = direct('mcp-stdio', 'MCP proxy over standard streams', { named: SERVERS })
export const MCP_HTTP = direct('mcp-http', 'MCP proxy over HTTP', { named: SERVERS })
export const MODEL_JSON = direct('model-json', 'model proxy, whole answers (four APIs in turn)', { task: TASK })
export const MODEL_SSE = direct('model-sse', 'model proxy, streamed answers (four APIs in turn)', { task: TASK })
export const AI_SDK = direct('ai-sdk', 'AI SDK (`countersign/ai-sdk`, its own loop)', { holds: true })
export const OPENAI_AGENTS = direct('openai-agents', 'OpenAI Agents (`countersign/openai-agents`, its own runner)', {
  named: (form) =>
    /^\w*$/.test(plainly(form).server ?? '') ? plainly(form) : { skip: 'the name of a tool has letters, digits and `_` alone' },
  holds: true,
})
export const LANGCHAIN = direct('langchain', 'LangChain (`countersign/langchain`, the middleware’s hook)', { holds: true })
export const MASTRA = direct('mastra', 'Mastra (`countersign/mastra`, its own tools)', { holds: true })
export const MCP_CLIENT = direct('mcp-client', 'MCP client (`countersign/mcp-client`, real servers in memory)', {
  named: SERVERS,
  holds: true,
})
export const PYTHON = direct('python', 'Python client through HTTP (`countersign_client`, the interpreter that is here)')
export const ANTHROPIC = direct('anthropic', 'Anthropic SDK’s tool runner (`countersign/anthropic`)', { holds: true })
export const CLAUDE_AGENT = direct('claude-agent', 'Claude Agent SDK (`countersign/claude-agent`, its hook)')

export const SEAMS: readonly Seam[] = [
  ...[LIBRARY, CREATE_GATE, CLI, HTTP, ...HOST_SEAMS, MCP_STDIO, MCP_HTTP, MODEL_JSON, MODEL_SSE],
  ...[AI_SDK, OPENAI_AGENTS, LANGCHAIN, MASTRA, ANTHROPIC, CLAUDE_AGENT, MCP_CLIENT, PYTHON],
]

/** Why a case is no call at this seam; null: it is one. */
export function skipped({ named, sessions, prompts, holds }: Seam, session: readonly Case[]): string | null {
  const [first] = session
  if (first === undefined) return null
  const form = named(first.form)
  if ('skip' in form) return form.skip
  if (session.length > 1 && !sessions) return 'the event names no session'
  if (prompts && session.some(({ answer }) => answer !== null)) return 'the person answers at the agent’s own prompt'
  if (holds && session.some(({ answer }, at) => answer === 'approve' && !sameForm(session[at - 1], session[at])))
    return 'the call itself waits for the person: no other can come in between'
  return null
}

export function sameForm(a: Case | undefined, b: Case | undefined): boolean {
  return JSON.stringify(a?.form) === JSON.stringify(b?.form)
}
