/**
 * What an unknown program says of itself: `acme users delete u-7`, `acme --purge`. The words of a command line are only a
 * claim, so the effect is likely at most; but a claim to delete is worth a question.
 */
import type { Verb } from '../../effect.ts'
import type { Word } from '../../host.ts'

export interface InferredAct {
  readonly verb: Verb
  readonly action: string
  /** The words up to the act: `users delete`. */
  readonly what: string
}

const ACTS: readonly { readonly verb: Verb; readonly action: string; readonly start: RegExp }[] = [
  {
    verb: 'delete',
    action: 'cli:delete',
    start: new RegExp(
      String.raw`^(?:delete|remove|destroy|purge|erase|wipe|obliterate|annihilate|factory-?reset|truncate|uninstall|unpublish|yank` +
        String.raw`|revoke|terminate|deprovision|(?:rm|rmdir|drop|nuke|forget|prune|del|unlink|cleanup|reset)(?:$|[-_:]))`,
    ),
  },
  {
    verb: 'publish',
    action: 'cli:publish',
    start: /^(?:publish|deploy|release|promote|rollout|rollback|push|send|broadcast|submit|upload)(?:$|[-_:])/,
  },
  {
    verb: 'change',
    action: 'cli:change',
    start: new RegExp(
      String.raw`^(?:create|update|add|set|put|patch|apply|import|grant|invite|enable|disable|rotate|restore|assign|unassign|approve` +
        String.raw`|register|move|sync|login|logout|upgrade|install|write|cancel|suspend|customize)(?:$|[-_:])`,
    ),
  },
]

/** Words of a command path; values look different or come later. */
const SUBCOMMAND = /^[a-z][a-z0-9_:-]{0,40}$/i
const MAX_PATH = 4

/** What project tools are told all day without a word of what: `acme add button`, `acme install`. Of nothing named before, it is local. */
const EVERYDAY = new Set(['add', 'install', 'sync', 'write', 'import', 'move', 'set', 'update', 'upgrade', 'create'])

/** Programs that are called for what they destroy: `cloud-nuke`. */
const DESTROYER = /(?:^|[-_])(?:nuke|wiper?|destroyer?|eraser?|shredder|obliterate|uninstall(?:er|\.sh)?)$/i

/** What the name of an unknown program says that it does; null where it says nothing, or is only asked for help. */
export function inferredByName(name: string, args: readonly Word[]): InferredAct | null {
  const [deletes] = ACTS
  const asked = args.some(({ text }) => text !== null && /^(?:--?help|-h|--version|version|help|--dry-?run)$/.test(text))
  return deletes !== undefined && DESTROYER.test(name) && !asked ? { ...inferredFrom(deletes), what: name } : null
}

/** The first act that the words of an unknown program speak of, or null. `-x` and `--x` are passed over, `--delete` is not. */
export function inferredAct(args: readonly Word[]): InferredAct | null {
  // Programs that read their words at all answer this one with their usage.
  if (args.at(-1)?.text === '--help') return null
  const path: string[] = []
  for (const { text } of args) {
    if (text === null || path.length >= MAX_PATH) break
    const option = /^--?([a-z][a-z-]*)(?:=.*)?$/i.exec(text)?.[1]
    if (option !== undefined) {
      const [deletes] = ACTS
      if (text.startsWith('--') && deletes?.start.test(option) === true) return { ...inferredFrom(deletes), what: text }
      continue
    }
    if (!SUBCOMMAND.test(text)) continue
    path.push(text)
    const act = actOf(text.toLowerCase())
    if (act !== undefined && path.length === 1 && EVERYDAY.has(text.toLowerCase())) return null
    if (act !== undefined) return { ...inferredFrom(act), what: path.join(' ') }
  }
  return null
}

/** The act that a word names; the topic may stand before it: `apps:destroy`. */
function actOf(word: string): (typeof ACTS)[number] | undefined {
  const [deletes] = ACTS
  const last = word.slice(word.lastIndexOf(':') + 1)
  return ACTS.find(({ start }) => start.test(word)) ?? (deletes?.start.test(last) === true ? deletes : undefined)
}

function inferredFrom({ verb, action }: { readonly verb: Verb; readonly action: string }): Omit<InferredAct, 'what'> {
  return { verb, action }
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
