/** Made-up secrets of many kinds, put together at run time so that no scanner mistakes this file for a leak (T60). */
import { base62, crc32 } from '../src/facts/resources/secret/checksum.ts'

export interface SecretKind {
  readonly kind: string
  /** The text as it would stand in a file or a command. */
  readonly text: string
  /** The part that must never be seen again. */
  readonly secret: string
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const ALNUM = `${LOWER}${LOWER.toUpperCase()}0123456789`
const HEX = '0123456789abcdef'

/** `length` characters of `alphabet`, different for every `seed`, the same in every run. */
export function random(alphabet: string, length: number, seed: number): string {
  let state = (seed * 2_654_435_761 + 12_345) >>> 0
  let out = ''
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    out += alphabet[Math.floor((state / 4_294_967_296) * alphabet.length)]
  }
  return out
}

const word = (length: number, seed: number) => random(ALNUM, length, seed)
const hex = (length: number, seed: number) => random(HEX, length, seed)

function token(kind: string, ...parts: readonly string[]): SecretKind {
  const text = parts.join('')
  return { kind, text, secret: text }
}

function inside(kind: string, around: readonly [string, string], secret: string): SecretKind {
  return { kind, text: `${around[0]}${secret}${around[1]}`, secret }
}

function checksummed(prefix: string, seed: number): string {
  const body = word(30, seed)
  return `${prefix}${body}${base62(crc32(body))}`
}

const jwt = (seed: number) => `eyJ${word(20, seed)}.eyJ${word(40, seed + 1)}.${word(43, seed + 2)}`

function tokens(seed: number): SecretKind[] {
  const s = seed * 100
  return [
    token('openai', 'sk-', word(48, s + 1)),
    token('openai-project', 'sk-', 'proj-', word(64, s + 2)),
    token('anthropic', 'sk-', 'ant-api03-', word(80, s + 3)),
    token('github-classic', checksummed('ghp' + '_', s + 4)),
    token('github-unchecked', 'gho', '_', word(36, s + 5)),
    token('github-fine-grained', 'github', '_pat_', word(70, s + 6)),
    token('github-server-jwt', 'ghs', '_', jwt(s + 7)),
    token('gitlab', 'glpat', '-', word(20, s + 8)),
    token('slack-bot', 'xoxb', '-', random('0123456789', 12, s + 9), '-', word(24, s + 9)),
    token('slack-app', 'xapp', '-1-', word(30, s + 10)),
    token('google-api', 'AIza', word(35, s + 11)),
    token('google-oauth', 'GOCSPX', '-', word(28, s + 12)),
    token('google-access', 'ya29', '.', word(60, s + 13)),
    token('aws-access', 'AKIA', random('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16, s + 14)),
    token('stripe-live', 'sk', '_live_', word(24, s + 15)),
    token('stripe-restricted', 'rk', '_test_', word(24, s + 16)),
    token('sendgrid', 'SG', '.', word(22, s + 17), '.', word(43, s + 18)),
    token('huggingface', 'hf', '_', random(ALNUM, 34, s + 19)),
    token('npm', checksummed('npm' + '_', s + 20)),
    token('pypi', 'pypi', '-AgE', word(80, s + 21)),
    token('digitalocean', 'dop', '_v1_', hex(64, s + 22)),
    token('databricks', 'dapi', hex(32, s + 23)),
    token('telegram', random('123456789', 10, s + 24), ':AA', word(33, s + 24)),
    token('jwt', jwt(s + 25)),
    token('perplexity', 'pplx', '-', word(48, s + 26)),
    token('vault', 'hvs', '.', word(40, s + 27)),
    token('shopify', 'shpat', '_', hex(32, s + 28)),
    token('square', 'sq0atp', '-', word(22, s + 29)),
    token('grafana', 'glsa', '_', word(32, s + 30), '_', hex(8, s + 30)),
    token('linear', 'lin', '_api_', word(40, s + 31)),
    token('notion', 'ntn', '_', word(46, s + 32)),
    token('docker', 'dckr', '_pat_', word(27, s + 33)),
    token('age', 'AGE-SECRET', '-KEY-1', random('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L', 58, s + 34)),
    token('terraform', word(14, s + 35), '.atlasv1', '.', word(64, s + 35)),
    token('mailchimp', hex(32, s + 36), '-us', '12'),
    token('slack-webhook', 'hooks.slack', '.com/services/T', word(8, s + 37), '/B', word(8, s + 38), '/', word(24, s + 39)),
  ]
}

function surrounded(seed: number): SecretKind[] {
  const s = seed * 100 + 50
  const key = `${word(64, s + 1)}\n${word(64, s + 2)}\n${word(20, s + 3)}=`
  return [
    inside('private-key', [`${'-'.repeat(5)}BEGIN RSA PRIVATE KEY-----\n`, `\n${'-'.repeat(5)}END RSA PRIVATE KEY-----`], key),
    inside('private-key-cut-off', [`${'-'.repeat(5)}BEGIN OPENSSH PRIVATE KEY-----\n`, ''], key),
    inside('database-url', ['postgres://app:', '@db.internal:5432/app'], `P@ss${word(6, s + 4)}@w0rd`),
    inside('https-url', ['https://bot:', '@git.example.com/x.git'], word(12, s + 5)),
    inside('authorization-bearer', ['Authorization: Bearer ', ''], word(40, s + 6)),
    inside('authorization-basic', ['authorization: Basic ', ''], `${word(22, s + 7)}==`),
    inside('authorization-json', ['{"Authorization":"token ', '"}'], word(32, s + 8)),
    inside('cookie', ['Cookie: sid=', ''], word(32, s + 9)),
    inside('env-password', ['DB_PASSWORD=', ''], word(14, s + 10)),
    inside('env-secret', ['AWS_SECRET_ACCESS_KEY=', ''], random(`${ALNUM}/+`, 40, s + 11)),
    inside('env-quoted', ['export API_KEY="', '"'], word(24, s + 12)),
    inside('lower-case-key', ['api_key=', ''], word(20, s + 13)),
    inside('json-secret', ['{"client_secret": "', '"}'], word(24, s + 14)),
    inside('escaped-json', ['{\\"accessToken\\":\\"', '\\"}'], word(24, s + 15)),
    inside('yaml-password', ['password: ', ''], word(12, s + 16)),
    inside('option', ['deploy --auth-token ', ' --yes'], word(24, s + 17)),
    inside('option-equals', ['mysql --password=', ' app'], word(10, s + 18)),
    inside('curl-user', ['curl -u admin:', ' https://example.com'], word(12, s + 19)),
    inside('azure-storage', ['AccountName=x;AccountKey=', ''], `${word(86, s + 20)}==`),
    inside('query', ['https://example.com/cb?access_token=', '&x=1'], word(30, s + 21)),
    inside('npmrc', ['//registry.example.com/:_authToken=', ''], word(36, s + 22)),
  ]
}

/** At least one of each of more than fifty kinds; another `seed` gives other secrets of the same kinds. */
export function secretKinds(seed = 1): readonly SecretKind[] {
  return [...tokens(seed), ...surrounded(seed)]
}
