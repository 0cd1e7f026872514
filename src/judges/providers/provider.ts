/** How a judge is reached. A provider carries text there and back; it judges nothing, and any failure of it is no answer. */
import type { JsonObject } from '../../core/json.ts'
import type { JudgePolicy, JudgeProvider } from '../../policy/judges.ts'
import { NoAnswer } from '../answer.ts'
import type { Meter } from '../meter.ts'
import type { Marks } from '../parse.ts'
import type { Payload } from '../payload.ts'
import type { Prompt } from '../prompt.ts'
import type { Toolbox } from '../tools/toolbox.ts'
import { ANTHROPIC } from '../wires/anthropic.ts'
import { GOOGLE } from '../wires/google.ts'
import { OPENAI } from '../wires/openai.ts'
import { askAiSdk } from './ai-sdk.ts'
import { askCommand } from './command.ts'
import { askEmbedded } from './embedded.ts'
import { askHttp } from './http.ts'
import { askModel } from './models.ts'

export interface JudgeRequest {
  readonly judge: JudgePolicy
  readonly payload: Payload
  readonly prompt: Prompt
  /** What calls that the judge itself makes are to say of their depth. */
  readonly depth: number
  /** Null: it has none. */
  readonly toolbox: Toolbox | null
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Where every exchange with a model is counted. */
  readonly meter: Meter
}

export interface JudgeReply {
  readonly text: string
  readonly marks: Marks
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** A judge of the host program: gets the payload, answers with one of the two forms as a value. */
export type JudgeFunction = (payload: JsonObject, context: { readonly signal: AbortSignal }) => unknown

export interface ProviderParts {
  readonly fetch: Fetch
  readonly env: (name: string) => string | undefined
  /** By the names under which the policy knows them. */
  readonly functions: ReadonlyMap<string, JudgeFunction>
  /** Loads an optional package. Default: beside this one. */
  readonly load?: (name: string) => Promise<unknown>
}

type Ask = (request: JudgeRequest, parts: ProviderParts) => Promise<JudgeReply>

const PROVIDERS: Readonly<Record<Exclude<JudgeProvider, 'tribunal'>, Ask>> = {
  anthropic: (request, parts) => askModel(ANTHROPIC, request, parts),
  openai: (request, parts) => askModel(OPENAI, request, parts),
  google: (request, parts) => askModel(GOOGLE, request, parts),
  'ai-sdk': askAiSdk,
  http: askHttp,
  command: (request) => askCommand(request),
  function: askFunction,
  embedded: askEmbedded,
}

/** Asks the judge. @throws {NoAnswer} or whatever its transport throws; both are no answer. */
export async function ask(request: JudgeRequest, parts: ProviderParts): Promise<JudgeReply> {
  const { provider } = request.judge
  if (provider === 'tribunal') throw new NoAnswer('judge.unavailable', 'a tribunal has no voice of its own')
  return PROVIDERS[provider](request, parts)
}

async function askFunction({ judge, payload, signal }: JudgeRequest, { functions }: ProviderParts): Promise<JudgeReply> {
  const answer = functions.get(judge.name)
  if (answer === undefined) throw new NoAnswer('judge.unavailable', `the host program provides no judge \`${judge.name}\``)
  const value = await answer(payload.body, { signal })
  const text = JSON.stringify(value)
  if (typeof text !== 'string') throw new NoAnswer('judge.malformed', `the judge \`${judge.name}\` answered with no JSON value`)
  return { text, marks: null }
}
