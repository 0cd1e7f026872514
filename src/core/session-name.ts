/**
 * A session belongs to whoever opened it: the same name sent by somebody else is another session. The name by which the gate
 * knows a session says whose it is, so that counters, approvals, grants and records of two owners never meet.
 *
 * What the gate's own user opens keeps its plain name. Any other name ends with `@` and its owner. No owner holds an `@`, so no
 * name can be made to look like the session of somebody else.
 */

/** The gate's own user: who reaches the private socket, and whoever runs the gate in process. */
const LOCAL = 'local'

export interface OwnedSession {
  /** As its host names it. */
  readonly name: string
  /** Null: the gate's own user. */
  readonly owner: string | null
}

/** The name by which the gate knows the session. */
export function sessionName({ name, owner }: OwnedSession): string {
  if (owner !== null) return `${name}@${escaped(owner)}`
  return name.includes('@') ? `${name}@${LOCAL}` : name
}

/** What `sessionName` made of it. */
export function readSessionName(session: string): OwnedSession {
  const at = session.lastIndexOf('@')
  const owner = session.slice(at + 1)
  if (at === -1) return { name: session, owner: null }
  return { name: session.slice(0, at), owner: owner === LOCAL ? null : unescaped(owner) }
}

/** `local` as the name of somebody else is written so that it is not ours. */
function escaped(owner: string): string {
  const text = owner.replaceAll('%', '%25').replaceAll('@', '%40')
  return text === LOCAL ? '%6cocal' : text
}

function unescaped(owner: string): string {
  return owner.replaceAll('%6c', 'l').replaceAll('%40', '@').replaceAll('%25', '%')
}
