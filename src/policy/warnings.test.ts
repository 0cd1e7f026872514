import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { newStateDirectory } from '../../test/support/state-base.ts'
import { createDigester } from '../core/digest.ts'
import { POLICY_ERRORS } from './errors.ts'
import { readPolicy, sha256 } from './file.ts'
import { EVIDENCE_SCHEMA, judgeDigest } from './judge-evidence.ts'
import type { CompileOptions } from './section.ts'
import { compile, policy, VOCABULARY } from './testing/compiled.ts'
import { ERROR_CASES } from './testing/error-cases.ts'
import { formatPolicyWarning, LINTS } from './warnings.ts'

const role = (body: string) => `unregistered: ask\nroles:\n${body}`
const contract = (body: string) => `unregistered: ask\ncontracts:\n  tools:\n    t: ${body}\n`
const grant = (body: string, more = '') => `unregistered: ask\ncapabilities:\n${more}  grants:\n    ${body}\n`
const file = (text: string): Partial<CompileOptions> => ({ readFile: () => ({ text }) })

/** Every kind of warning, with what it must not be given for beside it. */
const CASES: readonly (readonly [title: string, text: string, codes: string, options?: Partial<CompileOptions>])[] = [
  ['nothing registered', 'mode: enforce', 'empty_registry'],
  ['anything may run', 'unregistered: allow', 'unregistered_allow'],
  ['first match', 'unregistered: ask\nrules: { order: first-match }', 'first_match'],
  ['allow all', 'unregistered: ask\nrules: { allow: [{ tool: "*" }] }', 'allow_all'],
  ['shadowed', 'unregistered: ask\nrules: { deny: [{ tool: "get_*", reason: r }], allow: [{ tool: get_x }] }', 'shadowed'],
  ['duplicate', 'unregistered: ask\nrules: { allow: [{ tool: a }, { tool: a }] }', 'duplicate'],
  ['no reason', 'unregistered: ask\nrules:\n  deny:\n    - tool: x', 'no_reason'],
  ['unguarded argument', 'unregistered: ask\nrules: { ask: [{ when: args.n > 1, reason: r }] }', 'unguarded_argument'],
  [
    'path as written',
    'unregistered: ask\nrules: { ask: [{ when: \'effects.exists(e, under(e.target.value, "/etc"))\', reason: r }] }',
    'lexical_path',
  ],
  [
    'trusted server that is not pinned',
    'unregistered: ask\nguards: { definitions: { except: [docs] } }\nrules: { read_only: { trusted_servers: [mail, docs] } }',
    'trusted_unpinned',
  ],
  ['canary that is not set', 'unregistered: ask\nguards: { canary: { tokens_env: [UNSET] } }', 'canary_unset', { env: () => undefined }],
  ['canary that is too short', 'unregistered: ask\nguards: { canary: { tokens_env: [SHORT] } }', 'canary_short', { env: () => 'abc' }],
  ['own program that may be changed', 'unregistered: ask\nguards: { own_program: { develop: true } }', 'own_program'],

  // Capabilities.
  ['gate that is misspelt', 'unregistered: ask\ncapabilities: { gate: [git:psuh] }', 'gate_unknown'],
  ['gate of a family that is misspelt', 'unregistered: ask\ncapabilities: { gate: ["kbs:*", npm:publish] }', 'gate_unknown'],
  ['gate of nothing like anything', 'unregistered: ask\ncapabilities: { gate: [frobnication:zzzzzz] }', 'gate_unknown'],
  ['gate of an action', 'unregistered: ask\ncapabilities: { gate: [sql:drop, payment, "k8s:*", deploy, service:mask] }', ''],
  [
    "gate of an action of the policy's own tool",
    'tools: { purge: { effects: [{ verb: delete, action: crm:purge, kind: resource, value: x }] } }\ncapabilities: { gate: [crm:purge, "crm:*"] }',
    '',
  ],
  [
    "gate that misspells an action of the policy's own tool",
    'tools: { purge: { effects: [{ verb: delete, action: crm:purge, kind: resource, value: x }] } }\ncapabilities: { gate: [crm:prge] }',
    'gate_unknown',
  ],
  ['grant of what is not gated', grant('docker:push: { reason: r }'), 'grant_not_gated'],
  ['grant of another family', grant('k8s:*: { reason: r }'), 'grant_not_gated'],
  ['grant with the gate open', grant('git:push: {}', '  gate: []\n'), 'grant_not_gated'],
  ['grant of a family that is gated in part', grant('git:*: {}'), ''],
  ['grant of an action of a gated capability', grant('npm:unpublish: {}'), ''],
  ['grant of a capability that is gated in part', grant('payment: {}', '  gate: [payment:refund]\n'), ''],
  ['grant of an action of a gated family', grant('k8s:delete: {}', '  gate: ["k8s:*"]\n'), ''],
  ['grant that is taken back', grant('docker:push: { granted: false }'), ''],
  ['grant that is over', grant('git:push: { expires: "2026-06-07T23:59:59Z" }'), 'grant_expired'],
  ['grant that ends now', grant('git:push: { expires: "2026-06-08T00:00:00Z" }'), 'grant_expired'],
  ['grant that ends later', grant('git:push: { expires: "2026-06-08T00:00:01Z" }'), ''],
  ['grant that is not over as of then', grant('git:push: { expires: "2020-01-01T00:00:00Z" }'), '', { asOf: 0 }],
  ['grant until a date', grant('git:push: { expires: "2026-07-01" }'), 'grant_date'],
  ['grant until a date that is over', grant('git:push: { expires: "2026-06-01" }'), 'grant_date,grant_expired'],
  ['capability file that is not there', 'unregistered: ask\ncapabilities: { files: [c.json] }', 'capability_file'],
  [
    'capability file with a scope',
    'unregistered: ask\ncapabilities: { files: [c.json] }',
    'capability_file',
    file('{"npm:publish":{"granted":true,"scope":"role-os"}}'),
  ],
  [
    'capability file with what is over and what is not gated',
    'unregistered: ask\ncapabilities: { files: [c.json] }',
    'grant_expired,grant_not_gated',
    file('{"git:push":{"granted":true,"expires":"2020-01-01T00:00:00Z"},"docker:push":{"granted":true}}'),
  ],
  ['capability file that is fine', 'unregistered: ask\ncapabilities: { files: [c.json] }', '', file('{"git:push":{"granted":true}}')],

  // Roles.
  ['the same role by two ways', role('  a: { inherits: [b, c] }\n  b: { inherits: [d] }\n  c: { inherits: [d] }\n  d: {}'), ''],
  [
    'allow pattern that is denied',
    role('  a:\n    tool_policies:\n      Bash:\n        allow_patterns: ["git push origin *"]\n        deny_patterns: ["git push *"]'),
    'role_shadowed',
  ],
  [
    'allow pattern that a parent denies',
    role(
      '  a: { inherits: [b], tool_policies: { Bash: { allow_patterns: [ls] } } }\n  b: { tool_policies: { "*": { deny_patterns: ["ls *"] } } }',
    ),
    'role_shadowed',
  ],
  [
    "a parent's allow pattern that a child denies",
    role(
      '  a: { inherits: [b], tool_policies: { Bash: { deny_patterns: ["ls *"] } } }\n  b: { tool_policies: { Bash: { allow_patterns: [ls] } } }',
    ),
    'role_shadowed',
  ],
  [
    'allow pattern that `*` denies',
    role('  a: { tool_policies: { Bash: { allow_patterns: [ls] } } }\n  "*": { tool_policies: { Bash: { deny_patterns: ["ls *"] } } }'),
    'role_shadowed',
  ],
  [
    'allow pattern that is denied in part',
    role('  a: { tool_policies: { Bash: { allow_patterns: ["git *"], deny_patterns: ["git push *"] } } }'),
    '',
  ],
  [
    'allow pattern that another tool denies',
    role('  a: { tool_policies: { Bash: { allow_patterns: [ls] }, PowerShell: { deny_patterns: [ls] } } }'),
    '',
  ],
  [
    'allow pattern that an unrelated role denies',
    role('  a: { tool_policies: { Bash: { allow_patterns: [ls] } } }\n  b: { tool_policies: { Bash: { deny_patterns: [ls] } } }'),
    '',
  ],
  ['tool that the deny list covers', role('  a: { deny_list: ["fs.*"], tool_policies: { fs.read: {} } }'), 'role_shadowed'],
  [
    'capability that the deny list covers',
    role('  a: { deny_list: ["cmd.*"], capabilities: [{ tool_pattern: cmd.run }] }'),
    'role_shadowed',
  ],
  ['capability that is denied in part', role('  a: { deny_list: [fs.delete], capabilities: [{ tool_pattern: "fs.*" }] }'), ''],
  ['allow patterns of a file tool', role('  a: { tool_policies: { Read: { allow_patterns: ["git *"] } } }'), 'role_commands'],
  ['allow patterns of a web tool', role('  a: { tool_policies: { WebFetch: { allow_patterns: ["git *"] } } }'), 'role_commands'],
  ['commands of a file tool', role('  a: { tool_policies: { Edit: { commands: [git] } } }'), 'role_commands'],
  ['allow patterns of a shell', role('  a: { tool_policies: { Bash: { allow_patterns: ["git *"], commands: [git] } } }'), ''],
  ['allow patterns of a tool that nobody knows', role('  a: { tool_policies: { run_it: { allow_patterns: ["git *"] } } }'), ''],
  ['allow patterns of any tool', role('  a: { tool_policies: { "*": { allow_patterns: ["git *"] } } }'), ''],
  [
    'subcommands of another program',
    role('  a: { tool_policies: { Bash: { commands: [cargo], subcommands: { npm: [ci] } } } }'),
    'role_subcommands',
  ],
  ['subcommands of a listed program', role('  a: { tool_policies: { Bash: { commands: [npm], subcommands: { npm: [ci] } } } }'), ''],
  ['subcommands where any program may run', role('  a: { tool_policies: { Bash: { subcommands: { npm: [ci] } } } }'), ''],
  [
    "subcommands of another program of AEGIS's",
    role('  a: { capabilities: [{ tool_pattern: cmd.run, command_allowlist: [cargo], subcommand_allowlist: { npm: [ci] } }] }'),
    'role_subcommands',
  ],
  ['all is told to the agent', 'unregistered: ask\ndisclosure: { to_agent: full }', 'disclosure'],
  ['why is told to the agent', 'unregistered: ask\ndisclosure: { to_agent: reason }', ''],

  // Contracts.
  [
    'contradiction',
    contract('{ constraints: [{ kind: cmp, op: ge, left: x, right: 1 }, { kind: cmp, op: eq, left: x, right: 0 }] }'),
    'contract_contradiction',
  ],
  ['never holds', contract('{ constraints: [{ kind: cmp, op: lt, left: x, right: x }] }'), 'contract_never'],
  ['never fails', contract('{ constraints: [{ kind: cmp, op: le, left: x, right: x }] }'), 'contract_always'],
  ['strange field', contract('{ params: [{ name: a }], constraints: [{ kind: cmp, op: le, left: b, right: 1 }] }'), 'contract_field'],
  ['strange state', contract('{ constraints: [{ kind: cmp, op: le, left: { state: s }, right: 1 }] }'), 'contract_state'],
  ['strange type', contract('{ params: [{ name: a, type: strng }] }'), 'contract_type'],
  [
    "the schema's own example",
    'tools: { t: { input_schema: { examples: [{ a: 2 }] } } }\ncontracts: { tools: { t: { constraints: [{ kind: cmp, op: le, left: a, right: 1 }] } } }',
    'contract_example',
  ],
  [
    'address of a database',
    'unregistered: ask\ncontracts: { providers: { order: { tools: [pay], sql: { url_env: UNSET, query: "SELECT 1 AS a WHERE 1 = {id}" } } } }',
    'provider_url',
    { env: () => undefined },
  ],
  [
    'header of a lookup',
    'unregistered: ask\ncontracts: { providers: { order: { tools: [pay], http: "https://orders.example/{id}", headers_env: { authorization: UNSET } } } }',
    'provider_header',
    { env: () => undefined },
  ],
]

