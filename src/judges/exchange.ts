/** One exchange with a judge, whatever it is asked: who may be asked, how long, and what went wrong. */
import type { JudgePolicy } from '../policy/judges.ts'
import { NoAnswer } from './answer.ts'
import { isSameFamily, nextDepth } from './limits.ts'
import { ask, type JudgeReply, type JudgeRequest } from './providers/provider.ts'
import type { ConsultParts, Failure } from './question.ts'

/** Why this judge is not heard at all, whether it would have to be asked or not. */
export function barredFrom(
  { judge, agent }: { readonly judge: JudgePolicy; readonly agent: string | null },
  parts: Pick<ConsultParts, 'depth'>,
): Failure | null {
  if (isSameFamily(judge, agent)) {
    return {
      code: 'judge.same_family',
      message: `\`${judge.name}\` is of the family of the agent; set \`allow_same_family\` to let it judge`,
    }
  }
  if (nextDepth(parts.depth()) === null) return { code: 'judge.depth', message: 'this call comes from a judge of a judge already' }
  return null
}

/** A provider may not heed its signal, so the time is also kept here. */
export async function inTime(request: Omit<JudgeRequest, 'depth' | 'signal'>, parts: ConsultParts): Promise<JudgeReply> {
  const { judge, timeoutMs } = request
  const control = new AbortController()
  const depth = nextDepth(parts.depth()) ?? 1
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new NoAnswer('timeout.judge', `\`${judge.name}\` did not answer within ${timeoutMs} ms`))
      control.abort()
    }, timeoutMs)
  })
  try {
    return await Promise.race([ask({ ...request, depth, signal: control.signal }, parts), late])
  } finally {
    clearTimeout(timer)
  }
}

export function failureOf(error: unknown): Failure {
  if (error instanceof NoAnswer) return { code: error.code, message: error.message }
  if (!(error instanceof Error)) return { code: 'judge.unavailable', message: String(error) }
  const { cause, message } = error
  return { code: 'judge.unavailable', message: cause instanceof Error && cause.message !== '' ? `${message}: ${cause.message}` : message }
}
