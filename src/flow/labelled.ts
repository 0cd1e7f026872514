/** Which files of other sessions a call reads: what they took in from somebody else comes with them. Pure over a View. */
import type { ToolCall } from '../core/call.ts'
import type { Effect } from '../core/effect.ts'
import type { Facts } from '../facts/facts.ts'
import type { View } from '../facts/view.ts'
import type { FileLabel, FileLabels } from '../session/labels.ts'
import { pathOf } from './history.ts'

export interface Labelling {
  readonly view: View
  readonly labels: FileLabels
}

/** Files that are looked up for one call. */
const MAX_FILES = 64
/** Files of which the content is looked up, too. */
const MAX_DIGESTS = 8
/** A script is run, and what it prints may be its own text. */
const TAKES: ReadonlySet<string> = new Set(['read', 'execute', 'opaque'])
/** The names of files are none of what is in them. */
const NAMES_ALONE = 'fs:list'

/** The facts with the labels of what the call reads. Where they cannot be read, whatever it reads may be of anybody; a denial stands. */
export function withLabels(call: Pick<ToolCall, 'cwd'>, facts: Facts, known: Labelling): Facts {
  try {
    return labelledBy(call, facts, known)
  } catch {
    return { ...facts, labelled: [UNREADABLE] }
  }
}

const UNREADABLE: FileLabel = { file: '/', session: '', source: '', tool: '', at: 0 }

function labelledBy({ cwd }: Pick<ToolCall, 'cwd'>, facts: Facts, { view, labels }: Labelling): Facts {
  if (!labels.any()) return facts
  const read = facts.effects.filter(({ verb, action }) => TAKES.has(verb) && action !== NAMES_ALONE)
  const paths = [...new Set(read.flatMap((effect) => placeOf(effect, cwd) ?? []))].slice(0, MAX_FILES)
  const labelled = paths.flatMap((path, at) => labels.of(path) ?? (at < MAX_DIGESTS ? sameContent(path, { view, labels }) : null) ?? [])
  return labelled.length === 0 ? facts : { ...facts, labelled }
}

/** Of a pattern the directory in which it is looked for. */
function placeOf(effect: Effect, cwd: string | null): string | null {
  const path = pathOf(effect, cwd)
  if (path === null || effect.attributes.glob !== true) return path
  const fixed = path.slice(0, path.search(/[*?[{]/))
  return fixed.slice(0, Math.max(1, fixed.lastIndexOf('/')))
}

/** A copy, or the same file in another worktree. */
function sameContent(path: string, { view, labels }: Labelling): FileLabel | null {
  const file = view.read(path, 0)
  return file === null ? null : labels.ofDigest(file.digest)
}
