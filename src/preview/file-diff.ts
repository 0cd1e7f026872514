/**
 * The preview of a file tool: the file as it stands beside the file as it would be, as a unified diff. Reads through the View, so
 * never the gate's own files; writes and runs nothing. Its digest binds a yes to the file that people saw (P6).
 */
import type { ToolCall } from '../core/call.ts'
import type { JsonObject } from '../core/json.ts'
import type { View } from '../facts/view.ts'
import { fileEditOf } from './edits.ts'
import { patchOf } from './patch.ts'

/** Bytes of a file that is compared; a larger one is told by its digest alone. */
const MAX_COMPARED_BYTES = 1024 * 1024

export interface FileDiffParts {
  readonly view: View
  /** `sha256:…` of a text's UTF-8 bytes. */
  readonly sha256: (text: string) => string
}

/**
 * `{ kind: 'diff', exit_code: null, files: [{ path, change, before, after, diff, cut }], network: [], programs: [], output: null, note }`, or null where the
 * call is not one known edit of one text file. `before` and `after` are digests; `note` says what is not shown.
 */
export function fileDiff(call: ToolCall, { view, sha256 }: FileDiffParts): JsonObject | null {
  const edited = editedFile(call, view)
  if (edited === null) return null
  const { real, found, after } = edited
  const before = found?.digest ?? null
  if (after === null) return shown({ path: real, change: 'none', before, after: before, diff: '', cut: false }, FAILS)
  const { diff, cut } = patchOf(found?.text ?? '', after)
  const change = found === null ? 'created' : found.text === after ? 'none' : 'changed'
  return shown({ path: real, change, before, after: sha256(after), diff, cut }, cut ? CUT : null)
}

export interface EditedFile {
  readonly real: string
  /** Null: there is no such file yet. */
  readonly found: { readonly text: string; readonly digest: string } | null
  /** Null: the tool would fail. */
  readonly after: string | null
}

/** The one text file that the call edits, and what it would hold; null where the call is no such edit. */
export function editedFile(call: ToolCall, view: View): EditedFile | null {
  const known = fileEditOf(call.args)
  if (known === null) return null
  const path = absolute(known.path, view)
  if (path === null) return null
  const { real, type } = view.realpath(path)
  if (view.gate.some((place) => `${real}/`.startsWith(`${place}/`))) return null
  const found = type === 'file' ? view.read(real, MAX_COMPARED_BYTES) : null
  if (type !== 'missing' && (found === null || found.truncated)) return null
  return { real, found, after: known.edit(found?.text ?? null) }
}

const FAILS = 'The file is not as the call expects it: the text to be replaced is not there, or there more than once. The tool would fail.'
const CUT = 'The difference is too large to be shown whole. Read the arguments.'

interface Shown extends JsonObject {
  readonly path: string
  readonly change: 'created' | 'changed' | 'none'
}

function shown(file: Shown, note: string | null): JsonObject {
  return { kind: 'diff', exit_code: null, files: [file], network: [], programs: [], output: null, note }
}

function absolute(path: string, { cwd, home }: View): string | null {
  if (path.startsWith('/')) return path
  if (path === '~' || path.startsWith('~/')) return `${home}${path.slice(1)}`
  return cwd === null ? null : `${cwd}/${path}`
}
