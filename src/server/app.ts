/** The HTTP face of the daemon on its private socket: decisions, native hooks, health. It never decides; it asks the gate. */
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { answerHook, type HookParts } from '../adapters/hooks/claude-code/answer.ts'
import { SEAL } from '../adapters/hooks/claude-code/shim.ts'
import type { Decision } from '../core/decision.ts'
import { isJsonObject } from '../core/json.ts'
import { decisionToJson } from '../core/wire.ts'
import type { Gate } from '../gate.ts'
import { type CallOptions, callFromJson, parseCall } from '../ingress/call.ts'
import { readJson } from '../ingress/json.ts'
import type { Refusal } from '../ingress/refusal.ts'

export interface AppParts {
  readonly gate: Gate
  readonly digester: CallOptions['digester']
  readonly hook: Omit<HookParts, 'entrypoint'>
  /** Why no decision can be made, or null. */
  readonly unready: () => string | null
  readonly version: string
}

const MOST_BYTES = 10 * 1024 * 1024

/** The routes; a failure inside one is answered as a denial, never as success. */
export function createApp(parts: AppParts): Hono {
  const app = new Hono()
  app.use(bodyLimit({ maxSize: MOST_BYTES, onError: (context) => context.json({ error: 'ingress.too_large' }, 413) }))
  app.onError((_error, context) => context.json({ error: 'infra.internal' }, 500))
  app.get('/healthz', (context) => context.json({ status: 'ok', version: parts.version }))
  app.get('/readyz', (context) => {
    const why = parts.unready()
    return why === null ? context.json({ status: 'ready' }) : context.json({ status: 'unready', why }, 503)
  })
  app.post('/v1/hooks/claude-code', async (context) => {
    const bytes = new Uint8Array(await context.req.arrayBuffer())
    const entrypoint = context.req.header('x-countersign-entrypoint') ?? null
    const answer = await answerHook(bytes, { ...parts.hook, entrypoint: entrypoint === '' ? null : entrypoint })
    return context.body(`${JSON.stringify(answer)}\n${SEAL}\n`, 200, { 'content-type': 'application/json' })
  })
  app.post('/v1/decisions', async (context) => {
    const bytes = new Uint8Array(await context.req.arrayBuffer())
    const parsed = parseCall(bytes, { digester: parts.digester })
    if (!parsed.ok) {
      const { code, message } = parsed.refusal
      await parts.gate.refuse({ code, message, digest: parts.hook.digest(bytes), agent: null, session: null, cwd: null })
      return context.json({ error: code, message, pointer: parsed.refusal.pointer }, code === 'ingress.too_large' ? 413 : 400)
    }
    const decision = await parts.gate.decide(parsed.call)
    return context.json(decisionToJson(decision), statusOf(decision))
  })
  app.post('/v1/results', async (context) => answerResult(new Uint8Array(await context.req.arrayBuffer()), parts, context))
  return app
}

/** What a call returned: the call as it was decided, and `result` beside it. Answers what the agent should know of it, or null. */
async function answerResult(bytes: Uint8Array, { digester, hook }: AppParts, context: Context): Promise<Response> {
  const read = readJson(bytes)
  const refuse = ({ code, message, pointer }: Refusal): Response =>
    context.json({ error: code, message, pointer }, code === 'ingress.too_large' ? 413 : 400)
  if (!read.ok) return refuse(read.refusal)
  const { result, ...call } = isJsonObject(read.value) ? read.value : { result: undefined }
  if (result === undefined)
    return context.json({ error: 'ingress.missing_field', message: 'the field `result` is missing', pointer: '/result' }, 400)
  const parsed = callFromJson(Object.assign(Object.create(null), call), { digester })
  if (!parsed.ok) return refuse(parsed.refusal)
  return context.json({ note: await hook.result({ kind: 'result', call: parsed.call, response: result }) })
}

/** 200 allow or flag · 202 ask · 403 deny or halt · 503 where nothing can be recorded. */
function statusOf(decision: Decision): 200 | 202 | 403 | 503 {
  if (decision.code === 'infra.audit_unavailable' || decision.code === 'infra.store_corrupt') return 503
  switch (decision.decision) {
    case 'allow':
    case 'flag':
      return 200
    case 'ask':
      return 202
    case 'deny':
    case 'halt':
      return 403
  }
}
