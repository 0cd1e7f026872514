import type { JsonObject } from '../../../core/json.ts'
import type { CommandContext, ParsedCommand, Word } from '../../host.ts'
import { isStream, joinWord, reachUrl, readPath, wordOf, writePath } from '../../resources/acts.ts'

/**
 * What HTTP clients have in common: a request goes out by a method, with or without data, and its answer lands somewhere.
 * Actions: http:get, http:post … http:request (method unknown) · http:proxy (a machine in between sees it) · http:save.
 */

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'POST', 'PUT', 'PATCH', 'DELETE'])
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])

/** The answer may send the client on to any other host: where the request ends is not known. A word, so that more ways can be told. */
export const FOLLOWED: JsonObject = { redirects: 'followed' }

/** The word names how often a client is led on at most: nothing is followed at 0. */
export function followsUpTo(most: Word | null): JsonObject {
  return most !== null && /^0+$/.test(most.text ?? '') ? {} : FOLLOWED
}

export interface Request {
  /** Upper case; null where it is not known before the command runs. */
  readonly method: string | null
  /** Data goes out: a body, a form, an upload, files in a query. */
  readonly sends: boolean
  readonly attributes: JsonObject
}

/** Emits the request to `url`; `file:` URLs are read as the paths they are as well. */
export function request(context: CommandContext, url: Word, { method, sends, attributes }: Request): void {
  const safe = method !== null && SAFE.has(method) && !sends
  const action = method !== null && METHODS.has(method) ? `http:${method.toLowerCase()}` : 'http:request'
  reachUrl(context, url, { verb: safe ? 'fetch' : 'send', action, attributes: { method, ...attributes } })
  const path = filePath(url)
  if (path !== null) readPath(context, path)
}

function filePath(url: Word): Word | null {
  const match = /^file:(?:\/\/(?:localhost)?)?(?=\/)/i.exec(url.prefix)
  if (match === null) return null
  const cut = match[0].length
  return { ...url, text: url.text === null ? null : decoded(url.text.slice(cut)), prefix: url.prefix.slice(cut) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A machine in between: a proxy, or an address that stands in for the one in the URL. */
export function between(context: CommandContext, word: Word, sends: boolean): void {
  if (word.text === '') return
  reachUrl(context, word, { verb: sends ? 'send' : 'fetch', action: 'http:proxy' })
}

/** Proxies named by variables in front of the command: `https_proxy=… curl`. */
export function proxyVariables(parsed: ParsedCommand, context: CommandContext, sends: boolean): void {
  for (const name of ['http_proxy', 'https_proxy', 'HTTPS_PROXY', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY']) {
    const word = parsed.invocation.env.get(name)
    if (word !== undefined) between(context, word, sends)
  }
}

/** The answer is written to `file`; where it came from stays with it. */
export function save(context: CommandContext, file: Word, urls: readonly Word[]): void {
  const from = urls[0]?.text ?? urls[0]?.prefix ?? null
  if (!isStream(file)) writePath(context, file, { action: 'http:save', attributes: from === null ? {} : { from } })
}

/** The answer is written under the last part of the URL's path. */
export function saveByName(context: CommandContext, url: Word, options: { readonly directory: Word | null; readonly index: string }): void {
  const { directory } = options
  const name = nameIn(url, options.index)
  const at = directory?.text ?? ''
  const prefix = at === '' || at.endsWith('/') ? at : `${at}/`
  if (directory !== null && directory.text === null) save(context, directory, [url])
  else if (name === null) save(context, wordOf(prefix === '' ? '.' : prefix, url), [url])
  else save(context, joinWord(prefix, wordOf(name, url)), [url])
}

function nameIn(url: Word, index: string): string | null {
  if (url.text === null) return null
  const path = url.text.replace(/[?#].*$/s, '').replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
  const slash = path.lastIndexOf('/')
  const name = slash < 0 ? '' : path.slice(slash + 1)
  if (/[*{}[\]]/.test(name)) return null
  return name === '' ? index : name
}
