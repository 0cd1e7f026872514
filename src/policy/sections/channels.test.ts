import { describe, expect, test } from 'vitest'
import { secretFiles } from '../channels.ts'
import { errorsOf, policy } from '../testing/compiled.ts'

const channels = (written: string) => policy(`approvals:\n  channels:\n    - ${written}\n`).approvals.channels
const errors = (...written: readonly string[]) =>
  errorsOf(`version: 1\napprovals:\n  channels:\n${written.map((each) => `    - ${each}\n`).join('')}`)

const HOOK = 'name: ops, type: webhook, url: "https://hooks.example.com/x", secrets: ["env:OPS"]'
const SLACK = 'name: chat, type: slack, token: "env:BOT", channel: C1'
const RUN = 'name: run, type: command, command: [/usr/bin/notify, --now]'

describe('a channel of each kind, with what is not written', () => {
  test('webhook', () =>
    expect(channels(`{ ${HOOK} }`)).toEqual([
      {
        kind: 'webhook',
        name: 'ops',
        url: 'https://hooks.example.com/x',
        secrets: [{ env: 'OPS' }],
        replySecrets: [{ env: 'OPS' }],
        poll: false,
        allowPrivate: false,
        approvers: new Map(),
        show: 'call',
        tenants: null,
        link: null,
        timeoutMs: 10_000,
        attempts: 8,
      },
    ]))
  test('slack', () =>
    expect(channels(`{ ${SLACK} }`)).toEqual([
      {
        kind: 'slack',
        name: 'chat',
        channel: 'C1',
        token: { env: 'BOT' },
        webhook: null,
        signingSecret: null,
        api: 'https://slack.com/api',
        allowPrivate: false,
        approvers: new Map(),
        show: 'call',
        tenants: null,
        link: null,
        timeoutMs: 10_000,
        attempts: 8,
      },
    ]))
  test('command', () =>
    expect(channels(`{ ${RUN} }`)).toEqual([
      {
        kind: 'command',
        name: 'run',
        command: ['/usr/bin/notify', '--now'],
        answers: false,
        approvers: new Map(),
        show: 'call',
        tenants: null,
        link: null,
        timeoutMs: 10_000,
        attempts: 3,
      },
    ]))
})

describe('what is written holds', () => {
  const cases: readonly (readonly [written: string, part: object])[] = [
    [`{ ${HOOK}, approvers: { alice@ops: alice } }`, { approvers: new Map([['alice@ops', 'human:alice']]) }],
    [`{ ${HOOK}, approvers: { constructor: "oidc:x" } }`, { approvers: new Map([['constructor', 'oidc:x']]) }],
    [`{ ${HOOK}, show: summary }`, { show: 'summary' }],
    [`{ ${HOOK}, tenants: [acme] }`, { tenants: ['acme'] }],
    [`{ ${HOOK}, link: "https://gate.example.com/" }`, { link: 'https://gate.example.com' }],
    [`{ ${HOOK}, link: "http://127.0.0.1:7433" }`, { link: 'http://127.0.0.1:7433' }],
    [`{ ${HOOK}, timeout: 60s }`, { timeoutMs: 60_000 }],
    [`{ ${HOOK}, attempts: 20 }`, { attempts: 20 }],
    [`{ ${HOOK}, reply_secrets: ["file:/etc/cs/reply"] }`, { secrets: [{ env: 'OPS' }], replySecrets: [{ file: '/etc/cs/reply' }] }],
    [`{ ${HOOK}, poll: true, approvers: { a: b } }`, { poll: true }],
    [
      `{ name: a, type: webhook, url: "https://x.example", secrets: ["env:NEW", "env:OLD"] }`,
      { secrets: [{ env: 'NEW' }, { env: 'OLD' }] },
    ],
    [`{ name: a, type: webhook, url: "http://10.0.0.1/x", secrets: ["env:A"], allow_private: true }`, { allowPrivate: true }],
    [`{ ${SLACK}, signing_secret: "env:SIGN", approvers: { U123: bob } }`, { signingSecret: { env: 'SIGN' } }],
    ['{ name: chat, type: slack, webhook: "file:/etc/cs/hook" }', { webhook: { file: '/etc/cs/hook' }, token: null }],
    [`{ ${SLACK}, api_url: "http://127.0.0.1:1/api", allow_private: true }`, { api: 'http://127.0.0.1:1/api' }],
    [`{ ${RUN}, answers: true, approvers: { me: alice } }`, { answers: true, timeoutMs: 300_000 }],
    [`{ ${RUN}, timeout: 1h }`, { timeoutMs: 3_600_000 }],
  ]
  for (const [written, part] of cases) test(written, () => expect(channels(written)[0]).toMatchObject(part))

  test('the files that hold secrets are known', () => {
    const all = channels(
      '{ name: a, type: webhook, url: "https://x.example", secrets: ["file:/a", "env:B"], reply_secrets: ["file:/c"] }\n    - { name: b, type: slack, webhook: "file:/d", signing_secret: "file:/e" }\n    - { name: c, type: command, command: [/f] }',
    )
    expect(secretFiles(all)).toEqual(['/a', '/c', '/d', '/e'])
  })
})

