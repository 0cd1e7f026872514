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

/** A cell of a notebook that holds no code. */
const isProse = ({ pointer, text }: StringAt): boolean => pointer === '/cell_type' && (text === 'markdown' || text === 'raw')

/** What the arguments of a file tool, `strings`, put into the files that it writes. */
export function putByTool(strings: readonly StringAt[], effects: readonly Effect[]): readonly PutText[] {
  const paths = new Set(effects.flatMap(({ verb, target }) => (verb === 'write' && target.kind === 'path' ? [resolvedName(target)] : [])))
  if (paths.size === 0 || strings.some(isProse)) return []
  const found: PutText[] = []
  for (const { pointer, text, key } of strings) {
    if (key) continue
    if (PATCH.test(pointer)) found.push(...addedBy(text))
    else if (PUT.test(pointer)) for (const path of paths) found.push({ path, text })
  }
  return found
}

/** What the arguments of a tool of a code host put into files of a repository there: texts beside the paths that they are for. */
export function putByPush(strings: readonly StringAt[], effects: readonly Effect[]): readonly PutText[] {
  if (!pushes(strings, effects)) return []
  const at = (pattern: RegExp): ReadonlyMap<string, string> =>
    new Map(strings.flatMap(({ pointer, text, key }) => (!key && pattern.test(pointer) ? [[parent(pointer), text] as const] : [])))
  const paths = at(/\/(?:path|file_?path|file_?name|file|key)$/i)
  const encodings = at(/\/encoding$/)
  return [...at(/\/(?:content|contents|body|text|data|file_?content|source)$/i)].flatMap(([where, text]) => {
    const path = paths.get(where)
    return path === undefined ? [] : [{ path, text: encodings.get(where) === 'base64' ? fromBase64(text) : text }]
  })
}

/** A tool that says of itself that it pushes, or that writes something and is told of which repository, branch or commit. */
function pushes(strings: readonly StringAt[], effects: readonly Effect[]): boolean {
  if (effects.some(({ verb, action }) => verb === 'publish' && action === 'git:push')) return true
  return strings.some(({ pointer, key }) => !key && OF_REPOSITORY.test(pointer)) && effects.some(({ verb }) => PUTS.has(verb))
}

const OF_REPOSITORY = /\/(?:repo|repository|repo_?name|repo_?slug|project|project_?id|branch|ref|commit_?message|workspace)$/i
const PUTS: ReadonlySet<Effect['verb']> = new Set(['write', 'publish', 'send', 'change', 'persist'])

const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('utf8')

const parent = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'))

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
