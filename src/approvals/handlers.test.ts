import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import {
  CallbackHandler,
  ElicitationHandler,
  type Elicited,
  type HandlerAnswer,
  HandlerRefusal,
  type HandlerRequest,
  QueueHandler,
  UnknownRequest,
} from './handlers.ts'

const request = (id: string, changes: Partial<HandlerRequest> = {}): HandlerRequest => ({
  requestId: id,
  digest: 'd',
  toolName: 'wire_money',
  server: null,
  arguments: { amount: 5 },
  agentId: null,
  callerUserId: 'me',
  tenant: null,
  session: 's',
  code: 'rules.asked',
  reason: 'money',
  effects: [],
  excluded: ['human:me'],
  createdAt: 0,
  answerBy: 1,
  ...changes,
})
const signal = () => new AbortController().signal
const YES: HandlerAnswer = { approved: true, by: 'alice' }

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    return error instanceof HandlerRefusal ? error.code : String(error)
  }
  return 'none'
}
const thrown = (act: () => unknown): Promise<string> => codeOf((async () => act())())

describe('a callback', () => {
  const cases: readonly (readonly [said: unknown, expected: object | string])[] = [
    [true, { approved: true, by: 'human:ops', comment: '' }],
    [false, { approved: false, by: 'human:ops', comment: '' }],
    [{ approved: true }, { approved: true, by: 'human:ops', comment: '' }],
    [
      { approved: false, comment: 'no', by: 'alice' },
      { approved: false, by: 'human:alice', comment: 'no' },
    ],
    [
      { approved: true, by: 'oidc:alice' },
      { approved: true, by: 'oidc:alice', comment: '' },
    ],
    [Promise.resolve(true), { approved: true, by: 'human:ops', comment: '' }],
    ['true', 'approval.malformed'],
    ['false', 'approval.malformed'],
    [{ approved: 'false' }, 'approval.malformed'],
    [{ approved: 1 }, 'approval.malformed'],
    [{}, 'approval.malformed'],
    [{ approved: true, by: 7 }, 'approval.malformed'],
    [{ approved: true, comment: {} }, 'approval.malformed'],
    [null, 'approval.malformed'],
    [undefined, 'approval.malformed'],
    [1, 'approval.malformed'],
    [[true], 'approval.malformed'],
    [Object.create({ approved: true }), 'approval.malformed'],
    [{ approved: true, modifiedArguments: {} }, 'approval.modified'],
    [{ approved: true, modified_arguments: null }, 'approval.modified'],
    [() => Promise.reject(new Error('down')), 'Error: down'],
  ]
  for (const [said, expected] of cases) {
    proves(
      'PRO-W2',
      `that says ${said instanceof Promise || typeof said === 'function' ? 'later' : JSON.stringify(said)}: ${typeof expected === 'string' ? expected : 'taken'}`,
      async () => {
        const handler = new CallbackHandler(() => (typeof said === 'function' ? said() : said) as boolean, { by: 'ops' })
        const answer = handler.requestApproval(request('a'), { signal: signal() })
        if (typeof expected === 'string') expect(await codeOf(answer)).toBe(expected)
        else expect(await answer).toEqual(expected)
      },
    )
  }

  test('that is no function is an error at once', () => expect(() => new CallbackHandler(true as never)).toThrow(TypeError))
})

