import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import type { ToolCall } from '../core/call.ts'
import { createDigester } from '../core/digest.ts'
import { callFromJson, parseCall } from './call.ts'
import type { Refusal } from './refusal.ts'

const digester = createDigester((text) => createHash('sha256').update(text).digest('hex'))

function call(value: unknown): ToolCall {
  const read = parseCall(JSON.stringify(value), { digester })
  if (!read.ok) throw new Error(read.refusal.message)
  return read.call
}

function refusal(input: unknown): Refusal {
  const read = parseCall(typeof input === 'string' ? input : JSON.stringify(input), { digester })
  if (read.ok) throw new Error(`accepted: ${JSON.stringify(read.call)}`)
  return read.refusal
}

const FULL = {
  tool: 'Bash',
  server: 'mcp-1',
  args: { command: 'git push --force origin main' },
  principal: { agent: 'claude-code', role: 'coder', user: 'u-17', tenant: 'default', chain: ['human:u-17'] },
  session: 's-1',
  cwd: '/repo',
  context: { task: 'fix the typo', recent: [{ tool: 'Read' }] },
  definition: { description: 'runs', input_schema: { type: 'object' }, annotations: { readOnlyHint: true } },
  approval: 'apr_token',
  call_id: 'toolu_1',
}

describe('a call', () => {
  test('with every field', () => {
    const full = call(FULL)
    expect(full).toMatchObject({
      tool: { server: 'mcp-1', name: 'Bash' },
      args: { command: 'git push --force origin main' },
      principal: FULL.principal,
      session: 's-1',
      cwd: '/repo',
      context: FULL.context,
      definition: { description: 'runs', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
      approval: 'apr_token',
      callId: 'toolu_1',
    })
    expect(full.tool.definition).toMatch(/^sha256:[0-9a-f]{64}$/)
  })

  test('with nothing but tool and args has no default that grants anything', () => {
    expect(call({ tool: 'Read', args: {} })).toEqual({
      tool: { server: null, name: 'Read', definition: null },
      args: {},
      principal: { agent: null, role: null, user: null, tenant: null, chain: [] },
      session: null,
      cwd: null,
      context: { task: null, recent: [] },
      definition: null,
      approval: null,
      callId: null,
    })
  })

  test('with null for every optional field is the same call', () => {
    const nulls = {
      server: null,
      principal: null,
      session: null,
      cwd: null,
      context: null,
      definition: null,
      approval: null,
      call_id: null,
    }
    expect(call({ tool: 'Read', args: {}, ...nulls })).toEqual(call({ tool: 'Read', args: {} }))
  })

  test('keeps the exact bytes of names and arguments', () => {
    const read = call({ tool: 'mcp__Git Hub__push', server: 'Straße-ﬁ', args: { a: 'e\u0301 \u200b' } })
    expect(read.tool).toMatchObject({ name: 'mcp__Git Hub__push', server: 'Straße-ﬁ' })
    expect(read.args.a).toBe('e\u0301 \u200b')
  })

  for (const cwd of ['/', '/a b/ü', 'C:\\work', 'c:/work', '\\\\server\\share']) {
    test(`may run in ${cwd}`, () => expect(call({ tool: 'T', args: {}, cwd }).cwd).toBe(cwd))
  }

  test('is identified by every byte of its definition', () => {
    const of = (definition: unknown) => call({ tool: 'T', args: {}, definition }).tool.definition
    const all = [
      of(undefined),
      of({}),
      of({ description: '' }),
      of({ description: 'a' }),
      of({ description: 'a ' }),
      of({ input_schema: {} }),
      of({ input_schema: { type: 'object' } }),
      of({ annotations: {} }),
      of({ annotations: { readOnlyHint: true } }),
      of({ annotations: { readOnlyHint: false } }),
    ]
    expect(new Set(all).size).toBe(all.length)
    expect(of({ annotations: null, description: 'a' })).toBe(of({ description: 'a' }))
  })
})

const SHAPES: readonly (readonly [input: unknown, code: string, pointer: string])[] = [
  [null, 'ingress.wrong_type', ''],
  [[], 'ingress.wrong_type', ''],
  ['"Bash"', 'ingress.wrong_type', ''],
  [{ args: {} }, 'ingress.missing_field', '/tool'],
  [{ tool: 'T' }, 'ingress.missing_field', '/args'],
  [{ tool: '', args: {} }, 'ingress.bad_name', '/tool'],
  [{ tool: '  ', args: {} }, 'ingress.bad_name', '/tool'],
  [{ tool: null, args: {} }, 'ingress.wrong_type', '/tool'],
  [{ tool: 7, args: {} }, 'ingress.wrong_type', '/tool'],
  [{ tool: ['T'], args: {} }, 'ingress.wrong_type', '/tool'],
  [{ tool: 'T', args: null }, 'ingress.wrong_type', '/args'],
  [{ tool: 'T', args: [] }, 'ingress.wrong_type', '/args'],
  [{ tool: 'T', args: '{}' }, 'ingress.wrong_type', '/args'],
  [{ tool: 'T', args: {}, server: '' }, 'ingress.bad_name', '/server'],
  [{ tool: 'T', args: {}, server: 1 }, 'ingress.wrong_type', '/server'],
  [{ tool: 'T', args: {}, tool_input: {} }, 'ingress.unknown_field', '/tool_input'],
  [{ tool: 'T', args: {}, 'a/b': {} }, 'ingress.unknown_field', '/a~1b'],
  [{ tool: 'T', args: {}, constructor: {} }, 'ingress.unknown_field', '/constructor'],
  [{ tool: 'T', args: {}, principal: 'me' }, 'ingress.wrong_type', '/principal'],
  [{ tool: 'T', args: {}, principal: { admin: true } }, 'ingress.unknown_field', '/principal/admin'],
  [{ tool: 'T', args: {}, principal: { role: ['a'] } }, 'ingress.wrong_type', '/principal/role'],
  [{ tool: 'T', args: {}, principal: { tenant: 'a\0b' } }, 'ingress.bad_name', '/principal/tenant'],
  [{ tool: 'T', args: {}, principal: { chain: 'human:a' } }, 'ingress.wrong_type', '/principal/chain'],
  [{ tool: 'T', args: {}, principal: { chain: ['human:a', 2] } }, 'ingress.wrong_type', '/principal/chain/1'],
  [{ tool: 'T', args: {}, session: 5 }, 'ingress.wrong_type', '/session'],
  [{ tool: 'T', args: {}, cwd: 'relative/dir' }, 'ingress.wrong_type', '/cwd'],
  [{ tool: 'T', args: {}, cwd: '' }, 'ingress.wrong_type', '/cwd'],
  [{ tool: 'T', args: {}, cwd: '/a\0b' }, 'ingress.bad_name', '/cwd'],
  [{ tool: 'T', args: {}, cwd: `/${'x'.repeat(4096)}` }, 'ingress.bad_name', '/cwd'],
  [{ tool: 'T', args: {}, context: { task: 1 } }, 'ingress.wrong_type', '/context/task'],
  [{ tool: 'T', args: {}, context: { recent: {} } }, 'ingress.wrong_type', '/context/recent'],
  [{ tool: 'T', args: {}, context: { task: 'x', vouched: true } }, 'ingress.unknown_field', '/context/vouched'],
  [{ tool: 'T', args: {}, context: { task: 'x', task_vouched: true } }, 'ingress.unknown_field', '/context/task_vouched'],
  [{ tool: 'T', args: {}, context: { history: [] } }, 'ingress.unknown_field', '/context/history'],
  [{ tool: 'T', args: {}, definition: [] }, 'ingress.wrong_type', '/definition'],
  [{ tool: 'T', args: {}, definition: { inputSchema: {} } }, 'ingress.unknown_field', '/definition/inputSchema'],
  [{ tool: 'T', args: {}, definition: { input_schema: 'x' } }, 'ingress.wrong_type', '/definition/input_schema'],
  [{ tool: 'T', args: {}, approval: {} }, 'ingress.wrong_type', '/approval'],
  [{ tool: 'T', args: {}, approval: 'x'.repeat(4097) }, 'ingress.bad_name', '/approval'],
  [{ tool: 'T', args: {}, call_id: '' }, 'ingress.bad_name', '/call_id'],
  [{ tool: 'T', args: {}, callId: 'x' }, 'ingress.unknown_field', '/callId'],
]

describe('what is no call', () => {
  for (const [input, code, pointer] of SHAPES) {
    test(`${JSON.stringify(input).slice(0, 70)} is ${code}`, () => {
      expect(refusal(input)).toMatchObject({ code, pointer, offset: null, line: null, column: null })
    })
  }

  test('the message names what would be valid', () => {
    expect(refusal({ tool: 'T', args: {}, tool_input: {} })).toMatchObject({
      message: 'the field `tool_input` is not known (`/tool_input`)',
      help: 'leave it out; known fields: tool, server, args, principal, session, cwd, context, definition, approval, call_id, subagent',
    })
    expect(refusal({ tool: 'T', args: [] }).message).toBe('the field `args` must be an object, not an array (`/args`)')
    expect(refusal({ tool: 'T' })).toMatchObject({ message: 'the field `args` is missing (`/args`)', help: 'add `args`' })
  })

  for (const unseen of [
    '\n',
    '\u001b',
    '\u0000',
    '\u0085',
    '\u200b',
    '\u200d',
    '\u202e',
    '\u2028',
    '\ufeff',
    '\u00ad',
    '\ufe0f',
    '\u{e0041}',
    '\u3164',
  ]) {
    test(`a name with U+${unseen.codePointAt(0)?.toString(16)} is refused`, () => {
      for (const input of [
        { tool: `Ba${unseen}sh`, args: {} },
        { tool: 'T', server: `s${unseen}`, args: {} },
        { tool: 'T', args: {}, principal: { user: `u${unseen}` } },
        { tool: 'T', args: {}, session: `s${unseen}` },
      ]) {
        expect(refusal(input).code).toBe('ingress.bad_name')
      }
    })
  }

  test('names end at 256 characters', () => {
    expect(call({ tool: 'T'.repeat(256), args: {} }).tool.name.length).toBe(256)
    expect(refusal({ tool: 'T'.repeat(257), args: {} }).code).toBe('ingress.bad_name')
  })

  proves(['FUL-5', 'FUL-14'], 'malformed input is refused, so nothing can be allowed', () => {
    for (const text of ['{', 'not json', '{"tool":"Bash","args":{}', "{'tool':'Bash'}", '\u0000']) {
      expect(refusal(text).code).toBe('ingress.syntax')
    }
  })

  proves(['FUL-6', 'FUL-15'], 'empty input is refused', () => {
    for (const text of ['', ' ', '\n']) expect(refusal(text).code).toBe('ingress.empty')
  })

  proves(['FUL-7', 'FUL-8'], 'an empty or missing tool name is refused', () => {
    expect(refusal({ tool: '', args: {} }).code).toBe('ingress.bad_name')
    expect(refusal({ args: {} }).code).toBe('ingress.missing_field')
  })

  proves('FUL-16', 'input beyond ten mebibytes is refused, and so is anything beyond a configured limit', () => {
    const big = JSON.stringify({ tool: 'Bash', args: { command: 'x'.repeat(10 * 1_048_576) } })
    expect(refusal(big).code).toBe('ingress.too_large')
    const read = parseCall(JSON.stringify(FULL), { digester, limits: { maxBytes: 100 } })
    expect(read).toMatchObject({ ok: false, refusal: { code: 'ingress.too_large' } })
  })
})

proves('T06', 'magic names as tool, server, argument and principal are data like any other', () => {
  for (const name of ['constructor', 'toString', 'hasOwnProperty', 'valueOf', 'prototype', '__defineGetter__']) {
    const read = call({ tool: name, server: name, args: { [name]: name }, principal: { role: name, tenant: name } })
    const plain = call({ tool: 'x', server: 'x', args: { x: 'x' }, principal: { role: 'x', tenant: 'x' } })
    const renamed = JSON.parse(JSON.stringify(plain).replaceAll('"x"', JSON.stringify(name))) as unknown
    expect(JSON.parse(JSON.stringify(read))).toEqual(renamed)
    expect(Object.getPrototypeOf(read.args)).toBe(null)
  }
  expect(refusal('{"tool":"T","args":{"__proto__":{"a":1}}}').code).toBe('ingress.prototype_key')
  expect(call({ tool: '__proto__', args: {} }).tool.name).toBe('__proto__')
})

test('any JSON is either a call or refused with a pointer to a place', () => {
  const key = fc.constantFrom('tool', 'args', 'server', 'principal', 'context', 'definition', 'cwd', 'role', 'chain', 'x')
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(fc.string(), fc.integer(), fc.constant(null), fc.boolean(), fc.array(tie('value'), { maxLength: 3 }), tie('object')),
    object: fc.dictionary(key, tie('value'), { maxKeys: 6 }),
  }))
  fc.assert(
    fc.property(value, (json) => {
      const read = callFromJson(json as never, { digester })
      if (read.ok) expect(read.call.tool.name).not.toBe('')
      else expect(read.refusal.pointer).toMatch(/^(?:\/.*)?$/s)
    }),
    { numRuns: 3_000, seed: 9 },
  )
})