const MODEL = 'provider: anthropic, model: m, criteria: c'
const judges = (body: string, more = '') => `unregistered: ask\njudges:\n  j: { ${body} }\n${more}`
const gateOf = (judge: string) => `tool_validation: [{ type: semantic, judge_agent: ${judge}, criteria: safe }]\n`

/** What the judge of `MODEL` was measured to do, as `countersign judge calibrate` writes it. */
function evidence(): string {
  const { named } = policy(judges(MODEL)).judges
  const judge = named.get('j')
  if (judge === undefined) throw new Error('no judge')
  return JSON.stringify({
    schema: EVIDENCE_SCHEMA,
    judge: { name: 'j', digest: judgeDigest(judge, named, createDigester(sha256)) },
    data: { digest: 'sha256:1', attacks: 10, benign: 20, unanswered: 0 },
    thresholds: { recall: 0.9, false_positive_rate: 0.05, min_score: 0.95, min_confidence: 0.9 },
    raw_thresholds: { min_score: 0.8, min_confidence: 0.1 },
  })
}

/** Of judges: their own files show what else they must and must not be given for. */
const JUDGES: typeof CASES = [
  ['judge that the host program must bring', `unregistered: ask\n${gateOf('somebody')}`, 'judge_unknown'],
  ['judge that enforces without evidence', judges(MODEL), 'judge_evidence'],
  ['judge in shadow', judges(`${MODEL}, mode: shadow`), ''],
  [
    'judge that is laxer than its evidence',
    judges(`${MODEL}, min_score: 0.5, evidence: { file: e.json }`),
    'judge_laxer',
    file(evidence()),
  ],
  [
    'gate that is laxer than the evidence of its judge',
    judges(
      `${MODEL}, min_score: 0.9, min_confidence: 0.5, evidence: { file: e.json }`,
      gateOf('j').replace('criteria', 'min_score: 0.2, criteria'),
    ),
    'judge_laxer',
    file(evidence()),
  ],
  [
    'gate that asks for what the evidence of its judge proposes',
    judges(
      `${MODEL}, min_score: 0.9, min_confidence: 0.5, evidence: { file: e.json }`,
      gateOf('j').replace('criteria', 'min_score: 0.8, criteria'),
    ),
    '',
    file(evidence()),
  ],
  ['embedded judge alone at the gate', judges('provider: embedded, mode: shadow', gateOf('j')), 'judge_embedded'],
  ['judge skipped for what changes', `${judges(`${MODEL}, mode: shadow`, gateOf('j'))}skip_judge: [Bash]\n`, 'skip_judge'],
]

