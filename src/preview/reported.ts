/**
 * What a tool says in a preview mode of its own: shown to people, judged where it is told in fields, and bound into their yes. What it says in prose
 * is never read as harmless.
 */
import { hash } from 'node:crypto'
import { createDigester } from '../core/digest.ts'
import { type Effect, TARGET_KINDS, VERBS } from '../core/effect.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import { NO_SIZE, type Preview, type PreviewSize, type Seen } from '../core/preview.ts'
import { withoutTimes } from './stable.ts'

const digester = createDigester((text) => hash('sha256', text))
const DOMAIN = 'countersign/preview/v1'

/** A call in preview mode, or a dry run, is its own preview: nothing more is to be tried out of it. */
export const ITSELF: Preview = {
  digest: digester.digest(DOMAIN, { kind: 'itself' }),
  shown: { kind: 'none', exit_code: null, files: [], network: [], programs: null, output: null, note: null },
  seen: { unsupported: null, exitCode: null, ended: null, size: NO_SIZE, effects: [], network: false },
}

export function unsupported(why: string): Preview {
  return {
    digest: digester.digest(DOMAIN, { kind: 'none' }),
    shown: { kind: 'none', exit_code: null, files: [], network: [], programs: null, output: null, note: why },
    seen: { unsupported: why, exitCode: null, ended: null, size: NO_SIZE, effects: [], network: false },
  }
}

/** What a tool said that it would do. */
export interface Reported {
  /** What rules are asked about; an object with `files`, `deleted`, `lines`, `rows` or `effects`, else prose. */
  readonly result: Json
  /** What people read. */
  readonly output: string
  /** Who says so. */
  readonly note: string
}

/** @throws where a field is not of its form: then nothing of it counts. */
export function reportedPreview({ result, output, note }: Reported): Preview {
  const seen = seenIn(result)
  const shown: JsonObject = { kind: 'tool', exit_code: null, files: [], network: [], programs: null, output, note }
  const said = withoutTimes(`${JSON.stringify(result)}\n${output}`, Date.now())
  const digest = digester.digest(DOMAIN, { kind: 'tool', result: hash('sha256', said) })
  return seen === null ? { digest, shown } : { digest, shown, seen }
}

const SIZES = ['files', 'deleted', 'lines', 'rows'] as const

/** Null where nothing is told in fields. @throws where a field is not of its form: then nothing of it counts. */
function seenIn(result: Json): Seen | null {
  if (!isJsonObject(result)) return null
  const told = own(result, 'effects')
  const size: Record<keyof PreviewSize, number> = { ...NO_SIZE }
  let isTold = told !== undefined
  for (const name of SIZES) {
    const value = own(result, name)
    if (value === undefined) continue
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
      throw new Error(`\`${name}\` of the preview is no number of things`)
    size[name] = value
    isTold = true
  }
  if (told !== undefined && !Array.isArray(told)) throw new Error('`effects` of the preview is no list')
  const effects = (Array.isArray(told) ? told : []).map(effectOf)
  return isTold ? { unsupported: null, exitCode: null, ended: null, size, effects, network: false } : null
}

/** `{ verb, action?, target: { kind, value }, reversible? }`. */
function effectOf(value: Json): Effect {
  const target = isJsonObject(value) ? own(value, 'target') : undefined
  const verb = isJsonObject(value) ? VERBS.find((each) => each === value.verb) : undefined
  const kind = isJsonObject(target) ? TARGET_KINDS.find((each) => each === target.kind) : undefined
  if (!isJsonObject(value) || !isJsonObject(target) || verb === undefined || kind === undefined || typeof target.value !== 'string')
    throw new Error('an effect of the preview is not `{ verb, target: { kind, value } }`')
  return {
    verb,
    action: typeof value.action === 'string' ? value.action : null,
    target: { kind, value: target.value, real: null, scope: 'unknown', classes: [] },
    reversible: value.reversible === true,
    certainty: 'likely',
    span: null,
    reason: 'seen in the preview mode of the tool',
    attributes: { observed: true },
  }
}
