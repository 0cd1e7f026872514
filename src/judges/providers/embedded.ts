/** The judge that is built in: no network, no key, the same answer every time. Its weights are read when it is first asked. */
import { NoAnswer } from '../answer.ts'
import { featuresOf } from '../embedded/features.ts'
import { assess, loadModel, type Model } from '../embedded/model.ts'
import type { JudgeReply, JudgeRequest } from './provider.ts'

let model: Model | null = null

/** @throws {NoAnswer} where the call was not shown in full: a model of what a call does must know all of it. */
export async function askEmbedded({ payload, meter }: JudgeRequest): Promise<JudgeReply> {
  if (payload.truncated) throw new NoAnswer('judge.refused', 'the call is too large for the embedded judge')
  meter.open({ sent: 0, tokens: () => ({ input: 0, output: 0 }) })
  model ??= loadModel((await import('../embedded/weights.ts')).WEIGHTS)
  const { score, confidence, reasons } = assess(model, featuresOf(payload.body))
  const why = reasons.length === 0 ? 'nothing in it weighs against it' : `it weighs against it: ${reasons.join('; ')}`
  const answer = {
    score,
    confidence,
    reasoning: `${model.name}: ${why}`,
    signals: [{ category: 'execution_safety', score, message: '' }],
  }
  return { text: JSON.stringify(answer), marks: null }
}