const ruled = (rules: string, more = '') => `unregistered: ask\n${more}rules:\n${rules}\n`
const asking = (when: string, more = '') => ruled(`  ask: [{ when: '${when}', reason: r }]`, more)
const denying = (tool: string, more = '') => ruled(`  deny: [{ tool: ${tool}, reason: r }]`, more)
const HOST = 'tool_families: [claude-code]\n'
const vouched = (until: string) =>
  `unregistered: ask\ndeclassify: [{ from: [read_ticket], into: [send_mail], until: ${until}, reason: r }]\n`
const PURGE = 'tools: { purge: { effects: [{ verb: delete, action: crm:purge, kind: resource, value: x }] } }\n'

/** What can never match, and beside it what is written alike and can. */
const NAMES: typeof CASES = [
  ['tool in another case', denying('bash'), 'tool_name'],
  ['tool in another case than the listed host has it', denying('webfetch', HOST), 'tool_name'],
  ['tool as another listed host has it', denying('bash', 'tool_families: [opencode]\n'), ''],
  ['tool of the policy itself that is called so', denying('bash', 'tools: { bash: {} }\n'), ''],
  ['tool of the policy itself in another case', denying('Refund', 'tools: { stripe/refund: {} }\n'), 'tool_name'],
  ['registered tool in another case than its host', 'tool_families: [claude-code]\ntools: { bash: {} }', 'tool_name'],
  ['tool of a host that is misspelt', denying('WebFech'), 'tool_name'],
  ['tool of nobody that is known', denying('delete_customer'), ''],
  ['tool of a server that is misspelt', denying('mcp__github__creat_issue'), 'tool_name'],
  ['tool of a server', denying('mcp__github__create_issue'), ''],
  ['tool of a server in another case', denying('github/Create-Issue'), 'tool_name'],
  ['tool that a listed family does not know', denying('github/frobnicate', 'tool_families: [mcp-github]\n'), 'tool_name'],
  ['tool that a family does not know which nobody lists', denying('github/frobnicate'), ''],
  ['tool of a server that nobody knows', denying('crm/purge_all'), ''],
  ['dot for a slash', denying('github.create_issue'), 'tool_name'],
  ['dot for a slash of every tool', denying('"github.*"'), 'tool_name'],
  ["dot for a slash of the policy's own tool", denying('stripe.refund', 'tools: { stripe/refund: {} }\n'), 'tool_name'],
  ['dot in the name of a registered tool', denying('"fs.*"', 'tools: { fs.read: {} }\n'), ''],
  ['tool of a role in another case', role('  a: { tool_policies: { bash: { deny_patterns: ["git push *"] } } }'), 'tool_name'],
  ['tool of a contract in another case', contract('{}').replace(' t:', ' webfetch:'), 'tool_name'],
  ['tool in a condition in another case', asking('tool == "bash" && cwd == "/"'), 'tool_name'],
  ['action that is misspelt', asking('effects.exists(e, e.action == "git:pushh")'), 'action_unknown'],
  ['action in a list that is misspelt', asking('effects.exists(e, e.action in ["git:push", "gti:push"])'), 'action_unknown'],
  ['family for an action', asking('effects.exists(e, e.action == "git:*")'), 'action_unknown'],
  ['beginning of no action', asking('effects.exists(e, e.action.startsWith("kbs:"))'), 'action_unknown'],
  ['beginning of an action', asking('effects.exists(e, e.action.startsWith("k8s:"))'), ''],
  ['no action', asking('effects.exists(e, e.action != "")'), ''],
  ["action of the policy's own tool", asking('effects.exists(e, e.action == "crm:purge")', PURGE), ''],
  ["misspelt action of the policy's own tool", asking('effects.exists(e, e.action == "crm:prge")', PURGE), 'action_unknown'],
  ['attribute that is misspelt', asking('effects.exists(e, e.attributes.forse == true)'), 'attribute_unknown'],
  ['attribute of nothing', asking('effects.exists(e, has(e.attributes.zzzzzz))'), 'attribute_unknown'],
  ['attribute', asking('effects.exists(e, e.attributes.force == true)'), ''],
  ['ask that a wider deny covers', ruled('  deny: [{ tool: "wire_*", reason: r }]\n  ask: [{ tool: wire_all, reason: r }]'), 'covered'],
  ['deny that a wider deny covers', ruled('  deny: [{ tool: "wire_*", reason: r }, { tool: wire_all, reason: r }]'), 'covered'],
  ['ask that a wider ask covers', ruled('  ask: [{ tool: wire_all, user: ann, reason: r }, { tool: wire_all, reason: s }]'), 'covered'],
  ['ask that others answer', ruled('  ask: [{ tool: "wire_*", reason: r }, { tool: wire_all, resolvers: [judge], reason: r }]'), ''],
  ['deny within a wider ask', ruled('  ask: [{ tool: "wire_*", reason: r }]\n  deny: [{ tool: wire_all, reason: r }]'), ''],
  [
    'ask that a deny covers in part',
    ruled('  deny: [{ tool: wire_all, user: ann, reason: r }]\n  ask: [{ tool: wire_all, reason: r }]'),
    '',
  ],
  ['two of one width', ruled('  ask: [{ tool: "*", reason: r }, { reason: r }]'), 'covered'],
  ['critical tool', 'tools: { wipe: { risk_tier: critical } }', 'tool_ceiling'],
  ['critical tool under half a ceiling', 'registry: { allow_critical: true }\ntools: { wipe: { risk_tier: critical } }', 'tool_ceiling'],
  ['critical tool under the other half', 'registry: { max_allowed_tier: critical }\ntools: { wipe: { risk_tier: 3 } }', 'tool_ceiling'],
  ['critical tool that is meant not to run', 'registry: { allow_critical: false }\ntools: { wipe: { risk_tier: critical } }', ''],
  [
    'critical tool that may run',
    'registry: { allow_critical: true, max_allowed_tier: critical }\ntools: { wipe: { risk_tier: critical } }',
    '',
  ],
  [
    'argument that the schema lets be missing',
    'tools: { pay: { input_schema: { properties: { n: { type: number } } } } }\nrules: { ask: [{ tool: pay, when: args.n > 1, reason: r }] }',
    'unguarded_argument',
  ],
  [
    'argument that the schema requires',
    'tools: { pay: { input_schema: { properties: { n: { type: number } }, required: [n] } } }\nrules: { ask: [{ tool: pay, when: args.n > 1, reason: r }] }',
    '',
  ],
  [
    'graphs with nothing to lift',
    judges(`${MODEL}, mode: shadow`, 'flow: { ask_at: never }\nauthorization: { judge: j }\n'),
    'authorization_idle',
  ],
  [
    'graphs that calls are held to',
    judges(`${MODEL}, mode: shadow`, 'flow: { ask_at: never }\nauthorization: { judge: j, uncovered: ask }\n'),
    '',
  ],
  ['graphs that lift a question', judges(`${MODEL}, mode: shadow`, 'authorization: { judge: j }\n'), ''],
  ['declassification that is over', vouched('2026-06-08'), 'declassify_ended'],
  ['declassification that ends the next day', vouched('2026-06-09'), ''],
  ['baseline that leads to nothing', 'tools: { x: {} }\nbaseline: { flag_at: never }', 'baseline_silent'],
  ['baseline that asks before it flags', 'tools: { x: {} }\nbaseline: { flag_at: 10, ask_at: 9.5 }', 'baseline_levels'],
  ['baseline that flags nothing new', 'tools: { x: {} }\nbaseline: { flag_at: 12 }', 'baseline_new'],
  ['baseline that asks about everything', 'tools: { x: {} }\nbaseline: { flag_at: 4, ask_at: 5 }', 'baseline_asks'],
  ['rule over time that looks at one call', `tools: { pay: {} }\nsequences:\n  - { id: one, when: 'size(effects) > 1' }`, 'sequence_plain'],
]

