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
const ACTS =
  /system|popen|exec|eval|spawn|fork|call|check_|run|rmtree|unlink|remove|delete|rmdir|truncate|rename|kill|chmod|chown|write|open|url|http|request|fetch|send|post|get|connect|socket|subprocess|shutil|os|sys|ctypes|pickle|yaml|load|compile|import|require|include|child|process|fs|path|shell|sudo|env/i

/** True where all that the program puts into the files that it edits in place is plain text. */
export function editsPlainly({ name, args }: Invocation, languages: Languages): boolean {
  if (!/^g?sed$/.test(name) || args.some(({ text }) => text === null)) return false
  const texts = args.map(({ text }) => text ?? '')
  if (texts.some((text) => /^-(?:f|-file)|^-[nrEsz]+f/.test(text))) return false
  const named = texts.filter((_, at) => /^(?:-e|--expression)$/.test(texts[at - 1] ?? ''))
  const scripts = named.length > 0 ? named : texts.filter((text) => !text.startsWith('-') && text !== '').slice(0, 1)
  return scripts.length > 0 && scripts.every((script) => languages.sedEdits(script)?.every(isPlain) === true)
}

function isPlain({ pattern, replacement }: SedEdit): boolean {
  if (!PLAIN.test(replacement) || ACTS.test(replacement) || replacement.includes('..')) return false
  if (pattern !== '' && !LITERAL.test(pattern)) return false
  return MARKS.every((mark) => count(pattern, mark) === count(replacement, mark))
}

function count(text: string, mark: string): number {
  return text.split(mark).length
}
