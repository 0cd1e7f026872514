import { describe, expect, test } from 'vitest'
import { createFixedView } from '../../../view/fixed.ts'
import { effect, type Verb } from '../../effect.ts'
import { hostNames, hostTarget, resolvedHost, urlTarget } from './index.ts'

const viewOf = (hosts?: Readonly<Record<string, readonly string[]>>) =>
  createFixedView({ home: '/h', ...(hosts === undefined ? {} : { hosts }) })
const fetching = (url: string, verb: Verb = 'fetch') => effect(verb, urlTarget(url))

describe('a name is as dangerous as its worst address', () => {
  for (const [addresses, scope] of [
    [['93.184.216.34'], 'public'],
    [['93.184.216.34', '2606:2800:220:1::1'], 'public'],
    [['10.0.0.1'], 'private'],
    [['93.184.216.34', '192.168.1.1'], 'private'],
    [['127.0.0.1'], 'loopback'],
    [['::1'], 'loopback'],
    [['0.0.0.0'], 'loopback'],
    [['169.254.169.254'], 'metadata'],
    [['::ffff:169.254.169.254'], 'metadata'],
    [['64:ff9b::a9fe:a9fe'], 'metadata'],
    [['169.254.1.1'], 'link-local'],
    [['fe80::1%eth0'], 'link-local'],
    [['fd00::1'], 'private'],
    [[], 'unknown'],
    [['not an address'], 'unknown'],
  ] as const) {
    test(`${addresses.join(' ')} is ${scope}`, () => {
      const found = resolvedHost(fetching('https://x.example/a'), viewOf({ 'x.example': addresses }))
      expect(found.target.scope).toBe(scope)
      expect(found.attributes.addresses).toEqual(addresses)
      expect(found.target.value).toBe('https://x.example/a')
    })
  }
})

describe('what is no public name stays as it is', () => {
  for (const text of [
    'http://127.0.0.1/',
    'http://93.184.216.34/',
    'http://[::1]/',
    'http://localhost/',
    'http://x.internal/',
    'file:///etc/passwd',
    '',
  ]) {
    test(text, () => {
      const before = fetching(text)
      expect(resolvedHost(before, viewOf({}))).toBe(before)
      expect(hostNames([before])).toEqual([])
    })
  }
  test('a name that was not looked up', () => {
    const before = fetching('https://x.example/')
    expect(resolvedHost(before, viewOf())).toBe(before)
    expect(resolvedHost(before, viewOf({ 'y.example': ['10.0.0.1'] }))).toBe(before)
  })
})

test('names are collected once each, of every kind of reaching, at most sixteen', () => {
  const effects = [
    fetching('https://a.example/1'),
    fetching('https://A.example/2', 'send'),
    effect('send', hostTarget('b.example')),
    fetching('http://10.0.0.1/'),
  ]
  expect(hostNames(effects)).toEqual(['a.example', 'b.example'])
  expect(hostNames(Array.from({ length: 40 }, (_, at) => fetching(`https://h${at}.example/`)))).toHaveLength(16)
  expect(hostNames([effect('write', { kind: 'path', value: 'a.example', real: 'a.example', scope: 'public', classes: [] })])).toEqual([])
})

test('the View keeps the answer for its decision and for the record', () => {
  const hosts: Record<string, readonly string[]> = { 'x.example': ['93.184.216.34'] }
  const view = viewOf(hosts)
  expect(resolvedHost(fetching('https://x.example/'), view).target.scope).toBe('public')
  expect(view.answers()).toContainEqual({ question: 'hosts', subject: 'x.example', answer: ['93.184.216.34'] })
})
