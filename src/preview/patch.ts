/** Two texts as a unified diff that people can read, with what it holds counted. Pure. */
import { createTwoFilesPatch } from 'diff'

/** UTF-16 units of a diff that people are shown; the rest is said to be cut. */
const MAX_DIFF_UNITS = 40_000
/** Lines that may differ before the comparison gives up: its time grows with their square. */
const MAX_EDIT_LENGTH = 4_000

export interface Patch {
  readonly diff: string
  readonly cut: boolean
  /** Lines added and removed; where the comparison gave up, all lines of both. */
  readonly lines: number
}

/** @param most UTF-16 units of the diff; default 40,000. */
export function patchOf(before: string, after: string, most = MAX_DIFF_UNITS): Patch {
  const patch = createTwoFilesPatch('', '', before, after, undefined, undefined, { context: 3, maxEditLength: MAX_EDIT_LENGTH })
  if (patch === undefined) return { diff: '', cut: true, lines: linesIn(before) + linesIn(after) }
  const start = patch.indexOf('@@')
  const text = start === -1 ? '' : patch.slice(start)
  const lines = text.split('\n').filter((line) => line.startsWith('+') || line.startsWith('-')).length
  return { diff: text.slice(0, most), cut: text.length > most, lines }
}

export function linesIn(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}
