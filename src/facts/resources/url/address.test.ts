import { describe, expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { addressScope, numericReadings } from './address.ts'
import { describeUrl, urlTarget } from './index.ts'

proves('T10', 'an address is found in every notation, and the most dangerous reading of a URL stands', () => {
  for (const [url, scope] of [
    ['http://127.0.0.1/', 'loopback'],
    ['http://2130706433/', 'loopback'],
    ['http://0x7f000001/', 'loopback'],
    ['http://0x7f.1/', 'loopback'],
    ['http://0177.0.0.1/', 'loopback'],
    ['http://127.1/', 'loopback'],
    ['http://0/', 'loopback'],
    ['http://[::1]/', 'loopback'],
    ['http://[::ffff:127.0.0.1]/', 'loopback'],
    ['http://[::ffff:7f00:1]/', 'loopback'],
    ['http://[0:0:0:0:0:0:0:1]/', 'loopback'],
    ['http://localhost/', 'loopback'],
    ['http://LOCALHOST./', 'loopback'],
    ['http://a.localhost/', 'loopback'],
    ['http://１２７.０.０.１/', 'loopback'],
    ['http://①②⑦.⓪.⓪.①/', 'loopback'],
    ['http://127。0。0。1/', 'loopback'],
    ['http://%31%32%37.0.0.1/', 'loopback'],
    ['http://169.254.169.254/latest/meta-data', 'metadata'],
    ['http://2852039166/', 'metadata'],
    ['http://0xa9fea9fe/', 'metadata'],
    ['http://0251.0376.0251.0376/', 'metadata'],
    ['http://[::ffff:169.254.169.254]/', 'metadata'],
    ['http://[64:ff9b::a9fe:a9fe]/', 'metadata'],
    ['http://[2002:a9fe:a9fe::]/', 'metadata'],
    ['http://[fd00:ec2::254]/', 'metadata'],
    ['http://metadata.google.internal/', 'metadata'],
    ['http://10.0.0.1/', 'private'],
    ['http://192.168.1.1/', 'private'],
    ['http://172.16.0.1/', 'private'],
    ['http://[fc00::1]/', 'private'],
    ['http://[fe80::1]/', 'link-local'],
    // Userinfo and backslash: whose reading is right depends on the program.
    ['http://good.example@127.0.0.1/', 'loopback'],
    ['http://127.0.0.1\\@good.example/', 'loopback'],
    ['http://good.example\\@127.0.0.1/', 'loopback'],
    ['http://good.example#@127.0.0.1/', 'public'],
    ['http://good.example/?u=http://127.0.0.1/', 'public'],
    ['//127.0.0.1/', 'loopback'],
    ['127.0.0.1:8080/x', 'loopback'],
    ['http://good.example/', 'public'],
    ['https://93.184.216.34/', 'public'],
  ] as const) {
    expect(urlTarget(url).scope, url).toBe(scope)
  }
})

test('what travels inside a URL is told besides', () => {
  for (const [url, nested] of [
    ['https://good.example/?next=http://169.254.169.254/', 'metadata'],
    ['https://good.example/r?u=http%3A%2F%2F127.0.0.1%2F', 'loopback'],
    ['https://good.example/proxy/10.0.0.1/x', 'private'],
    ['https://good.example/?next=https://other.example/', 'public'],
    ['https://good.example/a/b', null],
  ] as const) {
    expect(describeUrl(url).nested, url).toBe(nested)
  }
})

describe('text that is no address is none', () => {
  for (const text of [
    '',
    'x',
    'example.com',
    '256.1.1.1',
    '1.2.3',
    '1.2.3.4.5',
    ':',
    'e:',
    'a:b',
    '::g',
    ':::',
    '1:2:3',
    'http:',
    `${'e:'.repeat(5_000)}`,
    '12345::1',
  ]) {
    test(text.slice(0, 30), () => expect(addressScope(text)).toBeNull())
  }
})

describe('numbers are read as any resolver might', () => {
  for (const [host, readings] of [
    ['1', ['0.0.0.1']],
    ['0x10', ['0.0.0.16']],
    ['1.2', ['1.0.0.2']],
    ['1.2.3', ['1.2.0.3']],
    ['010.0.0.1', ['8.0.0.1', '10.0.0.1']],
    ['0o10.0.0.1', ['8.0.0.1']],
    ['4294967296', ['0.0.0.0']],
    ['257.0.0.1', ['1.0.0.1']],
    ['a.b', []],
    ['', []],
    ['1.2.3.4.5', []],
    ['9'.repeat(200), []],
  ] as const) {
    test(host.slice(0, 20), () => expect([...numericReadings(host)].sort()).toEqual([...readings].sort()))
  }
})
