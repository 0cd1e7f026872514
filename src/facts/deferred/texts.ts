/** The texts that a call puts into files, as far as they stand in it: contents, replacements, and the lines that a patch adds. */
import { type Effect, resolvedName } from '../effect.ts'
import type { WrittenFact } from '../facts.ts'
import { patchedFiles } from '../resources/text/patch.ts'
import type { StringAt } from '../resources/text/walk.ts'

export interface PutText {
  /** Kernel-true path; of a patch as it is written there. */
  readonly path: string
  readonly text: string
}

/** Arguments that hold text for the file: all of it, or what takes the place of a part. */
const PUT =
  /\/(?:content|contents|file_text|text|new_str|new_string|newString|new_text|newText|new_source|replacement|replace|insert_text|code_edit|updates?)$/
const PATCH = /\/(?:patch|input|diff|patchText|patch_text)$/

/** What the arguments of a file tool, `strings`, put into the files that it writes. */
export function putByTool(strings: readonly StringAt[], effects: readonly Effect[]): readonly PutText[] {
  const paths = new Set(effects.flatMap(({ verb, target }) => (verb === 'write' && target.kind === 'path' ? [resolvedName(target)] : [])))
  if (paths.size === 0) return []
  const found: PutText[] = []
  for (const { pointer, text, key } of strings) {
    if (key) continue
    if (PATCH.test(pointer)) found.push(...addedBy(text))
    else if (PUT.test(pointer)) for (const path of paths) found.push({ path, text })
  }
  return found
}

/** What shell text and code in the call put into files. */
export function putByCode(written: readonly WrittenFact[]): readonly PutText[] {
  return written.flatMap(({ path, text, added }) => {
    const put = text ?? added ?? null
    return put === null || put === '' ? [] : [{ path, text: put }]
  })
}

/** The lines that a patch adds to each file, whatever number of parts it is named in. */
function addedBy(patch: string): readonly PutText[] {
  const byPath = new Map<string, string[]>()
  for (const { path, added } of patchedFiles(patch)) {
    const lines = byPath.get(path)
    if (lines === undefined) byPath.set(path, [...added])
    else for (const line of added) lines.push(line)
  }
  return [...byPath].flatMap(([path, added]) => (added.length === 0 ? [] : [{ path, text: added.join('\n') }]))
}
