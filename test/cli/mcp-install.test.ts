/** `countersign mcp install`: servers of five clients are put behind the proxy in their own files, and come out byte for byte. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { CLI, type Home, makeHome } from '../hosts/harness.ts'
import { commandLine } from '../support/command-line.ts'
import { connectedWith, serverCommand } from '../support/mcp-peers.ts'

let home: Home
beforeEach(() => {
  home = makeHome()
})
afterEach(() => home.remove())

const at = (path: string): string => join(home.user, path)
function put(path: string, text: string): string {
  mkdirSync(dirname(at(path)), { recursive: true })
  writeFileSync(at(path), text)
  return text
}
const get = (path: string): string => readFileSync(at(path), 'utf8')
const run = (...args: readonly string[]) => commandLine(home, ['mcp', ...args])

const FILES = `{"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "."], "env": {"TOKEN": "\${TOKEN}"}}`
const CODEX = `model = "gpt-5"  # kept

[mcp_servers.files]   # of ours
command = "npx"
args = [
  "-y",  # at once
  "@modelcontextprotocol/server-filesystem", '.',
]
startup_timeout_sec = 20

[mcp_servers.files.env]
TOKEN = "x"

[mcp_servers."no args"]
command = "server"

[profiles.a]
model = "b"
`

/** Client, its file, what stands there; each with a server \`files\`. */
const CLIENTS: readonly (readonly [string, string, string])[] = [
  ['claude-code', '.claude.json', `{\n  "numStartups": 3,\n  "mcpServers": {\n    "files": ${FILES}\n  },\n  "projects": {}\n}`],
  ['claude-code', '.mcp.json', `\ufeff{"mcpServers": {"files": ${FILES}}}\n`],
  ['codex', '.codex/config.toml', CODEX],
  [
    'gemini-cli',
    '.gemini/settings.json',
    `{\r\n\t"theme": "x",\r\n\t"mcpServers": {\r\n\t\t"files": {\r\n\t\t\t"command": "npx", "args": [], "trust": true\r\n\t\t}\r\n\t}\r\n}`,
  ],
  ['cursor', '.cursor/mcp.json', `{ "mcpServers": { "files": ${FILES}, "web": { "url": "http://127.0.0.1:9/mcp" } } }`],
  [
    'vscode',
    '.vscode/mcp.json',
    `{\n  // of the team\n  "inputs": [],\n  "servers": {\n    "files": {\n      "type": "stdio",\n      "command": "npx",\n      "args": ["a"], /* b */\n    },\n  },\n}\n`,
  ],
]

