/** The policy's time for a hook: what is decided too late counts for nothing, and what is in the log is what the agent hears. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { event } from '../../test/hosts/harness.ts'
import { proves } from '../../test/proves.ts'
import { workplace } from '../../test/support/workplace.ts'
import type { JsonObject } from '../core/json.ts'
import type { Gate } from '../gate.ts'
import type { StoredRecord } from '../store/store.ts'
import { answerFor, type HookParts } from './answer.ts'
import { hostNamed } from './index.ts'

const host = hostNamed('codex') as NonNullable<ReturnType<typeof hostNamed>>

interface Slow {
  /** Before the gate decides. */
  readonly before?: number
  /** Once the decision is in the log. */
  readonly after?: number
}

function place(deadlineMs: number | null) {
  const at = workplace()
  const slow = ({ before = 0, after = 0 }: Slow): Gate => ({
    ...at.opened.gate,
    decide: async (...given) => {
      await sleep(before)
      const decision = await at.opened.gate.decide(...given)
      await sleep(after)
      return decision
    },
  })
  let calls = 0
  const answers = (command: string, delay: Slow = {}, more: Partial<HookParts> = {}): Promise<JsonObject> => {
    calls += 1
    return answerFor(host, Buffer.from(event(command, `toolu_${calls}`, { cwd: '/repo' })), {
      ...{ gate: slow(delay), digest: () => `sha256:${calls}`, entrypoint: null, user: 'me', result: async () => null },
      deadline: () => deadlineMs,
      ...more,
    })
  }
  const codes = (): readonly (string | null)[] =>
    [...(at.opened.store.read({ kind: 'decision' }) as Iterable<StoredRecord>)].map(({ code }) => code)
  return { ...at, answers, codes }
}

const withoutIds = (answer: JsonObject): string => JSON.stringify(answer).replaceAll(/apr_\w+|\d{4}-[\dT:.-]+Z|\b[0-9A-Z]{26}\b/g, '')

const SHORT_MS = 40
const FAR_LATER: Slow = { before: 400 }

describe('hooks.deadline', () => {
  test('a call that is decided in time is answered as without it', async () => {
    const [within, without] = [place(60_000), place(null)]
    for (const command of ['git status', 'rm -rf ~', 'git push --force origin main']) {
      const [one, other] = [await within.answers(command), await without.answers(command)]
      expect(withoutIds(one)).toEqual(withoutIds(other))
    }
    expect(within.codes()).toEqual(without.codes())
  })

  proves('T30', 'a call that is not is denied, and recorded as that alone', async () => {
    const { answers, codes } = place(SHORT_MS)
    expect(JSON.stringify(await answers('git status', FAR_LATER))).toContain('timeout.gate')
    await sleep(600)
    expect(codes()).toEqual(['timeout.gate'])
  })

  test('an approval that a late decision would have used is still there', async () => {
    const { answers, codes, queue, answer } = place(SHORT_MS)
    const patient = { deadline: () => null }
    await answers('git push --force origin main', {}, patient)
    const [waiting] = queue.list({ tenant: null, status: 'pending', limit: 1 }).approvals
    await answer(waiting?.id ?? '')
    expect(JSON.stringify(await answers('git push --force origin main', FAR_LATER))).toContain('timeout.gate')
    await sleep(600)
    expect(await answers('git push --force origin main', {}, patient)).toEqual(host.noOpinion)
    expect(JSON.stringify(await answers('git push --force origin main', {}, patient))).toContain('apr_')
    expect(codes()).toEqual(['hazard.history', 'timeout.gate', 'allow.permitted', 'hazard.history'])
  })

  test('what is in the log in time is what the agent hears, however late the rest is', async () => {
    const { answers, codes } = place(2_000)
    expect(await answers('git status', { after: 2_200 })).toEqual(host.noOpinion)
    expect(codes()).toEqual(['registry.permitted'])
  })

  test('a gate that fails late, or never answers, denies', async () => {
    const { answers, opened } = place(SHORT_MS)
    const never: Gate = { ...opened.gate, decide: () => new Promise(() => {}) }
    expect(JSON.stringify(await answers('git status', {}, { gate: never }))).toContain('timeout.gate')
    const fails: Gate = { ...opened.gate, decide: async () => sleep(200).then(() => Promise.reject(new Error('gone'))) }
    expect(JSON.stringify(await answers('git status', {}, { gate: fails }))).toContain('timeout.gate')
    await sleep(300)
  })
})
