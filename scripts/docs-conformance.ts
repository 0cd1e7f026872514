/** The page that says how many calls of the corpus go through each seam, and why others do not; made from the corpus itself. */
import { type Case, readCorpus, sessionsOf } from '../test/conformance/corpus.ts'
import { SEAMS, type Seam, skipped } from '../test/conformance/seams/list.ts'

export function conformancePage(generated: string): string {
  const cases = readCorpus({ home: '/home/me', repo: '/home/me/shop' })
  const rows = SEAMS.map((seam) => rowOf(seam, cases))
  const verdicts = [...counted(cases.map(({ decision }) => decision))].map(([verdict, count]) => `${count} ${verdict}`).join(', ')
  const sum = (at: number): number => rows.reduce((total, row) => total + Number(row[at]), 0)
  return `${[
    generated,
    '',
    '# Conformance',
    '',
    `One corpus of ${cases.length} calls (${verdicts}) goes through every seam. Each seam owes each call the same decision, the same`,
    'code and the same record; times, ids and the names that a host gives to tools and arguments are left out of the comparison. The',
    'calls, their policy and their records stand in `test/conformance/corpus`; `npx vitest run test/conformance` runs them.',
    '',
    `Calls: ${sum(1)} judged, ${sum(2)} skipped because the seam has no such call.`,
    '',
    '| seam | judged | skipped | why |',
    '|---|---|---|---|',
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n')}\n`
}

function rowOf(seam: Seam, cases: readonly Case[]): readonly (string | number)[] {
  const whys = sessionsOf(cases).flatMap((session) => {
    const why = skipped(seam, session)
    return why === null ? [] : session.map(() => why)
  })
  const reasons = [...counted(whys)].map(([why, count]) => `${count}: ${why}`).join('; ')
  return [seam.title, cases.length - whys.length, whys.length, reasons]
}

function counted(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
