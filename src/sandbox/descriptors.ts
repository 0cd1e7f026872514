/** Descriptors that this process was started with and would hand on to every program that it starts. */
import { openSync, readdirSync, readFileSync } from 'node:fs'

/** Beyond this a program is not started at all: each one costs a descriptor of its own. */
const MOST = 1_024
/** `O_CLOEXEC`: what Node opens has it, and ends where another program begins. */
const CLOSES = 0o2000000

/**
 * `own`, and beyond it what covers everything that would be inherited: at the place of an open descriptor the program finds `/dev/null`.
 * Null where there are too many.
 */
export function coveredStdio(own: readonly ('ignore' | 'pipe')[]): ('ignore' | 'pipe' | number)[] | null {
  const open = new Set(inherited())
  const last = Math.max(own.length - 1, ...open)
  if (last > MOST) return null
  // Beyond the usual three, 'ignore' would leave what is open there as it is.
  return Array.from({ length: last + 1 }, (_, index) => own[index] ?? (open.has(index) ? nothing() : 'ignore'))
}

let covering: number | null = null

function nothing(): number {
  covering ??= openSync('/dev/null', 'r')
  return covering
}

function inherited(): readonly number[] {
  return names('/proc/self/fd').flatMap((name) => {
    const flags = /^flags:\s*([0-7]+)/m.exec(textOf(`/proc/self/fdinfo/${name}`))?.[1]
    return flags === undefined || (Number.parseInt(flags, 8) & CLOSES) !== 0 ? [] : [Number(name)]
  })
}

function names(path: string): readonly string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
