/** Runs the examples of a rule when the policy is loaded: a rule that does not do what it says is an error (T42). */

import type { ToolCall } from '../core/call.ts'
import { createDigester } from '../core/digest.ts'
import type { Json } from '../core/json.ts'
import { toolIdentity } from '../core/tool-name.ts'
import type { Facts } from '../facts/facts.ts'
import { described, type Located, listOf, located, text } from './reading/fields.ts'
import { ruleInput } from './reading/input.ts'
import { jsonObject } from './reading/json-field.ts'
import { record } from './reading/record.ts'
import type { IndexedRule } from './rule-index.ts'
import type { CompileContext } from './section.ts'

const principal = record({ agent: text, role: text, user: text, tenant: text, chain: listOf(text) })

/** A call as it stands in an example: the outer contract's, without what a decision does not rest on. */
const callField = record(
  {
    tool: text,
    server: text,
    args: jsonObject,
    principal,
    session: text,
    cwd: text,
    definition: record({ description: text, input_schema: jsonObject, annotations: jsonObject }),
  },
  { required: ['tool'], expects: 'a call such as `{tool: Bash, args: {command: ls}}`' },
)

export const examplesField = described(
  record({
    match: described(listOf(located(callField)), 'Calls that the rule must match.'),
    not_match: described(listOf(located(callField)), 'Calls that it must leave alone.'),
  }),
  'Executed whenever the policy is loaded.',
)

export type Examples = NonNullable<ReturnType<(typeof examplesField)['read']>>
type ExampleCall = NonNullable<ReturnType<(typeof callField)['read']>>

/** Without an analysis only rules that read no effects can be tried. */
export const NO_FACTS: Omit<Facts, 'tool'> = {
  effects: [],
  commands: [],
  hidden: [],
  secrets: [],
  canaries: [],
  scripts: [],
  coverage: 'partial',
}

interface Trial {
  readonly indexed: IndexedRule
  readonly readsFacts: boolean
  readonly context: CompileContext
}

/** Reports every example that does not behave. */
export function runExamples(examples: Examples, trial: Trial): void {
  for (const [list, expected] of [
    [examples.match ?? [], true],
    [examples.not_match ?? [], false],
  ] as const) {
    for (const example of list) runExample(example, expected, trial)
  }
}

function runExample({ value, at }: Located<ExampleCall>, expected: boolean, { indexed, readsFacts, context }: Trial): void {
  const { reader, options } = context
  const { rule, pattern } = indexed
  if (readsFacts && options.analyseExample === undefined) {
    const message = `the examples of \`${rule.id}\` need effects, and calls cannot be analysed here`
    reader.fail({ code: 'policy.example_unavailable', message, help: 'check this policy with `countersign policy test`', at })
    return
  }
  const call = toCall(value, context)
  const facts = options.analyseExample?.(call) ?? { ...NO_FACTS, tool: { family: null, name: call.tool.name } }
  const outcome = attempt(() => (pattern?.matches(call.tool.server, call.tool.name) ?? true) && rule.matches(ruleInput(call, facts)))
  if (outcome === expected) return
  const message =
    typeof outcome === 'string' ? `this example of \`${rule.id}\` cannot be evaluated: ${outcome}` : mismatch(rule.id, expected)
  reader.fail({ code: 'policy.example_failed', message, help: 'correct the rule or the example', at })
}

function mismatch(id: string, expected: boolean): string {
  return expected ? `\`${id}\` does not match this example` : `\`${id}\` matches this example, which it should leave alone`
}

function attempt(run: () => boolean): boolean | string {
  try {
    return run()
  } catch (error) {
    return error instanceof Error ? error.message : 'unknown reason'
  }
}

function principalOf(written: ExampleCall['principal']): ToolCall['principal'] {
  const { agent = null, role = null, user = null, tenant = null, chain = [] } = written ?? {}
  return { agent, role, user, tenant, chain }
}

function toCall(value: ExampleCall, { options }: CompileContext): ToolCall {
  const definition = value.definition
  const known = definition && {
    description: definition.description ?? null,
    inputSchema: definition.input_schema ?? null,
    annotations: definition.annotations ?? null,
  }
  return {
    tool: {
      ...toolIdentity(value.server ?? null, value.tool ?? ''),
      definition: known ? createDigester(options.sha256).definitionDigest(known) : null,
    },
    args: value.args ?? (Object.create(null) as Record<string, Json>),
    principal: principalOf(value.principal),
    session: value.session ?? null,
    cwd: value.cwd ?? null,
    context: { task: null, recent: [] },
    definition: known ?? null,
    approval: null,
    callId: null,
  }
}
