import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../core/json.ts'
import { draftRoles } from './draft.ts'
import { argumentsOf } from './of-call.ts'
import { rolesFrom } from './written.ts'

const text = (role: { role: string; sort: string | null }) => (role.sort === null ? role.role : `${role.role}:${role.sort}`)

describe('what an argument is for, by its name', () => {
  const NAMES = {
    'target:party':
      'to recipient recipients cc user_email userId account iban payee participants new_owner assignee channel_owner phone_number',
    'target:place': 'url webhookUrl host channel channelId repo repo_name bucket site',
    'target:thing': 'path file_path filename email_id message_id orderId id hotel_name branch save_dir verification_code issue',
    content: 'body content subject title description comment_body input_values html note',
    selector: 'query filter keywords regex category',
    amount: 'amount total quantity price',
    credential: 'password otp api_key accessToken ssh_key pin',
    handle: 'session_id tabId cursor element_id input_ids idempotency_key_session',
    option: 'date start_time limit permission format status timezone',
    code: 'command sql script patch',
  } as const
  for (const [role, names] of Object.entries(NAMES)) {
    for (const name of names.split(' ')) {
      test(`${name} is ${role}`, () => {
        expect(argumentsOf({ args: { [name]: 'x' }, definition: null }, new Map()).list.map(text)).toEqual([role])
      })
    }
  }
})

describe('what an argument is for, by its value', () => {
  for (const [value, role] of [
    ['bob@example.org', 'target:party'],
    ['https://example.org/a', 'target:place'],
    ['Grand Hotel', 'target:thing'],
    ['a text that goes on for rather more than six words', 'content'],
    [12, 'option'],
  ] as const) {
    test(String(value), () => expect(argumentsOf({ args: { zork: value }, definition: null }, new Map()).list.map(text)).toEqual([role]))
  }
})

describe('a draft from a schema', () => {
  const schema = (properties: JsonObject): JsonObject => ({ type: 'object', properties })
  for (const [title, properties, expected] of [
    ['an enumeration is an option, whatever its name', { channel: { type: 'string', enum: ['a', 'b'] } }, { channel: 'option' }],
    ['a boolean is an option', { url: { type: 'boolean' } }, { url: 'option' }],
    ['a format says it', { dest1: { type: 'string', format: 'uri' } }, { dest1: 'target:place' }],
    ['a description says it', { who: { type: 'string', description: 'E-mail address of the person.' } }, { who: 'target:party' }],
    ['elements of a list', { recipients: { type: 'array', items: { type: 'string' } } }, { 'recipients.*': 'target:party' }],
    [
      'fields of elements',
      { edits: { type: 'array', items: schema({ path: { type: 'string' }, text: { type: 'string' } }) } },
      { 'edits.*.path': 'target:thing', 'edits.*.text': 'content' },
    ],
    [
      'one of several shapes',
      { cc: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }] } },
      { 'cc.*': 'target:party' },
    ],
  ] as const) {
    test(title, () => {
      const drafted = draftRoles({ inputSchema: schema(properties as unknown as JsonObject) })
      expect(Object.fromEntries([...drafted].map(([name, role]) => [name, text(role)]))).toMatchObject(expected)
    })
  }

  test('a schema that refers to itself, or is nested without end, ends', () => {
    let deep: JsonObject = { type: 'string' }
    for (let i = 0; i < 100; i += 1) deep = { type: 'object', properties: { to: deep } }
    expect(draftRoles({ inputSchema: deep }).size).toBeLessThan(10)
  })
})

test('what the policy says wins over all of it', () => {
  const roles = rolesFrom(
    new Map([
      ['body', 'target'],
      ['to', 'handle'],
      ['ids', 'target:place'],
    ] as const),
  )
  const { list } = argumentsOf({ args: { body: 'x', to: 'y', ids: ['a', 'b'], other: 'z' }, definition: null }, roles)
  expect(list.map((each) => [each.name, text(each), each.by])).toEqual([
    ['body', 'target:party', 'policy'],
    ['to', 'handle', 'policy'],
    ['ids.*', 'target:place', 'policy'],
    ['ids.*', 'target:place', 'policy'],
    ['other', 'target:thing', 'value'],
  ])
})

test('more arguments than are looked at are said to be so', () => {
  const { list, complete } = argumentsOf({ args: { to: Array.from({ length: 2000 }, (_, i) => `u${i}`) }, definition: null }, new Map())
  expect([list.length, complete]).toEqual([500, false])
})