describe('install', () => {
  for (const [client, path, text] of CLIENTS) {
    test(`${client}, ${path}: behind the proxy, once, and back byte for byte`, async () => {
      put(path, text)
      const only = ['--client', client, '--yes'] as const
      expect((await run('install', '--client', client, '--dry-run')).status).toBe(0)
      expect(get(path)).toBe(text)
      const installed = await run('install', ...only)
      expect([installed.status, installed.stderr]).toEqual([0, ''])
      const behind = get(path)
      expect(behind).toContain('--name')
      expect((await run('install', ...only)).stdout).toContain('nothing to change')
      expect(get(path)).toBe(behind)
      expect((await run('uninstall', ...only)).status).toBe(0)
      expect(get(path)).toBe(text)
      expect(existsSync(join(home.state, 'mcp', 'taken.json'))).toBe(false)
    })
  }

  test('what else stands in the file changes meanwhile, and stays', async () => {
    put('.cursor/mcp.json', `{ "mcpServers": { "files": ${FILES} } }`)
    await run('install', '--yes')
    const behind = JSON.parse(get('.cursor/mcp.json')) as { mcpServers: Record<string, object> }
    // The client writes the file anew, with another server, and the user gives the first one a variable.
    const entry = { ...behind.mcpServers.files, env: { TOKEN: 'other' } }
    put('.cursor/mcp.json', JSON.stringify({ mcpServers: { files: entry, more: { command: 'x' } }, other: 1 }, null, 4))
    await run('uninstall', '--yes')
    expect(JSON.parse(get('.cursor/mcp.json'))).toEqual({
      mcpServers: { files: { ...(JSON.parse(FILES) as object), env: { TOKEN: 'other' } }, more: { command: 'x' } },
      other: 1,
    })
  })

  test('what cannot stand behind it stays, and is told', async () => {
    const text = put(
      '.mcp.json',
      JSON.stringify({
        mcpServers: {
          old: { type: 'sse', url: 'https://a.example.com/x' },
          login: { type: 'http', url: 'https://a.example.com/mcp' },
          helper: { type: 'http', url: 'https://a.example.com/mcp', headersHelper: './token.sh' },
          'a b': { command: 'x' },
          odd: {},
        },
      }),
    )
    const { status, stdout } = await run('install', '--yes')
    expect([status, get('.mcp.json')]).toEqual([0, text])
    for (const said of [
      'the old HTTP with SSE',
      'have to log in',
      '`headersHelper`',
      'other characters',
      'neither `command` nor an address',
    ])
      expect(stdout).toContain(said)
  })

  test('secrets in headers do not come to stand on a command line', async () => {
    put('.mcp.json', JSON.stringify({ mcpServers: { api: { type: 'http', url: 'https://a.example.com/mcp', headers: { A: 'secret' } } } }))
    await run('install', '--yes')
    const { mcpServers } = JSON.parse(get('.mcp.json')) as { mcpServers: { api: { args: string[]; env: Record<string, string> } } }
    expect([mcpServers.api.args.join(' '), mcpServers.api.env]).toEqual([
      'mcp --name api --url https://a.example.com/mcp',
      { COUNTERSIGN_MCP_HEADERS: '{"A":"secret"}' },
    ])
  })

  test('files that are no JSON or TOML, or say a thing twice, are left alone', async () => {
    for (const [path, text] of [
      ['.mcp.json', '{"mcpServers": {'],
      ['.cursor/mcp.json', `{ "mcpServers": { "files": ${FILES}, "files": ${FILES} } }`],
      ['.gemini/settings.json', '{ "mcpServers": { "files": process.exit() } }'],
      ['.codex/config.toml', '[mcp_servers.files]\ncommand = "x"\ncommand = "y"\n'],
    ] as const) {
      put(path, text)
      expect((await run('install', '--yes')).stdout).toContain('cannot be read')
      expect(get(path)).toBe(text)
    }
  })

  test('a table that is written in another form is not touched', async () => {
    const text = put('.codex/config.toml', 'mcp_servers.files = { command = "x", args = ["a"] }\n')
    expect((await run('install', '--yes')).stdout).toContain('cannot be changed safely')
    expect(get('.codex/config.toml')).toBe(text)
  })

  test('refuses clients and scopes that it does not know', async () => {
    expect((await run('install', '--client', 'netscape')).stderr).toContain('valid: claude-code, codex, gemini-cli, cursor, vscode')
    expect((await run('install', '--scope', 'all')).stderr).toContain('`user` or `project`')
  })
})

describe('what was installed', () => {
  test('decides about the calls of the client', async () => {
    const [command, ...args] = serverCommand('filesystem', home.user)
    put('policy.yaml', 'version: 1\ndefault: ask\ntool_families: [mcp-filesystem]\nrules:\n  deny: [{ tool: files/write_file }]\n')
    put('.codex/config.toml', `[mcp_servers.files]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`)
    await run('install', '--client', 'codex', '--scope', 'user', '--policy', at('policy.yaml'), '--yes')
    const line = get('.codex/config.toml').split('\n')
    const started = { command: JSON.parse(line[1]?.slice(10) ?? '') as string, args: JSON.parse(line[2]?.slice(7) ?? '') as string[] }
    expect(started.args.slice(0, 6)).toEqual([CLI, 'mcp', '--name', 'files', '--policy', at('policy.yaml')])
    const client = await connectedWith({ ...started, cwd: home.user, env: { ...home.environment } })
    const call = (name: string, more: object) => client.callTool({ name, arguments: { path: at('note.txt'), ...more } })
    expect(JSON.stringify(await call('write_file', { content: 'x' }))).toContain('rules.denied')
    expect(existsSync(at('note.txt'))).toBe(false)
    put('note.txt', 'hello')
    expect(JSON.stringify(await call('read_text_file', {}))).toContain('hello')
  })

  test('the doctor tells servers that go around it', async () => {
    put('.cursor/mcp.json', `{ "mcpServers": { "files": ${FILES} } }`)
    put('.mcp.json', `{ "mcpServers": { "files": ${FILES} } }`)
    put('.vscode/mcp.json', '{ "servers": ')
    const around = (await commandLine(home, ['doctor'])).stdout
    expect(around).toContain('files go around the gate; `countersign mcp install --client cursor')
    expect(around).toMatch(/warn mcp servers of claude-code/)
    expect(around).toMatch(/warn mcp servers of vscode: .*cannot be read/)
    await run('install', '--client', 'cursor', '--yes')
    expect((await commandLine(home, ['doctor'])).stdout).toMatch(/ok {3}mcp servers of cursor: .*all 1 stand behind the proxy/)
    // A program of the same name is not the gate.
    put('.cursor/mcp.json', '{ "mcpServers": { "files": { "command": "./countersign", "args": ["mcp", "--", "x"] } } }')
    expect((await commandLine(home, ['doctor'])).stdout).toMatch(/warn mcp servers of cursor/)
  })
})
