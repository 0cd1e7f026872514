/** One reader for every host's events: a host says where its fields are, and what it does not say is refused here. */
import type { OtherName, ToolCall, ToolDefinition } from '../core/call.ts'
import type { Code } from '../core/codes.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'
import type { ToolName } from '../core/tool-name.ts'
import { readJson } from '../ingress/json.ts'
import type { HookContext, HookEvent, HostAbout } from './adapter.ts'
import { ownWords } from './own-words.ts'

/** What a host tells of the session that an event belongs to. */
export interface NativeSession {
  /** That of the whole work, where the host gives subagents sessions of their own and says whose they are. */
  readonly session: string | null
  readonly cwd: string | null
  /** The session that the host gave the subagent. Absent or null: it is the main one's, or the host does not tell. */
  readonly subagent?: string | null
  /** Role of a subagent; null for a main session. */
  readonly role?: string | null
}

export interface NativeCall extends NativeSession {
  readonly tool: ToolName
  /** Whatever the host sent; anything but an object is refused. */
  readonly args: Json | undefined
  readonly id: string | null
  readonly definition?: ToolDefinition | null
  /** Arguments that change nothing of what the call does. */
  readonly inert?: readonly string[]
  /** Other names that the tool has or may have. */
  readonly alsoNamed?: readonly OtherName[]
}

export type NativeEvent =
  | { readonly kind: 'call'; readonly call: NativeCall; readonly headless: boolean; readonly via?: string }
  | { readonly kind: 'result'; readonly call: NativeCall; readonly response: Json; readonly failed: boolean }
  | { readonly kind: 'prompt'; readonly session: string | null; readonly text: string | null }
  | { readonly kind: 'refused'; readonly code: Code; readonly message: string; readonly call: NativeCall }
  | { readonly kind: 'other'; readonly session: string | null }

/** Takes one event apart; null for one that the hook was not installed for. */
export type ReadEvent = (input: JsonObject, context: HookContext) => NativeEvent | null

/** The `parse` of a host whose events `read` takes apart. Never throws; what cannot be read is refused with a code. */
export function parserOf(
  agent: string,
  read: ReadEvent,
  { subagents }: Pick<HostAbout, 'subagents'>,
): (bytes: Uint8Array, context: HookContext) => HookEvent {
  return (bytes, context) => {
    const refuse = (code: Code, message: string): HookEvent => ({
      kind: 'refused',
      refused: { code, message, digest: context.digest(bytes), agent, session: null, cwd: null },
    })
    const json = readJson(withoutMark(bytes), context.limits?.())
    if (!json.ok) return refuse(json.refusal.code, json.refusal.message)
    if (!isJsonObject(json.value)) return refuse('ingress.wrong_type', 'the hook input is not a JSON object')
    const event = read(json.value, context)
    if (event === null) return refuse('ingress.unknown_event', 'the hook input is no event that this adapter answers')
    if (event.kind === 'refused') {
      const { session, cwd, tool } = event.call
      const refused = { code: event.code, message: event.message, digest: context.digest(bytes), agent, session, cwd }
      return { kind: 'refused', refused: { ...refused, tool: { ...tool, definition: null } } }
    }
    if (event.kind === 'other') return { kind: 'settings', session: event.session, detail: {} }
    if (event.kind === 'prompt') return promptEvent(event.session, event.text)
    const { args, tool } = event.call
    if (tool.name === '') return refuse('ingress.missing_field', 'the hook input names no tool')
    if (!isJsonObject(args)) return refuse('ingress.wrong_type', 'the arguments of the tool are not an object')
    const call = { ...callFrom(agent, { ...event.call, args }, context), ...(subagents === undefined ? APART : {}) }
    return event.kind === 'call'
      ? { kind: 'call', call, headless: event.headless, ...(event.via === undefined ? {} : { via: event.via }) }
      : { kind: 'result', call, response: event.response, failed: event.failed }
  }
}

const APART = { apart: true } as const

/** A prompt in which nothing is the user's own is none. */
export function promptEvent(session: string | null, prompt: string | null): HookEvent {
  const words = prompt === null ? null : ownWords(prompt)
  return words === null ? { kind: 'settings', session, detail: {} } : { kind: 'prompt', session, text: words }
}

function callFrom(agent: string, native: NativeCall & { readonly args: JsonObject }, context: HookContext): ToolCall {
  const { tool, args, session, cwd, id, role, inert, alsoNamed, subagent = null } = native
  const definition = tool.server === null || context.definitionDigest === undefined ? null : (native.definition ?? null)
  return {
    tool: { ...tool, definition: definition === null ? null : (context.definitionDigest?.(definition) ?? null) },
    args,
    principal: { agent, role: role ?? context.role ?? null, user: context.user, tenant: null, chain: [] },
    session,
    cwd,
    context: { task: null, recent: [] },
    definition,
    approval: null,
    callId: id,
    ...(subagent === null ? {} : { subagent }),
    ...(inert === undefined ? {} : { inert }),
    ...(alsoNamed === undefined ? {} : { alsoNamed }),
  }
}

/** Hosts on Windows begin with a byte order mark. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

/** The text of a field; null where it is none. */
export function text(object: JsonObject, ...keys: readonly string[]): string | null {
  for (const key of keys) {
    const value = own(object, key)
    if (typeof value === 'string') return value
  }
  return null
}

/** Arguments as they are, or as the text that some hosts make of them. */
export function argumentsIn(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string') return value
  const read = readJson(value)
  return read.ok ? read.value : undefined
}
