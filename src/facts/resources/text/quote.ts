/** Words back to shell text, for hosts that send a command as a list and for code that an interpreter would be given. */

const PLAIN = /^[A-Za-z0-9_@%+=:,./-]+$/

/** One word, quoted so that a shell reads exactly it. */
export function shellWord(text: string): string {
  return PLAIN.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}

export function shellWords(words: readonly string[]): string {
  return words.map(shellWord).join(' ')
}

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash'])

/** Index of the script in `["bash", "-lc", script]`; -1 where the list is a plain command. */
export function scriptIndex(words: readonly string[]): number {
  const program = words[0]?.slice(words[0].lastIndexOf('/') + 1) ?? ''
  const option = words[1] ?? ''
  return words.length === 3 && SHELLS.has(program) && option.startsWith('-') && !option.startsWith('--') && option.endsWith('c') ? 2 : -1
}
