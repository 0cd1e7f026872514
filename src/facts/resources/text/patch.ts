/** Patches to effects: the `*** Begin Patch` form of coding agents and unified diffs. */
import { type Effect, effect, opaque } from '../../effect.ts'
import type { View } from '../../view.ts'
import { pathTarget } from '../path/index.ts'
import { inspectPath } from '../path/injection.ts'

/** A text of the call, by its JSON pointer. */
interface Given {
  readonly text: string
  readonly pointer: string
}

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

/** Headers of one patch that are looked at, and the UTF-16 units of all their paths together. */
const MAX_FILES = 1_000
const LONGEST_PATHS = 65_536

/** One effect per file that the patch touches; an opaque one where no header can be read, and for those that are too many. */
export function patchEffects(argument: Given, place: Place): readonly Effect[] {
  const { text, pointer } = argument
  const found: Effect[] = []
  let room = LONGEST_PATHS
  for (const file of patchedFiles(text)) {
    room -= file.path.length
    if (found.length >= MAX_FILES || room < 0) {
      found.push(opaque('the patch touches more files than are looked at', { pointer, start: file.start, end: text.length }))
      break
    }
    found.push(touch(file, { pointer, start: file.start, end: file.end }, place))
  }
  return found.length > 0 ? found : [opaque('the patch names no file', { pointer, start: 0, end: text.length })]
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
  const body = new Body()
  const lines = text.split('\n')
  for (const [at, whole] of lines.entries()) {
    const line = whole.endsWith('\r') ? whole.slice(0, -1) : whole
    const header = body.holds(line) && !isChanged(lines, at + 1) ? null : readHeader(line, previous)
    if (header !== null) {
      added = []
      found.push({ ...header, start: offset, end: offset + whole.length, added })
    } else if (line.startsWith('+')) added.push(line.slice(1))
    offset += whole.length + 1
    previous = line
  }
  return found
}

/** Whether what stands there, blank lines aside, is where a change begins. */
function isChanged(lines: readonly string[], from: number): boolean {
  let at = from
  while (lines[at]?.trim() === '') at++
  return lines[at]?.startsWith('@@') === true
}

const HUNK = /^@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@/

/**
 * Tells the lines of a patch from its headers: a removed `-- x` and an added `++ y` look like one. Lengths that are wrong hide no
 * header of a file, for one that does anything is followed by `@@`.
 */
class Body {
  /** Lines that are left of a hunk, on both sides. */
  #old = 0
  #new = 0
  /** Between `*** Update File:` and whatever is none of its lines. */
  #unmeasured = false
  #before = false

  /** True where the line and the one before it are lines of the same file. Lines must be handed in in order. */
  holds(line: string): boolean {
    const before = this.#before
    this.#before = this.#takes(line)
    return before && this.#before
  }

  #staysUnmeasured(line: string, mark: string): boolean {
    this.#unmeasured &&= '+- @'.includes(mark) || line.startsWith('*** End of File')
    return this.#unmeasured
  }

  #takes(line: string): boolean {
    const hunk = HUNK.exec(line)
    if (hunk !== null) {
      this.#old = Number(hunk[1] ?? 1)
      this.#new = Number(hunk[2] ?? 1)
      return false
    }
    const mark = line[0] ?? ' '
    if (this.#staysUnmeasured(line, mark)) return true
    if (line.startsWith('*** Update File: ') || line.startsWith('*** Add File: ')) this.#unmeasured = true
    const inside = this.#old > 0 || this.#new > 0
    if (!inside || !'+- \\'.includes(mark)) {
      this.#old = 0
      this.#new = 0
      return false
    }
    if (mark === '-' || mark === ' ') this.#old--
    if (mark === '+' || mark === ' ') this.#new--
    return true
  }
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

/** Every line of a patch that names a file for one program or another, whatever it takes it for. */
const NAMING = /^(?:--- |\+\+\+ |\*\*\* (?!\d)|Index: |rename (?:from|to) |copy to )(.+)$/

/**
 * The names that `patch` or git may take from a patch, as they are written, each once. A removed line `-- x` looks like one: it
 * is told, too, since the programs do not agree on where a hunk ends.
 */
export function namesInPatch(text: string): readonly string[] {
  const names = new Set<string>()
  for (const whole of text.split('\n')) {
    const name = NAMING.exec(whole.endsWith('\r') ? whole.slice(0, -1) : whole)?.[1]
    if (name === undefined) continue
    const tab = name.indexOf('\t')
    const path = plainName((tab < 0 ? name : name.slice(0, tab)).trim())
    if (path !== '' && path !== '/dev/null') names.add(path)
  }
  return [...names]
}
