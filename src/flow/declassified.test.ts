/** What people and rules vouch for, and no more; and that nothing else that happens in a session makes a later call look better (P3). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTask } from '../authorization/task.ts'
import type { ToolCall } from '../core/call.ts'
import type { Json, JsonObject } from '../core/json.ts'
import { analyseCall } from '../open.ts'
import { keyedHash } from '../provenance/keyed-hash.ts'
import type { DeclassifiedEvent } from '../session/memory/events.ts'
import { apply, emptyMemory, type SessionMemory } from '../session/memory/memory.ts'
import { heard, observe } from '../session/memory/observe.ts'
import { emptySession } from '../session/state.ts'
import { createFixedView } from '../view/fixed.ts'
import { flowOf } from './analyse.ts'
import { reachOfCall } from './reach.ts'
import type { DeclassifyRule } from './trust.ts'

const KEY = { low: 3, high: 4 }
const VIEW = createFixedView({ home: '/home/user', cwd: '/home/user/project', gate: [], digest: (text: string) => text })
const TASK = 'Pay the invoice of May from Ann.'
const IBAN = 'DE44500105175407324931'

function callOf(tool: string, args: JsonObject): ToolCall {
  return {
    tool: { server: null, name: tool, definition: null },
    args,
    principal: { agent: null, role: null, user: null, tenant: null, chain: [] },
    session: 's',
    cwd: null,
    context: { task: TASK, vouched: true, recent: [] },
    definition: null,
    approval: null,
    callId: null,
  }
}

interface Step {
  readonly tool: string
  readonly args: JsonObject
  readonly result: Json | null
  readonly verdict: 'allow' | 'ask' | 'deny'
}

function addStep(memory: SessionMemory, { tool, args, result, verdict }: Step, at: number): void {
  const call = callOf(tool, args)
  const facts = analyseCall(call, VIEW, { state: emptySession(0), policy: null })
  const reach = reachOfCall(call, facts, { hostTool: false, wrote: () => false })
  const said = at === 0 ? heard(TASK, readTask(TASK), KEY) : null
  const nothing = { holds: null, marks: [], sent: [], files: [], targets: [], attended: false, approved: false } as const
  apply(memory, { kind: 'call', at, id: String(at), verdict, reach, said, ...nothing })
  if (result === null || verdict !== 'allow') return
  apply(memory, observe({ call, id: String(at), at, result, reach, task: readTask(TASK), key: KEY, holds: null, secrets: [] }))
}

const MAIL: Step = {
  tool: 'get_unread_emails',
  args: {},
  result: [
    { id: '3', sender: 'ann@acme.example', body: `The invoice of May is due. Please pay 120.00 to ${IBAN} by Friday, thanks, Ann.` },
  ],
  verdict: 'allow',
}
const PAY = callOf('send_money', { recipient: IBAN, amount: '120.00' })

function doubtOf(call: ToolCall, memory: SessionMemory, more: { readonly rules?: readonly DeclassifyRule[]; readonly now?: number } = {}) {
  const facts = analyseCall(call, VIEW, { state: emptySession(0), policy: null })
  return flowOf(call, facts, { memory, key: KEY, roles: new Map(), trust: [], hostTool: false, now: 10, ...more })
}

function memoryAfter(steps: readonly Step[], event?: Partial<DeclassifiedEvent>): SessionMemory {
  const memory = emptyMemory()
  for (const [at, step] of steps.entries()) addStep(memory, step, at)
  const whole = { kind: 'declassified', at: 5, values: null, from: null, tool: null, argument: null, until: 100, by: 'human:ann' } as const
  if (event !== undefined) apply(memory, { ...whole, ...event })
  return memory
}

const VALUE = { values: [keyedHash(KEY, IBAN.toLowerCase())] }
const SOURCE = { from: { tool: 'get_unread_emails', field: 'body' } }

describe('a value that a person vouches for', () => {
  /** Labels were written before the answers were looked at. */
  const CASES: readonly (readonly [holds: boolean, title: string, event: Partial<DeclassifiedEvent>, now?: number])[] = [
    [true, 'by itself', VALUE],
    [true, 'into this tool and argument', { ...VALUE, tool: 'send_money', argument: 'recipient' }],
    [true, 'as whatever stands in that field', SOURCE],
    [true, 'as this value of that tool', { ...VALUE, from: { tool: 'get_unread_emails', field: null } }],
    [false, 'into another tool', { ...VALUE, tool: 'send_email' }],
    [false, 'into another argument', { ...VALUE, argument: 'amount' }],
    [false, 'as another value', { values: [keyedHash(KEY, 'de00')] }],
    [false, 'as whatever stands in another field', { from: { tool: 'get_unread_emails', field: 'subject' } }],
    [false, 'as whatever another tool returns', { from: { tool: 'read_file', field: null } }],
    [false, 'once its time is over', VALUE, 100],
  ]
  for (const [holds, title, event, now = 10] of CASES) {
    test(`${holds ? 'is not doubted' : 'is doubted'}: ${title}`, () => {
      const fact = doubtOf(PAY, memoryAfter([MAIL], event), { now })
      expect(fact?.arguments[0]).toMatchObject(holds ? { origin: 'declassified', by: 'human:ann' } : { origin: 'selected-text' })
      expect((fact?.doubt ?? 0) < 2.4).toBe(holds)
    })
  }

  test('is doubted in another form', () => {
    const hidden = callOf('send_money', { recipient: Buffer.from(IBAN).toString('base64'), amount: '120.00' })
    expect(doubtOf(hidden, memoryAfter([MAIL], SOURCE))?.arguments[0]?.origin).toBe('text')
  })
})

