/**
 * The preview of a file tool: the file as it stands beside the file as it would be, as a unified diff. Reads through the View, so
 * never the gate's own files; writes and runs nothing. Its digest binds a yes to the file that people saw (P6).
 */
import { createTwoFilesPatch } from 'diff'
import type { ToolCall } from '../core/call.ts'
import type { JsonObject } from '../core/json.ts'
import type { View } from '../facts/view.ts'
import { fileEditOf } from './edits.ts'

/** Bytes of a file that is compared; a larger one is told by its digest alone. */
const MAX_COMPARED_BYTES = 1024 * 1024
/** UTF-16 units of a diff that people are shown; the rest is said to be cut. */
const MAX_DIFF_UNITS = 40_000
/** Lines that may differ before the comparison gives up: its time grows with their square. */
const MAX_EDIT_LENGTH = 4_000

export interface FileDiffParts {
  readonly view: View
  /** `sha256:…` of a text's UTF-8 bytes. */
  readonly sha256: (text: string) => string
}

/**
 * `{ kind: 'diff', exit_code: null, files: [{ path, change, before, after, diff, cut }], network: [], output: null, note }`, or null where the
 * call is not one known edit of one text file. `before` and `after` are digests; `note` says what is not shown.
 */
export function fileDiff(call: ToolCall, { view, sha256 }: FileDiffParts): JsonObject | null {
  const known = fileEditOf(call.args)
  if (known === null) return null
  const path = absolute(known.path, view)
  if (path === null) return null
  const { real, type } = view.realpath(path)
  if (view.gate.some((place) => `${real}/`.startsWith(`${place}/`))) return null
  const found = type === 'file' ? view.read(real, MAX_COMPARED_BYTES) : null
  if (type !== 'missing' && (found === null || found.truncated)) return null
  const after = known.edit(found?.text ?? null)
  const before = found?.digest ?? null
  if (after === null) return shown({ path: real, change: 'none', before, after: before, diff: '', cut: false }, FAILS)
  const compared = patchOf(found?.text ?? '', after)
  const change = found === null ? 'created' : found.text === after ? 'none' : 'changed'
  return shown({ path: real, change, before, after: sha256(after), ...compared }, compared.cut ? CUT : null)
}

const FAILS = 'The file is not as the call expects it: the text to be replaced is not there, or there more than once. The tool would fail.'
const CUT = 'The difference is too large to be shown whole. Read the arguments.'

interface Shown extends JsonObject {
  readonly path: string
  readonly change: 'created' | 'changed' | 'none'
}

function shown(file: Shown, note: string | null): JsonObject {
  return { kind: 'diff', exit_code: null, files: [file], network: [], output: null, note }
}

function patchOf(before: string, after: string): { readonly diff: string; readonly cut: boolean } {
  const patch = createTwoFilesPatch('', '', before, after, undefined, undefined, { context: 3, maxEditLength: MAX_EDIT_LENGTH })
  if (patch === undefined) return { diff: '', cut: true }
  const start = patch.indexOf('@@')
  const text = start === -1 ? '' : patch.slice(start)
  return { diff: text.slice(0, MAX_DIFF_UNITS), cut: text.length > MAX_DIFF_UNITS }
}

function absolute(path: string, { cwd, home }: View): string | null {
  if (path.startsWith('/')) return path
  if (path === '~' || path.startsWith('~/')) return `${home}${path.slice(1)}`
  return cwd === null ? null : `${cwd}/${path}`
}
