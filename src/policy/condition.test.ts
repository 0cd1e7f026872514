import { Environment } from '@marcbachmann/cel-js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import type { JsonObject } from '../core/json.ts'
import { compileCondition } from './condition.ts'
import type { ConditionInput } from './policy.ts'

const EFFECTS = [
  {
    verb: 'send',
    action: 'mail:send',
    target: { kind: 'address', value: 'eve@evil.example', real: '', scope: 'public', classes: [] },
    reversible: false,
    certainty: 'certain',
    reason: '',
    attributes: { amount: 250 },
  },
  {
    verb: 'read',
    action: '',
    target: { kind: 'path', value: 'id_rsa', real: '/home/u/.ssh/id_rsa', scope: 'home', classes: ['credential'] },
    reversible: true,
    certainty: 'likely',
    reason: '',
    attributes: {},
  },
]

const INPUT: ConditionInput = {
  tool: 'send_mail',
  server: 'mail',
  args: Object.assign(Object.create(null), {
    amount: 60,
    count: 5,
    name: 'bob',
    text: 'rm -rf /',
    url: 'https://User@Api.GitHub.com./x?y',
    list: [1, 2, 3],
    nothing: null,
    flag: true,
    nested: { a: { b: 1 } },
    path: '/work/../etc/passwd',
    port: '22',
  }),
  principal: { agent: 'a', role: 'coder', user: 'u', tenant: 't', chain: ['human:u'] },
  session: 's',
  cwd: '/work',
  effects: EFFECTS,
  commands: [{ program: 'git', argv: ['git', 'push'], wrappers: ['sudo'], text: 'git push' }],
  coverage: 'full',
}

function evaluate(text: string, schema: JsonObject | null = null): boolean | string {
  const result = compileCondition(text, schema)
  if (!result.ok) return `load: ${result.faults.map((fault) => fault.message).join('; ')}`
  try {
    return result.condition.test(INPUT)
  } catch (error) {
    return `error: ${(error as Error).message}`
  }
}

describe('conditions hold as their users expect', () => {
  for (const [text, expected] of [
    ['args.amount > 50', true],
    ['args.amount * 2 > 100', true],
    ['args.amount * 1.5 == 90', true],
    ['args.count / 2 == 2.5', true],
    ['args.count % 2 == 1', true],
    ['args.amount + 1 == 61 && args.amount - 1 == 59 && -args.amount < 0', true],
    ['args.count in [1, 5]', true],
    ['args.list[0] == 1 && args.list.size() == 3', true],
    ['size(args.list) * 1.5 > 4', true],
    ['args["name"] == "bob"', true],
    ['args.name != "alice"', true],
    ['has(args.missing) && args.missing > 1', false],
    ['has(args.nested.a.b) && !has(args.nope.a.b)', true],
    ['args.nothing == null', true],
    ['args.nested == {"a": {"b": 1}}', true],
    ['args.flag ? args.count > 1 : false', true],
    ['"name" in args', true],
    ['args.list.all(x, x > 0) && args.list.exists_one(x, x == 2)', true],
    ['args.list.map(x, x * 2)[2] == 6', true],
    ['args.list.map(x, x > 1, x * 10) == [20, 30]', true],
    ['args.list.filter(x, x > 1).size() == 2', true],
    ['args.nested.exists(k, k == "a")', true],
    ['effects.exists(e, e.verb == "send" && !e.target.value.endsWith("@acme.com"))', true],
    ['effects.exists(e, "credential" in e.target.classes)', true],
    ['effects.exists(e, e.target.classes.exists(c, c == "credential"))', true],
    ['effects.exists(e, e.attributes.amount == 250)', true],
    ['effects.exists(e, e.attributes.force == true)', false],
    ['effects.exists(e, e.verb in ["pay", "publish"])', false],
    ['effects[1].target.scope == "home"', true],
    ['commands.exists(c, c.program == "git" && "push" in c.argv && "sudo" in c.wrappers)', true],
    ['principal.role == "coder" && "human:u" in principal.chain', true],
    ['tool.startsWith("send") && server == "mail" && cwd == "/work" && coverage == "full" && session == "s"', true],
    ['re(args.text, "rm +-r?f?")', true],
    ['re(args.name, "^alice$")', false],
    ['glob(effects[1].target.real, "/home/**/id_*")', true],
    ['glob("/a/.git/config", "/a/**")', true],
    ['glob("/a", "/a/**")', true],
    ['glob("/ab", "/a/**")', false],
    ['host(args.url) == "api.github.com"', true],
    ['domain(host(args.url), "github.com")', true],
    ['domain("evilgithub.com", "github.com")', false],
    ['domain("GitHub.com.", ".github.com")', true],
    ['host("http://2130706433/") == "127.0.0.1"', true],
    ['under(args.path, "/etc")', true],
    ['under(args.path, "/work")', false],
    ['under("/etc", "/etc/") && !under("/etcetera", "/etc") && !under("", "/etc")', true],
    ['args.name.upperAscii() == "BOB" && "İ".lowerAscii() == "İ"', true],
    ['"a,b".split(",") == ["a", "b"] && ["a", "b"].join("-") == "a-b"', true],
    ['args.name.contains("o") && args.name.indexOf("b") == 0 && args.name.substring(1, 2) == "o" && " x ".trim() == "x"', true],
    ['string(args.count) == "5" && int(2.7) == 2 && double("1.5") == 1.5', true],
    ['size("a\u{1f600}") == 2', true],
    ['args.name < "c" && args.name >= "b"', true],
    ['args.missing == 1 || true', true],
    ['true || args.missing == 1', true],
    ['args.missing == 1 && args.count == 0', false],
    ['args.list.exists(x, x == "a" || x == 2)', true],
    ['args.list.all(x, x == "a" || x > 0)', true],
  ] as const) {
    test(text, () => expect(evaluate(text)).toBe(expected))
  }
})

