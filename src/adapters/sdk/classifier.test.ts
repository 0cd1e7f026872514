import { rmSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { newStateDirectory } from '../../../test/support/state-base.ts'
import { CallbackHandler, QueueHandler } from '../../approvals/handlers.ts'
import { AutoApprovalClassifier, type ClassifierOptions } from './classifier.ts'
import type { ApprovalRequest } from './classifier-rules.ts'
import { openEngine } from './engine.ts'

const request = (toolName: string, args: ApprovalRequest['arguments'] = {}, callerUserId: string | null = null): ApprovalRequest => ({
  toolName,
  arguments: args,
  callerUserId,
})

function classifier(options: Partial<ClassifierOptions> = {}): AutoApprovalClassifier {
  return new AutoApprovalClassifier({ fallback: () => false, ...options })
}

const layerOf = async (made: AutoApprovalClassifier, asked: ApprovalRequest) => {
  const { approved, trace } = await made.requestApproval(asked)
  return [approved, trace.layer]
}

describe('layers, as Promptise has them', () => {
  proves(['PRO-7', 'PRO-8', 'PRO-9', 'PRO-10'], 'rules', async () => {
    const options = {
      allowRules: [{ tool: 'send_email' }, { tool: 'exec_safe' }, { tool: '*', user: 'admin' }],
      denyRules: [{ tool: 'exec_*', reason: 'too risky' }, { tool: 'delete_customer' }],
    }
    const made = classifier(options)
    expect(await layerOf(made, request('send_email'))).toEqual([true, 'allow_rule'])
    expect(await layerOf(made, request('exec_shell'))).toEqual([false, 'deny_rule'])
    expect(await layerOf(made, request('exec_safe'))).toEqual([false, 'deny_rule'])
    expect(await layerOf(made, request('delete_customer', {}, 'admin'))).toEqual([false, 'deny_rule'])
    expect((await made.requestApproval(request('exec_shell'))).reason).toBe('too risky')
    const first = classifier({ ...options, order: 'first-match' })
    expect(await layerOf(first, request('exec_safe'))).toEqual([true, 'allow_rule'])
    expect(await layerOf(first, request('delete_customer', {}, 'admin'))).toEqual([true, 'allow_rule'])
  })

  proves(['PRO-11', 'PRO-12', 'PRO-14'], 'read-only names, and the fallback behind them', async () => {
    for (const tool of ['get_users', 'list_files', 'read_config', 'search_docs']) {
      expect([tool, await layerOf(classifier({ readOnlyPrefixes: 'default' }), request(tool))]).toEqual([tool, [true, 'read_only']])
      expect([tool, await layerOf(classifier(), request(tool))]).toEqual([tool, [false, 'fallback']])
      expect([tool, await layerOf(classifier({ readOnlyAutoAllow: false }), request(tool))]).toEqual([tool, [false, 'fallback']])
    }
    expect(await layerOf(classifier(), request('modify_data'))).toEqual([false, 'fallback'])
    expect(
      await layerOf(classifier({ fallback: async () => ({ approved: true, reason: 'ann said so' }) }), request('modify_data')),
    ).toEqual([true, 'fallback'])
  })

  proves(['PRO-13a', 'PRO-13b', 'PRO-13c', 'PRO-13d'], 'the model allows, denies, escalates or fails', async () => {
    for (const [answer, expected] of [
      ['allow', [true, 'llm_allow']],
      ['deny', [false, 'llm_deny']],
      ['escalate', [true, 'llm_escalate_then_fallback']],
      ['ALLOW', [true, 'llm_escalate_then_fallback']],
    ] as const) {
      const made = classifier({ llmClassifier: async () => [answer, 'because'], fallback: () => true })
      expect([answer, await layerOf(made, request('modify_data'))]).toEqual([answer, expected])
    }
    const failing = classifier({ llmClassifier: () => Promise.reject(new Error('down')), fallback: () => false })
    expect(await layerOf(failing, request('modify_data'))).toEqual([false, 'fallback'])
    expect(failing.stats.errors).toBe(1)
  })

  proves('PRO-15', 'a fallback is needed', () => {
    expect(() => new AutoApprovalClassifier({} as ClassifierOptions)).toThrow(/needs a `fallback`/)
    expect(() => classifier({ denyRules: [{ tool: 'a[' }] })).toThrow(TypeError)
  })

  test('an ask rule goes past the model to the fallback', async () => {
    const made = classifier({ askRules: [{ tool: 'pay' }], llmClassifier: async () => ['allow', 'fine'], fallback: () => true })
    expect(await layerOf(made, request('pay'))).toEqual([true, 'ask_rule'])
    expect(await layerOf(classifier({ askRules: [{ tool: 'pay' }], llmClassifier: async () => ['allow', 'x'] }), request('pay'))).toEqual([
      false,
      'ask_rule',
    ])
  })

  test('a fallback that fails or answers with a text denies', async () => {
    const failing = classifier({ fallback: () => Promise.reject(new Error('offline')) })
    expect(await layerOf(failing, request('modify_data'))).toEqual([false, 'fallback'])
    expect(failing.stats.errors).toBe(1)
    const text = classifier({ fallback: () => ({ approved: 'false' }) as unknown as { approved: boolean } })
    expect(await layerOf(text, request('modify_data'))).toEqual([false, 'fallback'])
  })
})

describe('predicates', () => {
  proves(['PRO-6', 'PRO-W1', 'T13'], 'one that throws never opens', async () => {
    const boom = () => {
      throw new Error('boom')
    }
    const late = () => Promise.reject(new Error('late'))
    for (const predicate of [boom, late]) {
      expect(await layerOf(classifier({ denyRules: [{ predicate }] }), request('get_x'))).toEqual([false, 'deny_rule'])
      expect(await layerOf(classifier({ askRules: [{ predicate }] }), request('get_x'))).toEqual([false, 'ask_rule'])
      expect(await layerOf(classifier({ allowRules: [{ predicate }] }), request('modify_x'))).toEqual([false, 'ask_rule'])
    }
  })

  test('are asked with the request, after the other filters, and only `true` matches', async () => {
    const seen: string[] = []
    const made = classifier({
      allowRules: [
        {
          tool: 'send_*',
          user: 'ann',
          argumentContains: 'acme',
          predicate: async ({ toolName, arguments: args }) => {
            seen.push(toolName)
            return args.to === 'x@acme.test'
          },
        },
      ],
    })
    expect(await layerOf(made, request('send_mail', { to: 'x@acme.test' }, 'ann'))).toEqual([true, 'allow_rule'])
    expect(await layerOf(made, request('send_mail', { to: 'y@acme.test' }, 'ann'))).toEqual([false, 'fallback'])
    expect(await layerOf(made, request('send_mail', { to: 'x@acme.test' }, 'bob'))).toEqual([false, 'fallback'])
    expect(await layerOf(made, request('other', { to: 'x@acme.test' }, 'ann'))).toEqual([false, 'fallback'])
    expect(seen).toEqual(['send_mail', 'send_mail'])
    const truthy = classifier({ allowRules: [{ predicate: () => 'yes' as unknown as boolean }] })
    expect(await layerOf(truthy, request('modify_x'))).toEqual([false, 'fallback'])
  })
})

test('a filter on arguments matches beside a predicate as it does without one: sorted keys, spaced or compact', async () => {
  for (const argumentContains of ['{"a": 1, "b": 2}', '{"a":1,"b":2}', '"ä"']) {
    const args = argumentContains === '"ä"' ? { a: 'ä' } : { b: 2, a: 1 }
    const plain = await layerOf(classifier({ denyRules: [{ argumentContains }] }), request('do', args))
    const beside = await layerOf(classifier({ denyRules: [{ argumentContains, predicate: () => true }] }), request('do', args))
    expect([argumentContains, plain, beside]).toEqual([argumentContains, [false, 'deny_rule'], [false, 'deny_rule']])
  }
})

describe('what hangs', () => {
  const never = () => new Promise<never>(() => {})

  test('a predicate counts as one that threw', async () => {
    const options = { predicateTimeoutMs: 5, fallback: () => true }
    expect(await layerOf(classifier({ ...options, denyRules: [{ predicate: never }] }), request('do'))).toEqual([false, 'deny_rule'])
    expect((await layerOf(classifier({ ...options, allowRules: [{ predicate: never }], fallback: () => false }), request('do')))[0]).toBe(
      false,
    )
  })

  test('a model counts as one that failed, a fallback as one that denied', async () => {
    const model = classifier({ llmClassifier: never, llmTimeoutMs: 5, fallback: () => true })
    expect([await layerOf(model, request('do')), model.stats.errors]).toEqual([[true, 'fallback'], 1])
    const person = classifier({ fallback: never, fallbackTimeoutMs: 5 })
    expect([await layerOf(person, request('do')), person.stats.errors]).toEqual([[false, 'fallback'], 1])
    const handler = classifier({ fallback: new QueueHandler(), fallbackTimeoutMs: 5 })
    expect(await layerOf(handler, request('do'))).toEqual([false, 'fallback'])
  })
})

describe('handlers', () => {
  test('a handler is a fallback: it is shown no secret, and its answer counts', async () => {
    const seen: unknown[] = []
    const fallback = new CallbackHandler(({ toolName, arguments: args, excluded }) => {
      seen.push(toolName, args, excluded)
      return { approved: true, by: 'ann', comment: 'fine' }
    })
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const decision = await classifier({ fallback }).requestApproval({ ...request('do', { token: secret }), agentId: 'bot' })
    expect([decision.approved, decision.reason, JSON.stringify(seen).includes(secret)]).toEqual([true, 'fine', false])
    expect(seen).toEqual(['do', expect.anything(), ['agent:bot']])
  })

  test('a classifier is a handler of a tool gate, and is no person', async () => {
    const home = newStateDirectory()
    const handler = classifier({ allowRules: [{ tool: 'greet' }], denyRules: [{ tool: 'leave' }] })
    const gate = openEngine({ home, handler, policy: 'version: 1\nunregistered: allow\nrules: { allow: [{ tool: "*" }] }' })
    const call = (name: string) => {
      gate.wrap(() => 'done', { name, requiresApproval: true })
      return gate.run({ tool: name, args: {} }, () => 'done')
    }
    const [greeted, left] = [await call('greet'), await call('leave')]
    gate.close()
    rmSync(home, { recursive: true, force: true })
    expect([greeted.ran, left.ran, handler.lastTrace?.layer]).toEqual([true, false, 'deny_rule'])
    expect((await handler.requestApproval(request('greet'))).by).toBe('classifier:auto-classifier')
  })
})

describe('what the gate adds', () => {
  test('a name that only reads does not outweigh what the call does', async () => {
    expect(
      await layerOf(
        classifier({ readOnlyPrefixes: 'default', fallback: () => true }),
        request('query_database', { sql: 'DROP TABLE users' }),
      ),
    ).not.toEqual([true, 'read_only'])
  })
  test('what is dangerous is denied beside an allow rule', async () => {
    const made = classifier({ allowRules: [{ tool: 'Bash' }], fallback: () => true })
    expect(await layerOf(made, request('Bash', { command: 'rm -rf ~' }))).toEqual([false, 'gate'])
    expect(made.stats.gateDenies).toBe(1)
    const asking = classifier({ allowRules: [{ tool: 'send_email' }], hazards: 'asked' })
    expect((await asking.requestApproval(request('send_email', { to: 'a@b.test' }))).approved).toBe(false)
    const blind = classifier({ allowRules: [{ tool: 'Bash' }], hazards: 'none' })
    expect(await layerOf(blind, request('Bash', { command: 'rm -rf /srv/data' }))).toEqual([true, 'allow_rule'])
  })
})

proves('PRO-31', 'fifty requests at once: each has its own trace, and the counters sum to fifty', async () => {
  const made = classifier({
    readOnlyPrefixes: 'default',
    allowRules: [{ tool: 'a*' }],
    denyRules: [{ tool: 'd*' }],
    llmClassifier: async () => ['allow', 'ok'],
    fallback: () => false,
  })
  const names = Array.from({ length: 50 }, (_, index) => ['apply', 'drop_it', 'get_it', 'modify'][index % 4] ?? '')
  const decisions = await Promise.all(names.map((name) => made.requestApproval(request(name))))
  const expected: Readonly<Record<string, string>> = { apply: 'allow_rule', drop_it: 'deny_rule', get_it: 'read_only', modify: 'llm_allow' }
  expect(decisions.map(({ trace }) => trace.layer)).toEqual(names.map((name) => expected[name]))
  const { lastUpdated, errors, ...counters } = made.stats
  expect(Object.values(counters).reduce((sum, value) => sum + value, 0)).toBe(50)
  expect([typeof lastUpdated, errors]).toEqual(['number', 0])
  made.resetStats()
  expect(made.stats.allowRuleHits).toBe(0)
})
