/** How a file stands to its repository: whether the index, and the commit that is checked out, hold exactly what is in the work tree. */
import { createHash } from 'node:crypto'
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import type { CommittedAnswer } from '../facts/view.ts'
import { findRepository, parseGitConfig, type ReadText, type Resolve } from './gitfiles.ts'
import { indexEntry } from './gitindex.ts'
import { createObjects, type ReadObject } from './gitobjects.ts'

/** Larger files are not compared. */
const MAX_FILE_BYTES = 1024 * 1024
const MAX_INDEX_BYTES = 8 * 1024 * 1024
const MAX_DEPTH = 32

export interface Looking {
  readonly resolve: Resolve
  readonly read: ReadText
}

/**
 * @param path kernel-true, of a regular file.
 * @param edit what the call makes of its text; null where it cannot be told.
 */
export function committedAnswer(path: string, edit: ((text: string) => string | null) | null, looking: Looking): CommittedAnswer | null {
  const file = readWhole(path)
  if (file === null) return null
  const text = edit === null ? null : exactText(file.bytes)
  const edited = text === null || edit === null ? null : edit(text)
  return {
    digest: sha256(file.bytes),
    edited: edited === null ? null : sha256(Buffer.from(edited)),
    ...standing(path, file, looking),
  }
}

const sha256 = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/** Null where the bytes are no UTF-8, so that writing the text again would change them. */
function exactText(bytes: Buffer): string | null {
  const text = bytes.toString('utf8')
  return Buffer.from(text).equals(bytes) ? text : null
}

interface Whole {
  readonly bytes: Buffer
  readonly executable: boolean
}

/** `sha256:…` of a regular file of one name; null where it is none, or too large to be compared. */
export function digestOfFile(path: string): string | null {
  const file = readWhole(path)
  return file === null ? null : sha256(file.bytes)
}

function readWhole(path: string): Whole | null {
  let descriptor: number | null = null
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    const stat = fstatSync(descriptor)
    if (!stat.isFile() || stat.nlink > 1 || stat.size > MAX_FILE_BYTES) return null
    return { bytes: readFileSync(descriptor), executable: (stat.mode & 0o100) !== 0 }
  } catch {
    return null
  } finally {
    if (descriptor !== null) closeSync(descriptor)
  }
}

type Standing = Pick<CommittedAnswer, 'committed' | 'staged'>

const APART: Standing = { committed: false, staged: false }

function standing(path: string, file: Whole, looking: Looking): Standing {
  try {
    const found = findRepository(path.slice(0, path.lastIndexOf('/')) || '/', looking.resolve, looking.read)
    if (found === null || !path.startsWith(`${found.top}/`)) return APART
    const shared = sharedDirectory(found.gitDir, looking)
    if (!isPlain(looking.read(`${shared}/config`))) return APART
    const names = path.slice(found.top.length + 1).split('/')
    const indexed = indexEntry(readIndex(`${found.gitDir}/index`), names.join('/'))
    if (indexed === null || indexed.executable !== file.executable) return APART
    const objects = createObjects(`${shared}/objects`)
    const blob = objects(indexed.id)
    // The content itself, not its name: what is not in the repository is nowhere else.
    if (blob?.type !== 'blob' || !blob.body.equals(file.bytes)) return APART
    const head = headOf(found.gitDir, shared, looking.read)
    return { staged: true, committed: head !== null && blobAt(names, head, objects) === indexed.id }
  } catch {
    return APART // an index or an object that ends too early
  }
}

function sharedDirectory(gitDir: string, { resolve, read }: Looking): string {
  const common = read(`${gitDir}/commondir`)?.trim()
  return common === undefined ? gitDir : resolve(common.startsWith('/') ? common : `${gitDir}/${common}`).real
}

/** A repository whose work tree lies around it, with names of forty digits, and whose settings stand in one file. */
function isPlain(config: string | null): boolean {
  const sections = parseGitConfig(config ?? '')
  const core = sections.get('core')
  if (core?.has('worktree') === true || core?.get('bare') === 'true') return false
  if ([...sections.keys()].some((section) => section === 'include' || section.startsWith('includeif'))) return false
  return (sections.get('extensions')?.get('objectformat') ?? 'sha1') === 'sha1'
}

function readIndex(path: string): Buffer {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stat = fstatSync(descriptor)
    if (!stat.isFile() || stat.size > MAX_INDEX_BYTES) throw new RangeError('the index is too large')
    return readFileSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

const BRANCH = /^ref: (refs\/heads\/[^\s~^:?*[\\]+)$/

/** The commit that is checked out; null where it cannot be told. */
function headOf(gitDir: string, shared: string, read: ReadText): string | null {
  const head = read(`${gitDir}/HEAD`)?.trim() ?? ''
  const ref = BRANCH.exec(head)?.[1]
  if (ref === undefined) return isId(head) ? head : null
  if (ref.includes('..')) return null
  const loose = read(`${shared}/${ref}`)?.trim()
  const id = loose ?? /^[0-9a-f]{40}(?= )/.exec(lineOf(read(`${shared}/packed-refs`) ?? '', ref))?.[0] ?? ''
  return isId(id) ? id : null
}

const isId = (text: string): boolean => /^[0-9a-f]{40}$/.test(text)

const lineOf = (text: string, ref: string): string => text.split('\n').find((line) => line.endsWith(` ${ref}`)) ?? ''

/** The name of the content that a commit has at a path; null where it has no regular file there. */
function blobAt(names: readonly string[], commit: string, objects: ReadObject): string | null {
  const found = objects(commit)
  if (found?.type !== 'commit' || names.length > MAX_DEPTH) return null
  let id = /^tree ([0-9a-f]{40})\n/.exec(found.body.toString('latin1', 0, 64))?.[1] ?? null
  for (const [at, name] of names.entries()) {
    const tree = id === null ? null : objects(id)
    if (tree?.type !== 'tree') return null
    id = entryOf(tree.body, name, at === names.length - 1)
  }
  return id
}

/** In a tree stand, for each entry, its mode, its name and the twenty bytes of its object's name. */
function entryOf(tree: Buffer, name: string, isFile: boolean): string | null {
  const wanted = Buffer.from(name)
  for (let at = 0; at < tree.length; ) {
    const space = tree.indexOf(0x20, at)
    const end = tree.indexOf(0, space)
    if (space < 0 || end < 0) return null
    if (wanted.length === end - space - 1 && wanted.compare(tree, space + 1, end) === 0) {
      const mode = tree.toString('latin1', at, space)
      const fits = isFile ? mode === '100644' || mode === '100755' : mode === '40000'
      return fits ? tree.toString('hex', end + 1, end + 21) : null
    }
    at = end + 21
  }
  return null
}
