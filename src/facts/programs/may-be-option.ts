import type { CommandContext, CommandSpec, Role, Word } from '../host.ts'
import { doubt } from '../resources/doubt.ts'
import type { Reading } from './options.ts'

/** Words nobody knows that stand where an option may: `sort $(…) a b` writes `a` where they turn out to be `-o`. */

/** What a program does with the value of an option, where it is more than looking. */
const ACTING = /^(?:write|append|delete|send|script|program|load|code(?::\w+)?)$/

const acting = new WeakMap<CommandSpec, boolean>()

/** Whether an option of the spec writes, sends or runs what it is given. Of a spec whose options are read by code nothing is told. */
function hasActing(spec: CommandSpec): boolean {
  const known = acting.get(spec)
  if (known !== undefined) return known
  const found = Object.values(spec.options ?? {}).some((role: Role) => ACTING.test(role))
  acting.set(spec, found)
  return found
}

/** Not quoted, or a list of words: what comes of it may begin with a dash. A quoted word is taken for the name that it stands for. */
function mayBeOption({ text, prefix, raw }: Word): boolean {
  if (text !== null) return false
  if (/^--?$/.test(prefix)) return true
  return prefix === '' && raw !== undefined && /^(?:[$`]|"\$(?:@|\{@|\{!?\w+\[@\]))/.test(raw)
}

/**
 * Says which word may be an option that writes or runs something; nothing where no option of the program does. It is no hazard
 * by itself: few such words are options, but whoever permits what only reads must know.
 */
export function reportDoubtfulWords({ parsed, spec, unresolved }: Reading, context: CommandContext): void {
  // A subcommand that is not known is opaque already.
  if (spec.stopAtOperand === true || parsed.inert || unresolved?.text === null) return
  const word = parsed.operands.find(mayBeOption) ?? parsed.unknown.find(mayBeOption)
  if (word === undefined || parsed.rest.includes(word) || !hasActing(spec)) return
  const program = [parsed.invocation.name, ...parsed.path].join(' ')
  doubt(`\`${word.raw ?? word.prefix}\` may be an option of \`${program}\` that writes or runs something`, { span: word.span, context })
}
