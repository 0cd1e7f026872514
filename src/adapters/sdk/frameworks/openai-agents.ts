/** OpenAI Agents: function tools in a list, each with `needsApproval`, `inputGuardrails` and `invoke(context, text, details)`. */
import { CallRefused, GateError } from '../errors.ts'
import type { Gate, ProposedCall } from '../gate.ts'
import { at, type FrameworkOptions, type Listed, withMethods } from './tool-objects.ts'

/** What `tool({ name, parameters, execute })` makes; other kinds of tools have a `name`, too. */
export type AgentTools = readonly { readonly type: string; readonly name: string }[]

type NeedsApproval = (context: unknown, input: unknown, callId?: string) => Promise<boolean>
type Invoke = (context: unknown, input: string, details?: unknown) => Promise<unknown>

interface Gating {
  readonly gate: Gate
  readonly tool: object & { readonly name: string }
  readonly caller: FrameworkOptions['caller']
}

/**
 * The function tools of an agent, each gated. A call that a person has to see interrupts the run (`result.interruptions`); once the
 * approval is given to the gate (`gate.approve`, the console, a channel) and to the run (`state.approve`), it runs, once. A denied call is
 * rejected by an input guardrail, whose message the model gets as the tool's output; `invoke` holds to the same decision.
 * @throws {GateError} where a tool is no function tool and is not named in `elsewhere`, such as a hosted one: it does not run here.
 */
export function gateTools<const T extends AgentTools>(gate: Gate, tools: T, { caller, elsewhere = [] }: FrameworkOptions = {}): Listed<T> {
  const own = tools.filter(({ name }) => !elsewhere.includes(name))
  const ungated = own.filter((tool) => typeof Reflect.get(tool, 'invoke') !== 'function').map(({ name }) => name)
  if (ungated.length > 0)
    throw new GateError(`declared, but not gated: ${ungated.join(', ')}, without \`invoke\`; name in \`elsewhere\` what does not run here`)
  const twice = own.find(({ name }, index) => own.findIndex((other) => other.name === name) !== index)
  if (twice !== undefined) throw new GateError(`the tool \`${twice.name}\` stands twice`)
  return tools.map((tool) => (own.includes(tool) ? gatedTool({ gate, tool, caller }) : tool)) as unknown as Listed<T>
}

function gatedTool(gating: Gating): object {
  const guardrails = (Reflect.get(gating.tool, 'inputGuardrails') as readonly unknown[] | undefined) ?? []
  return withMethods(gating.tool, {
    needsApproval: needsApproval(gating),
    inputGuardrails: [guardrail(gating), ...guardrails],
    invoke: invoke(gating),
  })
}

/** A person is asked by the run where the gate would ask, and where the tool itself says so. A gate with a handler asks in `invoke`. */
function needsApproval({ gate, tool, caller }: Gating): NeedsApproval {
  const before = Reflect.get(tool, 'needsApproval') as NeedsApproval | undefined
  return async (context, input, callId) => {
    if ((await before?.call(tool, context, input, callId)) === true) return true
    if (gate.waits) return false
    const call: ProposedCall = { ...caller?.(), tool: tool.name, args: input as object, ...(callId === undefined ? {} : { callId }) }
    return (await gate.decide(call)).decision === 'ask'
  }
}

type Guarded = { readonly behavior: { readonly type: 'allow' } | { readonly type: 'rejectContent'; readonly message: string } }

function guardrail({ gate, tool, caller }: Gating) {
  return {
    type: 'tool_input',
    name: 'countersign',
    run: async ({ toolCall }: { readonly toolCall: unknown }): Promise<Guarded> => {
      if (gate.waits) return { behavior: { type: 'allow' } }
      const [text, callId] = [at(toolCall, 'arguments'), at(toolCall, 'callId')]
      const known = typeof callId === 'string' ? { callId } : {}
      const call: ProposedCall = { ...caller?.(), tool: tool.name, args: argsOf(text) as object, ...known }
      const { decision, agentReason } = await gate.decide(call)
      if (decision === 'allow' || decision === 'flag') return { behavior: { type: 'allow' } }
      return { behavior: { type: 'rejectContent', message: agentReason } }
    },
  }
}

function invoke({ gate, tool, caller }: Gating): Invoke {
  const before = Reflect.get(tool, 'invoke') as Invoke
  const through = gate.wrap(
    (args: object, context: unknown, details: unknown) => before.call(tool, context, JSON.stringify(args), details),
    {
      name: tool.name,
      callId: (_context, details) => {
        const id = at(at(details, 'toolCall'), 'callId')
        return typeof id === 'string' ? id : undefined
      },
      ...(caller === undefined ? {} : { caller }),
    },
  )
  return async (context, input, details) => {
    try {
      return await through(argsOf(input) as object, context, details)
    } catch (error) {
      if (error instanceof CallRefused) return error.message
      throw error
    }
  }
}

/** What is no JSON is nothing that could be judged: the gate refuses it. */
function argsOf(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : null
  } catch {
    return null
  }
}
