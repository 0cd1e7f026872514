/** What of a call a baseline looks at: amounts by target, doubt, and what the user asked for by name. */
import { describe, expect, test } from 'vitest'
import type { Term } from '../core/behaviour.ts'
import type { ToolCall } from '../core/call.ts'
import type { Effect } from '../core/effect.ts'
import type { ArgumentFlow, Facts, FlowFact } from '../facts/facts.ts'
import { observe } from './observe.ts'

const BEFORE = { previous: null, steps: null }

function argument(name: string, text: string, origin: string): ArgumentFlow {
  return { pointer: `/${name}`, name, role: 'target', text, origin, source: null, hidden: false }
}

function termsOf(args: ToolCall['args'], flow: Partial<FlowFact> | null, host = 'https://shop.example/cart'): readonly Term[] {
  const effect = { verb: 'fetch', target: { kind: 'url', value: host, real: null, scope: 'public', classes: [] } } as unknown as Effect
  const whole: FlowFact = { act: 'open', match: 'none', doubt: 0, because: [], arguments: [], taskUnknown: false, ...flow }
  const facts = { effects: [effect], commands: [], ...(flow === null ? {} : { flow: whole }) } as unknown as Facts
  return observe({ tool: { server: null, name: 'pay', definition: null }, args }, facts, BEFORE)
}

const find = (terms: readonly Term[], unit: string) => terms.filter((each) => each.unit === unit)

describe('what is observed of a call', () => {
  test('amounts and lengths of texts by powers of two, of the tool and of the tool with its target', () => {
    const to = { arguments: [argument('to', 'ACME Ltd', 'user')] }
    const [first, again, other] = ['ACME Ltd', 'acme ltd', 'Drop Inc'].map((name) =>
      find(termsOf({ amount: 90, memo: 'm'.repeat(100), short: 'x' }, { arguments: [argument('to', name, 'user')] }), 'volume'),
    )
    expect(find(termsOf({ amount: 90 }, to), 'volume').map(({ context }) => context.replace(/#[0-9a-f]{2}$/, '#aim'))).toEqual([
      'pay#size',
      'pay#amount',
      'pay#amount#aim',
    ])
    expect(first?.map(({ value }) => value)).toEqual(['8', '7', '7', '7', '7'])
    expect(again).toEqual(first)
    expect(other?.at(-1)?.context).not.toBe(first?.at(-1)?.context)
    expect(JSON.stringify(first)).not.toContain('ACME')
  })

  test('doubt in halves of a point, and none where nobody vouches for a request', () => {
    expect(find(termsOf({}, { doubt: 2.4 }), 'doubt')).toEqual([{ unit: 'doubt', context: 'pay', value: '5' }])
    expect(find(termsOf({}, { doubt: -0.5 }), 'doubt')[0]?.value).toBe('0')
    expect(find(termsOf({}, { doubt: 2.4, taskUnknown: true }), 'doubt')).toEqual([])
    expect(find(termsOf({}, null), 'doubt')).toEqual([])
  })

  const cases: readonly (readonly [string, Partial<FlowFact> | null, { readonly tool: boolean; readonly host: boolean }])[] = [
    ['nothing is known', null, { tool: false, host: false }],
    ['the act was asked for', { match: 'full' }, { tool: true, host: false }],
    ['half of it was', { match: 'verb' }, { tool: false, host: false }],
    ['the user named the host', { arguments: [argument('url', 'https://SHOP.example/cart', 'user')] }, { tool: false, host: true }],
    ['a text named it', { arguments: [argument('url', 'https://shop.example/cart', 'text')] }, { tool: false, host: false }],
    ['the user named another', { arguments: [argument('url', 'https://own.example', 'user')] }, { tool: false, host: false }],
    [
      'it stands there in another form',
      { arguments: [{ ...argument('url', 'https://shop.example/cart', 'user'), hidden: true }] },
      { tool: false, host: false },
    ],
    [
      'nobody vouches for the request',
      { match: 'full', taskUnknown: true, arguments: [argument('url', 'https://shop.example/cart', 'user')] },
      { tool: false, host: false },
    ],
  ]
  for (const [name, flow, { tool, host }] of cases) {
    test(`asked for by name: ${name}`, () => {
      const terms = termsOf({}, flow)
      expect([find(terms, 'tool')[0]?.asked === true, find(terms, 'host')[0]?.asked === true]).toEqual([tool, host])
    })
  }

  const given: readonly (readonly [string, Partial<FlowFact>, boolean])[] = [
    ['the user said it', { arguments: [argument('to', 'ACME', 'user')] }, true],
    ['people agreed to it', { arguments: [argument('to', 'ACME', 'approved')] }, true],
    ['a result has it', { arguments: [argument('to', 'ACME', 'structured')] }, false],
    ['the agent made it itself', { arguments: [argument('to', 'ACME', 'own')] }, false],
    ['a text has it', { arguments: [argument('to', 'ACME', 'text')] }, false],
    ['it stands there in another form', { arguments: [{ ...argument('to', 'ACME', 'user'), hidden: true }] }, false],
    ['nobody vouches for the request', { taskUnknown: true, arguments: [argument('to', 'ACME', 'user')] }, false],
  ]
  for (const [name, flow, expected] of given)
    test(`where a value comes from, ${expected ? 'a quarter of it' : 'whole'}: ${name}`, () => {
      expect(find(termsOf({}, flow), 'source').map((each) => each.asked === true)).toEqual([expected])
    })
})
