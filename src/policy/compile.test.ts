import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { POLICY_ERRORS } from './errors.ts'
import { compile, errorsOf, policy } from './testing/compiled.ts'
import { ERROR_CASES } from './testing/error-cases.ts'
import { MORE_ERROR_CASES } from './testing/more-error-cases.ts'

describe('every load error says what, where and what instead', () => {
  for (const [title, text, options] of ERROR_CASES) test(title, () => expect(`\n${errorsOf(text, options)}\n`).toMatchSnapshot())

  for (const [title, text] of MORE_ERROR_CASES) test(title, () => expect(`\n${errorsOf(text)}\n`).toMatchSnapshot())

  proves(['T42', 'PIT-1'], 'no case compiles, and the codes are documented', () => {
    for (const [title, text, options] of [...ERROR_CASES, ...MORE_ERROR_CASES]) {
      const result = compile(text, options)
      expect([title, result.ok]).toEqual([title, false])
      if (!result.ok) for (const error of result.errors) expect(Object.hasOwn(POLICY_ERRORS, error.code), error.code).toBe(true)
    }
  })

  test('carets stand under the fault', () => {
    for (const [title, text, options] of ERROR_CASES) {
      const result = compile(text, options)
      if (result.ok) continue
      for (const { excerpt, line, column } of result.errors) {
        const [shown, carets] = excerpt
        if (shown === undefined || carets === undefined) continue
        expect([title, carets.trimEnd().length <= shown.length + 1]).toEqual([title, true])
        if (column <= 120) expect([title, carets.indexOf('^')]).toEqual([title, column - 1])
        expect(line).toBeGreaterThan(0)
      }
    }
  })
})

describe('hostile files', () => {
  for (const [title, text] of [
    ['deep flow', `version: 1\ntools: ${'['.repeat(100_000)}`],
    ['deep block', `version: 1\ntools: ${'- '.repeat(20_000)}x`],
    ['too large', `version: 1\n# ${'x'.repeat(5_000_000)}`],
    [
      'alias bomb',
      `version: 1\na: &a [x,x]\n${'bcdefghi'
        .split('')
        .map((c, i) => `${c}: &${c} [*${'abcdefgh'[i]},*${'abcdefgh'[i]}]`)
        .join('\n')}`,
    ],
    ['prototype key', 'version: 1\n__proto__: { mode: shadow }\n'],
    ['constructor', 'version: 1\nconstructor: {}\n'],
  ] as const) {
    proves(['T05', 'T06'], `${title} is an error`, () => expect(compile(text).ok).toBe(false))
  }

  proves('T06', 'magic names are ordinary tools, families and rule ids', () => {
    const loaded = policy(
      'tools: { __proto__: { risk_tier: high }, constructor: {}, toString: {} }\nrules: { deny: [{ id: constructor, tool: __proto__ }] }',
    )
    expect([...loaded.registry.tools.keys()]).toEqual(['__proto__', 'constructor', 'toString'])
    expect(loaded.registry.tools.get('__proto__')?.riskTier).toBe('high')
    expect(loaded.registry.tools.get('hasOwnProperty')).toBeUndefined()
    expect(loaded.rules.forTool(null, '__proto__').map((rule) => rule.id)).toEqual(['constructor'])
    expect(loaded.rules.forTool(null, 'constructor')).toEqual([])
  })
})

