/** A model of any provider of the AI SDK. The SDK and the provider are optional packages, loaded when such a judge is first asked. */
import { isBuiltin } from 'node:module'
import { isJsonObject, type Json } from '../../core/json.ts'
import { NoAnswer } from '../answer.ts'
import { MAX_TOKENS, type Tokens, tokensOf } from '../wires/wire.ts'
import type { JudgeReply, JudgeRequest, ProviderParts } from './provider.ts'

type Callable = (...values: readonly unknown[]) => unknown

/** Resolved from where this package is installed, never from the directory of an agent. */
const loadBeside = (name: string): Promise<unknown> => import(name)

/** @throws {NoAnswer} where a package is missing or is not what it should be, or the model does not finish. */
export async function askAiSdk({ judge, prompt, signal, meter }: JudgeRequest, { load = loadBeside }: ProviderParts): Promise<JudgeReply> {
  const { module } = judge
  if (module === null) throw new NoAnswer('judge.unavailable', `the judge \`${judge.name}\` names no package`)
  // What Node itself brings has programs to run and code to evaluate, and the name of a model would be their argument.
  if (isBuiltin(module.name)) throw new NoAnswer('judge.unavailable', `\`${module.name}\` is no package of a provider`)
  const generate = await exported('ai', 'generateText', load)
  const provider = await exported(module.name, module.export, load)
  let counted: Tokens | null = null
  meter.open({ sent: prompt.system.length + prompt.user.length, tokens: () => counted })
  const answer = (await generate({
    model: provider(judge.model ?? ''),
    system: prompt.system,
    prompt: prompt.user,
    ...(judge.temperature === null ? {} : { temperature: judge.temperature }),
    maxOutputTokens: MAX_TOKENS,
    maxRetries: 0,
    abortSignal: signal,
  })) as Json
  if (!isJsonObject(answer)) throw new NoAnswer('judge.malformed', 'the model did not answer')
  // The result has getters, so its own fields do not tell all of it.
  const { text, finishReason, usage } = answer
  counted = tokensOf(usage, ['inputTokens'], ['outputTokens'])
  if (finishReason === 'content-filter') throw new NoAnswer('judge.refused', 'the model declined to answer')
  if (finishReason !== 'stop' || typeof text !== 'string') throw new NoAnswer('judge.malformed', 'the model did not finish its answer')
  return { text, marks: prompt.marks }
}

async function exported(name: string, key: string, load: (name: string) => Promise<unknown>): Promise<Callable> {
  let module: unknown
  try {
    module = await load(name)
  } catch (error) {
    const why = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new NoAnswer('judge.unavailable', `the package \`${name}\` cannot be loaded, install it beside countersign: ${why}`)
  }
  const found = typeof module === 'object' && module !== null ? Reflect.get(module, key) : undefined
  if (typeof found !== 'function') throw new NoAnswer('judge.unavailable', `\`${name}\` exports no function \`${key}\``)
  return found as Callable
}
