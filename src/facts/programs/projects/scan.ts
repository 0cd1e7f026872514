/** Parts of files of builds by the signs around them; linear, and bounded in how much of one part is taken. */

const MAX_FOUND = 64
const LONGEST = 8_192

export interface Tag {
  /** What stands in the tag behind its name. */
  readonly within: string
  /** What stands between it and the tag that closes it; empty where none does. */
  readonly inner: string
}

/** Tags of that name in XML. */
export function tagsIn(text: string, name: string): readonly Tag[] {
  const found: Tag[] = []
  const open = `<${name}`
  for (let at = text.indexOf(open); at >= 0 && found.length < MAX_FOUND; at = text.indexOf(open, at + 1)) {
    const from = at + open.length
    const end = endOfTag(text, from)
    if (end < 0 || !/[\s/>]/.test(text[from] ?? '')) continue
    const alone = text[end - 1] === '/'
    const close = alone ? end + 1 : text.indexOf(`</${name}>`, end)
    const inner = alone || close < 0 ? '' : text.slice(end + 1, Math.min(close, end + LONGEST))
    found.push({ within: text.slice(from, alone ? end - 1 : end), inner })
  }
  return found
}

/** Where the tag ends; signs in quotes do not end it. */
function endOfTag(text: string, from: number): number {
  let quote = ''
  for (let at = from; at < text.length && at - from < LONGEST; at++) {
    const sign = text[at] ?? ''
    if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '>') return at
  }
  return -1
}

/** The value of an attribute of a tag. */
export function attributeOf({ within }: Tag, name: string): string | null {
  for (let at = within.indexOf(name); at >= 0; at = within.indexOf(name, at + 1)) {
    const rest = within.slice(at + name.length).trimStart()
    const value = rest.startsWith('=') ? rest.slice(1).trimStart() : ''
    const quote = value[0]
    if (!/^[\s]?$/.test(within[at - 1] ?? '') || (quote !== '"' && quote !== "'")) continue
    const end = value.indexOf(quote, 1)
    if (end > 0) return value.slice(1, end)
  }
  return null
}

/** What stands behind `name`, blanks and a sign, from the bracket that opens there to the next that closes. */
export function listsOf(text: string, name: string, sign = '='): readonly string[] {
  const found: string[] = []
  for (let at = text.indexOf(name); at >= 0 && found.length < MAX_FOUND; at = text.indexOf(name, at + 1)) {
    const rest = text.slice(at + name.length, at + name.length + LONGEST).trimStart()
    const list = rest.startsWith(sign) ? rest.slice(sign.length).trimStart() : ''
    const end = list.indexOf(']')
    if (list.startsWith('[') && end > 0 && !/\w/.test(text[at - 1] ?? '')) found.push(list.slice(1, end))
  }
  return found
}

/** Texts in double quotes, their escapes as they are written. */
export function quotedIn(text: string): readonly string[] {
  const found: string[] = []
  for (let at = text.indexOf('"'); at >= 0 && found.length < MAX_FOUND; at = text.indexOf('"', at + 1)) {
    const from = at + 1
    for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++
    found.push(text.slice(from, at))
  }
  return found
}

/** Blocks `name { … }` and `name "label" { … }`, brackets in them counted. */
export function blocksOf(text: string, name: string): readonly string[] {
  const found: string[] = []
  for (let at = text.indexOf(name); at >= 0 && found.length < MAX_FOUND; at = text.indexOf(name, at + 1)) {
    const open = text.indexOf('{', at)
    if (open < 0 || open - at > LONGEST || !/^(?:"[^"\n]*")?$/.test(text.slice(at + name.length, open).trim())) continue
    let depth = 0
    let end = open
    for (; end < text.length && end - open < LONGEST; end++) {
      if (text[end] === '{') depth++
      else if (text[end] === '}' && --depth === 0) break
    }
    found.push(text.slice(open + 1, end))
  }
  return found
}
