/** The edit of a file tool, kept as the one change that it is. */
import { hash } from 'node:crypto'
import { dirname } from 'node:path'
import type { ToolCall } from '../../core/call.ts'
import type { KeptChanges } from '../../core/preview.ts'
import type { View } from '../../facts/view.ts'
import type { Change, Entry } from '../../sandbox/changes.ts'
import { entryAt } from '../../sandbox/changes.ts'
import { editedFile } from '../file-diff.ts'
import type { Keeping } from './contents.ts'

const READ = { digestBytes: 2 ** 20, textBytes: 0 }
/** Of a new file, where the call names none. */
const NEW_MODE = 0o644

/** Null where the edit changes nothing, so that there is nothing to make. */
export function keepEdit(call: ToolCall, view: View, keeping: Keeping): KeptChanges | null {
  const edited = editedFile(call, view)
  if (edited === null || edited.after === null || edited.after === edited.found?.text) return null
  const { real, found, after } = edited
  const before = entryAt(real, READ)
  if ((before?.digest ?? null) !== (found?.digest ?? null)) return { problem: `${real} changed while it was looked at` }
  const directory = dirname(real)
  if (entryAt(directory, READ)?.type !== 'directory') return { problem: `${directory} is no directory yet` }
  keeping.text(after)
  const fresh: Entry = {
    type: 'file',
    mode: before?.mode ?? NEW_MODE,
    size: Buffer.byteLength(after),
    names: 1,
    digest: `sha256:${hash('sha256', after)}`,
    text: null,
  }
  const change: Change = { path: real, change: before === null ? 'created' : 'changed', before, after: fresh }
  return keeping.finish([change], [directory])
}
