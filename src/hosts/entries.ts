/** Entries for hooks in lists by event, which most hosts keep in a file of JSON. */
import { canonicalJson } from '../core/canonical.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import { InstallError } from './adapter.ts'
import type { Notation } from './comments.ts'
import { type Entry, type JsonSettings, jsonEntry } from './install.ts'
import { commandFor, list, withItems, withoutHooks } from './lists.ts'

/** What stands in the file for each event, given the command. */
export type Items = (command: string) => Readonly<Record<string, Json>>

interface ListOptions {
  /** What a file of hooks has besides them, such as its version. Default: nothing. */
  readonly base?: JsonObject
  /** Default: plain JSON. */
  readonly notation?: Notation
}

/** Items of ours in the lists of `hooks`. */
export function listEntry(path: string, items: Items, { base = {}, notation = 'json' }: ListOptions = {}): Entry {
  const [first = ''] = Object.keys(items(''))
  const settings: JsonSettings = {
    written: (before, command) => ({ ...base, ...withItems(before, items(command)) }),
    cleaned: (before) => {
      const rest = withoutHooks(before)
      return own(before, 'hooks') !== undefined && canonicalJson(rest) === canonicalJson(base) ? {} : rest
    },
    command: (text) => commandFor(text, first),
    holds: (text, command) => holdsItems(text, items(command)),
  }
  return jsonEntry(path, settings, notation)
}

/**
 * The same in settings of the machine, with what keeps those of users and projects from switching hooks off. Where the file says that
 * otherwise, it is the operator's word, and nothing is written.
 */
export function machineEntry(path: string, items: Items, pins: JsonObject): Entry {
  const entry = listEntry(path, items)
  const isPinned = (settings: JsonObject): boolean =>
    Object.entries(pins).every(([name, value]) => canonicalJson(own(settings, name) ?? null) === canonicalJson(value))
  return jsonEntry(path, {
    written: (settings, command) => {
      const other = Object.keys(pins).find(
        (name) => own(settings, name) !== undefined && !isPinned({ ...pins, [name]: own(settings, name) ?? null }),
      )
      if (other !== undefined)
        throw new InstallError(`\`${path}\` sets \`${other}\` otherwise; hooks that can be switched off hold nobody: mend it first`)
      return withItems({ ...settings, ...pins }, items(command))
    },
    cleaned: (settings) => {
      const rest = withoutHooks(settings)
      if (canonicalJson(rest) === canonicalJson(settings)) return settings
      return Object.fromEntries(Object.entries(rest).filter(([name]) => own(pins, name) === undefined))
    },
    command: (settings) => commandFor(settings, Object.keys(items(''))[0] ?? ''),
    holds: (settings, command) => isPinned(settings) && entry.holds(JSON.stringify(settings), command),
  })
}

/** Each of the items stands in its list as it was written: a timeout, a matcher or a condition would make another of it. */
function holdsItems(text: JsonObject, items: Readonly<Record<string, Json>>): boolean {
  const hooks = own(text, 'hooks')
  if (!isJsonObject(hooks)) return false
  return Object.entries(items).every(([event, item]) => list(hooks, event).some((each) => canonicalJson(each) === canonicalJson(item)))
}

/** A group for every tool, as Claude Code and those who took its form have it. */
export function group(command: string, handler: JsonObject, matcher: string | null = '*'): JsonObject {
  const hooks = [{ type: 'command', command, ...handler }]
  return matcher === null ? { hooks } : { matcher, hooks }
}

/** For the event that tells what the user asked for: where the gate fails, calls are denied, not words. */
export function promptLine(command: string): string {
  return `${command} >/dev/null 2>&1 || exit 0`
}
