import { LOW_OPAQUE, type Span } from '../effect.ts'
import type { CommandContext } from '../host.ts'

/** What the tables of commands and languages say where they could not tell something that can do no harm by itself. */

export interface Doubtful {
  readonly span: Span
  readonly context: CommandContext
}

/** Where a program looks for `what` is not known. In a container or on another machine, these files are not this machine's anyway. */
export function doubtPlace(what: string, { span, context }: Doubtful): void {
  if (context.cwd === null && !context.remote) doubt(`in which directory ${what} is not known`, { span, context })
}

/** Something that could not be told but can do no harm by itself: said, without a question. */
export function doubt(reason: string, { span, context }: Doubtful): void {
  context.emit('opaque', context.thing('code', ''), { ...LOW_OPAQUE, span, reason })
}
