/** Patches to effects: the `*** Begin Patch` form of coding agents and unified diffs. Only the headers matter. */
import { type Effect, effect } from '../effect.ts'
import { pathTarget } from '../path/index.ts'
import type { View } from '../view.ts'
import { inspectPath } from './injection.ts'
import type { Argument } from './spec.ts'

interface Place {
  readonly cwd: string | null
  readonly view: View
}

const HEADERS: readonly (readonly [string, 'write' | 'delete' | 'move'])[] = [
  ['*** Add File: ', 'write'],
  ['*** Update File: ', 'write'],
  ['*** Delete File: ', 'delete'],
  ['*** Move to: ', 'write'],
]

/** One effect per file that the patch touches; an opaque one where no header can be read. */
export function patchEffects(argument: Argument, place: Place): readonly Effect[] {
  const found: Effect[] = []
  let offset = 0
  let previous = ''
  for (const line of argument.text.split('\n')) {
    const header = readHeader(line.endsWith('\r') ? line.slice(0, -1) : line, previous)
    if (header !== null) found.push(touch(header, { pointer: argument.pointer, start: offset, end: offset + line.length }, place))
    offset += line.length + 1
    previous = line
  }
  if (found.length > 0) return found
  const span = { pointer: argument.pointer, start: 0, end: argument.text.length }
  const unknown = { kind: 'unknown', value: '', real: null, scope: 'unknown', classes: [] } as const
  return [effect('opaque', unknown, { reason: 'the patch names no file', span, reversible: false, certainty: 'possible' })]
}

interface Header {
  readonly verb: 'write' | 'delete'
  readonly path: string
}

function readHeader(line: string, previous: string): Header | null {
  for (const [prefix, verb] of HEADERS) {
    if (line.startsWith(prefix)) return { verb: verb === 'delete' ? 'delete' : 'write', path: line.slice(prefix.length).trim() }
  }
  if (line.startsWith('+++ ') && previous.startsWith('--- ')) {
    const path = diffPath(line)
    return path === '/dev/null' ? { verb: 'delete', path: diffPath(previous) } : { verb: 'write', path }
  }
  if (line.startsWith('rename from ')) return { verb: 'delete', path: line.slice('rename from '.length) }
  if (line.startsWith('rename to ')) return { verb: 'write', path: line.slice('rename to '.length) }
  return null
}

/** `+++ b/src/x.ts<TAB>date`: without the marker, the side and the date. */
function diffPath(line: string): string {
  const rest = line.slice(4)
  const tab = rest.indexOf('\t')
  const path = (tab < 0 ? rest : rest.slice(0, tab)).trim()
  return path.startsWith('a/') || path.startsWith('b/') ? path.slice(2) : path
}

function touch(header: Header, span: { pointer: string; start: number; end: number }, { cwd, view }: Place): Effect {
  const { injection } = inspectPath(header.path, cwd, view)
  return effect(header.verb, pathTarget(header.path, cwd, view), {
    span,
    reversible: header.verb === 'write',
    ...(injection === null ? {} : { attributes: { injection } }),
  })
}
