/** A judge that is a program: gets the payload on standard input, answers on standard output. */
import { runProgram } from '../../lookup/program.ts'
import { NoAnswer } from '../answer.ts'
import { printed } from '../payload.ts'
import type { JudgeReply, JudgeRequest } from './provider.ts'

/** The signal ends it: the time of a judge is kept where judges are asked. */
const LONGEST_MS = 2 ** 31 - 1

const CODES = { missing: 'judge.unavailable', late: 'timeout.judge', loud: 'judge.malformed', signal: 'judge.unavailable' } as const

/** @throws {NoAnswer} where the program cannot be run, fails, or says too much. */
export async function askCommand({ judge, payload, depth, signal }: JudgeRequest): Promise<JudgeReply> {
  const end = await runProgram({
    argv: judge.command,
    input: printed(payload.body),
    timeoutMs: LONGEST_MS,
    env: { COUNTERSIGN_JUDGE_DEPTH: String(depth) },
    signal,
  })
  if (!end.ended) {
    const message = end.fault === 'late' ? 'the program did not answer within its time' : `the program gave no answer: ${end.message}`
    throw new NoAnswer(CODES[end.fault], message)
  }
  if (end.code !== 0) throw new NoAnswer('judge.unavailable', `the program ended with ${end.code}`)
  return { text: end.stdout.toString('utf8'), marks: null }
}
