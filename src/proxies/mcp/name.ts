/** By which name the policy knows a server: the operator's own, or one that is taken from how the operator starts it. Never the server's. */
import { resolve } from 'node:path'

/** Programs that run a package, an image or a file by its name. */
const RUNNERS: ReadonlySet<string> = new Set(
  'npx npm pnpm pnpx yarn bunx bun uvx uv pipx docker podman node deno python python3 tsx ts-node env sh bash'.split(' '),
)
/** Words behind a runner that are not what it runs. */
const VERBS: ReadonlySet<string> = new Set('exec run dlx x tool start index main server mcp dist build src lib bin cli'.split(' '))
/** Options whose value is a word of its own. */
const VALUED: ReadonlySet<string> = new Set(
  '-e --env -v --volume --mount --name -p --publish --network --env-file -w --workdir -u --user'.split(' '),
)

/** `npx -y @modelcontextprotocol/server-filesystem /data` is `filesystem`. */
export function nameOfCommand(command: readonly string[]): string {
  return telling(command)?.name ?? plain(command[0]?.split(/[\\/]/).at(-1) ?? '') ?? 'server'
}

/** The word of a command that says what it runs, and the name in it. */
function telling(command: readonly string[]): { readonly word: string; readonly name: string } | null {
  let skip = false
  for (const word of command) {
    if (skip) skip = false
    else if (VALUED.has(word)) skip = true
    else if (!word.startsWith('-')) {
      const name = nameOfWord(word)
      if (name !== null) return { word, name }
    }
  }
  return null
}

/**
 * What a command runs, whatever it is told besides: `npx @modelcontextprotocol/server-filesystem` for every directory and version. A file
 * is named from the root, for each project may have its own.
 */
export function identityOfCommand(command: readonly string[], cwd: string): string {
  const [program = ''] = command
  const found = telling(command)
  const word = found?.word ?? ''
  const what =
    /^\.{0,2}[\\/]/.test(word) || /\.(?:[cm]?[jt]s|py|sh)$/.test(word)
      ? resolve(cwd, word)
      : word.replace(/(?<=[^/])@[^@/]*$/, '').replace(/:[^:/]*$/, '')
  if (what === '' || found?.word === program) return what === '' ? command.join(' ') : what
  return `${program.split(/[\\/]/).at(-1) ?? ''} ${what}`
}

/** `https://mcp.linear.app/sse` is `linear`. */
export function nameOfUrl(url: URL): string {
  const labels = url.hostname.split('.').filter((label) => !/^(?:www|api|mcp|app|com|org|net|io|dev|ai|co|\d+)$/.test(label))
  const path = url.pathname.split('/').filter((part) => part !== '' && !/^(?:mcp|sse|v\d+|api)$/.test(part))
  const isAddress = /^[\d.]+$|:/.test(url.hostname) || url.hostname === 'localhost'
  return plain((isAddress ? path[0] : labels.at(-1)) ?? '') ?? plain(url.hostname) ?? 'server'
}

/** The last part of a path or a package name that says something; null for a program that runs others. */
function nameOfWord(word: string): string | null {
  const parts = word
    .split(/[\\/]/)
    .filter((part) => part !== '')
    .map(bareName)
  if (RUNNERS.has(parts.at(-1)?.toLowerCase() ?? '')) return null
  for (const part of parts.toReversed()) {
    if (VERBS.has(part.toLowerCase())) continue
    const words = part.split(/[-_.]/).filter((each) => !/^(?:mcp|server|servers|modelcontextprotocol)$/i.test(each))
    const name = plain(words.join('-'))
    if (name !== null) return name
  }
  return null
}

/** Without a version, a tag, or the ending of a program. */
function bareName(part: string): string {
  return part
    .replace(/(?<=.)@[^@]*$/, '')
    .replace(/:[^:]*$/, '')
    .replace(/\.(?:[cm]?[jt]s|py|exe|sh)$/, '')
    .replace(/^@/, '')
}

function plain(text: string): string | null {
  const words = text.split(/[^A-Za-z0-9_]/).filter((word) => word !== '')
  return words.length === 0 ? null : words.join(text.includes('-') ? '-' : '.').slice(0, 100)
}
