/**
 * What one word of a command path says, by the verbs and things that names of tools are read by: `delete-user`, `order:cancel`, `rmall`,
 * `updateEmail`. A word is only a claim. What a program does to files of the project all day counts only where the thing is of weight.
 */
import type { Verb } from '../../effect.ts'
import { isLeftOut, isLocal, isPeoples, isRefilled, isWeighty } from '../../resources/text/act-things.ts'
import { ACT_OF, type Act, AMBIGUOUS } from '../../resources/text/act-words.ts'
import { wordsOf } from '../../resources/text/identifier.ts'

export interface Claim {
  readonly verb: Verb
  readonly action: string
  /** Not a mere change: it deletes, gives away, lets somebody in or shuts somebody out. */
  readonly grave: boolean
}

type Saying = 'delete' | 'publish' | 'give' | 'change'

const CLAIMS: Readonly<Record<Saying, Claim>> = {
  delete: { verb: 'delete', action: 'cli:delete', grave: true },
  publish: { verb: 'publish', action: 'cli:publish', grave: true },
  give: { verb: 'change', action: 'cli:change', grave: true },
  change: { verb: 'change', action: 'cli:change', grave: false },
}

export const speaks = (saying: Saying): Claim => CLAIMS[saying]

export interface Place {
  /** The words of the path before it. */
  readonly before: readonly string[]
  readonly after: string | null
}

const list = (words: string): readonly string[] => words.split(' ')
const set = (words: string): ReadonlySet<string> => new Set(list(words))

/** Verbs that programs use of files, of builds and of their own settings: of a thing of weight only. */
const OWN = set(
  'clear empty discard revert void overwrite flush clean fresh invalidate isolate fence disconnect call text share fund place order return capture stake',
)
/** To do this to people or machines shuts them out. */
const BARRING = set('deactivate suspend ban unban block unblock kick demote reboot shutdown poweroff burn reinstall quarantine')
/** The same of machines; of software they choose a version. */
const SHUTS = set('isolate fence disconnect')
/** Said of what others get from then on. */
const PUBLISHES = set('publish deploy release promote rollout rollback push send broadcast submit upload vote tx')
/** Changes that a program makes for others wherever a thing is named before: `users update u-7`. */
const CHANGES = set(
  'create update add set put patch apply import invite enable disable rotate restore assign unassign approve register move sync login logout ' +
    'upgrade install write cancel suspend customize',
)
/** The same, where something is named with it: alone they are what files and settings are done all day. */
const NAMED_CHANGES = set('replace modify configure')
/** Without a word of what, or of the project, these are local: `acme add button`, `acme install`. */
const EVERYDAY = set('add install sync write import move set update upgrade create')
/** These only look, and what follows them is no subcommand. Verbs that are nouns as well (`search indexes delete`) are not among them. */
const LOOKS = set('get list ls show describe print find lookup inspect fetch validate verify count retrieve explain display')
/** What runs a thing by its name: `start image-upload`. */
const RUNS = set('run start exec execute invoke build test serve dev watch logs log tail')
/** Methods of HTTP, before what they are sent to: `api post /jobs`. */
const METHODS = set('post put patch delete')
const HELP = /^(?:help(?:-[a-z]+)?|--help|completions?)$/

export const isHelp = (word: string): boolean => HELP.test(word)

/** What is lost by these is meant, whatever it is and wherever they stand; of options, only they count. */
const TOGETHER = list(
  'delete remove destroy purge erase wipe obliterate annihilate truncate uninstall unpublish yank revoke terminate deprovision',
)
const LOSING: ReadonlySet<string> = new Set([
  ...TOGETHER,
  ...list('rm rmdir drop nuke forget prune del unlink untag expire cleanup reset undeploy teardown'),
])

/** Says how a word is to be taken; 'nothing more' where what follows it is no command any more. */
export function spokenBy(word: string, place: Place): Claim | 'nothing more' | null {
  const parts = wordsOf(word)
  const [head = '', ...rest] = parts
  if (LOOKS.has(head)) return 'nothing more'
  const colon = word.lastIndexOf(':')
  if (colon > 0) return saidBy(head, rest, place) ?? spokenBy(word.slice(colon + 1), { before: [word.slice(0, colon)], after: null })
  const said = saidBy(head, rest, place)
  if (said !== null || rest.length === 0) return said
  return saidLast(parts, place)
}

/** Whether a word says that something is deleted. */
export const deletesByWord = (word: string): boolean => LOSING.has(word) || verbOf(wordsOf(word)[0] ?? '') === 'delete'

