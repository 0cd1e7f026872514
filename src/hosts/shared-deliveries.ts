/**
 * The same over processes: hooks that decide without a daemon find each other's answers in a directory of the gate's state. Whoever
 * comes first claims the event and decides; the others wait for its answer, and decide for themselves where none comes in time.
 *
 * A claim says who decides and nothing of the outcome. An answer is encrypted and authenticated under the key of the hooks and the event
 * itself, and names its record; what is cut off, forged, of another event or not in the log is no answer. So nothing that is found here
 * lets a call run that was not decided and recorded.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { readJson } from '../ingress/json.ts'
import { type Answered, type Deliveries, type Delivery, type Elsewhere, SHARED_MS } from './deliveries.ts'

export interface SharedOptions {
  /** Made when it is first needed. */
  readonly directory: string
  /** The key of the hooks. Where it throws, nothing is shared. */
  readonly key: () => string
  /** Milliseconds that a hook waits for the answer to another one, all waiting together. */
  readonly waitMs: number
  /** True where the log holds the record. */
  readonly recorded: (id: string) => boolean
}

/** Milliseconds after which nobody waits for whoever claimed an event: longer than any hook lives. */
const CLAIM_MS = 60_000

/** Between two looks for an answer, in milliseconds. */
const LOOK_MS = 15

/** Files of which none is looked at for its age. */
const MAX_FILES_KEPT = 32

/** Others that claim an event before us; after that it is decided without a claim. */
const MAX_TRIES = 8

const [IV_BYTES, TAG_BYTES] = [12, 16]

/** One event among the files: its name, and what its answers are encrypted with. */
interface Place {
  readonly name: string
  readonly secret: Buffer
  readonly hook: string
}

interface Instant {
  /** Of the machine, in milliseconds since it started. */
  readonly steady: number
  /** In milliseconds since the epoch: the other starts again with the machine. */
  readonly wall: number
}

interface Claim extends Instant {
  readonly hook: string
  readonly pid: number
}

export function createSharedDeliveries(options: SharedOptions): Deliveries & Elsewhere {
  const { waitMs } = options
  return {
    heard: async (delivery) => {
      try {
        const files = filesIn(options.directory)
        // Where nobody claimed anything, the event needs no name.
        if (files.length === 0) return null
        const place = placeOf(delivery, options)
        const latest = latestOf(options, place, files)
        return latest === 0 ? null : await joined(options, { place, turn: latest, until: steadyNow() + waitMs })
      } catch {
        return null
      }
    },
    once: async (delivery, act) => {
      const found = await claimedOrHeard(options, delivery)
      if (found !== null && 'answer' in found) return found.answer
      let answered: Answered | null = null
      try {
        answered = await act()
        return answered.answer
      } finally {
        if (found !== null) leave(options, found.place, { turn: found.turn, answered })
      }
    },
  }
}

/** An answer that holds, or the turn of this event that is ours to decide; null: no claim can be made here. */
async function claimedOrHeard(options: SharedOptions, delivery: Delivery): Promise<Answered | Omit<Turn, 'until'> | null> {
  const until = steadyNow() + options.waitMs
  try {
    const place = placeOf(delivery, options)
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const latest = latestOf(options, place)
      const heard = latest === 0 ? null : await joined(options, { place, turn: latest, until })
      if (heard !== null) return heard
      if (claimed(options, place, latest + 1)) return { place, turn: latest + 1 }
    }
  } catch {
    // A directory that cannot be read or written: the event is decided here.
  }
  return null
}

function placeOf({ event, hook }: Delivery, { key }: SharedOptions): Place {
  const from = key()
  const derived = (use: string, of: string): Buffer => createHmac('sha256', from).update(`${use}\n${of}`).digest()
  return {
    name: derived('name', event).toString('hex').slice(0, 40),
    secret: derived('answer', event),
    hook: derived('hook', hook).toString('hex').slice(0, 16),
  }
}

/** The number of the newest claim of the event; 0: there is none. Takes away what is long over. */
function latestOf({ directory }: SharedOptions, { name }: Place, files = filesIn(directory)): number {
  if (files.length > MAX_FILES_KEPT) for (const file of files) removeOld(join(directory, file))
  const claim = new RegExp(`^${name}\\.(\\d{1,6})\\.claim$`)
  const turns = files.map((file) => claim.exec(file)?.[1])
  return Math.max(0, ...turns.map((turn) => Number(turn ?? 0)))
}

function filesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return []
    throw error
  }
}

function removeOld(path: string): void {
  try {
    if (Math.abs(Date.now() - statSync(path).mtimeMs) > CLAIM_MS) rmSync(path, { force: true })
  } catch {
    // Another process took it away.
  }
}

