/** Cells of notebooks: Python with lines for a shell in between (`!rm x`, `%sx`), or a whole cell for one (`%%bash`). */

const SHELL_LINE = /^[ \t]*(?:[A-Za-z_][\w, ]{0,40}=[ \t]{0,8})?(?:!{1,2}|%(?:sx|system|sc)[ \t])(.*)$/
const SHELL_CELL = /^\s*%%(?:bash|sh|script[ \t]+(?:ba|z|da)?sh|system|sx|!)[^\n]*\n?/
/** Lines that only set the notebook up, or time what follows. */
const MAGIC = /^[ \t]*%{1,2}(?:time|timeit|capture|prun|memit|matplotlib|load_ext|autoreload|config|cd|env|pip|conda)\b/

/** True where plain Python would not be read that way: a line begins with `!` or `%`. */
export function isNotebook(text: string): boolean {
  return /(?:^|\n)[ \t]*(?:[A-Za-z_][\w, ]{0,40}=[ \t]{0,8})?(?:!|%{1,2}[a-z])/.test(text)
}

/** The parts for a shell in their order, and what is left for Python; `%pip install` is a command, other magic is dropped. */
export function notebook(text: string): { readonly shell: readonly string[]; readonly python: string } {
  const cell = SHELL_CELL.exec(text)
  if (cell !== null) return { shell: [text.slice(cell[0].length)], python: '' }
  const shell: string[] = []
  const python: string[] = []
  for (const line of text.split('\n')) {
    const told = SHELL_LINE.exec(line)?.[1]
    const tool = /^[ \t]*%((?:pip|conda)[ \t].*)$/.exec(line)?.[1]
    if (told !== undefined || tool !== undefined) shell.push(told ?? tool ?? '')
    else if (!MAGIC.test(line)) python.push(line)
  }
  return { shell, python: python.join('\n').trim() === '' ? '' : python.join('\n') }
}
