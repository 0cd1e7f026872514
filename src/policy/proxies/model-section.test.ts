import { describe, expect, test } from 'vitest'
import { errorsOf, policy } from '../testing/compiled.ts'
import { parseUpstream } from './model-section.ts'

const KEY = 'a'.repeat(64)

describe('model_proxy', () => {
  test('says everything, and nothing', () => {
    const { modelProxy } = policy(`model_proxy:
  listen: ":9000"
  upstreams: [{ prefix: /openai, url: "https://api.openai.com/", key_env: OPENAI_API_KEY }, { url: "http://127.0.0.1:11434/x" }]
  keys: [{ sha256: ${KEY.toUpperCase()}, agent: bot, role: support, tenant: acme, vouches: true }]
  answers: verbose
  uninspected: ask
  unseen: [/v1/batches*]
  hold: 90s
`)
    expect(modelProxy).toEqual({
      listen: { host: '127.0.0.1', port: 9000 },
      upstreams: [
        { prefix: '/openai', url: 'https://api.openai.com', key: { env: 'OPENAI_API_KEY', header: 'authorization' } },
        { prefix: '', url: 'http://127.0.0.1:11434/x', key: null },
      ],
      keys: [{ sha256: KEY, agent: 'bot', role: 'support', user: null, tenant: 'acme', vouches: true }],
      callers: 'anyone',
      answers: 'verbose',
      uninspected: 'ask',
      unseen: ['/v1/batches*'],
      hold: 90_000,
    })
    expect(policy('').modelProxy).toEqual({
      ...{ listen: { host: '127.0.0.1', port: 7434 }, upstreams: [], keys: [], callers: 'anyone', answers: 'rewrite' },
      ...{ uninspected: 'deny', unseen: [], hold: 240_000 },
    })
    expect(policy('model_proxy: { listen: "0.0.0.0:1" }\n').modelProxy.callers).toBe('known')
  })

  for (const [title, text, said] of [
    [
      'an upstream that others can read',
      'model_proxy: { upstreams: [{ url: "http://api.example" }] }',
      '`http://api.example` is no address of a model API: https, or http on this machine, without query and credentials',
    ],
    [
      'an upstream with a key in it',
      'model_proxy: { upstreams: [{ url: "https://u:p@api.example" }] }',
      '` is no address of a model API: https, or http on this machine, without query and credentials',
    ],
    [
      'a prefix of ours',
      'model_proxy: { upstreams: [{ prefix: /countersign, url: "https://a.example" }] }',
      "`/countersign` is no prefix; `/countersign` is the proxy's own",
    ],
    [
      'a prefix with a slash at its end',
      'model_proxy: { upstreams: [{ prefix: /a/, url: "https://a.example" }] }',
      "`/a/` is no prefix; `/countersign` is the proxy's own",
    ],
    ['every path unseen', 'model_proxy: { unseen: ["/*"] }', '`/*` is no path'],
    ['a key instead of its digest', 'model_proxy: { keys: [{ sha256: sk-live }] }', 'this is no SHA-256'],
    ['too long a hold', 'model_proxy: { hold: 1h }', '`1h` is no time from 1ms to 540s'],
    ['an address that is none', 'model_proxy: { listen: "a b" }', 'write it as `127.0.0.1:7434`'],
  ] as const) {
    test(title, () => expect(errorsOf(`version: 1\n${text}\n`)).toContain(said))
  }

  test('upstreams of the command line', () => {
    expect(
      [
        'https://a.example/v1/',
        'http://localhost:1',
        'http://[::1]:1',
        'http://a.example',
        'https://a.example?x',
        'a',
        'ftp://localhost',
      ].map(parseUpstream),
    ).toEqual(['https://a.example/v1', 'http://localhost:1', 'http://[::1]:1', ...[null, null, null, null]])
  })
})
