/** One server in a client's file: put behind the proxy, and taken out again. Pure. */

type Entry = Readonly<Record<string, unknown>>

export interface Standing {
  /** How the proxy is started, such as `countersign`. */
  readonly program: readonly string[]
  /** Options of `countersign mcp` for every server. */
  readonly options: readonly string[]
}

export type Taken =
  | { readonly kind: 'taken'; readonly entry: Record<string, unknown> }
  | { readonly kind: 'ours' }
  /** It stays as it is. */
  | { readonly kind: 'left'; readonly why: string }

/** Headers for a server over HTTP, as JSON: command lines can be read by everybody on the machine. */
export const HEADERS_VARIABLE = 'COUNTERSIGN_MCP_HEADERS'

export function takenOver(name: string, entry: Entry, { program, options }: Standing): Taken {
  if (givenBack(entry) !== null) return { kind: 'ours' }
  if (!/^[A-Za-z0-9_.-]{1,100}$/.test(name))
    return { kind: 'left', why: 'its name has other characters than letters, digits, `_`, `.` and `-`' }
  const [command = '', ...start] = [...program, 'mcp', '--name', name, ...options]
  if (typeof entry.command === 'string') {
    const args = entry.args ?? []
    if (!Array.isArray(args)) return { kind: 'left', why: 'its `args` are no list' }
    return { kind: 'taken', entry: { ...entry, command, args: [...start, '--', entry.command, ...args] } }
  }
  const why = leftOverHttp(entry)
  if (why !== null) return { kind: 'left', why }
  const { url, httpUrl, serverUrl, headers, type, env, ...others } = entry
  const address = String(httpUrl ?? url ?? serverUrl)
  return {
    kind: 'taken',
    entry: {
      ...(type === undefined ? {} : { type: 'stdio' }),
      command,
      args: [...start, '--url', address],
      ...(headers === undefined && env === undefined
        ? {}
        : { env: { ...(env as object | undefined), ...(headers === undefined ? {} : { [HEADERS_VARIABLE]: JSON.stringify(headers) }) } }),
      ...others,
    },
  }
}

/** Null: it can be taken over. */
function leftOverHttp({ url, httpUrl, serverUrl, type, headers, ...others }: Entry): string | null {
  const address = httpUrl ?? url ?? serverUrl
  if (typeof address !== 'string' || !URL.canParse(address)) return 'it has neither `command` nor an address'
  if (type === 'sse' || new URL(address).pathname.endsWith('/sse')) return 'it speaks the old HTTP with SSE, which the proxy does not'
  const foreign = Object.keys(others).find((key) => /header|token|auth/i.test(key))
  if (foreign !== undefined) return `the client itself adds \`${foreign}\` to its requests; ${LISTEN}`
  const local = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname)
  if (headers === undefined && !local) return `the client may have to log in to it; ${LISTEN}`
  return null
}

const LISTEN = 'run `countersign mcp --listen 127.0.0.1:7435 --url …` and give the client that address'

/** The entry as it was before, as far as it tells itself; null where it is none of ours. */
export function givenBack(entry: Entry): Record<string, unknown> | null {
  const args = startsProxy(entry)
  if (args === null) return null
  const behind = args.indexOf('--')
  const command = args[behind + 1]
  if (behind >= 0 && typeof command === 'string') return { ...entry, command, args: args.slice(behind + 2) }
  const url = args[args.indexOf('--url') + 1]
  if (!args.includes('--url') || typeof url !== 'string') return null
  const { command: _, args: __, env, type, ...others } = entry
  const { [HEADERS_VARIABLE]: headers, ...variables } = (env ?? {}) as Record<string, unknown>
  return {
    ...(type === undefined ? {} : { type: 'http' }),
    url,
    ...(typeof headers === 'string' ? { headers: JSON.parse(headers) as unknown } : {}),
    ...(Object.keys(variables).length === 0 ? {} : { env: variables }),
    ...others,
  }
}

/** The arguments of `countersign mcp`, where the entry starts that; else null. */
export function startsProxy({ command, args }: Entry): readonly unknown[] | null {
  if (typeof command !== 'string' || !Array.isArray(args)) return null
  if (/(?:^|\/)countersign$/.test(command) && args[0] === 'mcp') return args.slice(1)
  const program: unknown = args[0]
  return typeof program === 'string' && /\/dist\/cli\/bin\.js$/.test(program) && args[1] === 'mcp' ? args.slice(2) : null
}
