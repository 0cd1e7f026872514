/** The file changes of a preview, as the server writes them; what has another form is left out. Pure. */
import { isJsonObject, type JsonObject, own } from '../../../src/core/json.ts'
import type { FileChange } from '../api/types.ts'
import { listOf, textOf } from './call.ts'

export function filesOf(preview: JsonObject): readonly FileChange[] {
  return listOf(preview, 'files').flatMap((file) => {
    const [path, change] = [textOf(file, 'path'), textOf(file, 'change')]
    if (!isJsonObject(file) || path === null || change === null) return []
    const [before, after] = [textOf(file, 'before'), textOf(file, 'after')]
    return [{ path, change, before, after, mode: textOf(file, 'mode'), diff: textOf(file, 'diff') ?? '', cut: own(file, 'cut') === true }]
  })
}

const ATTEMPTS: Readonly<Record<string, string>> = {
  unreachable: 'packets without a way out',
  connection: 'connections to this machine',
  datagram: 'datagrams, such as look-ups of names',
}

/** What the call started, a line each, the program first as the kernel knows it. */
export function programsOf(preview: JsonObject): readonly string[] {
  return listOf(preview, 'programs').flatMap((program) => {
    const [path, words] = [textOf(program, 'path'), textOf(program, 'words')]
    const times = isJsonObject(program) ? own(program, 'times') : undefined
    return path === null || words === null ? [] : [`${path}: ${words}${typeof times === 'number' && times > 1 ? ` (${times} times)` : ''}`]
  })
}

/** What the call tried of the network, a line each; there was none to reach. */
export function attemptsOf(preview: JsonObject): readonly string[] {
  return listOf(preview, 'network').flatMap((attempt) => {
    const count = isJsonObject(attempt) ? own(attempt, 'attempts') : undefined
    const words = ATTEMPTS[textOf(attempt, 'kind') ?? '']
    return typeof count === 'number' && words !== undefined ? [`Tried to reach the network, ${words}: ${count}.`] : []
  })
}
