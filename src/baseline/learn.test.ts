import { expect, onTestFinished, test } from 'vitest'
import { stateDirectoryOfTest } from '../../test/support/state.ts'
import { loadKeys } from '../store/sqlite/keys.ts'
import { openStore } from '../store/sqlite/open.ts'
import { encodeState } from './encode.ts'
import { learn } from './learn.ts'
import { observationJson } from './lesson.ts'
import { readStates } from './rows.ts'
import { BY, ordinary } from './testing.ts'

const DAY = 86_400_000
const DAYS = 6

function opened() {
  const home = stateDirectoryOfTest()
  const store = openStore({ directory: home })
  onTestFinished(() => store.close())
  const today = Math.floor(Date.now() / DAY)
  const work = async (daysAgo: number, sessions: number, tenant: string | null = null) => {
    for (let n = 0; n < sessions; n += 1) {
      const { terms } = ordinary(daysAgo * 100 + n)
      const finding = {
        layer: 'baseline',
        verdict: 'abstain',
        code: 'baseline.observed',
        evidence: observationJson('ops', terms.slice(0, 20), 1),
      }
      const decision = { decision: 'allow', risk: { score: 0 }, findings: [finding], resolutions: [] }
      const at = (today - daysAgo) * DAY + n
      const of = { kind: 'decision', session: `s-${daysAgo}-${n}`, tenant, tool: 'x', decision: 'allow', code: 'allow.permitted' } as const
      await store.append({ ...of, at, body: { decision } })
    }
  }
  const from = { store, keys: loadKeys(home), by: BY, author: 'human:alice' }
  const text = () => {
    const { states } = store.query((tx) => readStates(tx, 'head', { ring: from.keys.ring }))
    return [...states].map(([key, state]) => `${key} ${encodeState(state)}`).join('\n')
  }
  return { store, work, text, learn: (rebuild = false) => learn({ ...from, rebuild }) }
}

test('day by day, over and over, or all at once', async () => {
  const { work, text, learn: again } = opened()
  for (let day = DAYS; day >= 0; day -= 1) {
    await work(day, 8)
    if (day % 2 === 0) expect((await again()).changed).toBe(true)
    expect((await again()).changed).toBe(day % 2 === 1)
  }
  const parts = text()
  await again(true)
  expect(text()).toBe(parts)
})

test('nothing new is written for nothing, and tenants have nothing to do with each other', async () => {
  const { store, work, learn: again } = opened()
  await work(1, 3, 'acme')
  await work(1, 2)
  expect([...(await again()).states.keys()].sort()).toEqual(['\nops', 'acme\nops'])
  const { size } = store.head()
  expect((await again()).changed).toBe(false)
  expect(store.head().size).toBe(size)
})