const AS_OF = Date.parse('2026-06-08T00:00:00Z')

const warned = (text: string, options: Partial<CompileOptions> = {}) => {
  const whole = `version: 1\n${text}`
  return { whole, warnings: policy(whole, { asOf: AS_OF, ...options }).warnings }
}

describe('every warning says what, where and what to do', () => {
  for (const [title, text, codes, options] of [...CASES, ...JUDGES, ...NAMES]) {
    proves('T42', title, () => {
      const { whole, warnings } = warned(text, options)
      expect(
        warnings
          .map(({ code }) => code.replace('lint.', ''))
          .toSorted()
          .join(),
      ).toBe(codes)
      if (codes === '') return
      const shown = warnings.map((warning) => formatPolicyWarning(warning, { path: 'countersign.yaml', text: whole }))
      expect(`\n${shown.join('\n')}\n`).toMatchSnapshot()
      for (const lines of shown) expect(lines).toMatch(/\n *\d+ \| .*\n *\| *\^\n *= ./)
    })
  }
})

proves('T42', 'no code of an error or a warning is without a golden case', () => {
  const home = newStateDirectory()
  try {
    const files = [home, join(home, 'none.yaml')].map((path) => readPolicy(path, { vocabulary: VOCABULARY }))
    const results = [...ERROR_CASES.map(([, text, options]) => compile(text, options)), ...files]
    const errors = new Set(results.flatMap((result) => (result.ok ? [] : result.errors.map(({ code }) => code))))
    expect([...errors].toSorted()).toEqual(Object.keys(POLICY_ERRORS).toSorted())
  } finally {
    rmSync(home, { recursive: true })
  }
  const lints = new Set(
    [...CASES, ...JUDGES, ...NAMES].flatMap(([, text, , options]) => warned(text, options).warnings.map(({ code }) => code)),
  )
  expect([...lints].toSorted()).toEqual(Object.keys(LINTS).toSorted())
})

