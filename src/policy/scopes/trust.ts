/** Which policy files of projects the operator trusted, each exactly as it was: a list in the protected state directory. I/O. */
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { createDigester, type Sha256 } from '../../core/digest.ts'
import { isJsonObject, type Json, own } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'
import type { Policy } from '../policy.ts'
import { programsOf } from '../programs.ts'
import { isWithin } from './open-safely.ts'

export interface TrustedFile {
  /** The file, by its real name. */
  readonly path: string
  /** Of its bytes: a file that differs in any of them is not even read as a trusted one would be. */
  readonly text: string
  /** Of the policy, the files that it names, and the programs beside it that it runs. */
  readonly digest: string
  /** ISO time. */
  readonly at: string
  readonly by: string
}

export function trustFile(home: string): string {
  return join(home, 'trusted-policies.json')
}

/** Throws where the list is there and cannot be read: who could make it unreadable would else decide what is trusted. */
export function readTrusted(home: string): readonly TrustedFile[] {
  let bytes: Buffer
  try {
    bytes = readFileSync(trustFile(home))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return []
    throw error
  }
  const read = readJson(bytes)
  const files = read.ok && isJsonObject(read.value) ? own(read.value, 'files') : undefined
  if (!Array.isArray(files)) throw new Error(`\`${trustFile(home)}\` is not the list of trusted policies`)
  return files.flatMap((each) => trustedOf(each) ?? [])
}

function trustedOf(value: Json): TrustedFile | null {
  if (!isJsonObject(value)) return null
  const [path, text, digest, at, by] = ['path', 'text', 'digest', 'at', 'by'].map((key) => own(value, key))
  if (typeof path !== 'string' || typeof text !== 'string' || typeof digest !== 'string') return null
  return { path, text, digest, at: String(at ?? ''), by: String(by ?? '') }
}

/** Whole or not at all. */
/** @public of `countersign trust` */
export function writeTrusted(home: string, files: readonly TrustedFile[]): void {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const temporary = `${trustFile(home)}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify({ version: 1, files }, null, 2)}\n`, { mode: 0o600 })
  chmodSync(temporary, 0o600)
  renameSync(temporary, trustFile(home))
}

/** What a yes to a policy of a project is about. */
export function trustDigest(policy: Policy, sha256: Sha256): string {
  const programs = programsBeside(policy).map((path) => [path, digestOfFile(path, sha256)])
  return createDigester(sha256).digest('countersign/trusted-policy/v1', { policy: policy.digest, programs })
}

/** Files below the policy's directory that it runs or hands to what it runs. */
export function programsBeside(policy: Policy): readonly string[] {
  if (policy.path === null) return []
  const directory = dirname(policy.path)
  const words = programsOf(policy).flat()
  return [...new Set(words.map((word) => resolve(directory, word)))].filter((path) => isWithin(path, directory) && isFile(path)).toSorted()
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false
  }
}

function digestOfFile(path: string, sha256: Sha256): string | null {
  try {
    return sha256(readFileSync(path).toString('base64'))
  } catch {
    return null
  }
}
