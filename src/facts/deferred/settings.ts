/** Settings of agents that a call writes, judged by the whole content that they will have. */
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { type Effect, hasClass } from '../effect.ts'
import type { WrittenFact } from '../facts.ts'
import { isJudged, type Objection, objectionTo } from '../resources/host-files.ts'
import type { View } from '../view.ts'
import { bringSettings, settingsContent, sourcesOf } from './bring-settings.ts'

const LONGEST = 65_536

export interface WrittenSettings {
  readonly args: JsonObject
  readonly written: readonly WrittenFact[]
  readonly view: View
}

/** Says of each write of settings what it does to the gate, where its content is known. Changes `effects` in place. */
export function markSettings(effects: Effect[], input: WrittenSettings): void {
  for (const [at, found] of effects.entries()) {
    const { target, verb } = found
    if (verb !== 'write' || target.real === null || !hasClass(target, 'agent-settings') || hasClass(target, 'gate')) continue
    if (found.attributes.glob === true || !isJudged(target.real)) continue
    effects[at] = {
      ...found,
      attributes: { ...found.attributes, ...settingsContent(objectionOf(found, target.real, { effects, ...input })) },
    }
  }
  bringSettings(effects, input.view)
}

interface Known extends WrittenSettings {
  readonly effects: readonly Effect[]
}

/** Two acts on one file may come in another order than they stand. */
function objectionOf(found: Effect, path: string, { effects, args, written, view }: Known): Objection {
  const acts = effects.filter(({ verb, target }) => verb !== 'read' && target.kind === 'path' && target.real === path)
  if (acts.length !== 1) return 'the call does more than one thing to the file'
  const { type } = view.realpath(path)
  const standing = type === 'file' ? view.read(path, LONGEST) : null
  if (type !== 'missing' && (standing === null || standing.truncated)) return 'what stands there cannot be read'
  const before = standing?.text ?? null
  const facts = written.filter((fact) => fact.path === path)
  const given = facts.length === 1 ? (facts[0]?.text ?? edited(args, before)) : null
  const text = given ?? copied(found, { effects, view })
  // A program that applies a patch has looked already.
  if (text === null && typeof found.attributes.settings_content === 'string') return said(found.attributes.settings_content)
  return text === null ? 'what it will hold is not known before the call runs' : objectionTo(path, text, before)
}

function said(content: string): Objection {
  return content === 'harmless' ? null : content
}

/** The file that is copied or moved there, where nothing else of the call may change it before. */
function copied(found: Effect, { effects, view }: Pick<Known, 'effects' | 'view'>): string | null {
  const [source, ...others] = sourcesOf(found, effects)
  const real = source?.target.real ?? null
  if (source === undefined || real === null || others.length > 0 || view.realpath(real).type !== 'file') return null
  if (!effects.every((each) => each === found || each === source || leaves(each, real))) return null
  const file = view.read(real, LONGEST)
  return file === null || file.truncated ? null : file.text
}

/** True of an act after which the file at the path is what it was. */
function leaves({ verb, target: { kind, real } }: Effect, path: string): boolean {
  if (verb === 'read') return true
  return kind === 'path' && real !== null && (verb === 'write' || verb === 'delete') && real !== path && !path.startsWith(`${real}/`)
}

const OLD = ['old_string', 'oldText', 'old_str'] as const
const NEW = ['new_string', 'newText', 'new_str'] as const

/** The file after the replacements of an edit tool; null where they cannot be told. */
export function edited(args: JsonObject, before: string | null): string | null {
  if (before === null) return null
  const several = own(args, 'edits')
  const edits = Array.isArray(several) ? several : [args]
  return edits.reduce<string | null>((text, edit) => (text === null ? null : replaced(text, edit)), before)
}

function replaced(text: string, edit: Json): string | null {
  if (!isJsonObject(edit)) return null
  const [from, to] = [textOf(edit, OLD), textOf(edit, NEW)]
  if (from === null || to === null || from === '') return null
  const first = text.indexOf(from)
  if (first === -1) return null
  if (own(edit, 'replace_all') === true) return text.replaceAll(from, () => to)
  return text.includes(from, first + 1) ? null : text.slice(0, first) + to + text.slice(first + from.length)
}

function textOf(edit: JsonObject, names: readonly string[]): string | null {
  for (const name of names) {
    const value = own(edit, name)
    if (typeof value === 'string') return value
  }
  return null
}
