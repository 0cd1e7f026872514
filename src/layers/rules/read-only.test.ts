import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import type { Effect, Verb } from '../../core/effect.ts'
import type { JsonObject } from '../../core/json.ts'
import { effect, opaque, target } from '../../facts/effect.ts'
import type { Facts } from '../../facts/facts.ts'
import { call, facts, policy } from '../../policy/testing/compiled.ts'
import { emptySession } from '../../session/state.ts'
import { rules } from './index.ts'

interface Case {
  readonly facts?: Partial<Facts>
  readonly annotations?: JsonObject
}

function permits(options: string, name: string, { facts: known, annotations }: Case = {}): boolean {
  const input = {
    call: call(name, annotations === undefined ? {} : { annotations }),
    facts: facts(known),
    policy: policy(`rules: { read_only: ${options} }`),
    state: emptySession(0),
  }
  const found = rules.evaluate(input)
  expect(found.every((finding) => finding.verdict === 'allow' && finding.code === 'rules.read_only')).toBe(true)
  return found.length === 1
}

const acts = (...verbs: Verb[]): readonly Effect[] => verbs.map((verb) => effect(verb, target('path', '/x')))
const UNKNOWN_TOOL = { effects: [opaque('the tool is not known', null)] }

describe('by effects', () => {
  const known = (effects: readonly Effect[], coverage: Facts['coverage'] = 'full') => ({
    facts: { effects, coverage, tool: { family: 'f', name: 'n' } },
  })
  for (const [title, setup, expected] of [
    ['reads', known(acts('read', 'read')), true],
    ['reads and fetches', known(acts('read', 'fetch')), true],
    ['a write among reads', known(acts('read', 'write')), false],
    ['a send', known(acts('send')), false],
    ['an execution', known(acts('execute')), false],
    ['something opaque', known([...acts('read'), opaque('eval', null)]), false],
    ['reads, partly analysed', known(acts('read'), 'partial'), false],
    ['no effect at all', known([]), false],
  ] as const) {
    test(`${title}: ${expected}`, () => {
      expect(permits('{ auto_allow: true }', 'Bash', setup)).toBe(expected)
      expect(permits('{ auto_allow: false }', 'Bash', setup)).toBe(false)
    })
  }

  test('without the section nothing is permitted', () => {
    const input = { call: call('Bash'), facts: facts(known(acts('read')).facts), policy: policy(''), state: emptySession(0) }
    expect(rules.evaluate(input)).toEqual([])
  })
})

describe('by prefix', () => {
  const prefixes = '{ prefixes: default }'

  proves(['PRO-11', 'PRO-11a', 'PRO-11b', 'PRO-11c', 'PRO-11d'], 'names that the operator vouches for', () => {
    for (const name of ['get_users', 'list_files', 'read_config', 'search_docs']) {
      expect(permits(prefixes, name)).toBe(true)
      expect(permits(prefixes, name, { facts: UNKNOWN_TOOL })).toBe(true)
    }
    expect(permits('{ prefixes: [get_] }', 'list_files')).toBe(false)
    expect(permits('{ }', 'get_users')).toBe(false)
  })

  proves('PRO-12', 'switched off it permits nothing', () =>
    expect(permits('{ auto_allow: false, prefixes: default }', 'get_users')).toBe(false),
  )

  proves(['PRO-19', 'PRO-19a', 'PRO-19b', 'PRO-19c', 'PRO-19d'], 'a destructive word keeps a name out', () => {
    for (const name of [
      'fetch_and_purge_cache',
      'show_and_delete',
      'getAndDeleteUser',
      'list_then_drop_tables',
      'get_thenDelete',
      'get-and.RM',
      'get_HTTPDelete',
    ]) {
      expect([name, permits('{ prefixes: [get, fetch_, show_, list_] }', name)]).toEqual([name, false])
    }
  })

  proves(['PRO-20', 'PRO-20a', 'PRO-20b', 'PRO-20c', 'PRO-20d'], 'words that merely contain one do not', () => {
    for (const name of ['get_order', 'get_settings', 'list_addresses', 'show_cart']) expect(permits(prefixes, name)).toBe(true)
  })

  proves('PRO-24', 'own words replace the list', () => {
    const own = '{ prefixes: default, destructive_words: [frobnicate] }'
    expect(permits(own, 'get_and_delete')).toBe(true)
    expect(permits(own, 'get_and_Frobnicate')).toBe(false)
  })

  proves('PRO-W4', 'a name never outweighs an effect', () => {
    for (const verb of ['write', 'delete', 'execute', 'send', 'publish', 'pay', 'persist', 'change'] as const) {
      expect([verb, permits(prefixes, 'get_users', { facts: { effects: acts('read', verb) } })]).toEqual([verb, false])
    }
    const span = { pointer: '/query', start: 0, end: 4 }
    expect(permits(prefixes, 'query_db', { facts: { effects: [opaque('dynamic SQL', span)] } })).toBe(false)
    expect(
      permits(prefixes, 'query_db', { facts: { effects: [opaque('dynamic SQL', null)], tool: { family: 'sql', name: 'query' } } }),
    ).toBe(false)
  })

  test('letters that look like others are vouched for by nobody', () => {
    expect(permits(prefixes, 'get_us\u0435rs')).toBe(false)
    expect(permits(prefixes, 'get_\u200busers')).toBe(false)
  })
})

describe('by annotation', () => {
  proves(['PRO-21', 'PRO-22', 'PRO-W6'], 'readOnlyHint permits nothing: no server is pinned', () => {
    for (const name of ['order_status', 'purge_cache'])
      expect(permits('{ prefixes: default }', name, { annotations: { readOnlyHint: true } })).toBe(false)
  })

  proves(['PRO-23', 'PRO-23a', 'PRO-23b'], 'what a server says against its tool counts', () => {
    for (const annotations of [{ readOnlyHint: false }, { destructiveHint: true }]) {
      expect(permits('{ prefixes: default }', 'get_x', { annotations })).toBe(false)
      expect(permits('{ }', 'get_x', { annotations, facts: { effects: acts('read'), coverage: 'full' } })).toBe(false)
    }
    expect(permits('{ prefixes: default }', 'get_x', { annotations: { readOnlyHint: true, destructiveHint: false } })).toBe(true)
  })
})
