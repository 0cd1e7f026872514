/** Arguments as names and values, whether a tool takes them as JSON or a program as words. */
import { isJsonObject, type Json } from '../core/json.ts'

export interface Leaf {
  /** The last name on the way to the value, without case and separators; empty: a word without a name. */
  readonly name: string
  readonly value: string
}

const MAX_LEAVES = 512

export function leavesOfJson(value: Json): readonly Leaf[] {
  const leaves: Leaf[] = []
  const walk = (name: string, part: Json): void => {
    if (leaves.length >= MAX_LEAVES) return
    if (Array.isArray(part)) for (const each of part) walk(name, each)
    else if (isJsonObject(part)) for (const [key, each] of Object.entries(part)) walk(key, each)
    else if (part !== null) leaves.push(leaf(name, String(part)))
  }
  walk('', value)
  return leaves
}

/** Words of a command after its program; null for a word that is not known before it runs. */
export function leavesOfWords(words: readonly (string | null)[]): readonly Leaf[] {
  const leaves: Leaf[] = []
  for (let at = 0; at < words.length && leaves.length < MAX_LEAVES; at++) {
    const word = words[at] ?? ''
    const next = words[at + 1]
    const long = /^--?([A-Za-z][\w-]*)(?:=(.*))?$/s.exec(word)
    if (long === null) {
      leaves.push(...leavesOfWord(word))
      continue
    }
    const [, name = '', given] = long
    const takesNext = given === undefined && typeof next === 'string' && !next.startsWith('-')
    const value = given ?? (takesNext ? next : '')
    if (takesNext) at++
    leaves.push(...(takesData(name) ? leavesOfWord(value) : [leaf(name, value)]))
  }
  return leaves
}

/** Options of curl, wget, http and their like whose value is a request's body or one of its headers. */
function takesData(name: string): boolean {
  return /^(?:[dFH]|data(?:-\w+)?|form(?:-string)?|json|header|post-data|body-data|body|payload|cli-input-json)$/.test(name)
}

/** `a=1&b=2`, `Header: value`, JSON, or just a word. */
function leavesOfWord(word: string): readonly Leaf[] {
  const text = word.trim()
  if (/^[{[]/.test(text)) {
    try {
      return leavesOfJson(JSON.parse(text) as Json)
    } catch {
      return [leaf('', text)]
    }
  }
  const header = /^([A-Za-z][\w-]{0,63}):\s+(.+)$/s.exec(text)
  if (header !== null) return [leaf(header[1] ?? '', header[2] ?? '')]
  if (/^[\w.[\]-]{1,64}=/.test(text)) return text.split('&').map(pairOf)
  return text === '' ? [] : [leaf('', text)]
}

function pairOf(pair: string): Leaf {
  const at = pair.indexOf('=')
  return at === -1 ? leaf('', pair) : leaf(pair.slice(0, at), pair.slice(at + 1))
}

/** What stands behind the question mark of an address. */
export function leavesOfQuery(url: string): readonly Leaf[] {
  const at = url.indexOf('?')
  return at === -1
    ? []
    : url
        .slice(at + 1)
        .split('&')
        .filter((pair) => pair !== '')
        .map(pairOf)
}

/** `items[0][amount]` is an amount; `5`, `5.0` and `"5"` are one value. */
function leaf(name: string, value: string): Leaf {
  const last = name.split(/[.[\]]+/).findLast((part) => part !== '' && !/^\d+$/.test(part)) ?? ''
  return { name: last.toLowerCase().replace(/[_-]/g, ''), value: plain(value) }
}

function plain(value: string): string {
  const text = value.normalize('NFKC').trim().replace(/\s+/g, ' ')
  return /^[+-]?\d{1,15}(?:\.\d{1,15})?$/.test(text) ? String(Number(text)) : text
}
