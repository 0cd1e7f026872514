/**
 * What an unknown program is asked about although no word of it names an act: it is told not to ask, or it is given another machine, people,
 * accounts, a device, or files together with where they go. What kind of act that is has no name here.
 */
import type { Word } from '../../host.ts'
import { isProduction } from '../../resources/environment/production.ts'
import { speaks } from './spoken.ts'
import type { InferredAct } from './unknown.ts'

/** Options that say which machine is spoken to, and words by which a client only asks. */
const MACHINE =
  /^(?:-[aHhs]|--?(?:host(?:name)?|server|addr(?:ess)?|endpoint|connect|remote|broker|controller|gateway|target|device-ip|ip))$/
/** Options whose value says where something comes from, or whose name it is, and not what is spoken to. */
const NOT_SPOKEN_TO = new RegExp(
  String.raw`registry|proxy|index|mirror|origin|cdn|url|uri|schema|domain|referer|issuer|audience|mail|from|homepage|repo|module|package` +
    String.raw`|import|scope|bind|listen|name|allow|cors|sni|dns|resolv|user|author|group|^-[a-z]$`,
  'i',
)
const FAR = /^(?:[a-z][\w+:.-]{0,20}:\/\/)?(?!localhost\b|127\.|0\.0\.0\.0)(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}(?::\d{1,5})?(?:\/\S{0,200})?$/i
/** An address of a machine by number. */
const NUMBERED = /^(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?$/
const ONLY_ASKS = new RegExp(
  String.raw`(?:^|[\s:_-])(?:list|ls|show|get|describe|status|info|stats?|search|find|version|help|logs?|tail|ping|test|check|query|select` +
    String.raw`|read|view|top|health|whoami|count|history|uptime|time|validate|verify|plan|preview|diff|explain|watch|probe|scan` +
    String.raw`|lookup|inspect|lint|analy[sz]e|measure|report|dump|download|fetch|pull|browse|monitor|discover|retrieve|details|which|events?)(?![a-z\d])`,
  'i',
)
/** What is made out of the project itself, for whichever environment. */
const MAKES =
  /^(?:build|bundle|compile|lint|serve|dev|generate|gen|install|package|pack|format|fmt|transpile|render|bench|typecheck|start|preview|clean|init|new)$/i
/** Starters of projects, by the name that package managers give them a meaning by: `npm create vite` runs `create-vite`. */
const STARTS_PROJECT = /^create-[a-z]/
/** A person is told not to be asked: the program itself holds for grave what it does. */
const CONFIRMS = new RegExp(
  String.raw`^--(?:yes(?:-[\w-]{1,60})?|assume-?yes|auto-?(?:approve|confirm|accept)|no-?(?:confirm\w*|prompt\w*|ask)` +
    String.raw`|skip-?(?:confirm\w*|prompts?)|confirm(?:ed)?|unattended)$`,
  'i',
)
const PERSON = /^(?:[\w.+-]{1,64}@(?:[\w-]{1,63}\.){1,8}[a-z]{2,24}|\+\d{7,15})$/i
/** Where a person's address only says who works here. */
const OWN_PERSON = /^--?(?:\w{0,20}[-_.])?(?:author|email|committer|maintainer|user|username|login|identity|account|owner)$|^-[ul]$/i
const SETS_UP = /(?:^|\s)(?:config|configure|login|auth|init|setup|author|whois|register)\b/i
/** Accounts that money goes to. */
const ACCOUNT = /^(?:0x[0-9a-fA-F]{40}|bc1[0-9a-z]{20,80}|[A-Z]{2}\d{2}[A-Z0-9]{11,30})$/
const DEVICE = /^\/dev\/(?!null\b|zero\b|u?random\b|std|tty$|fd\b|shm\b|pts\b|full\b)[a-z]/
const NOT_SENT = /conf|cert|\bca\b|key|out|log|report|env|schema|template|cache|result|save|profile/i
const FILE = /^@?(?:(?:[~.]{0,2}|[\w.-]{1,80})\/\S{0,400}|[\w-]{1,80}\.[a-z]\w{0,4}|\.[a-z][\w.-]{1,60})$/i

/** Programs whose names say that they only look: `acme-get`. */
const LOOKER = /[-_](?:get|list|show|info|status|ping|trace|probe|scan|check\w{0,12}|view|dump|stat)$|^(?:get|list|show|check|ping)[-_]/i
/** One word for several things and no word of what to do: `players` lists them. */
const ONLY_THINGS = /^[a-z][a-z-]{1,30}[^su\W_]s$/i
/** Whoever is given another password or key is somebody else then. */
const CREDENTIAL = /(?:^|[\s:_-])(?:set|reset|change|rotate|new|add)[-_]?\s?(?:password|passwd|pin|tokens?|keys?|secrets?)\b/i
/** A machine by its name, as nothing else is called. */
const HOST = /^(?:[\w-]{1,60}@)?(?:[\w-]{1,63}\.){1,8}(?:com|net|org|io|cloud|example|internal|lan|corp|edu|gov)(?::\d{1,5})?$/i

/** Whoever hands over a key, or says whose organization it is, speaks to a service in its name. */
const IN_NAME_OF = new RegExp(
  String.raw`^--?(?:access-?token|api-?(?:key|token|secret)|auth-?token|client-?secret|bearer|passphrase|private-?key|mnemonic` +
    String.raw`|(?:org(?:ani[sz]ation)?|tenant)(?:-?id)?)$`,
  'i',
)

interface Said {
  /** Words that are no options and no values of such. */
  readonly words: readonly string[]
  readonly values: readonly { readonly option: string; readonly value: string }[]
  readonly options: readonly string[]
}

export function inferredByDefault(name: string, args: readonly Word[]): InferredAct | null {
  const said = saidBy(args)
  // The name of a file says nothing of what is done.
  const line = said.words.filter((word) => !FILE.test(word)).join(' ')
  if (ONLY_ASKS.test(line) || ONLY_THINGS.test(line) || LOOKER.test(name) || (said.words.length === 0 && said.values.length === 0))
    return null
  const fits =
    reaches(said) ||
    isLive(said) ||
    speaksFor(said) ||
    isConfirmed(name, said) ||
    addresses(said, line) ||
    sends(said) ||
    CREDENTIAL.test(line)
  if (!fits) return null
  return { ...speaks('change'), what: (said.words.length === 0 ? said.options : said.words).join(' ').slice(0, 80) }
}

function saidBy(args: readonly Word[]): Said {
  const words: string[] = []
  const values: { option: string; value: string }[] = []
  const options: string[] = []
  for (const [at, { text }] of args.entries()) {
    if (text === null) continue
    const equals = text.startsWith('-') ? text.indexOf('=') : -1
    const before = args[at - 1]?.text ?? ''
    if (equals > 0) values.push({ option: text.slice(0, equals), value: text.slice(equals + 1) })
    else if (/^-(?:\w|-?[A-Za-z][\w.-]*)$/.test(text)) options.push(text)
    else if (/^-(?:\w|-?[A-Za-z][\w.-]*)$/.test(before)) values.push({ option: before, value: text })
    else words.push(text)
  }
  return { words, values, options }
}

/** An act on another machine: which one stands in an option. */
function reaches({ words, values }: Said): boolean {
  const named =
    words.length > 0 &&
    values.some(
      ({ option, value }) =>
        (MACHINE.test(option) && (FAR.test(value.replace(/^jdbc:/, '')) || isRemoteNumber(value))) ||
        (!NOT_SPOKEN_TO.test(option) && (HOST.test(value) || isRemoteNumber(value))),
    )
  const within = [...words, ...values.map(({ value }) => value)].some(
    (word) => INSIDE.test(word) || (/^(?!https?:)[a-z][\w+.-]{0,20}:\/\//i.test(word) && isFar(word)),
  )
  // The machine stands among the words, and something is said to it.
  return named || (words.length + values.length > 1 && (within || words.some((word) => HOST.test(word) || isRemoteNumber(word))))
}

/** A connection in one word: `PG:host=db.acme.example dbname=shop`, `ip:10.0.0.9`. */
const INSIDE = /(?:^|[\s:;,])(?:host|server|hostaddr)=(?!localhost\b|127\.)[\w-]{1,63}\.[\w.-]{1,200}|^ip:(?!127\.)\d{1,3}\./i

const isRemoteNumber = (value: string): boolean => NUMBERED.test(value) && !/^(?:127|0)\./.test(value)

/** What is told of production, where it is neither a look nor a build. */
function isLive({ words, values }: Said): boolean {
  const [first = ''] = words
  if (first === '' || !/^[a-z][\w:-]{0,40}$/i.test(first) || MAKES.test(first.split(':').at(-1) ?? '')) return false
  return [...words, ...values.map(({ value }) => value)].some(isProduction)
}

/** A command of a client: what it reads and what it builds stays here. */
function speaksFor({ words: [first = '', second = ''], values, options }: Said): boolean {
  // A thing alone is shown.
  const acts =
    /^[a-z][a-z_-]{1,30}:[\w-]{2,40}$/i.test(first) || (/^[a-z][a-z_-]{1,30}$/i.test(first) && /^[a-z][a-z_-]{1,30}$/.test(second))
  return acts && !MAKES.test(first) && [...options, ...values.map(({ option }) => option)].some((option) => IN_NAME_OF.test(option))
}

function isConfirmed(name: string, { words: [first = ''], options }: Said): boolean {
  return (
    !MAKES.test(first) && !STARTS_PROJECT.test(name) && options.some((option) => CONFIRMS.test(option) || /^-(?:rf|fr|Rf)$/.test(option))
  )
}

/** People and accounts, and devices of this machine. */
function addresses({ words, values }: Said, line: string): boolean {
  const all = [...words.map((value) => ({ option: '', value })), ...values]
  if (all.some(({ value }) => ACCOUNT.test(value) || DEVICE.test(value))) return true
  return !SETS_UP.test(line) && all.some(({ option, value }) => PERSON.test(value) && !OWN_PERSON.test(option))
}

/** Files of this machine beside an address that is no option's. */
function sends({ words, values }: Said): boolean {
  const where = words.some((word) => /^[a-z][\w+.-]{0,20}:\/\/|^[\w.-]{1,60}@|:\d{1,5}$|^[\w.-]{1,200}:[/~\w]/i.test(word) && isFar(word))
  if (!where) return false
  return (
    words.some((word) => FILE.test(word) && !/:\/\//.test(word)) ||
    values.some(({ option, value }) => FILE.test(value) && !NOT_SENT.test(option) && !/^-[ockC]$/.test(option))
  )
}

function isFar(word: string): boolean {
  const bare = word.replace(/^[a-z][\w+.-]{0,20}:\/\//i, '').replace(/^[^@/]{1,60}@/, '')
  const end = bare.search(/[:/]/)
  const host = end < 0 ? bare : bare.slice(0, end)
  return isRemoteNumber(host) || (FAR.test(host) && host.includes('.'))
}
