/** Tools of a program behind a real gate and store, with people who are asked inside of the program. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { secretKinds } from '../../../test/secret-kinds.ts'
import { temporaryDirectory } from '../../../test/support/records.ts'
import type { ApprovalHandler, HandlerAnswer, HandlerRequest } from '../../approvals/handlers.ts'
import { CallbackHandler, ElicitationHandler, QueueHandler } from '../../approvals/handlers.ts'
import type { JsonObject } from '../../core/json.ts'
import { policy } from '../../policy/testing/compiled.ts'
import { createToolGate, type GatedTool, type ToolGate, ToolGateError, type ToolGateOptions } from './tool-gate.ts'

const ALLOWS = 'unregistered: allow\nrules: { allow: [{ tool: "*", reason: all }], deny: [{ tool: never, reason: never }] }\n'
const ME = { principal: { user: 'me' } }

interface Meeting {
  readonly gate: ToolGate
  /** Arguments that the tool `wire_money` ran with. */
  readonly ran: JsonObject[]
  readonly asked: HandlerRequest[]
}

type Answering = (request: HandlerRequest) => unknown

/** A gate whose people answer like this. */
function meet(
  answer: Answering | ApprovalHandler | null,
  { rest = '', ...options }: Partial<ToolGateOptions> & { readonly rest?: string } = {},
): Meeting {
  const ran: JsonObject[] = []
  const asked: HandlerRequest[] = []
  const handler =
    typeof answer === 'function'
      ? new CallbackHandler(
          (request) => {
            asked.push(request)
            return answer(request) as boolean
          },
          { by: 'alice' },
        )
      : answer
  const tools: GatedTool[] = [
    { name: 'wire_money', requiresApproval: true, run: (args) => ran.push(args) },
    { name: 'get_rate', run: () => 7 },
    { name: 'never', requiresApproval: true, run: () => ran.push({}) },
    { name: 'fails', run: () => Promise.reject(new Error('broken tool')) },
  ]
  const compiled = policy(`${ALLOWS}${rest}`)
  const gate = createToolGate({
    tools,
    handler,
    home: temporaryDirectory(),
    policy: () => ({ policy: compiled, degraded: null }),
    ...options,
  })
  onTestFinished(() => gate.close())
  return { gate, ran, asked }
}

const pay = ({ gate }: Meeting, args: JsonObject = { amount: 5 }, caller = ME) => gate.call('wire_money', args, caller)
const codeOf = (outcome: Awaited<ReturnType<ToolGate['call']>>): string => (outcome.ran ? 'ran' : outcome.code)

