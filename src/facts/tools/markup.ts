/** Addresses that a document makes its reader open: entities of XML, and what a page draws in when a server renders it. */
import { describeUrl, type FoundUrl } from '../resources/url/index.ts'

const MOST = 32
/** Longer tags are no tags that anybody parses. */
const LONGEST = 2400
const TAG = /<(?:!entity|!doctype|(?:xi:)?include)\s/gi
const QUOTED = /"[^"]*"|'[^']*'/g
const SOURCE = /(?:\b(?:src|href|data|action|poster)\s?=\s?|\burl\(\s?|@import\s)(?:"([^"]{1,2000})"|'([^']{1,2000})')/gi

/** External entities and includes: whoever parses the text opens them. A document type of the web's own is none. */
export function entities(text: string): readonly FoundUrl[] {
  const list: FoundUrl[] = []
  for (const { index, 0: opening } of text.matchAll(TAG)) {
    const drawn = named(text.slice(index, index + LONGEST), opening.includes('!'), index)
    if (drawn !== null && !/^https?:\/\/www\.w3\.org\//i.test(drawn.text)) list.push(drawn)
    if (list.length >= MOST) break
  }
  return list
}

/** The address that a tag names: the last text in quotes after `SYSTEM` or `PUBLIC`, or the one after `href=`. */
function named(from: string, declares: boolean, offset: number): FoundUrl | null {
  const end = from.search(declares ? /[>[]/ : />/)
  const tag = from.slice(0, end < 0 ? undefined : end)
  if (declares && !/\b(?:SYSTEM|PUBLIC)\b/i.test(tag)) return null
  const quoted = [...tag.matchAll(QUOTED)].filter(({ index }) => declares || tag.slice(0, index).toLowerCase().endsWith('href=')).at(-1)
  if (quoted === undefined) return null
  const start = offset + quoted.index + 1
  const address = quoted[0].slice(1, -1)
  return { text: address, start, end: start + address.length }
}

/** Addresses of a page that only a machine on the inside can reach: metadata services, inner hosts, files. */
export function inner(text: string): readonly FoundUrl[] {
  if (!/[<(@]/.test(text)) return []
  return found(text, SOURCE).filter(({ text: address }) => {
    if (/^file:/i.test(address)) return true
    if (!/^(?:[a-z][a-z0-9+.-]{1,20}:)?\/\//i.test(address)) return false
    const { scope } = describeUrl(address)
    return scope === 'metadata' || scope === 'link-local' || scope === 'private'
  })
}

function found(text: string, pattern: RegExp): readonly FoundUrl[] {
  const list: FoundUrl[] = []
  for (const match of text.matchAll(pattern)) {
    const address = match[1] ?? match[2] ?? ''
    const end = match.index + match[0].length - (match[0].endsWith(')') ? 2 : 1)
    list.push({ text: address, start: end - address.length, end })
    if (list.length >= MOST) break
  }
  return list
}