describe('what cannot be told of a call throws', () => {
  for (const [text, message] of [
    ['args.missing == 1', 'there is no `missing` in this call; guard it with `has(…)`'],
    ['args.constructor == 1', 'there is no `constructor` in this call; guard it with `has(…)`'],
    ['args.nested.toString == "x"', 'there is no `toString` in this call; guard it with `has(…)`'],
    ['args["__proto__"] == null', 'there is no `__proto__` in this call; guard it with `has(…)`'],
    ['args.port == 22', 'text cannot be compared with a number'],
    ['args.port != 22', 'text cannot be compared with a number'],
    ['args.port in [22, 23]', 'text cannot be compared with a number'],
    ['args.port > 21', 'needs a number, but this is text'],
    ['args.name.a == 1', '`a` cannot be read from text'],
    ['args.nothing.startsWith("a")', 'needs text, but this is null'],
    ['args.list[9] == 1', 'the list has no item 9'],
    ['args.list[0.5] == 1', 'the list has no item 0.5'],
    ['args.count / 0 > 1', 'the result is no number'],
    ['args.missing == 1 || false', 'there is no `missing` in this call; guard it with `has(…)`'],
    ['args.list.exists(x, x.y == 2)', '`y` cannot be read from a number'],
    ['!args.name == true', 'needs true or false, but this is text'],
    ['host(args.name) == "x"', '`host` needs an absolute URL'],
    ['under(args.name, "/etc")', '`under` needs absolute paths; `target.real` is one wherever it could be told'],
    ['re(args.list, "a")', 'a pattern needs text, but this is a list'],
    ['double(args.name) > 1', 'cannot read a number from text'],
    ['"abc".substring(2, 9) == "c"', '`substring` is out of range'],
    ['size(args.count) > 1', '`size` needs text, a list or a mapping, but this is a number'],
    ['1 in args.name', '`in` needs a list or a mapping, not text'],
  ] as const) {
    test(text, () => expect(evaluate(text)).toBe(`error: ${message}`))
  }
})

