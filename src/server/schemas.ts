/** The shapes of what goes over the wire. Bodies are checked against them, and the OpenAPI document shows them. */
import Type, { type TSchema } from 'typebox'
import { STATUSES } from '../approvals/machine.ts'
import { PERSON_ROLES } from './auth/caller.ts'

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()])
export const Instant = Type.String({ description: 'ISO 8601, in UTC' })
export const Anything = Type.Unknown({ description: 'any JSON' })
/** Names are the agent's: any key may occur. */
export const Counts = Type.Record(Type.String(), Type.Integer())

const choice = <const T extends readonly string[]>(values: T) => Type.Enum([...values] as [...T])

export const Verdict = choice(['allow', 'flag', 'ask', 'deny', 'halt'])
export const Status = choice(STATUSES)

export const ErrorBody = Type.Object({
  error: Type.String({ description: 'a reason code' }),
  message: Type.String(),
  pointer: Type.Optional(Type.String({ description: 'JSON pointer into the body' })),
})

const Principal = Type.Object({
  agent: Type.Optional(nullable(Type.String())),
  role: Type.Optional(nullable(Type.String())),
  user: Type.Optional(nullable(Type.String())),
  tenant: Type.Optional(nullable(Type.String())),
  chain: Type.Optional(Type.Array(Type.String())),
})

export const Call = Type.Object({
  tool: Type.String(),
  args: Type.Record(Type.String(), Anything),
  server: Type.Optional(nullable(Type.String())),
  principal: Type.Optional(nullable(Principal)),
  session: Type.Optional(nullable(Type.String())),
  subagent: Type.Optional(
    nullable(Type.String({ description: 'the agent of the session that proposes the call, where another agent started it' })),
  ),
  cwd: Type.Optional(nullable(Type.String())),
  context: Type.Optional(
    nullable(Type.Object({ task: Type.Optional(nullable(Type.String())), recent: Type.Optional(Type.Array(Anything)) })),
  ),
  definition: Type.Optional(nullable(Anything)),
  approval: Type.Optional(nullable(Type.String({ description: 'token of an approval; or send it as `Countersign-Approval`' }))),
  call_id: Type.Optional(
    nullable(Type.String({ description: 'the same id with the same call is answered the same; with another call, denied' })),
  ),
})

export const ApprovalReference = Type.Object({
  id: Type.String(),
  url: nullable(Type.String()),
  expires_at: Instant,
  token: Type.Optional(Type.String({ description: 'told once: lets exactly this call be sent again' })),
})

export const Decision = Type.Object({
  decision: Verdict,
  would: Type.Optional(Verdict),
  code: Type.String(),
  reason: Type.Optional(Type.String({ description: 'operator text; not in a strict body' })),
  agent_reason: Type.String(),
  audit_entry_id: nullable(Type.String()),
  session: nullable(Type.String()),
  approval: nullable(ApprovalReference),
  call_digest: Type.Optional(Type.String()),
  policy_digest: Type.Optional(Type.String()),
  policy: Type.Optional(Anything),
  mode: Type.Optional(choice(['enforce', 'shadow'])),
  findings: Type.Optional(Type.Array(Anything)),
  determining: Type.Optional(Type.Array(Type.Integer())),
  resolutions: Type.Optional(Type.Array(Anything)),
  effects: Type.Optional(Type.Array(Anything)),
  risk: Type.Optional(Type.Object({ level: Type.String(), score: Type.Number() })),
  timings_us: Type.Optional(Counts),
  error: Type.Optional(Type.Literal('refused')),
  status: Type.Optional(Type.Literal('escalated')),
  receipt: Type.Optional(Type.String({ description: 'signed; only where it was asked for' })),
  correlation_id: Type.Optional(nullable(Type.String())),
  modified_arguments: Type.Optional(
    Type.Record(Type.String(), Anything, { description: 'people agreed to the call with these arguments instead: send it with them' }),
  ),
  original_call_digest: Type.Optional(Type.String()),
  repeats: Type.Optional(Type.Boolean({ description: 'this `call_id` was let run before; it rests on the same approval' })),
})

export const ResultCall = Type.Intersect([Call, Type.Object({ result: Anything })])
export const Note = Type.Object({ note: nullable(Type.String({ description: 'what the agent should know of the result' })) })

const Answer = Type.Object({
  by: Type.String(),
  verdict: choice(['approve', 'deny']),
  reason: Type.String(),
  at: Instant,
  break_glass: Type.Boolean(),
  in_the_stead_of: nullable(Type.String()),
  scope: choice(['once', 'session', 'apply', 'grant']),
  fast: Type.Boolean({ description: 'approved sooner than a person can read it' }),
})

export const ApprovalView = Type.Object({
  id: Type.String(),
  status: Status,
  version: Type.Integer(),
  created_at: Instant,
  approve_by: Instant,
  use_by: nullable(Instant),
  session: nullable(Type.String()),
  tenant: nullable(Type.String()),
  principal: nullable(Principal),
  tool: nullable(Type.String()),
  server: nullable(Type.String()),
  call_digest: nullable(Type.String()),
  policy_digest: Type.String(),
  code: nullable(Type.String()),
  reason: nullable(Type.String()),
  sheet: Type.Record(Type.String(), Anything),
  terms: Type.Object({
    quorum: Type.Integer(),
    excluded: Type.Array(Type.String()),
    approvers: nullable(Type.Array(Type.String())),
    chain: Type.Array(Type.String()),
    break_glass: Type.Array(Type.String()),
    delegates: Type.Array(Type.Object({ from: Type.String(), to: Type.String(), until: nullable(Instant) })),
  }),
  current_approver: nullable(Type.String()),
  yes: Type.Integer(),
  answers: Type.Array(Answer),
  scope: choice(['once', 'session', 'apply', 'grant']),
  uses: Type.Integer(),
  edit: nullable(Type.Record(Type.String(), Anything)),
  group: nullable(Type.String()),
  alike: nullable(Type.String()),
  proposals: Type.Array(Anything),
  withheld: Type.Optional(Type.Array(Anything)),
  decision_id: nullable(Type.String()),
  applied: nullable(
    Type.Object(
      { by: Type.String(), at: Instant, record: Type.String(), problem: nullable(Type.String()) },
      { description: 'what became of the changes of the preview, where people had them made' },
    ),
  ),
})

/** What an agent sees of its own ask (D13). */
export const ApprovalStatus = Type.Object(
  { id: Type.String(), status: Status, expires_at: Instant, message: Type.String() },
  { additionalProperties: false },
)

export const Login = Type.Object({
  name: Type.String(),
  role: choice(PERSON_ROLES),
  tenant: nullable(Type.String()),
  csrf: nullable(Type.String()),
})

/** A whole number in a query. */
export const Whole = Type.String({ pattern: '^[0-9]{1,15}$' })
export const Text = Type.String({ minLength: 1, maxLength: 1_000 })
export const choices = choice
