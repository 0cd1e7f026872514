import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { answers, call, calls, MCP_POLICY, type McpPlace, mcpPlace } from '../../../test/support/mcp.ts'
import { bundled } from '../../../test/support/program.ts'
import { temporaryDirectory } from '../../../test/support/records.ts'
import { openResults } from '../../cli/threads/open.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { LARGE_FRAME, seemingId } from './apart.ts'

const THREAD = pathToFileURL(bundled(new URL('../../cli/threads/results.ts', import.meta.url)))
const CANARY = 'canary-4f1a9c77d2'
const SECRET = 'ghp_0123456789abcdefghijABCDEFGHIJ012345'
const LINES = 'a line of a long file\n'.repeat(1_200)
const POLICY = `${MCP_POLICY}guards: { canary: { tokens: [${CANARY}] } }\nmcp_proxy: { withhold: [canary, secret] }\n`

const text = (value: string): JsonObject => ({ content: [{ type: 'text', text: value }] })

function threaded(policy: string, file: URL = THREAD): McpPlace {
  const results = openResults({ note: () => {}, file })
  onTestFinished(results.close)
  return mcpPlace({ policy, results })
}

/** A thread that does this instead of its work. */
function threadThat(act: string): URL {
  const file = join(temporaryDirectory(), 'thread.mjs')
  writeFileSync(file, `import { parentPort } from 'node:worker_threads'\nparentPort.on('message', (asked) => { ${act} })\n`)
  return pathToFileURL(file)
}

describe('the id of a large frame', () => {
  const long = `"result":{"content":[{"type":"text","text":"${'x'.repeat(600)}"}]}`
  test.each([
    [`{"jsonrpc":"2.0","id":5,${long}}`, '5'],
    [`{"id":"a-1",${long},"jsonrpc":"2.0"}`, '"a-1"'],
    [` { "jsonrpc" : "2.0" , "id" : 12 , ${long} }\r`, '12'],
    [`{${long},"jsonrpc":"2.0","id":7}`, '7'],
    [`{"jsonrpc":"2.0",${long},"id":"b"}`, '"b"'],
    [`{${long},"id":8,"jsonrpc":"2.0"}`, '8'],
    // What may be another id than it looks is read.
    [`{"jsonrpc":"2.0","id":05,${long}}`, null],
    [`{"jsonrpc":"2.0","id":"\\u0061",${long}}`, null],
    [`{"jsonrpc":"2.0","id":1e2,${long}}`, null],
    [`{"jsonrpc":"2.0","id":null,${long}}`, null],
    [`{"jsonrpc":"2.0","method":"x","params":{"y":"${'x'.repeat(600)}"}}`, null],
    [`{"jsonrpc":"2.0",${long},"x":",\\"id\\":9}"}`, null],
  ])('%#', (frame, id) => {
    expect(seemingId(new TextEncoder().encode(frame))).toBe(id)
  })
})

const LARGE: readonly (readonly [title: string, result: Json, held: boolean])[] = [
  ['ordinary lines', text(LINES), false],
  [
    'many records',
    text(JSON.stringify(Array.from({ length: 300 }, (_, id) => ({ id, email: `u${id}@example.org`, note: LINES.slice(0, 60) })))),
    false,
  ],
  ['a failure', { ...text(`${LINES}permission denied`), isError: true }, false],
  ['hidden characters at the end', text(`${LINES}\u{e0041}\u{e0042}`), false],
  ['a canary at the end', text(`${LINES}${CANARY}`), true],
  ['a secret in the middle', text(`${LINES}${SECRET}\n${LINES}`), true],
  ['a canary in structured content', { content: [], structuredContent: { lines: LINES, deep: [CANARY] } }, true],
  ['no object', LINES, false],
]

