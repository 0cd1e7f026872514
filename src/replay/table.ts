/** The table of metrics that people read: each rate with its 95 % interval and its counts. */
import type { Rate } from './rate.ts'
import type { AsksOfLabel, Scored } from './score.ts'

/** The table as lines of plain text. */
export function textTable(title: string, scored: Scored): string {
  return [`${title}: ${scored.calls} calls`, ...scored.rates.map(textRow), ...remarks(scored).map((line) => `  ${line}`)].join('\n')
}

function textRow(rate: Rate): string {
  const interval = `[${percent(rate.low).padStart(8)}, ${percent(rate.high).padStart(8)}]`
  return `  ${percent(share(rate)).padStart(8)} ${interval}  ${String(rate.hits).padStart(6)} of ${String(rate.of).padEnd(6)}  ${rate.name}`
}

function remarks(scored: Scored): readonly string[] {
  const { micros } = scored
  const { asksPerBenignSession: asks, questionsPerBenignSession: questions } = scored
  return [
    ...(asks === null || questions === null
      ? []
      : [`${asks.toFixed(2)} asks per benign session, ${questions.toFixed(2)} where calls that one answer covers are one question`]),
    ...(scored.asksByLabel.length < 2 ? [] : scored.asksByLabel.map(labelText)),
    ...(scored.undescribed === 0 ? [] : [`${scored.undescribed} rows depend on a world that they do not describe; they are listed apart`]),
    ...scored.interrupting.map(({ rule, verdict, calls }) => `${String(calls).padStart(6)} interrupted by ${rule} (${verdict})`),
    `microseconds per call: p50 ${micros.p50}, p95 ${micros.p95}, p99 ${micros.p99}, max ${micros.max}`,
  ]
}

function labelText({ label, sessions, asks, questions }: AsksOfLabel): string {
  const mean = (count: number): string => (count / sessions).toFixed(2)
  return `  ${mean(asks)} per session \`${label}\` (${asks} in ${sessions}), ${mean(questions)} questions`
}

function share(rate: Rate): number {
  return rate.of === 0 ? 0 : rate.hits / rate.of
}

function percent(part: number): string {
  return `${(part * 100).toFixed(2)} %`
}
