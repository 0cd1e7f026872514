/**
 * Tools of a server that can only show what they would do: the policy names the argument that has them do so. The gate judges that call as one of
 * its own, and only then the server gets it; what it says is shown to people and bound into their yes.
 */
import type { ToolCall } from '../../core/call.ts'
import { canonicalJson } from '../../core/canonical.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import type { Preview } from '../../core/preview.ts'
import { runs, type Verdict } from '../../core/verdict.ts'
import { isPinned } from '../../gate/pins.ts'
import type { GateParts, ResolveContext } from '../../gate.ts'
import { ITSELF, reportedPreview, unsupported } from '../../open-preview.ts'
import { prepareSchema } from '../../policy/contracts/schema.ts'
import type { Policy } from '../../policy/policy.ts'
import type { PreviewSection, ToolPreviewMode } from '../../policy/preview/model.ts'
import { operatorPolicies } from '../../policy/scopes/model.ts'
import type { Response } from './message.ts'

/** Calls the tool of the call that is being judged with other arguments; undefined where no answer came in time. */
export type AskTool = (args: JsonObject, signal: AbortSignal) => Promise<Response | undefined>

export interface ServerPreviews {
  readonly preview: NonNullable<GateParts['preview']>
  /** Whether the call may be shown by its server, which only this process can ask. */
  readonly canAsk: (call: ToolCall, policy: Policy) => boolean
  /** Judges a call whose server can be asked, by the id that no other call has. */
  readonly asking: <T>(callId: string, ask: AskTool, judge: () => Promise<T>) => Promise<T>
}

interface Judged {
  readonly decision: { readonly would: Verdict; readonly code: string }
}

/** `consider` judges a call and records nothing. */
export function createServerPreviews(consider: () => (call: ToolCall) => Promise<Judged>): ServerPreviews {
  // Not an `AsyncLocalStorage`: from its first use on, Node 20 runs hooks at every promise of the process.
  const servers = new Map<string, AskTool>()
  const considered = new WeakSet<ToolCall>()
  return {
    asking: async (callId, ask, judge) => {
      servers.set(callId, ask)
      try {
        return await judge()
      } finally {
        servers.delete(callId)
      }
    },
    canAsk: (call, policy) => modesIn(policy, call).length > 0,
    preview: async (context) => {
      const { call } = context
      if (considered.has(call)) return ITSELF
      const [found] = modesIn(context.policy, call)
      if (found === undefined) return null
      const { mode, section } = found
      const args = { ...call.args, [mode.argument]: mode.value }
      const objection = objectionTo(mode, args, context)
      if (objection !== null) return unsupported(objection)
      // The agent itself asked for the preview: the call is one.
      if (own(call.args, mode.argument) === mode.value) return ITSELF
      const ask = call.callId === null ? undefined : servers.get(call.callId)
      if (ask === undefined) return unsupported('no server of this tool can be asked here')
      const trial: ToolCall = { ...call, callId: null, approval: null, args }
      considered.add(trial)
      const { decision } = await consider()(trial)
      if (!runs(decision.would)) return unsupported(`the gate does not let ${spelt(mode)} run: ${decision.would} ${decision.code}`)
      const answer = await ask(args, AbortSignal.timeout(section.limits.timeMs))
      return previewIn(answer, { mode, section })
    },
  }
}

interface Found {
  readonly mode: ToolPreviewMode
  readonly section: PreviewSection
}

function modesIn(policy: Policy, call: ToolCall): readonly Found[] {
  return operatorPolicies(policy).flatMap(({ preview: section }) => modesOf(section, call))
}

function modesOf(section: PreviewSection | null, { tool }: ToolCall): readonly Found[] {
  const modes = section?.modes.filter((mode) => mode.server === tool.server && mode.tool === tool.name) ?? []
  return section === null ? [] : modes.map((mode) => ({ mode, section }))
}

const spelt = ({ argument, value }: ToolPreviewMode): string => `\`${argument}: ${JSON.stringify(value)}\``

/** INVARIANT: a server that does not know the argument would act, so the definition that people accepted has to declare it. */
function objectionTo(mode: ToolPreviewMode, args: JsonObject, context: ResolveContext): string | null {
  const { call } = context
  const schema = call.definition?.inputSchema ?? null
  if (schema === null || !isPinned(context))
    return 'the definition of the tool is not pinned, so nobody knows whether it has a preview mode'
  const declared = own(schema, 'properties')
  if (!isJsonObject(declared) || !isJsonObject(own(declared, mode.argument) ?? null))
    return `the pinned definition of the tool declares no argument \`${mode.argument}\``
  const wrong = prepareSchema(schema, { closed: false })?.check(args) ?? ['its schema cannot be used']
  return wrong.length === 0 ? null : `the pinned definition of the tool does not allow ${spelt(mode)}: ${wrong[0]}`
}

/** @throws where the answer does not say what would happen. */
function previewIn(answer: Response | undefined, { mode, section }: Found): Preview {
  if (answer === undefined) throw new Error(`the server did not answer ${spelt(mode)} within its time`)
  const { result } = answer
  if (!isJsonObject(result ?? null) || result === undefined) throw new Error(`the server answers ${spelt(mode)} with an error`)
  const said = result as JsonObject
  const type = own(said, 'resultType')
  if (own(said, 'isError') === true) throw new Error(`the tool answers ${spelt(mode)} with an error: ${textOf(said, 200)}`)
  if (type !== undefined && type !== 'complete') throw new Error(`the tool does not complete ${spelt(mode)}`)
  const structured = own(said, 'structuredContent')
  return reportedPreview({
    result: structured ?? own(said, 'content') ?? null,
    output: textOf(said, section.limits.outputBytes),
    note: `What the server says that it would do, called with ${spelt(mode)}.`,
  })
}

/** What people read of a result. */
function textOf(result: JsonObject, most: number): string {
  const content = own(result, 'content')
  const parts: readonly Json[] = Array.isArray(content) ? content : []
  const texts = parts.map((part) => {
    const text = isJsonObject(part) ? own(part, 'text') : undefined
    return typeof text === 'string' ? text : canonicalJson(part)
  })
  const whole = texts.join('\n')
  return whole.length <= most ? whole : `${whole.slice(0, most)}…`
}
