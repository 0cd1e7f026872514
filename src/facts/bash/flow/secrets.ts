import { type Effect, type Target, target } from '../../effect.ts'
import type { Word } from '../../host.ts'
import { secretName } from '../../resources/secret/names.ts'
import { belongs } from '../../resources/secret/owners.ts'
import { type Detected, type Execution, found, type Marks, NO_MARKS, NOTHING } from '../detect/execution.ts'
import { inputProvenance } from './flow.ts'

/** Secrets of the environment on their way: shown to whoever reads the output, kept in a file or a history, given to a stranger. */

/** Programs that print what they are told. */
const TELLING: ReadonlySet<string> = new Set(['echo', 'printf', 'print', 'jq'])

/** Programs that tell others, or a log, what they are told. */
const BROADCASTING: ReadonlySet<string> = new Set(
  'logger wall say espeak notify-send zenity kdialog banner figlet cowsay qrencode'.split(' '),
)

/** Subcommands of git that keep a message for good. */
const RECORDING: ReadonlySet<string> = new Set(['commit', 'tag', 'notes'])

/** Programs that print what they are fed, or as much of it as they pick out. */
const FILTERS: ReadonlySet<string> = new Set(
  (
    'cat tac head tail cut tr sed awk gawk mawk base64 base32 xxd od hexdump rev fold fmt tee nl sort uniq column strings ' +
    'less more bat jq grep egrep fgrep rg ag paste expand pr'
  ).split(' '),
)

const SEARCHING: ReadonlySet<string> = new Set('grep egrep fgrep rg ag awk gawk mawk sed'.split(' '))

const isSecret = (item: Effect) => item.verb === 'read' && item.target.kind === 'variable' && secretName(item.target.value) !== null

const isEnvironment = (item: Effect) => item.verb === 'read' && item.target.kind === 'variable' && item.target.value === '*'

const secretsIn = (words: readonly Word[]) => words.flatMap((word) => (word.from ?? []).filter(isSecret))

/** Says where a secret of the environment is printed, or kept in a file or a history. */
export function reportShown(execution: Execution): readonly Detected[] {
  const { name, args, span } = execution.invocation
  if (TELLING.has(name)) return show(execution, secretsIn(args))
  if (BROADCASTING.has(name) || (name === 'git' && args.some(({ text }) => text !== null && RECORDING.has(text))))
    return secretsIn(args).flatMap(({ target: variable }) => found(variable, { verb: 'read', action: 'env:get', span }))
  return FILTERS.has(name) ? filter(execution) : NOTHING
}

/** What is captured or piped is no output yet; what goes into a connection is told of by the sending. */
function show({ site, invocation, streams }: Execution, secrets: readonly Effect[]): readonly Detected[] {
  const [secret] = secrets
  if (secret === undefined || streams.sent.length > 0) return NOTHING
  const kept = streams.effects[0]
  if (kept === undefined && (site.captured || site.piped) && !streams.away) return NOTHING
  const action = kept === undefined ? 'env:get' : 'env:keep'
  return found(secret.target, { verb: 'read', action, span: secret.span ?? invocation.span, attributes: secret.attributes })
}

/** The last of a pipe shows what it is fed, unless it lets through the names, the beginning or a count only. */
function filter(execution: Execution): readonly Detected[] {
  const { site, invocation, streams } = execution
  const { from } = inputProvenance(streams.input)
  if (from.length === 0) return NOTHING
  const texts = invocation.args.map(({ text }) => text ?? '')
  const named = from.filter((item) => isSecret(item) || item.action === 'env:pick')
  const listed = from.find(isEnvironment)
  if (named.length === 0 && listed === undefined) return NOTHING
  const { span } = invocation
  if (namesOnly(invocation.name, texts))
    return listed === undefined ? NOTHING : found(listed.target, { verb: 'read', action: 'env:names', span })
  if (from.some(({ action }) => action === 'env:names')) return NOTHING
  const picked = listed !== undefined && SEARCHING.has(invocation.name) && !leavesOut(texts) ? secretPattern(texts) : null
  if (picked === null) return show(execution, named)
  const last = !(site.captured || site.piped) || streams.away
  const action = last ? 'env:get' : 'env:pick'
  return found(target('variable', picked), { verb: 'read', action, span, attributes: { picked: true } })
}