test('where nobody says when it is, no grant is over', () => {
  expect(policy(grant('git:push: { expires: "2020-01-01T00:00:00Z" }')).warnings).toEqual([])
})

describe('how a warning is shown', () => {
  const at = { line: 2, column: 3 }

  test('a warning about another file has its place and no line of the policy', () => {
    const shown = formatPolicyWarning(
      { code: 'lint.contract_type', message: 'm', path: 'c.json', ...at },
      { path: 'p.yaml', text: 'a\nb c\n' },
    )
    expect(shown).toBe('c.json:2:3: warning: m (lint.contract_type)\n  = use a type of JSON Schema')
  })
  test('a code that nobody documented has no way out', () => {
    const shown = formatPolicyWarning({ code: 'constructor', message: 'm', ...at }, { path: 'p.yaml', text: 'a\nb c\n' })
    expect(shown).toBe('p.yaml:2:3: warning: m (constructor)\n2 | b c\n  |   ^')
  })
  test('a line that is not there is not shown', () => {
    const shown = formatPolicyWarning({ code: 'x', message: 'm', line: 9, column: 1 }, { path: 'p.yaml', text: 'a' })
    expect(shown).toBe('p.yaml:9:1: warning: m (x)')
  })
  test('control characters of names do not reach the terminal', () => {
    const shown = formatPolicyWarning({ code: 'x', message: '`\u001b[31m\u202e`', ...at }, { path: 'p.yaml', text: 'a\n\u001b[2J\n' })
    expect(shown).not.toMatch(/[\u001b\u202e]/)
  })
})

test('every warning has a documented text', () => {
  for (const text of Object.values(LINTS)) expect(text).toMatch(/^[a-z]/)
})

test('roles that would cost too much to compare are compared in part', () => {
  const patterns = Array.from({ length: 2_000 }, (_, i) => `"p${i} *"`).join(', ')
  const { warnings } = warned(
    role(`  a: { tool_policies: { Bash: { allow_patterns: [${patterns}], deny_patterns: ["q *", ${patterns}] } } }`),
  )
  expect(warnings.length).toBeGreaterThan(100)
  expect(warnings.length).toBeLessThan(2_000)
})