describe('a tool that needs a person', () => {
  test('runs once they say yes, with what was asked about', async () => {
    const meeting = meet(() => true)
    expect(await pay(meeting)).toMatchObject({ ran: true, result: 1, decision: { code: 'allow.permitted' } })
    expect(meeting.ran).toEqual([{ amount: 5 }])
    expect(meeting.asked[0]).toMatchObject({ toolName: 'wire_money', arguments: { amount: 5 }, callerUserId: 'me', excluded: ['human:me'] })
  })

  test('does not run where they say no, and the same is not asked again', async () => {
    const meeting = meet(() => ({ approved: false, comment: 'no money' }))
    expect(codeOf(await pay(meeting))).toBe('approval.denied')
    expect(codeOf(await pay(meeting))).toBe('approval.remembered')
    expect([meeting.ran, meeting.asked.length]).toEqual([[], 1])
  })

  test('is asked about although a rule allows it; one that the policy denies is not asked about at all', async () => {
    const meeting = meet(() => true)
    expect(codeOf(await meeting.gate.call('get_rate', {}))).toBe('ran')
    expect(codeOf(await meeting.gate.call('never', {}))).toBe('rules.denied')
    expect(meeting.asked).toEqual([])
  })

  proves('PRO-W11', 'is asked about each time: no result that was kept, and no yes that was used, lets it run again', async () => {
    const kept = new Map<string, string>()
    let said = true
    const transfers: string[] = []
    const gate = meet(() => said, {
      tools: [
        {
          name: 'wire_money',
          requiresApproval: true,
          run: (args) => {
            const key = JSON.stringify(args)
            const known = kept.get(key)
            if (known !== undefined) return known
            transfers.push(key)
            kept.set(key, 'done')
            return 'done'
          },
        },
      ],
    })
    expect(await pay(gate)).toMatchObject({ ran: true, result: 'done' })
    expect(await pay(gate)).toMatchObject({ ran: true, result: 'done' })
    expect(gate.asked).toHaveLength(2)
    said = false
    expect(await pay(gate)).toMatchObject({ ran: false, code: 'approval.denied' })
    expect([gate.asked.length, transfers.length]).toEqual([3, 1])
  })

  test('runs with the arguments that were judged, whoever changes them meanwhile', async () => {
    const args: Record<string, number> = { amount: 5 }
    const meeting = meet(() => {
      args.amount = 5_000
      return true
    })
    expect(codeOf(await pay(meeting, args))).toBe('ran')
    expect(meeting.ran).toEqual([{ amount: 5 }])
  })

  test('runs for each of several identical calls once', async () => {
    const meeting = meet(() => true)
    const outcomes = await Promise.all([pay(meeting), pay(meeting), pay(meeting)])
    expect(outcomes.filter(({ ran }) => ran).length).toBe(meeting.ran.length)
    expect(meeting.ran.length).toBeLessThanOrEqual(meeting.asked.length)
  })

  test('needs as many people as the policy says', async () => {
    const people = ['alice', 'bob']
    const both = meet(() => ({ approved: true, by: people.shift() }), { rest: 'approvals: { quorum: 2 }' })
    expect(codeOf(await pay(both))).toBe('ran')
    expect(both.asked).toHaveLength(2)
    const one = meet(() => true, { rest: 'approvals: { quorum: 2 }' })
    expect(codeOf(await pay(one))).toBe('approval.pending')
    expect(one.ran).toEqual([])
  })

  test('an error of the tool is the caller’s', async () => {
    await expect(meet(() => true).gate.call('fails', {})).rejects.toThrow('broken tool')
  })

  test('a tool that is not there does not run', async () => {
    expect(codeOf(await meet(() => true).gate.call('other', {}))).toBe('registry.unregistered')
  })

  for (const args of [null, [], 'x', { n: 1n }, { a: Number.NaN }, cycle()] as never[]) {
    test(`arguments that are no JSON object run nothing: ${typeof args}`, async () => {
      const meeting = meet(() => true)
      const outcome = await pay(meeting, args)
      if (outcome.ran) expect(meeting.ran).toEqual([{ a: null }])
      else expect(outcome.code).toBe('ingress.syntax')
    })
  }
})

describe('no answer', () => {
  const cases: readonly (readonly [title: string, answer: Answering, code: string])[] = [
    ['a throw', () => Promise.reject(new Error('down')), 'approval.malformed'],
    ['the text `true`', () => 'true', 'approval.malformed'],
    ['the text `false`', () => ({ approved: 'false' }), 'approval.malformed'],
    ['nothing', () => undefined, 'approval.malformed'],
    ['other arguments', () => ({ approved: true, modifiedArguments: { amount: 1 } }), 'approval.modified'],
    ['a yes of who asked', () => ({ approved: true, by: 'me' }), 'approval.requester'],
  ]
  for (const [title, answer, code] of cases) {
    proves(['PRO-27', 'PRO-29c', 'PRO-29d'], `${title} denies, and is not counted: the next call is asked again`, async () => {
      let broken = true
      const meeting = meet((request) => (broken ? answer(request) : true))
      expect(codeOf(await pay(meeting))).toBe(code)
      expect(meeting.ran).toEqual([])
      broken = false
      expect(codeOf(await pay(meeting))).toBe('ran')
      expect(meeting.asked).toHaveLength(2)
    })
  }

  const silent: ApprovalHandler = { requestApproval: () => new Promise<HandlerAnswer>(() => {}) }
  proves('PRO-25a', 'silence denies, and nobody is asked the same again', async () => {
    const meeting = meet(silent, { timeoutMs: 50 })
    expect(codeOf(await pay(meeting))).toBe('timeout.approval')
    expect(codeOf(await pay(meeting))).toBe('approval.remembered')
    expect(meeting.ran).toEqual([])
  })

  proves('PRO-29e', 'an elicitation that nobody answers denies', async () => {
    const meeting = meet(new ElicitationHandler(() => new Promise(() => {})), { timeoutMs: 50 })
    expect(codeOf(await pay(meeting, { amount: 5 }, { principal: { user: 'me', agent: 'bot' } as never }))).toBe('timeout.approval')
    expect(meeting.ran).toEqual([])
  })

  test('an elicitation lets the person behind an agent answer, but not one who asks for himself', async () => {
    const accepting = () => new ElicitationHandler(async () => ({ action: 'accept', content: { approve: true } }))
    expect(codeOf(await pay(meet(accepting()), {}, { principal: { user: 'me', agent: 'bot' } as never }))).toBe('ran')
    expect(codeOf(await pay(meet(accepting()), {}, ME))).toBe('approval.requester')
  })
})

