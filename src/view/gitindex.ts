/** One entry of the index of a repository: what git was told to commit next for a path. */

export interface IndexEntry {
  /** Name of the content, 40 hexadecimal digits. */
  readonly id: string
  readonly executable: boolean
}

const HEAD_BYTES = 12
/** Of an entry, until its name: times, device, owner, size, the name of the content, and flags. */
const ENTRY_BYTES = 62
const CHECKSUM_BYTES = 20

const REGULAR = 0o100644
const EXECUTABLE = 0o100755

/**
 * The entry of a regular file, by its path from the top of the work tree. Null where it has none, where git is told to pass over the file
 * (`--assume-unchanged`, `--skip-worktree`, `--intent-to-add`), in a conflict, and where the index has a form that is not read here.
 * @throws {RangeError} where it is cut short.
 */
export function indexEntry(index: Buffer, path: string): IndexEntry | null {
  if (index.toString('latin1', 0, 4) !== 'DIRC') return null
  const version = index.readUInt32BE(4)
  if (version !== 2 && version !== 3) return null
  const wanted = Buffer.from(path)
  const count = index.readUInt32BE(8)
  let found: IndexEntry | null = null
  let at = HEAD_BYTES
  for (let entry = 0; entry < count; entry++) {
    const extended = (index.readUInt8(at + 60) & 0x40) !== 0
    const name = at + ENTRY_BYTES + (extended ? 2 : 0)
    const end = nameEnd(index, at, name)
    if (end - name === wanted.length && wanted.compare(index, name, end) === 0) {
      const read = entryAt(index, at, extended)
      // Several entries of one path are a conflict.
      if (read === null || found !== null) return null
      found = read
    }
    // Entries end on a multiple of eight bytes, after one to eight zeros.
    at += (end - at + 8) & ~7
  }
  return found !== null && isWhole(index, at) ? found : null
}

function nameEnd(index: Buffer, at: number, name: number): number {
  const length = index.readUInt16BE(at + 60) & 0xfff
  if (length < 0xfff) return name + length
  const end = index.indexOf(0, name)
  if (end < 0) throw new RangeError('a name in the index has no end')
  return end
}

function entryAt(index: Buffer, at: number, extended: boolean): IndexEntry | null {
  const mode = index.readUInt32BE(at + 24)
  // Assumed unchanged, or of a conflict; passed over in the work tree, or only meant to be added.
  const set = index.readUInt16BE(at + 60) & 0xb000
  const more = extended ? index.readUInt16BE(at + 62) : 0
  if (set !== 0 || more !== 0 || (mode !== REGULAR && mode !== EXECUTABLE)) return null
  return { id: index.toString('hex', at + 40, at + 60), executable: mode === EXECUTABLE }
}

/** False where what follows the entries says that they are not all: such extensions have a small first letter. */
function isWhole(index: Buffer, from: number): boolean {
  let at = from
  while (at < index.length - CHECKSUM_BYTES) {
    const first = index.readUInt8(at)
    if (first < 0x41 || first > 0x5a) return false
    at += 8 + index.readUInt32BE(at + 4)
  }
  return at === index.length - CHECKSUM_BYTES
}