describe('a queue', () => {
  test('hands out requests in order and carries answers back', async () => {
    const queue = new QueueHandler()
    const first = queue.requestApproval(request('a'), { signal: signal() })
    const second = queue.requestApproval(request('b'), { signal: signal() })
    expect([(await queue.get()).requestId, (await queue.get()).requestId, queue.size]).toEqual(['a', 'b', 2])
    queue.submit('b', { approved: false, by: 'human:bob', comment: 'no' })
    queue.submit('a', YES)
    expect([await first, await second, queue.size]).toEqual([
      { approved: true, by: 'human:alice', comment: '' },
      { approved: false, by: 'human:bob', comment: 'no' },
      0,
    ])
  })

  test('lets takers wait, in order, until they give up', async () => {
    const queue = new QueueHandler()
    const stop = new AbortController()
    const gone = queue.get({ signal: stop.signal })
    const waiting = queue.get()
    stop.abort(new Error('enough'))
    await expect(gone).rejects.toThrow('enough')
    void queue.requestApproval(request('a'), { signal: signal() })
    expect((await waiting).requestId).toBe('a')
    await expect(queue.get({ signal: AbortSignal.abort(new Error('never')) })).rejects.toThrow('never')
  })

  test('forgets a request that nobody waits for', async () => {
    const queue = new QueueHandler()
    const stop = new AbortController()
    const waiting = queue.requestApproval(request('a'), { signal: stop.signal })
    stop.abort()
    expect([await codeOf(waiting), queue.size, queue.list()]).toEqual(['timeout.approval', 0, []])
    expect(() => queue.submit('a', YES)).toThrow(UnknownRequest)
    expect(await codeOf(queue.requestApproval(request('b'), { signal: AbortSignal.abort() }))).toBe('timeout.approval')
    const next = queue.get()
    void queue.requestApproval(request('c'), { signal: signal() })
    expect((await next).requestId).toBe('c')
  })

  test('knows no answer to what it never had, or had already', async () => {
    const queue = new QueueHandler()
    expect(() => queue.submit('a', YES)).toThrow(UnknownRequest)
    expect(() => queue.submit('constructor', YES)).toThrow(UnknownRequest)
    void queue.requestApproval(request('a'), { signal: signal() })
    queue.submit('a', YES)
    expect(() => queue.submit('a', YES)).toThrow(UnknownRequest)
  })

  proves('PRO-29c', "takes no yes of who asked, and waits on for another's", async () => {
    const queue = new QueueHandler()
    const waiting = queue.requestApproval(request('a'), { signal: signal() })
    for (const by of ['me', 'human:me']) expect(await thrown(() => queue.submit('a', { approved: true, by }))).toBe('approval.requester')
    expect(queue.size).toBe(1)
    queue.submit('a', YES)
    expect((await waiting).by).toBe('human:alice')
  })

  test('takes a no of who asked', async () => {
    const queue = new QueueHandler()
    const waiting = queue.requestApproval(request('a'), { signal: signal() })
    queue.submit('a', { approved: false, by: 'me' })
    expect((await waiting).approved).toBe(false)
  })

  proves('PRO-29d', 'takes no answer that changes the arguments', async () => {
    const queue = new QueueHandler()
    void queue.requestApproval(request('a'), { signal: signal() })
    for (const more of [{ modifiedArguments: { amount: 1 } }, { modified_arguments: {} }])
      expect(await thrown(() => queue.submit('a', { ...YES, ...more }))).toBe('approval.modified')
    expect(queue.size).toBe(1)
  })

  for (const answer of [null, {}, { approved: 'false', by: 'a' }, { approved: true }, { approved: true, by: '' }, { by: 'a' }, 'yes']) {
    proves('PRO-W2', `${JSON.stringify(answer)} is no answer`, async () => {
      const queue = new QueueHandler()
      void queue.requestApproval(request('a'), { signal: signal() })
      expect(await thrown(() => queue.submit('a', answer as never))).toBe('approval.malformed')
      expect(queue.size).toBe(1)
    })
  }

  proves('PRO-29a', 'refuses one more than may wait', async () => {
    const queue = new QueueHandler({ maxPending: 3, perClient: 100 })
    for (const id of ['a', 'b', 'c']) void queue.requestApproval(request(id), { signal: signal() })
    expect(await codeOf(queue.requestApproval(request('d'), { signal: signal() }))).toBe('approval.too_many')
    queue.submit('a', YES)
    void queue.requestApproval(request('e'), { signal: signal() })
    expect(queue.list().map(({ requestId }) => requestId)).toEqual(['b', 'c', 'e'])
  })

  proves('PRO-29b', 'refuses one more of a client or of a tenant than may wait', async () => {
    const queue = new QueueHandler({ perClient: 2, perTenant: 3 })
    const add = (id: string, changes: Partial<HandlerRequest>) =>
      codeOf(Promise.race([queue.requestApproval(request(id, changes), { signal: signal() }), Promise.resolve()]))
    expect(await add('a', {})).toBe('none')
    expect(await add('b', {})).toBe('none')
    expect(await add('c', {})).toBe('approval.too_many')
    expect(await add('d', { callerUserId: 'you' })).toBe('none')
    expect(await add('e', { callerUserId: 'they' })).toBe('approval.too_many')
    expect(await add('f', { tenant: 'acme' })).toBe('none')
    expect(await add('g', { tenant: 'acme', agentId: 'bot' })).toBe('none')
    expect(await add('h', { tenant: 'acme', agentId: 'bot', callerUserId: 'you' })).toBe('none')
    expect(await add('a', { tenant: 'other' })).toBe('approval.too_many')
  })

  for (const limit of [0, -1, 1.5, Number.NaN])
    test(`of ${limit} is none`, () => expect(() => new QueueHandler({ maxPending: limit })).toThrow(RangeError))
})

describe('an elicitation', () => {
  const cases: readonly (readonly [said: unknown, expected: boolean | string])[] = [
    [{ action: 'accept', content: { approve: true } }, true],
    [{ action: 'accept', content: { approve: false } }, false],
    [{ action: 'decline' }, false],
    [{ action: 'cancel' }, 'approval.malformed'],
    [{ action: 'accept' }, 'approval.malformed'],
    [{ action: 'accept', content: {} }, 'approval.malformed'],
    [{ action: 'accept', content: { approve: 'true' } }, 'approval.malformed'],
    [{ action: 'accept', content: true }, 'approval.malformed'],
    [{ action: 'accepted', content: { approve: true } }, 'approval.malformed'],
    [{}, 'approval.malformed'],
  ]
  for (const [said, expected] of cases) {
    proves('PRO-29e', JSON.stringify(said), async () => {
      const handler = new ElicitationHandler(async () => said as Elicited)
      const answer = handler.requestApproval(request('a'), { signal: signal() })
      if (typeof expected === 'string') expect(await codeOf(answer)).toBe(expected)
      else expect(await answer).toMatchObject({ approved: expected, by: 'human:me' })
    })
  }

  test('asks for a bool, about the call', async () => {
    let asked: unknown
    const handler = new ElicitationHandler(async (elicitation) => {
      asked = elicitation
      return { action: 'decline' }
    })
    await handler.requestApproval(request('a', { callerUserId: null }), { signal: signal() })
    expect(asked).toMatchObject({ message: 'Let `wire_money` run with {"amount":5}? money', requestedSchema: { required: ['approve'] } })
  })
})
