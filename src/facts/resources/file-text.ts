import type { Span } from '../effect.ts'
import type { CommandContext, Word } from '../host.ts'
import type { FileAnswer } from '../view.ts'
import { knownWord } from './text/word.ts'

/** What stands in a file when a command comes to it: what this very call put there before, else what the View reads. */

export interface FileText {
  /** Null where it is not known, or longer than what is read. */
  readonly text: string | null
  /** What the View read; null where this call wrote the file. */
  readonly answer: FileAnswer | null
}

/** The file at an absolute path, at most `limit` bytes of it; null where there is none, or where it may not be read. */
export function fileAt(
  path: string,
  context: CommandContext,
  { span, limit }: { readonly span: Span; readonly limit: number },
): FileText | null {
  const written = context.written(knownWord(path, span))
  if (written !== null) return { text: written.text, answer: null }
  const answer = context.view.read(path, limit)
  return answer === null ? null : { text: answer.truncated ? null : answer.text, answer }
}

/** The text of the file that a word names; null where it is not known for any reason. */
export function textOf(word: Word, context: CommandContext, limit: number): string | null {
  const { real } = context.path(word)
  return word.text === null || real === null ? null : (fileAt(real, context, { span: word.span, limit })?.text ?? null)
}
