/** Whose word counts for what: principal, session and task of a call, by who sends it. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import type { ToolCall } from '../core/call.ts'
import { call as callOf } from '../policy/testing/compiled.ts'
import { NOBODY } from './auth/caller.ts'
import { claimed, type Sender } from './claims.ts'

const claims = { agent: 'bot', role: null, user: null, tenant: null }
const agent = (vouches: boolean) => ({ kind: 'agent', name: 'bot', claims, token: 'tok_1', vouches }) as const
const person = { kind: 'person', name: 'human:a@example.com', role: 'viewer', tenant: null, session: null } as const

const SENDERS: Readonly<Record<string, Sender>> = {
  'a process of the own user, by the socket': { caller: NOBODY, listener: 'socket' },
  'nobody, on open loopback': { caller: NOBODY, listener: 'loopback' },
  'an agent, by its token': { caller: agent(false), listener: 'loopback' },
  'an agent, by its token on the socket': { caller: agent(false), listener: 'socket' },
  'an agent whose token vouches': { caller: agent(true), listener: 'network' },
  'a person': { caller: person, listener: 'loopback' },
}
const sent = (context: ToolCall['context'], session: string | null = 's-1'): ToolCall => ({
  ...callOf('x', { args: {} }),
  session,
  context,
})

describe('a session belongs to whoever opened it', () => {
  const names = new Map(Object.entries(SENDERS).map(([who, sender]) => [who, claimed(sent({ task: null, recent: [] }), sender).session]))

  proves(['T64', 'T65'], 'the same name is another session for another owner', () => {
    expect(Object.fromEntries(names)).toEqual({
      'a process of the own user, by the socket': 's-1',
      'nobody, on open loopback': 's-1@loopback',
      'an agent, by its token': 's-1@tok_1',
      'an agent, by its token on the socket': 's-1@tok_1',
      'an agent whose token vouches': 's-1@tok_1',
      'a person': 's-1@human:a%40example.com',
    })
  })

  for (const [who, sender] of Object.entries(SENDERS)) {
    proves('T65', `${who} cannot name the session of somebody else`, () => {
      const others = [...names].filter(([other, name]) => other !== who && name !== names.get(who)).map(([, name]) => name)
      for (const name of others) expect(others).not.toContain(claimed(sent({ task: null, recent: [] }, name ?? ''), sender).session)
    })

    test(`${who}: no session stays none`, () => {
      expect(claimed(sent({ task: null, recent: [] }, null), sender).session).toBeNull()
    })
  }
})

describe('a task is the user’s own', () => {
  for (const [who, fromJson, fromHost] of [
    ['a process of the own user, by the socket', false, true],
    ['nobody, on open loopback', false, false],
    ['an agent, by its token', false, false],
    ['an agent, by its token on the socket', false, false],
    ['an agent whose token vouches', true, true],
    ['a person', true, true],
  ] as const) {
    proves('T50', `sent by ${who}: ${fromJson}, from the prompt event of its host: ${fromHost}`, () => {
      const vouched = (context: ToolCall['context']) => claimed(sent(context), SENDERS[who] as Sender).context.vouched
      expect(vouched({ task: 'x', recent: [] })).toBe(fromJson)
      expect(vouched({ task: 'x', vouched: true, recent: [] })).toBe(fromHost)
    })
  }
})
