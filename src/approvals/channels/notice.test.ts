import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { bash, world } from '../../../test/support/channels.ts'
import { redactJson } from '../../audit/redact.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { ChannelPolicy } from '../../policy/channels.ts'
import type { StoredApproval } from '../store.ts'
import { type Notice, noticeOf, shownDigest } from './notice.ts'

const CHANNEL: ChannelPolicy = {
  kind: 'command',
  name: 'c',
  approvers: new Map(),
  show: 'call',
  tenants: null,
  link: null,
  timeoutMs: 1,
  attempts: 1,
  command: [],
  answers: false,
}

async function approval(
  command = 'git push --force origin main',
  changes: Partial<Parameters<typeof bash>[1]> = {},
): Promise<StoredApproval> {
  return world('').asks(bash(command, changes))
}

function told(of: StoredApproval, channel: Partial<ChannelPolicy> = {}, now = of.createdAt): Notice {
  const notice = noticeOf(of, {
    phase: 'requested',
    channel: { ...CHANNEL, ...channel } as ChannelPolicy,
    now,
    redact: (value) => redactJson(value).value,
  })
  if (notice === null) throw new Error('it could not be redacted')
  return notice
}

describe('a notice', () => {
  test('names the approval, its call, who asks, and what it waits for', async () => {
    const of = await approval()
    const { data, complete, digest } = told(of, { link: 'https://gate.example.com' })
    expect([complete, digest]).toEqual([true, of.binding.call])
    expect(data).toMatchObject({
      approval: of.id,
      digest: of.binding.call,
      complete: true,
      status: 'pending',
      session: 's-1',
      tenant: null,
      quorum: 1,
      yes: 0,
      current_approver: null,
      answers: [],
      tool: 'Bash',
      server: null,
      args: { command: 'git push --force origin main' },
      link: `https://gate.example.com/#/approvals/${of.id}`,
    })
  })

  test('shows its clocks as they are now', async () => {
    const of = await approval()
    expect(told(of, {}, of.approveBy - 1).data.status).toBe('pending')
    expect(told(of, {}, of.approveBy).data.status).toBe('expired')
  })

  for (const hidden of ['args', 'cwd', 'args_units'] as const) {
    test(`of a summary has no \`${hidden}\``, async () =>
      expect(told(await approval(), { show: 'summary' }).data).not.toHaveProperty(hidden))
  }

  proves('T24', 'that cannot hold the whole call says so', async () => {
    const long = told(await approval(`git push --force origin ${'x'.repeat(66_000)}`))
    expect([long.complete, Object.hasOwn(long.data, 'args'), Number(long.data.args_units) > 66_000]).toEqual([false, false, true])
    expect(told(await approval(), { show: 'summary' }).complete).toBe(false)
  })

  test('has effects in coarse words: what, where, whether it can be undone', async () => {
    const effects = told(await approval()).data.effects as readonly JsonObject[]
    expect(effects.length).toBeGreaterThan(0)
    for (const effect of effects) {
      expect(Object.keys(effect).toSorted()).toEqual(['action', 'certainty', 'reversible', 'target', 'verb'])
      expect(Object.keys(effect.target as JsonObject).toSorted()).toEqual(['kind', 'scope', 'value'])
    }
  })

  const broken: readonly (readonly [title: string, redact: (value: Json) => Json])[] = [
    ['a text', () => 'x'],
    ['nothing', () => null],
    ['a list', () => []],
    ['a number', () => 1],
    [
      'a throw',
      () => {
        throw new Error('no')
      },
    ],
  ]
  for (const [title, redact] of broken) {
    proves('PRO-W7', `is none where redaction gives ${title}`, async () => {
      const of = await approval()
      expect(noticeOf(of, { phase: 'requested', channel: CHANNEL, now: of.createdAt, redact })).toBeNull()
    })
  }

  test('keeps what names it, whatever redaction makes of the rest', async () => {
    const of = await approval()
    const notice = noticeOf(of, { phase: 'requested', channel: CHANNEL, now: of.createdAt, redact: () => ({}) })
    expect(notice?.data).toEqual({ approval: of.id, digest: of.binding.call, complete: true })
  })

  proves('T01', 'is about another call as soon as somebody changed it', async () => {
    const { binding } = await approval()
    const digests = [null, 'sha256:a', 'sha256:b'].map((edit) => shownDigest({ binding: { ...binding, edit } }))
    expect([digests[0], new Set(digests).size]).toEqual([binding.call, 3])
    for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/)
  })
})
