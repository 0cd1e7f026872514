/**
 * Tools that can say themselves what they would do: the program hands in a function for `mode: "preview"`. The gate judges that as a call of its
 * own, with `mode` among its arguments, and only then it runs; what it returns is shown to people, judged where it is told in fields, and bound
 * into their yes.
 */
import { hash } from 'node:crypto'
import type { Considered } from '../../approvals/edit.ts'
import type { ToolCall } from '../../core/call.ts'
import { type Effect, TARGET_KINDS, VERBS } from '../../core/effect.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { NO_SIZE, type Preview, type PreviewSize, type Seen } from '../../core/preview.ts'
import { runs } from '../../core/verdict.ts'
import type { GateParts, ResolveContext } from '../../gate.ts'
import { digester } from '../../open.ts'
import { withoutTimes } from '../../open-preview.ts'
import { operatorPolicies } from '../../policy/scopes/model.ts'
import { asJson, copyOf } from './proposed.ts'

/** Runs the tool without its effects. Gets a copy of the arguments, `mode: "preview"` among them. */
export type PreviewMode = (args: JsonObject) => unknown

export interface ToolPreviews {
  readonly add: (name: string, mode: PreviewMode) => void
  readonly preview: NonNullable<GateParts['preview']>
}

const DOMAIN = 'countersign/preview/v1'
/** Milliseconds for one, where the policy has no section that says it. */
const USUAL_MS = 10_000

/** `consider` judges a call and records nothing. `given`: the program's own runner, which is asked first. */
export function toolPreviews(consider: () => (call: ToolCall) => Promise<Considered>, given: GateParts['preview']): ToolPreviews {
  const modes = new Map<string, PreviewMode>()
  // Being considered is no reason to be tried out again.
  const considered = new WeakSet<ToolCall>()
  return {
    add: (name, mode) => void modes.set(name, mode),
    preview: async (context) => {
      if (considered.has(context.call)) return ITSELF
      const own = (await given?.(context)) ?? null
      const { server, name } = context.call.tool
      const mode = server === null ? modes.get(name) : undefined
      if (own !== null || mode === undefined) return own
      const call = { ...context.call, callId: null, approval: null, args: { ...context.call.args, mode: 'preview' } }
      considered.add(call)
      const { decision } = await consider()(call)
      if (!runs(decision.would)) return unsupported(`the gate does not let \`mode: "preview"\` run: ${decision.would} ${decision.code}`)
      return previewOf(asJson(await inTime(mode, copyOf(call.args), timeIn(context))))
    },
  }
}

function timeIn({ policy }: ResolveContext): number {
  return operatorPolicies(policy).find(({ preview }) => preview !== null)?.preview?.limits.timeMs ?? USUAL_MS
}

/** @throws where the time is over; what it still does then is not waited for. */
async function inTime(mode: PreviewMode, args: JsonObject, milliseconds: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the preview did not end within its time')), milliseconds)
  })
  try {
    return await Promise.race([Promise.resolve(mode(args)), late])
  } finally {
    clearTimeout(timer)
  }
}

/** A call in preview mode is its own preview: nothing more is to be tried out of it. */
const ITSELF: Preview = {
  digest: digester.digest(DOMAIN, { kind: 'itself' }),
  shown: { kind: 'none', exit_code: null, files: [], network: [], output: null, note: null },
  seen: { unsupported: null, exitCode: null, ended: null, size: NO_SIZE, effects: [], network: false },
}

function unsupported(why: string): Preview {
  return {
    digest: digester.digest(DOMAIN, { kind: 'none' }),
    shown: { kind: 'none', exit_code: null, files: [], network: [], output: null, note: why },
    seen: { unsupported: why, exitCode: null, ended: null, size: NO_SIZE, effects: [], network: false },
  }
}

function previewOf(result: Json): Preview {
  const text = JSON.stringify(result)
  const seen = seenIn(result)
  const shown: JsonObject = { kind: 'tool', exit_code: null, files: [], network: [], output: text, note: NOTE }
  const digest = digester.digest(DOMAIN, { kind: 'tool', result: hash('sha256', withoutTimes(text, Date.now())) })
  return seen === null ? { digest, shown } : { digest, shown, seen }
}

const NOTE = 'What the tool itself says that it would do, in its preview mode.'
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
