/**
 * Calls that are alike, so that one answer of a person may cover them (T23): told of by a sheet, as approvals keep it. Pure.
 */
import { canonicalJson } from '../../../core/canonical.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../../core/json.ts'
import { roleByName } from './names.ts'

/**
 * Equal for asks that one answer may cover: same tool, same effects on the same targets, with the same amounts. Files of one
 * directory count as one target. Where no effect is known, only the same arguments are alike; where an effect is inferred, such as from
 * the name of a tool, it need not tell all that the arguments say, so they agree too, but for texts that are sent along. Null where the
 * sheet tells of no tool.
 */
export function alikeOf(sheet: JsonObject): string | null {
  if (typeof sheet.tool !== 'string') return null
  const effects = effectsIn(sheet)
  const what =
    effects.length === 0 ? [argumentsOf(sheet)] : [...new Set(effects.map((effect) => canonicalJson(alikeEffect(effect))))].toSorted()
  const said = effects.some(isInferred) ? [withoutTexts(argumentsOf(sheet))] : []
  return canonicalJson([serverIn(sheet), sheet.tool, ...what, ...said])
}

function isInferred({ certainty }: JsonObject): boolean {
  return certainty !== undefined && certainty !== 'certain'
}

/** The arguments without those that are known by their name as texts: a message is read, and aims at nobody. */
function withoutTexts(args: Json): Json {
  if (!isJsonObject(args)) return args
  return Object.fromEntries(
    Object.entries(args).filter(([name, value]) => !(typeof value === 'string' && roleByName(name)?.role === 'content')),
  )
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

/** The effects that a sheet tells of. */
export function effectsIn({ effects }: JsonObject): readonly JsonObject[] {
  return Array.isArray(effects) ? (effects as readonly Json[]).filter(isJsonObject) : []
}

/** The server of the tool that a sheet tells of; null: none. */
export function serverIn({ call }: JsonObject): Json {
  return isJsonObject(call) ? (own(call, 'server') ?? null) : null
}
