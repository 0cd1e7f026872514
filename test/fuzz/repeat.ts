/** Repetition: a few pieces over and over, nested or side by side, at every size up to the longest that is read. What is not linear shows. */
import type { Random } from './random.ts'
import { TOKENS } from './seeds.ts'

const LONGEST = 65_000
const SIZES = [300, 1_000, 3_000, 10_000, 30_000, 60_000] as const

/** Pieces that open, join or repeat, beside the tokens of mutation. */
const PIECES: readonly string[] = [
  ...TOKENS,
  ...['a', ' a ', '1', ',', '..', '+', '*', '/a', '../', 'a.', 'a;', 'a=', 'x=', 'x=(', 'a[', '[', '$[', '${a[', '${x:-', '${x//', '${!x'],
  ...['@(', '+(', '!(', ';; ', 'a) ', 'esac', 'case x in ', 'if a; then ', 'select x in a; do ', 'f(){ ', '}; ', 'export ', 'alias a='],
  ...['trap ', 'set -- ', 'shift; ', 'local ', '| xargs ', '| sh', '| base64 -d', 'find . -exec ', 'A=B ', '=~ ', '-a ', '! ', '== ', 'а'],
]

/** What the repetition stands in: words, syntax, and the languages of other programs. */
const AROUND: readonly (readonly [string, string])[] = [
  ...([
    ['', ''],
    ['echo ', ''],
    ['echo "', '"'],
    ['x=', ''],
    ['x=(', ')'],
    ['((', '))'],
    ['$((', '))'],
    ['[[ ', ' ]]'],
    ['{ ', '; }'],
  ] as const),
  ...([
    ['for i in ', '; do a; done'],
    ['case x in ', ' esac'],
    ['f(){ ', '; }; f'],
    ['cat <<E\n', '\nE\n'],
    ['bash <<E\n', '\nE\n'],
  ] as const),
  ...(['eval', 'bash -c', 'python3 -c', 'node -e', 'perl -e', 'ruby -e', 'php -r', 'awk', 'sed', 'jq', 'pwsh -c', 'ssh h'] as const).map(
    (program) => [`${program} '`, "'"] as const,
  ),
  ...([
    ["psql -c '", "'"],
    ["lua -e '", "'"],
    ["echo '", "' | sh"],
    ["echo '", "' | base64 -d | sh"],
    ['curl ', ''],
    ['git ', ''],
    ['rm ', ''],
  ] as const),
]

const CLOSERS: ReadonlyMap<string, string> = new Map(Object.entries({ '(': ')', '{': '}', '[': ']', '"': '"', "'": "'", '`': '`' }))

/** What closes the brackets of the piece, the last one first. */
function closing(piece: string): string {
  let text = ''
  for (const character of piece) text = (CLOSERS.get(character) ?? '') + text
  return text
}

/** A repeated text; always the same for the same state of `random`. */
export function repeated(random: Random): string {
  let piece = ''
  for (let parts = 1 + random.below(4); parts > 0; parts--) piece += random.pick(PIECES)
  const [before, after] = random.pick(AROUND)
  const close = random.once(3) ? closing(piece) : ''
  const count = Math.floor(random.pick(SIZES) / (piece.length + close.length))
  const inner =
    piece.repeat(count) + (random.once(2) ? ' x' : '') + close.repeat(count) + (random.once(4) ? ' a'.repeat(random.below(2_000)) : '')
  return before + inner.slice(0, LONGEST) + (random.once(4) ? '' : after)
}
