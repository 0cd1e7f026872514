/**
 * The session of a proxy that nobody named one for: that of the process which started it. A client starts one proxy for each of its servers,
 * and what one of them returns is what the next one is asked with.
 */
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'

export interface Process {
  readonly pid: number
  readonly parent: number
  /** When it began, as the system writes it: a number is given to another process later. */
  readonly started: string
  readonly words: readonly string[]
}

/** Null: it is gone, or the system does not tell. */
export type LookAt = (pid: number) => Process | null

/** Launchers between the client and us. */
const MAX_BETWEEN = 8
const SHELLS: ReadonlySet<string> = new Set('sh bash dash ash zsh ksh mksh fish busybox'.split(' '))
/** Whoever is left without a parent gets one of these: it started nobody. */
const KEEPERS: ReadonlySet<string> = new Set('init systemd launchd tini dumb-init docker-init catatonit runit s6-svscan'.split(' '))

/** The process that had this proxy started, past what only handed its command line on; null where it cannot be told. */
export function hostProcess(from: number, look: LookAt): Process | null {
  let at = look(from)
  for (let i = 0; at !== null && isLauncher(at); i += 1) at = i < MAX_BETWEEN ? look(at.parent) : null
  return at === null || KEEPERS.has(programOf(at)) ? null : at
}

/** Its own command line says what it starts: `sh -c 'countersign mcp …'`, `npx countersign mcp …`, a script of the shell. */
function isLauncher(process: Process): boolean {
  const { words } = process
  const starts = words.some((word, at) => OURS.test(word) && words[at + 1] === 'mcp')
  return starts || (SHELLS.has(programOf(process)) && words.slice(1).some((word) => !word.startsWith('-')))
}

const OURS = /(?:^|\/)(?:countersign|load\.cjs|bin\.[jt]s)$/

function programOf({ words: [first = ''] }: Process): string {
  return basename(first).replace(/^-/, '')
}

/** Null: a session of its own. */
export function hostSession(): string | null {
  try {
    const found = hostProcess(process.ppid, process.platform === 'linux' ? lookInProc : lookByPs)
    if (found === null) return null
    const which = [process.platform === 'linux' ? machine() : '', found.pid, found.started]
    return `mcp-${hash('sha256', `countersign/mcp-host/v1\n${JSON.stringify(which)}`).slice(0, 24)}`
  } catch {
    return null
  }
}

/** Numbers of processes mean something in one run of a machine, and in one container. */
function machine(): string {
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
}

function lookInProc(pid: number): Process | null {
  if (pid <= 0) return null
  // The name in brackets may hold anything.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const words = wordsOf(readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  return { pid, parent: Number(fields[1]), started: fields[19] ?? '', words }
}

/** macOS and the BSDs. */
function lookByPs(pid: number): Process | null {
  if (pid <= 0) return null
  const env = { PATH: '/bin:/usr/bin', LC_ALL: 'C' }
  const line = execFileSync('ps', ['-ww', '-o', 'ppid=,lstart=,command=', '-p', String(pid)], { encoding: 'utf8', env, timeout: 2_000 })
  const found = /^\s*(\d+)\s+(\w{3}\s+\w{3}\s+\d+\s+[\d:]+\s+\d+)\s+(.*)/s.exec(line)
  return found === null ? null : { pid, parent: Number(found[1]), started: found[2] ?? '', words: wordsOf(found[3] ?? '') }
}

function wordsOf(line: string): readonly string[] {
  return line
    .split(/[\0\s]+/)
    .map((word) => word.replace(/^['"]|['"]$/g, ''))
    .filter((word) => word !== '')
}
