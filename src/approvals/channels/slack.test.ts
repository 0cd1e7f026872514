/** The Slack channel against a server that speaks Slack's shapes, through a real gate and store. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { bash, type World, type WorldOptions, world } from '../../../test/support/channels.ts'
import type { Respond } from '../../../test/support/receiver.ts'
import { buttonsOf, type Click, click, faultOf, type SlackServer, signedForm, slackServer, textOf } from '../../../test/support/slack.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { policy } from '../../policy/testing/compiled.ts'
import type { StoredApproval } from '../store.ts'
import type { Incoming } from './channel.ts'
import type { Notice } from './notice.ts'
import { mrkdwn, slackMessage } from './slack-message.ts'

const SIGNING = '8f742231b10e8888abcd99yyyzzz85a5'
const ENV = { BOT: 'xoxb-test', SIGN: SIGNING, HOOK: '' }
const FORCE = 'git push --force origin main'

const section = (url: string, more = '') =>
  `approvals: { channels: [{ name: chat, type: slack, token: "env:BOT", channel: C1, signing_secret: "env:SIGN", api_url: "${url}/api", allow_private: true, approvers: { U0ALICE: alice, U0BOB: bob, U0ME: me } }]${more} }\n`

async function meet(
  more = '',
  respond?: Respond,
  options: WorldOptions = {},
): Promise<{ readonly at: World; readonly slack: SlackServer }> {
  const slack = await slackServer(respond === undefined ? {} : { respond })
  return { at: world(section(slack.url, more), { env: ENV, ...options }), slack }
}

async function asked(at: World, command = FORCE): Promise<StoredApproval> {
  const { id } = await at.asks(bash(command))
  await at.channels.drain()
  return at.stored(id)
}

const first = (slack: SlackServer): JsonObject | undefined => [...slack.messages.values()][0]
const button = ({ id, binding }: StoredApproval): string => JSON.stringify({ approval: id, digest: binding.call })

async function send(at: World, incoming: Incoming): Promise<string> {
  const received = at.channels.receive('chat', incoming)
  if (!received.ok) return received.refusal.code
  const { refused } = await received.take()
  return refused === null ? 'taken' : refused.code
}

const clicked = (at: World, approval: StoredApproval, how: Partial<Click> = {}) =>
  send(at, click({ value: button(approval), secret: SIGNING, ...how }))

/** The message of a call whose preview shows this, by the gate's own way for previews of a host program. */
async function asksWith(at: World, slack: SlackServer, shown: JsonObject): Promise<string> {
  at.preview = { digest: 'd', shown }
  await asked(at)
  return textOf(first(slack))
}

