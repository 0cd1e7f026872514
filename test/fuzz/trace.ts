/** Traces of `strace -ff -y` to what really happened: programs executed, files written, files deleted. */

export interface Happened {
  readonly kind: 'executed' | 'written' | 'deleted'
  readonly path: string
  /** What was written is a new directory. */
  readonly directory?: true
}

const CALL = /^(\w+)\((.*)\)\s+= (-?\d+|\?)/
const STRING = /"((?:[^"\\]|\\.)*)"/g
const AT = /^(?:AT_FDCWD|\d+)<([^>]*)>/

interface Reading {
  /** The directory of the process where the trace does not say. */
  readonly start: string
  /** Filled with files that the process made under a name of its own and then took away itself. */
  readonly away: Set<string>
  /** Symbolic links that were made, by their paths, and where they lead. */
  readonly links: Map<string, string>
}

/** Reads one process' trace. */
function readTrace(text: string, { start, away, links }: Reading): readonly Happened[] {
  const own = new Set<string>()
  const happened: Happened[] = []
  let directory = start
  for (const line of text.split('\n')) {
    const match = CALL.exec(line)
    if (match === null) continue
    const [, name = '', args = '', result = ''] = match
    const at = AT.exec(args)?.[1]
    if (at !== undefined && args.startsWith('AT_FDCWD')) directory = at
    if (result.startsWith('-') || result === '?') continue
    const names = [...args.matchAll(STRING)].map((found) => plain(found[1] ?? ''))
    const paths = names.map((path) => absolute(path, at ?? directory, links))
    if (name === 'chdir') directory = paths[0] ?? directory
    else if (name === 'fchdir') directory = AT.exec(args)?.[1] ?? directory
    else {
      const events = eventsOf({ name, args, paths, directory, links })
      for (const item of events) if (item.kind === 'deleted' && own.has(item.path)) away.add(item.path)
      if (name.startsWith('symlink')) links.set(events[0]?.path ?? '', names[0] ?? '')
      for (const item of events) if (item.kind === 'deleted') links.delete(item.path)
      const made = args.includes('O_EXCL') || /^(?:rename|symlink|link)/.test(name)
      for (const item of events) if (made && item.kind === 'written') own.add(item.path)
      happened.push(...events)
    }
  }
  return happened
}

interface Call {
  readonly name: string
  readonly args: string
  readonly paths: readonly string[]
  readonly directory: string
  readonly links: ReadonlyMap<string, string>
}

function eventsOf(call: Call): readonly Happened[] {
  const { name, args, paths } = call
  const [first = '', second = ''] = paths
  switch (name) {
    case 'execve':
    case 'execveat':
      return [{ kind: 'executed', path: first }]
    case 'open':
    case 'openat':
    case 'openat2':
    case 'creat': {
      if (name !== 'creat' && !/O_WRONLY|O_RDWR/.test(args)) return []
      return [{ kind: 'written', path: first }]
    }
    case 'mkdir':
    case 'mkdirat':
      return [{ kind: 'written', path: first, directory: true }]
    case 'mknod':
    case 'mknodat':
    case 'truncate':
      return [{ kind: 'written', path: first }]
    case 'symlink':
    case 'symlinkat': {
      const directory = /"[^"]*", (?:AT_FDCWD|\d+)<([^>]*)>/.exec(args)?.[1] ?? call.directory
      return [{ kind: 'written', path: absolute(rawSecond(args), directory, call.links) }]
    }
    case 'link':
    case 'linkat':
      return [{ kind: 'written', path: secondPath(call) }]
    case 'unlink':
    case 'unlinkat':
    case 'rmdir':
      return [{ kind: 'deleted', path: first }]
    case 'rename':
    case 'renameat':
    case 'renameat2': {
      const to = name === 'rename' ? second : secondPath(call)
      return [
        { kind: 'deleted', path: first },
        { kind: 'written', path: to },
      ]
    }
    default:
      return []
  }
}

function rawSecond(args: string): string {
  return plain([...args.matchAll(STRING)][1]?.[1] ?? '')
}

/** The second path of `renameat(dir<…>, "a", dir<…>, "b")`. */
function secondPath({ args, directory, links }: Call): string {
  const second = /", (?:AT_FDCWD|\d+)<([^>]*)>, "/.exec(args)?.[1] ?? directory
  return absolute(rawSecond(args), second, links)
}

/** strace writes bytes; names are read as UTF-8. */
function plain(text: string): string {
  const bytes = text.replace(/\\(?:x([\da-f]{2})|([0-7]{1,3})|(.))/g, (_, hex?: string, octal?: string, letter?: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
    return { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f' }[letter ?? ''] ?? letter ?? ''
  })
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** The path without `.` and `..`, and through the links on its way; the last name stays what it is. */
function absolute(path: string, directory: string, links: ReadonlyMap<string, string>): string {
  let names: string[] = []
  const left = (path.startsWith('/') ? path : `${directory}/${path}`).split('/').filter((name) => name !== '' && name !== '.')
  for (let name = left.shift(), steps = 0; name !== undefined && steps < 256; name = left.shift(), steps++) {
    if (name === '..') names.pop()
    else names.push(name)
    const to = left.length > 0 ? links.get(`/${names.join('/')}`) : undefined
    if (to === undefined) continue
    names = to.startsWith('/') ? [] : names.slice(0, -1)
    left.unshift(...to.split('/').filter((item) => item !== '' && item !== '.'))
  }
  return `/${names.join('/')}`
}

/**
 * What happened in all processes. Left out: files that a process made under a name of its own and took away itself, and the
 * going of a file that the same process put back (`sed -i.bak`).
 */
export function readTraces(texts: readonly string[], start: string): readonly Happened[] {
  const links = new Map<string, string>()
  return texts.flatMap((text) => {
    const away = new Set<string>()
    const happened = readTrace(text, { start, away, links })
    const back = new Set(happened.filter((item) => item.kind === 'written').map((item) => item.path))
    return happened.filter((item) => {
      if (item.kind === 'executed') return true
      if (away.has(item.path)) return false
      return item.kind === 'written' || !back.has(item.path)
    })
  })
}