describe('a rule of the policy', () => {
  const rule = (changes: Partial<DeclassifyRule> = {}): DeclassifyRule => ({
    id: 'declassify[0]',
    from: (_server, tool) => tool === 'get_unread_emails',
    fields: new Set(['body']),
    into: (_server, tool) => tool === 'send_money',
    arguments: new Set(['recipient']),
    until: 50,
    ...changes,
  })
  test('vouches for what it names until it ends', () => {
    const memory = memoryAfter([MAIL])
    const origin = (rules: readonly DeclassifyRule[], now: number) => doubtOf(PAY, memory, { rules, now })?.arguments[0]?.origin
    expect(origin([rule()], 10)).toBe('declassified')
    expect(origin([rule()], 50)).toBe('selected-text')
    expect(origin([rule({ fields: new Set(['subject']) })], 10)).toBe('selected-text')
    expect(origin([rule({ into: () => false })], 10)).toBe('selected-text')
    expect(origin([rule({ arguments: new Set(['amount']) })], 10)).toBe('selected-text')
  })
})

/** Values that the last call does not hold, as others' results hold them: nothing in them can vouch for it. */
const word = fc.stringMatching(/^[b-z]{4,9}$/)
const leaf = fc.oneof(
  word,
  word.map((name) => `${name}@other.example`),
  fc.array(word, { minLength: 9, maxLength: 14 }).map((words) => words.join(' ')),
)
const other: fc.Arbitrary<Step> = fc.record({
  tool: fc.constantFrom('get_contacts', 'browse_webpage', 'read_file', 'send_email', 'create_event', 'search_products'),
  args: fc.dictionary(fc.constantFrom('query', 'path', 'title'), word, { maxKeys: 2 }),
  result: fc.oneof(
    fc.constant(null),
    fc.array(fc.dictionary(fc.constantFrom('sender', 'body', 'name', 'id'), leaf, { maxKeys: 4 }), { maxLength: 3 }),
  ),
  verdict: fc.constantFrom('allow', 'ask', 'deny'),
})
const LAST = [
  PAY,
  callOf('send_email', { recipients: ['ann@acme.example'], body: 'paid', subject: 'May' }),
  callOf('send_money', { recipient: 'DE00000000000000000001', amount: '9' }),
]

test('an event that vouches for nothing never lowers a later doubt, wherever it stands (P3)', () => {
  fc.assert(
    fc.property(fc.array(other, { maxLength: 4 }), other, fc.nat(5), fc.constantFrom(...LAST), (before, extra, place, last) => {
      const steps = [MAIL, ...before]
      const at = 1 + (place % steps.length)
      const more = [...steps.slice(0, at), extra, ...steps.slice(at)]
      expect(doubtOf(last, memoryAfter(more))?.doubt ?? 0).toBeGreaterThanOrEqual(doubtOf(last, memoryAfter(steps))?.doubt ?? 0)
    }),
    { numRuns: 60, seed: 22 },
  )
})

test('padding with other results never makes a claimed address believed', () => {
  const sender = { ...MAIL, result: [{ sender: 'mallory@evil.example', subject: 'x' }] }
  const padding: Step[] = Array.from({ length: 40 }, (_, at) => {
    return {
      tool: 'search_products',
      args: {},
      result: [{ [`a${at}`]: `v${at}`, [`b${at}`]: `w${at}`, [`c${at}`]: `x${at}`, [`d${at}`]: `y${at}` }],
      verdict: 'allow',
    }
  })
  const call = callOf('send_email', { recipients: ['mallory@evil.example'], body: 'x', subject: 'y' })
  const [before, padded] = [doubtOf(call, memoryAfter([sender])), doubtOf(call, memoryAfter([sender, ...padding]))]
  expect(padded?.doubt).toBeGreaterThanOrEqual(before?.doubt ?? 9)
})
