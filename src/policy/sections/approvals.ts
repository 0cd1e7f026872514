/** Who answers what the gate asks of people: clocks, quorum, approvers, caps, and how long a no is remembered. */

import type { ApprovalsSection } from '../policy.ts'
import { described, flag, type Located, listOf, located, mapOf, oneOf, text, whole } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import { type CompileContext, section } from '../section.ts'
import { budgetField, compileScopes, DAY, delegatesField, people, scopesField } from './approval-scopes.ts'
import { channelField, compileChannels } from './channels.ts'
import { durationOf } from './written.ts'

const MINUTE = 60_000

const approvalsField = record({
  approve_within: described(
    located(text),
    'Time in which people can answer, such as `15m`; default 15m, at most 7d. Then the answer is no.',
  ),
  use_within: described(located(text), 'Time in which an approved call must run; default 5m, at most 1d.'),
  quorum: described(located(whole(1, 20)), 'How many different people must agree; default 1.'),
  exclude_requester: described(flag, 'Whoever asked may not approve: the agent, or the user where no agent is named. Default true.'),
  four_eyes: described(flag, 'The user behind an agent may not approve either. Default false.'),
  approvers: described(
    mapOf(located(listOf(text))),
    'Who may approve, by role of the caller; `*` for every other. Default: anyone who can run `countersign approvals`.',
  ),
  break_glass: described(listOf(text), 'Who may approve alone, with a reason and loudly in the log. Default nobody.'),
  delegates: delegatesField,
  scopes: scopesField,
  max_pending: described(
    record({
      session: described(whole(1, 1_000), 'Calls of one session; default 20.'),
      tenant: described(whole(1, 100_000), 'Calls of one tenant; default 1000.'),
    }),
    'How many calls may wait for people at the same time. One more is denied.',
  ),
  budget: budgetField,
  denials: described(
    record({
      limit: described(whole(1, 100), 'Denials after which the same effect on the same target is not asked again; default 1.'),
      within: described(located(text), 'How long a denial is remembered; default 1h, at most 7d.'),
      scope: described(oneOf(['session', 'user']), 'Whose denials are counted together; default `session`.'),
    }),
    'A no is remembered, so that nobody is asked until they say yes.',
  ),
  channels: described(listOf(channelField), 'Who is told of what waits, and may answer from there: webhooks, Slack, programs.'),
})

export const approvals = section({
  fields: () => ({ approvals: described(approvalsField, 'What the gate asks of people.') }),
  compile: (values, context): { approvals: ApprovalsSection } => {
    const raw = values.approvals
    const approvers = new Map([...(raw?.approvers ?? [])].map(([role, { value }]) => [role, people(value)]))
    checkQuorum(raw?.quorum, raw?.approvers ?? new Map(), context)
    return {
      approvals: {
        approveWithin: durationOf(raw?.approve_within, { otherwise: 15 * MINUTE, most: 7 * DAY, context }),
        useWithin: durationOf(raw?.use_within, { otherwise: 5 * MINUTE, most: DAY, context }),
        quorum: raw?.quorum?.value ?? 1,
        excludeRequester: raw?.exclude_requester ?? true,
        fourEyes: raw?.four_eyes ?? false,
        approvers,
        breakGlass: people(raw?.break_glass ?? []),
        maxPending: { session: raw?.max_pending?.session ?? 20, tenant: raw?.max_pending?.tenant ?? 1_000 },
        ...compileScopes({ scopes: raw?.scopes, budget: raw?.budget, delegates: raw?.delegates }, context),
        denials: {
          limit: raw?.denials?.limit ?? 1,
          within: durationOf(raw?.denials?.within, { otherwise: 60 * MINUTE, most: 7 * DAY, context }),
          scope: raw?.denials?.scope ?? 'session',
        },
        channels: compileChannels(raw?.channels ?? [], context),
      },
    }
  },
})

/** A quorum that nobody can reach would be found out only when it is needed (as NetApp refuses it). */
function checkQuorum(
  quorum: Located<number> | undefined,
  approvers: ReadonlyMap<string, Located<readonly string[]>>,
  { reader }: CompileContext,
): void {
  for (const [role, { value, at }] of approvers) {
    const count = people(value).length
    if (count >= (quorum?.value ?? 1)) continue
    const message = `\`${role}\` has ${count} approvers, but the quorum is ${quorum?.value ?? 1}`
    reader.fail({ code: 'policy.wrong_value', message, help: 'name more people, or lower the quorum', at })
  }
}
