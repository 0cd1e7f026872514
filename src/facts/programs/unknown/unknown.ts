/**
 * What an unknown program says of itself: `acme users delete u-7`, `acme --purge`. The words of a command line are only a
 * claim, so the effect is likely at most; but a claim to delete is worth a question.
 */
import type { Word } from '../../host.ts'
import { type Claim, deletesByOption, isHelp, speaks, spokenBy } from './spoken.ts'

export interface InferredAct extends Claim {
  /** The words up to the act: `users delete`. */
  readonly what: string
}

/** Words of a command path; values look different or come later. */
const SUBCOMMAND = /^[a-z][a-z0-9_:-]{0,40}$/i
const MAX_PATH = 4

/** Where these are handed an address, what it answers becomes a part of the program. */
const TAKES_IN = new Set(['add', 'install', 'load', 'use', 'register', 'enable', 'set'])
const ADDRESS = /^(?:(?:https?|ftp|git|s3|gs|oci):\/\/|(?:[\w-]{1,63}\.){1,8}(?:com|net|org|io|dev|example)(?::\d{1,5})?$)/i

/** Programs that are called for what they destroy, or for what they give away: `cloud-nuke`, `cpan-upload`. */
const DESTROYER = /(?:^|[-_])(?:nuke|wiper?|destroyer?|eraser?|shredder|obliterate|purge|uninstall(?:er|\.sh)?)$/i
const GIVER = /[-_](?:upload|publish|deploy|broadcast)(?:er)?$/i

/** What the name of an unknown program says that it does; null where it says nothing, or is only asked for help. */
export function inferredByName(name: string, args: readonly Word[]): InferredAct | null {
  const said = DESTROYER.test(name) ? speaks('delete') : GIVER.test(name) ? speaks('publish') : null
  const asked = args.some(({ text }) => text !== null && /^(?:--?help|-h|--version|version|help|--dry-?run)$/.test(text))
  return said !== null && !asked ? { ...said, what: name } : null
}

/** A word as far as it is known. */
type Spelled = Pick<Word, 'text' | 'prefix'>

/** The first act that the words of an unknown program speak of, or null. `-x` and `--x` are passed over, `--delete` is not. */
export function inferredAct(args: readonly Spelled[]): InferredAct | null {
  // Programs that read their words at all answer these with their usage.
  if (args.at(-1)?.text === '--help' || isHelp(args[0]?.text ?? '')) return null
  const path: string[] = []
  for (const [at, { text }] of args.entries()) {
    const before = args[at - 1]
    // What an option is given may be unknown; a subcommand that is unknown may be any.
    if (text === null && before?.prefix.startsWith('-') === true) continue
    if (text === null || path.length >= MAX_PATH) break
    const said = byOptions(text, before?.text ?? '')
    if (said !== null) return said
    if (SUBCOMMAND.test(text)) {
      const act = byWord(text, path, args.slice(at + 1))
      if (act === 'nothing more') return null
      if (act !== null) return act
      path.push(text)
    }
  }
  return null
}

/** By an option, or by the line that it is given. */
function byOptions(text: string, before: string): InferredAct | null {
  const option = /^--?([a-z][a-z-]*)(?:=.*)?$/i.exec(text)?.[1]
  if (option === undefined) return LINE.test(before) ? byLine(text) : null
  return text.startsWith('--') ? byOption(option, text) : byCommandOption(option, text)
}

function byWord(word: string, path: readonly string[], rest: readonly Spelled[]): InferredAct | 'nothing more' | null {
  if (path.length === 0 && TAKES_IN.has(word.toLowerCase()) && rest.some(({ prefix }) => ADDRESS.test(prefix)))
    return { ...speaks('change'), what: `${word.toLowerCase()} from an address` }
  const said = spokenBy(word, { before: path, after: rest[0]?.text ?? null })
  return said === null || said === 'nothing more' ? said : { ...said, what: [...path, word].join(' ') }
}

/** Options that hand over a command of the program's own: `vtysh -c 'configure terminal'`. */
const LINE = /^(?:-[cex]|-rx|--?(?:command|cmd|exec|execute|eval))$/
/** After this a router takes what changes it. */
const CONFIGURES = /^conf(?:ig(?:ure)?)?\s+(?:t|term|terminal|exclusive|private)\b/i

function byLine(text: string): InferredAct | null {
  const what = text.slice(0, 80)
  if (CONFIGURES.test(text)) return { ...speaks('change'), what }
  const words = text.includes(' ') ? text.slice(0, 200).trim().split(/\s+/) : []
  const said = inferredAct(words.map((word) => ({ text: word, prefix: word })))
  return said === null ? null : { ...said, what }
}

/** Options by which a program that only shows what it would do is told to do it. */
const FOR_REAL = /^(?:do-?it|no-dry-?run|not-dry-run|for-real|really(?:-.*)?|yes-i-.*|i-know-.*|apply|commit)$/

function byOption(option: string, text: string): InferredAct | null {
  if (deletesByOption(option)) return { ...speaks('delete'), what: text }
  return FOR_REAL.test(option) ? { ...speaks('change'), what: text } : null
}

/** `-SubmitJob`, `-DeleteJob`: where commands are written as options. */
function byCommandOption(option: string, text: string): InferredAct | null {
  const said = /^[A-Z][a-z]{2,20}[A-Z]/.test(option) ? spokenBy(option, { before: [], after: null }) : null
  return said === null || said === 'nothing more' ? null : { ...said, what: text }
}

/** Subcommands after which a command line follows: `exec`, `run`, `local:run`, `dev:exec`. */
const RUNS = /^(?:[\w-]+:)?(?:exec|execute|run|do|spawn|call|sh|shell|cmd|command|each|foreach|on|with)$/i

/** The words of a command line that stands among the words of another: after `--`, after `exec`, or a shell with its own `-c`. */
export function commandAmong(args: readonly Word[], knows: ((program: string) => boolean) | null): readonly Word[] | null {
  const end = args.findIndex(({ text }) => text === '--')
  if (end >= 0 && end + 1 < args.length) return args.slice(end + 1)
  const at = args.findIndex(({ prefix }) => !prefix.startsWith('-'))
  const first = args[at]?.text
  if (first === undefined || first === null) return null
  if (/^\/(?:usr\/)?(?:local\/)?s?bin\/./.test(first)) return args.slice(at)
  const inner = args.findIndex(
    (word, index) => knows?.(baseOf(word)) === true && /^-[a-z]*[ce]$|^--eval$/.test(args[index + 1]?.text ?? ''),
  )
  if (inner >= 0) return args.slice(inner)
  if (!RUNS.test(first)) return null
  const rest = args.slice(at + 1)
  const next = rest.findIndex(({ prefix }) => !prefix.startsWith('-'))
  // `exec 20 rm`, `run env-name rm`: what comes before a program says where it runs.
  const skipped = [next, next + 1].find((index) => index >= 0 && (knows === null || knows(baseOf(rest[index]))))
  return skipped === undefined ? null : rest.slice(skipped)
}

function baseOf(word: Word | undefined): string {
  const text = word?.text ?? ''
  return text.slice(text.lastIndexOf('/') + 1)
}
