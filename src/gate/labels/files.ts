/**
 * Remembers, together with the decision, which files a call may write in a session that has taken in what somebody else may have written.
 * The calls of other sessions of the tenant are told: a session that reads such a file has taken it in, too. Bounded: where there are too
 * many files, the oldest are remembered by their directory, so that no number of files makes a label go before its time.
 */
import type { ToolCall } from '../../core/call.ts'
import type { Sha256 } from '../../core/digest.ts'
import type { WrittenFact } from '../../facts/facts.ts'
import type { FileLabel, FileLabels } from '../../session/labels.ts'
import type { ReadTransaction, SqlRow, Store, Transaction } from '../../store/store.ts'
import type { CommitContext, Spender } from '../commit.ts'

export interface LabelParts {
  /** By the time of the decision, in milliseconds since the epoch. */
  readonly of: (call: ToolCall, now: number) => FileLabels
  readonly spender: Spender
}

export interface LabelSource {
  readonly store: Pick<Store, 'query'>
  /** Of the UTF-8 bytes of a text, in hexadecimal digits. */
  readonly sha256: Sha256
  /** The tool by which text of others came into the session of the call, or into the call itself; null: none did. */
  readonly source: (context: CommitContext) => string | null
  /** Files of a tenant that are told apart. Default 4096. */
  readonly most?: number
}

/** Files remembered of one call. */
const MAX_FILES = 256
/** How long a label holds: 30 days, in milliseconds. */
const LIFE = 30 * 24 * 60 * 60 * 1000
const MAX_LABELS = 4_096
/** The share of them that is joined at a time, and how often at most for one call. */
const JOINED = 1 / 8
const MAX_ROUNDS = 64

const TABLE = 'file_labels'
const COLUMNS = 'file, session, source, tool, at'
const ANY = 'SELECT 1 FROM file_labels WHERE tenant = ? LIMIT 1'
const AT = `SELECT ${COLUMNS} FROM file_labels WHERE tenant = ?1 AND session <> ?2 AND at >= ?4 AND file IN (SELECT value FROM json_each(?3)) LIMIT 1`
const BELOW = `SELECT ${COLUMNS} FROM file_labels WHERE tenant = ?1 AND session <> ?2 AND at >= ?4 AND file > ?3 || '/' AND file < ?3 || '0' LIMIT 1`
const SAME = `SELECT ${COLUMNS} FROM file_labels WHERE tenant = ?1 AND session <> ?2 AND at >= ?4 AND digest = ?3 LIMIT 1`
const PUT = `INSERT INTO file_labels (tenant, file, digest, session, source, tool, at) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (tenant, file) DO UPDATE SET digest = coalesce(excluded.digest, digest), session = excluded.session, source = excluded.source,
    tool = excluded.tool, at = max(at, excluded.at)`
const FORGET = 'DELETE FROM file_labels WHERE at < ?'
const COUNT = 'SELECT count(*) AS n FROM file_labels WHERE tenant = ?'
/** Files before directories: these are joined only where there are too many of them alone. */
const OLDEST = `SELECT ${COLUMNS} FROM file_labels WHERE tenant = ? AND file <> '/' ORDER BY file LIKE '%/', at LIMIT ?`
const TAKE = 'DELETE FROM file_labels WHERE tenant = ? AND file = ?'

export function createLabelParts({ store, sha256, source, most = MAX_LABELS }: LabelSource): LabelParts {
  const present = createPresence()
  return {
    of: ({ session, principal }, now) => {
      const tenant = principal.tenant ?? ''
      const find = (sql: string, value: string): FileLabel | null =>
        labelOf(store.query((tx) => tx.get(sql, tenant, session ?? '', value, now - LIFE)))
      return {
        any: () => store.query((tx) => present(tx, tenant)),
        of: (path) => find(AT, JSON.stringify([path, ...directoriesOf(path)])) ?? find(BELOW, path.replace(/\/$/, '')),
        ofDigest: (digest) => find(SAME, digest),
      }
    },
    spender: {
      // An `ask` may be answered outside of the gate: the host asks its user and runs the call.
      wants: ({ decision }, context) =>
        decision !== 'deny' && decision !== 'halt' && filesOf(context).length > 0 && source(context) !== null,
      spend: (tx, _decision, context) => {
        const { call, at } = context
        const tenant = call.principal.tenant ?? ''
        const from = source(context) ?? ''
        tx.run(FORGET, at - LIFE)
        for (const { path, text } of filesOf(context)) {
          const digest = text === null ? null : `sha256:${sha256(text)}`
          tx.run(PUT, tenant, path, digest, call.session ?? '', from, call.tool.name, at)
        }
        makeRoom(tx, tenant, most)
        return undefined
      },
    },
  }
}

/** Not what else is remembered beside files (`session/written.ts`): such keys are no paths. */
function filesOf({ call, basis }: CommitContext): readonly WrittenFact[] {
  if (call.session === null) return []
  return (basis?.facts.written ?? []).filter(({ path }) => path.startsWith('/')).slice(0, MAX_FILES)
}

/** Whether a tenant has any, asked again only where somebody wrote to the table. */
function createPresence(): (tx: ReadTransaction, tenant: string) => boolean {
  const known = new Map<string, { readonly generation: number; readonly any: boolean }>()
  return (tx, tenant) => {
    const generation = tx.generation(TABLE)
    const found = known.get(tenant)
    if (found?.generation === generation) return found.any
    const any = tx.get(ANY, tenant) !== undefined
    if (known.size >= MAX_TENANTS) known.clear()
    known.set(tenant, { generation, any })
    return any
  }
}

const MAX_TENANTS = 256

/** Those above a path, each with a slash at its end. */
function directoriesOf(path: string): readonly string[] {
  const above: string[] = []
  for (let at = path.lastIndexOf('/'); at >= 0; at = at === 0 ? -1 : path.lastIndexOf('/', at - 1)) above.push(path.slice(0, at + 1))
  return above
}

/** Too many files: the oldest become their directories, and those the ones above them. */
function makeRoom(tx: Transaction, tenant: string, most: number): void {
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const over = Number(tx.get(COUNT, tenant)?.n) - most
    if (over <= 0) return
    for (const { file, session, source, tool, at } of tx
      .all(OLDEST, tenant, Math.max(over, Math.ceil(most * JOINED)))
      .flatMap((row) => labelOf(row) ?? [])) {
      tx.run(TAKE, tenant, file)
      tx.run(PUT, tenant, directoriesOf(file.replace(/\/$/, ''))[0] ?? '/', null, session, source, tool, at)
    }
  }
}

function labelOf(row: SqlRow | undefined): FileLabel | null {
  if (row === undefined) return null
  const { file, session, source, tool, at } = row
  return { file: String(file), session: String(session), source: String(source), tool: String(tool), at: Number(at) }
}
