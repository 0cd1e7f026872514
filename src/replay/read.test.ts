import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import type { Json } from '../core/json.ts'
import { type Recording, readRecordings } from './read.ts'

const directory = mkdtempSync(join(tmpdir(), 'countersign-read-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

async function read(text: string | Buffer, name = 'rows.jsonl'): Promise<readonly Recording[]> {
  const path = join(directory, name)
  writeFileSync(path, text)
  const recordings: Recording[] = []
  for await (const recording of readRecordings(path)) recordings.push(recording)
  return recordings
}
const lines = (...rows: readonly Json[]): string => rows.map((row) => JSON.stringify(row)).join('\n')

const SESSION = {
  id: 's1',
  source: 'here',
  context: { role: 'coder', task: 'fix it' },
  session_label: 'benign',
  calls: [
    { tool: 'Bash', args: { command: 'ls' }, result: 'a', label: 'benign' },
    { tool: 'Read', args: 'no object', label: 'of another kind' },
    'no call',
  ],
}

describe('recordings', () => {
  test('a session: what the gate sees, and apart from it what only the score may see', async () => {
    expect(await read(lines(SESSION))).toEqual([
      {
        session: 's1',
        source: 'here',
        role: 'coder',
        task: 'fix it',
        sessionLabel: 'benign',
        world: null,
        undescribed: false,
        calls: [
          { tool: 'Bash', args: { command: 'ls' }, result: 'a' },
          { tool: 'Read', args: {}, result: null },
        ],
        labels: [
          { label: 'benign', accept: null },
          { label: 'unknown', accept: null },
        ],
      },
    ])
  })

  test('labelled single calls are numbered by row; a label that assumes an untold world says so', async () => {
    const row = { source: 'x', tool: 'Bash', input: { command: 'ls' }, accept: ['allow', 3] }
    const rows = await read(lines(row, { ...row, context_dependent: true }, { ...row, context_dependent: true, context: { cwd: '/w' } }))
    expect(rows.map(({ session, undescribed, world, labels }) => ({ session, undescribed, world, labels }))).toEqual([
      { session: 0, undescribed: false, world: null, labels: [{ label: 'unknown', accept: ['allow'] }] },
      { session: 1, undescribed: true, world: null, labels: [{ label: 'unknown', accept: ['allow'] }] },
      { session: 2, undescribed: false, world: { cwd: '/w' }, labels: [{ label: 'unknown', accept: ['allow'] }] },
    ])
  })

  test('our own export: decisions are replayed, other records are passed over', async () => {
    const decision = { kind: 'decision', id: 'e1', session: 's', body: { call: { tool: 'Bash', args: { command: 'ls' } } } }
    const rows = await read(lines({ kind: 'checkpoint', body: {} }, decision, { ...decision, session: null }, { ...decision, body: {} }))
    expect(rows.map(({ session, calls }) => [session, calls[0]?.tool])).toEqual([
      ['s', 'Bash'],
      ['e1', 'Bash'],
    ])
  })

  test('our own export, whole: principal, directory, what was seen, what was decided, results, and the closing line', async () => {
    const call = {
      tool: 'get',
      server: 'm',
      args: {},
      principal: { role: 'r' },
      session: 's',
      cwd: '/w',
      definition_digest: 'sha256:x',
      call_id: 'i',
    }
    const view = [{ question: 'env', subject: 'A', answer: null }]
    const [first, second, ...rest] = await read(
      lines(
        { kind: 'decision', decision: 'ask', session: 's', body: { call, decision: { view } } },
        { kind: 'result', session: 's', body: { call, response: [1] } },
        { kind: 'decision', body: {} },
        { anchor: { size: 2 } },
      ),
    )
    expect(first).toMatchObject({ session: 's', role: 'r', recorded: 'ask', answers: view })
    expect(first?.calls[0]?.call).toMatchObject({ tool: { server: 'm', name: 'get' }, cwd: '/w', callId: null, approval: null })
    expect([second?.calls, second?.returned?.response, rest]).toEqual([[], [1], []])
  })

  test('expected decisions, and worlds of the file and of a row', async () => {
    const call = { tool: 'Bash', args: { command: 'ls' }, principal: { role: 'r' } }
    const rows = await read(
      lines(
        { call, expect: 'flag', code: 'x.y' },
        { world: { cwd: '/a' } },
        { call, world: { cwd: '/b' } },
        { ...SESSION, world: { cwd: '/c' } },
      ),
    )
    expect(rows.map(({ session, expected, labels, described }) => [session, expected, labels[0]?.accept ?? null, described])).toEqual([
      [0, { decision: 'flag', code: 'x.y' }, ['allow'], undefined],
      [2, undefined, null, [{ cwd: '/a' }, { cwd: '/b' }]],
      ['s1', undefined, null, [{ cwd: '/a' }, { cwd: '/c' }]],
    ])
  })

  test('plain and gzip, blank lines, lone surrogates', async () => {
    expect(await read(gzipSync(`${lines(SESSION)}\n\n${lines(SESSION)}\n`), 'rows.jsonl.gz')).toHaveLength(2)
    const [odd] = await read('{"id":"s","calls":[{"tool":"Bash","args":{"command":"\\ud800"}}]}')
    expect(odd?.calls).toHaveLength(1)
  })

  for (const [text, message] of [
    ['{"calls":[]}\nno json', /line 2/],
    ['[1]', /line 1: not a JSON object/],
    ['{"call":{"tool":"Bash"}}', /line 1: the call cannot be read/],
    ['{"what":1}', /line 1: neither a session, nor a labelled call, nor an expected decision, nor an audit record/],
  ] as const) {
    test(`refuses ${JSON.stringify(text)}`, async () => expect(read(text)).rejects.toThrow(message))
  }
})
