/** Addresses and names that are written so that they do not look like the place they lead to. */
import { getDomain, getPublicSuffix, parse } from 'tldts'
import { addressScope, carriesFour } from './address.ts'

/** Smaller numbers are no addresses that anybody writes as one number; ids are. */
const LEAST_NUMBER = 2 ** 24

/**
 * True where the host in `full`, a URL, does not look like `host`, which it is read as: an address in other digits or bases,
 * behind percent signs or inside of an IPv6 one; a name in letters of another kind; a host's name where the user's belongs.
 */
export function isDisguised(full: string, host: string, explicit = false): boolean {
  if (ODD_SLASHES.test(full) && (addressScope(host) !== null || host === 'localhost')) return true
  if (explicit && SPELT_OUT.test(full)) return true
  const { authority, rest } = split(full)
  const at = authority.lastIndexOf('@')
  if (at > 0 && claimsHost(authority.slice(0, at), host)) return true
  if (rest.startsWith('\\') || (!rest.startsWith('/') && hidesAddress(rest))) return true
  if (host.includes(':')) return carriesFour(host)
  const written = withoutPort(authority.slice(at + 1)).toLowerCase()
  return !isFilledIn(written) && isOddlyWritten(written, host, explicit)
}

/** What stands behind `//`, before and from the sign that ends the authority. */
function split(full: string): { readonly authority: string; readonly rest: string } {
  const start = full.indexOf('//')
  const body = start < 0 ? '' : full.slice(start + 2)
  const end = body.search(/[/?#\\]/)
  return end < 0 ? { authority: body, rest: '' } : { authority: body.slice(0, end), rest: body.slice(end) }
}

/** A word that is filled in when the command runs: `10.0.0.$i`. */
function isFilledIn(written: string): boolean {
  return /[\s$]/.test(written) || (written.endsWith('.') && written.split('.').length < 5)
}

/** A host in other digits, bases or letters than those of `host`, which it is read as. */
function isOddlyWritten(written: string, host: string, explicit: boolean): boolean {
  if (/%[0-9a-f]{2}/.test(written)) return true
  const plain = written.replace(/\.$/, '')
  if (plain !== written && addressScope(plain) !== null) return true
  // Four parts of which the last is a number can be no name.
  if (FOUR_PARTS.test(plain) && addressScope(host) === null) return true
  if (explicit && /^\d+$/.test(plain)) return true
  if (/[^\x00-\x7f]/.test(plain)) return !host.split('.').some((label) => label.startsWith('xn--'))
  if (addressScope(host) === null || plain === host || written === '') return false
  return !/^\d+$/.test(plain) || Number(plain) >= LEAST_NUMBER
}

/** `http:127.0.0.1/`, `http:///127.0.0.1/`: browsers find the host, other parsers do not. */
const ODD_SLASHES = /^(?:https?|wss?|ftp):(?!\/\/[^/\\])/i

/** Letters, digits or their percent sign behind percent signs, in a path: nothing that writes addresses does so. */
const SPELT_OUT = /^(?:https?|wss?|ftp):\/\/[^?#]*%(?:25)*(?:3\d|[46][1-9a-f]|[57][0-9a])/i

const FOUR_PARTS = /^\w{1,16}\.\d{1,16}\.\d{1,16}\.\d{1,16}$/

/** `https://a.example#@10.0.0.1/`: older parsers take what follows the last `@` before a slash. */
function hidesAddress(rest: string): boolean {
  const slash = rest.indexOf('/')
  const long = slash < 0 ? rest : rest.slice(0, slash)
  return long.includes('@') && addressScope(withoutPort(long.slice(long.lastIndexOf('@') + 1))) !== null
}

function withoutPort(authority: string): string {
  if (authority.startsWith('[')) return authority
  const colon = authority.indexOf(':')
  return colon < 0 ? authority : authority.slice(0, colon)
}

/** `https://bank.example@evil.example/`: the name that a reader sees first is a user's. */
function claimsHost(userinfo: string, host: string): boolean {
  const [user = ''] = withoutPort(userinfo).toLowerCase().split('%2f')
  if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(user)) return false
  if (addressScope(user) !== null) return user !== host
  const { isIcann } = parse(user)
  return isIcann === true && getPublicSuffix(user) !== user && getDomain(user) !== getDomain(host)
}
