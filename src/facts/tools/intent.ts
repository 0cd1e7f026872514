/** What an unknown tool does by the words of its name. A name is only a claim, so nothing here is ever certain. */
import type { TargetKind, Verb } from '../effect.ts'
import { isPeoples } from '../resources/text/act-things.ts'
import { ACT_OF, type Act, AMBIGUOUS } from '../resources/text/act-words.ts'
import { wordsOf } from '../resources/text/identifier.ts'
import { ABOUT, CHANNELS, headOf, LISTS, MARKS, MESSAGES, MONEY, PEOPLE, SECRETS, SENSITIVE, TAKING_OFF } from './intent-words.ts'
import { lasting, type NameWords, serviceIntent } from './services.ts'
import type { Intent, Tier } from './spec.ts'

/** The intent of a name, or null where no word of it is known. What the server goes by may say what its tools work on. */
export function intentOf(name: string, server: string | null = null): Intent | null {
  const key = `${server ?? ''}\n${name}`
  const known = INTENTS.get(key)
  if (known !== undefined) return known
  const intent = readIntent(name, server)
  if (INTENTS.size >= MAX_INTENTS) INTENTS.clear()
  if (key.length <= MAX_KEPT) INTENTS.set(key, intent)
  return intent
}

/** A name is asked about several times in one decision, and the same few names all day. */
const INTENTS = new Map<string, Intent | null>()
const MAX_INTENTS = 1_024
/** UTF-16 units of a name that is kept. */
const MAX_KEPT = 256

function readIntent(name: string, server: string | null): Intent | null {
  const words = phrased(wordsOf(name))
  const index = verbIndex(words)
  const nouns = words.filter((_, i) => i !== index)
  const parts = { words, nouns, server: server === null ? [] : wordsOf(server) }
  const own = serviceIntent(parts)
  if (own !== null) return own
  // Elsewhere to process something says nothing.
  if (index < 0) return isRunOfMoney(words) ? describe('execute', parts) : null
  return describe(actOf(words[index] ?? '', nouns), parts)
}

/** `check_out_guest` pays, and does not check. */
function phrased(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word, i) => word === 'check' && words[i + 1] === 'out')
  return at < 0 ? words : [...words.slice(0, at), 'checkout', ...words.slice(at + 2)]
}

/** Who is called or texted; without one, a program is called and a text is edited. */
const REACHABLE: ReadonlySet<string> = new Set(
  'user users customer client contact person people patient number phone doctor driver support sms message emergency police owner back'.split(
    ' ',
  ),
)

function actOf(word: string, nouns: readonly string[]): Act {
  if (nouns.length > 0 && !nouns.some((noun) => REACHABLE.has(noun))) {
    if (word === 'call') return 'execute'
    if (word === 'text') return 'change'
  }
  return ACT_OF.get(word) ?? 'read'
}

/** From the mildest to the gravest. */
const GRAVITY: readonly Act[] = ['read', 'fetch', 'create', 'change', 'persist', 'grant', 'execute', 'publish', 'send', 'delete', 'pay']
const JOINING: ReadonlySet<string> = new Set(['and', 'then', 'or', 'plus', 'n'])

/** `fetch_and_purge_cache` says two things: the graver one counts. */
function verbIndex(words: readonly string[]): number {
  const joined: number[] = []
  for (const [i, word] of words.entries()) if (ACT_OF.has(word) && (i === 0 || JOINING.has(words[i - 1] ?? ''))) joined.push(i)
  if (joined.length < 2) return onlyVerbIndex(words)
  const gravity = (i: number) => GRAVITY.indexOf(ACT_OF.get(words[i] ?? '') ?? 'read')
  return joined.reduce((gravest, i) => (gravity(i) > gravity(gravest) ? i : gravest))
}

function onlyVerbIndex(words: readonly string[]): number {
  const strict = words.findIndex((word) => ACT_OF.has(word) && !AMBIGUOUS.has(word))
  const first = ACT_OF.get(words[0] ?? '')
  const mild = MILD.has(ACT_OF.get(words[strict] ?? '') ?? 'read')
  if (first !== undefined && (strict <= 0 || (mild && !MILD.has(first) && first !== 'read'))) return 0
  if (strict >= 0) return strict
  const reading = words.findIndex((word) => ACT_OF.get(word) === 'read')
  return reading >= 0 ? reading : words.findIndex((word) => ACT_OF.has(word))
}

/** `post_update` posts, and does not only update. */
const MILD: ReadonlySet<Act> = new Set<Act>(['change', 'create'])

