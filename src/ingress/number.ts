/** Which number literals mean the same to every reader of JSON (T03): what we judge must be what the tool gets. */
import type { IngressCode } from './refusal.ts'

/** What is wrong with a literal that a double cannot carry, or null where all is well. */
export interface NumberFault {
  readonly code: IngressCode
  readonly what: string
}

/** Literals this short, without fraction or exponent, are always safe integers. */
const SURELY_SAFE = 15

/**
 * Checks a literal of the JSON grammar against its value as a double. Refused: values beyond the range, non-zero literals
 * that become zero, integers beyond 2^53-1, and literals with an exponent whose digits do not survive. Ordinary decimals pass.
 */
export function numberFault(literal: string, value: number): NumberFault | null {
  if (literal.length <= SURELY_SAFE && Number.isSafeInteger(value) && value !== 0) return null
  if (!Number.isFinite(value)) return { code: 'ingress.non_finite', what: 'is beyond the range of a double' }
  if (value === 0) return significant(literal) === '' ? null : { code: 'ingress.unsafe_number', what: 'would become 0' }
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return null
  if (/[eE]/.test(literal) && significant(literal) === significant(String(value))) return null
  return { code: 'ingress.unsafe_number', what: 'is an integer beyond 2^53-1, which readers round differently' }
}

/** The digits of a literal without sign, point, exponent, leading and trailing zeros. */
function significant(literal: string): string {
  let end = literal.search(/[eE]/)
  if (end < 0) end = literal.length
  let digits = ''
  let zeros = 0
  for (let i = 0; i < end; i++) {
    const c = literal[i]
    if (c === '-' || c === '.') continue
    if (c === '0') {
      zeros++
      continue
    }
    if (digits !== '') digits += '0'.repeat(zeros)
    zeros = 0
    digits += c
  }
  return digits
}
