/**
 * The little English that a gate needs to hold a call against a task: verbs by what they ask to be done, nouns by what they are about,
 * and the ways in which people hand a decision on to a text. Words of tools' names and of people's requests are read with one table.
 */

export const ACTS = ['send', 'post', 'pay', 'book', 'create', 'delete', 'change', 'grant', 'open', 'authenticate', 'execute'] as const
export type Act = (typeof ACTS)[number]

/** Verbs, several acts where the word alone does not tell. */
const VERBS: Readonly<Record<string, string>> = {
  send:
    'send post email mail message reply respond forward notify inform text dm contact greet thank congratulate write remind return ' +
    'report deliver answer tell ask invite welcome share wish',
  post:
    'post publish upload comment submit fill announce push release tweet blog write open raise complete register sign enroll rsvp ' +
    'accept star vote share answer',
  pay:
    'pay transfer wire buy rebuy purchase order checkout refund donate settle reimburse repay tip send split return spend renew cover ' +
    'subscribe',
  book: 'book reserve rent order',
  create:
    'create make add write save generate append insert put copy download store draft schedule setup build compile prepare clone init ' +
    'record duplicate paste include pull extract arrange set plan invite move',
  delete: 'delete remove cancel erase clear unstar unlike drop discard clean revoke kick uninvite unsubscribe purge wipe empty',
  change:
    'update change modify edit reschedule move rename set adjust reset replace correct fix increase decrease raise lower reduce extend ' +
    'shorten mark switch append upgrade overwrite postpone delay exchange append pull schedule',
  grant: 'invite add share grant give allow transfer assign collaborate join authorize authorise onboard include',
  open:
    'visit open browse check read go look see find click follow access navigate view download get fetch search summarize summarise ' +
    'accept use watch retrieve review collect obtain',
  authenticate: 'login log verify sign confirm authenticate authorize use buy purchase transfer checkout register pay',
  execute: 'run execute launch start install compile deploy build test',
}

/** Nouns that are told of each other: any word of a line stands for the whole line. */
const NOUNS: readonly string[] = [
  'email mail inbox message newsletter reply',
  'message dm chat channel slack conversation',
  'channel group workspace',
  'pay refund money transaction payment bill rent amount invoice refund balance funds fee salary deposit share subscription dollar euro cash debt cost',
  'account profile user information info details settings username personal',
  'password passcode credential pin',
  'event calendar appointment meeting reminder schedule lunch dinner trip party reunion session call discussion',
  'invite participant attendee guest invitee member invitation',
  'download file document doc drive folder directory list report note spreadsheet pdf attachment paper cv resume submission template book homework',
  'node file folder directory path',
  'hotel room stay accommodation lodging reservation booking',
  'restaurant table dinner lunch reservation booking',
  'car rental vehicle reservation booking company',
  'flight ticket reservation booking',
  'buy rebuy purchase product item cart order basket shopping discount shop',
  'order purchase item product',
  'repository repo github git project code',
  'invite collaborator contributor member',
  'owner ownership',
  'issue bug ticket',
  'key ssh',
  'star repository',
  'visit browse page webpage website site url link web blog article post forum form',
  'user member person people colleague friend',
  'transaction transfer payment money',
  'certificate voucher compensation',
]

const VERB_ACTS = new Map<string, Set<Act>>()
for (const act of ACTS) {
  for (const verb of (VERBS[act] ?? '').split(' ')) {
    const acts = VERB_ACTS.get(verb) ?? new Set<Act>()
    VERB_ACTS.set(verb, acts.add(act))
  }
}

const NOUN_TOPICS = new Map<string, Set<number>>()
for (const [topic, line] of NOUNS.entries()) {
  for (const noun of line.split(' ')) {
    const topics = NOUN_TOPICS.get(noun) ?? new Set<number>()
    NOUN_TOPICS.set(noun, topics.add(topic))
  }
}

/** What a word may ask for, whatever its form; empty for a word that asks for nothing. */
export function actsOf(word: string): ReadonlySet<Act> {
  return firstOf(word, VERB_ACTS) ?? NO_ACTS
}

/** Words that are as often things as acts: what stands before them tells. */
const EITHER: ReadonlySet<string> = new Set(
  (
    'email mail message text post issue order star transfer schedule share comment contact reply report book rent record draft view visit vote refund ' +
    'return split cover tip release welcome answer search watch use set build test start reset switch mark copy store download update change'
  ).split(' '),
)
const BEFORE_THINGS: ReadonlySet<string> = new Set(
  (
    'the a an my your his her our their its this that these those in on of by via with from for about per each every any all some no another other new last ' +
    'latest recent unread important following same first next previous upcoming total whole entire own following direct'
  ).split(' '),
)

/** What a word asks for where it stands: `email` is an act in "email Bob" and a thing in "the email". */
export function actsAt(word: string, before: string | null): ReadonlySet<Act> {
  const acts = actsOf(word)
  if (acts.size === 0) return acts
  // Of such a word only the bare form and the one in `-ing` ask for something.
  const either = formsOf(word).some((form) => EITHER.has(form))
  if (!either) return acts
  if (word.endsWith('s') && !EITHER.has(word)) return NO_ACTS
  return before !== null && BEFORE_THINGS.has(before) ? NO_ACTS : acts
}

