import { describe, expect, test } from 'vitest'
import { href, parseRoute } from './route.ts'

describe('addresses', () => {
  for (const [hash, path, query] of [
    ['', [], {}],
    ['#', [], {}],
    ['#/', [], {}],
    ['#/inbox', ['inbox'], {}],
    ['#/approvals/apr_1', ['approvals', 'apr_1'], {}],
    ['#/sessions/a%2Fb', ['sessions', 'a/b'], {}],
    ['#/sessions/%', ['sessions', '%'], {}],
    ['#/decisions?q=rm+-rf&decision=deny', ['decisions'], { q: 'rm -rf', decision: 'deny' }],
    ['#login=abc', ['login=abc'], {}],
    ['#/a//b', ['a', 'b'], {}],
  ] as const) {
    test(`${hash} is read`, () => {
      const route = parseRoute(hash)
      expect([route.path, Object.fromEntries(route.query)]).toEqual([path, query])
    })
  }

  for (const [path, query, address] of [
    [['inbox'], {}, '#/inbox'],
    [['sessions', 'a/b?c#d'], {}, '#/sessions/a%2Fb%3Fc%23d'],
    [['sessions', 'javascript:alert(1)'], {}, '#/sessions/javascript%3Aalert(1)'],
    [['decisions'], { q: 'a b', decision: '' }, '#/decisions?q=a+b'],
    [['decisions'], { q: null }, '#/decisions'],
  ] as const) {
    test(`${address} is written`, () => expect(href(path, query)).toBe(address))
  }

  for (const name of ['s-1', 'a/b', '../..', '\u202e', '?x=1', '#', ' ', '%41', '日本']) {
    test(`a session called ${JSON.stringify(name)} is found again`, () =>
      expect(parseRoute(href(['sessions', name])).path).toEqual(['sessions', name]))
  }
})
