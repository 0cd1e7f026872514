/** The closed list of warnings about a policy, what gets out of each, and how one is shown: place, line, caret, way out. */
import type { PolicyWarning } from './policy.ts'
import { PolicySource, printable } from './reading/source.ts'

/** Every kind of warning, with what it is about. */
export const LINTS = {
  'lint.empty_registry': 'no tool is registered, so every call is denied',
  'lint.unregistered_allow': 'tools that nobody registered may run',
  'lint.sequence_plain': 'a rule over time looks at one call alone',
  'lint.baseline_silent': 'a baseline is learned and leads to nothing',
  'lint.baseline_new': 'what is new to a role is not flagged for that alone',
  'lint.baseline_levels': 'calls are asked about before they would be flagged',
  'lint.baseline_asks': 'so little surprise is asked about that ordinary calls are',
  'lint.first_match': 'an allow rule hides deny rules',
  'lint.declassify_ended': 'a declassification has ended already',
  'lint.authorization_idle': 'a judge is asked for graphs that change nothing',
  'lint.allow_all': 'an allow rule permits every call that nothing else stops',
  'lint.shadowed': 'an allow rule can never permit anything, because a deny rule covers it',
  'lint.covered': 'a deny or ask rule changes nothing, because a wider rule does as much or more',
  'lint.tool_name': 'a tool is named that goes by another name',
  'lint.tool_ceiling': 'a critical tool is denied whatever it is asked, which the policy does not say it means',
  'lint.action_unknown': 'a condition asks for an action that no effect has',
  'lint.attribute_unknown': 'a condition asks for an attribute that no effect has',
  'lint.capability_file': 'a capability file holds something that needs a second look',
  'lint.gate_unknown': 'an action is gated that no effect has',
  'lint.grant_not_gated': 'a grant is for an action that is not gated, so it changes nothing',
  'lint.grant_expired': 'a grant has ended already',
  'lint.grant_date': 'a grant ends at a date without a time, which is its beginning',
  'lint.role_shadowed': 'something that a role allows is always denied by the same role',
  'lint.role_commands': 'commands are listed for a tool that runs none',
  'lint.role_subcommands': 'subcommands are listed for a program that may not run',
  'lint.trusted_unpinned': 'a server is trusted whose definitions are not pinned',
  'lint.duplicate': 'two rules ask for the same',
  'lint.no_reason': 'a rule that stops calls does not say why',
  'lint.unguarded_argument': 'a condition reads an argument that other tools do not have',
  'lint.lexical_path': 'a condition compares paths as written instead of as they are',
  'lint.contract_contradiction': 'two constraints of a contract exclude each other',
  'lint.contract_never': 'a relation can never hold, so every call that it can be told of violates it',
  'lint.contract_always': 'a relation can never fail, so it protects nothing',
  'lint.contract_field': 'a constraint looks at an argument that the contract does not have',
  'lint.contract_state': 'a constraint looks at a state that nothing provides',
  'lint.contract_type': 'a parameter has a type that nothing checks',
  'lint.contract_example': "a contract flags an example of the tool's own schema",
  'lint.provider_url': 'the variable of the address of a database is not set',
  'lint.provider_header': 'the variable of a header of a lookup is not set',
  'lint.judge_unknown': 'a judge is not in the policy, so the host program must provide it',
  'lint.judge_evidence': 'a judge enforces, but nothing says what it was measured to do',
  'lint.judge_laxer': 'a judge accepts more than at the thresholds that its evidence proposes',
  'lint.judge_embedded': 'the embedded judge is the only gate judge, and it denies nothing',
  'lint.skip_judge': 'judges are skipped for a tool that can change things',
  'lint.disclosure': 'the agent is told what matched',
  'lint.canary_unset': 'the variable of a canary is not set',
  'lint.canary_short': 'the token of a canary is too short to be used',
  'lint.own_program': 'agents may change the program of the gate itself',
} as const satisfies Record<string, string>

export type LintCode = keyof typeof LINTS

