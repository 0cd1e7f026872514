/** Which agents are on this machine: their program in the path, or what they leave in a home. Nothing is run. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { HostAbout } from './adapter.ts'

export function isPresent({ programs, traces }: Pick<HostAbout, 'programs' | 'traces'>): boolean {
  return programs.some((name) => programPath(name) !== null) || traces.some((trace) => existsSync(join(homedir(), trace)))
}

/** The program that the user's shell would start; null where there is none. */
export function programPath(name: string): string | null {
  const directories = (process.env.PATH ?? '').split(delimiter).filter((directory) => directory.startsWith('/'))
  return directories.map((directory) => join(directory, name)).find(isProgram) ?? null
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