describe('what can never hold, does not type or is misspelt is refused at load', () => {
  proves(['PIT-1', 'T42'], 'every mistake names its code and its place', () => {
    for (const [text, code, marked] of [
      ['1 +', 'policy.condition_syntax', ''],
      ['args.name ==', 'policy.condition_syntax', ''],
      ['(args.a', 'policy.condition_syntax', ''],
      ['foo > 1', 'policy.condition_name', 'foo'],
      ['effect.exists(e, true)', 'policy.condition_name', 'effect'],
      ['effects.exists(tool, tool == "x")', 'policy.condition_name', 'tool'],
      ['effects.exists(e, e.verbb == "send")', 'policy.condition_field', 'verbb'],
      ['effects.exists(e, e.target.reall == "x")', 'policy.condition_field', 'reall'],
      ['principal.team == "x"', 'policy.condition_field', 'team'],
      ['effects.verb == "send"', 'policy.condition_field', 'effects.verb'],
      ['effects.exists(e, e.verb == "sent")', 'policy.condition_word', '"sent"'],
      ['effects.exists(e, "sent" != e.verb)', 'policy.condition_word', '"sent"'],
      ['effects.exists(e, e.verb in ["send", "mail"])', 'policy.condition_word', '"mail"'],
      ['effects.exists(e, "secret" in e.target.classes)', 'policy.condition_word', '"secret"'],
      ['effects.exists(e, e.target.classes.exists(c, c == "secret"))', 'policy.condition_word', '"secret"'],
      ['effects.exists(e, e.target.kind == "file")', 'policy.condition_word', '"file"'],
      ['effects.exists(e, e.target.scope == "Home")', 'policy.condition_word', '"Home"'],
      ['effects.exists(e, e.certainty == "sure")', 'policy.condition_word', '"sure"'],
      ['coverage == "none"', 'policy.condition_word', '"none"'],
      ['effects.filter(e, e.verb == "raed").size() > 0', 'policy.condition_word', '"raed"'],
      ['tool == 3', 'policy.condition_type', 'tool == 3'],
      ['effects.exists(e, e.reversible == "no")', 'policy.condition_type', 'e.reversible == "no"'],
      ['args.name', 'policy.condition_type', 'args.name'],
      ['tool', 'policy.condition_type', 'tool'],
      ['re(tool)', 'policy.condition_type', 're(tool)'],
      ['args.n == 9007199254740993', 'policy.condition_type', '9007199254740993'],
      ['args.n == b"x"', 'policy.condition_type', 'b"x"'],
      ['args.name.matches("(a+)+$")', 'policy.condition_function', 'matches'],
      ['args.name.beginsWith("a")', 'policy.condition_function', 'beginsWith'],
      ['args.a.all(x, x.all(y, y.all(z, z > 1)))', 'policy.condition_function', 'y.all(z, z > 1)'],
      ['re(tool, "(a")', 'policy.pattern', '"(a"'],
      ['re(tool, "(?=a)")', 'policy.pattern', '"(?=a)"'],
      ['re(tool, args.pattern)', 'policy.pattern', 'args.pattern'],
      ['glob(cwd, args.pattern)', 'policy.pattern', 'args.pattern'],
      ['false', 'policy.condition_never', 'false'],
      ['tool == "a" && tool == "b"', 'policy.condition_never', 'tool == "a" && tool == "b"'],
      ['tool == "a" && !(tool == "a")', 'policy.condition_never', 'tool == "a" && !(tool == "a")'],
      ['tool in []', 'policy.condition_never', 'tool in []'],
      ['effects.exists(e, false)', 'policy.condition_never', 'effects.exists(e, false)'],
      ['1 == 2 || false', 'policy.condition_never', '1 == 2 || false'],
    ] as const) {
      const result = compileCondition(text)
      const fault = result.ok ? undefined : result.faults[0]
      expect([text, fault?.code], JSON.stringify(fault)).toEqual([text, code])
      if (marked !== '') expect(text.slice(fault?.at.start, fault?.at.end)).toBe(marked)
    }
  })

  test('the way out is named', () => {
    const help = (text: string) => {
      const result = compileCondition(text)
      return result.ok ? null : result.faults[0]?.help
    }
    expect(help('effects.exists(e, e.verb == "sned")')).toMatchInlineSnapshot(
      `"did you mean \`send\`? valid here: \`read\`, \`write\`, \`delete\`, \`execute\`, \`fetch\`, \`send\`, \`publish\`, \`pay\`, \`persist\`, \`change\`, \`opaque\`"`,
    )
    expect(help('principal.rolle == "x"')).toMatchInlineSnapshot(
      `"did you mean \`role\`? valid here: \`agent\`, \`role\`, \`user\`, \`tenant\`, \`chain\`"`,
    )
    expect(help('efects.size() > 1')).toMatchInlineSnapshot(
      `"did you mean \`effects\`? valid here: \`tool\`, \`server\`, \`args\`, \`principal\`, \`session\`, \`cwd\`, \`effects\`, \`commands\`, \`coverage\`"`,
    )
    expect(help('tool.matches("x")')).toMatchInlineSnapshot(`"use \`re(text, pattern)\`, which takes linear time"`)
    expect(help('tool == 3')).toMatchInlineSnapshot(
      `"compare text with text and numbers with numbers; \`double(x)\` and \`string(x)\` convert"`,
    )
  })
})

