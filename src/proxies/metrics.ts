/** Counters of one proxy in the text format of Prometheus. Labels come from closed lists. */
import type { Outcome as Verdict } from '../core/verdict.ts'

const VERDICTS: readonly Verdict[] = ['allow', 'flag', 'ask', 'deny', 'halt']
const BOUNDS = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1] as const

/** `Route`: a model API, or a server by its name. */
export interface Metrics<Route extends string = string> {
  readonly answered: (label: Route, status: number) => void
  /** `would` differs from `decision` where shadow mode let a call run. */
  readonly decided: (label: Route, decision: Verdict, would: Verdict) => void
  readonly uninspected: (label: Route) => void
  /** Seconds from the last fragment of a call to its release. */
  readonly released: (seconds: number) => void
  readonly holding: (change: 1 | -1) => void
  readonly text: () => string
}

export interface MetricsParts<Route extends string> {
  readonly routes: readonly Route[]
  /** How many answers wait for their client to come back. */
  readonly away: () => number
}

export function createMetrics<Route extends string>({ routes, away }: MetricsParts<Route>): Metrics<Route> {
  const requests = counters(routes.flatMap((label) => ['2xx', '3xx', '4xx', '5xx'].map((status) => pair({ route: label, status }))))
  const calls = counters(routes.flatMap((label) => VERDICTS.map((decision) => pair({ route: label, decision }))))
  const shadowed = counters(routes.flatMap((label) => ['ask', 'deny', 'halt'].map((would) => pair({ route: label, would }))))
  const uninspected = counters(routes.map((label) => pair({ route: label })))
  const buckets = BOUNDS.map(() => 0)
  let [sum, count, holding] = [0, 0, 0]
  return {
    answered: (label, status) => add(requests, pair({ route: label, status: `${Math.floor(status / 100)}xx` })),
    decided: (label, decision, would) => {
      add(calls, pair({ route: label, decision }))
      if (would !== decision) add(shadowed, pair({ route: label, would }))
    },
    uninspected: (label) => add(uninspected, pair({ route: label })),
    released: (seconds) => {
      sum += seconds
      count += 1
      for (const [index, bound] of BOUNDS.entries()) if (seconds <= bound) buckets[index] = (buckets[index] ?? 0) + 1
    },
    holding: (change) => {
      holding += change
    },
    text: () =>
      [
        ...family('countersign_proxy_requests_total', 'Requests of clients.', requests),
        ...family('countersign_proxy_calls_total', 'Tool calls, by what was decided.', calls),
        ...family('countersign_proxy_shadow_would_total', 'Calls that shadow mode let run and that would have been stopped.', shadowed),
        ...family('countersign_proxy_uninspected_total', 'What could not be looked into.', uninspected),
        '# HELP countersign_proxy_release_seconds Time from the last byte of a call to its decision.',
        '# TYPE countersign_proxy_release_seconds histogram',
        ...BOUNDS.map((bound, index) => `countersign_proxy_release_seconds_bucket{le="${bound}"} ${buckets[index]}`),
        `countersign_proxy_release_seconds_bucket{le="+Inf"} ${count}`,
        `countersign_proxy_release_seconds_sum ${sum}`,
        `countersign_proxy_release_seconds_count ${count}`,
        '# HELP countersign_proxy_holding Answers that wait for a person.',
        '# TYPE countersign_proxy_holding gauge',
        `countersign_proxy_holding ${holding}`,
        '# HELP countersign_proxy_away Answers that wait for a person, and whose client left.',
        '# TYPE countersign_proxy_away gauge',
        `countersign_proxy_away ${away()}`,
        '',
      ].join('\n'),
  }
}

function pair(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`)
    .join(',')
}

function counters(keys: readonly string[]): Map<string, number> {
  return new Map(keys.map((key) => [key, 0]))
}

function add(known: Map<string, number>, key: string): void {
  const value = known.get(key)
  if (value !== undefined) known.set(key, value + 1)
}

function family(name: string, help: string, values: ReadonlyMap<string, number>): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} counter`, ...[...values].map(([labels, value]) => `${name}{${labels}} ${value}`)]
}
