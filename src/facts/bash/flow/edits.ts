import type { Invocation, Languages, SedEdit } from '../../host.ts'

/**
 * Small edits in place: `sed -i 's/DEBUG = False/DEBUG = True/' x.py` leaves a program that is still what it was, with another value in
 * it. What is put in has to be plain text that calls nothing, names nothing that acts, leads nowhere, and makes no code of what was none.
 */

const PLAIN = /^[\w\s.,:;=+<>"'#!%[\]{}-]*$/
/** A pattern that is matched by itself only. */
const LITERAL = /^\^?(?:[\w\s,:;=+<>"'#!%{}-]|\\\.)+\$?$/
/** Where a comment or a text begins and ends. */
const MARKS = ['#', '"', "'"]

/** Words that do something wherever they are put: a name in a call is all that an edit has to change. */
const ACTS = new RegExp(
  String.raw`system|popen|exec|eval|spawn|fork|call|check_|run|rmtree|unlink|remove|delete|rmdir|truncate|rename|kill|chmod|chown` +
    String.raw`|write|open|url|http|request|fetch|send|post|get|connect|socket|subprocess|shutil|os|sys|ctypes|pickle|yaml|load` +
    String.raw`|compile|import|require|include|child|process|fs|path|shell|sudo|env`,
  'i',
)

/** True where all that the program puts into the files that it edits in place is plain text. */
export function editsPlainly(invocation: Invocation, languages: Languages): boolean {
  const scripts = scriptsOf(invocation)
  return scripts.length > 0 && scripts.every((script) => languages.sedEdits(script)?.every(isPlain) === true)
}

/** Scripts of sed; none where it is another program, or where they are not known. */
function scriptsOf({ name, args }: Invocation): readonly string[] {
  if (!/^g?sed$/.test(name) || args.some(({ text }) => text === null)) return []
  const texts = args.map(({ text }) => text ?? '')
  if (texts.some((text) => /^-(?:f|-file)|^-[nrEsz]+f/.test(text))) return []
  const named = texts.filter((_, at) => /^(?:-e|--expression)$/.test(texts[at - 1] ?? ''))
  return named.length > 0 ? named : texts.filter((text) => !text.startsWith('-') && text !== '').slice(0, 1)
}

/** What a file holds after the edit, and whether every line that is new is plain text; null where that is not known. */
export function editedText(
  invocation: Invocation,
  before: string,
  languages: Languages,
): { readonly text: string; readonly plain: boolean } | null {
  const scripts = scriptsOf(invocation)
  const options = invocation.args.map(({ text }) => text ?? '').filter((text) => text.startsWith('-'))
  if (scripts.length === 0 || options.some((option) => /^-\w*[nsz]|^--(?:quiet|silent|separate|null-data)/.test(option))) return null
  const extended = options.some((option) => /^-\w*[Er]|^--regexp-extended/.test(option))
  let text: string | null = before
  for (const script of scripts) text = text === null ? null : languages.applySed(script, text, extended)
  if (text === null) return null
  const old = new Set(before.split('\n'))
  return { text, plain: text.split('\n').every((line) => old.has(line) || (PLAIN.test(line) && !ACTS.test(line))) }
}

function isPlain({ pattern, replacement }: SedEdit): boolean {
  if (!PLAIN.test(replacement) || ACTS.test(replacement) || replacement.includes('..')) return false
  if (pattern !== '' && !LITERAL.test(pattern)) return false
  return MARKS.every((mark) => count(pattern, mark) === count(replacement, mark))
}

function count(text: string, mark: string): number {
  return text.split(mark).length
}