/** `--delete-topic`, `--purge`; `--clear-cache` fills again. */
export function deletesByOption(option: string): boolean {
  const [head = '', ...rest] = wordsOf(option)
  return (LOSING.has(head) || TOGETHER.some((verb) => head.startsWith(verb))) && !isLeftOut(rest.at(-1) ?? '')
}

function verbOf(head: string): Act | null {
  if (LOSING.has(head)) return 'delete'
  const known = ACT_OF.get(head)
  if (known !== undefined) return known
  if (TOGETHER.some((verb) => head.startsWith(verb))) return 'delete'
  // `rmall`, `killall`
  return head.length > 4 && head.endsWith('all') ? (ACT_OF.get(head.slice(0, -3)) ?? null) : null
}

/** By the verb that a word begins with. */
function saidBy(head: string, rest: readonly string[], place: Place): Claim | 'nothing more' | null {
  const things = thingsOf(rest, place)
  if (BARRING.has(head)) return isLocal(things[0] ?? '') ? null : CLAIMS.give
  const sent = sentBy(head, rest, place)
  if (sent !== null) return sent
  const first = place.before.length === 0
  if (OWN.has(head)) return things.some(isWeighty) ? claimOf(verbOf(head) ?? (SHUTS.has(head) ? 'grant' : 'delete')) : null
  if (CHANGES.has(head) || (NAMED_CHANGES.has(head) && rest.length > 0)) return changed(head, rest, { things, first })
  return AMBIGUOUS.has(head) && !first ? null : byAct(verbOf(head), { things, first })
}

/** A method of HTTP with its path, or what is put before others; `build release` makes one, and `publishToMavenLocal` stays here. */
function sentBy(head: string, rest: readonly string[], { before, after }: Place): Claim | null {
  if (METHODS.has(head) && /^(?:\/|https?:)/.test(after ?? '')) return head === 'delete' ? CLAIMS.delete : CLAIMS.give
  return PUBLISHES.has(head) && rest.at(-1) !== 'local' && !(AMBIGUOUS.has(head) && RUNS.has(before.at(-1) ?? '')) ? CLAIMS.publish : null
}

interface Said {
  readonly things: readonly string[]
  readonly first: boolean
}

function byAct(act: Act | null, { things, first }: Said): Claim | 'nothing more' | null {
  if (act === null) return null
  if (act === 'delete') return isRefilled(things[0] ?? '') ? 'nothing more' : CLAIMS.delete
  return claimOf(act) ?? (act === 'change' && !first && things.some(isPeoples) ? CLAIMS.change : null)
}

const claimOf = (act: Act): Claim | null =>
  act === 'delete' ? CLAIMS.delete : act === 'send' ? CLAIMS.publish : act === 'pay' || act === 'grant' ? CLAIMS.give : null

function changed(head: string, rest: readonly string[], { things, first }: Said): Claim | 'nothing more' | null {
  const [thing = ''] = things
  if (!first || rest.length > 0) return isLocal(thing) ? null : head === 'invite' ? CLAIMS.give : CLAIMS.change
  if (!EVERYDAY.has(head)) return CLAIMS.change
  // `add button` is local, `add member ann` is not.
  return isPeoples(thing) && !KEYED.has(thing) ? CLAIMS.give : 'nothing more'
}

/** Of the program's own as often: `set token x`, `add group x`, `create account`. */
const KEYED = set('token tokens group groups order orders policy policies')

/** What it is done to, the nearest first: in the word itself, named before it, or after it. */
function thingsOf(rest: readonly string[], { before, after }: Place): readonly string[] {
  const own = rest.at(-1)
  if (own !== undefined) return [own]
  const earlier = before.at(-1)
  const named = earlier === undefined ? undefined : wordsOf(earlier).at(-1)
  const next = after !== null && /^[a-z]{2,20}$/.test(after) ? after : undefined
  return [named, next].filter((each) => each !== undefined)
}

/** `scratch_delete`: the thing stands before the verb. */
function saidLast(parts: readonly string[], { before }: Place): Claim | null {
  const last = parts.at(-1) ?? ''
  const noun = parts.at(-2) ?? ''
  if (before.some((each) => RUNS.has(each)) || before.length > 1) return null
  const loses = verbOf(last) === 'delete' && !OWN.has(last) && !AMBIGUOUS.has(last)
  return loses && !isRefilled(noun) ? CLAIMS.delete : null
}
