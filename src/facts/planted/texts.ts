/** The texts that a call puts into files, as far as they stand in it: contents, replacements, and the lines that a patch adds. */
import type { JsonObject } from '../../core/json.ts'
import type { Effect } from '../effect.ts'
import type { WrittenFact } from '../facts.ts'
import { walkStrings } from '../text/walk.ts'

export interface PutText {
  /** Kernel-true path; of a patch as it is written there. */
  readonly path: string
  readonly text: string
}

/** Arguments that hold text for the file: all of it, or what takes the place of a part. */
const PUT =
  /\/(?:content|contents|file_text|text|new_str|new_string|newString|new_text|newText|new_source|replacement|replace|insert_text|code_edit|updates?)$/
const PATCH = /\/(?:patch|input|diff|patchText|patch_text)$/

/** What the arguments of a file tool put into the files that it writes. */
export function putByTool(args: JsonObject, effects: readonly Effect[]): readonly PutText[] {
  const paths = new Set(
    effects.flatMap(({ verb, target }) => (verb === 'write' && target.kind === 'path' ? [target.real ?? target.value] : [])),
  )
  if (paths.size === 0) return []
  const found: PutText[] = []
  for (const { pointer, text, key } of walkStrings(args)) {
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

const HEADER = /^(?:\*\*\* (?:Add|Update) File: |\+\+\+ (?:b\/)?)(\S.*)$/

function addedBy(patch: string): readonly PutText[] {
  const byPath = new Map<string, string[]>()
  let lines: string[] | null = null
  for (const line of patch.split(/\r?\n/)) {
    const path = HEADER.exec(line)?.[1]?.trim()
    if (path !== undefined) {
      lines = byPath.get(path) ?? []
      byPath.set(path, lines)
    } else if (lines !== null && line.startsWith('+')) lines.push(line.slice(1))
  }
  return [...byPath].map(([path, added]) => ({ path, text: added.join('\n') }))
}
