/** In-process decisions with 10 to 10,000 rules, beside libraries that answer the same question by the same rules. */
import { gateOf, policyOf } from './gates.ts'
import { type Budget, type Report, SAMPLE_COLUMNS, type Sample, sample, sampleRows } from './measure.ts'
import { casbin, casl, governance, type Peer } from './peers.ts'
import { callOf, makeQuestions, makeRules, policyText, type Question } from './rules.ts'

const SIZES = [10, 100, 1_000, 10_000] as const
const BUDGET: Budget = { count: 20_000, milliseconds: 2_500 }

/** One table per number of rules; every answer is checked before it is timed. */
export async function decisions(): Promise<readonly Report[]> {
  const reports: Report[] = []
  const own: Sample[] = []
  for (const size of SIZES) {
    const rules = makeRules(size)
    const questions = makeQuestions(rules)
    const { gate } = gateOf({ policy: policyOf(policyText(rules)) })
    const calls = questions.map(({ tool, user }) => callOf(tool, user))
    for (const [i, { tool, user, expected }] of questions.entries()) {
      const { decision } = await gate.decide(callOf(tool, user))
      if (decision !== expected) throw new Error(`${size} rules, question ${i}: ${decision} instead of ${expected}`)
    }
    const ours = await sample('countersign', BUDGET, (i) => gate.decide(calls[i % calls.length] ?? callOf('', '')))
    own.push(ours)
    const samples = [ours]
    for (const peer of [await casbin(rules), casl(rules), governance(rules)]) samples.push(await checked(peer, questions))
    reports.push({
      title: `Decision, ${size.toLocaleString('en')} rules over ${Math.min(500, size)} tools`,
      columns: SAMPLE_COLUMNS,
      rows: sampleRows(samples),
      notes: [],
    })
  }
  const flat = Math.max(...own.map(({ p50 }) => p50)) / Math.min(...own.map(({ p50 }) => p50))
  const last = reports.at(-1)
  if (last !== undefined)
    reports.push({ ...last, notes: [`countersign, slowest p50 to fastest p50 over all four sizes: ${flat.toFixed(2)}×`] })
  return reports.toSpliced(SIZES.length - 1, 1)
}

/** Asks a peer, once it is seen to agree. */
function checked(peer: Peer, questions: readonly Question[]): Promise<Sample> {
  for (const question of questions.slice(0, 50)) {
    if (peer.decide(question) !== question.expected) throw new Error(`${peer.name} disagrees on ${JSON.stringify(question)}`)
  }
  return sample(peer.name, BUDGET, (i) => {
    const question = questions[i % questions.length]
    if (question !== undefined) peer.decide(question)
  })
}