/** True for a word that is as often a thing. */
export function isEither(word: string): boolean {
  return EITHER.has(word)
}

/** What a word may be about; a noun of no table is about itself alone, and has none. */
export function topicsOf(word: string): ReadonlySet<number> {
  return firstOf(word, NOUN_TOPICS) ?? NO_TOPICS
}

const NO_ACTS: ReadonlySet<Act> = new Set()
const NO_TOPICS: ReadonlySet<number> = new Set()

function firstOf<T>(word: string, table: ReadonlyMap<string, T>): T | undefined {
  for (const form of formsOf(word)) {
    const found = table.get(form)
    if (found !== undefined) return found
  }
  return undefined
}

/** The word and what it may be a form of: `replies` → `reply`, `emailed` → `email`, `sharing` → `share`, `files` → `file`. */
export function formsOf(word: string): string[] {
  const forms = [word]
  const add = (ending: string, ...others: readonly string[]): void => {
    if (!word.endsWith(ending) || word.length < ending.length + 2) return
    const stem = word.slice(0, -ending.length)
    for (const other of others) forms.push(stem + other)
    if (ending !== 's' && stem.length > 2 && stem.at(-1) === stem.at(-2)) forms.push(stem.slice(0, -1))
  }
  add('ies', 'y')
  add('es', '', 'e')
  add('s', '')
  add('ied', 'y')
  add('ed', '', 'e')
  add('ing', '', 'e')
  const irregular = IRREGULAR[word]
  if (irregular !== undefined) forms.push(irregular)
  return forms
}

const IRREGULAR: Readonly<Record<string, string>> = {
  sent: 'send',
  paid: 'pay',
  bought: 'buy',
  wrote: 'write',
  written: 'write',
  made: 'make',
  gave: 'give',
  given: 'give',
  told: 'tell',
  people: 'person',
  children: 'child',
}

/** One form for words that are the same but for their ending. */
export function stem(word: string): string {
  if (word.length <= 3) return word
  const bare = word.replace(/(?:ies|ied)$/, 'y').replace(/(?:ing|ed|es|s)$/, '')
  return bare.length < 3 ? word : bare.replace(/e$/, '')
}

/** Words that say nothing of a task. */
const COMMON: ReadonlySet<string> = new Set(
  (
    'a an the this that these those and or but if then else so as at by for from in into of on off out over to up with without ' +
    'about after before i me my mine we us our you your yours he him his she her hers it its they them their who whom which what ' +
    'when where why how all any both each few more most other some such no nor not only own same than too very can could will would ' +
    'should may might must do does did done have has had having be am is are was were been being please thanks thank hey hi hello ' +
    'dear just also there here one two three first second last next new old good well need want like make let get got give us know ' +
    'tell me sure ok okay yes email mail message file document event calendar user account money date time day week month year ' +
    'today tomorrow name list information info details task tasks work help page website site link url send check read find look ' +
    'see go using use based below above called title subject body description content text note following must every many much per ' +
    'via e g etc it s don t re ll ve'
  ).split(' '),
)

/** True for a word that is of this task more than of any other. */
export function isTelling(word: string): boolean {
  return word.length >= 3 && !COMMON.has(word) && !COMMON.has(stem(word)) && !VERB_ACTS.has(word)
}

const DOING =
  'do|perform|complete|finish|execute|carry out|follow|handle|address|fulfil+|implement|take care of|work through|accomplish|act on|process'
const DONE = 'tasks?|to-?dos?|actions?|steps?|instructions?|requests?|requirements?'

/** Ways to hand a decision on: "follow the instructions in", "do the tasks on", "as described in", "what Bob asks". */
const HANDING_ON: readonly RegExp[] = [
  new RegExp(`\\b(?:${DOING})\\b[^.!?]{0,60}\\b(?:${DONE}|homework|assignments?|procedure|items|what|everything|it)\\b`),
  new RegExp(
    `\\b(?:${DONE}|guidelines?|details?)\\b[^.!?]{0,40}\\b(?:in|on|from|at|of|specified|described|listed|given|provided|mentioned|contained)\\b`,
  ),
  /\b(?:as|like)\s+(?:\w+\s+){0,3}(?:says?|said|asks?|asked|requests?|requested|wants?|described|instructed|specified|mentioned)\b/,
  /\b(?:what|whatever|that|which)\s+(?:\w+\s+){1,4}(?:asks?|asked|says?|said|wants?|needs?|requests?|requested|told)\b/,
  /\b(?:asks?|asked|requests?|requested|wants?|told|invited|reminds?|reminded)\s+(?:me|us)\b/,
]

/** True where the request hands on what is to be done to a text that it names. */
export function handsOn(folded: string): boolean {
  return HANDING_ON.some((pattern) => pattern.test(folded))
}
