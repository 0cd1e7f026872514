/**
 * Asks that belong together. A *group* is the same tool that would do the same kinds of things, whatever their targets: a list
 * folds it (T23). Calls are *alike* only where targets and amounts agree too: nothing else may be answered in one go. Pure.
 */
import { canonicalJson } from '../core/canonical.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'

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
  return typeof sheet.tool === 'string' ? canonicalJson([serverOf(sheet), sheet.tool, ...kindsOf(sheet)]) : null
}

/**
 * Equal for asks that one answer may cover: same tool, same effects on the same targets, with the same amounts. Files of one
 * directory count as one target. Where no effect is known, only the same arguments are alike. Null where the sheet tells of no tool.
 */
export function alikeOf(sheet: JsonObject): string | null {
  if (typeof sheet.tool !== 'string') return null
  const effects = effectsOf(sheet)
  const what =
    effects.length === 0 ? [argumentsOf(sheet)] : [...new Set(effects.map((effect) => canonicalJson(alikeEffect(effect))))].toSorted()
  return canonicalJson([serverOf(sheet), sheet.tool, ...what])
}

/** What tells one effect from another for an answer: everything but where in the call it was read, and the name of a file in its directory. */
function alikeEffect(effect: JsonObject): Json {
  const { span: _, target, ...rest } = effect
  if (!isJsonObject(target)) return { ...rest, target: target ?? null }
  if (own(target, 'kind') !== 'path') return { ...rest, target }
  const { value = null, real = null, ...where } = target
  return { ...rest, target: { ...where, value: directoryOf(value), real: directoryOf(real) } }
}

function directoryOf(path: Json): Json {
  return typeof path === 'string' ? path.slice(0, path.lastIndexOf('/') + 1) : path
}

function argumentsOf({ call }: JsonObject): Json {
  return isJsonObject(call) ? (own(call, 'args') ?? null) : null
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
  const kinds = effectsOf(sheet).map(({ action, verb }) => String(action ?? verb))
  return [...new Set(kinds)].toSorted()
}

function effectsOf({ effects }: JsonObject): readonly JsonObject[] {
  return Array.isArray(effects) ? (effects as readonly Json[]).filter(isJsonObject) : []
}

function serverOf({ call }: JsonObject): Json {
  return isJsonObject(call) ? (own(call, 'server') ?? null) : null
}
