/** What rules and conditions see of a call: wire names, unknown as the empty text, made once per call and only if asked for. */
import type { ToolCall } from '../../core/call.ts'
import type { Effect } from '../../core/effect.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { CommandFact, Facts } from '../../facts/facts.ts'
import type { ConditionInput, RuleInput } from '../policy.ts'

/** The input of every rule for this call. */
export function ruleInput(call: ToolCall, facts: Facts): RuleInput {
  return new LazyInput(call, facts)
}

class LazyInput implements RuleInput {
  readonly user: string | null
  readonly role: string | null
  readonly #call: ToolCall
  readonly #facts: Facts
  #condition: ConditionInput | null = null
  #argsText: string | null = null

  constructor(call: ToolCall, facts: Facts) {
    this.#call = call
    this.#facts = facts
    this.user = call.principal.user
    this.role = call.principal.role
  }

  get condition(): ConditionInput {
    this.#condition ??= conditionInput(this.#call, this.#facts)
    return this.#condition
  }

  get argsText(): string {
    this.#argsText ??= argumentText(this.#call.args)
    return this.#argsText
  }
}

function conditionInput(call: ToolCall, facts: Facts): ConditionInput {
  const { agent, role, user, tenant, chain } = call.principal
  return {
    tool: call.tool.name,
    server: call.tool.server ?? '',
    args: call.args,
    principal: { agent: agent ?? '', role: role ?? '', user: user ?? '', tenant: tenant ?? '', chain },
    session: call.session ?? '',
    cwd: call.cwd ?? '',
    effects: facts.effects.map(effectInput),
    commands: facts.commands.map(commandInput),
    coverage: facts.coverage,
  }
}

function effectInput(effect: Effect): unknown {
  const { kind, value, real, scope, classes } = effect.target
  return {
    verb: effect.verb,
    action: effect.action ?? '',
    // A path that could not be resolved stands as it was named: better a lexical answer than none.
    target: { kind, value, real: real ?? (kind === 'path' ? value : ''), scope, classes },
    reversible: effect.reversible,
    certainty: effect.certainty,
    reason: effect.reason ?? '',
    attributes: effect.attributes,
  }
}

function commandInput(command: CommandFact): unknown {
  const argv = command.argv.map((word) => word ?? '')
  return { program: command.program ?? '', argv, wrappers: command.wrappers, text: argv.join(' ') }
}

/**
 * JSON of the arguments with sorted keys and non-ASCII kept, first spaced as Promptise writes it (`"path": "/etc"`), then
 * compact, on a line of its own: a filter holds where either spelling has it (PRO-18).
 */
export function argumentText(args: JsonObject): string {
  return `${write(args, ', ', ': ')}\n${write(args, ',', ':')}`
}

function write(value: Json, comma: string, colon: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map((item) => write(item, comma, colon)).join(comma)}]`
  const object = value as JsonObject
  const pairs = Object.keys(object)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}${colon}${write(object[key] ?? null, comma, colon)}`)
  return `{${pairs.join(comma)}}`
}
