/** Headers that the policy adds to requests to a judge. Their values come from variables that are made for it, and from nowhere else. */
import type { JudgePolicy } from '../../policy/judges.ts'
import { headerValue } from '../wires/wire.ts'

/** @throws {NoAnswer} where a variable is not set: a judge is not asked without what it is to be sent. */
export function headersOf(
  { headersEnv }: Pick<JudgePolicy, 'headersEnv'>,
  env: (name: string) => string | undefined,
): Readonly<Record<string, string>> {
  return Object.fromEntries([...headersEnv].map(([header, variable]) => [header, headerValue(variable, env)]))
}
