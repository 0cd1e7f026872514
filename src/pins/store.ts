/** Pinned definitions at rest: signed rows. Whoever can write the file but has no key can pin nothing. */
import { canonicalJson } from '../core/canonical.ts'
import { isJsonObject, type JsonObject, own, parseJson } from '../core/json.ts'
import { skeleton } from '../facts/resources/text/confusable.ts'
import type { Pin } from '../session/pin.ts'
import type { Signer } from '../store/chain.ts'
import type { ReadTransaction, SqlRow, Transaction } from '../store/store.ts'

/** Whose tool it is; the empty text stands for no tenant, and for a tool of the host itself. */
export interface ToolKey {
  readonly tenant: string
  readonly server: string
  readonly tool: string
}

/** A definition that was seen: its digest and, where it was small enough, itself. */
export interface Seen {
  readonly digest: string
  readonly definition: JsonObject | null
  /** Milliseconds since the epoch. */
  readonly at: number
}

export interface NewPin extends Seen {
  readonly by: string | null
  readonly reason: string | null
}

/** One tool with what is pinned and what else was seen. */
export interface PinnedTool extends ToolKey {
  readonly pinned: Pin | null
  readonly seen: Seen | null
}

const COLUMNS = 'tenant, server, tool, body, key, mac, seen_body'
const ONE = `SELECT ${COLUMNS} FROM pins WHERE tenant = ? AND server = ? AND tool = ?`
const ALL = `SELECT ${COLUMNS} FROM pins ORDER BY tenant, server, tool`
const LIKE = 'SELECT server, tool FROM pins WHERE tenant = ? AND skeleton = ? AND body IS NOT NULL AND (server <> ? OR tool <> ?) LIMIT 1'
const KEEP = `INSERT INTO pins (tenant, server, tool, skeleton, body, key, mac, seen_body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (tenant, server, tool) DO UPDATE SET`
const PIN = `${KEEP} body = excluded.body, key = excluded.key, mac = excluded.mac, seen_body = NULL`
const SEEN = `${KEEP} seen_body = excluded.seen_body`
const DROP = 'DELETE FROM pins WHERE tenant = ? AND server = ? AND tool = ?'

/** `server/name`, or the bare name of a tool of the host. */
export function toolName({ server, tool }: Omit<ToolKey, 'tenant'>): string {
  return server === '' ? tool : `${server}/${tool}`
}

export function readPin(tx: ReadTransaction, { tenant, server, tool }: ToolKey, ring: ReadonlyMap<string, Signer>): PinnedTool | null {
  const row = tx.get(ONE, tenant, server, tool)
  return row === undefined ? null : toolOf(row, ring)
}

export function readPins(tx: ReadTransaction, ring: ReadonlyMap<string, Signer>): readonly PinnedTool[] {
  return tx.all(ALL).map((row) => toolOf(row, ring))
}

/** A pinned tool of the tenant whose name looks like this one and is another; null where there is none. */
export function readLookalike(tx: ReadTransaction, { tenant, server, tool }: ToolKey): string | null {
  const row = tx.get(LIKE, tenant, shape({ server, tool }), server, tool)
  return row === undefined ? null : toolName({ server: String(row.server), tool: String(row.tool) })
}

/** Holds the tool to this definition from now on; what was seen besides is forgotten. */
export function writePin(tx: Transaction, key: ToolKey, { pin, signer }: { readonly pin: NewPin; readonly signer: Signer }): void {
  const body = canonicalJson({ ...pin })
  tx.run(PIN, key.tenant, key.server, key.tool, shape(key), body, signer.id, signer.mac(signedText(key, body)), null)
}

/** Remembers a definition that is not the pinned one. It permits nothing, so nobody signs it. */
export function writeSeen(tx: Transaction, key: ToolKey, seen: Seen): void {
  tx.run(SEEN, key.tenant, key.server, key.tool, shape(key), null, null, null, canonicalJson({ ...seen }))
}

/** True where there was something to forget: the next definition is the first one again. */
export function removePin(tx: Transaction, { tenant, server, tool }: ToolKey): boolean {
  return tx.run(DROP, tenant, server, tool) === 1
}

/** Two names of one shape can be taken for each other: look-alike letters, another letter case. */
function shape(key: Omit<ToolKey, 'tenant'>): string {
  return skeleton(toolName(key)).toLowerCase()
}

/** The tool is under the signature: a pin of one is no pin of another. */
function signedText({ tenant, server, tool }: ToolKey, body: string): string {
  return canonicalJson(['countersign/pin/v1', tenant, server, tool, body])
}

const FORGED: Pin = { digest: null, definition: null, at: 0, by: null }

function toolOf(row: SqlRow, ring: ReadonlyMap<string, Signer>): PinnedTool {
  const key: ToolKey = { tenant: String(row.tenant), server: String(row.server), tool: String(row.tool) }
  return { ...key, pinned: row.body === null ? null : pinOf(row, key, ring), seen: row.seen_body === null ? null : seenOf(row.seen_body) }
}

function pinOf(row: SqlRow, key: ToolKey, ring: ReadonlyMap<string, Signer>): Pin {
  const body = String(row.body)
  if (ring.get(String(row.key))?.mac(signedText(key, body)) !== row.mac) return FORGED
  // The signature held, so this is what `writePin` wrote.
  return JSON.parse(body) as Pin
}

function seenOf(text: SqlRow[string] | undefined): Seen | null {
  const value = parseJson(String(text))
  if (!isJsonObject(value)) return null
  const [digest, definition, at] = [own(value, 'digest'), own(value, 'definition'), own(value, 'at')]
  if (typeof digest !== 'string' || typeof at !== 'number') return null
  return { digest, definition: isJsonObject(definition) ? definition : null, at }
}
