/** Which API a request speaks, by its path alone: upstreams differ in what stands before. */
import { anthropic } from './anthropic/api.ts'
import type { ApiName, ModelApi } from './api.ts'
import { chat } from './chat/api.ts'
import { gemini } from './gemini/api.ts'
import { responses } from './responses/api.ts'

/** Names of routes where they are counted. */
export const LABELS = ['anthropic', 'chat', 'responses', 'gemini', 'other', 'unknown', 'uninspected'] as const
export type Label = (typeof LABELS)[number]

export type Route =
  /** Its answer proposes calls. */
  | { readonly kind: 'judged'; readonly api: ModelApi; readonly label: ApiName }
  /** Its answer cannot hold a call that a client would run. */
  | { readonly kind: 'plain'; readonly label: 'other' }
  /** Nobody knows: its answer passes unless a call could be in it. */
  | { readonly kind: 'unknown'; readonly label: 'unknown' }
  /** Calls come by it in a way that is not looked into. */
  | { readonly kind: 'uninspected'; readonly label: 'uninspected'; readonly what: string }

const JUDGED: readonly (readonly [pattern: RegExp, api: ModelApi])[] = [
  [/\/messages$/, anthropic],
  [/\/publishers\/anthropic\/models\/[^/]+:(?:streamR|r)awPredict$/, anthropic],
  [/\/chat\/completions$/, chat],
  [/\/responses$/, responses],
  [/:(?:generateContent|streamGenerateContent)$/, gemini],
]

/** A response that was made in the background, or is told once more. */
const FETCHED = /\/responses\/(?!input_tokens$|compact$)[^/]+(?:\/cancel)?$/

const PLAIN: readonly RegExp[] = [
  /^\/(?:v\d[a-z0-9]*\/)?models(?:\/[^:]*)?$/,
  /\/messages\/count_tokens$/,
  /:(?:countTokens|embedContent|batchEmbedContents)$/,
  /\/(?:embeddings|moderations|tokenize|files|uploads|images|audio|videos|vector_stores)(?:\/|$)/,
  /\/(?<!\/chat\/)completions$/,
  /\/responses\/(?:input_tokens|compact|[^/]+\/input_items)$/,
]

const UNINSPECTED: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/\/(?:messages\/)?batches(?:\/|$)/, 'answers of batches'],
  [/:batchGenerateContent$/, 'answers of batches'],
  [/\/(?:threads|assistants)(?:\/|$)/, 'runs of assistants'],
  [/\/realtime(?:\/|$)/, 'realtime sessions'],
  [/:(?:bidiGenerateContent|BidiGenerateContent)$/, 'live sessions'],
  [/\/(?:invoke|invoke-with-response-stream|converse|converse-stream)$/, 'answers in frames of another kind'],
]

/** @param path without its query, below the prefix of the upstream. */
export function routeOf(method: string, path: string): Route {
  const known = method === 'POST' ? JUDGED.find(([pattern]) => pattern.test(path)) : undefined
  if (FETCHED.test(path)) return { kind: 'judged', api: responses, label: 'responses' }
  if (known !== undefined) return { kind: 'judged', api: known[1], label: known[1].name }
  const odd = UNINSPECTED.find(([pattern]) => pattern.test(path))
  if (odd !== undefined) return { kind: 'uninspected', label: 'uninspected', what: odd[1] }
  if (isClear(path) && PLAIN.some((pattern) => pattern.test(path))) return { kind: 'plain', label: 'other' }
  return { kind: 'unknown', label: 'unknown' }
}

/** Nothing in it that a server could read as another path. */
function isClear(path: string): boolean {
  return /^(?:\/[A-Za-z0-9_~@:-][A-Za-z0-9._~@:-]*)+$/.test(path)
}

/** True where the policy has the answers of this path sent on unseen. */
export function isUnseen(path: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const source = pattern
      .split('*')
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')
    return new RegExp(`^${source}$`).test(path)
  })
}
