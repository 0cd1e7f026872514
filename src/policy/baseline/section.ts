/** The baseline of roles: what is learned, from how many bits of surprise on calls are flagged and asked about. */
import { isScalar } from 'yaml'
import { MAX_NEW_BITS } from '../../core/behaviour.ts'
import { described, type Field, flag, type Located, listOf, located, text, whole, wrongType } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import { type CompileContext, section } from '../section.ts'
import { durationOf } from '../sections/written.ts'
import { type BaselineSection, LEARNING } from './model.ts'

const DAY = 86_400_000
const MAX_DAYS = 365
const MAX_BITS = 64
/** Of a known role that does much the same every day, about one call in a hundred is as far. */
export const FLAG_AT = 9
/** Below this, ordinary calls are asked about all day. */
const FEW_BITS = 8

const bits: Field<number | 'never'> = {
  expects: `a number above 0, at most ${MAX_BITS}, or \`never\``,
  schema: { anyOf: [{ type: 'number', exclusiveMinimum: 0, maximum: MAX_BITS }, { const: 'never' }] },
  read: (node, reader, key) => {
    const value: unknown = isScalar(node) ? node.value : null
    if (value === 'never') return value
    if (typeof value === 'number' && value > 0 && value <= MAX_BITS) return value
    return wrongType(bits, node, { reader, key })
  },
}

export const baseline = section({
  fields: () => ({
    baseline: described(
      record({
        roles: described(listOf(located(text)), 'Roles whose calls are learned and compared; default all, and calls without a role.'),
        flag_at: described(
          located(bits),
          `Bits of surprise from which a call is flagged; default ${FLAG_AT}. One bit more is half as likely.`,
        ),
        ask_at: described(located(bits), 'Bits of surprise from which people are asked, once the role is known; default `never`.'),
        freeze: described(flag, 'Learn nothing more and hold calls to what is known; default `false`.'),
        warm_up: described(
          whole(5, 100_000),
          `Sessions after which a role is known; until then calls are only flagged. Default ${LEARNING.warmUp}.`,
        ),
        quarantine: described(
          located(text),
          `How long something new waits that nobody flagged or reviewed; default \`${LEARNING.quarantineDays}d\`.`,
        ),
      }),
      'What calls of a role usually look like is learned from the log; a call far from it is flagged or asked about. Absent: nothing is learned.',
    ),
  }),
  compile: (values, context): { baseline: BaselineSection | null } => {
    const written = values.baseline
    if (written === undefined) return { baseline: null }
    const { roles, flag_at: flagAt, ask_at: askAt, freeze = false, warm_up: warmUp = LEARNING.warmUp, quarantine } = written
    lintLevels({ flagAt, askAt }, context)
    const otherwise = LEARNING.quarantineDays * DAY
    return {
      baseline: {
        learns: !freeze,
        roles: roles === undefined ? null : new Set(roles.map(({ value }) => value)),
        flagAt: pointOf(flagAt?.value ?? FLAG_AT),
        askAt: pointOf(askAt?.value ?? 'never'),
        warmUp,
        quarantineDays: Math.ceil(durationOf(quarantine, { otherwise, most: MAX_DAYS * DAY, context }) / DAY),
      },
    }
  },
})

function pointOf(value: number | 'never'): number | null {
  return value === 'never' ? null : value
}

interface Levels {
  readonly flagAt: Located<number | 'never'> | undefined
  readonly askAt: Located<number | 'never'> | undefined
}

function lintLevels({ flagAt, askAt }: Levels, { warn }: CompileContext): void {
  if (flagAt?.value === 'never' && (askAt === undefined || askAt.value === 'never')) {
    warn('lint.baseline_silent', 'a baseline is learned, and no call is ever flagged or asked about for it', flagAt.at)
  }
  if (flagAt !== undefined && flagAt.value !== 'never' && flagAt.value > MAX_NEW_BITS) {
    warn(
      'lint.baseline_new',
      `what is new to a role carries at most ${MAX_NEW_BITS} bits, so it is never flagged for that alone`,
      flagAt.at,
    )
  }
  if (askAt === undefined || askAt.value === 'never') return
  const flags = flagAt?.value ?? FLAG_AT
  if (flags !== 'never' && askAt.value < flags) {
    warn(
      'lint.baseline_levels',
      `people are asked from ${askAt.value} bits on, so \`flag_at: ${flags}\` flags nothing once a role is known`,
      askAt.at,
    )
  }
  if (askAt.value < FEW_BITS) {
    warn('lint.baseline_asks', `at ${askAt.value} bits many ordinary calls are asked about: begin with ${FLAG_AT}`, askAt.at)
  }
}
