/** What docs/evaluation.md shows of the sets: the rates that a reader decides by. The terminal shows every rate. */
import type { Rate } from '../src/replay/rate.ts'
import type { Scored } from '../src/replay/score.ts'

export type Shown = Pick<Scored, 'calls' | 'rates' | 'asksPerBenignSession' | 'undescribed' | 'interrupting'>

const LABELLED = /^(.*?): (must-.*)$/
const SESSIONS = /^sessions `([^`]*)`: (.*?)(?: \(.*\))?$/
/** Rules that are named of those that interrupted. */
const MAX_RULES = 5

const COLUMNS = [
  'must-gate silently allowed',
  'must-gate let run, flagged or not',
  'must-allow interrupted',
  'must-not-deny denied',
] as const

/** What the labels of each project say. Rows whose world is not described are in no rate. */
export function labelsTable(scored: Shown): string {
  const groups = grouped(scored.rates, LABELLED)
  const rows = [...groups].filter(([source]) => !source.endsWith('not described)'))
  const cell = (rate: Rate | undefined): string => (rate === undefined ? '–' : `${counts(rate)} (${percent(share(rate))})`)
  return [
    `| source | ${COLUMNS.join(' | ')} |`,
    `|---|${COLUMNS.map(() => '---:').join('|')}|`,
    ...rows.map(([source, metrics]) => `| ${source} | ${COLUMNS.map((name) => cell(metrics.get(name))).join(' | ')} |`),
    '',
    `${scored.undescribed === 0 ? '' : `${scored.undescribed} rows depend on a world that they do not describe, and are in no rate. `}${interrupting(scored)}`.trimEnd(),
  ].join('\n')
}

const HARMFUL = 'harmful calls executed (unattended)'

const CALLS = [
  ['attack calls executed', 'attack calls executed (unattended: an ask does not run)'],
  ['attack calls asked about', 'attack calls that a person is asked about'],
  ['benign calls asked about', 'benign calls asked'],
  ['benign calls denied', 'benign calls denied'],
  ['benign calls flagged', 'benign calls flagged'],
] as const

/** Sets of calls, one a row: both ends, and the benign sessions that nothing interrupted. */
export function callsTable(sets: readonly (readonly [set: string, scored: Shown])[]): string {
  const rows = sets.map(([set, { calls, rates }]) => {
    const cell = (rate: Rate | undefined): string => (rate === undefined ? '–' : `${counts(rate)}: ${withInterval(rate)}`)
    const named = (name: string): Rate | undefined => rates.find((rate) => rate.name === name)
    // Where some calls of an attack do no harm, those that do count.
    const cells = CALLS.map(([, name], at) => cell((at === 0 ? named(HARMFUL) : undefined) ?? named(name)))
    const untouched = rates.find(({ name }) => name.startsWith('sessions `benign`: untouched'))
    return `| ${set} | ${calls} | ${cells.join(' | ')} | ${cell(untouched)} |`
  })
  return [
    `| set | calls | ${CALLS.map(([title]) => title).join(' | ')} | benign sessions untouched |`,
    `|---|---:|${CALLS.map(() => '---:').join('|')}|---:|`,
    ...rows,
  ].join('\n')
}

/** Sets of one benchmark in one table: a row for each kind of session. */
export function sessionsTable(sets: readonly (readonly [set: string, scored: Shown])[]): string {
  const cell = (rate: Rate | undefined): string => (rate === undefined ? '–' : `${counts(rate)}: ${withInterval(rate)}`)
  const rows = sets.flatMap(([set, scored]) =>
    [...grouped(scored.rates, SESSIONS)].map(([label, metrics], at) => {
      const cells = ['stopped', 'untouched', 'without a denial'].map((name) => cell(metrics.get(name)))
      const asks = at === 0 && scored.asksPerBenignSession !== null ? scored.asksPerBenignSession.toFixed(2) : ''
      return `| ${set}, \`${label}\` | ${cells.join(' | ')} | ${asks} |`
    }),
  )
  return [
    '| sessions | stopped (no attack call ran unattended) | untouched (no ask, no denial) | without a denial | asks per benign session of the set |',
    '|---|---:|---:|---:|---:|',
    ...rows,
  ].join('\n')
}

/** The rules that interrupted most; nothing where none did. */
export function interrupting({ interrupting: rules }: Pick<Scored, 'interrupting'>): string {
  if (rules.length === 0) return ''
  const named = rules.slice(0, MAX_RULES).map(({ rule, calls }) => `\`${rule}\` ${calls}`)
  const others = rules.length - named.length
  return `Interrupted by mistake, by rule: ${named.join(', ')}${others > 0 ? `, and ${others} other rules` : ''}.`
}

function grouped(rates: readonly Rate[], pattern: RegExp): ReadonlyMap<string, ReadonlyMap<string, Rate>> {
  const groups = new Map<string, Map<string, Rate>>()
  for (const rate of rates) {
    const [, group = '', metric = ''] = pattern.exec(rate.name) ?? []
    if (group !== '') groups.set(group, (groups.get(group) ?? new Map<string, Rate>()).set(metric, rate))
  }
  return groups
}

function withInterval(rate: Rate): string {
  return `${percent(share(rate))} [${percent(rate.low)} – ${percent(rate.high)}]`
}

function counts({ hits, of }: Rate): string {
  return `${hits} of ${of}`
}

function share({ hits, of }: Rate): number {
  return of === 0 ? 0 : hits / of
}

function percent(part: number): string {
  return `${(part * 100).toFixed(part > 0 && part < 0.1 ? 2 : 1)} %`
}
