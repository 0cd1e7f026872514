/** The shipped example of a retail desk, rule by rule, on conversations of our own making. */
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { COMPILE } from '../../src/cli/open.ts'
import type { ToolCall } from '../../src/core/call.ts'
import type { Json, JsonObject } from '../../src/core/json.ts'
import { runs } from '../../src/core/verdict.ts'
import { type OpenedGate, openGate } from '../../src/open.ts'
import { readPolicy } from '../../src/policy/file.ts'
import { createFixedView } from '../../src/view/fixed.ts'
import { callOf } from '../support/calls.ts'

const EXAMPLES = join(import.meta.dirname, '../../examples')
let opened: OpenedGate
let conversation = 0

beforeAll(() => {
  const result = readPolicy(join(EXAMPLES, 'tau-retail/countersign.yaml'), COMPILE)
  if (!result.ok) throw new Error(result.errors.map((error) => `${error.line}: ${error.message}`).join('\n'))
  const { policy } = result
  opened = openGate({
    home: '/nowhere',
    record: false,
    policy: () => ({ policy, degraded: null }),
    view: () => createFixedView({ home: '/home/u', cwd: '/home/u' }),
  })
})
afterAll(() => opened.close())
beforeEach(() => {
  conversation++
})

const call = (tool: string, args: JsonObject): ToolCall =>
  callOf(tool, args, {
    principal: { agent: 'desk', role: 'retail_agent', user: null },
    session: `conversation ${conversation}`,
    cwd: null,
  })

/** Makes the call and, where it may run, lets it return. */
/** No request of a user is vouched for here, so what changes an order that the agent itself named is flagged. */
async function does(tool: string, args: JsonObject, result: Json = 'ok'): Promise<string> {
  const asked = call(tool, args)
  const { decision, findings } = await opened.gate.decide(asked)
  if (runs(decision)) opened.observe(asked, result)
  const broken = findings.flatMap((finding) =>
    finding.verdict === 'deny' ? ((finding.evidence.violations ?? []) as readonly JsonObject[]) : [],
  )
  return [decision, ...broken.map((violation) => violation.constraint ?? violation.text)].join(' ')
}

const order = (id: string, more: JsonObject = {}): JsonObject => ({
  order_id: id,
  user_id: 'ada_1',
  status: 'pending',
  items: [
    { item_id: '11', product_id: 'shirt' },
    { item_id: '21', product_id: 'lamp' },
  ],
  payment_history: [{ payment_method_id: 'card_1' }],
  ...more,
})
const PROFILE: JsonObject = {
  payment_methods: { card_1: { source: 'credit_card' }, card_2: { source: 'credit_card' }, gift_1: { source: 'gift_card' } },
}
const SHIRT: JsonObject = {
  product_id: 'shirt',
  variants: { 11: { item_id: '11', available: true }, 12: { item_id: '12', available: true }, 13: { item_id: '13', available: false } },
}

async function greet(...orders: readonly JsonObject[]): Promise<void> {
  await does('find_user_id_by_email', { email: 'ada@shop.test' }, 'ada_1')
  await does('get_user_details', { user_id: 'ada_1' }, PROFILE)
  await does('get_product_details', { product_id: 'shirt' }, SHIRT)
  for (const each of orders) await does('get_order_details', { order_id: each.order_id ?? '' }, each)
}

const PENDING = order('#W1')
const DELIVERED = order('#W2', { status: 'delivered' })
const FOREIGN = order('#W3', { user_id: 'bob_2' })
const change = (more: JsonObject = {}): JsonObject => ({
  order_id: '#W1',
  item_ids: ['11'],
  new_item_ids: ['12'],
  payment_method_id: 'card_1',
  ...more,
})
const giveBack = (more: JsonObject = {}): JsonObject => ({ order_id: '#W2', item_ids: ['11'], payment_method_id: 'card_1', ...more })

