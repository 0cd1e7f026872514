/** What an edit changes in the arguments of a call, member by member. Pure. */
import type { JsonObject } from '../../../src/core/json.ts'
import { type Row, rowsOf } from './arguments.ts'

export interface Change {
  readonly pointer: string
  /** Null: added, or taken away. */
  readonly before: Row | null
  readonly after: Row | null
}

/** Rows that differ, in the order of the edited arguments; then what is gone. Empty exactly where the arguments are the same. */
export function changes(before: JsonObject, after: JsonObject): readonly Change[] {
  const old = new Map(rowsOf(before).map((row) => [row.pointer, row]))
  const now = new Map(rowsOf(after).map((row) => [row.pointer, row]))
  const changed = [...now].flatMap(([pointer, row]) => {
    const was = old.get(pointer) ?? null
    return was !== null && isSame(was, row) ? [] : [{ pointer, before: was, after: row }]
  })
  const gone = [...old].flatMap(([pointer, row]) => (now.has(pointer) ? [] : [{ pointer, before: row, after: null }]))
  return [...changed, ...gone]
}

function isSame(a: Row, b: Row): boolean {
  return a.kind === b.kind && a.value === b.value && a.size === b.size
}

/** JSON to be edited by hand: what a reader cannot see or tell apart is written as `\u` escapes. */
export function editable(args: JsonObject): string {
  return JSON.stringify(args, null, 2).replaceAll(/[^\x20-\x7e\n]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