/** `grep -v`: what is left is everything else. */
const leavesOut = (texts: readonly string[]) => texts.some((text) => /^-[a-zA-Z]*v/.test(text) || text === '--invert-match')

// `cut -d= -f1`, `sed 's/=.*//'`, `awk -F= '{print $1}'`, `grep -c`, `head -c 4`: no values, or hardly any of one.
function namesOnly(name: string, texts: readonly string[]): boolean {
  const line = texts.join(' ')
  return NAMES_ONLY.get(name)?.some((patterns) => patterns.every((pattern) => pattern.test(line))) === true
}

/** For each program, the patterns of which one row must hold as a whole. */
const NAMES_ONLY: ReadonlyMap<string, readonly (readonly RegExp[])[]> = new Map<string, readonly (readonly RegExp[])[]>([
  ['cut', [[/-d\s?=/, /-f\s?1(?:\s|$)/], [/-[cb]\s?(?:1-)?[1-8](?:\s|$)/]]],
  ['head', [[/-c\s?[1-8](?:\s|$)/]]],
  ['sed', [[/=\S{0,8}\*/]]],
  ...['awk', 'gawk', 'mawk'].map((name) => [name, [[/-F\s?=/, /print \$1\s*\}/]]] as const),
  ...['grep', 'egrep', 'fgrep', 'rg', 'ag'].map(
    (name) => [name, [[/(?:^|\s)-[a-zA-Z]*[qclL]/], [/--(?:quiet|count)/], [/\[\^=\]/]]] as const,
  ),
])

const SECRET_WORDS: ReadonlySet<string> = new Set(
  'token tokens secret secrets key keys apikey pass passw passwd password passwords cred creds credential credentials'.split(' '),
)

/** The part of a pattern that asks for secrets; null where none does. */
function secretPattern(texts: readonly string[]): string | null {
  for (const text of texts) {
    if (text.startsWith('-')) continue
    const words = text
      .slice(0, 256)
      .toLowerCase()
      .split(/[^a-z]+/)
    const found = words.find((word) => SECRET_WORDS.has(word)) ?? null
    if (found !== null) return found
  }
  return null
}

/**
 * Marks what goes to another machine with a secret that is for somebody else's service: `curl -H "Authorization: $GITHUB_TOKEN"
 * https://x.example`. A secret whose name tells no service may be for whoever is asked.
 */
export function reportForeign({ site, start, sending: { words } }: Execution): Marks {
  const carrying = words.filter((word) => word.from?.some(isSecret) === true)
  if (carrying.length === 0) return NO_MARKS
  const names = [...new Set(secretsIn(carrying).map((item) => item.target.value))].slice(0, 16)
  const behind = carrying.map(hostBehind).find((host) => host !== null) ?? null
  const marks = new Map<number, { readonly foreign_secret: string }>()
  const { effects } = site.analysis
  for (let at = start; at < effects.length; at++) {
    const item = effects[at]
    if (item === undefined || !GOING.has(item.verb) || !PLACES.has(item.target.kind) || DATABASE.test(item.target.value)) continue
    const host = item.target.scope === 'public' ? item.target.real : item.target.real === null ? behind : null
    const name = host === null ? undefined : names.find((variable) => belongs(variable, host) === 'foreign')
    if (name !== undefined) marks.set(at, { foreign_secret: name })
  }
  return marks
}

const GOING: ReadonlySet<Effect['verb']> = new Set(['fetch', 'send', 'publish'])
const DATABASE = /^["']?(?:postgres|postgresql|mysql|mariadb|mongodb|redis|rediss|mssql|sqlserver|amqps?)(?:\+\w{1,16})?:/
const PLACES: ReadonlySet<Target['kind']> = new Set(['url', 'host', 'repository'])

/** The host after user and password that are not known: `https://x:$TOKEN@host/`. */
function hostBehind({ pieces }: Word): string | null {
  const at = pieces?.findIndex((piece) => piece?.startsWith('@') === true) ?? -1
  const host = at < 1 ? undefined : /^@([a-z0-9.-]{1,253})(?:[:/?#]|$)/i.exec(pieces?.[at] ?? '')?.[1]
  return host === undefined || !pieces?.[0]?.includes('://') ? null : host.toLowerCase()
}
