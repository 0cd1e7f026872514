/** Where captures are kept: one file for each, beside the contents that they share. In the gate's own directory, which agents cannot reach. */
import { randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import { SYSTEM_ATTRIBUTES } from './attributes.ts'
import type { Dump } from './databases/dumps.ts'
import type { Keeping, Kept } from './files/kept.ts'
import { releaseGit } from './git.ts'
import type { GitState } from './git-program.ts'
import type { NpmPublish } from './npm.ts'
import type { GitPush } from './pushes.ts'
import { nameOf, openVault, sealText, textIn, type Vault } from './sealed.ts'
import type { HubState } from './services/github.ts'
import type { ClusterState } from './services/kubernetes.ts'
import type { TerraformState } from './services/terraform.ts'

export interface Capture {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly until: number
  readonly cwd: string | null
  readonly ways: readonly Way[]
}

/** One compensator with what it was given. */
export type Way =
  | { readonly name: string; readonly run: 'files'; readonly entries: readonly Kept[]; readonly left: readonly string[] }
  | {
      readonly name: string
      readonly run: 'git'
      readonly state: GitState
      readonly entries: readonly Kept[]
      readonly left: readonly string[]
    }
  | { readonly name: string; readonly run: 'git-push'; readonly push: GitPush }
  | { readonly name: string; readonly run: 'database'; readonly dump: Dump }
  | { readonly name: string; readonly run: 'npm'; readonly published: NpmPublish; readonly at: number }
  | { readonly name: string; readonly run: 'kubernetes'; readonly state: ClusterState }
  | { readonly name: string; readonly run: 'github'; readonly hub: HubState }
  | { readonly name: string; readonly run: 'terraform'; readonly stack: TerraformState }
  | { readonly name: string; readonly run: 'manual' }

const ID = /^und_[0-9a-f]{24}$/

export const newCaptureId = (): string => `und_${randomBytes(12).toString('hex')}`

export interface CaptureStore extends Keeping {
  /** Durable when it returns. The text is what a digest is over. */
  readonly write: (capture: Capture) => string
  /** Its text; null where it is not there. */
  readonly read: (id: string) => string | null
  readonly list: () => readonly string[]
  /** Forgets what has ended, and the oldest while all of them are larger than `totalBytes`. Answers how many went. */
  readonly collect: (now: number, totalBytes: number) => Promise<number>
}

export function openCaptures(home: string): CaptureStore {
  const directory = join(home, 'undo')
  const blobs = join(directory, 'blobs')
  mkdirSync(blobs, { recursive: true, mode: 0o700 })
  const vault = openVault(home, blobs)
  const fileOf = (id: string): string => join(directory, `${id}.json`)
  const read = (id: string): string | null => {
    if (!ID.test(id)) return null
    try {
      return textIn(vault, readFileSync(fileOf(id)))
    } catch {
      return null
    }
  }
  const list = (): readonly string[] => readdirSync(directory).flatMap((name) => (ID.test(name.slice(0, -5)) ? [name.slice(0, -5)] : []))
  return {
    vault,
    access: SYSTEM_ATTRIBUTES,
    read,
    list,
    write: (capture) => {
      const text = JSON.stringify(capture)
      writeDurably(fileOf(capture.id), sealText(vault, text), directory)
      return text
    },
    collect: (now, totalBytes) => collect({ directory, vault, read, list, fileOf }, now, totalBytes),
  }
}

function writeDurably(path: string, bytes: Uint8Array, directory: string): void {
  const file = openSync(`${path}.new`, 'wx', 0o600)
  try {
    writeFileSync(file, bytes)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  renameSync(`${path}.new`, path)
  const parent = openSync(directory, 'r')
  fsyncSync(parent)
  closeSync(parent)
}

/** @throws where it is none. */
export function captureIn(text: string): Capture {
  const value: unknown = JSON.parse(text)
  if (!isJsonObject(value as JsonObject)) throw new Error('this is no capture')
  return value as unknown as Capture
}

interface Place {
  readonly directory: string
  readonly vault: Vault
  readonly read: (id: string) => string | null
  readonly list: () => readonly string[]
  readonly fileOf: (id: string) => string
}

async function collect({ directory, vault, read, list, fileOf }: Place, now: number, totalBytes: number): Promise<number> {
  // Marked as new: what is written right now, which is of no capture yet, and a name that is used again.
  const isOld = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.ctimeMs ?? now) < now - WRITING_MS
  const all = list()
    .flatMap((id) => {
      const text = read(id)
      // What nobody can read any more, as its key is gone, is kept for nobody.
      if (text === null && isOld(fileOf(id))) rmSync(fileOf(id), { force: true })
      return text === null ? [] : [captureIn(text)]
    })
    .toSorted((a, b) => b.at - a.at)
  const used = new Set<string>()
  const gone: Capture[] = []
  let total = 0
  for (const capture of all) {
    const fresh = [...contentsOf(capture, vault)].filter(([name]) => !used.has(name))
    const bytes = fresh.reduce((sum, [, size]) => sum + size, 0)
    if (capture.until <= now || total + bytes > totalBytes) gone.push(capture)
    else {
      total += bytes
      for (const [name] of fresh) used.add(name)
    }
  }
  for (const capture of gone) {
    for (const way of capture.ways) if (way.run === 'git') await releaseGit(way.state)
    rmSync(fileOf(capture.id), { force: true })
  }
  for (const path of [
    ...readdirSync(vault.directory)
      .filter((name) => !used.has(name))
      .map((name) => join(vault.directory, name)),
    ...unfinished(directory),
  ])
    if (isOld(path)) rmSync(path, { force: true, recursive: true })
  return gone.length
}

/** No capture takes longer. */
const WRITING_MS = 600_000

/** What a crash left of captures that were being written. */
const unfinished = (directory: string): readonly string[] =>
  readdirSync(directory)
    .filter((name) => name.endsWith('.json.new'))
    .map((name) => join(directory, name))

/** The one file of a way that has one, with its bytes. */
function fileOfWay(way: Way): readonly (readonly [string, number])[] {
  if (way.run === 'database') return [[way.dump.dump, way.dump.size]]
  return way.run === 'terraform' && way.stack.file !== null ? [[way.stack.file, way.stack.size]] : []
}

/** Names in the store that a capture needs, each with its bytes. */
function contentsOf({ ways }: Capture, vault: Vault): ReadonlyMap<string, number> {
  const found = new Map<string, number>(ways.flatMap(fileOfWay))
  for (const { type, size, content, pack, linked, twin } of ways.flatMap((way) => ('entries' in way ? way.entries : []))) {
    const [twins] = twin?.split('/') ?? []
    if (twins !== undefined) found.set(twins, found.get(twins) ?? 0)
    if (linked !== undefined) {
      const [tree = linked.name] = linked.name.split('/')
      found.set(tree, (found.get(tree) ?? 0) + size)
    } else if (type === 'file' && content !== null) found.set(pack?.name ?? nameOf(vault, content), 0)
  }
  for (const [name, size] of found)
    if (size === 0) found.set(name, statSync(join(vault.directory, name), { throwIfNoEntry: false })?.size ?? 0)
  return found
}
