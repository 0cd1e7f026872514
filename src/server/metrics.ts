/** Counters of this process in the text format of Prometheus. Label values come from closed lists, so that nobody can grow them. */
import type { Outcome } from '../core/verdict.ts'
import type { UninspectedCount } from './uninspected.ts'

const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const

const STOPPED: readonly Outcome[] = ['ask', 'deny', 'halt']

export interface Gauges {
  readonly pendingApprovals: number
  readonly listeners: number
  /** What proxies could not look into, as the log was told since this process began. */
  readonly uninspected: readonly UninspectedCount[]
}

export interface Metrics {
  /** `would` is what shadow mode kept from being decided; the same as `decision` everywhere else. */
  readonly decided: (decision: Outcome, seconds: number, would?: Outcome) => void
  readonly answered: (status: number) => void
  readonly storeFailed: () => void
  readonly text: (gauges: Gauges) => string
}

export function createMetrics(): Metrics {
  const decisions = new Map<Outcome, number>(['allow', 'flag', 'ask', 'deny', 'halt'].map((each) => [each as Outcome, 0]))
  const shadowed = new Map<Outcome, number>(STOPPED.map((each) => [each, 0]))
  const statuses = new Map<string, number>(['1xx', '2xx', '3xx', '4xx', '5xx'].map((each) => [each, 0]))
  const buckets = BOUNDS.map(() => 0)
  let sum = 0
  let count = 0
  let failures = 0
  return {
    decided: (decision, seconds, would = decision) => {
      if (would !== decision && shadowed.has(would)) shadowed.set(would, (shadowed.get(would) ?? 0) + 1)
      decisions.set(decision, (decisions.get(decision) ?? 0) + 1)
      sum += seconds
      count += 1
      for (const [index, bound] of BOUNDS.entries()) if (seconds <= bound) buckets[index] = (buckets[index] ?? 0) + 1
    },
    answered: (status) => {
      const key = `${Math.floor(status / 100)}xx`
      statuses.set(key, (statuses.get(key) ?? 0) + 1)
    },
    storeFailed: () => {
      failures += 1
    },
    text: ({ pendingApprovals, listeners, uninspected }) =>
      [
        ...family('countersign_decisions_total', 'counter', 'Decisions made by this process.'),
        ...[...decisions].map(([decision, value]) => `countersign_decisions_total{decision="${decision}"} ${value}`),
        ...family('countersign_shadow_would_total', 'counter', 'Calls that shadow mode let run and that would have been stopped.'),
        ...[...shadowed].map(([would, value]) => `countersign_shadow_would_total{would="${would}"} ${value}`),
        ...family('countersign_decision_duration_seconds', 'histogram', 'Time from a parsed call to its recorded decision.'),
        ...BOUNDS.map((bound, index) => `countersign_decision_duration_seconds_bucket{le="${bound}"} ${buckets[index]}`),
        `countersign_decision_duration_seconds_bucket{le="+Inf"} ${count}`,
        `countersign_decision_duration_seconds_sum ${sum}`,
        `countersign_decision_duration_seconds_count ${count}`,
        ...family('countersign_http_responses_total', 'counter', 'Answers over HTTP.'),
        ...[...statuses].map(([status, value]) => `countersign_http_responses_total{status="${status}"} ${value}`),
        ...family('countersign_approvals_pending', 'gauge', 'Calls that wait for a person.'),
        `countersign_approvals_pending ${pendingApprovals}`,
        ...family('countersign_event_listeners', 'gauge', 'Open event streams and waiting requests.'),
        `countersign_event_listeners ${listeners}`,
        ...family('countersign_store_errors_total', 'counter', 'Decisions that could not be recorded, and so were denied.'),
        `countersign_store_errors_total ${failures}`,
        ...family('countersign_uninspected_total', 'counter', 'What proxies could not look into, as they told the log.'),
        ...uninspected.map(
          ({ proxy, passed, count: times }) => `countersign_uninspected_total{proxy="${proxy}",passed="${passed}"} ${times}`,
        ),
        '',
      ].join('\n'),
  }
}

function family(name: string, type: string, help: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`]
}
