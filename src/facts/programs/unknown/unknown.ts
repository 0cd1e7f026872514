/**
 * What an unknown program says of itself: `acme users delete u-7`, `acme --purge`. The words of a command line are only a
 * claim, so the effect is likely at most; but a claim to delete is worth a question.
 */
import type { Verb } from '../../effect.ts'
import type { Word } from '../../host.ts'
import { ACT_OF, type Act, AMBIGUOUS } from '../../resources/text/act-words.ts'

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
        String.raw`|register|move|sync|login|logout|upgrade|install|write|cancel|suspend|customize)(?:$|[-_:])|^(?:replace|modify|configure)[-_:]`,
    ),
  },
]

/** Acts that the name of an unknown tool is asked about for, and so the words of a program are: the same verbs, whoever is called. */
const GRAVE: ReadonlyMap<Act, { readonly verb: Verb; readonly action: string }> = new Map<Act, { verb: Verb; action: string }>([
  ['delete', { verb: 'delete', action: 'cli:delete' }],
  ['send', { verb: 'publish', action: 'cli:publish' }],
  ['pay', { verb: 'change', action: 'cli:change' }],
  ['grant', { verb: 'change', action: 'cli:change' }],
])
/** To do this to people or machines shuts them out. */
const BARRING = new Set('deactivate suspend ban unban block unblock kick demote reboot shutdown overwrite burn reinstall'.split(' '))
/** Verbs of tools that programs use of files, of builds and of their own settings. */
const OWN_WORDS = new Set('clear empty discard revert void call text share fund place order return'.split(' '))

/** Words of a command path; values look different or come later. */
const SUBCOMMAND = /^[a-z][a-z0-9_:-]{0,40}$/i
const MAX_PATH = 4

/** What project tools are told all day without a word of what: `acme add button`, `acme install`. Of nothing named before, it is local. */
const EVERYDAY = new Set(['add', 'install', 'sync', 'write', 'import', 'move', 'set', 'update', 'upgrade', 'create'])

/** Where these are handed an address, what it answers becomes a part of the program. */
const TAKES_IN = new Set(['add', 'install', 'load', 'use', 'register', 'enable', 'set'])
const ADDRESS = /^(?:(?:https?|ftp|git|s3|gs|oci):\/\/|(?:[\w-]{1,63}\.){1,8}(?:com|net|org|io|dev|example)(?::\d{1,5})?$)/i

/** Programs that are called for what they destroy, or for what they give away: `cloud-nuke`, `cpan-upload`. */
const DESTROYER = /(?:^|[-_])(?:nuke|wiper?|destroyer?|eraser?|shredder|obliterate|purge|uninstall(?:er|\.sh)?)$/i
const GIVER = /[-_](?:upload|publish|deploy|broadcast)(?:er)?$/i

/** What the name of an unknown program says that it does; null where it says nothing, or is only asked for help. */
export function inferredByName(name: string, args: readonly Word[]): InferredAct | null {
  const [deletes, publishes] = ACTS
  const said = DESTROYER.test(name) ? deletes : GIVER.test(name) ? publishes : undefined
  const asked = args.some(({ text }) => text !== null && /^(?:--?help|-h|--version|version|help|--dry-?run)$/.test(text))
  return said !== undefined && !asked ? { ...inferredFrom(said), what: name } : null
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
      const act = text.startsWith('--') ? byOption(option, text) : byCommandOption(option, text)
      if (act !== null) return act
    } else if (SUBCOMMAND.test(text)) {
      path.push(text)
      const act = byWord(text.toLowerCase(), path, args)
      if (act !== undefined) return act
    }
  }
  return null
}

/** Undefined where the word says nothing, null where nothing behind it counts either. */
function byWord(word: string, path: readonly string[], args: readonly Word[]): InferredAct | null | undefined {
  const first = path.length === 1
  if (first && TAKES_IN.has(word) && args.some(({ prefix }) => ADDRESS.test(prefix)))
    return { verb: 'change', action: 'cli:change', what: `${word} from an address` }
  const act = actOf(word) ?? graveOf(word, first)
  if (act === undefined) return undefined
  return first && EVERYDAY.has(word) ? null : { ...inferredFrom(act), what: path.join(' ') }
}

/** Options by which a program that only shows what it would do is told to do it. */
const FOR_REAL = /^(?:do-?it|no-dry-?run|not-dry-run|for-real|really(?:-.*)?|yes-i-.*|i-know-.*|apply|commit)$/

function byOption(option: string, text: string): InferredAct | null {
  const [deletes] = ACTS
  if (deletes?.start.test(option) === true) return { ...inferredFrom(deletes), what: text }
  return FOR_REAL.test(option) ? { verb: 'change', action: 'cli:change', what: text } : null
}

/** `-SubmitJob`, `-DeleteJob`: where commands are written as options. */
function byCommandOption(option: string, text: string): InferredAct | null {
  const [, verb] = /^([A-Z][a-z]{2,20})[A-Z]/.exec(option) ?? []
  const act = verb === undefined ? undefined : (actOf(verb.toLowerCase()) ?? graveOf(verb.toLowerCase(), true))
  return act === undefined ? null : { ...inferredFrom(act), what: text }
}

/** Whether a word says that something is deleted. */
export function deletesByWord(word: string): boolean {
  return actOf(word)?.verb === 'delete'
}

/** The act that a word names; the topic may stand before it: `apps:destroy`. */
function actOf(word: string): (typeof ACTS)[number] | undefined {
  const [deletes] = ACTS
  const last = word.slice(word.lastIndexOf(':') + 1)
  return ACTS.find(({ start }) => start.test(word)) ?? (deletes?.start.test(last) === true ? deletes : undefined)
}

/** The same by the verbs of tools; those that are nouns as well count where they stand first and something follows. */
function graveOf(word: string, first: boolean): { readonly verb: Verb; readonly action: string } | undefined {
  const [verb = ''] = word.split(/[-_:]/, 1)
  if (OWN_WORDS.has(verb) || (AMBIGUOUS.has(verb) && !first)) return undefined
  return BARRING.has(verb) ? GRAVE.get('grant') : GRAVE.get(ACT_OF.get(verb) ?? 'read')
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
