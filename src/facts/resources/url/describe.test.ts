import { describe, expect, test } from 'vitest'
import { describeUrl, hostKind, hostTarget, urlAttributes, urlsIn, urlTarget } from './index.ts'

/** URLs as `host scope`, by the most dangerous reading that some parser would take. */

describe('addresses in every spelling', () => {
  for (const [url, expected] of [
    ['http://127.0.0.1/', '127.0.0.1 loopback'],
    ['http://127.1/', '127.0.0.1 loopback'],
    ['http://2130706433/', '127.0.0.1 loopback'],
    ['http://0x7f000001/', '127.0.0.1 loopback'],
    ['http://0177.0.0.1/', '127.0.0.1 loopback'],
    ['http://0x7f.1/', '127.0.0.1 loopback'],
    ['http://017700000001/', '127.0.0.1 loopback'],
    ['http://127.0.0.1.:80/', '127.0.0.1 loopback'],
    ['http://0.0.0.0/', '0.0.0.0 loopback'],
    ['http://0/', '0.0.0.0 loopback'],
    ['http://[::1]/', '::1 loopback'],
    ['http://[::]/', ':: loopback'],
    ['http://[::ffff:127.0.0.1]/', '::ffff:7f00:1 loopback'],
    ['http://[::ffff:7f00:1]/', '::ffff:7f00:1 loopback'],
    ['http://[0:0:0:0:0:0:0:1]/', '::1 loopback'],
    ['http://10.0.0.1/', '10.0.0.1 private'],
    ['http://172.16.0.1/', '172.16.0.1 private'],
    ['http://172.32.0.1/', '172.32.0.1 public'],
    ['http://192.168.0.1/', '192.168.0.1 private'],
    ['http://100.64.0.1/', '100.64.0.1 private'],
    ['http://198.18.0.1/', '198.18.0.1 private'],
    ['http://203.0.113.1/', '203.0.113.1 private'],
    ['http://224.0.0.1/', '224.0.0.1 private'],
    ['http://255.255.255.255/', '255.255.255.255 private'],
    ['http://169.254.1.1/', '169.254.1.1 link-local'],
    ['http://169.254.169.254/latest', '169.254.169.254 metadata'],
    ['http://[fd00:ec2::254]/', 'fd00:ec2::254 metadata'],
    ['http://[fe80::1%25eth0]/', 'fe80::1%eth0 link-local'],
    ['http://[fc00::1]/', 'fc00::1 private'],
    ['http://[2002:7f00:1::]/', '2002:7f00:1:: loopback'],
    ['http://[64:ff9b::a9fe:a9fe]/', '64:ff9b::a9fe:a9fe metadata'],
    ['http://[2001:db8::1]/', '2001:db8::1 private'],
    ['http://[2606:4700::1]/', '2606:4700::1 public'],
    ['http://8.8.8.8/', '8.8.8.8 public'],
    ['http://0x08.8.8.8/', '8.8.8.8 public'],
    ['http://１２７.0.0.1/', '127.0.0.1 loopback'],
    ['http://①②⑦.⓪.⓪.①/', '127.0.0.1 loopback'],
    ['http://127。0。0。1/', '127.0.0.1 loopback'],
    ['http://256.256.256.256/', '256.256.256.256 loopback'],
    ['http://4294967297/', '4294967297 loopback'],
  ] as const) {
    test(JSON.stringify(url), () => {
      const { host, scope } = describeUrl(url)
      expect(`${host} ${scope}`).toBe(expected)
    })
  }
})

