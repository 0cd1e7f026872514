/** Where the gate keeps its state; alone in its file, so that to know it loads nothing else. */
import { homedir } from 'node:os'
import { join } from 'node:path'

/** `$COUNTERSIGN_HOME`, else `~/.countersign`. */
export function stateDirectory(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  const given = environment.COUNTERSIGN_HOME
  return given === undefined || given === '' ? join(homedir(), '.countersign') : given
}
