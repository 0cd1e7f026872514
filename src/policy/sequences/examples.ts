/** Runs the examples of a rule over time when the policy is loaded: sessions, of which the last call is judged (T42). */
import type { ToolCall } from '../../core/call.ts'
import { createDigester } from '../../core/digest.ts'
import type { History } from '../../core/history.ts'
import { toolIdentity } from '../../core/tool-name.ts'
import { NO_FACTS } from '../examples.ts'
import { described, type Located, listOf, located, text } from '../reading/fields.ts'
import { ruleInput } from '../reading/input.ts'
import { jsonObject } from '../reading/json-field.ts'
import { record } from '../reading/record.ts'
import type { CompileContext } from '../section.ts'
import type { FoundMark, SequenceRule } from './model.ts'

const principal = record({ agent: text, role: text, user: text, tenant: text })
const callField = record({ tool: text, server: text, args: jsonObject, principal, cwd: text }, { required: ['tool'] })

export const examplesField = described(
  record({
    match: described(listOf(located(listOf(callField))), 'Sessions of calls; the rule must match the last one.'),
    not_match: described(listOf(located(listOf(callField))), 'Sessions whose last call it must leave alone.'),
  }),
  'Executed whenever the policy is loaded; where values come from is not known in them.',
)

type Examples = NonNullable<ReturnType<(typeof examplesField)['read']>>
type ExampleCall = NonNullable<ReturnType<(typeof callField)['read']>>

export function runSequenceExamples(examples: Examples, trial: Trial): void {
  for (const [list, expected] of [
    [examples.match ?? [], true],
    [examples.not_match ?? [], false],
  ] as const) {
    for (const example of list) runExample(example, expected, trial)
  }
}

interface Trial {
  readonly rule: SequenceRule
  readonly readsFacts: boolean
  readonly context: CompileContext
}

function runExample({ value, at }: Located<readonly ExampleCall[]>, expected: boolean, { rule, readsFacts, context }: Trial): void {
  const { analyseExample } = context.options
  if (readsFacts && analyseExample === undefined) {
    const message = `the examples of \`${rule.id}\` need effects, and calls cannot be analysed here`
    context.reader.fail({ code: 'policy.example_unavailable', message, help: 'check this policy with `countersign policy test`', at })
    return
  }
  const past = new Past()
  let outcome = false
  for (const each of value) {
    const call = toCall(each, context)
    const { condition } = ruleInput(call, analyseExample?.(call) ?? { ...NO_FACTS, tool: { family: null, name: call.tool.name } })
    outcome = (rule.tool?.matches(call.tool.server, call.tool.name) ?? true) && attempt(() => rule.matches(condition, past))
    past.add(rule.marks(condition, past, 'allow'))
  }
  if (outcome === expected) return
  const message = `the rule \`${rule.id}\` ${outcome ? 'matches' : 'does not match'} the last call of this session`
  context.reader.fail({ code: 'policy.example_failed', message, help: 'correct the rule or the example', at })
}

/** A rule that cannot be evaluated counts as matched. */
function attempt(test: () => boolean): boolean {
  try {
    return test()
  } catch {
    return true
  }
}

function toCall({ tool, server, args, principal: who, cwd }: ExampleCall, { options }: CompileContext): ToolCall {
  const named = toolIdentity(server ?? null, tool ?? '')
  createDigester(options.sha256)
  return {
    tool: { ...named, definition: null },
    args: args ?? {},
    principal: { agent: who?.agent ?? null, role: who?.role ?? null, user: who?.user ?? null, tenant: who?.tenant ?? null, chain: [] },
    session: 'example',
    cwd: cwd ?? null,
    context: { task: null, recent: [] },
    definition: null,
    approval: null,
    callId: null,
  }
}

/** The past of an example: one second between two calls, and nothing is ever forgotten. */
class Past implements History {
  readonly incomplete = false
  steps = 0
  #marks: (FoundMark & { readonly step: number; readonly at: number })[] = []

  get now(): number {
    return this.steps * 1_000
  }

  add(marks: readonly FoundMark[]): void {
    this.steps += 1
    this.#marks.push(...marks.map((mark) => ({ ...mark, step: this.steps, at: this.now })))
  }

  lastSeen = (id: string, by: string | null) => this.#of(id, by).at(-1) ?? null
  count = (id: string, by: string | null) => this.#of(id, by).reduce((sum, { value }) => sum + Number(value), 0)
  distinct = (id: string, by: string | null, value: string | null) =>
    new Set([...this.#of(id, by).map((mark) => String(mark.value)), ...(value === null ? [] : [value])]).size
  flowsFrom = () => false
  sends = () => false
  holds = () => false

  #of(id: string, by: string | null) {
    return this.#marks.filter((mark) => mark.id === id && mark.by === by && isWithin(mark, this))
  }
}

function isWithin(
  { window, at, step }: { readonly window: number | null; readonly at: number; readonly step: number },
  past: Past,
): boolean {
  if (window === null) return true
  return window < 0 ? past.steps - step < -window : past.now - at <= window
}
