/**
 * Role OS's `capabilities.json`, as it is: `{"npm:publish": {"granted": true, "scope": "role-os", "expires": "2026-07-01"}}`.
 * Its scope is enforced here. A file that is missing or malformed grants nothing, which denies what is gated and nothing
 * else (ROS-26, ROS-29, ROS-30); a single grant that cannot be read does not take the others along.
 */
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import type { Grant } from '../grants/grant.ts'
import { readJson } from '../ingress/json.ts'
import type { NamedCompensator } from './policy.ts'
import type { Located } from './reading/fields.ts'
import type { CompileContext } from './section.ts'

export interface Manifest {
  readonly grants: readonly Grant[]
  readonly compensators: readonly NamedCompensator[]
}

/** The grants and the compensators of one file. What it could not use is a warning at the place that names the file. */
export function readManifest(file: Located<string>, context: CompileContext): Manifest {
  const warn = (message: string): void => context.warn('lint.capability_file', `\`${file.value}\`: ${message}`, file.at)
  const read = context.options.readFile?.(file.value) ?? { problem: 'files cannot be read here' }
  if ('problem' in read) {
    warn(`${read.problem}, so it grants nothing`)
    return NOTHING
  }
  const parsed = readJson(read.text)
  if (!parsed.ok || !isJsonObject(parsed.value)) {
    warn('it is no JSON object with distinct keys, so it grants nothing')
    return NOTHING
  }
  const entries = Object.entries(parsed.value)
  return {
    grants: entries.flatMap(([action, entry]) => grantOf(action, entry, { file: file.value, warn })),
    compensators: entries.flatMap(([action, entry]) => compensatorOf(action, entry, warn)),
  }
}

const NOTHING: Manifest = { grants: [], compensators: [] }

/** Role OS's `compensator`: the undo in words, or `{ undo, owner, deadline }`. */
function compensatorOf(action: string, entry: Json, warn: Source['warn']): readonly NamedCompensator[] {
  const told = isJsonObject(entry) ? own(entry, 'compensator') : undefined
  if (told === undefined) return []
  const read = readCompensator(told)
  if (read === null) warn(`the compensator of \`${action}\` is neither text nor \`{ undo, owner, deadline }\`, so it takes nothing back`)
  return read === null ? [] : [{ action, ...read }]
}

/** Null where it names no undo. */
export function readCompensator(told: Json): Omit<NamedCompensator, 'action'> | null {
  const fields: JsonObject = typeof told === 'string' ? { undo: told } : isJsonObject(told) ? told : {}
  const text = (...names: readonly string[]): string | null => {
    const found = names.map((name) => own(fields, name)).find((value) => typeof value === 'string' && value.trim() !== '')
    return typeof found === 'string' ? found : null
  }
  const how = text('undo', 'how')
  if (how === null) return null
  return {
    how,
    owner: text('owner') ?? 'nobody is named',
    until: text('deadline', 'until') ?? 'not said',
    cannot: text('cannot') ?? 'not said',
  }
}

interface Source {
  readonly file: string
  readonly warn: (message: string) => void
}

function grantOf(action: string, entry: Json, { file, warn }: Source): readonly Grant[] {
  if (!isJsonObject(entry) || own(entry, 'granted') !== true) return []
  const expires = expiryOf(entry)
  if (expires === undefined) {
    warn(`the \`expires\` of \`${action}\` is no date, so it grants nothing`)
    return []
  }
  const scope = own(entry, 'scope')
  if (scope !== undefined && typeof scope !== 'string') {
    warn(`the \`scope\` of \`${action}\` is no text, so it grants nothing`)
    return []
  }
  if (scope !== undefined) warn(`the scope \`${scope}\` of \`${action}\` is enforced here: the target must be called that`)
  if (expires.bare) warn(`the grant of \`${action}\` ends at the beginning of that day, in UTC`)
  return [
    {
      id: `file:${file}:${action}`,
      action,
      scope: scope === undefined ? { force: true } : { target: scope, force: true },
      binding: { session: null, role: null, user: null, agent: null },
      notBefore: null,
      expires: expires.at,
      count: null,
      parent: null,
      reason: '',
      author: file,
      source: 'file',
    },
  ]
}

/** As the source reads it: a present `expires` must be a text that is a date. Undefined where it is not. */
function expiryOf(entry: JsonObject): { readonly at: number | null; readonly bare: boolean } | undefined {
  if (!Object.hasOwn(entry, 'expires')) return { at: null, bare: false }
  const written = own(entry, 'expires')
  const at = typeof written === 'string' ? Date.parse(written) : Number.NaN
  return Number.isNaN(at) ? undefined : { at, bare: /^\d{4}-\d{2}-\d{2}$/.test(String(written)) }
}
