/** Where MCP clients name their servers. */
import { homedir } from 'node:os'
import { join } from 'node:path'
import { UsageError } from '../../terminal.ts'
import { jsonFormat } from './json.ts'
import { tomlFormat } from './toml.ts'

export interface ServerSpan {
  readonly entry: Record<string, unknown>
  /** What of the text says it. */
  readonly start: number
  readonly end: number
}

/** A file of servers as a text in which one of them can be changed, and nothing else. */
export interface Format {
  /** Null: the text is not of this format, so nothing in it is touched. */
  readonly read: (text: string, at: readonly string[]) => ReadonlyMap<string, ServerSpan> | null
  /** The text with this entry; null where that cannot be written without doubt. */
  readonly replace: (
    text: string,
    at: readonly string[],
    change: { readonly name: string; readonly entry: Record<string, unknown> },
  ) => string | null
}

export const CLIENTS = ['claude-code', 'codex', 'gemini-cli', 'cursor', 'vscode'] as const
export type ClientName = (typeof CLIENTS)[number]
export type FileScope = 'user' | 'project'

export interface ClientFile {
  readonly client: ClientName
  readonly scope: FileScope
  readonly path: string
  readonly format: Format
  /** Keys that lead to the servers. */
  readonly at: readonly string[]
}

/** Every place that the clients look at in this directory. */
export function clientFiles(cwd = process.cwd()): readonly ClientFile[] {
  const home = homedir()
  const claude = join(process.env.CLAUDE_CONFIG_DIR ?? home, '.claude.json')
  const code = { client: 'vscode', format: jsonFormat, at: ['servers'] } as const
  const codex = { client: 'codex', format: tomlFormat, at: ['mcp_servers'] } as const
  const json = { format: jsonFormat, at: ['mcpServers'] } as const
  return [
    { ...json, client: 'claude-code', scope: 'user', path: claude },
    // What `claude mcp add` writes for one project stands in the user's file.
    { ...json, client: 'claude-code', scope: 'user', path: claude, at: ['projects', cwd, 'mcpServers'] },
    { ...json, client: 'claude-code', scope: 'project', path: join(cwd, '.mcp.json') },
    { ...codex, scope: 'user', path: join(process.env.CODEX_HOME ?? join(home, '.codex'), 'config.toml') },
    { ...codex, scope: 'project', path: join(cwd, '.codex', 'config.toml') },
    { ...json, client: 'gemini-cli', scope: 'user', path: join(home, '.gemini', 'settings.json') },
    { ...json, client: 'gemini-cli', scope: 'project', path: join(cwd, '.gemini', 'settings.json') },
    { ...json, client: 'cursor', scope: 'user', path: join(home, '.cursor', 'mcp.json') },
    { ...json, client: 'cursor', scope: 'project', path: join(cwd, '.cursor', 'mcp.json') },
    { ...code, scope: 'user', path: join(codeDirectory(home), 'mcp.json') },
    { ...code, scope: 'project', path: join(cwd, '.vscode', 'mcp.json') },
  ]
}

function codeDirectory(home: string): string {
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'Code', 'User')
  return join(process.env.XDG_CONFIG_HOME ?? join(home, '.config'), 'Code', 'User')
}

export function chosenFiles(clients: readonly string[], scope: string | undefined): readonly ClientFile[] {
  for (const name of clients)
    if (!CLIENTS.some((each) => each === name)) throw new UsageError(`client \`${name}\` is not known; valid: ${CLIENTS.join(', ')}`)
  if (scope !== undefined && scope !== 'user' && scope !== 'project') throw new UsageError('`--scope` is `user` or `project`')
  return clientFiles().filter((file) => (clients.length === 0 || clients.includes(file.client)) && (scope ?? file.scope) === file.scope)
}
