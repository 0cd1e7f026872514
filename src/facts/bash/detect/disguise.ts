import type { Command, Word as SyntaxWord } from 'unbash'
import type { Word } from '../../host.ts'

/**
 * Commands spelled so that a reader, or a filter on words, does not see what runs: `w\ho`, `wh""o`, `{rm,-rf,x}`,
 * `rm${IFS}x`, `$'\x72\x6d'`, `$(printf rm)`. What they do is judged as ever; that somebody hid it is worth knowing too.
 */

/** Where the field separator is written out to stand for a blank. */
const SEPARATOR = /\$(?:IFS\b|\{!?IFS\b)/

/** One character cut out of a variable, or a variable reached through another one's name, glued to other text. */
const CUT = /\$\{(?:(?:HOME|PWD|OLDPWD|PATH|SHELL|BASH\w*|LS_COLORS|USER|LANG):\d+:1|![A-Za-z_]\w*(?::{1,2}\d*:?1?)?)\}/

/** Three characters or more of a quoted text that are letters, digits or path signs written as numbers. */
const NUMBERED = /\$'(?:[^'\\]|\\.)*?(?:\\(?:x[2-7][0-9a-f]|0?[1-7][0-7]{2}|u00[2-7][0-9a-f])){3}/i

/** How the command hides what it is; null where it is written plainly. Linear. */
export function disguise(node: Command, words: readonly Word[]): string | null {
  const { name } = node
  if (name === undefined) return null
  const hidden = hiddenName(name, words[0]?.text ?? null)
  if (hidden !== null) return hidden
  for (const item of node.suffix) {
    if (item.type !== 'Word' || !item.text.includes('$')) continue
    const found = hiddenWord(item)
    if (found !== null) return found
  }
  return null
}

/**
 * Who cuts the command out of a text: `unknown` where nobody knows the separator, `own` where it is none of blanks and the text
 * fell apart; null where the command is no expansion, or was cut as usual.
 */
export function separatedBy({ name, suffix }: Command, words: readonly Word[], separators: string | null): 'unknown' | 'own' | null {
  const evaluated = name?.text === 'eval' ? suffix : []
  const cut = [name, ...evaluated].some((word) => word !== undefined && 'text' in word && /^[^"']*[$`]/.test(word.text))
  if (!cut) return null
  if (separators === null) return name?.text === 'eval' ? null : 'unknown'
  return /\S/.test(separators) && words.length > suffix.filter(({ type }) => type === 'Word').length + 1 ? 'own' : null
}

function hiddenWord({ text }: SyntaxWord): string | null {
  if (text.startsWith('"')) return null
  if (SEPARATOR.test(text) && !SEPARATOR.test(text.slice(0, 2)) && text.length > 8) return 'the field separator stands for a blank'
  if (CUT.test(text) && !/^\$\{[^}]*\}$/.test(text)) return 'characters are cut out of other variables'
  return NUMBERED.test(text) ? 'plain characters are written as numbers' : null
}

function hiddenName(name: SyntaxWord, decoded: string | null): string | null {
  const { text } = name
  if (text === decoded) return null
  if (text.startsWith('{') && text.includes(',')) return 'the command is a list of alternatives'
  if (SEPARATOR.test(text)) return 'the field separator stands for a blank'
  if (CUT.test(text) && !/^\$\{[^}]*\}$/.test(text)) return 'characters are cut out of other variables'
  if (NUMBERED.test(text)) return 'the name is written as numbers'
  if (decoded !== null && /\$\(|`/.test(text)) return 'the name is printed by another command'
  if (/[$`]/.test(text)) return null
  // `\ls` only keeps an alias away, and a name with a blank in it has to be quoted.
  if (text.slice(1).replaceAll('\\ ', '').includes('\\')) return 'letters of the name are escaped'
  return isSplit(text) ? 'the name is put together from pieces' : null
}

/** Quotes inside a word that needs none: `wh"oam"i`, but neither `"prog"` nor `./"my prog"`. */
function isSplit(text: string): boolean {
  const inner = text.slice(1, -1)
  const whole = (text.startsWith('"') || text.startsWith("'")) && text.endsWith(text[0] ?? '') && !inner.includes(text[0] ?? '')
  return !whole && /["']/.test(text) && /^[\w./"'-]+$/.test(text)
}
