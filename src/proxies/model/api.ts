/** What the proxy and the APIs that it speaks ask of each other. An API knows its wire; it judges nothing. */
import type { ToolDefinition } from '../../core/call.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Located, Path } from './json.ts'
import type { Withheld, WithheldLookup } from './responses/withheld.ts'
import type { Frame } from './sse.ts'

export const API_NAMES = ['anthropic', 'chat', 'responses', 'gemini'] as const
export type ApiName = (typeof API_NAMES)[number]

/** A call that the model proposes, as its client would read it. */
export interface Proposal {
  readonly server: string | null
  readonly name: string
  /** Arguments: JSON text, or the text that a tool takes instead of arguments. */
  readonly form: 'json' | 'text'
  readonly input: string
}

/** Why a part of an answer cannot be judged. */
export interface Unjudged {
  readonly why: 'uninspected' | 'incomplete' | 'mismatch'
  /** In a few words, for the log. */
  readonly what: string
  /** The tool that it seems to be about, where that is known. */
  readonly name: string | null
  /** What was not judged, for the log; it is cut where it is long. */
  readonly sample: string
}

export type Ruling =
  | { readonly kind: 'run' }
  /** People changed the arguments: the call runs with these, in the form of the proposal. */
  | { readonly kind: 'change'; readonly input: string }
  /** What is said in its place. */
  | { readonly kind: 'block'; readonly text: string }

/** A call that was decided, unless people are asked: then `wait` waits for them. */
export interface Begun {
  /** Null: people are asked. */
  readonly ruling: Ruling | null
  /** What holds in the end. */
  readonly wait: () => Promise<Ruling>
}

export interface Judge {
  /** Decides the call as far as that goes without people, so that those who are asked see all calls of an answer at once. Never rejects. */
  readonly begin: (proposal: Proposal) => Promise<Begun>
  /** The policy's answer to what could not be judged. */
  readonly unjudged: (unjudged: Unjudged) => Promise<Ruling>
  /** True where the request offered a tool of this kind that the provider runs itself, and it was let through. */
  readonly offered: (kind: string) => boolean
  /** Told of calls that the provider remembers and the client never saw, before their answer ends. */
  readonly withheld?: (withheld: Withheld) => Promise<void>
}

/** A result that the client hands back for an earlier call. */
export interface ToolResult {
  readonly server: string | null
  readonly name: string
  readonly args: Json
  readonly result: Json
  /** Names the call within the conversation. */
  readonly id: string
}

/** A tool of the request that the provider runs by itself: it is judged before it can be used, for afterwards is too late. */
export interface ProviderTool {
  readonly server: string | null
  readonly name: string
  /** Its settings, without what is secret. */
  readonly args: JsonObject
  /** What items and blocks of its runs are called in an answer. */
  readonly kinds: readonly string[]
  /** Where it stands in the request. */
  readonly places: readonly Path[]
  /** True where the API can ask the client about each of its calls. */
  readonly asksClient: boolean
}

/** What a request says besides its prompt. */
export interface RequestFacts {
  /** True where the answer will be a stream of events. */
  readonly streamed: boolean
  /** The last message of the user; null where there is none. */
  readonly task: string | null
  /** The first message of the user: names a conversation that has no other name. */
  readonly opening: string | null
  /** The session as the client names it. */
  readonly session: string | null
  readonly definitions: ReadonlyMap<string, ToolDefinition>
  readonly providerTools: readonly ProviderTool[]
  readonly results: readonly ToolResult[]
  /** Settings under which its answer could not be looked into: they go. */
  readonly strip?: readonly Path[]
  /** The answer of an earlier request that this one goes on from. */
  readonly previous?: string | null
  /** The conversation that its provider keeps, where it names one. */
  readonly conversation?: string | null
}

/** Bytes for the client. */
export type Output = readonly (Buffer | string)[]

/** Takes an answer event by event. What is not decided stays inside. */
export interface StreamRewriter {
  /** In order, and only one at a time. */
  readonly frame: (frame: Frame) => Output | Promise<Output>
  /** The upstream is done: `ended` as it should, `cut` in the middle. */
  readonly end: (how: 'ended' | 'cut') => Promise<Output>
}

export interface ModelApi {
  readonly name: ApiName
  /** Null where the request is not what the API takes: then nobody knows what it asks for. */
  readonly request: (body: Located, path: string) => RequestFacts | null
  /** The request with what its provider waits for, as answers were changed before. Absent: providers of this API remember nothing. */
  readonly answering?: (body: Located, book: WithheldLookup) => string
  /** The body to send on; the same text where nothing was changed. Null: it cannot be inspected. */
  readonly whole: (body: Located, judge: Judge) => Promise<string | null>
  readonly stream: (judge: Judge) => StreamRewriter
  /** Keeps a waiting client from giving up; changes nothing for any reader. */
  readonly heartbeat: Buffer
  /** An error as this API words it. */
  readonly fault: (status: number, message: string) => JsonObject
}