function describe(act: Act, name: NameWords): Intent {
  const { words, nouns } = name
  const sensitive = nouns.some((noun) => SENSITIVE.has(noun))
  const base = { nouns, kind: 'resource', irreversible: false } as const
  if (act === 'read') return { ...base, verb: 'read', kind: nouns.includes('env') ? 'variable' : 'resource', ...reading(nouns) }
  if (act === 'fetch') return { ...base, verb: 'fetch', action: null, tier: 'medium' }
  if (isPayment(act, nouns))
    return { ...base, verb: 'pay', action: 'payment:transfer', kind: 'account', tier: 'critical', irreversible: true }
  if (isSending(act, name)) return { ...base, ...sending(words), tier: 'high', irreversible: true }
  if (act === 'grant' || (sensitive && act !== 'delete')) {
    return { ...base, verb: 'change', action: sensitive ? 'account:security' : 'access:grant', kind: 'account', tier: 'high' }
  }
  return { ...base, ...(lasting(name, act) ?? doing(act, name)) }
}

function doing(act: keyof typeof DOING, { words, nouns }: NameWords): Doing {
  // Of two people or accounts that are merged one is gone.
  if (words[0] === 'merge' && isPeoples(headOf(nouns))) return DOING.delete
  if (act === 'delete') return takesOff(words, headOf(nouns)) ? CHANGING : DOING.delete
  return words.includes('install') && act !== 'publish' ? INSTALLING : DOING[act]
}

/** `remove_label`, `clear_cart`, `remove_from_wishlist`; to delete a label or a wishlist is another thing. */
function takesOff(words: readonly string[], head: string): boolean {
  return words.some((word) => TAKING_OFF.has(word)) && (MARKS.has(head) || (LISTS.has(head) && words.includes('from')))
}

function isSending(act: Act, { words, nouns }: NameWords): act is 'send' {
  return act === 'send' || (act === 'grant' && words.includes('share')) || (act === 'create' && MESSAGES.has(headOf(nouns)))
}

type Doing = Pick<Intent, 'verb' | 'action' | 'tier'> & Partial<Pick<Intent, 'kind' | 'irreversible'>>

const INSTALLING: Doing = { verb: 'execute', action: 'pkg:install', kind: 'package', tier: 'medium' }
const CHANGING: Doing = { verb: 'change', action: 'resource:change', tier: 'medium' }

/** What acts are where nouns do not tell. A `pay` that moves no money (`pay_agent`) only changes something. */
const DOING: Readonly<Record<Exclude<Act, 'read' | 'fetch' | 'send' | 'grant'>, Doing>> = {
  delete: { verb: 'delete', action: 'resource:delete', tier: 'high', irreversible: true },
  publish: { verb: 'publish', action: 'resource:publish', tier: 'high', irreversible: true },
  execute: { verb: 'execute', action: 'tool:execute', kind: 'program', tier: 'high' },
  persist: { verb: 'persist', action: 'resource:schedule', tier: 'medium' },
  create: { verb: 'change', action: 'resource:create', tier: 'medium' },
  change: CHANGING,
  pay: CHANGING,
}

const PAID_OUT: ReadonlySet<string> = new Set(['payroll', 'payout', 'payouts', 'payments', 'remittance'])
const SETTLES: ReadonlySet<string> = new Set(['process', 'finalize', 'finalise', 'initiate'])

const isRunOfMoney = ([first = '', ...nouns]: readonly string[]): boolean => SETTLES.has(first) && nouns.some((noun) => PAID_OUT.has(noun))

/** `transfer_funds`, `make_payment`, `schedule_transaction` and `buy` move money; `transfer_to_human` does not. */
function isPayment(act: Act, nouns: readonly string[]): boolean {
  if (nouns.some((noun) => PEOPLE.has(noun)) || nouns.some((noun) => ABOUT.has(noun))) return false
  return (
    act === 'pay' ||
    (nouns.some((noun) => MONEY.has(noun)) && (act === 'create' || act === 'change' || act === 'send' || act === 'persist')) ||
    // A run of payments is no program.
    (act === 'execute' && nouns.some((noun) => PAID_OUT.has(noun)))
  )
}

function reading(nouns: readonly string[]): { readonly action: string | null; readonly tier: Tier } {
  return nouns.some((noun) => SECRETS.has(noun)) ? { action: 'secret:read', tier: 'high' } : { action: null, tier: 'low' }
}

function sending(words: readonly string[]): { readonly verb: Verb; readonly action: string; readonly kind: TargetKind } {
  if (words.includes('upload') || words.includes('file') || words.includes('files'))
    return { verb: 'send', action: 'file:share', kind: 'resource' }
  const channel = CHANNELS.find(([, names]) => names.split(' ').some((name) => words.includes(name)))
  return { verb: 'send', action: channel?.[0] ?? 'message:send', kind: 'address' }
}
