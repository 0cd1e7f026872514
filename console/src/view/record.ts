/** A record of the log in one line of words: what was proposed, answered or noted, and by whom. Pure. */
import type { Json, JsonObject } from '../../../src/core/json.ts'
import { headline } from './arguments.ts'
import { argsOf, objectOf, textOf } from './call.ts'

/** Names of members that tell of an event what a list should say, in the order in which it says them. */
const TELLING = ['event', 'by', 'name', 'role', 'action', 'target', 'status', 'path', 'reason', 'message'] as const
const BEFORE: Readonly<Record<string, string>> = { by: ' by ', role: ' as ', status: ', now ', reason: ': ', message: ': ' }

export function recordLine(entry: Readonly<Record<string, Json>>): string {
  const body = objectOf(entry, 'body') ?? {}
  if (objectOf(body, 'call') !== null) return headline(argsOf(body.call))
  const parts = TELLING.flatMap((name) => {
    const value = textOf(body, name)
    if (value === null || value === '') return []
    return [`${BEFORE[name] ?? ' '}${value}`]
  })
  return [...parts, ...alarms(body)].join('').trimStart()
}

function alarms(body: JsonObject): readonly string[] {
  return body.break_glass === true ? [' (broke the glass)'] : []
}
