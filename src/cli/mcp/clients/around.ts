/** Servers that clients reach without the gate, for `countersign doctor`. */
import { existsSync, readFileSync } from 'node:fs'
import type { Check } from '../../../hosts/adapter.ts'
import { commandLineProgram } from '../../version.ts'
import { startsProxy } from './entry.ts'
import { type ClientFile, clientFiles } from './places.ts'

/** One line for each file that names servers. `hooked`: clients whose hook asks the gate about calls of their servers, too. */
export function serverChecks(hooked: ReadonlySet<string>): readonly Check[] {
  return clientFiles().flatMap((file) => checkOf(file, hooked))
}

function checkOf(file: ClientFile, hooked: ReadonlySet<string>): readonly Check[] {
  const name = `mcp servers of ${file.client}`
  if (!existsSync(file.path)) return []
  const servers = file.format.read(readFileSync(file.path, 'utf8'), file.at)
  if (servers === null)
    return [{ name, state: 'warn', detail: `${file.path} cannot be read: whether its servers go around the gate is not known` }]
  if (servers.size === 0) return []
  const around = [...servers].filter(([, { entry }]) => !standsBehind(entry)).map(([each]) => each)
  const behind = servers.size - around.length
  if (around.length === 0) return [{ name, state: 'ok', detail: `${file.path}: all ${behind} stand behind the proxy` }]
  const list = around.join(', ')
  if (hooked.has(file.client)) return [{ name, state: 'ok', detail: `${file.path}: the hook sees calls of ${list}` }]
  const way = `countersign mcp install --client ${file.client} --scope ${file.scope}`
  return [{ name, state: 'warn', detail: `${file.path}: ${list} go around the gate; \`${way}\` puts them behind it` }]
}

/** By this installation, or by whatever the path of the user finds. */
function standsBehind(entry: Readonly<Record<string, unknown>>): boolean {
  if (startsProxy(entry) === null) return false
  const [first] = Array.isArray(entry.args) ? entry.args : []
  return entry.command === 'countersign' || first === commandLineProgram().program
}
