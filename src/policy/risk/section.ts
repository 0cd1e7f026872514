/** The risk of a run: how fast it fades, and from which score on calls are marked, asked about and the session is stopped. */
import { isScalar } from 'yaml'
import { described, type Field, listOf, located, text, wrongType } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import { section } from '../section.ts'
import { people } from '../sections/approval-scopes.ts'
import { durationOf } from '../sections/written.ts'
import type { RiskSection } from './model.ts'

const HALF_LIFE = 30 * 60_000
const DAY = 86_400_000
/** Six denials close together. */
export const FLAG_AT = 0.8

const score: Field<number | 'never'> = {
  expects: 'a number above 0, at most 1, or `never`',
  schema: { anyOf: [{ type: 'number', exclusiveMinimum: 0, maximum: 1 }, { const: 'never' }] },
  read: (node, reader, key) => {
    const value: unknown = isScalar(node) ? node.value : null
    if (value === 'never') return value
    if (typeof value === 'number' && value > 0 && value <= 1) return value
    return wrongType(score, node, { reader, key })
  },
}

export const risk = section({
  fields: () => ({
    risk: described(
      record({
        half_life: described(located(text), 'After which time a denial, question or flag weighs half; default `30m`, at most `1d`.'),
        flag_at: described(score, `Score from which calls that change something are marked; default ${FLAG_AT}.`),
        ask_at: described(score, 'Score from which people are asked about calls that change something; default `never`.'),
        halt_at: described(score, 'Score from which the session is stopped until a person lets it go on; default `never`.'),
        approvers: described(listOf(text), 'Who must all agree to what is asked because of the risk; default any approver.'),
      }),
      'What a session was denied, asked about and flagged for adds up to a score from 0 to 1 that fades.',
    ),
  }),
  compile: (values, context): { risk: RiskSection } => {
    const { half_life: half, flag_at: flag = FLAG_AT, ask_at: ask = 'never', halt_at: halt = 'never', approvers = [] } = values.risk ?? {}
    return {
      risk: {
        halfLife: durationOf(half, { otherwise: HALF_LIFE, most: DAY, context }),
        flagAt: pointOf(flag),
        askAt: pointOf(ask),
        haltAt: pointOf(halt),
        approvers: people(approvers),
      },
    }
  },
})

function pointOf(value: number | 'never'): number | null {
  return value === 'never' ? null : value
}