describe('arguments are typed against the schema of the one tool', () => {
  const schema: JsonObject = {
    type: 'object',
    properties: {
      amount: { type: 'number' },
      currency: { enum: ['EUR', 'USD'], type: 'string' },
      to: { type: 'array', items: { type: 'string' } },
      options: { type: 'object', properties: { dry: { type: 'boolean' } } },
      anything: {},
    },
  }
  for (const [text, code] of [
    ['args.amount * 2 > 100 && args.amount in [1, 2] && args.amount == 5', null],
    ['args.currency == "EUR" && args.to.exists(t, t.endsWith("x")) && args.options.dry && args.anything.x == 1', null],
    ['args.amuont > 1', 'policy.condition_field'],
    ['args.currency == "GBP"', 'policy.condition_word'],
    ['args.amount.startsWith("1")', 'policy.condition_type'],
    ['args.amount == "100"', 'policy.condition_type'],
    ['args.to.exists(t, t == 1)', 'policy.condition_type'],
    ['args.options.dri', 'policy.condition_field'],
    ['args["amuont"] > 1', 'policy.condition_field'],
  ] as const) {
    test(text, () => {
      const result = compileCondition(text, schema)
      expect(result.ok ? null : result.faults[0]?.code).toBe(code)
    })
  }

  test('an open schema leaves unknown fields alone', () => {
    expect(compileCondition('args.other == 1', { ...schema, additionalProperties: true }).ok).toBe(true)
    expect(compileCondition('args.other == 1', { type: 'object' }).ok).toBe(true)
  })
})

describe('evaluation stays bounded', () => {
  const compile = (text: string) => {
    const result = compileCondition(text)
    if (!result.ok) throw new Error(result.faults[0]?.message)
    return result.condition
  }

  proves(['T05', 'SIG-W9'], 'a hostile argument exhausts the budget, which is an error and never an answer', () => {
    const list = Array.from({ length: 3_000 }, (_, i) => i)
    const quadratic = compile('args.list.exists(x, args.list.exists(y, x + y == -1)) || true == false')
    expect(() => quadratic.test({ ...INPUT, args: { list } })).toThrow('too many steps')
    const long = compile('args.list.all(x, !args.text.contains("needle"))')
    expect(() => long.test({ ...INPUT, args: { list, text: 'n'.repeat(1_000_000) } })).toThrow('too many steps')
    const regex = compile('re(args.text, "^(a+)+$")')
    expect(regex.test({ ...INPUT, args: { text: `${'a'.repeat(100_000)}b` } })).toBe(false)
    const glob = compile('glob(args.text, "*a*a*a*a*a*a*b")')
    expect(glob.test({ ...INPUT, args: { text: 'a'.repeat(10_000) } })).toBe(false)
  })

  test('a condition that is too large is refused', () => {
    const text = Array.from({ length: 3_000 }, () => 'tool == "x"').join(' || ')
    expect(compileCondition(text).ok).toBe(false)
    expect(compileCondition(`${'('.repeat(500)}true${')'.repeat(500)}`).ok).toBe(false)
  })
})

describe('agreement with the library where both are defined', () => {
  const environment = new Environment({ homogeneousAggregateLiterals: false }).registerVariable('args', 'map')
  const atom = fc.constantFrom('args.a', 'args.b', 'args.s', '1.0', '2.5', '"x"', '"yy"', 'true', 'false', 'args.none')
  const expression = fc.letrec<{ e: string }>((tie) => ({
    e: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.tuple(atom, fc.constantFrom('==', '<', '>='), atom).map(([a, op, b]) => `${a} ${op} ${b}`),
      fc.tuple(tie('e'), fc.constantFrom('&&', '||'), tie('e')).map(([a, op, b]) => `(${a} ${op} ${b})`),
      tie('e').map((e) => `!(${e})`),
      tie('e').map((e) => `args.l.exists(x, x == 1.0 || (${e}))`),
      tie('e').map((e) => `args.l.all(x, x > 0.0 && (${e}))`),
      fc.tuple(tie('e'), tie('e')).map(([a, b]) => `(has(args.none) ? ${a} : ${b})`),
    ),
  })).e

  test('same answer, or ours is an error', () => {
    const args = { a: 1, b: 2.5, s: 'x', l: [1, 2] }
    fc.assert(
      fc.property(expression, (text) => {
        const compiled = compileCondition(text)
        if (!compiled.ok) return
        const ours = attempt(() => compiled.condition.test({ ...INPUT, args }))
        const theirs = attempt(() => environment.evaluate(text, { args }) as boolean)
        if (ours !== 'error') expect([text, ours]).toEqual([text, theirs])
      }),
      { numRuns: 500, seed: 12 },
    )
  })
})

function attempt(run: () => boolean): boolean | 'error' {
  try {
    return run()
  } catch {
    return 'error'
  }
}
