/** What sections read alike from a written text: patterns of tools and lengths of time. */
import { readDuration } from '../contracts/dates.ts'
import { compileToolPattern, type ToolPattern } from '../glob.ts'
import type { Located } from '../reading/fields.ts'
import type { CompileContext } from '../section.ts'

const SECOND = 1_000
const DAY = 86_400 * SECOND

/** Null after an error was reported. `strict` as in `compileToolPattern`: true (default) for what permits, false for what raises. */
export function toolPatternOf(
  { value, at }: Located<string>,
  { reader }: CompileContext,
  { strict = true }: { readonly strict?: boolean } = {},
): ToolPattern | null {
  try {
    return compileToolPattern(value, { strict })
  } catch (error) {
    reader.fail({ code: 'policy.pattern', message: `\`${value}\`: ${error instanceof Error ? error.message : 'not a pattern'}`, at })
    return null
  }
}

export interface Span {
  /** Milliseconds where nothing is written, and after an error. */
  readonly otherwise: number
  /** The longest, in milliseconds. */
  readonly most: number
  readonly context: CompileContext
}

/** Milliseconds of a written time; reports one that is none or too long, and goes on with the default. */
export function durationOf(written: Located<string> | undefined, { otherwise, most, context }: Span): number {
  if (written === undefined) return otherwise
  const time = readDuration(written.value)
  if (time !== undefined && time > 0 && time <= most) return time
  const days = most % DAY === 0
  context.reader.fail({
    code: 'policy.wrong_value',
    message: `\`${written.value}\` is no time from 1ms to ${days ? `${most / DAY}d` : `${most / SECOND}s`}`,
    help: days ? 'write it as `15m`, `2h` or `90s`' : 'write it as `10s` or `500ms`',
    at: written.at,
  })
  return otherwise
}
