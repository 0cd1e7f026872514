import { isPlaceholder } from './rules.ts'

/** Keys and tokens that are written out in an address. */

/** Names of parameters that carry a key or a token. */
const CARRIES =
  /^(?:api[-_]?key|apikey|key|appid|access[-_]?token|auth[-_]?token|token|secret|client[-_]?secret|password|passwd|sig|signature)$/i

/** True of an address that carries a key or a token, written out, in its query. A value that is short or a word of documents is none. */
export function carriesKey(address: string): boolean {
  const query = address.indexOf('?')
  if (query < 0) return false
  return address
    .slice(query + 1, query + 4_096)
    .split(/[&#]/, 64)
    .some((part) => {
      const equals = part.indexOf('=')
      const value = part.slice(equals + 1)
      return equals > 0 && CARRIES.test(part.slice(0, equals)) && looksMade(value)
    })
}

const looksMade = (value: string) =>
  value.length >= 12 &&
  /\d/.test(value) &&
  /[a-z]/i.test(value) &&
  /^[\w.~%+/=-]{12,}$/.test(value) &&
  !isPlaceholder(value) &&
  !/your|demo|example|sample|dummy/i.test(value)
