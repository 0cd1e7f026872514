/** What the judges of a policy need on this machine: keys, directories with programs, and a sandbox that holds. */
import { statSync } from 'node:fs'
import { type JudgePolicy, MODEL_PROVIDERS } from '../../policy/judges.ts'
import type { Policy } from '../../policy/policy.ts'
import { createSandbox, type Sandbox } from '../../sandbox/sandbox.ts'

export interface JudgeCheck {
  readonly name: string
  readonly state: 'ok' | 'warn'
  readonly detail: string
}

export interface Surroundings {
  readonly env: (name: string) => string | undefined
  readonly sandbox: Pick<Sandbox, 'problem'>
}

const HERE: Surroundings = { env: (name) => process.env[name], sandbox: createSandbox() }

/** Nothing is asked of a judge; a judge that cannot answer counts as its `on_error`, so the gate holds all the same. */
export function judgeChecks({ judges, disclosure }: Policy, here: Surroundings = HERE): readonly JudgeCheck[] {
  const all = [...judges.named.values()]
  const checks = all.flatMap((judge) => [...keyCheck(judge, here), ...programChecks(judge)])
  if (all.some(({ tools }) => tools !== null)) checks.push(sandboxCheck(here))
  if (disclosure.repeatsBeforeHalt === 0)
    checks.push({ name: 'sessions', state: 'warn', detail: 'an agent may come back with what was denied as often as it likes' })
  return checks
}

const KEYS: Readonly<Record<string, string>> = { anthropic: 'ANTHROPIC_API_KEY', openai: 'OPENAI_API_KEY', google: 'GEMINI_API_KEY' }

/** A server of one's own needs no key unless the policy names one; a header that the policy names needs its value. */
function keyCheck({ name, provider, url, apiKeyEnv, headersEnv }: JudgePolicy, { env }: Surroundings): readonly JudgeCheck[] {
  const usual = MODEL_PROVIDERS.has(provider) && url === null ? KEYS[provider] : undefined
  const key = apiKeyEnv ?? usual
  const needed = [
    ...(key === undefined ? [] : [[key, 'its key is'] as const]),
    ...[...headersEnv].map(([header, variable]) => [variable, `the header \`${header}\` is`] as const),
  ]
  const missing = needed.filter(([variable]) => (env(variable) ?? '').trim() === '')
  return missing.map(([variable, what]) => {
    return { name: `judge ${name}`, state: 'warn', detail: `${what} not in \`${variable}\`, so it cannot answer` }
  })
}

function programChecks({ name, command, tools }: JudgePolicy): readonly JudgeCheck[] {
  const needed = [...command.slice(0, 1), ...(tools?.programs ?? []), ...(tools?.mounts ?? [])]
  const missing = needed.filter((path) => statSync(path, { throwIfNoEntry: false }) === undefined)
  return missing.map((path) => ({ name: `judge ${name}`, state: 'warn', detail: `\`${path}\` is not there, so it cannot answer` }))
}

function sandboxCheck({ sandbox }: Surroundings): JudgeCheck {
  const problem = sandbox.problem()
  if (problem === null) return { name: 'sandbox', state: 'ok', detail: 'bubblewrap holds; judges can use their tools' }
  return { name: 'sandbox', state: 'warn', detail: `judges with tools cannot answer: ${problem}` }
}
