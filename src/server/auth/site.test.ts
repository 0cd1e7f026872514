import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { type SiteRequest, siteFault } from './site.ts'

const OPTIONS = {
  hosts: new Set(['localhost', '127.0.0.1', '::1', 'gate.example.com']),
  origins: new Set(['https://console.example.com']),
}

type Headers = readonly (readonly [string, string])[]

const fault = (headers: Headers, more: Partial<SiteRequest> = {}) =>
  siteFault({ method: 'POST', port: 7433, ...more, headers }, OPTIONS)?.code ?? null

const HOST = ['Host', '127.0.0.1:7433'] as const

describe('the host', () => {
  for (const [host, expected] of [
    ['127.0.0.1:7433', null],
    ['localhost:7433', null],
    ['LOCALHOST:7433', null],
    ['localhost.:7433', null],
    ['[::1]:7433', null],
    ['gate.example.com', null],
    ['gate.example.com:443', null],
    ['GATE.EXAMPLE.COM', null],
    ['gate.example.com.', null],
    ['127.0.0.1', 'http.host'],
    ['127.0.0.1:7434', 'http.host'],
    ['localhost', 'http.host'],
    ['evil.example', 'http.host'],
    ['evil.example:7433', 'http.host'],
    ['127.0.0.1.evil.example:7433', 'http.host'],
    ['127.0.0.1.nip.io:7433', 'http.host'],
    ['localhost.evil.example:7433', 'http.host'],
    ['gate.example.com.evil.example', 'http.host'],
    ['evilgate.example.com', 'http.host'],
    ['0.0.0.0:7433', 'http.host'],
    ['2130706433:7433', 'http.host'],
    ['127.1:7433', 'http.host'],
    ['[::ffff:127.0.0.1]:7433', 'http.host'],
    ['user@127.0.0.1:7433', 'http.host'],
    ['127.0.0.1:7433/', 'http.host'],
    ['127.0.0.1:7433, evil.example', 'http.host'],
    ['127.0.0.1:99999999', 'http.host'],
    ['127.0.0.1:', 'http.host'],
    ['', 'http.host'],
    [' ', 'http.host'],
    ['löcalhost:7433', 'http.host'],
  ] as const) {
    proves('T63', `${host === '' ? 'nothing' : host} is ${expected ?? 'ours'}`, () => {
      expect(fault([['Host', host]])).toBe(expected)
      expect(fault([['Host', host]], { method: 'GET' })).toBe(expected)
    })
  }

  test('must be sent', () => expect(fault([])).toBe('http.host'))
  test('needs no port on port 80', () => expect(fault([['host', '127.0.0.1']], { port: 80 })).toBeNull())
})

describe('the origin', () => {
  for (const [origin, expected] of [
    ['http://127.0.0.1:7433', null],
    ['https://127.0.0.1:7433', null],
    ['HTTP://127.0.0.1:7433', null],
    ['https://console.example.com', null],
    ['null', 'http.origin'],
    ['NULL', 'http.origin'],
    ['', 'http.origin'],
    ['http://localhost:7433', 'http.origin'],
    ['http://127.0.0.1', 'http.origin'],
    ['http://127.0.0.1:7434', 'http.origin'],
    ['http://evil.example', 'http.origin'],
    ['http://evil.example:7433', 'http.origin'],
    ['http://127.0.0.1:7433.evil.example', 'http.origin'],
    ['http://127.0.0.1:7433@evil.example', 'http.origin'],
    ['http://evil.example#127.0.0.1:7433', 'http.origin'],
    ['http://127.0.0.1:7433/', 'http.origin'],
    ['http://127.0.0.1:7433\\.evil.example', 'http.origin'],
    ['http://127.0.0.1:7433 http://evil.example', 'http.origin'],
    ['file://', 'http.origin'],
    ['chrome-extension://abcdef', 'http.origin'],
    ['https://sub.console.example.com', 'http.origin'],
    ['https://console.example.com.evil.example', 'http.origin'],
    ['http://console.example.com', 'http.origin'],
  ] as const) {
    proves('T63', `${origin === '' ? 'nothing' : origin} is ${expected ?? 'ours'}, whatever is asked for`, () => {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS']) expect(fault([HOST, ['Origin', origin]], { method })).toBe(expected)
    })
  }

  test('is of the very name that was asked for, where a proxy stands in front', () => {
    expect(
      fault([
        ['Host', 'gate.example.com'],
        ['Origin', 'https://gate.example.com'],
      ]),
    ).toBeNull()
    expect(
      fault([
        ['Host', 'gate.example.com'],
        ['Origin', 'http://127.0.0.1:7433'],
      ]),
    ).toBe('http.origin')
  })
})

describe('what comes twice', () => {
  for (const name of [
    'host',
    'origin',
    'authorization',
    'cookie',
    'content-type',
    'countersign-approval',
    'x-countersign-csrf',
    'sec-fetch-site',
    'last-event-id',
  ]) {
    proves('T63', `${name} is refused, even where both say the same`, () => {
      const value = name === 'host' ? '127.0.0.1:7433' : name === 'origin' ? 'http://127.0.0.1:7433' : 'same-origin'
      const rest = name === 'host' ? [] : [HOST]
      expect(fault([...rest, [name, value]])).toBeNull()
      expect(fault([...rest, [name, value], [name.toUpperCase(), value]])).toBe('http.header')
    })
  }
})

describe('what the browser says of the page', () => {
  for (const [site, method, expected] of [
    ['same-origin', 'POST', null],
    ['none', 'POST', null],
    ['same-site', 'POST', 'http.origin'],
    ['cross-site', 'POST', 'http.origin'],
    ['cross-site', 'GET', null],
    ['same-site', 'GET', null],
    ['cross-site', 'HEAD', null],
    ['anything', 'POST', 'http.origin'],
  ] as const) {
    proves('T63', `${method} from ${site}: ${expected ?? 'taken'}`, () => {
      expect(fault([HOST, ['Sec-Fetch-Site', site]], { method })).toBe(expected)
    })
  }
})