describe('disguised', () => {
  for (const [url, expected] of [
    ['http://2130706433/', true],
    ['http://0x7f.1/', true],
    ['http://127.1:8080/', true],
    ['http://0177.0.0.1/', true],
    ['http://127%2e0.0.1/', true],
    ['http://①②⑦.⓪.⓪.①/', true],
    ['http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/', true],
    ['http://[::ffff:127.0.0.1]/', true],
    ['http://[64:ff9b::8.8.8.8]/', true],
    ['http://0x08.8.8.8/', true],
    ['https://github.com@x.example/', true],
    ['https://127.0.0.1:80@x.example/', true],
    ['https://127.0.0.1%2f@x.example/', true],
    ['https://x.example#@127.0.0.1/', true],
    ['2130706433:8080', true],
    ['http://127.0.0.1.:80/', true],
    ['http://0/', true],
    ['http:127.0.0.1/', true],
    ['http:///127.0.0.1/', true],
    ['http://127.0.0.1\\@example.com/', true],
    ['http://0o177.0.0.1/', true],
    ['http://127.0.0.1/%61dmin', true],
    ['http://127.0.0.1/%2561dmin', true],
    ['javascript:fetch("http://10.0.0.1/")', true],
    ['0:3000', false],
    ['https://example.com/a%20b/%C3%A9?x=%61', false],
    ['https://example.com/a%2Fb%3Dc', false],
    ['https://example.com./', false],
    ['pkg-1.2.3.tgz', false],
    ['v1.2.3.example.com', false],
    ['http://127.0.0.1/', false],
    ['http://0.0.0.0:3000/', false],
    ['http://[::1]:80/', false],
    ['http://[2001:0db8::1]/', false],
    ['http://localhost:3000?email=a@b.example', false],
    ['https://münchen.de/', false],
    ['https://日本.jp/', false],
    ['https://EXAMPLE.com/', false],
    ['https://user:pass@example.com/', false],
    ['https://john.smith@example.com/', false],
    ['https://git.example.com:tok@example.com/', false],
    ['https://example.com/@scope/x?a=%40', false],
    ['127.0.0.1:8080', false],
    ['192.168.0.%', false],
    ['10.0.0.$i', false],
    ['10.0.0.1 2 3', false],
    ['file:///srv/x', false],
    ['javascript:1', false],
  ] as const) {
    test(url, () => expect(describeUrl(url).disguised).toBe(expected))
  }
})

describe('names that mean more than they say', () => {
  for (const [url, expected] of [
    ['http://localhost/', 'localhost loopback'],
    ['http://LOCALHOST./', 'localhost loopback'],
    ['http://app.localhost/', 'app.localhost loopback'],
    ['http://localtest.me/', 'localtest.me loopback'],
    ['http://metadata.google.internal/', 'metadata.google.internal metadata'],
    ['http://metadata.google.internal./', 'metadata.google.internal metadata'],
    ['http://metadata/', 'metadata metadata'],
    ['http://printer/', 'printer private'],
    ['http://db.internal/', 'db.internal private'],
    ['http://x.local/', 'x.local private'],
    ['http://host.docker.internal/', 'host.docker.internal loopback'],
    ['http://127.0.0.1.nip.io/', '127.0.0.1.nip.io loopback'],
    ['http://127-0-0-1.sslip.io/', '127-0-0-1.sslip.io loopback'],
    ['http://app.10.0.0.1.nip.io/', 'app.10.0.0.1.nip.io private'],
    ['http://7f000001.0a000001.rbndr.us/', '7f000001.0a000001.rbndr.us private'],
    ['http://no-such.invalid/', 'no-such.invalid unknown'],
    ['https://example.com/', 'example.com public'],
    ['https://xn--80ak6aa92e.com/', 'xn--80ak6aa92e.com public'],
    ['https://аррӏе.com/', 'xn--80ak6aa92e.com public'],
    ['https://github.com/o/r', 'github.com public'],
  ] as const) {
    test(JSON.stringify(url), () => {
      const { host, scope } = describeUrl(url)
      expect(`${host} ${scope}`).toBe(expected)
    })
  }
})

describe('where parsers disagree, the most dangerous reading stands', () => {
  for (const [url, expected] of [
    ['example.com', 'example.com public'],
    ['example.com:8080/x', 'example.com public'],
    ['//example.com/x', 'example.com public'],
    ['http:example.com', 'example.com public'],
    ['http:/example.com', 'example.com public'],
    ['http:\\\\example.com', 'example.com public'],
    ['http://a@127.0.0.1/', '127.0.0.1 loopback'],
    ['http://127.0.0.1@example.com/', 'example.com public'],
    ['http://example.com\\@127.0.0.1/', 'example.com loopback'],
    ['http://127.0.0.1\\@example.com/', '127.0.0.1 loopback'],
    ['http://example.com#@127.0.0.1/', 'example.com public'],
    ['http://example.com?@127.0.0.1/', 'example.com public'],
    ['http://127.0.0.1%2f@example.com/', 'example.com public'],
    ['http://exa\tmple.com/', 'example.com public'],
    ['http://%6c%6f%63%61%6c%68%6f%73%74/', 'localhost loopback'],
    ['file:///etc/passwd', 'null unknown'],
    ['file://host/share', 'host private'],
    ['gopher://127.0.0.1:6379/_x', '127.0.0.1 loopback'],
    ["javascript:fetch('http://127.0.0.1')", 'null loopback'],
    ['jar:http://127.0.0.1!/x', 'null loopback'],
    ['data:text/plain,x', 'null unknown'],
    ['ssh://git@github.com/o/r', 'github.com public'],
    ['git@github.com:o/r', 'github.com public'],
    ['ftp://10.0.0.1/x', '10.0.0.1 private'],
    ['http://169.254.169.254%00.example.com/', '169.254.169.254 metadata'],
    ['http://10.0.0.1%20.example.com/', '10.0.0.1 private'],
    ['http://', 'null unknown'],
    ['http://[::1', '::1 loopback'],
    [':', 'null unknown'],
    ['ws://localhost:9222', 'localhost loopback'],
    ['https://example.com/?next=http://169.254.169.254/', 'example.com public'],
    ['https://example.com/redirect/http%3A%2F%2F10.0.0.1', 'example.com public'],
  ] as const) {
    test(JSON.stringify(url), () => {
      const { host, scope } = describeUrl(url)
      expect(`${host} ${scope}`).toBe(expected)
    })
  }
})

