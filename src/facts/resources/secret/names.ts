/** Which names say that their value is a secret: by words, never by substring (`monkey` holds no key). */

/** `password`: chosen by people, so any value counts. `token`: made by machines, so the value must look like it. */
export type SecretNameKind = 'password' | 'token'

const PASSWORDS = new Set(['password', 'passwd', 'passwort', 'pwd', 'pass', 'passphrase', 'passcode', 'pin', 'cvv', 'cvc', 'otp', 'ssn'])
const TOKENS = new Set('secret token apikey accesskey secretkey privatekey authkey credential authorization cookie jwt'.split(' '))
/** Words that make a secret of the `key` after them. */
const KEY_OWNERS = new Set(
  (
    'api access secret private auth encryption signing master account shared service client deploy app application subscription ' +
    'session hmac jwt'
  ).split(' '),
)
/** Endings of longer words without separators: `dbpassword`, `clientsecret`. */
const ENDINGS: readonly (readonly [string, SecretNameKind])[] = [
  ['password', 'password'],
  ['passwd', 'password'],
  ['passphrase', 'password'],
  ['secret', 'token'],
  ['apikey', 'token'],
  ['accesskey', 'token'],
  ['secretkey', 'token'],
  ['privatekey', 'token'],
  ['accesstoken', 'token'],
  ['refreshtoken', 'token'],
  ['authtoken', 'token'],
  ['sessiontoken', 'token'],
]
/** Words that may follow without changing what the name says. */
const TAILS = new Set(
  'value string base text plain plaintext raw current new old prod production staging dev live test default header'.split(' '),
)
/** Questions about a secret, and tokens that are none. */
const NOT_FIRST = new Set(
  (
    'is has had require requires required allow use show hide enable disable disabled no without needs with max min num count ' +
    'next prev previous page sync continuation pagination'
  ).split(' '),
)
const LONGEST_NAME = 96

/** What kind of secret a value of this name is; null where the name says nothing. Case and word separators do not matter. */
export function secretName(name: string): SecretNameKind | null {
  const words = wordsOf(name)
  while (words.length > 1 && (TAILS.has(words.at(-1) as string) || /^[0-9]+$/.test(words.at(-1) as string))) words.pop()
  const last = words.at(-1)
  if (last === undefined || (words.length > 1 && NOT_FIRST.has(words[0] as string))) return null
  if (last === 'token' && words.some((word) => NOT_FIRST.has(word))) return null
  if (PASSWORDS.has(last)) return 'password'
  if (TOKENS.has(last)) return 'token'
  if (last === 'key' && KEY_OWNERS.has(words.at(-2) ?? '')) return 'token'
  return ENDINGS.find(([ending]) => last.endsWith(ending))?.[1] ?? null
}

const PLURALS: ReadonlyMap<string, string> = new Map([
  ['secrets', 'secret'],
  ['passwords', 'password'],
  ['credentials', 'credential'],
  ['creds', 'credential'],
  ['tokens', 'token'],
  ['cookies', 'cookie'],
  ['keys', 'key'],
])

/** True where a list or an object of this name holds secrets: `secrets`, `apiKeys`, or any name `secretName` knows. */
export function secretCollection(name: string): boolean {
  const words = wordsOf(name)
  const singular = PLURALS.get(words.at(-1) ?? '')
  return secretName(singular === undefined ? name : [...words.slice(0, -1), singular].join('_')) !== null
}

function wordsOf(name: string): string[] {
  const parts = name.slice(-LONGEST_NAME).match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+/g) ?? []
  return parts.map((part) => part.toLowerCase())
}