describe('a compiled policy', () => {
  proves('T14', 'defaults are constants', () => {
    const bare = policy('')
    expect(bare).toMatchObject({ version: 1, mode: 'enforce', default: 'ask' })
    expect(bare.registry).toMatchObject({ unregistered: 'deny', maxAllowedTier: 'high', allowCritical: false, escalationThreshold: 'high' })
    expect(bare.rules.readOnly.autoAllow).toBe(false)
    expect([...bare.hazards.packs]).toEqual(['destruction', 'code'])
    expect(bare.guards).toEqual({
      ssrf: { strict: false, resolve: false, allowHosts: [] },
      ownProgram: { develop: false },
      canary: { tokens: [] },
      scanners: [],
      unicode: { enabled: true },
      allowlist: null,
      definitions: { onChange: 'ask', firstUse: 'trust', pins: new Map(), except: new Set() },
      results: { hidden: true, secrets: true },
    })
    for (const more of ['tools: { a: {} }', 'rules: { allow: [{ tool: a }] }', 'tool_families: [claude-code]', 'hazards: { packs: [] }']) {
      const other = policy(more)
      expect([other.default, other.registry.unregistered]).toEqual(['ask', 'deny'])
    }
  })

  test('the outline of every enforced section loads', () => {
    const loaded = policy(
      `version: 1
mode: shadow
default: deny
unregistered: ask
tool_families: [claude-code]
tools: { send_email: { risk_tier: high, irreversible: true, dryrun_supported: false } }
registry: { max_allowed_tier: critical, allow_critical: true, escalation_threshold: medium }
layers: { hazard: { enforcement: hard, on_error: deny }, rules: { on_error: ask } }
rules:
  deny:  [{ tool: exec_shell, reason: too risky }]
  ask:   [{ when: 'effects.exists(e, e.verb == "send" && !e.target.value.endsWith("@acme.com"))', reason: mail leaves the company }]
  allow: [{ tool: "get_*", user: "admin@acme.com", argument_contains: "x", reason: read-only }]
  read_only: { auto_allow: true, prefixes: [get_, list_] }
hazards: { packs: [core], enforcement: soft, rules: { code.remote: hard, destruction.recursive: off } }
guards:  { ssrf: {}, canary: { tokens_env: [COUNTERSIGN_CANARY] }, unicode: {}, allowlist: null }
audit: { redact: default, checkpoint_every: 10 }
limits: {}
`,
      { env: (name) => (name === 'COUNTERSIGN_CANARY' ? 'canary-0001' : undefined) },
    )
    expect(loaded.warnings).toEqual([])
    expect(loaded.layers.get('hazard')).toEqual({ enforcement: 'hard', onError: 'deny' })
    expect(loaded.guards.canary.tokens).toEqual(['canary-0001'])
    expect(loaded.hazards.rules.get('destruction.recursive')).toBe('off')
    expect(loaded.audit.checkpointEvery).toBe(10)
    expect(loaded.rules.all.map((rule) => rule.id)).toEqual(['deny[0]', 'ask[0]', 'allow[0]'])
  })

  proves('T41', 'the digest names the meaning, not the spelling', () => {
    const a = policy('mode: enforce\ntools: { x: {}, y: { irreversible: true } }')
    const same = policy('# comment\ntools:\n  y: {"irreversible": true}\n  x: {}\nmode: "enforce"')
    const other = policy('mode: enforce\ntools: { x: {}, y: { irreversible: false } }')
    expect(a.digest).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(same.digest).toBe(a.digest)
    expect(other.digest).not.toBe(a.digest)
  })

  proves('SIG-13', 'a tier is a name, an ordinal or padded text in any case', () => {
    for (const [written, expected] of [
      ['high', 'high'],
      ['2', 'high'],
      ['" High "', 'high'],
      ['HIGH', 'high'],
      ['0', 'low'],
      ['3', 'critical'],
      ['" mEDIUM"', 'medium'],
    ] as const) {
      expect(policy(`tools: { x: { risk_tier: ${written} } }`).registry.tools.get('x')?.riskTier).toBe(expected)
    }
  })

  test('examples run with the analysis', () => {
    const text = `version: 1
rules:
  deny:
    - when: effects.exists(e, e.verb == "delete")
      examples:
        match: [{ tool: Bash, args: { command: rm x } }]
        not_match: [{ tool: Bash, args: { command: ls } }]
`
    const analyse = (command: unknown) => (String(command).startsWith('rm') ? ['delete'] : ['read'])
    const result = compile(text, {
      analyseExample: (call) => ({
        tool: { family: null, name: call.tool.name },
        effects: analyse(call.args.command).map((verb) => ({
          verb: verb as 'delete' | 'read',
          action: null,
          target: { kind: 'path', value: 'x', real: null, scope: 'unknown', classes: [] },
          reversible: false,
          certainty: 'certain',
          span: null,
          reason: null,
          attributes: {},
        })),
        commands: [],
        hidden: [],
        secrets: [],
        canaries: [],
        scripts: [],
        coverage: 'full',
      }),
    })
    expect(result.ok ? [] : result.errors).toEqual([])
  })
})