describe('caps', () => {
  proves('PRO-29a', 'as many calls wait as the policy lets wait; one more is denied', async () => {
    const queue = new QueueHandler({ perClient: 100 })
    const meeting = meet(queue, { rest: 'approvals: { max_pending: { session: 100, tenant: 3 } }' })
    const waiting = [1, 2, 3].map((amount) => pay(meeting, { amount }))
    for (let n = 0; n < 3; n++) await queue.get()
    expect(codeOf(await pay(meeting, { amount: 4 }))).toBe('approval.too_many')
    for (const { requestId } of queue.list()) queue.submit(requestId, { approved: true, by: 'alice' })
    expect((await Promise.all(waiting)).map(codeOf)).toEqual(['ran', 'ran', 'ran'])
  })

  proves('PRO-29b', 'of one client as many as its queue takes; one more is denied, and others are heard', async () => {
    const queue = new QueueHandler({ perClient: 2 })
    const meeting = meet(queue)
    const first = [pay(meeting, { amount: 1 }), pay(meeting, { amount: 2 })]
    for (let n = 0; n < 2; n++) await queue.get()
    expect(codeOf(await pay(meeting, { amount: 3 }))).toBe('approval.too_many')
    const other = pay(meeting, { amount: 3 }, { principal: { user: 'you' } })
    queue.submit((await queue.get()).requestId, { approved: true, by: 'alice' })
    expect(codeOf(await other)).toBe('ran')
    for (const { requestId } of queue.list()) queue.submit(requestId, { approved: false, by: 'alice' })
    expect((await Promise.all(first)).map(codeOf)).toEqual(['approval.denied', 'approval.denied'])
  })

  test('without a handler, whoever answers at the queue is heard', async () => {
    const meeting = meet(null)
    const waiting = pay(meeting)
    let id: string | undefined
    while (id === undefined) {
      id = meeting.gate.queue.list({ tenant: null, status: 'pending' }).approvals[0]?.id
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await meeting.gate.queue.answer(id, { tenant: null, by: 'human:alice', verdict: 'approve' })
    expect(codeOf(await waiting)).toBe('ran')
  })

  test('the queue is heard although a handler is asked, too', async () => {
    const queue = new QueueHandler()
    const meeting = meet(queue)
    const waiting = pay(meeting)
    const { requestId } = await queue.get()
    await meeting.gate.queue.answer(requestId, { tenant: null, by: 'human:bob', verdict: 'deny', comment: 'no' })
    expect(codeOf(await waiting)).toBe('approval.denied')
    expect(queue.size).toBe(0)
  })
})

describe('arguments that people change', () => {
  proves('T01', 'are asked about anew, and the call runs with them', async () => {
    const meeting = meet(null)
    const { queue } = meeting.gate
    const waiting = pay(meeting)
    const pending = () => queue.list({ tenant: null, status: 'pending' }).approvals[0]
    while (pending() === undefined) await new Promise((resolve) => setTimeout(resolve, 5))
    const id = pending()?.id ?? ''
    await queue.answer(id, { tenant: null, by: 'human:alice', verdict: 'approve', modifiedArguments: { amount: 1 } })
    expect(pending()?.id).toBe(id)
    await queue.answer(id, { tenant: null, by: 'human:bob', verdict: 'approve' })
    expect(await waiting).toMatchObject({ ran: true, modified: true })
    expect(meeting.ran).toEqual([{ amount: 1 }])
  })

  proves('T01', 'while a handler looks at the old ones, are not what it says yes to', async () => {
    const queue = new QueueHandler()
    const meeting = meet(queue)
    const waiting = pay(meeting)
    const first = await queue.get()
    await meeting.gate.queue.answer(first.requestId, {
      tenant: null,
      by: 'human:bob',
      verdict: 'approve',
      modifiedArguments: { amount: 1 },
    })
    const second = await queue.get()
    expect([first.arguments, second.arguments, second.digest === first.digest]).toEqual([{ amount: 5 }, { amount: 1 }, false])
    queue.submit(second.requestId, { approved: true, by: 'alice' })
    expect(await waiting).toMatchObject({ ran: true, modified: true })
    expect(meeting.ran).toEqual([{ amount: 1 }])
  })
})

describe('at the start', () => {
  const tool: GatedTool = { name: 'a', requiresApproval: true, run: () => null }
  const cases: readonly (readonly [title: string, options: Partial<ToolGateOptions>, message: string])[] = [
    [
      'declared and not gated',
      { declared: [{ name: 'wire_money', requiresApproval: true }] },
      'declared to need a person, but not gated: wire_money',
    ],
    ['no handler for what needs a person', { handler: undefined as never }, 'there is no handler to ask about a'],
    ['a handler that is none', { handler: {} as never }, 'there is no handler to ask about a'],
    ['two of one name', { tools: [tool, tool] }, 'the tool `a` stands twice'],
    ['nothing to run', { tools: [{ name: 'a' } as never] }, 'the tool `a` has nothing to run'],
    ['no time', { timeoutMs: 0 }, '`timeoutMs: 0` is no time'],
    ['all the time', { timeoutMs: Number.POSITIVE_INFINITY }, 'is no time'],
  ]
  for (const [title, options, message] of cases) {
    proves('PRO-29f', `${title} is an error`, () => {
      const compiled = policy(ALLOWS)
      const build = () =>
        createToolGate({
          tools: [tool],
          handler: null,
          home: temporaryDirectory(),
          policy: () => ({ policy: compiled, degraded: null }),
          ...options,
        })
      expect(build).toThrow(ToolGateError)
      expect(build).toThrow(message)
    })
  }

  test('what is declared and gated is none', () => {
    expect(() =>
      meet(() => true, {
        declared: [
          { name: 'wire_money', requiresApproval: true },
          { name: 'public', requiresApproval: false },
        ],
      }),
    ).not.toThrow()
  })

  proves('PRO-29f', 'what is declared elsewhere needs a person here, too', async () => {
    const tools: GatedTool[] = [{ name: 'wire_money', run: () => 'done' }]
    const meeting = meet(() => true, { tools, declared: [{ name: 'wire_money', requiresApproval: true }] })
    expect(codeOf(await pay(meeting))).toBe('ran')
    expect(meeting.asked).toHaveLength(1)
  })
})

proves(['T60', 'P11'], 'secrets of more than forty kinds are in no request of a handler', async () => {
  const kinds = secretKinds(11)
  const queue = new QueueHandler({ maxPending: 500, perClient: 500 })
  const callback = meet(() => true)
  const waiting = meet(queue, { rest: 'approvals: { max_pending: { session: 500 } }' })
  const ends: Promise<unknown>[] = []
  for (const { text } of kinds) {
    await pay(callback, { note: text, [text]: 1 })
    ends.push(pay(waiting, { note: text, list: [text] }))
  }
  while (queue.size < kinds.length) await new Promise((resolve) => setTimeout(resolve, 5))
  for (const seen of [callback.asked, queue.list()]) {
    expect(seen).toHaveLength(kinds.length)
    const all = JSON.stringify(seen).replaceAll('\\\\n', '\n').replaceAll('\\n', '\n')
    for (const { kind, secret } of kinds) for (const line of secret.split('\n')) expect([kind, all.includes(line)]).toEqual([kind, false])
  }
  for (const { requestId } of queue.list()) queue.submit(requestId, { approved: false, by: 'alice' })
  await Promise.all(ends)
})

test('a gate that is closed while somebody is asked runs nothing', async () => {
  const queue = new QueueHandler()
  const meeting = meet(queue)
  const waiting = pay(meeting)
  const { requestId } = await queue.get()
  meeting.gate.close()
  queue.submit(requestId, { approved: true, by: 'alice' })
  expect(codeOf(await waiting)).toBe('infra.audit_unavailable')
  expect(meeting.ran).toEqual([])
})

function cycle(): JsonObject {
  const object: Record<string, never> = {}
  object.self = object as never
  return object
}
