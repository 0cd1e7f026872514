/** What a file tool would leave in a file, computed from its arguments and the file as it stands. Nothing is run. Pure. */
import { isJsonObject, type Json, type JsonObject, own } from '../core/json.ts'

/** One change of a text; null where the file is not as the tool needs it, so that the tool would fail. */
export type Edit = (before: string | null) => string | null

export interface FileEdit {
  /** As the call names it. */
  readonly path: string
  readonly edit: Edit
}

/** By what the arguments are called: the tools of coding agents and of MCP file servers share few forms. Null: no such form. */
export function fileEditOf(args: JsonObject): FileEdit | null {
  const path = firstText(args, PATHS)
  if (path === null) return null
  const edit = wholeText(args) ?? oneReplacement(args) ?? manyReplacements(own(args, 'edits'))
  return edit === null ? null : { path, edit }
}

const PATHS = ['file_path', 'path', 'filePath', 'target_file', 'filename']
const CONTENTS = ['content', 'contents', 'file_text', 'new_content']
const OLD = ['old_string', 'oldText', 'old_str', 'old_text']
const NEW = ['new_string', 'newText', 'new_str', 'new_text']

function wholeText(args: JsonObject): Edit | null {
  const text = firstText(args, CONTENTS)
  return text === null || OLD.some((name) => Object.hasOwn(args, name)) ? null : () => text
}

function oneReplacement(args: JsonObject): Edit | null {
  const [before, after] = [firstText(args, OLD), firstText(args, NEW)]
  if (before === null || after === null) return null
  const everywhere = own(args, 'replace_all') === true
  return (text) => replaced(text, { before, after, everywhere })
}

function manyReplacements(edits: Json | undefined): Edit | null {
  if (!Array.isArray(edits) || edits.length === 0) return null
  const each = edits.map((edit) => (isJsonObject(edit) ? oneReplacement(edit) : null))
  if (each.some((edit) => edit === null)) return null
  return (text) => each.reduce<string | null>((so, edit) => (so === null && text !== null ? null : (edit?.(so) ?? null)), text)
}

interface Replacement {
  readonly before: string
  readonly after: string
  readonly everywhere: boolean
}

/** An empty old text makes a new file; elsewhere it must be found, and alone where not all of them are meant. */
function replaced(text: string | null, { before, after, everywhere }: Replacement): string | null {
  if (before === '') return text === null || text === '' ? after : null
  const at = text?.indexOf(before) ?? -1
  if (text === null || at === -1) return null
  if (everywhere) return text.split(before).join(after)
  return text.includes(before, at + 1) ? null : text.slice(0, at) + after + text.slice(at + before.length)
}

function firstText(args: JsonObject, names: readonly string[]): string | null {
  const found = names.find((name) => typeof own(args, name) === 'string')
  return found === undefined ? null : String(own(args, found))
}
