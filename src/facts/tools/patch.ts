/** Patches to effects: the `*** Begin Patch` form of coding agents and unified diffs. */
import { type Effect, effect } from '../effect.ts'
import { pathTarget } from '../path/index.ts'
import type { View } from '../view.ts'
import { inspectPath } from './injection.ts'
import type { Argument } from './spec.ts'

interface Place {
  readonly cwd: string | null
  readonly view: View
}

const HEADERS: readonly (readonly [string, 'write' | 'delete'])[] = [
  ['*** Add File: ', 'write'],
  ['*** Update File: ', 'write'],
  ['*** Delete File: ', 'delete'],
  ['*** Move to: ', 'write'],
]

/** One effect per file that the patch touches; an opaque one where no header can be read. */
export function patchEffects(argument: Argument, place: Place): readonly Effect[] {
  const { text, pointer } = argument
  const found = patchedFiles(text).map((file) => touch(file, { pointer, start: file.start, end: file.end }, place))
  if (found.length > 0) return found
  const span = { pointer, start: 0, end: text.length }
  const unknown = { kind: 'unknown', value: '', real: null, scope: 'unknown', classes: [] } as const
  return [effect('opaque', unknown, { reason: 'the patch names no file', span, reversible: false, certainty: 'possible' })]
}

/** One header of a patch and what stands below it. */
export interface PatchedFile {
  readonly verb: 'write' | 'delete'
  readonly path: string
  /** UTF-16 offsets of the header's line. */
  readonly start: number
  readonly end: number
  /** The lines that are put into the file, without their mark. */
  readonly added: readonly string[]
}

/** The files that a patch names, in its order; a file may come more than once. */
export function patchedFiles(text: string): readonly PatchedFile[] {
  const found: PatchedFile[] = []
  let added: string[] = []
  let offset = 0
  let previous = ''
  for (const whole of text.split('\n')) {
    const line = whole.endsWith('\r') ? whole.slice(0, -1) : whole
    const header = readHeader(line, previous)
    if (header !== null) {
      added = []
      found.push({ ...header, start: offset, end: offset + whole.length, added })
    } else if (line.startsWith('+')) added.push(line.slice(1))
    offset += whole.length + 1
    previous = line
  }
  return found
}

type Header = Pick<PatchedFile, 'verb' | 'path'>

function readHeader(line: string, previous: string): Header | null {
  for (const [prefix, verb] of HEADERS) {
    if (line.startsWith(prefix)) return { verb, path: line.slice(prefix.length).trim() }
  }
  if (line.startsWith('+++ ') && previous.startsWith('--- ')) {
    const path = diffPath(line)
    return path === '/dev/null' ? { verb: 'delete', path: diffPath(previous) } : { verb: 'write', path }
  }
  if (line.startsWith('rename from ')) return { verb: 'delete', path: plainName(line.slice('rename from '.length)) }
  if (line.startsWith('rename to ') || line.startsWith('copy to '))
    return { verb: 'write', path: plainName(line.slice(line.indexOf(' to ') + 4)) }
  return null
}

/** `+++ b/src/x.ts<TAB>date`: without the marker, the side and the date. */
function diffPath(line: string): string {
  const rest = line.slice(4)
  const tab = rest.indexOf('\t')
  const path = plainName((tab < 0 ? rest : rest.slice(0, tab)).trim())
  return path.startsWith('a/') || path.startsWith('b/') ? path.slice(2) : path
}

const LETTERS: ReadonlyMap<string, string> = new Map(Object.entries({ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }))

/** A name in quotes is one of C, with its bytes in octal: whoever applies the patch takes them off. */
function plainName(name: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(name)?.[1]
  if (quoted === undefined) return name
  return quoted.replace(/((?:\\[0-3][0-7]{2})+)|\\(.)/g, (_, octal: string | undefined, letter: string | undefined) =>
    octal === undefined ? (LETTERS.get(letter ?? '') ?? letter ?? '') : bytesOf(octal),
  )
}

function bytesOf(octal: string): string {
  return new TextDecoder().decode(Uint8Array.from(octal.slice(1).split('\\'), (digits) => Number.parseInt(digits, 8)))
}

function touch(header: Header, span: { pointer: string; start: number; end: number }, { cwd, view }: Place): Effect {
  const { injection } = inspectPath(header.path, cwd, view)
  return effect(header.verb, pathTarget(header.path, cwd, view), {
    span,
    reversible: header.verb === 'write',
    ...(injection === null ? {} : { attributes: { injection } }),
  })
}
