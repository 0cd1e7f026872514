/** Names of tools and arguments as lists of lower-case words: `GmailSendEmail`, `send_email` and `send-email` read alike. */

const MAX_NAME = 200

/** The same names come with every call. Bounded, for whoever calls chooses them. */
const known = new Map<string, readonly string[]>()
const MAX_KNOWN = 2_048

/** Words of an identifier, split at case changes, digits excluded, and at every character that is no letter or digit. */
export function wordsOf(name: string): readonly string[] {
  if (name.length > MAX_NAME) return split(name)
  let words = known.get(name)
  if (words !== undefined) return words
  words = split(name)
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(name, words)
  return words
}

function split(name: string): readonly string[] {
  const words: string[] = []
  let word = ''
  const end = Math.min(name.length, MAX_NAME)
  for (let i = 0; i < end; i += 1) {
    const char = name[i] ?? ''
    const upper = isUpper(char)
    const starts = upper && (!isUpper(name[i - 1] ?? '') || isLower(name[i + 1] ?? ''))
    if (starts || !isWordChar(char)) {
      if (word !== '') words.push(word)
      word = ''
    }
    if (isWordChar(char)) word += char.toLowerCase()
  }
  if (word !== '') words.push(word)
  return words
}

function isUpper(char: string): boolean {
  return char >= 'A' && char <= 'Z'
}

function isLower(char: string): boolean {
  return char >= 'a' && char <= 'z'
}

function isWordChar(char: string): boolean {
  return isUpper(char) || isLower(char) || (char >= '0' && char <= '9') || char > '\u007f'
}
