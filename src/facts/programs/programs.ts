import type { CommandSpec, CommandTable } from '../host.ts'
import { SYSTEM } from './system-tables.ts'
import { TOOLS } from './tools.ts'
import { WRAPPERS } from './wrapper-tables.ts'

/**
 * Every family of programs in one index. In the bundle of the command line another module stands here, one that builds a family
 * when the first of its programs is asked for: a hook answers for one command (scripts/build/families.ts).
 */

/** Every family; a name stands in one of them only, or the build fails. */
export const FAMILIES: readonly CommandTable[] = [...WRAPPERS, ...SYSTEM, ...TOOLS]

const programs: ReadonlyMap<string, CommandSpec> = new Map(FAMILIES.flatMap((family) => Object.entries(family)))

/** The spec of exactly this name. */
export function programNamed(name: string): CommandSpec | undefined {
  return programs.get(name)
}

/** Every program name of the tables. */
export function programNames(): readonly string[] {
  return [...programs.keys()]
}