/** True for the one process that may decide this turn of the event: a claim is there whole, or it is not there. */
function claimed({ directory }: SharedOptions, { name, hook }: Place, turn: number): boolean {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const claim: Claim = { hook, pid: process.pid, ...now() }
  const fresh = join(directory, `${name}.${turn}.${process.pid}.new`)
  writeFileSync(fresh, JSON.stringify(claim), { mode: 0o600 })
  try {
    linkSync(fresh, join(directory, `${name}.${turn}.claim`))
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  } finally {
    rmSync(fresh, { force: true })
  }
}

interface Turn {
  readonly place: Place
  readonly turn: number
  /** By the steady clock. */
  readonly until: number
}

/** What whoever claimed this turn answered, once for each hook; null where that is nothing, or too late. */
async function joined(options: SharedOptions, { place, turn, until }: Turn): Promise<Answered | null> {
  const { directory } = options
  const path = (what: string): string => join(directory, `${place.name}.${turn}.${what}`)
  const claim = claimIn(path('claim'))
  if (claim === null || claim.hook === place.hook || !isWithin(claim, CLAIM_MS)) return null
  if (!isFirst(path(`${place.hook}.heard`))) return null
  for (;;) {
    // Asked before the look: what it left before it ended is seen.
    const lives = isAlive(claim.pid)
    const answer = bytesOf(path('answer'))
    if (answer !== null) return opened(answer, place, { turn, options })
    if (!lives || steadyNow() >= until) return null
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

function claimIn(path: string): Claim | null {
  const read = readJson(bytesOf(path) ?? new Uint8Array())
  if (!read.ok || !isJsonObject(read.value)) return null
  const { hook, pid, steady, wall } = read.value
  if (typeof hook !== 'string' || typeof pid !== 'number' || typeof steady !== 'number' || typeof wall !== 'number') return null
  return { hook, pid, steady, wall }
}

/** True for the first process of this hook. */
function isFirst(path: string): boolean {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false
    throw error
  }
}

/** A process of another user lives, too. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isCode(error, 'EPERM')
  }
}

interface Kept {
  readonly turn: number
  readonly answered: Answered | null
}

/** An answer that holds, for those that wait; else nothing, which ends their waiting. Never throws: the answer itself is given. */
function leave({ directory }: SharedOptions, { name, secret }: Place, { turn, answered }: Kept): void {
  const fresh = join(directory, `${name}.${turn}.${process.pid}.new`)
  try {
    writeFileSync(fresh, answered?.holds === true ? encrypted(answered, secret, turn) : '', { mode: 0o600 })
    renameSync(fresh, join(directory, `${name}.${turn}.answer`))
  } catch {
    // Whoever waits decides for itself.
  }
}

function encrypted({ answer, record }: Answered, secret: Buffer, turn: number): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', secret, iv).setAAD(Buffer.from(`${turn}`))
  const text = JSON.stringify({ answer, record, ...now() })
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

interface Opening {
  readonly turn: number
  readonly options: SharedOptions
}

/** The answer, where it is whole, of this event and turn, of a moment ago, and in the log if it says so. */
function opened(bytes: Buffer, { secret }: Place, { turn, options }: Opening): Answered | null {
  const kept = decrypted(bytes, secret, turn)
  if (kept === null) return null
  const { answer, record, steady, wall } = kept
  if (!isJsonObject(answer ?? null) || typeof steady !== 'number' || typeof wall !== 'number') return null
  if (record !== null && typeof record !== 'string') return null
  if (!isWithin({ steady, wall }, SHARED_MS) || (record !== null && !options.recorded(record))) return null
  return { answer: answer as JsonObject, holds: true, record }
}

function decrypted(bytes: Buffer, secret: Buffer, turn: number): Readonly<Record<string, Json | undefined>> | null {
  if (bytes.length <= IV_BYTES + TAG_BYTES) return null
  try {
    const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(`${turn}`)).setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    const plain = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
    const read = readJson(plain)
    return read.ok && isJsonObject(read.value) ? read.value : null
  } catch {
    return null
  }
}

/** By both clocks: one starts again with the machine, and people set the other. */
function isWithin({ steady, wall }: Instant, ms: number): boolean {
  const { steady: steadyNow, wall: wallNow } = now()
  return [steadyNow - steady, wallNow - wall].every((passed) => passed >= 0 && passed <= ms)
}

function now(): Instant {
  return { steady: steadyNow(), wall: Date.now() }
}

/** Equal for all processes of a machine. */
function steadyNow(): number {
  return Number(process.hrtime.bigint() / 1_000_000n)
}

function bytesOf(path: string): Buffer | null {
  try {
    return readFileSync(path)
  } catch (error) {
    if (isCode(error, 'ENOENT')) return null
    throw error
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
