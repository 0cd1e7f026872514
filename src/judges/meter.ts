/**
 * What asking a judge cost, however it ended: every exchange is counted when it begins, and read when the record is made. One that
 * was sent and whose count never came is bounded by its bytes, so that breaking off is no way to be asked for nothing.
 */
import type { JudgePrice } from '../policy/judges.ts'
import { MAX_TOKENS, type Tokens } from './wires/wire.ts'

export interface Exchanged {
  /** UTF-16 units that went out; a token is at least one of them. */
  readonly sent: number
  /** What its answer counts, as far as it came; null: it does not count. */
  readonly tokens: () => Tokens | null
}

export interface Meter {
  /** Begins an exchange. The function says that it was turned away unread, and so costs nothing. */
  readonly open: (exchanged: Exchanged) => () => void
  /** What was counted; null where nothing was. */
  readonly counted: () => Tokens | null
  /** What it comes to in millionths of the currency; `bounded` where some of it was not counted. */
  readonly cost: (price: JudgePrice) => { readonly micros: number; readonly bounded: boolean }
}

export function createMeter(): Meter {
  const open = new Set<Exchanged>()
  return {
    open: (exchanged) => {
      open.add(exchanged)
      return () => open.delete(exchanged)
    },
    counted: () => {
      const counts = [...open].flatMap(({ tokens }) => tokens() ?? [])
      return counts.length === 0 ? null : summed(counts)
    },
    cost: (price) => {
      const each = [...open].map(({ sent, tokens }) => ({ counted: tokens(), most: { input: sent, output: MAX_TOKENS } }))
      const { input, output } = summed(each.map(({ counted, most }) => counted ?? most))
      const bounded = (price.input > 0 || price.output > 0) && each.some(({ counted }) => counted === null)
      return { micros: Math.ceil(input * price.input + output * price.output + price.call * 1_000_000), bounded }
    },
  }
}

function summed(counts: readonly Tokens[]): Tokens {
  return counts.reduce((sum, { input, output }) => ({ input: sum.input + input, output: sum.output + output }), { input: 0, output: 0 })
}
