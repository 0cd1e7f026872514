/** Remembers, together with the decision, which files a call that may run would write; later calls of the session are told. */
import type { ToolCall } from '../core/call.ts'
import type { Sha256 } from '../core/digest.ts'
import type { WrittenFact } from '../facts/facts.ts'
import { ownDirectoryKey, ownKey, type WrittenFile, type WrittenFiles } from '../session/written.ts'
import { createKept } from '../store/kept.ts'
import type { SqlRow, Store, Transaction } from '../store/store.ts'
import type { CommitContext, Spender } from './commit.ts'

export interface WrittenParts {
  /** What the session of this call wrote before. A path is looked up when it is asked for. */
  readonly of: (call: ToolCall) => WrittenFiles
  readonly spender: Spender
  /** Belongs into the transaction of the record of a result: of files whose digest was awaited it is read at once, and kept then. */
  readonly landing: (call: ToolCall, now: number) => (tx: Transaction) => void
}

/** What was awaited: the digest of a file (`sha256:…`), or which directory was made. */
export interface Left {
  readonly path: string
  readonly directory: boolean
  /** When the call was decided, in milliseconds since the epoch. */
  readonly since: number
}

interface WrittenSource {
  readonly store: Pick<Store, 'query'>
  /** Of the UTF-8 bytes of a text, in hexadecimal digits. */
  readonly sha256: Sha256
  readonly callDigest: (call: ToolCall) => string
  /** What a call left there, as `Left` has it; null where that cannot be told. */
  readonly look: (left: Left) => string | null
}

/** Files remembered of one call; more than that is no script that somebody wrote to run it. */
const MAX_FILES = 256
/** How long a write is remembered: 30 days, in milliseconds. */
const LIFE = 30 * 24 * 60 * 60 * 1000

const OWN = ownKey('')
const OWN_DIRECTORY = ownDirectoryKey('')
/** The first text after all that begin so. */
const OWN_END = `${OWN.slice(0, -1)};`
const ONE = 'SELECT digest, origin, tool, at FROM written WHERE tenant = ? AND session = ? AND path = ?'
const PUT = `INSERT INTO written (tenant, session, path, digest, origin, tool, at) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (tenant, session, path) DO UPDATE SET digest = excluded.digest, origin = excluded.origin, tool = excluded.tool, at = excluded.at`
/** What is awaited bears the digest of its call in the place of an origin. */
const AWAITED = `SELECT path, at FROM written WHERE tenant = ? AND session = ? AND path >= '${OWN}' AND path < '${OWN_END}' AND origin = ? AND at >= ?`
/** Whether anything is awaited in a session, by whichever call. */
const ANY_AWAITED = `SELECT 1 AS one FROM written WHERE tenant = ? AND session = ? AND path >= '${OWN}' AND path < '${OWN_END}' AND origin IS NOT NULL LIMIT 1`
const ARRIVED = 'UPDATE written SET digest = ?, origin = NULL WHERE tenant = ? AND session = ? AND path = ? AND origin = ?'
/** The result of a call that ran for longer says nothing of who wrote the file meanwhile: a minute, in milliseconds. */
const MAX_AWAITED_MS = 60_000
const FORGET = 'DELETE FROM written WHERE at < ?'

const NOTHING: WrittenFiles = new Map<string, WrittenFile>()

export function createWrittenParts({ store, sha256, callDigest, look }: WrittenSource): WrittenParts {
  // Most calls ask for the same few paths, which nobody wrote.
  const kept = createKept<WrittenFile | undefined>('written')
  const awaited = createKept<boolean>('written')
  const isAwaited = (tenant: string, session: string): boolean =>
    store.query((tx) => awaited(tx, placeOf(tenant, session), () => tx.get(ANY_AWAITED, tenant, session) !== undefined))
  return {
    of: ({ session, principal }) => {
      if (session === null) return NOTHING
      const tenant = principal.tenant ?? ''
      const place = placeOf(tenant, session)
      return { get: (path) => store.query((tx) => kept(tx, place + path, () => fileOf(tx.get(ONE, tenant, session, path)))) }
    },
    spender: {
      // An `ask` may be answered outside of the gate: the host asks its user and runs the call.
      wants: ({ decision }, context) => decision !== 'deny' && decision !== 'halt' && filesOf(context).length > 0,
      spend: (tx, _decision, context) => {
        const { call, at } = context
        tx.run(FORGET, at - LIFE)
        for (const { path, text, origin, digest: known = null, awaited = false } of filesOf(context)) {
          const digest = text === null ? known : `sha256:${sha256(text)}`
          tx.run(
            PUT,
            call.principal.tenant ?? '',
            call.session ?? '',
            path,
            digest,
            awaited ? callDigest(call) : origin,
            call.tool.name,
            at,
          )
        }
        return undefined
      },
    },
    landing: (call, now) => {
      const { session, principal } = call
      if (session === null) return () => {}
      const key = [principal.tenant ?? '', session] as const
      // Mostly there is nothing, and the digest of a large call takes long.
      if (!isAwaited(...key)) return () => {}
      const by = callDigest(call)
      const paths = store.query((tx) => tx.all(AWAITED, ...key, by, now - MAX_AWAITED_MS))
      const read = paths.map(({ path, at }) => [String(path), look(leftAt(String(path), Number(at)))] as const)
      return (tx) => {
        for (const [path, digest] of read) tx.run(ARRIVED, digest, ...key, path, by)
      }
    },
  }
}

const placeOf = (tenant: string, session: string): string => `${tenant.length} ${session.length} ${tenant}${session}`

function leftAt(key: string, since: number): Left {
  const directory = key.startsWith(OWN_DIRECTORY)
  return { path: key.slice((directory ? OWN_DIRECTORY : OWN).length), directory, since }
}

function filesOf({ call, basis }: CommitContext): readonly WrittenFact[] {
  return call.session === null ? [] : (basis?.facts.written ?? []).slice(0, MAX_FILES)
}

function fileOf(row: SqlRow | undefined): WrittenFile | undefined {
  if (row === undefined || typeof row.tool !== 'string' || typeof row.at !== 'number') return undefined
  const { digest, origin, tool, at } = row
  return { digest: typeof digest === 'string' ? digest : null, origin: typeof origin === 'string' ? origin : null, tool, at }
}
