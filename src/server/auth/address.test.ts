import { describe, expect } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { clientAddress } from './address.ts'

const PROXY = ['10.0.0.0/8', '::1', '2001:db8:1::/48'] as const

describe('whose address a request counts for', () => {
  for (const [title, address, forwarded, trusted, expected] of [
    ['no proxy is trusted', '203.0.113.7', [], [], '203.0.113.7'],
    ['no proxy is trusted, whatever the header says', '203.0.113.7', ['198.51.100.1'], [], '203.0.113.7'],
    ['somebody else than the proxy sends the header', '203.0.113.7', ['198.51.100.1'], PROXY, '203.0.113.7'],
    ['the proxy names one', '10.1.2.3', ['198.51.100.1'], PROXY, '198.51.100.1'],
    ['the client wrote one before the proxy did', '10.1.2.3', ['192.0.2.66, 198.51.100.1'], PROXY, '198.51.100.1'],
    ['in two headers', '10.1.2.3', ['192.0.2.66', '198.51.100.1'], PROXY, '198.51.100.1'],
    ['two proxies', '10.1.2.3', ['198.51.100.1, 10.9.9.9'], PROXY, '198.51.100.1'],
    ['only proxies', '10.1.2.3', ['10.9.9.9'], PROXY, '10.9.9.9'],
    ['the proxy names nobody', '10.1.2.3', [], PROXY, '10.1.2.3'],
    ['the proxy names no address', '10.1.2.3', ['unknown'], PROXY, '10.1.2.3'],
    ['with a port', '10.1.2.3', ['198.51.100.1:4711'], PROXY, '198.51.100.1'],
    ['IPv4 by IPv6', '::ffff:10.1.2.3', ['198.51.100.1'], PROXY, '198.51.100.1'],
    ['IPv6 counts as its network', '2001:db8:9:8:7:6:5:4', [], [], '2001:db8:9:8::/64'],
    ['IPv6 cut short', '2001:db8::1', [], [], '2001:db8:0:0::/64'],
    ['IPv6 behind a proxy, in brackets', '::1', ['[2001:db8:9:8::1]:443'], PROXY, '2001:db8:9:8::/64'],
    ['a proxy by IPv6', '2001:db8:1::5', ['198.51.100.1'], PROXY, '198.51.100.1'],
    ['by the socket', 'local', ['198.51.100.1'], PROXY, 'local'],
  ] as const) {
    proves('T65', `${title}: ${expected}`, () => {
      expect(clientAddress({ address, forwarded }, trusted)).toBe(expected)
    })
  }
})