describe('what would not work is an error', () => {
  const cases: readonly (readonly [written: string, error: string])[] = [
    ['slack', 'needs a mapping'],
    ['{}', 'this needs one of `webhook`, `slack`, `command`, but it is nothing'],
    ['{ name: a }', 'this needs one of `webhook`'],
    ['{ name: a, type: 3 }', 'this needs one of `webhook`'],
    ['{ type: webhook }', 'the field `name` is missing'],
    ['{ name: a, type: email }', '`email` is not known here'],
    ['{ name: a, type: webhook }', 'the field `url` is missing'],
    ['{ name: a, type: webhook, url: "https://x.example" }', 'the field `secrets` is missing'],
    ['{ name: a, type: webhook, url: "https://x.example", secrets: [] }', 'a webhook needs a secret'],
    [`{ ${HOOK}, secret: x }`, 'unknown field `secret`'],
    [`{ ${HOOK}, channel: C1 }`, 'unknown field `channel`'],
    [`{ ${HOOK}, on_timeout: allow }`, 'unknown field `on_timeout`'],
    [`{ ${SLACK}, url: "https://x.example" }`, 'unknown field `url`'],
    [`{ ${RUN}, allow_private: true }`, 'unknown field `allow_private`'],
    [HOOK.replace('name: ops', '{ name: Ops').concat(' }'), '`Ops` is no name of a channel'],
    [HOOK.replace('name: ops', '{ name: "../x"').concat(' }'), '`../x` is no name of a channel'],
    [HOOK.replace('name: ops', '{ name: ""').concat(' }'), 'needs text'],
    [HOOK.replace('env:OPS', 'whsec_AAAA').replace('name', '{ name').concat(' }'), 'this names no secret'],
    [HOOK.replace('env:OPS', 'file:relative').replace('name', '{ name').concat(' }'), 'this names no secret'],
    [HOOK.replace('env:OPS', 'env:').replace('name', '{ name').concat(' }'), 'this names no secret'],
    ['{ name: a, type: webhook, url: "not an address", secrets: ["env:A"] }', 'is no address'],
    ['{ name: a, type: webhook, url: "https://u:p@x.example", secrets: ["env:A"] }', 'holds a password'],
    ['{ name: a, type: webhook, url: "https://x.example/#a", secrets: ["env:A"] }', 'has a fragment'],
    ['{ name: a, type: webhook, url: "http://x.example", secrets: ["env:A"] }', 'is not https'],
    ['{ name: a, type: webhook, url: "ftp://x.example", secrets: ["env:A"], allow_private: true }', 'is not https'],
    ['{ name: a, type: webhook, url: "https://127.0.0.1/x", secrets: ["env:A"] }', 'is not a public address'],
    ['{ name: a, type: webhook, url: "https://localhost/x", secrets: ["env:A"] }', 'is not a public address'],
    ['{ name: a, type: webhook, url: "https://10.1.2.3/x", secrets: ["env:A"] }', 'is not a public address'],
    ['{ name: a, type: webhook, url: "https://[::ffff:10.0.0.1]/x", secrets: ["env:A"] }', 'is not a public address'],
    ['{ name: a, type: webhook, url: "https://0x7f.1/x", secrets: ["env:A"] }', 'is not a public address'],
    ['{ name: a, type: webhook, url: "http://169.254.169.254/x", secrets: ["env:A"], allow_private: true }', 'is a metadata service'],
    [`{ ${HOOK}, poll: true }`, '`poll` asks for answers, but nobody may answer'],
    [`{ ${HOOK}, link: "https://x.example/?a=1" }`, 'is no address of a console'],
    [`{ ${HOOK}, link: "javascript:alert(1)" }`, 'is no address of a console'],
    [`{ ${HOOK}, timeout: 61s }`, '`61s` is no time'],
    [`{ ${HOOK}, timeout: 0s }`, '`0s` is no time'],
    [`{ ${HOOK}, attempts: 0 }`, 'a whole number from 1 to 20'],
    [`{ ${HOOK}, show: all }`, '`all` is not known here'],
    [`{ ${HOOK}, approvers: [alice] }`, 'needs a mapping'],
    ['{ name: a, type: slack }', 'needs either `token` or `webhook`'],
    [`{ ${SLACK}, webhook: "env:A" }`, 'needs either `token` or `webhook`'],
    ['{ name: a, type: slack, token: "env:A" }', 'Slack needs `channel`'],
    [`{ ${SLACK}, approvers: { U123: bob } }`, 'answers from Slack need `signing_secret`'],
    [`{ ${SLACK}, signing_secret: "env:A", approvers: { bob: bob } }`, '`bob` is no user id of Slack'],
    [`{ ${SLACK}, api_url: "http://127.0.0.1/api" }`, 'is not a public address'],
    ['{ name: a, type: command, command: [] }', 'the command is empty'],
    ['{ name: a, type: command, command: [notify] }', '`notify` is no absolute path'],
    ['{ name: a, type: command, command: "notify me" }', 'needs a list'],
    [`{ ${RUN}, answers: true }`, '`answers` and `approvers` need each other'],
    [`{ ${RUN}, approvers: { me: alice } }`, '`answers` and `approvers` need each other'],
  ]
  for (const [written, error] of cases) test(written, () => expect(errors(written)).toContain(error))

  test('two of one name', () => expect(errors(`{ ${HOOK} }`, `{ ${HOOK} }`)).toContain('there are two channels `ops`'))
  test('a secret that stands in the policy is not repeated', () =>
    expect(errors(HOOK.replace('env:OPS', 'whsec_TOPSECRET').replace('name', '{ name').concat(' }')).split('\n')[0]).not.toContain(
      'TOPSECRET',
    ))
})
