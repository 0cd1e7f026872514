import type { Effect } from '../../effect.ts'
import type { Language, Word } from '../../host.ts'
import { HOLE, withHoles } from './hole.ts'

/**
 * Code in an argument of which only parts are known: `python3 -c "open('$f')"`, `find . -exec sh -c 'wc -l "{}"' \;`. The rest
 * is read with a mark where names and plain values stand; whatever the mark ends up naming is unknown, and a command that it
 * names is dynamic code.
 */

/** Reads that tell names, not content. */
const NAMING: ReadonlySet<string> = new Set(['fs:list', 'fs:stat'])

/** What a file, a program or the network says may be anything, also the end of the text that it is put into. */
function holdsContent(item: Effect): boolean {
  return item.verb !== 'read' || (item.target.kind !== 'variable' && !NAMING.has(item.action ?? ''))
}

/**
 * The text of a partly known word with marks for the rest; null where nothing is known of it, or where the rest may be chosen
 * by somebody else. For a shell, where any value is a piece of code, only names that were found qualify.
 */
export function templateOf(word: Word, language: Language): string | null {
  const { pieces } = word
  if (word.text !== null || pieces === undefined || word.decoded === true || word.from?.some(holdsContent) === true) return null
  if (language === 'shell' && (!word.glob || word.dynamic)) return null
  if (!pieces.some((piece) => piece !== null && /\S/.test(piece))) return null
  return language === 'shell' ? withHoles(pieces) : withHoles(pieces).replaceAll(EVERY, HOLE)
}

/** Stands for everything in a directory, where `HOLE` is one of the names in it. */
export const EVERY = '\ue001'

/** A name that was found. */
export const FOUND: Pick<Word, 'prefix' | 'glob' | 'dynamic'> = { prefix: '', glob: true, dynamic: false }

/** A text cut at its marks: known parts, and `HOLE` or `EVERY` between them. Null where it has none. */
export function cutAtMarks(text: string): readonly string[] | null {
  return text.includes(HOLE) || text.includes(EVERY) ? text.split(/([\ue000\ue001])/) : null
}

/** Marks as people read them. */
export function withoutMarks(text: string): string {
  return cutAtMarks(text) === null ? text : text.replaceAll(HOLE, '…').replaceAll(EVERY, '*')
}
