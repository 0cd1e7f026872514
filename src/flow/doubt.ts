/**
 * How doubtful it is that the user wants this call, in points: where its targets come from, whether its act was asked for, whether it
 * touches anything that the user spoke of. Every part can be explained in one line. Pure.
 */
import { isOtherCurrency } from '../authorization/currencies.ts'
import type { Act } from '../authorization/language.ts'
import { says, sharedWords } from '../authorization/task.ts'
import { isIdentifier } from '../facts/tools/roles/names.ts'
import type { ArgumentOf } from '../facts/tools/roles/role.ts'
import { aimHash } from '../provenance/keyed-hash.ts'
import { comparedForms, type Entity, entitiesOf, fold } from '../provenance/text.ts'
import type { SessionMemory, ValueSource } from '../session/memory/memory.ts'
import { changesExisting, type Match, matchOf, toolWords } from './acts.ts'
import { type Aimed, vouchedBy } from './declassified.ts'
import { type Known, type Origin, type Provenance, provenanceOf } from './origin.ts'

/** Points of a target by where it comes from. From 2.5 on the origin alone is doubt enough for a call that was asked for. */
const BY_ORIGIN: Readonly<Record<Origin, number>> = {
  user: 0,
  approved: 0,
  declassified: 0,
  derived: 0.7,
  own: 1.2,
  trusted: 0.7,
  selected: 0.7,
  structured: 1.6,
  'named-text': 2,
  'selected-text': 3.4,
  text: 4.2,
  nowhere: 4.2,
}
const BY_MATCH: Readonly<Record<Match, number>> = { full: 0, verb: 1.3, noun: 2, none: 3 }
const BY_ACT: Readonly<Record<Act, number>> = {
  pay: 0.5,
  book: 0.3,
  send: 0.5,
  post: 0.5,
  grant: 0.3,
  delete: 0.6,
  execute: 0.3,
  change: 0,
  create: -0.8,
  open: 0,
  authenticate: -0.3,
}
/** A change that tells somebody of it. */
const TELLS = 0.4
/** Share of a thing of the user's own, against somebody or a place where others read. */
const THING = 0.8
/** What the model made up itself, while nothing was forgotten: an attacker's value would have been seen. */
const MADE_UP = 1.5
const NO_TARGET = 1
/** What nobody else is touched by. */
const IN_HOUSE = 0.6
/** Looking is asked for in more words than there are. */
const LOOKING = 0.5
/** A password or a code that completes what was let through. */
const COMPLETES = 0.3
/** One of a list that is of another kind than the rest. */
const ODD_ONE = 1.2
const UNBOUND = 0.7
const SENSITIVE = 1
const FOREIGN_LINK = 1.5
/** In a text that the user pointed at, but not as where to find it. */
const NOT_LOCATED = 0.6
/** Something is made that nobody spoke of. */
const UNHEARD = 0.6
/** What somebody is known or paid by goes along, and nobody asked for that. */
const GIVEN_AWAY = 2.2
/** The user said how much of what. */
const OTHER_MONEY = 2.2

/** One argument and where it comes from. */
export interface Traced extends Provenance {
  readonly argument: ArgumentOf
  /** Who or which rule vouches for it. Absent: nobody does. */
  readonly by?: string
}

export interface Doubt {
  readonly points: number
  readonly match: Match
  readonly traced: readonly Traced[]
  /** Everything in the call with where it comes from, whatever it is for; texts aside. */
  readonly listed: readonly Traced[]
  /** Addresses and personal values within texts that the user did not name. */
  readonly carries: readonly Carried[]
  /** What adds to the doubt, gravest first, in words for people. */
  readonly because: readonly string[]
}

export interface Carried extends Provenance {
  /** Of the argument. */
  readonly name: string
  readonly text: string
}

export interface Doubted {
  readonly tool: Aimed['tool']
  readonly act: Act
  readonly args: readonly ArgumentOf[]
  /** The call changes how somebody is let in. */
  readonly sensitive: boolean
}

export function doubtOf(call: Doubted, known: Known): Doubt {
  const { act, args } = call
  const traced = trace(call, known)
  const match = matchOf(toolWords(call.tool.name), act, known)
  const outside = traced.some(({ argument: { role, sort } }) => role === 'target' && (sort !== 'thing' || act === 'book'))
  const again = !call.sensitive && wasAgreedTo(traced, call, known)
  const looked = outside || again || known.memory.graphs.length > 0 || known.task.located.length > 0
  const carries = looked ? carriedIn(args, known) : []
  const agreed = again && carries.length === 0
  const doubted = [
    aimed(traced, call, known),
    oddOne(traced),
    agreed ? NOTHING : { points: BY_MATCH[match] * (act === 'open' ? LOOKING : 1), note: MATCH_NOTES[match] },
  ]
  const share = outside || REACHES.has(act) ? 1 : IN_HOUSE
  const added = [
    ...(agreed ? [] : unbound(call, traced, known)),
    ...(outside ? carriedParts(carries) : []),
    otherMoney(call, known),
    graveness(call, outside),
  ]
  const points = sum(doubted) * share + sum(added)
  const because = [...doubted, ...added].flatMap(({ note }) => (note === null ? [] : [note]))
  return { points: Math.round(points * 100) / 100, match, traced, listed: shortOnes(args, known), carries, because }
}

