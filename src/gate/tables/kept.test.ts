import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { callOf } from '../../../test/support/calls.ts'
import { newStateDirectory } from '../../../test/support/state-base.ts'
import { tamper } from '../../../test/support/store.ts'
import { COMPILE } from '../../cli/open.ts'
import { keepResult } from '../../cli/results.ts'
import type { Json } from '../../core/json.ts'
import { type OpenedGate, openGate } from '../../open.ts'
import { compilePolicy } from '../../policy/compile.ts'
import { joined } from '../../policy/contracts/remembered.ts'
import { sha256 } from '../../policy/file.ts'
import { loadKeys, rotateAuditKey } from '../../store/sqlite/keys.ts'
import { type Piece, writePiece } from './kept.ts'

let home: string
beforeEach(() => {
  home = newStateDirectory()
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const POLICY = `
version: 1
default: deny
unregistered: allow
contracts:
  enforcement: hard
  state:
    order: [{ tools: [get_order], key: args.id }]
    user: [{ tools: [login], value: result.id }]
  tools:
    ship:
      constraints:
        - { kind: known, of: { state: order, of: id } }
        - { kind: cmp, op: eq, left: { state: order, of: id, path: owner }, right: { state: user } }
`

function compiled(text: string) {
  const found = compilePolicy(text, { ...COMPILE, path: null, sha256 })
  if (!found.ok) throw new Error(JSON.stringify(found.errors))
  return found.policy
}

async function inGate<T>(work: (opened: OpenedGate) => Promise<T>, text = POLICY): Promise<T> {
  const policy = compiled(text)
  const opened = openGate({ home, policy: () => ({ policy, degraded: null }) })
  try {
    return await work(opened)
  } finally {
    opened.close()
  }
}

const entry = (table: string, key: string | null, value: Json) => ({ table, key, text: JSON.stringify(value) })
const FORGED = entry('order', 'o-forged', { owner: 'ada' })

const ship = (id: string, session = 's-1') => callOf('ship', { id }, { session })
const verdict = ({ gate }: OpenedGate, id: string, session?: string) => gate.decide(ship(id, session)).then(({ decision }) => decision)

/** Orders `from` to `to` are looked at; every tenth belongs to somebody else. */
async function lookedAt(opened: OpenedGate, from: number, to: number, session = 's-1'): Promise<void> {
  const order = (i: number): Json => ({ owner: i % 10 === 0 ? 'bob' : 'ada', note: `order ${i}` })
  const ids = Array.from({ length: to - from }, (_, i) => from + i)
  await Promise.all(
    ids.map((i) => keepResult(opened, { call: callOf('get_order', { id: `o-${i}` }, { session }), response: order(i) }).kept),
  )
}

const login = (opened: OpenedGate) => keepResult(opened, { call: callOf('login', {}, { session: 's-1' }), response: { id: 'ada' } }).kept

const PIECES = 'SELECT session, number, start, upto, entries, body FROM session_tables ORDER BY session, number'
const pieces = () => inGate(async ({ store }) => store.query((tx) => tx.all(PIECES)))
/** By a process of its own. */
const fresh = (id: string, session?: string, text?: string) => inGate((opened) => verdict(opened, id, session), text)

/** A past of 200 results, of which 100 were written down by one process and 100 by the next. */
const past = mkdtempSync(join(tmpdir(), 'countersign-tables-'))
const pastInPieces = () => cpSync(past, home, { recursive: true })
beforeAll(async () => {
  home = past
  await inGate(async (opened) => {
    await login(opened)
    await lookedAt(opened, 0, 100)
  })
  await fresh('o-1')
  await inGate((opened) => lookedAt(opened, 100, 200))
  await fresh('o-1')
})
afterAll(() => rmSync(past, { recursive: true, force: true }))

/** The labels, written before any verdict was looked at. */
async function holds(): Promise<void> {
  const asked = ['o-1', 'o-101', 'o-199', 'o-10', 'o-110', 'o-200', 'o-forged']
  expect(await inGate((opened) => Promise.all(asked.map((id) => verdict(opened, id))))).toEqual([
    'flag',
    'flag',
    'flag',
    'deny',
    'deny',
    'deny',
    'deny',
  ])
}

describe('what is written down of the state of contracts', () => {
  test('a past is written in pieces that follow each other, and a new process knows what the log says', async () => {
    pastInPieces()
    const rows = await pieces()
    expect(rows.map(({ number, entries }) => [number, entries])).toEqual([
      [0, 101],
      [1, 100],
    ])
    expect(rows[1]?.start).toBe(rows[0]?.upto)
    await holds()
  })

  test('what comes after the pieces is read from the log', async () => {
    pastInPieces()
    await inGate((opened) => lookedAt(opened, 200, 203))
    expect([await fresh('o-201'), await fresh('o-202'), await fresh('o-203')]).toEqual(['flag', 'flag', 'deny'])
    expect((await pieces()).length).toBe(2)
  })

  test('a process that goes on writes down what came meanwhile', async () => {
    await inGate(async (opened) => {
      await login(opened)
      await verdict(opened, 'o-1')
      await lookedAt(opened, 0, 100)
      for (let i = 0; i < 50 && opened.store.query((tx) => tx.all(PIECES)).length === 0; i += 1) await verdict(opened, 'o-1')
      expect(opened.store.query((tx) => tx.all(PIECES)).map(({ entries }) => entries)).toEqual([101])
    })
    expect([await fresh('o-1'), await fresh('o-10')]).toEqual(['flag', 'deny'])
  })

  test('two processes in turns: what the other wrote stands, and nothing is lost', async () => {
    await inGate(async (opened) => {
      await login(opened)
      await lookedAt(opened, 0, 100)
    })
    await inGate(async (one) => {
      await verdict(one, 'o-1')
      await inGate(async (other) => {
        await lookedAt(other, 100, 180)
        for (let i = 0; i < 10; i += 1) await verdict(other, 'o-1')
      })
      await lookedAt(one, 180, 260)
      for (let i = 0; i < 10; i += 1) await verdict(one, 'o-1')
    })
    expect([await fresh('o-101'), await fresh('o-191'), await fresh('o-110'), await fresh('o-261')]).toEqual([
      'flag',
      'flag',
      'deny',
      'deny',
    ])
  })

  test('many small pieces become one', async () => {
    const note = { kind: 'note', session: null, tenant: null, tool: null, decision: null, code: null, at: 0, body: {} } as const
    await inGate(async (opened) => {
      await login(opened)
      await lookedAt(opened, 0, 99)
      const rows = opened.store.query((tx) => tx.all(`SELECT sequence, hash FROM records WHERE kind = 'result' ORDER BY sequence`))
      const made = rows.slice(0, 64).map(({ sequence, hash }, number): Piece => {
        const start = Number(rows[number - 1]?.sequence ?? 0)
        const body = joined([number === 0 ? entry('user', null, 'ada') : entry('order', `o-${number - 1}`, { owner: 'ada' })])
        return { number, start, upto: Number(sequence), hash: String(hash), entries: 1, body }
      })
      const name = ['', 's-1', compiled(POLICY).digest] as const
      const signer = loadKeys(home).current
      await opened.store.run((tx) => made.map((piece) => writePiece(tx, name, { piece, at: Date.now(), signer })), note)
    })
    expect([await fresh('o-1'), (await pieces()).map(({ number, entries }) => [number, entries])]).toEqual(['flag', [[0, 100]]])
    expect([await fresh('o-62'), await fresh('o-98'), await fresh('o-90'), await fresh('o-99')]).toEqual(['flag', 'flag', 'deny', 'deny'])
  })

  const change = (sql: string) => () => tamper(home, sql)
  const signed = async (piece: Partial<Piece>, session = 's-1'): Promise<void> => {
    const forged = { number: 2, start: 0, upto: 0, hash: '', entries: 1, body: joined([FORGED]), ...piece }
    const { digest } = compiled(POLICY)
    const note = { kind: 'note', session: null, tenant: null, tool: null, decision: null, code: null, at: 0, body: {} } as const
    await inGate(({ store }) =>
      store.run((tx) => writePiece(tx, ['', session, digest], { piece: forged, at: 0, signer: loadKeys(home).current }), note),
    )
  }
  const end = async () => Number((await pieces()).at(-1)?.upto)
  for (const [title, harm] of [
    ['another entry in a piece', change(`UPDATE session_tables SET body = replace(body, '"o-3"', '"o-forged"')`)],
    ['another owner in a piece', change(`UPDATE session_tables SET body = replace(body, '"bob"', '"ada"')`)],
    ['another signature', change(`UPDATE session_tables SET mac = replace(mac, 'a', 'b')`)],
    ['an unknown key', change(`UPDATE session_tables SET key = '0000000000000000'`)],
    ['the first piece is gone', change('DELETE FROM session_tables WHERE number = 0')],
    ['the last piece is gone', change('DELETE FROM session_tables WHERE number = 1')],
    ['all pieces are gone', change('DELETE FROM session_tables')],
    [
      'the second piece in the place of the first',
      change('DELETE FROM session_tables WHERE number = 0; UPDATE session_tables SET number = 0'),
    ],
    ['a piece that says it goes further', change('UPDATE session_tables SET upto = upto + 1 WHERE number = 1')],
    ['a piece of no length after the end, rightly signed', async () => signed({ start: await end(), upto: await end() })],
    ['a piece up to a record that is not there, rightly signed', async () => signed({ start: await end(), upto: 1e9 })],
    ['a piece that does not follow, rightly signed', () => signed({ start: 1, upto: 2 })],
  ] as const)
    proves('PIT-20', `${title}: the log is believed`, async () => {
      pastInPieces()
      await harm()
      await holds()
    })

  for (const [title, body] of [
    ['entries by line, as before', '["order","o-forged"]\t{"owner":"ada"}\n["user",null]\t"ada"'],
    ['nothing', ''],
    ['no line of heads', '["order","o-forged",15]{"owner":"ada"}'],
    ['a value that ends too late', '["order","o-forged",16]\n{"owner":"ada"}'],
    ['values that nobody names', '["order","o-forged",15]\n{"owner":"ada"} '],
    ['a value of no length', '["user",null,5,"order","o-forged",0]\n"ada"'],
    ['a value that goes back', '["order","o-forged",15,"order","o-1",-15,"user",null,5]\n{"owner":"ada"}"ada"'],
    ['half an entry', '["order","o-forged",15,"user",null]\n{"owner":"ada"}'],
    ['a table that is no name', '[1,"o-forged",15]\n{"owner":"ada"}'],
    ['heads that are no list', '{"length":0}\n'],
  ] as const)
    proves('PIT-20', `a piece of another form, rightly signed: ${title}: the log is believed`, async () => {
      pastInPieces()
      const [last] = (await pieces()).slice(-1)
      const hash = await inGate(async ({ store }) =>
        store.query((tx) => tx.get('SELECT hash FROM records WHERE sequence = ?', last?.upto ?? 0)),
      )
      await signed({ number: 0, upto: Number(last?.upto), hash: String(hash?.hash), body })
      await holds()
    })

  test('a piece that a version before wrote: the log is read, and written down anew', async () => {
    pastInPieces()
    const [first] = await pieces()
    const { current } = loadKeys(home)
    const name = ['', 's-1', compiled(POLICY).digest, 0, 0, first?.upto, 'h', 1]
    const body = '["order","o-forged"]\t{"owner":"ada"}'
    const mac = current.mac(`countersign/session-tables/v1\n${JSON.stringify(name)}\n${body}`)
    tamper(home, `UPDATE session_tables SET hash = 'h', entries = 1, body = '${body}', mac = '${mac}' WHERE number = 0`)
    await holds()
    expect((await pieces()).map(({ number, entries }) => [number, entries])).toEqual([[0, 201]])
  })

  test('values that are not ASCII come back as they were', async () => {
    const policy = POLICY.replace('owner }, right: { state: user }', "owner }, right: { value: 'Zoë “ζ” 🙂' }")
    await inGate(async (opened) => {
      for (let i = 0; i < 40; i += 1) {
        const response = { owner: i % 2 === 0 ? 'Zoë “ζ” 🙂' : 'Zoe' }
        await keepResult(opened, { call: callOf('get_order', { id: `ö-${i}` }, { session: 's-1' }), response }).kept
      }
    })
    expect([await fresh('ö-2', 's-1', policy), await fresh('ö-3', 's-1', policy)]).toEqual(['flag', 'deny'])
    expect((await pieces()).length).toBe(1)
    expect([await fresh('ö-4', 's-1', policy), await fresh('ö-5', 's-1', policy), await fresh('o-4', 's-1', policy)]).toEqual([
      'flag',
      'deny',
      'deny',
    ])
  })

  test('a piece of another session, policy or tenant says nothing here', async () => {
    pastInPieces()
    await signed({ number: 0, upto: 1 }, 's-2')
    tamper(home, `UPDATE session_tables SET session = 's-3' WHERE session = 's-2'`)
    tamper(home, `UPDATE session_tables SET session = 's-2' WHERE session = 's-1'`)
    expect([await fresh('o-1', 's-2'), await fresh('o-forged', 's-3'), await fresh('o-forged', 's-2')]).toEqual(['deny', 'deny', 'deny'])
    await holds()
  })

  test('another policy reads the log, whatever another one kept', async () => {
    pastInPieces()
    const other = POLICY.replace('tools: [get_order]', 'tools: [find_order]')
    expect([await fresh('o-1', 's-1', other), await fresh('o-1')]).toEqual(['deny', 'flag'])
  })

  test('a rightly signed piece of the right place is what is read: without that nothing above would show anything', async () => {
    pastInPieces()
    const rows = await pieces()
    const [{ hash } = { hash: '' }] = await inGate(async ({ store }) =>
      store.query((tx) => tx.all('SELECT hash FROM records WHERE sequence = ?', rows[1]?.upto ?? 0)),
    )
    const body = joined([FORGED, entry('user', null, 'ada')])
    await signed({ number: 0, upto: Number(rows[1]?.upto), hash: String(hash), body, entries: 2 })
    expect([await fresh('o-forged'), await fresh('o-1')]).toEqual(['flag', 'deny'])
  })

  test('a new key of the log: pieces of the old one are still read', async () => {
    pastInPieces()
    rotateAuditKey(home)
    await holds()
  })

  proves('P11', 'a result of which redaction took something is in no piece', async () => {
    await inGate(async (opened) => {
      await login(opened)
      await lookedAt(opened, 0, 60)
      const response = { owner: 'ada', token: `ghp_${'aB3dE6gH9'.repeat(4)}` }
      await keepResult(opened, { call: callOf('get_order', { id: 'o-secret' }, { session: 's-1' }), response }).kept
      expect(await verdict(opened, 'o-secret')).toBe('flag')
    })
    expect(await fresh('o-secret')).toBe('deny')
    const [piece] = await pieces()
    expect([piece?.entries, String(piece?.body).includes('o-secret')]).toEqual([61, false])
  })
})
