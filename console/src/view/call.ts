/** Reads the parts of a call in wire form. Pure. */

import { isJsonObject, type Json, type JsonObject, own } from '../../../src/core/json.ts'
import { headline } from './arguments.ts'

/** The arguments; an object without members where the call has none. */
export function argsOf(call: Json | undefined): JsonObject {
  const args = isJsonObject(call) ? own(call, 'args') : undefined
  return isJsonObject(args) ? args : {}
}

/** A text member, or null. */
export function textOf(object: Json | undefined, name: string): string | null {
  const value = isJsonObject(object) ? own(object, name) : undefined
  return typeof value === 'string' ? value : null
}

/** An array member; empty where there is none. */
export function listOf(object: Json | undefined, name: string): readonly Json[] {
  const value = isJsonObject(object) ? own(object, name) : undefined
  return Array.isArray(value) ? value : []
}

/** An object member, or null. */
export function objectOf(object: Json | undefined, name: string): JsonObject | null {
  const value = isJsonObject(object) ? own(object, name) : undefined
  return isJsonObject(value) ? value : null
}

/** A decision's summary, which is its arguments as JSON, cut short where they are long: in one line for a list. */
export function summaryLine(summary: string): string {
  const args = parsed(summary) ?? parsed(mended(summary))
  return isJsonObject(args) ? headline(args) : summary
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** Ends a text that was cut within a member: what was begun is closed, half an escape is dropped. */
function mended(text: string): string {
  const cut = text.replace(/…$/, '').replace(/\\(?:u[0-9a-f]{0,3})?$/i, '')
  return `${cut}…"}`
}
