/** What proxies tell the log shows in the daemon and in `doctor`. What was to show was written down first. */
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../../test/support/records.ts'
import { ask, startServer } from '../../test/support/server.ts'
import { uninspectedChecks } from '../cli/looking/uninspected.ts'
import { createUninspected, type Owing, tellRest } from '../proxies/uninspected.ts'

test('what proxies could not look into is among the counters of the daemon, and in one line of `doctor`', async () => {
  const server = await startServer()
  onTestFinished(server.stop)
  const { store } = server.opened
  const read = async () => {
    const { body } = await ask<{ text: string }>(`${server.url}/metrics`, { token: server.operator })
    return body.text.split('\n').filter((line) => line.startsWith('countersign_uninspected_total'))
  }
  const sample = (proxy: string, passed: boolean, count: number) =>
    `countersign_uninspected_total{proxy="${proxy}",passed="${passed}"} ${count}`
  expect(await read()).toHaveLength(8)
  expect(uninspectedChecks(server.home)).toEqual([])
  const owing: Owing = new Set()
  const of = (proxy: string) => createUninspected({ store, proxy, upstream: 'x', session: null, owing }).count
  const [mcp, acp, strange] = [of('mcp'), of('acp'), of('another"one')]
  for (let at = 0; at < 5; at++) mcp('result', true)
  mcp('client message', false)
  acp('result', true)
  strange('result', true)
  await tellRest(owing)
  await store.append({ kind: 'note', session: null, tenant: null, tool: null, decision: null, code: null, at: 0, body: { event: 'other' } })
  for (const _again of [1, 2]) {
    const lines = await read()
    expect(lines).toHaveLength(8)
    expect(lines).toEqual(
      expect.arrayContaining([sample('mcp', true, 5), sample('mcp', false, 1), sample('acp', true, 1), sample('model', true, 0)]),
    )
  }
  mcp('result', true)
  await tellRest(owing)
  expect(await read()).toContain(sample('mcp', true, 6))
  const [check, ...more] = uninspectedChecks(server.home)
  expect([check?.state, check?.detail.includes('8 passed uninspected and 1 were held back'), more]).toEqual(['warn', true, []])
})

test('where there is no log, `doctor` says nothing of it', () => {
  expect(uninspectedChecks(temporaryDirectory())).toEqual([])
})
