/** Which running processes a plain pattern selects, as `pkill` and `killall` would, and whose they are. */
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { basename } from 'node:path'
import type { ProcessChoice, ProcessesAnswer, View } from '../facts/view.ts'
import type { Memory } from './memory.ts'

export interface RunningProcess {
  /** As the system shows it: 15 characters at most. */
  readonly name: string
  /** The words of its command line, joined by spaces. */
  readonly command: string
  /** Kernel-true; null where it cannot be read. */
  readonly cwd: string | null
  /** A person has it in a terminal, or it is another user's. */
  readonly isAnothers: boolean
}

export interface Choosing {
  readonly pattern: string
  readonly by: ProcessChoice
  readonly roots: readonly string[]
}

/** Without operators of patterns other than the dot, so that nothing is matched here that is not matched there. */
const PLAIN = /^[\w ./:@=-]{2,200}$/
/** Agents, and what a person works in: never the project's own. */
const NOBODYS =
  /^(?:claude|codex|gemini|opencode|qwen|copilot|cursor|aider|goose|amp|droid|kiro|cline|windsurf|code|countersign|tmux|screen)\b/i

/** Null where the pattern says more than plain text. */
export function chosenProcesses(running: readonly RunningProcess[], { pattern, by, roots }: Choosing): ProcessesAnswer | null {
  if (!PLAIN.test(pattern)) return null
  // Without regard to case: what a stricter look would pass over counts, too.
  const matcher = new RegExp(pattern.replace(/[^\w .]/g, String.raw`\$&`), 'i')
  const chosen = running.filter(({ name, command }) => {
    if (by === 'exact') return name.toLowerCase() === pattern.slice(0, 15).toLowerCase()
    return matcher.test(by === 'line' ? command : name)
  })
  const ours = chosen.filter((each) => isOurs(each, roots)).length
  return { workspace: ours, others: chosen.length - ours }
}

function isOurs({ name, command, cwd, isAnothers }: RunningProcess, roots: readonly string[]): boolean {
  const [program = '', script = ''] = command.split(' ', 2)
  if (isAnothers || cwd === null || [name, program, script].some((word) => NOBODYS.test(basename(word)))) return false
  return roots.some((root) => cwd === root || cwd.startsWith(`${root}/`))
}

const MAX_PROCESSES = 4096

/** The processes of this machine but this one; null where the system does not tell, or has more than can be looked at. */
export function runningProcesses(): readonly RunningProcess[] | null {
  try {
    const numbers = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    return numbers.length > MAX_PROCESSES ? null : numbers.flatMap(oneProcess)
  } catch {
    return null // no /proc on this system
  }
}

/** Nothing where it ended meanwhile, has ended, or is the kernel's own. */
function oneProcess(pid: string): readonly RunningProcess[] {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trimEnd()
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const end = stat.lastIndexOf(')')
    const [state, , , , terminal] = stat.slice(end + 2).split(' ')
    if (command === '' || state === 'Z') return []
    const isAnothers = terminal !== '0' || statSync(`/proc/${pid}`).uid !== process.getuid?.()
    return [{ name: stat.slice(stat.indexOf('(') + 1, end), command, cwd: directoryOf(pid), isAnothers }]
  } catch {
    return []
  }
}

function directoryOf(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

/** The part of a View that answers for processes; `running` is asked once, and only where somebody asks. */
export function processesOf(running: () => readonly RunningProcess[] | null, roots: () => readonly string[], memory: Memory) {
  const processes: NonNullable<View['processes']> = (pattern, by) =>
    memory.once('processes', `${by}:${pattern}`, () => {
      const all = running()
      return all === null ? null : chosenProcesses(all, { pattern, by, roots: roots() })
    })
  return { processes }
}