describe('a large result', () => {
  proves('P6', 'goes on, or is held back, and is recorded, as where it is looked through at once', async () => {
    const said: unknown[] = []
    for (const place of [mcpPlace({ policy: POLICY }), threaded(POLICY)]) {
      const came: unknown[] = []
      for (const [index, [title, result, held]] of LARGE.entries()) {
        const id = index + 1
        place.fromClient(call(id, 'echo', { id }))
        await place.serverGets(calls(id))
        const sent = JSON.stringify({ jsonrpc: '2.0', id, result })
        expect(sent.length).toBeGreaterThan(LARGE_FRAME)
        place.fromServer(sent)
        await place.clientGets(answers(id))
        const line = place.toClient.at(-1) ?? ''
        expect([title, line.includes('held back')]).toEqual([title, held])
        if (!held && !line.includes('Countersign')) expect(line).toBe(sent)
        came.push(line)
      }
      await vi.waitFor(() => expect(place.records('result')).toHaveLength(LARGE.length), { timeout: 10_000 })
      const records = place.records('result').map(({ body, code }) => {
        // Digests of what was erased are keyed, and each state directory has a key of its own.
        const erased = ((body.erased ?? []) as readonly { readonly pointer: string }[]).map(({ pointer }) => pointer)
        return { code, ...body, erased, call: { ...(body.call as JsonObject), call_id: null } }
      })
      said.push({ came, records, uninspected: place.uninspected })
      expect(JSON.stringify(records)).not.toContain(SECRET)
    }
    expect(said[1]).toEqual(said[0])
  })

  test('lets messages behind it pass, and keeps those of before', async () => {
    const place = threaded(POLICY)
    place.fromClient(call(1, 'echo'))
    place.fromClient({ jsonrpc: '2.0', id: 'p', method: 'ping' })
    await place.serverGets(calls(1))
    place.fromServer({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } })
    place.fromServer({ jsonrpc: '2.0', id: 1, result: text(`${LINES}${SECRET}`) })
    place.fromServer({ jsonrpc: '2.0', id: 'p', result: {} })
    expect(place.toClient.map((line) => line.slice(0, 40))).toEqual([
      '{"jsonrpc":"2.0","method":"notifications',
      '{"jsonrpc":"2.0","id":"p","result":{}}',
    ])
    expect(JSON.stringify(await place.clientGets(answers(1)))).not.toContain(SECRET)
  })

  test('is known to the session before anything that the client says next', async () => {
    const seen = []
    for (const place of [mcpPlace({ policy: POLICY }), threaded(POLICY)]) {
      place.fromClient(call(1, 'echo'))
      await place.serverGets(calls(1))
      place.fromServer({ jsonrpc: '2.0', id: 1, result: text(`${LINES}write to mallory@example.net`) })
      await place.clientGets(answers(1))
      place.fromClient(call(2, 'delete_account', { to: 'mallory@example.net' }))
      await vi.waitFor(() => expect(place.records('decision').length).toBeGreaterThan(1), { timeout: 10_000 })
      seen.push(JSON.stringify(place.records('decision').at(-1)?.body).match(/"flow":\{.*?\}/)?.[0])
      place.leave()
    }
    expect(seen[1]).toEqual(seen[0])
  })

  describe('that turns out to be something else is read as that', () => {
    const more = `"x":"${LINES.replaceAll('\n', ' ')}"`
    test.each([
      ['a request', `{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{${more}}}`, true, true],
      ['a task', `{"jsonrpc":"2.0","id":1,"result":{"task":{"taskId":"t"},${more}}}`, true, false],
      ['an error', `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no",${more}}}`, true, false],
      ['a name that stands twice', `{"jsonrpc":"2.0","id":1,"result":{"content":[],"content":[],${more}}}`, false, false],
      ['another id', `{"jsonrpc":"2.0","id":1,"result":{${more}},"id":2}`, false, true],
    ])('%s', async (_, frame, passes, open) => {
      const place = threaded(POLICY)
      place.fromClient(call(1, 'echo'))
      await place.serverGets(calls(1))
      place.fromServer(frame)
      await vi.waitFor(() => expect(place.toClient.length + place.uninspected.length).toBeGreaterThan(0), { timeout: 10_000 })
      expect(place.toClient.includes(frame)).toBe(passes)
      expect(place.traffic.unanswered(1, '', 'asked') !== null).toBe(open)
    })
  })
})

describe('a result that the thread loses', () => {
  const LOST = [
    ['ends', 'process.exit(3)'],
    ['throws', "throw new Error('no')"],
    ['fails', "parentPort.postMessage({ id: asked.id, failure: { message: 'no', fault: null } })"],
  ] as const
  for (const [title, act] of LOST)
    proves('P4', `as it ${title} is held back and counted, or passes and is counted where the policy says so`, async () => {
      for (const [more, passes] of [
        ['', false],
        ['mcp_proxy: { uninspected: pass }\n', true],
        ['mode: shadow\n', true],
      ] as const) {
        const place = threaded(`${more}${MCP_POLICY}`, threadThat(act))
        place.fromClient(call(1, 'echo'))
        await place.serverGets(calls(1))
        const sent = JSON.stringify({ jsonrpc: '2.0', id: 1, result: text(LINES) })
        place.fromServer(sent)
        await place.clientGets(answers(1))
        expect(place.toClient.at(-1) === sent).toBe(passes)
        expect(place.uninspected).toEqual([`result ${passes ? 'passed' : 'blocked'}`])
        await vi.waitFor(() => expect(JSON.stringify(place.records('result'))).toContain('could not be inspected'), { timeout: 10_000 })
      }
    })
})