/** What to do about each. */
const WAYS_OUT: Readonly<Record<LintCode, string>> = {
  'lint.empty_registry': 'register tools under `tools` or `tool_families`, or set `unregistered: ask`',
  'lint.unregistered_allow': 'set `unregistered` to `ask` or `deny`',
  'lint.baseline_silent': 'set `flag_at`, or take `baseline` out',
  'lint.baseline_new': 'lower `flag_at`, or leave it out',
  'lint.baseline_levels': 'set `ask_at` above `flag_at`',
  'lint.baseline_asks': 'raise `ask_at`; `countersign baseline show` says what a role does',
  'lint.sequence_plain': 'move it to `rules`, or say what came before with `formerly`, `count` or `flows_from`',
  'lint.first_match': 'leave `order` out, so that the gravest rule that matches decides',
  'lint.declassify_ended': 'take it out, or give it a later `until`',
  'lint.authorization_idle': 'take `authorization.judge` out, or set `flow.ask_at` or `authorization.uncovered`',
  'lint.allow_all': 'name the tools, users or conditions it is for',
  'lint.shadowed': 'take it out, or narrow the deny rule',
  'lint.covered': 'take it out, or narrow the wider rule',
  'lint.tool_name': 'write it as the host shows it; if it is your own tool, register it under `tools`',
  'lint.tool_ceiling': 'set both under `registry`, or write `allow_critical: false` there to say that it is meant',
  'lint.action_unknown': 'correct it, or give a tool under `tools` an effect with this action',
  'lint.attribute_unknown': 'correct it: the effects in the answer of `countersign check` show theirs',
  'lint.capability_file': "grants made with `countersign grants add` are signed and out of the agent's reach",
  'lint.gate_unknown': 'correct it, or give a tool under `tools` an effect with this action',
  'lint.grant_not_gated': 'add the action to `capabilities.gate`, or take the grant out',
  'lint.grant_expired': 'take it out, or give it a later `expires`',
  'lint.grant_date': 'write the time as well, such as `2026-07-01T18:00:00Z`',
  'lint.role_shadowed': 'take one of the two out',
  'lint.role_commands': 'limit it by `allow_paths`, `allow_domains` or `max_args_length`',
  'lint.role_subcommands': 'add the program to the commands that may run, or take its subcommands out',
  'lint.trusted_unpinned': 'take it out of `guards.definitions.except`, or of `rules.read_only.trusted_servers`',
  'lint.duplicate': 'take one of the two out',
  'lint.no_reason': 'add a `reason`: it is what the operator and the log show',
  'lint.unguarded_argument': 'ask `has(args.name)` first, or name the tool',
  'lint.lexical_path': 'compare `e.target.real`',
  'lint.contract_contradiction': 'correct one of the two',
  'lint.contract_never': 'correct it, or take it out',
  'lint.contract_always': 'correct it, or take it out',
  'lint.contract_field': 'name a parameter of the contract, or add this one to `params`',
  'lint.contract_state': 'fill it under `contracts.state`, or correct the name',
  'lint.contract_type': 'use a type of JSON Schema',
  'lint.contract_example': 'relax the constraint, or correct the example',
  'lint.provider_url': 'set the variable where the gate runs',
  'lint.provider_header': 'set the variable where the gate runs',
  'lint.judge_unknown': 'define it under `judges`',
  'lint.judge_evidence':
    'let it run with `mode: shadow`, measure it with `countersign judge calibrate`, and name the file under `evidence`',
  'lint.judge_laxer': 'raise `min_score` and `min_confidence`, or measure it again',
  'lint.judge_embedded': 'add a model as a gate judge, or let the embedded one only resolve asks',
  'lint.skip_judge': 'take it out of `skip_judge`',
  'lint.disclosure': 'use `coarse` or `reason`: what matched is in the log',
  'lint.canary_unset': 'set the variable where the gate runs',
  'lint.canary_short': 'use a token of 8 characters or more',
  'lint.own_program': 'keep `guards.own_program.develop` for work on Countersign itself',
}

function isLintCode(code: string): code is LintCode {
  return Object.hasOwn(LINTS, code)
}

/**
 * `path:line:column: warning: message (code)`, the line with a caret, the way out. `text` is that of the policy itself: a
 * warning about another file shows its place only.
 */
export function formatPolicyWarning({ code, message, path, line, column }: PolicyWarning, policy: { path: string; text: string }): string {
  const help = isLintCode(code) ? WAYS_OUT[code] : null
  const gutter = String(line)
  const margin = ' '.repeat(gutter.length)
  const lines = [`${path ?? policy.path}:${line}:${column}: warning: ${printable(message)} (${code})`]
  const [shown, caret] = path == null || path === policy.path ? new PolicySource(policy.text, null).excerpt({ line, column }) : []
  if (shown !== undefined && caret !== undefined) lines.push(`${gutter} | ${shown}`, `${margin} | ${caret}`)
  if (help !== null) lines.push(`${margin} = ${help}`)
  return lines.join('\n')
}
