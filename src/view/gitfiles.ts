/**
 * Reads what git keeps in plain files: HEAD, the configuration and the pointers of worktrees. No subprocess, because a
 * repository's own configuration may name programs that git would run.
 */
import type { GitAnswer } from '../facts/view.ts'

/** Text of a file, or null where it is not a readable file. */
export type ReadText = (path: string) => string | null
/** Kernel-true path and type, as the View answers. */
export type Resolve = (path: string) => { readonly real: string; readonly type: string }

/** Sections by lower-cased `section` or `section "Sub"` name; keys lower-cased; the last value of a key wins. */
export type GitConfig = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Parses the git configuration syntax: sections, subsections, comments, quotes, escapes and continued lines. */
export function parseGitConfig(text: string): GitConfig {
  const sections = new Map<string, Map<string, string>>()
  let current = new Map<string, string>()
  for (const line of joinContinued(text)) {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith(';')) continue
    if (trimmed.startsWith('[')) {
      const name = sectionName(trimmed)
      current = sections.get(name) ?? new Map<string, string>()
      sections.set(name, current)
      continue
    }
    const equals = trimmed.indexOf('=')
    const key = (equals < 0 ? trimmed : trimmed.slice(0, equals)).trim().toLowerCase()
    current.set(key, equals < 0 ? 'true' : unquote(trimmed.slice(equals + 1).trim()))
  }
  return sections
}

function joinContinued(text: string): string[] {
  const lines: string[] = []
  let open = ''
  for (const line of text.split('\n')) {
    const body = line.endsWith('\r') ? line.slice(0, -1) : line
    if (body.endsWith('\\') && !body.endsWith('\\\\')) {
      open += body.slice(0, -1)
      continue
    }
    lines.push(open + body)
    open = ''
  }
  if (open !== '') lines.push(open)
  return lines
}

function sectionName(header: string): string {
  const close = header.lastIndexOf(']')
  const inner = header.slice(1, close < 0 ? header.length : close).trim()
  const quote = inner.indexOf('"')
  if (quote < 0) return inner.toLowerCase()
  const sub = inner
    .slice(quote + 1, inner.endsWith('"') ? -1 : undefined)
    .replaceAll('\\"', '"')
    .replaceAll('\\\\', '\\')
  return `${inner.slice(0, quote).trim().toLowerCase()} ${sub}`
}

function unquote(value: string): string {
  let out = ''
  let quoted = false
  for (let i = 0; i < value.length; i += 1) {
    const char = value[i] ?? ''
    if (char === '\\') {
      i += 1
      const next = value[i] ?? ''
      out += next === 'n' ? '\n' : next === 't' ? '\t' : next
    } else if (char === '"') quoted = !quoted
    else if (!quoted && (char === '#' || char === ';')) break
    else out += char
  }
  return quoted ? out : out.trimEnd()
}

/** Where a repository lies: its work tree and its own directory. */
export interface Repository {
  readonly top: string
  readonly gitDir: string
}

/** The repository around `path`; null outside one. Reads nothing but a pointer that stands in the place of `.git`. */
export function findRepository(path: string, resolve: Resolve, read: ReadText): Repository | null {
  let directory = resolve(path).real
  for (;;) {
    const marker = resolve(`${directory === '/' ? '' : directory}/.git`)
    if (marker.type === 'directory') return { top: directory, gitDir: marker.real }
    if (marker.type === 'file') {
      const pointer = read(marker.real)?.trim()
      if (pointer?.startsWith('gitdir:')) {
        const to = pointer.slice('gitdir:'.length).trim()
        return { top: directory, gitDir: resolve(to.startsWith('/') ? to : `${directory}/${to}`).real }
      }
    }
    if (directory === '/' || directory === '') return null
    directory = directory.slice(0, directory.lastIndexOf('/')) || '/'
  }
}

/** What git would say of the repository around `path`; null outside one. */
export function readRepository(path: string, resolve: Resolve, read: ReadText): GitAnswer | null {
  const found = findRepository(path, resolve, read)
  return found === null ? null : describe(found, resolve, read)
}

function describe({ top, gitDir }: Repository, resolve: Resolve, read: ReadText): GitAnswer {
  const common = read(`${gitDir}/commondir`)?.trim()
  const shared = common === undefined ? gitDir : resolve(common.startsWith('/') ? common : `${gitDir}/${common}`).real
  const config = parseGitConfig(read(`${shared}/config`) ?? '')
  const head = read(`${gitDir}/HEAD`)?.trim() ?? ''
  const ref = 'ref: refs/heads/'
  const remotes: [string, string][] = []
  for (const [section, entries] of config) {
    const url = entries.get('url')
    if (section.startsWith('remote ') && url !== undefined) remotes.push([section.slice('remote '.length), url])
  }
  return {
    top,
    branch: head.startsWith(ref) ? head.slice(ref.length) : null,
    remotes: record(remotes),
    aliases: record([...(config.get('alias') ?? [])]),
  }
}

function record(entries: readonly (readonly [string, string])[]): Record<string, string> {
  const out: Record<string, string> = Object.create(null)
  for (const [key, value] of entries) out[key] = value
  return out
}
