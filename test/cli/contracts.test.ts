/** `contracts mint` and what `policy` says of contracts, as a user types it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Home, makeHome } from '../hosts/harness.ts'
import { commandLine } from '../support/command-line.ts'

let home: Home
beforeAll(() => {
  home = makeHome()
})
afterAll(() => home.remove())

const write = (name: string, text: string): string => {
  const path = join(home.user, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
  return path
}

/** Twelve right calls of a tool with paired lists, and a wrong one. */
function recorded(): string {
  const calls = Array.from({ length: 12 }, (_, index) => ({
    tool: 'rename_all',
    args: { old: Array(index + 1).fill('a'), new: Array(index + 1).fill('b'), limit: index + 1 },
    label: 'benign',
  }))
  const wrong = { tool: 'rename_all', args: { old: ['a'], new: [], limit: -1 }, label: 'attack' }
  return JSON.stringify({
    id: 's',
    source: 'test',
    context: {},
    calls: [...calls, wrong],
    tools: [{ name: 'rename_all', description: 'Renames.', input_schema: {} }],
  })
}

test('a proposal is written from recordings, loads as it is, and finds what is wrong', async () => {
  const calls = write('calls.jsonl', recorded())
  const out = join(home.user, 'tool-contracts.json')
  const minted = await commandLine(home, ['contracts', 'mint', calls, '--out', out, '--verbose'])
  expect([minted.status, minted.stdout]).toEqual([0, ''])
  expect(minted.stderr).toContain('from 1 tools and 12 calls')
  const { rename_all } = JSON.parse(readFileSync(out, 'utf8')) as Record<string, { contract: string; constraints: unknown[] }>
  expect(rename_all?.contract).toBe('Renames.')
  expect(rename_all?.constraints).toContainEqual({ kind: 'cmp', op: 'eq', left: { len: 'old' }, right: { len: 'new' } })
  const policy = write(
    'countersign.yaml',
    'version: 1\nunregistered: allow\ncontracts: { files: [tool-contracts.json], enforcement: hard }\n',
  )
  expect((await commandLine(home, ['policy', 'lint', policy])).status).toBe(0)
  const check = async (args: object) =>
    (await commandLine(home, ['check', '--no-record', '--policy', policy], JSON.stringify({ tool: 'rename_all', args }))).status
  expect([await check({ old: ['a'], new: ['b'], limit: 1 }), await check({ old: ['a'], new: [], limit: 1 })]).toEqual([0, 4])
})

test('definitions alone are enough, as a list or as MCP lists them', async () => {
  const tool = { name: 'get', inputSchema: { required: ['id'], properties: { id: { type: 'string' } } } }
  for (const [name, value] of [
    ['list.json', [tool]],
    ['mcp.json', { tools: [tool] }],
  ] as const) {
    const run = await commandLine(home, ['contracts', 'mint', '--tools', write(name, JSON.stringify(value))])
    expect(JSON.parse(run.stdout)).toEqual({ get: { params: [{ name: 'id', required: true, type: 'string' }], constraints: [] } })
  }
})

test('nothing to mint from, and files that are none, are usage errors', async () => {
  expect((await commandLine(home, ['contracts', 'mint'])).status).toBe(2)
  expect(await commandLine(home, ['contracts', 'mint', '--tools', write('no.json', '{"tools": 1}')])).toMatchObject({ status: 2 })
  expect(await commandLine(home, ['contracts', 'mint', '--tools', write('bad.json', '{')])).toMatchObject({ status: 2 })
})

test('warnings and errors name the file they stand in', async () => {
  write('lint/c.json', '{\n  "t": {"params": [{"name": "a", "type": "strng"}]}\n}')
  const policy = write('lint/countersign.yaml', 'version: 1\nunregistered: ask\ncontracts: { files: [c.json] }\n')
  const linted = await commandLine(home, ['policy', 'lint', policy])
  expect([linted.status, linted.stdout]).toEqual([
    0,
    'c.json:2:20: warning: nothing checks the type `strng`; did you mean `string`? (lint.contract_type)\n  = use a type of JSON Schema\n',
  ])
  write('lint/c.json', '{"t": {"constraints": [{"kind": "cmpp"}]}}')
  const broken = await commandLine(home, ['policy', 'lint', policy])
  expect(broken.status).toBe(1)
  expect(broken.stdout).toContain('policy.contract_kind: there is no relation `cmpp`\n --> c.json:1:33')
})
