import type { CommandSpec } from '../host.ts'
import { withOwnOptions } from './own-options.ts'
import { programNamed } from './programs.ts'

/** Finds what is known of a program: wrapper, interpreter or command, in one registry that programs.ts puts together. */

export { programNames } from './programs.ts'

/** `python` of `python3.11`, `gcc` of `gcc-12`. */
function unversioned(name: string): string {
  let end = name.length
  while (end > 0 && '0123456789.-'.includes(name[end - 1] ?? '')) end--
  return name.slice(0, end)
}

/** Interpreters of which several versions lie beside each other. Of other wrappers `watch2` is no version but another program. */
const VERSIONED = /^(?:python|pypy|perl|ruby|php|lua|node)[\d.]+$/

/**
 * The spec of a program by base name, or null where no table knows it. Letter case and `.exe` are ignored where the exact
 * name is unknown (file systems that fold case run `RM` as `rm`), and so is a version (`python3.11`).
 */
export function lookup(name: string): CommandSpec | null {
  const exact = programNamed(name)
  if (exact !== undefined) return withOwnOptions(name, exact)
  const folded = name.toLowerCase().replace(/\.exe$/, '')
  const plain = programNamed(folded) ?? versionOf(folded)
  if (plain !== undefined && plain !== null) return withOwnOptions(folded, plain)
  return folded.startsWith('mkfs.') ? (programNamed('mkfs') ?? null) : null
}

function versionOf(name: string): CommandSpec | null {
  const spec = programNamed(unversioned(name))
  return spec === undefined || (spec.wraps === true && !VERSIONED.test(name)) ? null : spec
}
