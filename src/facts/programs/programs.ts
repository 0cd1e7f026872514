import type { CommandSpec } from '../host.ts'
import { SYSTEM } from './system-tables.ts'
import { TOOLS } from './tools.ts'

/**
 * Every family of programs in one index. In the bundle of the command line another module stands here, one that builds a family
 * when the first of its programs is asked for: a hook answers for one command (scripts/build/families.ts).
 */

const programs: ReadonlyMap<string, CommandSpec> = new Map([...SYSTEM, ...TOOLS].flatMap((family) => Object.entries(family)))

/** The spec of exactly this name. */
export function programNamed(name: string): CommandSpec | undefined {
  return programs.get(name)
}

/** Every program name of the tables. */
export function programNames(): readonly string[] {
  return [...programs.keys()]
}
