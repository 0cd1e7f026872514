/** Fields of `approvals` that say how far a yes may reach, who stands in for whom, and how often a session may ask. */

import { isSeq } from 'yaml'
import { readDate } from '../contracts/dates.ts'
import type { ApprovalsSection } from '../policy.ts'
import { described, either, type Located, listOf, located, mapOf, text, whole } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import type { CompileContext } from '../section.ts'
import { durationOf } from './written.ts'

const HOUR = 3_600_000
export const DAY = 24 * HOUR

export const scopesField = described(
  record({
    session: described(
      record({
        within: described(located(text), 'How long a yes for the session holds; default 1h, at most 1d.'),
        uses: described(whole(0, 1_000), 'How many calls it lets through; default 20. 0: nobody can give one.'),
      }),
      'A yes for the same effects on the same targets in the same session.',
    ),
    grant: described(
      record({
        within: described(located(text), 'How long the grant holds at most; default 8h, at most 30d.'),
        uses: described(whole(0, 1_000), 'How many uses it has at most; default 5. 0: none is offered.'),
      }),
      'A narrow grant for later calls, handed out together with the yes.',
    ),
  }),
  'How far a yes may reach beyond the one call.',
)

export const budgetField = described(
  record({
    session: described(whole(1, 100_000), 'Questions of one session; default 100.'),
    within: described(located(text), 'In this time; default 1h, at most 1d.'),
  }),
  'How many questions a session may open. One more is denied, whether the others were answered or not.',
)

export const delegatesField = described(
  mapOf(
    either({
      when: isSeq,
      first: listOf(text),
      second: record({
        to: described(listOf(text), 'Who stands in.'),
        until: described(located(text), 'An instant, such as `2026-12-24T18:00:00Z`; default no end.'),
      }),
    }),
  ),
  'Who may answer in whose stead: `alice: [bob]`. Nobody answers twice, and nobody in the stead of who asked.',
)

type Read<F> = F extends { readonly read: (...args: never[]) => infer T | undefined } ? T : never

interface Raw {
  readonly scopes: Read<typeof scopesField> | undefined
  readonly budget: Read<typeof budgetField> | undefined
  readonly delegates: Read<typeof delegatesField> | undefined
}

/** As everywhere in approvals: a bare name is a person. */
export function people(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => (name.includes(':') ? name : `human:${name}`)))]
}

export function compileScopes(
  { scopes, budget, delegates }: Raw,
  context: CompileContext,
): Pick<ApprovalsSection, 'scopes' | 'budget' | 'delegates'> {
  const { session, grant } = scopes ?? {}
  return {
    scopes: {
      session: bounded(session?.uses ?? 20, durationOf(session?.within, { otherwise: HOUR, most: DAY, context })),
      grant: bounded(grant?.uses ?? 5, durationOf(grant?.within, { otherwise: 8 * HOUR, most: 30 * DAY, context })),
    },
    budget: { session: budget?.session ?? 100, within: durationOf(budget?.within, { otherwise: HOUR, most: DAY, context }) },
    delegates: [...(delegates ?? [])].flatMap(([from, given]) => delegations(from, given, context)),
  }
}

function bounded(uses: number, within: number): { readonly uses: number; readonly within: number } | null {
  return uses === 0 ? null : { uses, within }
}

interface StandIns {
  readonly to?: readonly string[] | undefined
  readonly until?: Located<string> | undefined
}

function delegations(name: string, given: readonly string[] | StandIns, { reader }: CompileContext): ApprovalsSection['delegates'] {
  const { to = [], until }: StandIns = isList(given) ? { to: given } : given
  const [from = ''] = people([name])
  const end = until === undefined ? null : (readDate(until.value) ?? Number.NaN)
  if (until !== undefined && Number.isNaN(end))
    reader.fail({
      code: 'policy.wrong_value',
      message: `\`${until.value}\` is no instant`,
      help: 'write it as `2026-12-24T18:00:00Z`',
      at: until.at,
    })
  return people(to).flatMap((each) => (each === from ? [] : [{ from, to: each, until: end }]))
}

function isList(value: readonly string[] | StandIns): value is readonly string[] {
  return Array.isArray(value)
}
