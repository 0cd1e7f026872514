import type { Span } from '../../effect.ts'
import type { CommandContext, Word } from '../../host.ts'

/** Programs of which only parts are known: `sed "s/$A/$B/"` with a mark where the unknown parts stand. */

/** Stands for text that is not known. A private-use character: no command, operator or delimiter of any language here. */
export const HOLE = '\ue000'

/** What a shell reads in place of a hole: an unset variable, which the shell analysis takes for what it is. */
const UNSET = '$UNKNOWN_VALUE'

/** A text from its known parts, with holes for the rest (null). */
export function withHoles(pieces: readonly (string | null)[]): string {
  return pieces.map((piece) => piece ?? HOLE).join('')
}

/** The known parts of a text with holes, and null for each hole. */
export function withoutHoles(text: string): readonly (string | null)[] {
  return text.split(HOLE).flatMap((known, index) => (index === 0 ? [known] : [null, known]))
}

/** A path or argument as a word; unknown from its first hole on. */
export function holeWord(text: string, span: Span): Word {
  const at = text.indexOf(HOLE)
  return { text: at < 0 ? text : null, prefix: at < 0 ? text : text.slice(0, at), glob: false, dynamic: false, span }
}

/** Runs a command line that may have holes; one of which nothing is known may be anything. */
export function holeShell(line: string, by: string, at: { readonly span: Span; readonly context: CommandContext }): void {
  const known = line.replaceAll(HOLE, '').trim()
  at.context.shell(known === '' && line.includes(HOLE) ? null : line.replaceAll(HOLE, UNSET), at.span, by)
}
