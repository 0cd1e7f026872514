/** What Node neither reads of files nor gives them: extended attributes, access control lists among them. Programs of the system do. */
import { type AttributedFile, writeAttributes } from '../sandbox/attribute-writer.ts'
import { type Attributes, attributeReader, attributesProblem } from '../sandbox/attributes.ts'

export interface AttributeAccess {
  /** Why this machine reads none; null: it does. */
  readonly problem: () => string | null
  /** In the order of the names; null: they could not be read, all of them. No link is followed. */
  readonly read: (paths: readonly string[]) => Promise<readonly Attributes[] | null>
  /** Makes files have these and no others. In their order: null, or why not. */
  readonly write: (files: readonly AttributedFile[]) => Promise<readonly (string | null)[]>
}

/** Names that one program is asked about: its answer has a bound. */
const AT_ONCE = 4_096

export const SYSTEM_ATTRIBUTES: AttributeAccess = {
  problem: attributesProblem,
  read: async (paths) => {
    const found: Attributes[] = []
    for (let from = 0; from < paths.length; from += AT_ONCE) {
      const some = await attributeReader().read(paths.slice(from, from + AT_ONCE))
      if (some === null) return null
      found.push(...some)
    }
    return found
  },
  write: writeAttributes,
}

export const isSameAttributes = (one: Attributes, other: Attributes): boolean =>
  one.length === other.length && one.every((attribute, index) => attribute === other[index])

const LIST = 'system.posix_acl_access='
const [OWNING_GROUP, MASK] = [0x04, 0x10]

/**
 * The permissions of a file without the list of access that it had. With one, the bits of the group are those that anybody in the list can have; left
 * as they are they would be given to the group.
 */
export function modeWithoutList(mode: number, had: Attributes): number {
  const list = had.find((attribute) => attribute.startsWith(LIST))
  if (list === undefined) return mode
  const bytes = Buffer.from(list.slice(LIST.length), 'hex')
  const bits = (wanted: number, otherwise: number): number => {
    for (let at = 4; at + 8 <= bytes.length; at += 8) if (bytes.readUInt16LE(at) === wanted) return bytes.readUInt16LE(at + 2)
    return otherwise
  }
  return (mode & ~0o070) | ((bits(OWNING_GROUP, 0) & bits(MASK, 7)) << 3)
}
