/** Stock clients through the proxy: what they get of calls that run, and how they go on where one does not. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../proves.ts'
import { CLIENTS, type Client, type Seen, STOPS } from '../../support/model-clients.ts'
import { type ProxyBench, proxyBench } from '../../support/model-proxy.ts'
import type { Said } from '../../support/model-turns.ts'
import { scripted } from '../../support/model-turns-more.ts'

const POLICY = `
tools: { get_weather: { risk_tier: low }, get_time: { risk_tier: low } }
rules: { deny: [{ tool: rm_rf, reason: never }], allow: [{ tool: get_weather, reason: reads }, { tool: get_time, reason: reads }] }
`

const TEXT = { text: 'I look at the sky.' }
const WEATHER = { call: { id: 'call_w', name: 'get_weather', args: { city: 'Oslo' } } }
const TIME = { call: { id: 'call_t', name: 'get_time', args: { zone: 'CET' } } }
const REMOVE = { call: { id: 'call_r', name: 'rm_rf', args: { path: '/' } } }

function asked(bench: ProxyBench, { api, streams, ask }: Client, said: readonly Said[]): Promise<Seen> {
  bench.answer(scripted(api, streams, said))
  return ask(bench.url, { tools: ['get_weather', 'get_time', 'rm_rf'] })
}

for (const client of CLIENTS) {
  const stops = STOPS[client.api]
  describe(client.title, () => {
    test('a call that may run arrives as it was', async () => {
      const bench = await proxyBench({ policy: POLICY })
      const seen = await asked(bench, client, [TEXT, WEATHER])
      expect(seen).toEqual({ text: TEXT.text, calls: [{ name: 'get_weather', input: { city: 'Oslo' } }], stop: stops.calls })
      expect(bench.decided.map(({ decision }) => decision)).toEqual(['allow'])
    })

    proves('SIG-51', 'a call that may not becomes text, and the turn ends', async () => {
      const bench = await proxyBench({ policy: POLICY })
      const seen = await asked(bench, client, [REMOVE])
      expect(seen.calls).toEqual([])
      expect(seen.stop).toBe(stops.none)
      expect(seen.text).toContain('[countersign] The call of `rm_rf` did not run.')
    })

    test('of parallel calls only the one that may not goes', async () => {
      const bench = await proxyBench({ policy: POLICY })
      const seen = await asked(bench, client, [TEXT, WEATHER, REMOVE, TIME])
      expect(seen.calls).toEqual([
        { name: 'get_weather', input: { city: 'Oslo' } },
        { name: 'get_time', input: { zone: 'CET' } },
      ])
      expect(seen.stop).toBe(stops.calls)
      expect(seen.text).toContain(TEXT.text)
      expect(seen.text).toContain('did not run')
      expect(bench.decided.map(({ decision }) => decision)).toEqual(['allow', 'deny', 'allow'])
    })
  })
}
