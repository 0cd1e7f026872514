import { describe, expect, test } from 'vitest'
import { COMPILE } from '../../cli/open.ts'
import type { JsonObject } from '../../core/json.ts'
import { callFromJson } from '../../ingress/call.ts'
import { analyseCall, digester } from '../../open.ts'
import { compilePolicy } from '../../policy/compile.ts'
import { sha256 } from '../../policy/file.ts'
import { emptySession } from '../../session/state.ts'
import { createFixedView } from '../../view/fixed.ts'
import { lineOf, linesOf } from './tool-harness.ts'

/** What a policy says of a tool, and what the tool's own schema says: both add, neither takes away. */

const POLICY = `version: 1
tools:
  wipe: { effects: [{ verb: delete, action: "crm:purge", from: [customer], reversible: false }] }
  load: { effects: [{ verb: read, kind: path, from: [what] }, { verb: fetch, kind: url, from: [where] }] }
  shop/buy: { effects: [{ verb: pay, action: "payment:transfer", kind: account }] }
  Read: { effects: [{ verb: send, action: "mail:send", kind: address, value: archive }] }
`

function declared(tool: string, args: JsonObject, server: string | null = null): readonly string[] {
  const compiled = compilePolicy(POLICY, { ...COMPILE, path: null, sha256 })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  const read = callFromJson({ tool, server, args, cwd: '/repo' }, { digester })
  if (!read.ok) throw new Error(read.refusal.message)
  const view = createFixedView({ home: '/home/me', cwd: '/repo' })
  return analyseCall(read.call, view, { state: emptySession(0), policy: compiled.policy }).effects.map(lineOf)
}

describe('the policy says', () => {
  for (const [tool, args, server, expected] of [
    ['wipe', { customer: 'c-1' }, null, ['likely delete resource:delete resource wipe !', 'delete crm:purge resource c-1 !']],
    ['wipe', {}, null, ['likely delete resource:delete resource wipe !', 'delete crm:purge resource wipe !']],
    ['load', { what: '/etc/shadow', where: 'http://10.0.0.1' }, null, ['read path /etc/shadow', 'fetch url http://10.0.0.1']],
    ['load', { what: ['a', '../../../../etc/passwd'] }, null, ['read path /repo/a', 'read path /etc/passwd <traversal>', 'fetch url load']],
    ['buy', { item: 'x' }, 'shop', ['pay payment:transfer account shop/buy !']],
    ['mcp__shop__buy', { item: 'x' }, null, ['pay payment:transfer account shop/buy !']],
    ['buy', { item: 'x' }, 'other', []],
    ['Read', { file_path: 'a' }, null, ['read path /repo/a', 'send mail:send address archive !']],
  ] as const) {
    test(`${server ?? ''} ${tool} ${JSON.stringify(args)}`, () => {
      const found = declared(tool, args as JsonObject, server)
      for (const line of expected) expect(found).toContain(line)
      if (expected.length === 0) expect(found).not.toContain('pay payment:transfer account shop/buy !')
    })
  }
  for (const [text, code] of [
    ['tools: { x: { effects: [{ action: "a:b" }] } }', 'policy.missing_field'],
    ['tools: { x: { effects: [{ verb: opaque }] } }', 'policy.wrong_value'],
    ['tools: { x: { effects: [{ verb: delete, kind: thing }] } }', 'policy.wrong_value'],
    ['tools: { x: { effects: [{ verb: delete, of: y }] } }', 'policy.unknown_field'],
    ['tools: { x: { effects: delete } }', 'policy.wrong_type'],
  ] as const) {
    test(`refused: ${text}`, () => {
      const compiled = compilePolicy(`version: 1\n${text}\n`, { ...COMPILE, path: null, sha256 })
      expect(compiled.ok ? [] : compiled.errors.map((error) => error.code)).toContain(code)
    })
  }
})

const schema = (properties: JsonObject) => ({
  definition: { description: null, inputSchema: { type: 'object', properties }, annotations: null },
  server: 'acme',
})

describe('the schema says', () => {
  for (const [args, properties, expected] of [
    [{ where: 'http://10.0.0.1' }, { where: { type: 'string', format: 'uri' } }, 'likely fetch url http://10.0.0.1'],
    [{ box: '10.0.0.1' }, { box: { type: 'string', format: 'ipv4' } }, 'likely fetch net:contact host 10.0.0.1'],
    [{ thing: '/etc/passwd' }, { thing: { type: 'string', description: 'Absolute path of the document' } }, 'likely read path /etc/passwd'],
    [{ todo: 'rm a' }, { todo: { type: 'string', description: 'Shell command to run' } }, 'likely delete path /repo/a !'],
    [{ ask: 'DROP TABLE users' }, { ask: { type: 'string', description: 'SQL query' } }, 'likely delete sql:drop database database !'],
    [{ all: ['a', '/etc/x'] }, { all: { type: 'array', items: { type: 'string', format: 'path' } } }, 'likely read path /etc/x'],
    [
      { outer: { inner: 'http://10.0.0.1' } },
      { outer: { type: 'object', properties: { inner: { type: 'string', format: 'url' } } } },
      'likely fetch url http://10.0.0.1',
    ],
    [{ a: 'http://10.0.0.1' }, { a: { anyOf: [{ type: 'string', format: 'uri' }] } }, 'likely fetch url http://10.0.0.1'],
  ] as const) {
    test(JSON.stringify(properties), () =>
      expect(linesOf('acme_do', args as JsonObject, schema(properties as JsonObject))).toContain(expected),
    )
  }
  for (const [args, properties, expected] of [
    [{ path: '/etc/passwd' }, { path: { type: 'string', description: 'just a label' } }, 'likely read path /etc/passwd'],
    [{ command: 'rm a' }, { command: { type: 'string', format: 'email' } }, 'likely delete path /repo/a !'],
    [{ url: 'http://10.0.0.1' }, { url: { type: 'string', format: 'hostname' } }, 'likely fetch url http://10.0.0.1'],
  ] as const) {
    test(`what is seen stands: ${JSON.stringify(properties)}`, () =>
      expect(linesOf('acme_do', args as JsonObject, schema(properties as JsonObject))).toContain(expected))
  }
  test('a schema without end is read in bounded time', () => {
    let deep: JsonObject = { type: 'string', format: 'uri' }
    for (let i = 0; i < 2_000; i++) deep = { properties: { [`p${i}`]: deep } }
    const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`p${i}`, { format: 'uri' }]))
    expect(linesOf('acme_do', { x: 1 }, schema({ deep, ...wide })).length).toBeGreaterThan(0)
  })
})
