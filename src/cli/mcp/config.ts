/** Servers as clients name them in their files: `mcpServers` of most, `servers` of VS Code. */
import { readFileSync } from 'node:fs'
import { isJsonObject, type Json, type JsonObject, own, parseJson } from '../../core/json.ts'
import { UsageError } from '../terminal.ts'
import { givenBack } from './clients/entry.ts'

export type ServerEntry =
  | {
      readonly kind: 'command'
      readonly name: string
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
      readonly cwd: string | null
    }
  | { readonly kind: 'url'; readonly name: string; readonly url: URL; readonly headers: Readonly<Record<string, string>> }

/**
 * `behind`: of servers that stand behind the proxy, what stands there.
 * @throws {UsageError} where the file names no server, or one that cannot be started.
 */
export function readServers(path: string, { behind = false }: { readonly behind?: boolean } = {}): readonly ServerEntry[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`\`${path}\` cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  const value = parseJson(text)
  const found = isJsonObject(value) ? (own(value, 'mcpServers') ?? own(value, 'servers')) : undefined
  if (!isJsonObject(found))
    throw new UsageError(`\`${path}\` is no JSON with \`mcpServers\`; write {"mcpServers": {"files": {"command": …}}}`)
  const servers = Object.entries(found).map(([name, entry]) => serverOf(name, behind ? bare(entry) : entry, path))
  if (servers.length === 0) throw new UsageError(`\`${path}\` names no server`)
  return servers
}

function bare(entry: Json): Json {
  return isJsonObject(entry) ? ((givenBack(entry) as JsonObject | null) ?? entry) : entry
}

function serverOf(name: string, entry: Json, path: string): ServerEntry {
  const fail = (why: string): never => {
    throw new UsageError(`the server \`${name}\` of \`${path}\` ${why}`)
  }
  if (!/^[A-Za-z0-9_.-]{1,100}$/.test(name)) return fail('has a name of other characters than letters, digits, `_`, `.` and `-`')
  if (!isJsonObject(entry)) return fail('is no object')
  const [command, url] = [own(entry, 'command'), own(entry, 'url') ?? own(entry, 'httpUrl') ?? own(entry, 'serverUrl')]
  if (typeof command === 'string') {
    const args = own(entry, 'args') ?? []
    if (!Array.isArray(args) || !args.every((each) => typeof each === 'string')) return fail('has `args` that are no list of texts')
    const cwd = own(entry, 'cwd')
    return {
      kind: 'command',
      name,
      command: expanded(command),
      args: args.map((each) => expanded(String(each))),
      env: textsOf(own(entry, 'env')),
      cwd: typeof cwd === 'string' ? expanded(cwd) : null,
    }
  }
  if (typeof url !== 'string') return fail('has neither `command` nor `url`')
  return { kind: 'url', name, url: urlOf(expanded(url), `the server \`${name}\` of \`${path}\``), headers: textsOf(own(entry, 'headers')) }
}

export function urlOf(text: string, whose: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.hash !== '')
    throw new UsageError(`${whose} has the address \`${text}\`, which is none of a server; write it as https://mcp.example.com/mcp`)
  return url
}

function textsOf(value: Json | undefined): Record<string, string> {
  const entries = isJsonObject(value) ? Object.entries(value as JsonObject) : []
  return Object.fromEntries(entries.flatMap(([name, each]) => (typeof each === 'string' ? [[name, expanded(each)] as const] : [])))
}

/** `${NAME}`, `${env:NAME}` and `${NAME:-otherwise}` as clients write variables; one that is not set stays as it is written. */
export function expanded(text: string): string {
  return text.replace(/\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]{0,99})(?::-([^}$]{0,999}))?\}/g, (whole, name: string, otherwise?: string) => {
    const value = process.env[name]
    return value === undefined || value === '' ? (otherwise ?? value ?? whole) : value
  })
}
