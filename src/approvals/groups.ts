/**
 * Asks that belong together. A *group* is the same tool that would do the same kinds of things, whatever their targets: a list
 * folds it (T23). What may be answered in one go is narrower: only calls that are alike (`facts/tools/roles/alike.ts`). Pure.
 */
import { canonicalJson } from '../core/canonical.ts'
import type { JsonObject } from '../core/json.ts'
import { effectsIn, serverIn } from '../facts/tools/roles/alike.ts'

export interface Group {
  /** Equal for asks that are alike. */
  readonly group: string
  readonly ids: readonly string[]
  /** For people; holds names that the caller chose, so it has to be escaped where it is shown. */
  readonly text: string
}

interface Grouped {
  readonly id: string
  readonly sheet: JsonObject
}

/** What the asks of one group have in common; null where the sheet tells of no tool. */
export function groupOf(sheet: JsonObject): string | null {
  return typeof sheet.tool === 'string' ? canonicalJson([serverIn(sheet), sheet.tool, ...kindsOf(sheet)]) : null
}

/** Every group with at least two members, in the order of the first of each. */
export function groupsOf(approvals: readonly Grouped[]): readonly Group[] {
  const members = new Map<string, Grouped[]>()
  for (const approval of approvals) {
    const group = groupOf(approval.sheet)
    if (group === null) continue
    const known = members.get(group)
    if (known === undefined) members.set(group, [approval])
    else known.push(approval)
  }
  return [...members].flatMap(([group, alike]) => {
    const [first] = alike
    if (first === undefined || alike.length < 2) return []
    return [{ group, ids: alike.map(({ id }) => id), text: `${alike.length} × ${textOf(first.sheet)}` }]
  })
}

function textOf(sheet: JsonObject): string {
  const kinds = kindsOf(sheet)
  return `${String(sheet.tool)}: ${kinds.length === 0 ? 'no known effect' : kinds.join(', ')}`
}

/** What the call would do, without on what: actions where they are known, else verbs. */
function kindsOf(sheet: JsonObject): readonly string[] {
  const kinds = effectsIn(sheet).map(({ action, verb }) => String(action ?? verb))
  return [...new Set(kinds)].toSorted()
}
