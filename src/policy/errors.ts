/** The closed list of what can be wrong with a policy file, and how such an error is shown: position, caret, way out. */
export const POLICY_ERRORS = {
  'policy.empty': 'the file holds no policy; a policy is a mapping with at least `version: 1`',
  'policy.too_large': 'the file is larger than 4 MiB',
  'policy.syntax': 'the text is neither YAML nor JSON',
  'policy.duplicate_key': 'a mapping has the same key twice; which one would win must not be left to a parser',
  'policy.alias': 'anchors, aliases, merge keys and tags are not read: a policy says in plain words what holds',
  'policy.several_documents': 'one file holds one policy',
  'policy.unknown_field': 'no such field; a field that would be ignored looks enforced and is not',
  'policy.not_enforced': 'the field is planned, but this version does not enforce it, so it must not look as if it did',
  'policy.missing_field': 'a field that has no default is missing',
  'policy.wrong_type': 'the value has another type than the field needs',
  'policy.wrong_value': 'the value is of the right type, but not among those that the field knows',
  'policy.version': 'the file is written for another version of the policy format',
  'policy.pattern': 'a pattern cannot be compiled',
  'policy.input_schema': 'the input schema of a tool cannot be used',
  'policy.condition_syntax': 'a condition is not a CEL expression',
  'policy.condition_name': 'a condition uses a name that does not exist',
  'policy.condition_field': 'a condition reads a field that does not exist',
  'policy.condition_function': 'a condition calls a function that conditions do not have',
  'policy.condition_type': 'a condition mixes types that do not go together',
  'policy.sequence': 'a word of time or flow in a condition is not used as it can be',
  'policy.condition_word': 'a condition compares with a word outside the vocabulary, so it can never hold',
  'policy.condition_never': 'a condition can never hold, so its rule can never match',
  'policy.duplicate_rule': 'two rules have the same id',
  'policy.role_circle': 'a role inherits itself, by whatever way',
  'policy.rule_shape': 'the fields of a rule contradict each other',
  'policy.example_failed': 'an example of a rule does not behave as the rule says',
  'policy.example_unavailable': 'the examples of a rule cannot be run here, because calls cannot be analysed here',
  'policy.contract_kind': 'a relation of a kind that does not exist; ignoring it would look like enforcing it',
  'policy.contract_path': 'a path into arguments, results or state cannot be read',
  'policy.contract_file': 'a contract file cannot be read',
  'policy.judge_file': 'a file about a judge cannot be used: unreadable, malformed, or of another judge',
  'policy.contract_state': 'a table of the state is filled in ways that do not go together',
  'policy.not_found': 'there is no policy file; without a policy nothing is allowed',
  'policy.unreadable': 'the policy file cannot be read',
} as const satisfies Record<string, string>

/** Every code a policy error may have. */
export type PolicyErrorCode = keyof typeof POLICY_ERRORS

/** One error of a policy: what, where, and what to write instead. */
export interface PolicyError {
  readonly code: PolicyErrorCode
  /** Lower case, input in backticks. */
  readonly message: string
  /** What would be valid; null where the message says it. */
  readonly help: string | null
  readonly path: string | null
  /** Both count from 1; a column counts UTF-16 units. */
  readonly line: number
  readonly column: number
  /** The line of the file and, under it, carets at the fault; empty where the file has no such line. */
  readonly excerpt: readonly string[]
}

/** The error as people read it: message, `path:line:column`, the line with carets, the way out. */
export function formatPolicyError(error: PolicyError): string {
  const gutter = String(error.line)
  const margin = ' '.repeat(gutter.length)
  const lines = [`${error.code}: ${error.message}`, `${margin}--> ${error.path ?? 'policy'}:${error.line}:${error.column}`]
  const [text, carets] = error.excerpt
  if (text !== undefined && carets !== undefined) lines.push(`${gutter} | ${text}`, `${margin} | ${carets}`)
  if (error.help !== null) lines.push(`${margin} = ${error.help}`)
  return lines.join('\n')
}
