/** A database as it was before a call, and the way back: dumped and restored by its own programs. */
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import type { JsonObject } from '../../core/json.ts'
import { syncDirectory } from '../files/contents.ts'
import { createSealed, piecesOf, type Vault } from '../sealed.ts'
import { ENGINES } from './engines.ts'
import type { KnownDatabase } from './known.ts'
import { type Bounds, runForText, runInto } from './programs.ts'

/** What is kept of one database. Its address is not in it. */
export interface Dump extends JsonObject {
  /** As the policy calls it. */
  readonly database: string
  /** The part of it that is kept, such as a collection. Absent: all of it. */
  readonly part?: string
  /** Its file in the store. */
  readonly dump: string
  readonly sha256: string
  readonly size: number
  /** What there was, a line each; what came since goes with a restore. Null: the programs of this kind take care of that. */
  readonly objects: readonly string[] | null
  /** Statements that a restore begins with. */
  readonly opening: readonly string[]
}

export interface DumpParts {
  /** The one part that is kept; null or absent: all. */
  readonly part?: string | null
  readonly vault: Vault
  readonly maxBytes: number
  /** What a variable holds; null: it is not set. */
  readonly variable: (name: string) => string | null
}

/** @throws where the database does not answer, is larger than allowed, or its programs are not there. */
export async function dumpDatabase(database: KnownDatabase, { part = null, ...parts }: DumpParts): Promise<Dump> {
  if (part === null || ENGINES[database.engine].dumpPart === undefined) return dumpOnce(database, parts)
  const started = performance.now()
  try {
    return await dumpOnce(database, { ...parts, part })
  } catch (error) {
    // Of a part that is not there its program may make no dump: then all of it is dumped, within the same time.
    const timeoutMs = Math.floor(database.timeoutMs - (performance.now() - started))
    if (timeoutMs <= 0) throw error
    return dumpOnce({ ...database, timeoutMs }, parts)
  }
}

async function dumpOnce(database: KnownDatabase, parts: DumpParts): Promise<Dump> {
  const { dump, dumpPart, objects, opening } = ENGINES[database.engine]
  const { part = null } = parts
  const address = addressOf(database, parts)
  const bounds = boundsOf(database, parts)
  const name = `dump-${randomBytes(12).toString('hex')}`
  const to = createSealed(parts.vault)
  try {
    const there = objects === undefined ? null : linesOf(await runForText(objects(address), bounds))
    const first = opening === undefined ? [] : linesOf(await runForText(opening(address), bounds))
    const sum = createHash('sha256')
    let size = 0
    const take = (piece: Buffer): void => {
      sum.update(piece)
      size += piece.length
      to.write(piece)
    }
    await runInto(part === null || dumpPart === undefined ? dump(address) : dumpPart(address, part), bounds, { take })
    fsyncSync(to.file)
    renameSync(to.path, join(parts.vault.directory, name))
    await syncDirectory(parts.vault.directory)
    const kept = { dump: name, sha256: sum.digest('hex'), size, objects: there, opening: first }
    return { database: database.name, ...(part === null ? {} : { part }), ...kept }
  } catch (error) {
    throw hidden(error, address)
  } finally {
    closeSync(to.file)
    rmSync(to.path, { force: true })
  }
}

/** Null where the database itself is gone. */
export async function dumpIfThere(database: KnownDatabase, parts: DumpParts): Promise<Dump | null> {
  try {
    return await dumpDatabase(database, parts)
  } catch (error) {
    if (isGone(error, database)) return null
    throw error
  }
}

function isGone(error: unknown, { engine }: KnownDatabase): boolean {
  const { missing } = ENGINES[engine]
  return missing !== undefined && error instanceof Error && error.message.includes(missing)
}

