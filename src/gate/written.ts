/** Remembers, together with the decision, which files a call that may run would write; later calls of the session are told. */
import type { ToolCall } from '../core/call.ts'
import type { Sha256 } from '../core/digest.ts'
import type { WrittenFact } from '../facts/facts.ts'
import type { WrittenFile, WrittenFiles } from '../session/written.ts'
import { createKept } from '../store/kept.ts'
import type { SqlRow, Store } from '../store/store.ts'
import type { CommitContext, Spender } from './commit.ts'

export interface WrittenParts {
  /** What the session of this call wrote before. A path is looked up when it is asked for. */
  readonly of: (call: ToolCall) => WrittenFiles
  readonly spender: Spender
}

/** Files remembered of one call; more than that is no script that somebody wrote to run it. */
const MAX_FILES = 256
/** How long a write is remembered: 30 days, in milliseconds. */
const LIFE = 30 * 24 * 60 * 60 * 1000

const ONE = 'SELECT digest, origin, tool, at FROM written WHERE tenant = ? AND session = ? AND path = ?'
const PUT = `INSERT INTO written (tenant, session, path, digest, origin, tool, at) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (tenant, session, path) DO UPDATE SET digest = excluded.digest, origin = excluded.origin, tool = excluded.tool, at = excluded.at`
const FORGET = 'DELETE FROM written WHERE at < ?'

const NOTHING: WrittenFiles = new Map<string, WrittenFile>()

/** @param sha256 of the UTF-8 bytes of a text, in hexadecimal digits. */
export function createWrittenParts({ store, sha256 }: { readonly store: Pick<Store, 'query'>; readonly sha256: Sha256 }): WrittenParts {
  // Most calls ask for the same few paths, which nobody wrote.
  const kept = createKept<WrittenFile | undefined>('written')
  return {
    of: ({ session, principal }) => {
      if (session === null) return NOTHING
      const tenant = principal.tenant ?? ''
      const place = `${tenant.length} ${session.length} ${tenant}${session}`
      return { get: (path) => store.query((tx) => kept(tx, place + path, () => fileOf(tx.get(ONE, tenant, session, path)))) }
    },
    spender: {
      // An `ask` may be answered outside of the gate: the host asks its user and runs the call.
      wants: ({ decision }, context) => decision !== 'deny' && decision !== 'halt' && filesOf(context).length > 0,
      spend: (tx, _decision, context) => {
        const { call, at } = context
        tx.run(FORGET, at - LIFE)
        for (const { path, text, origin, digest: known = null } of filesOf(context)) {
          const digest = text === null ? known : `sha256:${sha256(text)}`
          tx.run(PUT, call.principal.tenant ?? '', call.session ?? '', path, digest, origin, call.tool.name, at)
        }
        return undefined
      },
    },
  }
}

function filesOf({ call, basis }: CommitContext): readonly WrittenFact[] {
  return call.session === null ? [] : (basis?.facts.written ?? []).slice(0, MAX_FILES)
}

function fileOf(row: SqlRow | undefined): WrittenFile | undefined {
  if (row === undefined || typeof row.tool !== 'string' || typeof row.at !== 'number') return undefined
  const { digest, origin, tool, at } = row
  return { digest: typeof digest === 'string' ? digest : null, origin: typeof origin === 'string' ? origin : null, tool, at }
}
