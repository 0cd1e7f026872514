/**
 * Trains the embedded judge, reproducibly: the same data gives the same weights. Cross-validated by source, with bootstrap
 * intervals; writes the weights, their card, and a section of docs/evaluation.md. `--dry` writes nothing. The data is no part
 * of the package: a directory as argument or COUNTERSIGN_EVAL; where it is absent, nothing is trained and that is said.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from './train/corpus.ts'

const WEIGHTS = 'src/judges/embedded/weights.ts'
const CARD = 'docs/reference/embedded-judge.md'
const DOCUMENT = 'docs/evaluation.md'
const BEGIN = '<!-- embedded judge: begin -->'
const END = '<!-- embedded judge: end -->'
/** How often each template of the grammar is filled. */
const TIMES = 12

const words = process.argv.slice(2)
const data = words.find((word) => !word.startsWith('--')) ?? process.env.COUNTERSIGN_EVAL ?? join('..', 'shared', 'eval', 'dev')
if (existsSync(data)) await train(words.includes('--dry'))
else console.log(`train-judge: skipped, \`${data}\` is not there; name a directory of recorded sessions to train on`)

async function train(dry: boolean): Promise<void> {
  // Only where there is something to train on: the program takes seconds to load.
  const [{ format }, { generatedRows, JUDGED, LABELLED, rowsOf }, { crossValidate }] = await Promise.all([
    import('./train/card.ts'),
    import('./train/corpus.ts'),
    import('./train/crossval.ts'),
  ])
  const [{ FIT, fitModel }, { generate }, { moduleOf, pack }] = await Promise.all([
    import('./train/fit.ts'),
    import('./train/grammar.ts'),
    import('./train/ship.ts'),
  ])
  const rows: Row[] = [...(await generatedRows(generate(FIT.seed, TIMES)))]
  for (const source of LABELLED) for await (const row of rowsOf(data, source)) rows.push(row)
  const sessions: Row[] = []
  for (const source of JUDGED) for await (const row of rowsOf(data, source)) sessions.push(row)
  console.log(`train-judge: ${rows.length} labelled calls, ${sessions.length} calls of sessions that need judgement`)
  const measured = crossValidate(rows)
  const model = pack(fitModel(rows), measured.calibration)
  const { card, section } = format({ rows, sessions, measured, model })
  console.log(section)
  if (dry) return
  writeFileSync(WEIGHTS, moduleOf(model))
  writeFileSync(CARD, card)
  writeSection(section)
}

function writeSection(section: string): void {
  const before = readFileSync(DOCUMENT, 'utf8')
  const [begin, end] = [before.indexOf(BEGIN), before.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error(`${DOCUMENT} has no place for the section: it needs \`${BEGIN}\` and \`${END}\``)
  writeFileSync(DOCUMENT, `${before.slice(0, begin + BEGIN.length)}\n\n${section}\n\n${before.slice(end)}`)
  console.log(`train-judge: wrote ${WEIGHTS}, ${CARD}, ${DOCUMENT}`)
}
