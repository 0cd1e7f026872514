/** The file changes of a preview, as the server writes them; what has another form is left out. Pure. */
import { isJsonObject, type JsonObject, own } from '../../../src/core/json.ts'
import type { FileChange } from '../api/types.ts'
import { listOf, textOf } from './call.ts'

export function filesOf(preview: JsonObject): readonly FileChange[] {
  return listOf(preview, 'files').flatMap((file) => {
    const [path, change] = [textOf(file, 'path'), textOf(file, 'change')]
    if (!isJsonObject(file) || path === null || change === null) return []
    const [before, after] = [textOf(file, 'before'), textOf(file, 'after')]
    return [{ path, change, before, after, diff: textOf(file, 'diff') ?? '', cut: own(file, 'cut') === true }]
  })
}
