/**
 * Hooks as hosts keep them: lists by event, of groups with handlers or of handlers alone. Ours are put in and taken out, and what is
 * there besides stays. Pure.
 */
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'

/** How our entries are known again, whatever directory they were installed from. */
const OURS = 'countersign'

/** Names under which hosts keep the command of a handler. */
const COMMANDS = ['command', 'bash', 'powershell'] as const

/** The settings with exactly these of our hooks in them, one to an event, each the last; installing twice changes nothing. */
export function withItems(settings: JsonObject, items: Readonly<Record<string, Json>>): JsonObject {
  const clean = withoutHooks(settings)
  const hooks = own(clean, 'hooks')
  const kept = isJsonObject(hooks) ? hooks : {}
  const added = Object.entries(items).map(([event, item]): [string, Json] => [event, [...list(kept, event), item]])
  return { ...clean, hooks: { ...kept, ...Object.fromEntries(added) } }
}

/** The settings without our hooks, and without what only they left behind. */
export function withoutHooks(settings: JsonObject): JsonObject {
  const hooks = own(settings, 'hooks')
  if (!isJsonObject(hooks)) return settings
  const kept = Object.entries(hooks).flatMap(([event, items]): [string, Json][] => {
    if (!Array.isArray(items)) return [[event, items]]
    const foreign = items.flatMap(foreignPart)
    return foreign.length === 0 && items.length > 0 ? [] : [[event, foreign]]
  })
  const { hooks: _, ...rest } = settings
  return kept.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(kept) }
}

/** The command of the first of our handlers for the event; null where there is none. */
export function commandFor(settings: JsonObject, event: string): string | null {
  const hooks = own(settings, 'hooks')
  if (!isJsonObject(hooks)) return null
  for (const item of list(hooks, event).filter(isJsonObject))
    for (const handler of [item, ...handlers(item)]) if (isOurs(handler)) return commandOf(handler)
  return null
}

function foreignPart(item: Json): readonly Json[] {
  if (!isJsonObject(item)) return [item]
  if (isOurs(item)) return []
  const all = handlers(item)
  const foreign = all.filter((handler) => !isOurs(handler))
  if (foreign.length === all.length) return [item]
  return foreign.length === 0 ? [] : [{ ...item, hooks: foreign }]
}

export function handlers(group: JsonObject): readonly JsonObject[] {
  return list(group, 'hooks').filter(isJsonObject)
}

export function isOurs(handler: JsonObject): boolean {
  return commandOf(handler)?.includes(OURS) === true
}

function commandOf(handler: JsonObject): string | null {
  for (const name of COMMANDS) {
    const command = own(handler, name)
    if (typeof command === 'string') return command
  }
  return null
}

export function list(object: JsonObject, key: string): readonly Json[] {
  const value = own(object, key)
  return Array.isArray(value) ? value : []
}
