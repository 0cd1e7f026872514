/** What of this machine a judge's tools may see: the worker's directories as they really are, without what is private in them. */
import { realpathSync, statSync } from 'node:fs'
import { isInside } from '../../sandbox/private.ts'
import { NoAnswer } from '../answer.ts'

export interface Mount {
  /** As the policy or the call names it. */
  readonly written: string
  /** Without symbolic links. */
  readonly real: string
}

/** Too wide to be the work of one agent: what lies beside it is not for a judge. */
const TOO_WIDE: ReadonlySet<string> = new Set(['/', '/home', '/Users', '/var', '/tmp', '/usr', '/opt', '/mnt', '/srv', '/nix'])
/** The sandbox has its own, or the machine's secrets stand there. */
const NEVER = ['/etc', '/proc', '/sys', '/dev', '/run', '/boot'] as const

/** @throws {NoAnswer} where a directory is missing, too wide, or no directory. */
export function mountsOf(directories: readonly string[]): readonly Mount[] {
  if (directories.length === 0) throw unusable('the call does not say where it comes from, and the policy names no `mounts`')
  return directories.map((written) => {
    const real = realDirectory(written)
    if (TOO_WIDE.has(real)) throw unusable(`\`${real}\` is too wide to be shown to a judge`)
    if (NEVER.some((path) => isInside(real, path))) throw unusable(`\`${real}\` is never shown to a judge`)
    return { written, real }
  })
}

/** @throws {NoAnswer} where it is missing or no directory. */
export function realDirectory(path: string): string {
  try {
    const real = realpathSync(path)
    if (statSync(real).isDirectory()) return real
  } catch {
    // ToolAnswer below.
  }
  throw unusable(`\`${path}\` is no directory that can be seen`)
}

function unusable(message: string): NoAnswer {
  return new NoAnswer('judge.sandbox', message)
}
