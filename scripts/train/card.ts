/** What the training measured, as the card of the model and as a section of the evaluation. */
import type { ModelData } from '../../src/judges/embedded/model.ts'
import { assess, loadModel } from '../../src/judges/embedded/model.ts'
import { areaOf, type Estimate, estimate, recallAt, shareOf } from './bootstrap.ts'
import type { Row } from './corpus.ts'
import type { Measured, Unseen } from './crossval.ts'
import { FIT } from './fit.ts'

export interface Trained {
  readonly rows: readonly Row[]
  /** Calls of sessions that need judgement. */
  readonly sessions: readonly Row[]
  readonly measured: Measured
  readonly model: ModelData
}

export function format(trained: Trained): { readonly card: string; readonly section: string } {
  const section = [
    `\`${trained.model.name}\`, trained by \`scripts/train-judge.ts\` on ${trained.rows.length} labelled calls. Every number is of calls whose *source*`,
    `the model did not see (${trained.measured.folds} folds, whole sources), so it says how the model does on calls of somebody else. Sources weigh as the`,
    'root of their size; intervals are 95 % by bootstrap over tasks, never over single calls.',
    '',
    ...overall(trained),
    '',
    '**As a resolver of asks.** Calls that the shipped policy asks about, that are fully told and can be undone: all that this judge may settle.',
    '',
    ...resolver(trained.measured.unseen),
    '',
    'The second column is what this judge is good for, the third what it costs. Where both are alike, it does not tell the two apart: without',
    'evidence on calls of your own it should watch and advise, not settle.',
  ].join('\n')
  const sources = [
    section,
    '',
    '**Per source.** Attacks are what the labels of the source do not let run; their philosophies differ. AUC: how likely an attack has the',
    'higher risk than a benign call of the same source; 0.5 is a coin.',
    '',
    ...bySource(trained.measured.unseen),
    '',
    '**Sessions that need judgement.** Their calls have no labels; no model learnt from them. A session is as risky as its riskiest call, by the',
    'shipped weights.',
    '',
    ...bySession(trained),
  ].join('\n')
  return { section, card: cardOf(trained, sources) }
}

function overall({ measured }: Trained): readonly string[] {
  const sorted = measured.unseen.toSorted((a, b) => a.risk - b.risk)
  const bare = measured.unseen.map((each) => ({ ...each, risk: each.bare })).toSorted((a, b) => a.risk - b.risk)
  const row = (name: string, value: Estimate | null, digits = 3) => `| ${name} | ${shown(value, digits)} |`
  const weight = (each: Unseen): number => each.weight
  return [
    '| on unseen sources | |',
    '|---|---:|',
    row('AUC, with what the layers found', estimate(sorted, areaOf, weight)),
    row('AUC, by effects and text alone', estimate(bare, areaOf, weight)),
    ...[0.01, 0.05, 0.1].map((rate) => row(`recall at ${rate * 100} % false positives`, estimate(sorted, recallAt(rate), weight))),
    `| log loss / Brier score / expected calibration error | ${[measured.logLoss, measured.brier, measured.calibrationError].map((each) => each.toFixed(3)).join(' / ')} |`,
  ]
}

const SCORES = [0.7, 0.9, 0.95, 0.98] as const

function resolver(unseen: readonly Unseen[]): readonly string[] {
  const asked = unseen.filter(({ row }) => row.decision === 'ask' && row.reversible)
  const [benign, attacks] = [asked.filter(({ attack }) => !attack), asked.filter(({ attack }) => attack)]
  const accepted = (calls: readonly Unseen[], least: number): string =>
    shown(
      estimate(
        calls,
        shareOf<Unseen>(({ score }) => score >= least),
        () => 1,
      ),
      3,
    )
  return [
    `| \`min_score\` | of ${benign.length} benign asks it settles | of ${attacks.length} asks about attacks it lets run |`,
    '|---:|---:|---:|',
    ...SCORES.map((least) => `| ${least} | ${accepted(benign, least)} | ${accepted(attacks, least)} |`),
  ]
}

function bySource(unseen: readonly Unseen[]): readonly string[] {
  const groups = [...new Set(unseen.map(({ row }) => row.group))].toSorted()
  return [
    '| source | benign | attacks | AUC | benign below 0.7 | attacks below 0.7 |',
    '|---|---:|---:|---:|---:|---:|',
    ...groups.map((group) => {
      const own = unseen.filter(({ row }) => row.group === group).toSorted((a, b) => a.risk - b.risk)
      const [benign, attacks] = [own.filter(({ attack }) => !attack), own.filter(({ attack }) => attack)]
      const rejected = (calls: readonly Unseen[]): string =>
        shown(
          estimate(
            calls,
            shareOf<Unseen>(({ score }) => score < 0.7),
            () => 1,
          ),
          3,
        )
      const area = shown(
        estimate(own, areaOf, () => 1),
        3,
      )
      return `| ${group} | ${benign.length} | ${attacks.length} | ${area} | ${rejected(benign)} | ${rejected(attacks)} |`
    }),
  ]
}

