/**
 * Letters and signs of other scripts that look like ASCII: a small subset of our own of what Unicode TS 39 lists, for names,
 * commands and paths. Not for prose in one script, which is nobody's disguise.
 */

/** `[ASCII, look-alikes]`: letters of Cyrillic, Greek, Armenian and Cherokee. */
const LETTERS: readonly (readonly [string, string])[] = [
  ['a', '\u0430\u03b1'],
  ['c', '\u0441\u03f2'],
  ['d', '\u0501'],
  ['e', '\u0435'],
  ['g', '\u0581'],
  ['h', '\u04bb\u0570'],
  ['i', '\u0456\u03b9'],
  ['j', '\u0458\u03f3'],
  ['k', '\u043a\u03ba'],
  ['l', '\u04cf'],
  ['n', '\u0578'],
  ['o', '\u043e\u03bf\u03c3\u0585'],
  ['p', '\u0440\u03c1'],
  ['q', '\u051b\u0566'],
  ['s', '\u0455'],
  ['u', '\u03c5\u057d'],
  ['v', '\u0475\u03bd'],
  ['w', '\u051d\u0561'],
  ['x', '\u0445'],
  ['y', '\u0443\u03b3'],
  ['A', '\u0410\u0391\u13aa'],
  ['B', '\u0412\u0392\u13f4'],
  ['C', '\u0421\u13df'],
  ['D', '\u13a0'],
  ['E', '\u0415\u0395\u13ac'],
  ['G', '\u050c\u13c0'],
  ['H', '\u041d\u0397\u13bb'],
  ['I', '\u0406\u0399\u04c0'],
  ['J', '\u0408\u13ab'],
  ['K', '\u041a\u039a\u13e6'],
  ['L', '\u13de'],
  ['M', '\u041c\u039c\u13b7'],
  ['N', '\u039d'],
  ['O', '\u041e\u039f\u0555'],
  ['P', '\u0420\u03a1\u13e2'],
  ['Q', '\u051a'],
  ['R', '\u13a1'],
  ['S', '\u0405\u13da'],
  ['T', '\u0422\u03a4\u13a2'],
  ['U', '\u054d'],
  ['W', '\u051c\u13b3'],
  ['X', '\u0425\u03a7'],
  ['Y', '\u0423\u03a5\u04ae\u13a9'],
  ['Z', '\u0396\u13c3'],
]

/** Signs that look like those a shell, a path or a URL gives a meaning to; NFKC leaves them alone. */
const SIGNS: readonly (readonly [string, string])[] = [
  ['/', '\u2044\u2215\u29f8\u2571'],
  ['\\', '\u2216\u29f5'],
  [':', '\u0589\u05c3\u02d0\u2236\ua789'],
  ['.', '\u06d4\u0701'],
  ['-', '\u2010\u2011\u2012\u2212'],
  ['|', '\u2223\u01c0'],
  ['~', '\u223c'],
  ['*', '\u2217'],
]

/** Latin letters that look like other Latin letters: part of real words, so only the skeleton folds them. */
const LATIN: readonly (readonly [string, string])[] = [
  ['a', '\u0251'],
  ['g', '\u0261'],
  ['i', '\u0131\u0269'],
  ['j', '\u0237'],
]

const LETTER_OF = table(LETTERS)
const SKELETON = table([...LETTERS, ...SIGNS, ...LATIN])

function table(rows: readonly (readonly [string, string])[]): ReadonlyMap<string, string> {
  return new Map(rows.flatMap(([ascii, lookalikes]) => [...lookalikes].map((c) => [c, ascii] as const)))
}

/** True for a letter of another script that passes for an ASCII letter. */
export function looksLatin(character: string): boolean {
  return LETTER_OF.has(character)
}

/** The text with every known look-alike as ASCII, after NFKC: two names with one skeleton are confusable (T11). */
export function skeleton(text: string): string {
  let out = ''
  for (const character of text.normalize('NFKC')) out += SKELETON.get(character) ?? character
  return out
}
