import type { Certainty, TargetKind } from '../effect.ts'
import type { CommandContext, CommandSpec, ParsedCommand, Role, Word } from '../host.ts'
import { type Doing, doing, list, takes } from './tool.ts'
import { isHelp } from './unknown/spoken.ts'
import { inferredAct } from './unknown/unknown.ts'

/**
 * Programs whose words say what they do, one line for each thing they can do. What no line knows is read as the words of an
 * unknown program are: a word that says delete, publish or change is a claim.
 */

/** What it does where the words match; null where it only looks. */
export type Line = readonly [what: Doing | null, words: RegExp]

export interface Wording {
  /** What it acts on: `sentry project`. */
  readonly on: string
  readonly kind?: TargetKind
  /**
   * Matched in this order against the operands, then the options, joined by blanks; words that are not known are NUL. `^` is
   * the first operand, ` --x` an option. The first that matches decides.
   */
  readonly lines: readonly Line[]
  /** Options with a value that is no operand. */
  readonly valued?: string
  readonly flags?: string
  readonly roles?: Readonly<Record<string, Role>>
  /** Options that make it only explain or pretend, beside `--help` and `--version`. */
  readonly inert?: string
  /** Where no line matches: an act, or null where it only looks. Absent: what its words claim. */
  readonly otherwise?: Doing | null
  readonly certainty?: Certainty
  /** It is the client of a service: its words may be names, too. */
  readonly remote?: true
}

/** The words of a command line as the lines see them. */
function said({ operands, invocation }: ParsedCommand): string {
  const text = (words: readonly Word[]) => words.map((word) => word.text ?? '\0').join(' ')
  return `${text(operands)} ${text(invocation.args.filter(({ prefix }) => prefix.startsWith('-')))}`
}

interface Said {
  readonly operands: readonly Word[]
  readonly context: CommandContext
}

function perform(what: Doing, { on, kind = 'resource', certainty }: Wording, { operands, context }: Said): void {
  const { verb, action } = doing(what)
  const reversible = verb !== 'delete' && verb !== 'publish' && verb !== 'send'
  const [file] = verb === 'send' ? operands.filter(({ text, prefix }) => FILE.test(text ?? prefix)) : []
  if (file !== undefined) context.emit('read', context.path(file), { span: file.span })
  const attributes = file === undefined ? {} : { carries: 'file', from: file.text ?? file.prefix }
  context.emit(verb, context.thing(kind, on), { action, reversible, attributes, ...(certainty === undefined ? {} : { certainty }) })
}

/** What is sent: a path, or a name that only files have. */
const FILE = /^(?:[~.]{0,2}\/|\.[A-Za-z]|[\w-]{1,80}\.[A-Za-z]\w{0,4}$)/

/** Words that only look, wherever they stand, and what sets up the client itself. */
const LOOKS = new RegExp(
  String.raw`(?:^|[ :])(?:list|ls|show|get|describe|view|status|info|search|find|version|help|logs?|tail|whoami|check|validate|lint` +
    String.raw`|diff|verify|explain|history|query|inspect|test|completion|docs|open|login|logout|config|context|doctor|health|export` +
    String.raw`|generate|template|render|preview|plan|dump-\S+|list-\S+|get-\S+|show-\S+|describe-\S+)\b`,
)

/** Whether words that no table knows begin with what looks like a subcommand, and none of them is a look: no silence. */
export function isUnheard(words: string): boolean {
  return /^[a-z][\w-]*(?: |$)/.test(words) && !LOOKS.test(words)
}

/** What the words of a program claim that no line knows. */
function claimed({ on, remote }: Wording, parsed: ParsedCommand, context: CommandContext): void {
  const claim = inferredAct(parsed.operands)
  if (claim === null) {
    const words = parsed.operands.map(({ text }) => text ?? '').join(' ')
    if (remote === true ? words !== '' && !LOOKS.test(words) : isUnheard(words))
      context.emit('execute', context.thing('program', parsed.invocation.name), { action: 'program:unknown', certainty: 'likely' })
    return
  }
  const { name } = parsed.invocation
  const reason = `\`${claim.what}\` is no subcommand of \`${name}\` this gate knows; its words say so`
  const reversible = claim.verb === 'change'
  context.emit(claim.verb, context.thing('resource', `${on} ${claim.what}`), {
    action: claim.action,
    certainty: 'likely',
    reversible,
    reason,
  })
}

/** A program by its words. */
export function wording(wording: Wording): CommandSpec {
  const { lines, valued = '', flags = '', roles = {}, inert = '', otherwise } = wording
  return {
    flags: list(flags),
    options: { ...takes(valued), ...roles },
    operands: ['data'],
    inert: ['--help', '--version', ...list(inert)],
    refine: (parsed, context) => {
      if (isHelp(parsed.operands[0]?.text ?? '')) return
      const words = said(parsed)
      const line = lines.find(([, pattern]) => pattern.test(words))
      const what = line === undefined ? otherwise : line[0]
      if (what !== undefined && what !== null) perform(what, wording, { operands: parsed.operands, context })
      if (line !== undefined || what !== undefined) return
      if (words.startsWith('\0')) context.opaque(`what \`${parsed.invocation.name}\` does is not known before it runs`)
      else claimed(wording, parsed, context)
    },
  }
}
