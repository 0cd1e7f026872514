import { target } from '../../effect.ts'
import type { Word } from '../../host.ts'
import { type Detected, type Execution, found, NOTHING } from './execution.ts'

/** Secrets that come into being or stand in the words of a command, where every process of the machine and every log sees them. */

interface Giving {
  /** Options whose value is a password, attached or in the next word. */
  readonly passwords?: RegExp
  /** Options whose value is `user:password`. */
  readonly pairs?: RegExp
}

/** `-pSECRET` of the clients of MySQL: a `-p` alone asks for it. */
const MYSQL: Giving = { passwords: /^(?:--password=|-p(?=.))/ }
const HTTPIE: Giving = { pairs: /^(?:-a|--auth)(?:=|$)/ }
const ARCHIVE: Giving = { passwords: /^-p(?=.)/ }

const GIVES: ReadonlyMap<string, Giving> = new Map([
  [
    'curl',
    {
      passwords: /^--(?:pass|proxy-pass|key-pass)(?:=|$)/,
      pairs: /^(?:--(?:user|proxy-user|login-options)(?:=|$)|-[a-zA-Z]{0,6}[uU](?=.|$))/,
    },
  ],
  ['wget', { passwords: /^--(?:http-|ftp-|proxy-)?password(?:=|$)/ }],
  ...['http', 'https', 'xh'].map((name) => [name, HTTPIE] as const),
  ...['mysql', 'mysqldump', 'mysqladmin', 'mariadb'].map((name) => [name, MYSQL] as const),
  ['redis-cli', { passwords: /^(?:-a|--pass)(?:=|$)/ }],
  ['zip', { passwords: /^(?:-P|--password)(?:=|$)/ }],
  ...['7z', '7za', '7zz', 'unrar'].map((name) => [name, ARCHIVE] as const),
  ['openssl', { passwords: /^(?:-k$|-pass(?:in|out)?=?$)/ }],
  ['smbclient', { pairs: /^-U(?=.|$)|^--user(?:=|$)/ }],
  ['lftp', { pairs: /^(?:-u|--user)(?:=|$)/ }],
])

/** Defaults that everybody tries first, and words that stand for a value in documents. */
const DEFAULTS = new RegExp(
  String.raw`^(?:admin|root|postgres|mysql|test(?:ing)?|guest|user(?:name)?|pass(?:word|wd)?|secret|changeme|example|demo|dev` +
    String.raw`|minioadmin|elastic|x{3,}|\*+|your[-_]?\w{0,32}|<.{0,64}>|\.\.\.|)$`,
  'i',
)

/** A password is written out. The defaults are of no use to anybody but where they go to a machine elsewhere. */
export function reportOwnWords({ site, invocation, start }: Execution): readonly Detected[] {
  const giving = GIVES.get(invocation.name)
  if (giving === undefined) return NOTHING
  for (const [at, word] of invocation.args.entries()) {
    const given = givenBy(giving, word, invocation.args[at + 1])
    if (given === null || (DEFAULTS.test(given) && !goesAway(site.analysis.effects.slice(start)))) continue
    return found(target('resource', `a password for ${invocation.name}`), { verb: 'change', action: 'exposed:secret', span: word.span })
  }
  return NOTHING
}

/** `curl --negotiate -u :`, `--ntlm-wb`: the server is given the login that the user has at the machine. */
export function reportOwnLogin({ invocation }: Execution): readonly Detected[] {
  const words = invocation.args.map(({ text }) => text)
  const own =
    words.includes('--ntlm-wb') ||
    (words.some((text) => text === '--negotiate' || text === '--ntlm') && words.some((text) => text === ':' || text === '-u:'))
  return own
    ? found(target('account', 'the login of the user'), { verb: 'change', action: 'exposed:login', span: invocation.span })
    : NOTHING
}

const goesAway = (effects: Execution['site']['analysis']['effects']) =>
  effects.some(({ target: { kind, scope } }) => (kind === 'url' || kind === 'host') && scope !== 'loopback')

function givenBy({ passwords, pairs }: Giving, word: Word, next: Word | undefined): string | null {
  if (word.text === null && !word.prefix.startsWith('-')) return null
  const alone = valueBehind(passwords, word, next)
  if (alone !== undefined) return alone === null ? null : passwordIn(alone)
  const pair = valueBehind(pairs, word, next)
  return typeof pair === 'string' ? secondOf(pair) : null
}

/** What stands behind an option, in its word or in the next one: null where that is not known, undefined where this is no such option. */
function valueBehind(option: RegExp | undefined, { text, prefix }: Word, next: Word | undefined): string | null | undefined {
  const written = text ?? prefix
  const found = option?.exec(written) ?? null
  if (found === null) return undefined
  const rest = written.slice(found[0].length)
  if (rest === '') return next?.text ?? null
  return text === null ? null : rest
}

/** `pass:x` is the password x; `env:X`, `file:x` only say where it is. */
function passwordIn(value: string): string | null {
  const given = value.replace(/^pass:/, '')
  return given === value && /^(?:env|file|fd):|^stdin$/.test(value) ? null : given
}

/** `user:password`, `user%password`. */
function secondOf(pair: string): string | null {
  const colon = pair.search(/[:%]/)
  return colon < 0 || colon === pair.length - 1 ? null : pair.slice(colon + 1)
}

/** What says that a program makes a private key now; null: whatever it is told. */
const MAKES: ReadonlyMap<string, RegExp | null> = new Map([
  ['openssl', /^(?:genrsa|genpkey|gendsa|-newkey|-genkey)$/],
  ['age-keygen', null],
  ['rage-keygen', null],
  ['wg', /^gen(?:key|psk)$/],
  ['minisign', /^-G$/],
  ['cosign', /^generate-key-pair$/],
  ['keytool', /^-gen(?:keypair|key|seckey)$/],
  ['puttygen', /^-t$/],
  ['dropbearkey', /^-t$/],
  ['gpg', /^--(?:quick-|full-)?gen(?:erate)?-key$/],
  ['step', /^(?:keypair|--(?:no-password|insecure))$/],
  ['certtool', /^(?:-p|--generate-privkey)$/],
])

/** A key pair comes into being: whoever has its file is whoever it stands for. */
export function reportNewKey({ site, invocation, start }: Execution): readonly Detected[] {
  const { name, args, span } = invocation
  const says = MAKES.get(name)
  const told = args.some(({ text }) => text !== null && (says?.test(text) ?? false))
  const written = site.analysis.effects.slice(start).some(({ verb, action }) => verb === 'write' && action === 'ssh:key')
  // A new passphrase or comment is no new key.
  const other = args.some(
    ({ text }) => text !== null && /^(?:--help|-h|--version|-[pc]f?)$/.test(text) && !(text === '-p' && name === 'certtool'),
  )
  if (other || !(told || says === null || (name === 'ssh-keygen' && written))) return NOTHING
  return found(target('resource', 'a private key'), { verb: 'write', action: 'key:new', span })
}