/** In one transaction where the kind of database has them. @throws with what its programs say. */
export async function restoreDatabase(kept: Dump, database: KnownDatabase, parts: DumpParts): Promise<void> {
  const engine = ENGINES[database.engine]
  if (engine.restore === null) throw new Error(`a ${database.engine} dump is put back by a person`)
  // Redis was kept as an RDB file by earlier releases: read as commands, its values could be some.
  if ((engine.objects === undefined) !== (kept.objects === null))
    throw new Error('it was kept by another release, in another form: a person puts it back')
  const address = addressOf(database, parts)
  const bounds = { ...boundsOf(database, parts), maxBytes: Number.MAX_SAFE_INTEGER, timeoutMs: database.timeoutMs * 10 }
  const { vault } = parts
  if (digestOf(vault, kept.dump) !== kept.sha256) throw new Error('what was kept of it is damaged')
  const passage = createSealed(vault)
  try {
    for (const line of [...(await objectsSince(kept, database, { address, bounds })), ...kept.opening])
      passage.write(Buffer.from(`${line}\n`))
    if (engine.script === undefined) for (const piece of piecesOf(vault, kept.dump)) passage.write(piece)
    else await runInto(engine.script, bounds, { take: passage.write, input: Readable.from(piecesOf(vault, kept.dump)) })
    const input = Readable.from(piecesOf(vault, basename(passage.path)))
    await runInto(engine.restore(address), bounds, { take: () => {}, input })
  } catch (error) {
    throw hidden(error, address)
  } finally {
    closeSync(passage.file)
    rmSync(passage.path, { force: true })
  }
}

/** A schema takes along what is in it. */
const dropOf = (line: string): string => `DROP ${line.replace(/^(?:FOREIGN |MATERIALIZED )?\w+ /, (kind) => `${kind}IF EXISTS `)} CASCADE;`

/** What is there now and was not then. A database that is gone is made again, empty. */
async function objectsSince(
  { objects: then }: Dump,
  database: KnownDatabase,
  { address, bounds }: { readonly address: URL; readonly bounds: Bounds },
): Promise<readonly string[]> {
  const { objects, create, dropped = dropOf } = ENGINES[database.engine]
  if (objects === undefined || then === null) return []
  const before = new Set(then)
  try {
    const now = linesOf(await runForText(objects(address), bounds))
    return now.filter((line) => !before.has(line)).map(dropped)
  } catch (error) {
    if (create === undefined || !isGone(error, database)) throw error
    await runForText(create(address), bounds)
    return []
  }
}

const linesOf = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '')

function boundsOf({ timeoutMs }: KnownDatabase, { vault, maxBytes }: DumpParts): Bounds {
  return { timeoutMs, maxBytes, directory: vault.directory }
}

/** @throws where the variable holds none. */
export function addressOf({ name, urlEnv }: KnownDatabase, { variable }: Pick<DumpParts, 'variable'>): URL {
  const text = variable(urlEnv)
  if (text === null || text === '')
    throw new Error(`the address of the database \`${name}\` is not known: the variable ${urlEnv} is not set`)
  if (!URL.canParse(text) || new URL(text).pathname.length < 2) throw new Error(`the variable ${urlEnv} holds no address of a database`)
  return new URL(text)
}

const PORTS = { postgres: '5432', mysql: '3306', mongodb: '27017', redis: '6379' } as const

/** @throws where a call names another port than the server that would be dumped has: behind it is another server. */
export function requirePort(
  database: KnownDatabase,
  ports: readonly (string | null | undefined)[],
  parts: Pick<DumpParts, 'variable'>,
): void {
  const { port } = addressOf(database, parts)
  const own = port === '' ? PORTS[database.engine] : port
  const other = ports.find((named) => named !== null && named !== own)
  if (ports.includes(undefined))
    throw new Error(`it is not known which server the call reaches; \`${database.name}\` is the one at port ${own}`)
  if (other !== undefined)
    throw new Error(`the call reaches the server at port ${other}, and \`${database.name}\` is the one at port ${own}`)
}

/** The password stands in no message. */
function hidden(error: unknown, { password }: URL): Error {
  const message = error instanceof Error ? error.message : String(error)
  const secrets = [password, decodeURIComponent(password)].filter((text) => text !== '')
  return new Error(secrets.reduce((text, secret) => text.replaceAll(secret, '…'), message))
}

function digestOf(vault: Vault, name: string): string {
  const sum = createHash('sha256')
  for (const piece of piecesOf(vault, name)) sum.update(piece)
  return sum.digest('hex')
}
