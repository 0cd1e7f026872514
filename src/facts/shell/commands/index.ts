import type { CommandSpec, CommandTable } from '../spec.ts'
import { SYSTEM } from './system-tables.ts'
import { TOOLS } from './tools.ts'

/** Every family of programs in one table. A family is one file that exports one `CommandTable`; it is listed here once. */

const FAMILIES: readonly CommandTable[] = [...SYSTEM, ...TOOLS]

const programs: ReadonlyMap<string, CommandSpec> = new Map(FAMILIES.flatMap((family) => Object.entries(family)))

/** `python` of `python3.11`, `gcc` of `gcc-12`. */
function unversioned(name: string): string {
  let end = name.length
  while (end > 0 && '0123456789.-'.includes(name[end - 1] ?? '')) end--
  return name.slice(0, end)
}

/**
 * The spec of a program by base name, or null where no table knows it. Letter case and `.exe` are ignored where the exact
 * name is unknown (file systems that fold case run `RM` as `rm`), and so is a version (`python3.11`).
 */
export function lookup(name: string): CommandSpec | null {
  const exact = programs.get(name)
  if (exact !== undefined) return exact
  const folded = name.toLowerCase().replace(/\.exe$/, '')
  return programs.get(folded) ?? programs.get(unversioned(folded)) ?? (folded.startsWith('mkfs.') ? (programs.get('mkfs') ?? null) : null)
}

/** Every program name of the tables. */
export function programNames(): readonly string[] {
  return [...programs.keys()]
}
