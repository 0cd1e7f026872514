/** Asks one judge, or the two of a tribunal, and says what came of it. Never rejects. */
import { consultOne } from './one.ts'
import type { Consulted, ConsultParts, Question } from './question.ts'
import { consultTribunal } from './tribunal.ts'

export async function consult(question: Question, parts: ConsultParts): Promise<Consulted> {
  return question.judge.provider === 'tribunal' ? consultTribunal(question, parts) : consultOne(question, 'reviewer', parts)
}
