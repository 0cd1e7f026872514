import type { CommandContext, ParsedCommand, Word } from '../../host.ts'
import { readPath, wordOf, writePath } from '../../resources/acts.ts'
import { textOf } from '../../resources/file-text.ts'
import { knownWord } from '../../resources/text/word.ts'
import { runCalls } from '../unknown/code.ts'

/** Commands of vi's line editor that reach the shell or files: `:!cmd`, `:%!cmd`, `:r !cmd`, `:w path`, `:e path`, one behind the other with `|`. */

const MAX_LINES = 200
const LONGEST_INPUT = 65_536
/** Commands of one line. */
const MAX_PARTS = 32

/** What may stand before a command: how it is done, in which buffers, to which lines. */
const BEFORE = new RegExp(
  String.raw`^(?::+|\s+|(?:sil(?:ent)?!?|uns(?:ilent)?|keep(?:alt|jumps|marks|patterns)|noa(?:utocmd)?|vert(?:ical)?` +
    String.raw`|(?:buf|arg|win|tab|c|cf|l|lf)do!?)(?=[\s:])|(?:g(?:lobal)?!?|v(?:global)?)/(?:[^/\\]|\\.)*/|[%.$,;]|\d+|'[a-zA-Z<>]` +
    String.raw`|[+-]\d*|/(?:[^/\\]|\\.)*/|\?(?:[^?\\]|\\.)*\?)`,
)

const SHELL = /^(?:r(?:ead)?\s*|w(?:rite)?\s+)?!(.*)$/s
const WRITE =
  /^(?:w(?:rite)?|wq|wn(?:ext)?|x(?:it)?|exi(?:t)?|sav(?:eas)?|up(?:date)?|mks(?:ession)?|mkv(?:imrc)?|mkvie(?:w)?|mkexrc|wund(?:o)?|wv(?:iminfo)?)!?\s+(\S.*)$/
const REDIRECT = /^redir?!?\s*>{1,2}\s*(\S+)/
const EDIT = /^(?:e(?:dit)?|tabe(?:dit)?|tabnew|sp(?:lit)?|vs(?:plit)?|fin(?:d)?|vie?w?|arga(?:dd)?|ar(?:gs)?)!?\s+(\S.*)$/
const READ = /^r(?:ead)?\s+(\S.*)$/
const SOURCE = /^(?:so(?:urce)?|ru(?:ntime)?|luaf(?:ile)?|pyf(?:ile)?|py3f(?:ile)?|rubyf(?:ile)?)!?\s+\S/
const CODE = new RegExp(
  String.raw`^(?:lua|py(?:thon)?3?|pyx|perl|rub(?:y)?|exe(?:cute)?|cal(?:l)?|ter(?:minal)?|norm(?:al)?!?.*[:!]|mak(?:e)?|gr(?:ep)?` +
    String.raw`|lmak(?:e)?|lgr(?:ep)?|au(?:tocmd)?|com(?:mand)?)\b`,
)
const SYSTEM = /\b(?:system|systemlist|term_start|job_start|jobstart|termopen|os\.execute|io\.popen)\(/
const SHELL_SET = /\bset?\s+(?:shell|sh|mp|makeprg|gp|grepprg|ep|equalprg|kp|keywordprg|fp|formatprg)=((?:[^\s|\\]|\\.)+)/

/** One line of commands, as `-c` takes it; null text becomes opaque. */
export function exCommand(word: Word, context: CommandContext): void {
  const { text, span } = word
  if (text === null) {
    context.opaque('an editor command is not known before it runs', span)
    return
  }
  const shell = SHELL_SET.exec(text)?.[1]
  if (shell !== undefined && /\|\s*(?::|shell?|!|ter|mak|gr|norm)/.test(text)) context.shell(shell.replace(/\\(.)/g, '$1'), span, 'vim')
  let rest = text
  for (let at = 0; rest !== ''; at++) {
    const command = bare(rest)
    if (at === MAX_PARTS) {
      context.opaque('the editor is given more commands than are read', span)
      return
    }
    const bang = SHELL.exec(command)?.[1]
    if (bang !== undefined) {
      context.shell(bang, span, 'vim')
      return
    }
    const end = partEnd(command)
    single(command.slice(0, end), word, context)
    rest = command.slice(end + 1)
  }
}

/** A command without what stands before it. */
function bare(text: string): string {
  let rest = text
  for (let found = BEFORE.exec(rest); found !== null; found = BEFORE.exec(rest)) rest = rest.slice(found[0].length)
  return rest
}

/** Where a command ends: at a bar that nothing keeps from being one. */
function partEnd(text: string): number {
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '|') return at
  }
  return text.length
}

/** The file that a command names, without `++opt`, `+cmd` and `>>` before it. */
function named(operand: string): string {
  const words = operand.trim().split(/\s+/)
  const first = words.findIndex((word) => !/^(?:\+|>>$)/.test(word))
  return words.slice(Math.max(first, 0)).join(' ').replace(/^>>/, '')
}

function single(text: string, word: Word, context: CommandContext): void {
  const written = WRITE.exec(text)?.[1] ?? REDIRECT.exec(text)?.[1]
  const edited = EDIT.exec(text)?.[1]
  const read = READ.exec(text)?.[1]
  if (written !== undefined) writePath(context, wordOf(named(written), word))
  else if (edited !== undefined) {
    readPath(context, wordOf(named(edited), word))
    writePath(context, wordOf(named(edited), word), { certainty: 'possible' })
  } else if (read !== undefined) readPath(context, wordOf(named(read), word))
  else if (SYSTEM.test(text) && !SOURCE.test(text) && runCalls(text, word, context) > 0) return
  else if (SYSTEM.test(text) || SOURCE.test(text) || CODE.test(text))
    context.opaque('an editor command runs code that is not analysed', word.span)
}

/** Ex mode takes its commands from standard input, a line each. */
export function exInput({ invocation: { input, span } }: ParsedCommand, context: CommandContext): void {
  const text = input.kind === 'text' ? input.text : input.kind === 'file' ? textOf(input.word, context, LONGEST_INPUT) : null
  const lines = text?.split('\n') ?? []
  let typing = false
  for (const line of lines.slice(0, MAX_LINES)) {
    if (!typing) exCommand(knownWord(line, span), context)
    typing = typing ? line !== '.' : /^(?:a(?:ppend)?|i(?:nsert)?|c(?:hange)?)!?$/.test(bare(line).trim())
  }
  if (lines.length > MAX_LINES) context.opaque('the editor is given more commands than are read', span)
  if (text === null && input.kind !== 'none') context.opaque('the commands of the editor are not known before they are read', span)
}
