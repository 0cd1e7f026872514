import type { Span } from '../../effect.ts'
import type { CommandContext } from '../../host.ts'
import { fileAt } from '../../resources/file-text.ts'
import type { FileAnswer } from '../../view.ts'

/** Project files that say what runs. One that is there but cannot be read whole is said to be so, for what runs is not known then. */

/** Bytes read of a project file. */
const LONGEST = 262_144

export interface Found {
  readonly path: string
  readonly text: string
  /** What the View read; null where this very call wrote the file. */
  readonly answer: FileAnswer | null
}

/** Whose files are looked for, and what stands for it in the call. */
export interface Looking {
  readonly context: CommandContext
  readonly span: Span
}

/** The file in the directory or the nearest one above it, at most eight up; null where none can be read. */
export function nearest(name: string, looking: Looking): Found | null {
  let directory = looking.context.cwd ?? ''
  for (let step = 0; step < 8 && directory !== ''; step++) {
    const found = look(`${directory}/${name}`, looking)
    if (found !== null) return readable(found)
    directory = directory.slice(0, directory.lastIndexOf('/'))
  }
  return null
}

/** The first of these files in the directory where the command runs; null where none can be read. */
export function firstOf(names: readonly string[], looking: Looking): Found | null {
  const { cwd } = looking.context
  for (const name of names) {
    if (!name.startsWith('/') && cwd === null) continue
    const found = look(name.startsWith('/') ? name : `${cwd}/${name}`, looking)
    if (found !== null) return readable(found)
  }
  return null
}

/** Names the file as one that says what runs, with its digest (T02), and walks what it says. */
export function ran({ path, answer }: Found, context: CommandContext, body: (context: CommandContext) => void = () => {}): void {
  if (answer !== null) context.ran(path, answer)
  context.within({ attributes: {}, remote: false, files: [path] }, body)
}

const UNREADABLE = 'unreadable'

function readable(found: Found | typeof UNREADABLE): Found | null {
  return found === UNREADABLE ? null : found
}

function look(path: string, { context, span }: Looking): Found | typeof UNREADABLE | null {
  const file = fileAt(path, context, { span, limit: LONGEST })
  if (file === null) return null
  const { text, answer } = file
  if (text !== null) return { path, text, answer }
  if (answer !== null) context.ran(path, answer)
  const why = answer === null ? 'written by this call, and what is in it is not known' : 'longer than what is read'
  context.opaque(`\`${path}\`, which says what runs, is ${why}`, span)
  return UNREADABLE
}
