/**
 * Signed tokens of a provider. The algorithm is chosen here, never by the token: RS256 or ES256, with a key of the kind
 * that it needs; `none` and shared secrets are no signatures at all.
 */
import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto'
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'

/** Why a login did not come about; for the operator and for the person alike, so it names no secret. */
export class LoginFault extends Error {
  override readonly name = 'LoginFault'
}

interface Algorithm {
  readonly kty: string
  readonly holds: (key: KeyObject) => boolean
  readonly verify: (data: Buffer, key: KeyObject, signature: Buffer) => boolean
}

const SMALLEST_MODULUS = 2_048

const ALGORITHMS: ReadonlyMap<string, Algorithm> = new Map([
  [
    'RS256',
    {
      kty: 'RSA',
      holds: ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) =>
        asymmetricKeyType === 'rsa' && (asymmetricKeyDetails?.modulusLength ?? 0) >= SMALLEST_MODULUS,
      verify: (data: Buffer, key: KeyObject, signature: Buffer) => verify('sha256', data, key, signature),
    },
  ],
  [
    'ES256',
    {
      kty: 'EC',
      holds: ({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject) =>
        asymmetricKeyType === 'ec' && asymmetricKeyDetails?.namedCurve === 'prime256v1',
      verify: (data: Buffer, key: KeyObject, signature: Buffer) => verify('sha256', data, { key, dsaEncoding: 'ieee-p1363' }, signature),
    },
  ],
])

export interface Signed {
  /** Names the key; null where there is one key only. */
  readonly keyId: string | null
  readonly algorithm: string
  readonly claims: JsonObject
  /** True where one of these keys made the signature. */
  readonly signedBy: (keys: readonly JsonObject[]) => boolean
}

const SEGMENT = /^[A-Za-z0-9_-]+$/
const LONGEST = 64 * 1024

/** Reads a compact JWS. Its claims mean nothing before `signedBy` says yes. Throws `LoginFault`. */
export function readSigned(token: string): Signed {
  const parts = token.length > LONGEST ? [] : token.split('.')
  const [head = '', body = '', signature = ''] = parts
  if (parts.length !== 3 || !parts.every((part) => SEGMENT.test(part))) throw new LoginFault('the provider sent no signed token')
  const header = jsonOf(head)
  const { alg, kid = null, crit } = header
  const algorithm = typeof alg === 'string' ? ALGORITHMS.get(alg) : undefined
  if (typeof alg !== 'string' || algorithm === undefined) throw new LoginFault('the token is not signed with RS256 or ES256')
  if (crit !== undefined) throw new LoginFault('the token asks for an extension that is not known here')
  if (kid !== null && typeof kid !== 'string') throw new LoginFault('the token names its key in an unknown way')
  const data = Buffer.from(`${head}.${body}`)
  const bytes = Buffer.from(signature, 'base64url')
  return {
    keyId: kid,
    algorithm: alg,
    claims: jsonOf(body),
    signedBy: (keys) =>
      keys.some((jwk) => {
        const key = isFor(jwk, { alg, kid, kty: algorithm.kty }) ? keyOf(jwk) : null
        return key !== null && algorithm.holds(key) && algorithm.verify(data, key, bytes)
      }),
  }
}

interface Wanted {
  readonly alg: string
  readonly kid: string | null
  readonly kty: string
}

/** A key that says what it is for is used for nothing else. */
function isFor(jwk: JsonObject, { alg, kid, kty }: Wanted): boolean {
  const fits = (name: string, value: string) => jwk[name] === undefined || jwk[name] === value
  const known = kid === null || jwk.kid === kid
  return known && jwk.kty === kty && fits('use', 'sig') && fits('alg', alg)
}

function keyOf(jwk: JsonObject): KeyObject | null {
  try {
    return createPublicKey({ key: jwk as unknown as JsonWebKey, format: 'jwk' })
  } catch {
    return null
  }
}

function jsonOf(segment: string): JsonObject {
  const read = readJson(Buffer.from(segment, 'base64url'))
  const value: Json = read.ok ? read.value : null
  if (!isJsonObject(value)) throw new LoginFault('the token cannot be read')
  return value
}
