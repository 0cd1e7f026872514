import { type Effect, hasClass } from '../../effect.ts'
import type { CommandContext, Input, Word } from '../../host.ts'
import { writePath } from '../../resources/acts.ts'
import { fileAt } from '../../resources/file-text.ts'
import { isJudged, objectionTo } from '../../resources/host-files.ts'
import { namesInPatch } from '../../resources/text/patch.ts'
import { patchedText } from '../../resources/text/patch-apply.ts'

/** Files that a patch changes, told from its text: what `patch` and git would write is what somebody wrote into the patch. */

const LONGEST = 1_048_576
const LONGEST_SETTINGS = 65_536
const MAX_FILES = 256

export interface Patching {
  /** Whether `patch` takes the last part of a name where it is not told how much to take away; git takes one part away. */
  readonly bare: boolean
  /** The number of leading parts that are taken from a name, as it is given; null: it is not. */
  readonly strip: string | null
  /** No option changes what the lines of the patch mean. */
  readonly plain: boolean
  /** Where a name stands that the patch gives. */
  readonly place: (name: string) => Word
}

/** Text of a patch that comes from a file, or null where that is not known. Too long a file is told. */
export function patchIn(word: Word, context: CommandContext): string | null {
  const { real } = context.path(word)
  if (word.text === null || real === null) return null
  const file = fileAt(real, context, { span: word.span, limit: LONGEST })
  if (file !== null && file.text === null && file.answer !== null) context.opaque('the patch is longer than what is read', word.span)
  return file?.text ?? null
}

/** Text of a patch that comes on standard input, or null where that is not known. */
export function patchFrom(input: Input, context: CommandContext): string | null {
  if (input.kind === 'text') return input.text
  return input.kind === 'file' ? patchIn(input.word, context) : null
}

/** A write of each file that the patch names, inside of what its program changes as a whole. */
export function patchFiles(text: string, context: CommandContext, patching: Patching): void {
  const names = new Set(namesInPatch(text).flatMap((name) => stripped(name, patching)))
  for (const name of [...names].slice(0, MAX_FILES)) {
    const word = patching.place(name)
    const attributes = patching.plain ? settingsOf(text, { name, word }, context) : {}
    writePath(context, word, { action: 'text:edit', certainty: 'likely', attributes })
  }
  if (names.size > MAX_FILES) context.opaque('the patch touches more files than are looked at')
}

/** What settings of an agent hold after the patch, where that can be told. */
function settingsOf(patch: string, { name, word }: { name: string; word: Word }, context: CommandContext): Effect['attributes'] {
  const target = context.path(word)
  const { real } = target
  if (real === null || !hasClass(target, 'agent-settings') || !isJudged(real) || context.written(word) !== null) return {}
  const { type } = context.view.realpath(real)
  const standing = type === 'file' ? context.view.read(real, LONGEST_SETTINGS) : null
  if (type !== 'missing' && (standing === null || standing.truncated)) return {}
  const text = patchedText(patch, name, standing?.text ?? '')
  return text === null ? {} : { settings_content: objectionTo(real, text, standing?.text ?? null) ?? 'harmless' }
}

function stripped(name: string, { bare, strip }: Patching): readonly string[] {
  const parts = name.split(/\/+/)
  if (strip === null && bare) return [name, parts.at(-1) ?? name]
  const count = Number(strip ?? 1)
  if (!Number.isInteger(count) || count < 0) return [name]
  return parts.length > count ? [parts.slice(count).join('/')] : []
}
