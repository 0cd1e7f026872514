import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { answers, call, MCP_POLICY, type McpPlace, mcpPlace } from '../../../test/support/mcp.ts'
import { type Json, type JsonObject, own } from '../../core/json.ts'
import { toolsOf } from './catalog.ts'

const tool = (name: string, more: JsonObject = {}): JsonObject => ({
  name,
  description: `the tool ${name}`,
  inputSchema: { type: 'object' },
  ...more,
})

let ids = 0

/** The names that the client gets for what the server lists. */
async function listed(place: McpPlace, tools: readonly Json[], more: JsonObject = {}): Promise<readonly unknown[]> {
  ids += 1
  const id = `list-${ids}`
  place.fromClient({ jsonrpc: '2.0', id, method: 'tools/list', params: {} })
  place.fromServer({ jsonrpc: '2.0', id, result: { tools, ...more } })
  const { result } = await place.clientGets(answers(id))
  return toolsOf(result).map((each) => own(each, 'name'))
}

describe('a list of tools', () => {
  test('of which every tool may be called comes as it was sent', async () => {
    const place = mcpPlace()
    const line = '{"jsonrpc":"2.0","id":1,"result":{"tools":[ {"name":"echo","inputSchema":{"type":"object"},"x":1.0} ],"nextCursor":"c"}}'
    place.fromClient({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    place.fromServer(line)
    await place.clientGets(answers(1))
    expect(place.toClient).toEqual([line])
  })

  const HIDING = `version: 1
default: ask
unregistered: deny
tools: { echo: { risk_tier: low }, pay: { risk_tier: critical }, forbidden: { risk_tier: low }, limited: { risk_tier: low }, tidy: { risk_tier: low } }
rules:
  deny: [{ tool: forbidden }, { tool: limited, when: 'args.amount > 100' }]
roles:
  reader: { deny_list: [tidy] }
`
  for (const [title, policy, role, expected] of [
    ['leaves out what is denied whatever its arguments', HIDING, null, ['echo', 'limited', 'tidy']],
    ['leaves out what is denied to the role', HIDING, 'reader', ['echo', 'limited']],
    [
      'leaves out nothing where the policy says so',
      `${HIDING}mcp_proxy: { hide: false }\n`,
      'reader',
      ['echo', 'pay', 'forbidden', 'limited', 'tidy', 'unknown'],
    ],
    ['leaves out nothing in shadow mode', `mode: shadow\n${HIDING}`, 'reader', ['echo', 'pay', 'forbidden', 'limited', 'tidy', 'unknown']],
  ] as const) {
    test(title, async () => {
      const place = mcpPlace({ policy, principal: { role } })
      expect(
        await listed(
          place,
          ['echo', 'pay', 'forbidden', 'limited', 'tidy', 'unknown'].map((name) => tool(name)),
        ),
      ).toEqual(expected)
    })
  }

  test('hides a tool whose definition holds what nobody sees, and says so to the operator', async () => {
    const place = mcpPlace()
    expect(await listed(place, [tool('echo', { description: 'hello\u{e0041}\u{e0042}' }), tool('read_file')])).toEqual(['read_file'])
    expect(place.notes.join()).toContain('filesystem/echo')
  })
})

describe('a tool is what it was', () => {
  const CHANGED = tool('echo', { description: 'another one' })

  proves('T11', 'a definition that changes within a session is told, asked about, and hidden where the policy denies it', async () => {
    for (const [section, shown] of [
      ['', ['echo']],
      ['guards: { definitions: { on_change: deny } }\n', []],
    ] as const) {
      const place = mcpPlace({ policy: `${MCP_POLICY}mcp_proxy: { hold: 50ms }\n${section}` })
      expect(await listed(place, [tool('echo')])).toEqual(['echo'])
      place.fromServer({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
      expect(await listed(place, [CHANGED])).toEqual(shown)
      expect(place.notes.join()).toMatch(
        /`filesystem\/echo` is not what it was \(\/description changed\).*pins accept filesystem\/echo sha256:/,
      )
      place.fromClient(call(1, 'echo'))
      expect(JSON.stringify(await place.clientGets(answers(1)))).toContain('integrity.definition_changed')
      expect(place.toServer.some((line) => line.includes('tools/call'))).toBe(false)
      expect(place.records('policy').map(({ body }) => own(body, 'event'))).toEqual(['tools offered', 'tools offered'])
    }
  })

  test('also where the client never asks for the list again', async () => {
    const place = mcpPlace({ policy: `${MCP_POLICY}mcp_proxy: { hold: 50ms }\n` })
    await listed(place, [tool('echo')])
    place.lists(CHANGED)
    place.fromServer({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
    place.fromClient(call(1, 'echo'))
    expect(JSON.stringify(await place.clientGets(answers(1)))).toContain('integrity.definition_changed')
  })

  test('and a tool that was listed and is not any more is another one', async () => {
    const place = mcpPlace({ policy: `${MCP_POLICY}mcp_proxy: { hold: 50ms }\n` })
    await listed(place, [tool('echo')])
    await listed(place, [tool('read_file')])
    place.fromClient(call(1, 'echo'))
    expect(JSON.stringify(await place.clientGets(answers(1)))).toContain('integrity.definition_changed')
  })

  const FIELDS = ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const
  // What can be read in two ways is refused before it is a list: the case below.
  const key = fc.string().filter((name) => name !== '__proto__')
  const properties = fc.dictionary(key, fc.string(), { maxKeys: 4 })
  const definition = fc.record(
    {
      title: fc.string(),
      description: fc.string(),
      inputSchema: properties.map((each) => ({ type: 'object', properties: each })),
      outputSchema: properties.map((each) => ({ type: 'object', properties: each })),
      annotations: fc.record({ readOnlyHint: fc.boolean(), destructiveHint: fc.boolean() }),
    },
    { requiredKeys: [] },
  )
  proves('T11', 'whatever changes in a definition, a call of the tool is asked about', async () => {
    const place = mcpPlace({ policy: `${MCP_POLICY}mcp_proxy: { hide: false }\nguards: { definitions: { on_change: deny } }\n` })
    let count = 0
    await fc.assert(
      fc.asyncProperty(definition, definition, async (before, after) => {
        const said = (each: JsonObject) => JSON.stringify(FIELDS.map((field) => own(each, field) ?? null))
        const plain = (each: object) => JSON.parse(JSON.stringify(each)) as JsonObject
        fc.pre(said(plain(before)) !== said(plain(after)))
        count += 1
        const name = `tool_${count}`
        await listed(place, [{ name, ...plain(before) }])
        await listed(place, [{ name, ...plain(after) }])
        place.fromClient(call(count, name))
        const answer = JSON.stringify(await place.outcome(count))
        expect(answer).toMatch(/integrity\.definition_changed|integrity\.hidden/)
      }),
      { numRuns: 15, endOnFailure: true },
    )
  })

  test('a list that can be read in two ways is no list', async () => {
    const place = mcpPlace()
    place.fromClient({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
    const schema = '{"type":"object","properties":{"__proto__":{"type":"string"}}}'
    place.fromServer(`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"echo","inputSchema":${schema}}]}}`)
    expect(await place.clientGets(answers(1))).toMatchObject({ error: { code: -32_603 } })
  })
})

describe('names', () => {
  test('that can be taken for each other: only the first counts, until somebody accepts the other', async () => {
    const place = mcpPlace({ policy: MCP_POLICY.replace('tools: {', "tools: { 'ech\u043e': { risk_tier: low },") })
    expect(await listed(place, [tool('echo'), tool('ech\u043e')])).toEqual(['echo'])
    place.fromClient(call(1, 'ech\u043e'))
    expect(JSON.stringify(await place.clientGets(answers(1)))).toContain('integrity.lookalike_tool')
    expect(place.notes.join()).toContain('can be taken for')
  })

  test('that two tools of a list share are no tool’s', async () => {
    const place = mcpPlace()
    expect(
      await listed(place, [
        tool('echo'),
        tool('echo', { description: 'other' }),
        tool('filesystem/read_file'),
        tool('read_file'),
        tool('write_file'),
      ]),
    ).toEqual(['write_file'])
    for (const [id, name] of [
      [1, 'echo'],
      [2, 'read_file'],
    ] as const) {
      place.fromClient(call(id, name))
      expect(JSON.stringify(await place.clientGets(answers(id)))).toContain('integrity.lookalike_tool')
    }
  })
})

describe('what a tool says of itself', () => {
  test('raises and never lowers', async () => {
    const annotated = (name: string, annotations: JsonObject) => tool(name, { annotations })
    const place = mcpPlace({ policy: `${MCP_POLICY}mcp_proxy: { hold: 20ms }\n` })
    const readOnly = { readOnlyHint: true, destructiveHint: false, openWorldHint: false }
    await listed(place, [annotated('delete_account', readOnly), annotated('echo', { destructiveHint: true })])
    place.fromClient(call(1, 'delete_account'))
    expect(await place.clientGets(answers(1))).toMatchObject({ result: { isError: true } })
    place.fromClient(call(2, 'echo'))
    await place.outcome(2)
    const effects = JSON.stringify(place.records('decision').at(-1)?.body ?? {})
    expect(effects).toContain('tool:destructive')
  })
})
