/** What each rule is worth: what it stopped and asked, what people said, and what would have spared them the question. */
import type { JSX } from 'preact'
import { get, query } from '../api/client.ts'
import { decisionTick } from '../api/live.ts'
import type { RuleFigures, RuleList } from '../api/types.ts'
import { useResource } from '../state/resource.ts'
import { href } from '../state/route.ts'
import { Section, Shown } from './states.tsx'
import { Line } from './text.tsx'

const MOST = 20

export function Rules({ hours }: { readonly hours: number }): JSX.Element {
  const path = `/v1/stats/rules${query({ hours })}`
  const found = useResource(path, (signal) => get<RuleList>(path, signal), decisionTick)
  return (
    <Section title="By rule">
      <Shown of={found}>{({ rules }) => <Table rules={rules.slice(0, MOST)} />}</Shown>
    </Section>
  )
}

function Table({ rules }: { readonly rules: readonly RuleFigures[] }): JSX.Element {
  if (rules.length === 0) return <p class="muted">No rule denied or asked in this time.</p>
  return (
    <div class="table-box">
      <table class="table table-cards" aria-label="Rules, the one that asked most first">
        <thead>
          <tr>
            <th>Rule</th>
            <th class="right">Denied</th>
            <th class="right">Asked</th>
            <th>People said</th>
            <th class="right">Half answered within</th>
          </tr>
        </thead>
        <tbody>
          {rules.map((figures) => (
            <Row key={figures.rule} figures={figures} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ figures }: { readonly figures: RuleFigures }): JSX.Element {
  const { rule, denied, asked, answer, candidate } = figures
  return (
    <tr>
      <td class="code-cell">
        <a href={href(['decisions'], { q: rule.slice(rule.indexOf('.') + 1) })}>
          <Line text={rule} limit={60} />
        </a>
      </td>
      <td class="right number">{denied.toLocaleString('en')}</td>
      <td class="right number">{asked.toLocaleString('en')}</td>
      <td class="wide">
        {said(figures)}
        {candidate !== null && (
          <p class="muted">
            Always yes, {candidate.answers} times.{' '}
            {candidate.grants.length === 0 ? 'No grant could have answered: look at the rule.' : 'This grant would have answered:'}
            {candidate.grants.map(({ command }) => (
              <code key={command}>
                <Line text={command} limit={400} />
              </code>
            ))}
          </p>
        )}
      </td>
      <td class="right number nowrap">{answer === null ? '' : seconds(answer.median)}</td>
    </tr>
  )
}

function said({ approved, refused, unanswered, waiting, overrides, fast }: RuleFigures): string {
  const counts: readonly (readonly [number, string])[] = [
    [approved, 'yes'],
    [refused, 'no'],
    [unanswered, 'nothing in time'],
    [waiting, 'waiting'],
    [overrides, 'by break-glass'],
    [fast, 'in under two seconds'],
  ]
  return counts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(', ')
}

function seconds(milliseconds: number): string {
  return milliseconds < 60_000 ? `${Math.ceil(milliseconds / 1_000)} s` : `${Math.ceil(milliseconds / 60_000)} min`
}
