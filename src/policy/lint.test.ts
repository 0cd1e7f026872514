import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { policy } from './testing/compiled.ts'

const warnings = (text: string) => policy(text).warnings.map(({ code, message }) => `${code}: ${message}`)
const about = (text: string) => policy(`unregistered: ask\n${text}`).warnings.map(({ code, line, column }) => [code, line, column])

proves('T42', 'what is legal and probably not meant is said', () => {
  expect(warnings('')).toMatchInlineSnapshot(`
    [
      "lint.empty_registry: no tool is registered, so every call is denied: add \`tools\`, \`tool_families\` or \`unregistered: ask\`",
    ]
  `)
  expect(warnings('unregistered: allow')).toMatchInlineSnapshot(`
    [
      "lint.unregistered_allow: tools that are not registered may run: anything a server offers is permitted, and flagged",
    ]
  `)
  expect(
    warnings(`unregistered: ask
rules:
  order: first-match
  deny: [{ tool: x }]
  ask: [{ when: args.amount > 1, reason: r }]
  allow: [{ tool: "*" }]`),
  ).toMatchInlineSnapshot(`
    [
      "lint.first_match: with \`order: first-match\` a broad allow rule hides every deny rule",
      "lint.no_reason: \`deny[0]\` does not say why: add a \`reason\`",
      "lint.unguarded_argument: \`ask[0]\` is for every tool and counts as matched where \`args.amount\` is missing: ask \`has\` first, or name the tool",
      "lint.allow_all: \`allow[0]\` permits every call that nothing else stops",
    ]
  `)
  expect(
    warnings(`unregistered: ask
rules:
  ask: [{ when: 'effects.exists(e, under(e.target.value, "/etc"))', reason: r }]
  allow: [{ tool: a }, { tool: a }]`),
  ).toMatchInlineSnapshot(`
    [
      "lint.lexical_path: this path is as the call names it, which may be relative or a link; \`target.real\` is the file itself",
      "lint.duplicate: \`allow[1]\` asks for the same as \`allow[0]\`",
    ]
  `)
  expect(
    policy('unregistered: ask\nguards: { canary: { tokens_env: [UNSET, SHORT] } }', {
      env: (name) => (name === 'SHORT' ? 'abc' : undefined),
    }).warnings,
  ).toMatchInlineSnapshot(`
    [
      {
        "code": "lint.canary_unset",
        "column": 34,
        "line": 3,
        "message": "the variable \`UNSET\` is not set, so this canary guards nothing",
      },
      {
        "code": "lint.canary_short",
        "column": 41,
        "line": 3,
        "message": "the token in \`SHORT\` has fewer than 8 characters, so it is not used",
      },
    ]
  `)
})

describe('an allow that a deny covers', () => {
  for (const [deny, allow, shadowed] of [
    ['{ tool: "*" }', '{ tool: get_x }', true],
    ['{ }', '{ tool: get_x, user: u }', true],
    ['{ tool: "get_*" }', '{ tool: get_x }', true],
    ['{ tool: "get_*" }', '{ tool: "get_user*" }', true],
    ['{ tool: "get_*" }', '{ tool: "get_*" }', true],
    ['{ tool: "*_user*" }', '{ tool: "get_user*" }', true],
    ['{ tool: "github/*" }', '{ tool: "github/get_*" }', true],
    ['{ tool: "get_user*" }', '{ tool: "get_*" }', false],
    ['{ tool: "get_?" }', '{ tool: "get_*" }', false],
    ['{ tool: "get_*" }', '{ }', false],
    ['{ tool: x, user: u }', '{ tool: x }', false],
    ['{ tool: x, user: u }', '{ tool: x, user: u }', true],
    ['{ tool: x, role: r }', '{ tool: x, role: s }', false],
    ['{ tool: x, argument_contains: b }', '{ tool: x, argument_contains: abc }', true],
    ['{ tool: x, argument_contains: abc }', '{ tool: x, argument_contains: b }', false],
    ['{ tool: x, when: coverage == "full" }', '{ tool: x }', false],
    ['{ tool: x, when: coverage == "full" }', '{ tool: x, when: coverage == "full" }', true],
    ['{ tool: x, when: "true" }', '{ tool: x }', true],
    ['{ tool: x, enforcement: soft }', '{ tool: x }', false],
  ] as const) {
    test(`${deny} covers ${allow}: ${shadowed}`, () => {
      const codes = policy(`unregistered: ask\nrules: { deny: [${deny}], allow: [${allow}] }`).warnings.map((warning) => warning.code)
      expect(codes.includes('lint.shadowed')).toBe(shadowed)
    })
  }

  test('first-match hides nothing behind a deny', () => {
    const codes = policy('unregistered: ask\nrules: { order: first-match, deny: [{ tool: x }], allow: [{ tool: x }] }').warnings.map(
      (warning) => warning.code,
    )
    expect(codes).not.toContain('lint.shadowed')
  })
})

test('warnings stand where the rule stands', () => {
  expect(about('rules:\n  deny:\n    - tool: x\n')).toEqual([['lint.no_reason', 5, 7]])
  expect(about('rules:\n  allow:\n    - tool: "*"\n      reason: r\n')).toEqual([['lint.allow_all', 5, 7]])
})

test('a guarded argument and a named tool need no warning', () => {
  for (const rule of ['{ when: has(args.n) && args.n > 1, reason: r }', '{ tool: pay, when: args.n > 1, reason: r }']) {
    expect(about(`rules: { ask: [${rule}] }`)).toEqual([])
  }
  expect(about('rules: { ask: [{ when: args.n > 1 && has(args.m), reason: r }] }')).toEqual([['lint.unguarded_argument', 3, 16]])
})