/** One thing that adds to the doubt, or takes from it; no note: it is told by where the arguments come from, or says nothing. */
interface Part {
  readonly points: number
  readonly note: string | null
}

function sum(parts: readonly Part[]): number {
  return parts.reduce((total, { points }) => total + points, 0)
}

/** Each of these is a new harm however often people agreed to one like it. */
const EACH_ANEW: ReadonlySet<Act> = new Set<Act>(['pay', 'book', 'grant', 'delete', 'execute'])

/** People agreed in this session to a call of this very tool aimed at each of these: that it was not asked for has been answered. */
function wasAgreedTo(traced: readonly Traced[], { act, tool }: Doubted, { memory, key }: Known): boolean {
  if (EACH_ANEW.has(act) || memory.approved.size === 0 || traced.length === 0) return false
  return (
    traced.every(({ argument, origin, hidden }) => {
      if (hidden || (origin !== 'user' && origin !== 'approved')) return false
      return origin === 'user' || comparedForms(fold(argument.text)).some((form) => memory.approved.has(aimHash(key, tool, form)))
    }) && traced.some(({ origin }) => origin === 'approved')
  )
}

function aimed(traced: readonly Traced[], call: Doubted, known: Known): Part {
  const weighed = weigh(traced, call, known)
  return { points: weighed.length === 0 ? NO_TARGET : Math.max(...weighed), note: null }
}

function oddOne(traced: readonly Traced[]): Part {
  return isOdd(traced) ? { points: ODD_ONE, note: 'one of several targets is of another kind' } : NOTHING
}

const NOTHING: Part = { points: 0, note: null }

function unbound({ act, args }: Doubted, traced: readonly Traced[], known: Known): readonly Part[] {
  // Nobody speaks of the code that a service sends to whoever logs in.
  const proves = act === 'authenticate' && traced.length > 0 && traced.every(({ argument }) => argument.role === 'credential')
  if (proves || !isUnbound(args, traced, known)) return []
  return [{ points: UNBOUND + (act === 'create' ? UNHEARD : 0), note: 'nothing in the call was spoken of' }]
}

/** What goes along to whoever is outside. */
function carriedParts(carries: readonly Found[]): readonly Part[] {
  const [link, given] = [carries.find(({ personal }) => !personal), carries.find(({ personal }) => personal)]
  return [
    ...(link === undefined ? [] : [{ points: FOREIGN_LINK, note: `\`${link.name}\` carries an address that the user did not name` }]),
    ...(given === undefined
      ? []
      : [{ points: GIVEN_AWAY, note: `\`${given.name}\` gives away \`${given.source?.field}\` of \`${given.source?.tool}\`` }]),
  ]
}

/** 900 of another currency is another amount. */
function otherMoney({ act, args }: Doubted, { task }: Known): Part {
  if (act !== 'pay' && act !== 'book') return NOTHING
  const other = args.find(({ name, text }) => CURRENCY.test(name) && isOtherCurrency(task.folded, text))
  return other === undefined ? NOTHING : { points: OTHER_MONEY, note: `\`${other.name}\` is another one than the user spoke of` }
}

const CURRENCY = /(?:^|[._])(?:currency|ccy)(?:_?code)?$/i

function graveness({ act, sensitive }: Doubted, outside: boolean): Part {
  const tells = outside && (act === 'create' || act === 'change')
  return { points: (tells ? TELLS : BY_ACT[act]) + (sensitive ? SENSITIVE : 0), note: sensitive ? 'it decides who is let in' : null }
}

/** Acts that reach somebody even where no argument says whom. */
const REACHES: ReadonlySet<Act> = new Set<Act>(['grant', 'send', 'post'])

const MATCH_NOTES: Readonly<Record<Match, string | null>> = {
  full: null,
  verb: 'the user asked for such an act, but not on such a thing',
  noun: 'the user spoke of such things, but did not ask for this',
  none: 'the user asked for nothing like it',
}

function trace({ tool, args }: Doubted, known: Known): readonly Traced[] {
  const aimed = args.filter(({ role }) => role === 'target' || role === 'credential')
  // A call that is aimed at nothing is known by what it is called.
  const looked = aimed.length > 0 ? aimed : args.filter(({ role, text }) => role === 'content' && text.length <= SHORT)
  return looked.map((argument) => {
    const found = provenanceOf(argument.text, known)
    const by = GIVEN.has(found.origin) ? null : vouchedBy({ tool, argument: argument.name, text: argument.text }, found, known)
    return by === null ? { argument, ...found } : { argument, ...found, origin: 'declassified', by }
  })
}

const GIVEN: ReadonlySet<Origin> = new Set<Origin>(['user', 'approved'])

/** Longest text that names something rather than saying something. */
const SHORT = 100

