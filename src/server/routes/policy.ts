/** The policy for people: what is in force, what is wrong with a text, and what that text would have done. */
import Type from 'typebox'
import type { JsonObject } from '../../core/json.ts'
import { isJsonObject, own } from '../../core/json.ts'
import type { StoredRecord } from '../../store/store.ts'
import { tenantOf } from '../auth/caller.ts'
import { at, pageOf } from '../log.ts'
import type { PolicyFinding, ServerParts } from '../parts.ts'
import { type Answer, ok, refused } from '../reply.ts'
import { type Incoming, type Route, route } from '../route.ts'
import { ErrorBody, nullable } from '../schemas.ts'

const MAX_TEXT = 1_048_576
const MAX_REPLAYED = 2_000

const Finding = Type.Object({
  level: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
  code: Type.String(),
  message: Type.String(),
  help: nullable(Type.String()),
  line: Type.Integer(),
  column: Type.Integer(),
})
const Findings = Type.Object({ findings: Type.Array(Finding) })
const InForce = Type.Object({
  path: nullable(Type.String()),
  digest: nullable(Type.String()),
  mode: nullable(Type.String()),
  degraded: nullable(Type.String({ description: 'why the file as it is now is not in force' })),
  text: Type.String(),
  findings: Type.Array(Finding),
})
const Changed = Type.Object({
  id: Type.String(),
  tool: nullable(Type.String()),
  before: Type.String(),
  after: Type.String(),
  codes: Type.Array(Type.String()),
})
const PolicyText = Type.String({ maxLength: MAX_TEXT })

export function policyRoutes({ policy, policies, store }: ServerParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/policy',
      tag: 'policy',
      summary: 'The policy in force, and what could be better about it',
      who: 'viewer',
      answers: { 200: { description: 'the policy', schema: InForce } },
      handle: () => {
        const state = policy()
        const path = state.policy === null ? state.path : state.policy.path
        const text = policies.text(path)
        const about =
          state.policy === null
            ? { digest: null, mode: null, degraded: state.error }
            : { digest: state.policy.digest, mode: state.policy.mode, degraded: state.degraded }
        return ok({ path, ...about, text, findings: policies.lint(text).map(findingToJson) })
      },
    }),
    route({
      method: 'POST',
      path: '/v1/policy/lint',
      tag: 'policy',
      summary: 'Errors and warnings of a policy, each with its place',
      who: 'viewer',
      mostBytes: MAX_TEXT + 1_024,
      body: Type.Object({ text: PolicyText }, { additionalProperties: false }),
      answers: { 200: { description: 'the findings', schema: Findings } },
      handle: ({ body }) => ok({ findings: policies.lint(body.text).map(findingToJson) }),
    }),
    route({
      method: 'POST',
      path: '/v1/policy/replay',
      tag: 'policy',
      summary: 'What a policy would have done: recorded calls decided again, without recording',
      who: 'admin',
      mostBytes: MAX_TEXT + 1_024,
      body: Type.Object(
        { text: PolicyText, limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_REPLAYED })) },
        { additionalProperties: false },
      ),
      answers: {
        200: { description: 'the decisions that differ', schema: Type.Object({ compared: Type.Integer(), changed: Type.Array(Changed) }) },
        422: { description: 'the text is no policy that can be used', schema: ErrorBody },
      },
      handle: (incoming) => replay(incoming, { store, policies }),
    }),
  ]
}

async function replay(
  { body, caller }: Incoming<{ readonly text: string; readonly limit?: number }>,
  { store, policies }: Pick<ServerParts, 'store' | 'policies'>,
): Promise<Answer> {
  const tenant = tenantOf(caller)
  const page = await pageOf(store, { kind: 'decision', ...(tenant === null ? {} : { tenant }), limit: body.limit ?? 500 })
  const records = page.records.filter(({ body: kept }) => isJsonObject(own(kept, 'call')))
  const again = await policies.replay(
    body.text,
    records.map(({ body: kept }) => kept),
  )
  if (again === null)
    return refused(422, {
      code: 'policy.invalid',
      message: 'the text is no policy that can be used; `POST /v1/policy/lint` says why',
      pointer: '/text',
    })
  const changed: JsonObject[] = []
  for (const [index, record] of records.entries()) {
    const after = again[index]
    const before = judgedAs(record)
    if (after === undefined || after.decision === before) continue
    changed.push({ id: record.id, tool: record.tool, before, after: after.decision, codes: after.codes })
  }
  return ok({ compared: records.length, changed })
}

/** What the layers said; people, grants and judges who lowered it then are not asked again, on either side. */
function judgedAs(record: StoredRecord): string {
  const resolutions = at(record, 'decision', 'resolutions')
  return Array.isArray(resolutions) && resolutions.length > 0 ? 'ask' : (record.decision ?? '')
}

function findingToJson({ level, code, message, help, line, column }: PolicyFinding): JsonObject {
  return { level, code, message, help, line, column }
}
