/**
 * Tools that can say themselves what they would do: the program hands in a function for `mode: "preview"`. The gate judges that as a call of its
 * own, with `mode` among its arguments, and only then it runs; what it returns is shown to people, judged where it is told in fields, and bound
 * into their yes.
 */
import type { Considered } from '../../approvals/edit.ts'
import type { ToolCall } from '../../core/call.ts'
import type { JsonObject } from '../../core/json.ts'
import { runs } from '../../core/verdict.ts'
import type { GateParts, ResolveContext } from '../../gate.ts'
import { ITSELF, reportedPreview, unsupported } from '../../open-preview.ts'
import { operatorPolicies } from '../../policy/scopes/model.ts'
import { asJson, copyOf } from './proposed.ts'

/** Runs the tool without its effects. Gets a copy of the arguments, `mode: "preview"` among them. */
export type PreviewMode = (args: JsonObject) => unknown

export interface ToolPreviews {
  readonly add: (name: string, mode: PreviewMode) => void
  readonly preview: NonNullable<GateParts['preview']>
}

const NOTE = 'What the tool itself says that it would do, in its preview mode.'
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
      const result = asJson(await inTime(mode, copyOf(call.args), timeIn(context)))
      return reportedPreview({ result, output: JSON.stringify(result), note: NOTE })
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