function weigh(traced: readonly Traced[], { act, tool }: Doubted, { memory, task }: Known): readonly number[] {
  const certain = !memory.values.forgot && !memory.incomplete
  return traced.map(({ argument: { role, sort, name }, origin }) => {
    const pointed = origin === 'named-text' && !task.handsOn && !task.locates
    const points = BY_ORIGIN[origin] + (pointed ? NOT_LOCATED : 0)
    if (role === 'credential') return act === 'authenticate' ? points * COMPLETES : points
    if (role === 'target' && sort !== 'thing') return points
    // Money goes to somebody, whatever its target looks like, unless the call only changes a payment that exists.
    const decidesPayee = act === 'pay' && !(changesExisting(tool.name) && isIdentifier(name))
    return origin === 'nowhere' && certain && !decidesPayee ? MADE_UP : points * THING
  })
}

/** Among several targets of one argument, some were chosen by the user and one only came along. */
function isOdd(traced: readonly Traced[]): boolean {
  return traced.some(
    ({ argument, origin }) =>
      origin === 'structured' &&
      traced.some((other) => other.argument.name === argument.name && (other.origin === 'selected' || other.origin === 'user')),
  )
}

/** Nothing in the call is anything that the user spoke of; where they spoke of all of a kind, each need not be named. */
function isUnbound(args: readonly ArgumentOf[], traced: readonly Traced[], { task }: Known): boolean {
  if (args.some(({ text, role }) => role !== 'option' && (says(task, text) || sharedWords(task, text, 200) > 0))) return false
  return !(task.ofMany && traced.every(({ origin }) => BY_ORIGIN[origin] <= BY_ORIGIN['named-text']))
}

interface Found extends Carried {
  readonly personal: boolean
}

function carriedIn(args: readonly ArgumentOf[], known: Known): readonly Found[] {
  const entities = entitiesIn(args)
  return [...foreignLinks(entities, known), ...(knowsPersonal(known.memory) ? givenAway(entities, known) : [])]
}

/** Addresses and links that are sent along and come from a text of somebody else. */
function foreignLinks(entities: readonly Named[], known: Known): readonly Found[] {
  return entities.flatMap(({ name, kind, text }) => {
    if (kind !== 'url' && kind !== 'host' && kind !== 'address') return []
    const found = provenanceOf(text, known)
    return BY_ORIGIN[found.origin] > BY_ORIGIN['named-text'] ? [{ ...found, name, text, personal: false }] : []
  })
}

interface Named extends Entity {
  /** Of the argument. */
  readonly name: string
}

function entitiesIn(args: readonly ArgumentOf[]): readonly Named[] {
  return args.flatMap(({ role, text, name }) => (role === 'content' ? entitiesOf(text, 50).map((entity) => ({ ...entity, name })) : []))
}

/** Roles besides those of a target that a graph may hold to a list: what is written is held to what it carries. */
const NAMING: ReadonlySet<string> = new Set(['amount', 'selector', 'handle', 'option'])

/** What names something rather than saying something. */
function shortOnes(args: readonly ArgumentOf[], known: Known): readonly Traced[] {
  const named = args.filter(({ role, text }) => NAMING.has(role) && text.length <= SHORT)
  return known.memory.graphs.length === 0 ? [] : named.map((argument) => ({ argument, ...provenanceOf(argument.text, known) }))
}

/** Fields by which somebody is known, let in or paid. */
const PERSONAL = new RegExp(
  [
    'pass(?:port|word|code|phrase)|credit.?card|card.?(?:number|no)\\b|\\bcvv\\b|\\bssn\\b|social.?security|tax.?id|\\bid.?number',
    'licen[cs]e.?(?:number|no)|account.?number|routing|\\bpin\\b|secret|api.?key|private.?key|\\btoken\\b',
  ].join('|'),
)

/** Values that some tool keeps as personal, sent along where the user did not speak of them. */
function givenAway(entities: readonly Named[], known: Known): readonly Found[] {
  return entities.flatMap(({ name, kind, text }) => {
    if (kind !== 'id') return []
    const found = provenanceOf(text, known)
    const field = fieldOf(found.source)
    const personal = PERSONAL.test(field) && !says(known.task, text) && sharedWords(known.task, field) === 0
    return personal ? [{ ...found, name, text, personal }] : []
  })
}

function fieldOf(source: Provenance['source']): string {
  return source?.field.toLowerCase() ?? ''
}

const PERSONAL_IN = new WeakMap<SessionMemory, { readonly newest: ValueSource | undefined; readonly personal: boolean }>()

/** Whether any field that is remembered is one of these: without one nothing is given away, and most sessions have none. */
function knowsPersonal(memory: SessionMemory): boolean {
  const newest = memory.sources.get(memory.nextSource - 1)
  const known = PERSONAL_IN.get(memory)
  if (known !== undefined && known.newest === newest) return known.personal
  const personal = [...memory.sources.values()].some((source) => PERSONAL.test(fieldOf(source)))
  PERSONAL_IN.set(memory, { newest, personal })
  return personal
}
