/**
 * Compiled policies in the state directory, for a process that answers once: to read the text of a policy takes longer than to judge a
 * call by it. What is kept is believed only under the key of the hook, for the build, the text and the files that it was made of.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { hookKey } from '../../hosts/seal.ts'
import { fromData, toData } from '../../policy/keep/codec.ts'
import type { CompileOptions, FileText, KeptPolicies } from '../../policy/section.ts'
import { packageBuild } from '../version.ts'

/** Below the state directory. */
const DIRECTORY = 'cache'
const MAX_KEPT = 32
const MAC_BYTES = 32

interface Kept {
  readonly data: unknown
  /** Digests of the files that the policy names, by name. */
  readonly named: ReadonlyMap<string, string>
}

/** @param build whose compiler it is; empty: nothing is kept. */
export function keptPolicies(home: string, build = ownBuild()): KeptPolicies {
  const nameOf = (text: string, path: string | null) => digestOf(`${build}\0${path ?? ''}\0${text}`)
  return {
    find: (text, options) => {
      try {
        const kept = build === '' ? null : read(home, nameOf(text, options.path))
        return kept === null || !isSame(kept.named, options) ? null : fromData(kept.data)
      } catch {
        return null // not kept, or not as it was: compiled anew
      }
    },
    keep: (text, policy, named) => {
      try {
        const data = build === '' ? null : toData(policy)
        if (data !== null) write(home, nameOf(text, policy.path), { data, named: digestsOf(named) })
      } catch {
        // The next call compiles it again.
      }
    },
  }
}

/** Empty where the program runs from its sources: they may change without another build. */
function ownBuild(): string {
  return import.meta.url.endsWith('.ts') ? '' : packageBuild()
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function digestsOf(named: ReadonlyMap<string, FileText>): ReadonlyMap<string, string> {
  return new Map([...named].map(([name, file]) => [name, textDigest(file)]))
}

function textDigest(file: FileText | undefined): string {
  return file !== undefined && 'text' in file ? digestOf(file.text) : ''
}

function isSame(named: Kept['named'], { readFile }: CompileOptions): boolean {
  return [...named].every(([name, digest]) => digest !== '' && textDigest(readFile?.(name)) === digest)
}

/** Over the name, too: what was kept of one policy is none of another. */
function macOf(home: string, name: string, content: Uint8Array): Buffer {
  return createHmac('sha256', hookKey(home)).update(`countersign/kept-policy/v1\n${name}\n`).update(content).digest()
}

function read(home: string, name: string): Kept | null {
  const bytes = readFileSync(join(home, DIRECTORY, `policy-${name}`))
  const content = bytes.subarray(MAC_BYTES)
  if (bytes.length <= MAC_BYTES || !timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(home, name, content))) return null
  return deserialize(content) as Kept
}

function write(home: string, name: string, kept: Kept): void {
  const directory = join(home, DIRECTORY)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const content = serialize(kept)
  const path = join(directory, `policy-${name}`)
  writeFileSync(`${path}.${process.pid}`, Buffer.concat([macOf(home, name, content), content]), { mode: 0o600 })
  renameSync(`${path}.${process.pid}`, path)
  forgetOld(directory)
}

/** Each change of a policy leaves one behind. */
function forgetOld(directory: string): void {
  const paths = readdirSync(directory)
    .filter((name) => name.startsWith('policy-'))
    .map((name) => join(directory, name))
  if (paths.length <= MAX_KEPT) return
  const byAge = paths.map((path) => ({ path, time: statSync(path).mtimeMs })).toSorted((a, b) => b.time - a.time)
  for (const { path } of byAge.slice(MAX_KEPT)) rmSync(path, { force: true })
}