describe('what else is said of a URL', () => {
  for (const [url, expected] of [
    ['https://u:p@example.com:8443/x', { scheme: 'https', port: '8443', domain: 'example.com', credentials: true }],
    ['https://a.b.example.co.uk/', { scheme: 'https', domain: 'example.co.uk' }],
    ['https://me.github.io/', { scheme: 'https', domain: 'me.github.io' }],
    ['https://аррӏе.com/', { punycode: true, confusable: true }],
    ['https://xn--mnchen-3ya.example/', { punycode: true }],
    ['https://7f000001.0a000001.rbndr.us/', { rebinding: true }],
    ['https://example.com/?next=http://169.254.169.254/', { nested_scope: 'metadata' }],
    ['https://example.com/redirect/http%3A%2F%2F10.0.0.1', { nested_scope: 'private' }],
    ['https://example.com/proxy/127.0.0.1/admin', { nested_scope: 'loopback' }],
    ['https://webhook.site/x', { host_kind: 'webhook-catcher' }],
    ['https://pastebin.com/raw/x', { host_kind: 'paste' }],
    ['https://transfer.sh/', { host_kind: 'file-sharing' }],
    ['https://bit.ly/x', { host_kind: 'shortener' }],
    ['https://x.ngrok.io/', { host_kind: 'tunnel' }],
    ['https://cloudflare-dns.com/dns-query', { host_kind: 'dns-over-https' }],
  ] as const) {
    test(url, () => expect(urlAttributes(describeUrl(url))).toMatchObject(expected))
  }
  test('a name of one script of its own is no imitation', () => expect(describeUrl('https://münchen.example/').confusable).toBe(false))
})

describe('hosts', () => {
  for (const [host, real, scope] of [
    ['example.com', 'example.com', 'public'],
    ['EXAMPLE.com.', 'example.com', 'public'],
    [' 10.0.0.1 ', '10.0.0.1', 'private'],
    ['[::1]', '::1', 'loopback'],
    ['printer', 'printer', 'private'],
    ['169.254.169.254', '169.254.169.254', 'metadata'],
    ['', null, 'unknown'],
  ] as const) {
    test(JSON.stringify(host), () => expect(hostTarget(host)).toMatchObject({ real, scope }))
  }
  for (const [host, path, kind] of [
    ['hooks.slack.com', '/services/x', 'message-webhook'],
    ['discord.com', '/api/webhooks/1/x', 'message-webhook'],
    ['discord.com', '/channels', null],
    ['github.com', '/o/r', 'code-host'],
    ['registry.npmjs.org', '/x', 'package-registry'],
    ['example.com', '/', null],
    ['notpastebin.com', '/', null],
  ] as const) {
    test(`${host}${path}`, () => expect(hostKind(host, path)).toBe(kind))
  }
})

describe('addresses in text', () => {
  for (const [text, expected] of [
    ['see https://example.com/a.', ['https://example.com/a']],
    ['(https://example.com)', ['https://example.com']],
    ['a https://a.example, b http://b.example!', ['https://a.example', 'http://b.example']],
    ['"https://example.com/x?y=1&z=2"', ['https://example.com/x?y=1&z=2']],
    ['xhttps://example.com', ['xhttps://example.com']],
    ['://x', []],
    ['https://', []],
    ['no address', []],
  ] as const) {
    test(text, () => expect(urlsIn(text).map((found) => found.text)).toEqual(expected))
  }
  test('offsets point at what was found', () => {
    const text = 'go to https://example.com/x now'
    for (const { start, end, text: found } of urlsIn(text)) expect(text.slice(start, end)).toBe(found)
  })
  test('at most 256, in one pass', () => expect(urlsIn('http://a '.repeat(5_000))).toHaveLength(256))
})

test('hostile addresses are described in bounded time', () => {
  for (const url of [
    'http://'.repeat(20_000),
    `http://${'a.'.repeat(50_000)}`,
    `http://${'@'.repeat(50_000)}`,
    '%'.repeat(100_000),
    `http://[${':'.repeat(50_000)}`,
  ]) {
    expect(urlTarget(url).kind).toBe('url')
  }
})
