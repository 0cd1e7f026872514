/**
 * Policy files that a project brings: found by walking up from the directory of the call, opened safely, and taken as the operator's
 * only where he trusted exactly this file. I/O.
 */
import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { type CompileOptions, compilePolicy } from '../compile.ts'
import { compileText, exists, POLICY_FILE, sha256, stampOf, upward } from '../file.ts'
import type { FileText } from '../section.ts'
import type { ProjectPolicy } from './join.ts'
import { UNREAD, type UnreadPolicy } from './model.ts'
import { isWithin, openSafely } from './open-safely.ts'
import { programsBeside, type TrustedFile, trustDigest } from './trust.ts'

/** More of them above one directory are no project of anybody's. */
const MAX_FILES = 8

export interface ProjectOptions {
  readonly compile: Omit<CompileOptions, 'path' | 'sha256'>
  /** Directories in which no policy of a project lies. */
  readonly protectedPlaces: readonly string[]
  readonly trusted: readonly TrustedFile[]
  /** The operator's own files, which are no project's. */
  readonly own: readonly string[]
}

/** `files`: what it rests on besides itself. */
export type ProjectFile =
  | { readonly project: ProjectPolicy; readonly files: readonly string[] }
  | { readonly unread: UnreadPolicy; readonly files: readonly string[] }

/** Every policy file of the directories from `cwd` up, nearest first; the operator's own are left out. */
export function findProjectFiles(cwd: string, { trusted, own }: Pick<ProjectOptions, 'trusted' | 'own'>): readonly string[] {
  const found = upward(realOr(cwd))
    .map((directory) => join(directory, POLICY_FILE))
    .filter((path) => exists(path) && !own.some((file) => isSameFile(file, path)))
  return found.filter((path, index) => index <= MAX_FILES || trusted.some((each) => each.path === path))
}

function realOr(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}

function isSameFile(one: string, other: string): boolean {
  try {
    const [a, b] = [statSync(one), statSync(other)]
    return a.dev === b.dev && a.ino === b.ino
  } catch {
    return false
  }
}

/** @param place of the file among those found, nearest 0. */
export function loadProjectFile(path: string, place: number, options: ProjectOptions): ProjectFile {
  const record = options.trusted.find((each) => each.path === path)
  const unread = (problem: keyof typeof UNREAD, errors: UnreadPolicy['errors'] = []): ProjectFile => ({
    unread: { path, problem, errors, trusted: record !== undefined },
    files: [],
  })
  if (place >= MAX_FILES && record === undefined) return unread('too_many')
  const opened = openSafely(path, options.protectedPlaces)
  if (opened.problem !== undefined) return unread(opened.problem)
  const trusted = record === undefined ? null : asTrusted(path, opened.text, { record, options })
  if (trusted !== null) return trusted
  const { env: _env, asOf: _asOf, kept: _kept, ...pure } = options.compile
  const readFile = (name: string) => readBeside(dirname(path), name, options.protectedPlaces)
  const result = compilePolicy(opened.text, { ...pure, path, sha256, readFile })
  if (!result.ok)
    return unread(
      'invalid',
      result.errors.map(({ code, line, column }) => ({ code, line, column })),
    )
  return { project: { policy: result.policy, trusted: false }, files: result.policy.files }
}

/** The whole policy, with what it reads and runs, where it is byte for byte what the operator looked at; else null. */
function asTrusted(path: string, text: string, { record, options }: { record: TrustedFile; options: ProjectOptions }): ProjectFile | null {
  if (sha256(text) !== record.text) return null
  const result = compileText(text, path, options.compile)
  if (!result.ok || trustDigest(result.policy, sha256) !== record.digest) return null
  const { policy } = result
  return { project: { policy, trusted: true }, files: [...policy.files, ...programsBeside(policy)] }
}

/** A file that an untrusted policy names: only one of its own tree, opened as carefully as the policy itself. */
function readBeside(directory: string, name: string, protectedPlaces: readonly string[]): FileText {
  const path = resolve(directory, name)
  if (name.startsWith('/') || !isWithin(path, directory) || realOr(dirname(path)) !== dirname(path) || basename(path) === '')
    return { problem: 'it does not lie beside the policy' }
  const opened = openSafely(path, protectedPlaces)
  return opened.problem === undefined ? { text: opened.text } : { problem: UNREAD[opened.problem] }
}

/** Changes whenever the file or one that it rests on does. */
export function projectStamp(path: string, files: readonly string[]): string {
  return [path, ...files.map((name) => resolve(dirname(path), name))].map((each) => stampOf(each)).join()
}
