import type { CommandSpec } from '../host.ts'
import { programNamed } from './programs.ts'

/** Finds what is known of a program. A family's files export one `CommandTable` each; system-tables.ts and tools.ts list them. */

export { programNames } from './programs.ts'

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
  const exact = programNamed(name)
  if (exact !== undefined) return exact
  const folded = name.toLowerCase().replace(/\.exe$/, '')
  return programNamed(folded) ?? programNamed(unversioned(folded)) ?? (folded.startsWith('mkfs.') ? (programNamed('mkfs') ?? null) : null)
}