describe('a retail desk after a proper greeting', () => {
  for (const [title, tool, args, expected] of [
    ['a cancellation', 'cancel_pending_order', { order_id: '#W1', reason: 'ordered by mistake' }, 'flag'],
    [
      'for a reason that is none',
      'cancel_pending_order',
      { order_id: '#W1', reason: 'too slow' },
      `deny 'reason' not in enum ["no longer needed","ordered by mistake"]`,
    ],
    ['of a delivered order', 'cancel_pending_order', { order_id: '#W2', reason: 'no longer needed' }, 'deny status'],
    ["of somebody else's order", 'cancel_pending_order', { order_id: '#W3', reason: 'no longer needed' }, 'deny own-order'],
    ['of an order that nobody looked at', 'cancel_pending_order', { order_id: '#W9', reason: 'no longer needed' }, 'deny order-looked-up'],
    [
      'of what is no order',
      'cancel_pending_order',
      { order_id: 'W1', reason: 'no longer needed' },
      `deny 'order_id' does not match ^#W[0-9]+$ order-looked-up`,
    ],
    ['another item of the same product', 'modify_pending_order_items', change(), 'flag'],
    ['an item of another product', 'modify_pending_order_items', change({ item_ids: ['21'] }), 'deny same-product'],
    ['an item that nobody looked up', 'modify_pending_order_items', change({ new_item_ids: ['99'] }), 'deny items-looked-up'],
    ['an item that is gone', 'modify_pending_order_items', change({ new_item_ids: ['13'] }), 'deny available'],
    ['fewer new items than old', 'modify_pending_order_items', change({ item_ids: ['11', '11'] }), 'deny pairs same-product'],
    ["somebody else's card", 'modify_pending_order_items', change({ payment_method_id: 'card_9' }), 'deny own-payment-method'],
    ['a return to the original card', 'return_delivered_order_items', giveBack(), 'flag'],
    ['a return to a gift card', 'return_delivered_order_items', giveBack({ payment_method_id: 'gift_1' }), 'flag'],
    ['a return to another card', 'return_delivered_order_items', giveBack({ payment_method_id: 'card_2' }), 'deny refund-target'],
    ['a return of what was not ordered', 'return_delivered_order_items', giveBack({ item_ids: ['77'] }), 'deny items-of-order'],
    ['a return of a pending order', 'return_delivered_order_items', giveBack({ order_id: '#W1' }), 'deny status'],
    ['another way to pay', 'modify_pending_order_payment', { order_id: '#W1', payment_method_id: 'card_2' }, 'flag'],
    ['the same way to pay', 'modify_pending_order_payment', { order_id: '#W1', payment_method_id: 'card_1' }, 'deny another-method'],
    ['her own address', 'modify_user_address', { user_id: 'ada_1', zip: '12345' }, 'allow'],
    ["somebody else's address", 'modify_user_address', { user_id: 'bob_2', zip: '12345' }, 'deny own-profile'],
    ['an address without a real zip code', 'modify_user_address', { user_id: 'ada_1', zip: '1' }, `deny 'zip' does not match ^[0-9]{5}$`],
    ['a tool that the desk does not have', 'refund_everything', {}, 'deny'],
  ] as const) {
    test(`${title}: ${expected}`, async () => {
      await greet(PENDING, DELIVERED, FOREIGN)
      expect(await does(tool, args)).toBe(expected)
    })
  }
})

test('without a greeting nothing is changed: what is not known permits nothing', async () => {
  await does('get_order_details', { order_id: '#W1' }, PENDING)
  expect(await does('cancel_pending_order', { order_id: '#W1', reason: 'no longer needed' })).toBe('deny authenticated')
  await does('find_user_id_by_email', { email: 'nobody@shop.test' }, 'Error: user not found')
  expect(await does('cancel_pending_order', { order_id: '#W1', reason: 'no longer needed' })).toBe('deny authenticated')
})

test('an order is changed once, and is then no longer pending', async () => {
  await greet(PENDING)
  expect(await does('modify_pending_order_items', change())).toBe('flag')
  expect(await does('modify_pending_order_items', change())).toBe('deny once status')
  expect(await does('cancel_pending_order', { order_id: '#W1', reason: 'no longer needed' })).toBe('deny status')
})

test('what one conversation knows, another does not', async () => {
  await greet(PENDING)
  conversation++
  expect(await does('cancel_pending_order', { order_id: '#W1', reason: 'no longer needed' })).toBe('deny authenticated order-looked-up')
})

test('a call that was refused has returned nothing', async () => {
  await greet(PENDING, DELIVERED)
  expect(await does('cancel_pending_order', { order_id: '#W1', reason: 'too slow' })).toContain('deny')
  expect(await does('modify_pending_order_items', change())).toBe('flag')
})
