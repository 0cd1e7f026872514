/** What a route answers: JSON with a status, or a response of its own. */
import type { Code } from '../core/codes.ts'
import type { Json } from '../core/json.ts'

export interface Reply {
  readonly status: number
  readonly body: Json
  readonly headers?: Readonly<Record<string, string>>
}

/** A text that goes out as it is. */
export interface TextReply {
  readonly status: number
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

export type Answer = Reply | TextReply | Response

export const ok = (body: Json): Reply => ({ status: 200, body })

export interface Fault {
  readonly code: Code
  readonly message: string
  /** JSON pointer into the body. */
  readonly pointer?: string
}

/** The one shape of every error. */
export function refused(status: number, { code, message, pointer }: Fault, headers: Reply['headers'] = {}): Reply {
  return { status, body: { error: code, message, ...(pointer === undefined ? {} : { pointer }) }, headers }
}

/** 413 too large · 422 JSON of the wrong shape · 400 no JSON that can be read. */
export function statusOfRefusal(code: string): 400 | 413 | 422 {
  if (code === 'ingress.too_large') return 413
  return SHAPE.has(code) ? 422 : 400
}

const SHAPE: ReadonlySet<string> = new Set(['ingress.unknown_field', 'ingress.missing_field', 'ingress.wrong_type', 'ingress.bad_name'])

/** The text and its own headers. Nothing that is answered is kept by anybody on the way. */
export function writtenOf(answer: Reply | TextReply): TextReply {
  if ('text' in answer) return answer
  const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...answer.headers }
  return { status: answer.status, headers, text: `${JSON.stringify(answer.body)}\n` }
}

/** With the headers that every answer has. */
export function toResponse(answer: Answer, always: Readonly<Record<string, string>>): Response {
  if (answer instanceof Response) {
    for (const [name, value] of Object.entries(always)) answer.headers.set(name, value)
    return answer
  }
  const { status, text, headers } = writtenOf(answer)
  // One plain object: `Headers` would be made, filled and read out again for each answer.
  return new Response(text, { status, headers: { ...headers, ...always } })
}
