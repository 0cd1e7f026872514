/** Nothing secret leaves through any channel, and what cannot be redacted does not leave at all (T60, P11, PRO-W7). */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { secretKinds } from '../../../test/secret-kinds.ts'
import { bash, type World, world } from '../../../test/support/channels.ts'
import { receiver } from '../../../test/support/receiver.ts'
import { slackServer } from '../../../test/support/slack.ts'
import { stateDirectoryOfTest } from '../../../test/support/state.ts'
import type { ToolCall } from '../../core/call.ts'
import type { Json } from '../../core/json.ts'
import type { ChannelsParts } from './index.ts'

const ENV = { OPS: `whsec_${Buffer.alloc(32, 1).toString('base64')}`, BOT: 'xoxb-test', SIGN: 'sign' }

interface Sinks {
  readonly at: World
  /** All that went out, as text, by channel. */
  readonly sent: () => Readonly<Record<'webhook' | 'slack' | 'command', string>>
}

/** One channel of each kind, and all that it was ever given. */
async function sinks(parts: Partial<ChannelsParts> = {}, show = 'call'): Promise<Sinks> {
  const [hook, slack] = [await receiver(), await slackServer()]
  const directory = stateDirectoryOfTest()
  const [program, heard] = [join(directory, 'p.sh'), join(directory, 'heard')]
  // A shell, not Node: it is started some two hundred times.
  writeFileSync(program, `#!/bin/sh\nexec cat >>'${heard}'\n`, { mode: 0o700 })
  const at = world(
    `approvals:
  max_pending: { session: 1000 }
  channels:
    - { name: ops, type: webhook, url: "${hook.url}", secrets: ["env:OPS"], allow_private: true, show: ${show} }
    - { name: chat, type: slack, token: "env:BOT", channel: C1, signing_secret: "env:SIGN", approvers: { U01: alice }, api_url: "${slack.url}/api", allow_private: true, show: ${show} }
    - { name: run, type: command, command: ${JSON.stringify([program])}, show: ${show} }
`,
    { env: ENV, parts },
  )
  const all = (seen: readonly { readonly body: string }[]): string => seen.map(({ body }) => body).join('\n')
  return {
    at,
    sent: () => ({ webhook: all(hook.seen), slack: all(slack.seen), command: existsSync(heard) ? readFileSync(heard, 'utf8') : '' }),
  }
}

let sessions = 0
/** Each in a session of its own: calls that are alike are one message of a conversation. */
const ownSession = () => `own-${sessions++}`

/** Where an agent can put a text that people are shown. */
const PLACES: readonly ((text: string) => ToolCall)[] = [
  (text) => bash(`git push --force origin main # ${text}`, { session: ownSession() }),
  (text) => ({
    ...bash('x', { session: ownSession() }),
    tool: { server: null, name: 'mail_send', definition: null },
    args: { to: [text], body: { [text]: text } },
  }),
  (text) => bash('git push --force', { cwd: `/repo/${text}`, session: text }),
]

proves(
  ['T60', 'P11'],
  'secrets of more than forty kinds are in no message of any channel',
  async () => {
    const kinds = secretKinds(7)
    expect(new Set(kinds.map(({ kind }) => kind)).size).toBeGreaterThan(40)
    const { at, sent } = await sinks({}, 'call')
    let asked = 0
    for (const { text } of kinds) for (const put of PLACES) asked += (await at.decide(put(text))).approval === null ? 0 : 1
    expect(asked).toBeGreaterThan(kinds.length * 2)
    await at.channels.drain()
    const all = sent()
    expect(at.channels.rows(1_000).every(({ state }) => state === 'told' || state === 'over')).toBe(true)
    for (const [channel, text] of Object.entries(all)) {
      expect(text.length).toBeGreaterThan(asked * 200)
      expect(text).toContain('[redacted')
      const readable = text.replaceAll('\\n', '\n').replaceAll('\\\\', '\\')
      for (const { kind, secret } of kinds)
        for (const line of secret.split('\n'))
          expect([channel, kind, text.includes(line) || readable.includes(line)]).toEqual([channel, kind, false])
    }
  },
  180_000,
)

proves('T60', 'what the log keeps of messages and failures holds no secrets either', async () => {
  const { at } = await sinks()
  for (const { text } of secretKinds(8).slice(0, 12)) await at.decide(bash(`git push --force origin main # ${text}`))
  await at.channels.drain()
  const kept = JSON.stringify([at.notes(), at.channels.rows(100)])
  for (const { kind, secret } of secretKinds(8).slice(0, 12)) expect([kind, kept.includes(secret)]).toEqual([kind, false])
  for (const value of Object.values(ENV)) expect(kept).not.toContain(value)
})

const BROKEN: readonly (readonly [title: string, redact: (value: Json) => Json])[] = [
  [
    'throws',
    () => {
      throw new Error('redaction failed')
    },
  ],
  ['answers with a mask', () => '[redacted unreadable]'],
  ['answers with nothing', () => null],
  ['answers with a list', (value) => [value]],
]
for (const [title, redact] of BROKEN) {
  proves(['PRO-W7', 'T60'], `where redaction ${title}, nothing is sent and the call waits for the console`, async () => {
    const { at, sent } = await sinks({ redact })
    const approval = await at.asks(bash('git push --force origin main'))
    await at.channels.drain()
    expect(sent()).toEqual({ webhook: '', slack: '', command: '' })
    for (const row of at.channels.rows(3))
      expect(row).toMatchObject({ state: 'dead', attempts: 0, error: 'it could not be redacted, so nothing was sent' })
    expect(at.stored(approval.id)).toMatchObject({ status: 'pending', answers: [] })
  })
}

test('a summary holds no argument at all', async () => {
  const { at, sent } = await sinks({}, 'summary')
  await at.asks(bash('git push --force origin quite-a-special-branch'))
  await at.channels.drain()
  for (const text of Object.values(sent())) {
    expect(text.length).toBeGreaterThan(200)
    expect(text).not.toContain('quite-a-special-branch')
  }
})