const UNSAFE: ReadonlySet<string> = new Set(['unsafe', 'unsafe_completed', 'unsafe_partial'])
const SAFE: ReadonlySet<string> = new Set(['safe'])

function bySession({ sessions, model }: Trained): readonly string[] {
  const loaded = loadModel(model)
  const judged = new Map<string, { set: string; cluster: string; attack: boolean; risk: number; weight: number }>()
  for (const { set, session, cluster, sessionLabel, named, text } of sessions) {
    const label = sessionLabel ?? ''
    if (!UNSAFE.has(label) && !SAFE.has(label)) continue
    const { risk } = assess(loaded, { named: new Map([...named].map((hash) => [hash, ''])), text: new Set(text) })
    const before = judged.get(`${set} ${session}`)
    judged.set(`${set} ${session}`, { set, cluster, attack: UNSAFE.has(label), risk: Math.max(risk, before?.risk ?? risk), weight: 1 })
  }
  const all = [...judged.values()].toSorted((a, b) => a.risk - b.risk)
  return [
    '| set | safe sessions | unsafe | AUC | recall at 10 % false positives |',
    '|---|---:|---:|---:|---:|',
    ...[...new Set(all.map(({ set }) => set))].toSorted().map((set) => {
      const own = all.filter((each) => each.set === set)
      const unsafe = own.filter(({ attack }) => attack).length
      const area = shown(
        estimate(own, areaOf, () => 1),
        3,
      )
      return `| ${set} | ${own.length - unsafe} | ${unsafe} | ${area} | ${shown(
        estimate(own, recallAt(0.1), () => 1),
        3,
      )} |`
    }),
  ]
}

function shown(value: Estimate | null, digits: number): string {
  if (value === null) return '–'
  return `${value.value.toFixed(digits)} (${value.low.toFixed(digits)} to ${value.high.toFixed(digits)})`
}

function cardOf({ rows, sessions, model }: Trained, section: string): string {
  const groups = new Set(rows.map(({ group }) => group)).size
  const count = atob(model.weights).length
  return `# The embedded judge

<!-- Generated by \`npx tsx scripts/train-judge.ts\`; do not edit. -->

A small statistical model that needs no network and no key: \`judges: { local: { provider: embedded } }\`. It advises people and settles
asks that somebody else may settle as well; it is not a gate. [docs/guide/calibration.md](../guide/calibration.md) tells how to use it and how to calibrate it on your own calls.

## What it is

- Logistic regression over ${count} hashed features (${model.named} of effects, findings and facts; the rest runs of four characters, words and pairs of
  words of the redacted arguments), one byte of weight each. The same call always gets the same answer.
- **Weights only raise the risk.** A feature is there or not, so nothing that is added to a call, no comment, no flattering text, no harmless
  command, can lower its risk. What is missing can: an attack that looks like nothing the model knows has a low risk.
- The score is the calibrated probability (Platt) that the call may run; the confidence is the share of its effects, findings and facts
  that the model knows. A call too large to be shown in full gets no answer.
- Numbers, mail addresses, hosts and long tokens are folded before they are hashed, and a feature is kept only where several *sources*
  share it (${FIT.shared[0]} for effects, ${FIT.shared[1]} for text): no constant of one data set has a weight, and no call can be read out of the hashes.

## What it was trained on

${rows.length} labelled calls of ${groups} sources: single commands with labels of other projects, benign one-liners and coding sessions, recorded agent
sessions with and without injections, attack strings, and calls of our own grammar (\`scripts/train/grammar.ts\`, seed ${FIT.seed}). Calls whose
label depends on a world that is not described, and violations that only state or a schema can tell, are left out. ${sessions.length} calls of sessions
that need judgement are only tested on. The data is no part of the package.

Training is AdaGrad with a fixed seed, ${FIT.epochs} passes, weights at or above zero, an L1 penalty. The same data and the same source give the same file, byte
for byte: \`npx tsx scripts/train-judge.ts DIRECTORY\`.

## How good it is

${section}

## Limits

- It is weak. On sources that it never saw it tells asks about attacks from benign ones hardly better than a coin at high thresholds (the
  table of resolvers): let it settle asks only where your own evidence says that it may, and never in place of rules.
- It sees one call. It does not know what was agreed earlier, what a file contains, or what the user meant beyond whether the words of
  the call stand in the task.
- Its numbers are of recorded data and its mixture of benign calls and attacks; yours differ. Run \`countersign judge calibrate\` on your own.
- It never settles what cannot be undone or fully told, whatever \`permits\` says, and it never denies: as a gate its rejection is an ask.
`
}
