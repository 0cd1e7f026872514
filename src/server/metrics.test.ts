import { describe, expect, test } from 'vitest'
import { createMetrics } from './metrics.ts'

const GAUGES = { pendingApprovals: 0, listeners: 0, uninspected: [{ proxy: 'mcp', passed: true, count: 4 }] }

const sampleOf = (text: string, name: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${name} `))
    ?.slice(name.length + 1)

describe('metrics', () => {
  test('begin at zero, with every label there is', () => {
    const text = createMetrics().text(GAUGES)
    for (const decision of ['allow', 'flag', 'ask', 'deny', 'halt'])
      expect(sampleOf(text, `countersign_decisions_total{decision="${decision}"}`)).toBe('0')
    expect(sampleOf(text, 'countersign_decision_duration_seconds_count')).toBe('0')
  })

  test('are text that Prometheus reads: every sample belongs to a family with a type', () => {
    const metrics = createMetrics()
    metrics.decided('deny', 0.003)
    metrics.answered(403)
    const lines = metrics.text({ ...GAUGES, pendingApprovals: 3, listeners: 2 }).split('\n')
    const families = new Set(lines.flatMap((line) => /^# TYPE (\S+) (?:counter|gauge|histogram)$/.exec(line)?.[1] ?? []))
    for (const line of lines) {
      if (line === '' || line.startsWith('# ')) continue
      const match = /^([a-z_]+)(?:\{[a-z]+="[^"\\\n]*"(?:,[a-z]+="[^"\\\n]*")*\})? (\d+(?:\.\d+)?)$/.exec(line)
      expect([line, match !== null]).toEqual([line, true])
      expect([...families].some((family) => match?.[1]?.startsWith(family) === true)).toBe(true)
    }
    expect(lines.at(-1)).toBe('')
  })

  test('what shadow mode let run is counted by what would have been decided', () => {
    const metrics = createMetrics()
    metrics.decided('flag', 0.001, 'deny')
    metrics.decided('flag', 0.001, 'ask')
    metrics.decided('flag', 0.001)
    metrics.decided('deny', 0.001, 'deny')
    const text = metrics.text(GAUGES)
    const counted = ['ask', 'deny', 'halt'].map((would) => sampleOf(text, `countersign_shadow_would_total{would="${would}"}`))
    expect(counted).toEqual(['1', '1', '0'])
  })

  for (const [seconds, first] of [
    [0.0005, '0.001'],
    [0.001, '0.001'],
    [0.0011, '0.0025'],
    [0.3, '0.5'],
    [5, '5'],
    [60, '+Inf'],
  ] as const) {
    test(`${seconds} s counts from the bucket ${first} on`, () => {
      const metrics = createMetrics()
      metrics.decided('allow', seconds)
      const buckets = [...metrics.text(GAUGES).matchAll(/bucket\{le="([^"]+)"\} (\d+)/g)].map(([, le, value]) => [le, value])
      expect(buckets.find(([, value]) => value === '1')?.[0]).toBe(first)
      const values = buckets.map(([, value]) => Number(value))
      expect(values).toEqual(values.toSorted((a, b) => a - b))
    })
  }

  for (const [status, label] of [
    [200, '2xx'],
    [202, '2xx'],
    [303, '3xx'],
    [404, '4xx'],
    [429, '4xx'],
    [503, '5xx'],
  ] as const) {
    test(`${status} is one of ${label}`, () => {
      const metrics = createMetrics()
      metrics.answered(status)
      expect(sampleOf(metrics.text(GAUGES), `countersign_http_responses_total{status="${label}"}`)).toBe('1')
    })
  }

  test('count what could not be recorded', () => {
    const metrics = createMetrics()
    metrics.storeFailed()
    expect(sampleOf(metrics.text(GAUGES), 'countersign_store_errors_total')).toBe('1')
  })
})
