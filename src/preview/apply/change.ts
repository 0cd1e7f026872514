/** One change of a name that a preview showed, as it is kept and made. Pure. */

/** The tool by whose call the gate is asked whether the changes may be made. */
export const APPLY_TOOL = 'countersign_apply'

/** What stands at a name. */
export interface Standing {
  readonly type: 'file' | 'directory' | 'link'
  /** Permission bits; 0 for a link. */
  readonly mode: number
  /** SHA-256 of a file's bytes, 64 hexadecimal digits; where a link leads; empty for a directory. */
  readonly content: string
}

export interface KeptChange {
  /** Absolute; no directory of it was a link. */
  readonly path: string
  /** The directory that was worked on as a copy, which holds the name. */
  readonly place: string
  /** Null: nothing stood there. */
  readonly before: Standing | null
  /** Null: nothing stands there afterwards. */
  readonly after: Standing | null
}

/** For people: `changed /repo/a.txt`. */
export function changeLine({ path, before, after }: KeptChange): string {
  return `${before === null ? 'created' : after === null ? 'deleted' : 'changed'} ${path}`
}

export function isSameStanding(one: Standing | null, other: Standing | null): boolean {
  if (one === null || other === null) return one === other
  return one.type === other.type && one.mode === other.mode && one.content === other.content
}

/** Directory of what is being made right now, below the state directory. */
export function journalsIn(home: string): string {
  return `${home}/previews/making`
}