describe('a message', () => {
  test('shows the call, why it is asked, what it would do, and two buttons', async () => {
    const { at, slack } = await meet()
    const approval = await asked(at)
    const message = first(slack)
    expect(message).toMatchObject({ channel: 'C1', text: 'Approval needed: Bash', unfurl_links: false })
    const text = textOf(message)
    for (const part of [FORCE, 'claude-code for me', 'in `/repo`', approval.id, approval.binding.call.slice(0, 16), 'cannot be undone'])
      expect(text).toContain(part)
    const buttons = buttonsOf(message)
    expect([...buttons.keys()]).toEqual(['countersign_deny', 'countersign_approve'])
    expect(buttons.get('countersign_approve')).toMatchObject({ value: button(approval), confirm: { confirm: { text: 'Approve' } } })
  })

  test('lists the files of a preview with counts; a name of a file is no mention, no link and no format', async () => {
    const { at, slack } = await meet()
    const made = (index: number): JsonObject => ({ path: `/repo/made-${index}`, change: 'created', diff: '+secret contents' })
    const files = [
      { path: '/repo/<!channel> <@U0ME> `*x*` &amp; <https://evil.example|ok>', change: 'deleted', diff: '-x' },
      { path: `/repo/${'`'.repeat(400)}`, change: 'changed', diff: '-x' },
      { path: '/repo/ghp_0123456789abcdefghijABCDEFGHIJ012345\u202e', change: 'changed', diff: '-x' },
      ...Array.from({ length: 30 }, (_each, index) => made(index)),
    ]
    const shown = { kind: 'sandbox', exit_code: 0, files, network: [{ kind: 'datagram', attempts: 1 }], output: 'printed', note: 'n' }
    const text = await asksWith(at, slack, shown)
    expect(text).toContain(
      '*Preview, tried out on a copy*: exit code 0 · 30 files created · 2 files changed · 1 files deleted · tried to reach the network',
    )
    expect(text).toContain('• deleted `/repo/&lt;!channel&gt; &lt;@U0ME&gt; ⟨U+0060⟩*x*⟨U+0060⟩ &amp;amp; &lt;https://evil.example|ok&gt;`')
    expect(text).toContain('• and 21 more')
    expect(text).toMatch(/• changed `\/repo\/(?:⟨U\+0060⟩)+…`/)
    for (const hidden of ['<!channel>', '<@U0ME>', 'ghp_0123456789abcdefghijABCDEFGHIJ012345', '\u202e', 'secret contents', 'printed'])
      expect(text).not.toContain(hidden)
  })

  test('says why there is no preview, and how many rows a statement changes', async () => {
    const { at, slack } = await meet()
    const none = { kind: 'none', exit_code: null, files: [], network: [], output: null, note: 'No sandbox <here>.' }
    expect(await asksWith(at, slack, none)).toContain('*No preview*\n`No sandbox &lt;here&gt;.`')
    const other = await meet()
    const dry = { kind: 'dry_run', exit_code: 0, files: [], network: [], output: 'x', rows: 5, note: 'n' }
    expect(await asksWith(other.at, other.slack, dry)).toContain(
      '*Preview, by the dry run of the program itself*: exit code 0 · no files · 5 rows',
    )
  })

  test('says what takes the call back and what nothing does', async () => {
    const slack = await slackServer({})
    const at = world(`${section(slack.url)}undo: {}\n`, { env: ENV })
    await asked(at, `${FORCE}; mail -s hello bob@example.org < /repo/a.txt`)
    const text = textOf(first(slack))
    expect(text).toMatch(/\*Way back\* `git:push`: .+\. Not: .+/)
    expect(text).toContain('*No way back* `mail:send`')
    const plain = await meet()
    await asked(plain.at)
    expect(textOf(first(plain.slack))).not.toContain('ay back')
  })

  proves('T23', 'has Deny first and as the button that stands out', async () => {
    const { at, slack } = await meet()
    await asked(at)
    const buttons = buttonsOf(first(slack))
    expect(buttons.get('countersign_deny')).toMatchObject({ style: 'primary' })
    expect(buttons.get('countersign_approve')).not.toHaveProperty('style')
    expect(buttons.get('countersign_deny')).not.toHaveProperty('confirm')
  })

  proves('T24', 'without the whole call has no button to approve it', async () => {
    const { at, slack } = await meet()
    const approval = await asked(at, `git push --force origin ${'x'.repeat(30_000)}; curl evil.example`)
    expect([...buttonsOf(first(slack)).keys()]).toEqual(['countersign_deny'])
    expect(textOf(first(slack))).toContain('too long')
    expect(await clicked(at, approval)).toBe('approval.not_shown')
    expect(await clicked(at, approval, { action: 'countersign_deny' })).toBe('taken')
  })

  test('of a long call is in parts that are whole', async () => {
    const { at, slack } = await meet()
    await asked(at, `git push --force origin ${'<&`> '.repeat(900)}end`)
    expect([...buttonsOf(first(slack)).keys()]).toEqual(['countersign_deny', 'countersign_approve'])
    const text = textOf(first(slack))
    expect(text.replaceAll('```\n```', '')).toContain(`${'&lt;&amp;⟨U+0060⟩&gt; '.repeat(900)}end`)
  })

  test('is changed when it is over, by whoever it ended', async () => {
    const { at, slack } = await meet()
    const approval = await asked(at)
    expect(await clicked(at, approval, { action: 'countersign_deny' })).toBe('taken')
    await at.channels.drain()
    expect(slack.messages.size).toBe(1)
    expect(textOf(first(slack))).toContain('denied · deny by human:alice')
    expect(buttonsOf(first(slack)).size).toBe(0)
  })

  test('says how far it is while more people have to agree', async () => {
    const { at, slack } = await meet(', quorum: 2')
    const approval = await asked(at)
    expect(await clicked(at, approval)).toBe('taken')
    expect(textOf(first(slack))).toContain('1 of 2 agreed: human:alice')
    expect(buttonsOf(first(slack)).size).toBe(2)
    expect(await clicked(at, approval, { user: 'U0BOB' })).toBe('taken')
    await at.channels.drain()
    expect(textOf(first(slack))).toContain('approved')
  })

  const failures: readonly (readonly [title: string, respond: Respond, error: string])[] = [
    ['Slack says no', (_s, r) => void r.end('{"ok":false,"error":"channel_not_found"}'), 'Slack says: channel_not_found'],
    ['Slack says no in markup', (_s, r) => void r.end('{"ok":false,"error":"<b>x</b>"}'), 'Slack says: nothing that can be read'],
    ['something that is no JSON', (_s, r) => void r.end('<html>'), 'Slack says: nothing that can be read'],
    ['`ok` as a text', (_s, r) => void r.end('{"ok":"true"}'), 'Slack says: nothing that can be read'],
    ['too many requests', (_s, r) => void r.writeHead(429, { 'retry-after': '30' }).end(), 'it answered 429'],
  ]
  for (const [title, respond, error] of failures) {
    test(`that did not arrive: ${title}`, async () => {
      const { at } = await meet('', respond)
      await asked(at)
      expect(at.channels.rows(1)[0]).toMatchObject({ state: 'waiting', error })
    })
  }

  test('with a wrong token does not arrive, and the token is nowhere', async () => {
    const { at } = await meet('', undefined, { env: { ...ENV, BOT: 'xoxb-wrong' } })
    await asked(at)
    expect(at.channels.rows(1)[0]).toMatchObject({ state: 'waiting', error: 'Slack says: invalid_auth' })
    expect(JSON.stringify([at.notes(), at.channels.rows(1)])).not.toContain('xoxb')
  })
})

describe('an incoming webhook', () => {
  const hook = (more = '') =>
    `approvals: { channels: [{ name: chat, type: slack, webhook: "env:HOOK", signing_secret: "env:SIGN", allow_private: true, approvers: { U0ALICE: alice }${more} }] }\n`

  test('gets the same message, and another one at the end', async () => {
    const slack = await slackServer()
    const at = world(hook(), { env: { ...ENV, HOOK: `${slack.url}/services/T/B/x` } })
    const approval = await asked(at)
    expect(await clicked(at, approval)).toBe('taken')
    await at.channels.drain()
    expect(slack.seen.map(({ path }) => path)).toEqual(['/services/T/B/x', '/services/T/B/x'])
    expect(slack.seen.map(({ body }) => faultOf(JSON.parse(body)))).toEqual([null, null])
    expect(slack.seen[1]?.body).toContain('approved')
  })

  for (const HOOK of ['hunter2', 'ftp://127.0.0.1/x', '']) {
    test(`at \`${HOOK}\` is told nothing, and its address stays unknown`, async () => {
      const at = world(hook(), { env: { ...ENV, HOOK } })
      await asked(at)
      expect(at.channels.rows(1)[0]).toMatchObject({ state: 'waiting' })
      if (HOOK !== '') expect(at.channels.rows(1)[0]?.error).not.toContain(HOOK)
    })
  }
})

describe('a click', () => {
  proves('T27', 'of an approver counts for them, once', async () => {
    const { at } = await meet()
    const approval = await asked(at)
    const one = click({ value: button(approval), secret: SIGNING })
    expect(await send(at, one)).toBe('taken')
    expect(at.stored(approval.id)).toMatchObject({ status: 'approved', answers: [{ by: 'human:alice' }] })
    expect(await send(at, one)).toBe('approval.replayed')
    expect((await at.decide(bash(FORCE))).decision).toBe('flag')
  })

  const hour = 3_600_000
  const altered = (path: readonly string[], value: Json) => (payload: JsonObject) => set(payload, path, value)
  const cases: readonly (readonly [title: string, how: Partial<Click>, code: string])[] = [
    ['signed by somebody else', { secret: 'another' }, 'approval.signature'],
    ['an hour late', { at: Date.now() - hour, now: Date.now() }, 'approval.late_reply'],
    ['an hour early', { at: Date.now() + hour, now: Date.now() }, 'approval.late_reply'],
    ['of somebody in the channel', { user: 'U0MALLORY' }, 'approval.not_approver'],
    ['of an id of every object', { user: 'constructor' }, 'approval.not_approver'],
    ['of an id in other letters', { user: 'u0alice' }, 'approval.not_approver'],
    ['on another button', { action: 'approve' }, 'approval.malformed'],
    ['about no call', { value: '{}' }, 'approval.malformed'],
    ['about no JSON', { value: 'apr_1' }, 'approval.malformed'],
    ['about another call', { value: JSON.stringify({ approval: 'apr_1', digest: 'x' }) }, 'approval.unknown'],
    ['with a name instead of an id', { payload: altered(['user'], { username: 'U0ALICE' }) }, 'approval.not_approver'],
    ['with two users', { payload: altered(['user', 'id'], ['U0ALICE']) }, 'approval.not_approver'],
    [
      'on two buttons',
      { payload: (payload) => ({ ...payload, actions: [...(payload.actions as Json[]), ...(payload.actions as Json[])] }) },
      'approval.malformed',
    ],
    ['on none', { payload: altered(['actions'], []) }, 'approval.malformed'],
    ['of another kind', { payload: altered(['type'], 'view_submission') }, 'approval.malformed'],
    ['that is a list', { payload: () => [] }, 'approval.malformed'],
  ]
  for (const [title, how, code] of cases) {
    proves('T27', `${title} is refused`, async () => {
      const { at } = await meet()
      const approval = await asked(at)
      expect(await clicked(at, approval, how)).toBe(code)
      expect(at.stored(approval.id)).toMatchObject({ status: 'pending', answers: [] })
    })
  }

  proves('T27', 'whose bytes were changed is refused, also where they read the same', async () => {
    const { at } = await meet()
    const approval = await asked(at)
    const one = click({ value: button(approval), secret: SIGNING })
    const text = Buffer.from(one.body).toString()
    for (const changed of [
      `${text}&`,
      text.replace('payload=', 'payload=%20'),
      `a=b&${text}`,
      decodeURIComponent(text),
      text.replaceAll('%22', '"'),
    ])
      expect(await send(at, { ...one, body: Buffer.from(changed) })).toBe('approval.signature')
    expect(at.stored(approval.id).status).toBe('pending')
  })

  test('in a form of another shape is refused', async () => {
    const { at } = await meet()
    const approval = await asked(at)
    const good = Buffer.from(click({ value: button(approval), secret: SIGNING }).body).toString()
    const now = Date.now()
    for (const form of [
      '',
      'ssl_check=1',
      `${good}&${good}`,
      good.replace('payload', 'Payload'),
      JSON.stringify({ payload: {} }),
      'payload=',
      'payload=%00',
    ])
      expect([form.slice(0, 30), await send(at, signedForm(form, { secret: SIGNING, at: now, now }))]).toEqual([
        form.slice(0, 30),
        'approval.malformed',
      ])
  })

  test('of who asked is refused', async () => {
    const { at } = await meet()
    const approval = await at.asks(bash(FORCE, { principal: { agent: null, role: null, user: 'me', tenant: null, chain: [] } }))
    await at.channels.drain()
    expect(await clicked(at, approval, { user: 'U0ME' })).toBe('approval.requester')
    expect(await clicked(at, approval, { user: 'U0ALICE' })).toBe('taken')
  })

  test('without a signing secret at hand is nobody', async () => {
    const { at } = await meet('', undefined, { env: { BOT: 'xoxb-test' } })
    expect(await clicked(at, await asked(at))).toBe('approval.signature')
  })
})

describe('text of an agent', () => {
  const cases: readonly (readonly [text: string, shown: string])[] = [
    ['<!channel>', '&lt;!channel&gt;'],
    ['<https://evil.example|harmless>', '&lt;https://evil.example|harmless&gt;'],
    ['&lt;', '&amp;lt;'],
    ['```', '⟨U+0060⟩⟨U+0060⟩⟨U+0060⟩'],
    ['a`b', 'a⟨U+0060⟩b'],
    ['\u001b[31m', '⟨ESC⟩[31m'],
    ['\u202egpj.exe', '⟨U+202E⟩gpj.exe'],
    ['a\nb', 'a⟨LF⟩b'],
    [`a${' '.repeat(10_000)}rm -rf /`, 'a⟨SPACE×10000⟩rm -rf /'],
  ]
  for (const [text, shown] of cases) proves('T24', JSON.stringify(text.slice(0, 40)), () => expect(mrkdwn(text)).toBe(shown))

  const [CHANNEL] = policy(
    'approvals: { channels: [{ name: c, type: slack, token: "env:A", channel: C1, signing_secret: "env:B", approvers: { U01: a } }] }',
  ).approvals.channels
  const messageOf = (args: Json, tool: string, reason: string) => {
    if (CHANNEL?.kind !== 'slack') throw new Error('no channel')
    const data: JsonObject = {
      tool,
      reason,
      args,
      args_units: JSON.stringify(args).length,
      requester: { agent: tool, user: reason },
      code: 'policy.default',
      effects: [{ verb: 'run', target: { value: reason } }],
      approve_by: 'soon',
      quorum: 1,
      yes: 0,
      answers: [],
      link: null,
    }
    const notice: Notice = { phase: 'requested', approval: 'apr_1', digest: 'd'.repeat(64), complete: true, createdAt: 0, data }
    return slackMessage(notice, CHANNEL)
  }

  test('hides no format in what a policy says of a way back', () => {
    const way = { name: '<!channel>', how: '`*x*`', until: '<https://evil.example|ok>', cannot: 'y'.repeat(9_000), exercised: false }
    const data = {
      tool: 'Bash',
      undo: Array.from({ length: 9 }, () => way),
      no_way_back: Array.from({ length: 90 }, () => '<@U0ME>'.repeat(90)),
    }
    const notice: Notice = { phase: 'requested', approval: 'apr_1', digest: 'd', complete: false, createdAt: 0, data }
    if (CHANNEL?.kind !== 'slack') throw new Error('no channel')
    const { blocks } = slackMessage(notice, CHANNEL)
    const text = textOf({ blocks: [...blocks] })
    for (const hidden of ['<!channel>', '<@U0ME>', '<https://evil', '`*x']) expect(text).not.toContain(hidden)
    expect(text).toContain('and 6 more ways back')
    for (const block of blocks) expect(JSON.stringify(block).length).toBeLessThan(3_200)
  })

  proves('T24', 'never becomes markup, whatever it is, and the message keeps within what Slack takes', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        '<!here>',
        '*bold*',
        '```',
        '`',
        '<@U1>',
        ':skull:',
        '\u202e',
        '&',
        '<',
        '>',
        '\n> quoted',
        ' '.repeat(4_000),
        'x'.repeat(4_000),
      ),
    )
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 4 }), hostile, hostile, (texts, tool, reason) => {
        const { text, blocks } = messageOf({ texts }, tool, reason)
        expect(faultOf({ text, blocks: blocks as unknown as Json })).toBeNull()
        const all = textOf({ blocks: blocks as unknown as Json })
        expect(all).not.toMatch(/<(?!https:)/)
        for (const each of all.split('```').filter((_part, index) => index % 2 === 1)) expect(each).not.toContain('`')
      }),
      { numRuns: 200 },
    )
  })

  proves('T24', 'two calls never look alike', () => {
    const shown = (value: string) => textOf({ blocks: messageOf({ value }, 't', 'r').blocks as unknown as Json })
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 12 }), (a, b) => {
        if (a !== b) expect(shown(a)).not.toBe(shown(b))
      }),
      { numRuns: 300 },
    )
  })
})

function set(object: JsonObject, [head = '', ...rest]: readonly string[], value: Json): JsonObject {
  const inner = object[head]
  return {
    ...object,
    [head]:
      rest.length === 0
        ? value
        : set(typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? (inner as JsonObject) : {}, rest, value),
  }
}
