import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { IMPORTERS, NothingToImport, noteLine, policyText, UnreadableSource } from '../../migrate/index.ts'
import type { SourceFile } from '../../migrate/source.ts'
import { compilePolicy } from '../../policy/compile.ts'
import { formatPolicyError } from '../../policy/errors.ts'
import { readText, sha256 } from '../../policy/file.ts'
import { COMPILE } from '../open.ts'
import { EXIT, print, UsageError, visible, warn } from '../terminal.ts'

interface ImportOptions {
  readonly out?: string
  readonly json?: boolean
}

/** What Role OS keeps in the directory of a repository. */
const ROLE_OS_FILES = ['tool-contracts.json', 'capabilities.json']

/** `countersign import`: the policy on standard output (or in a new file), and line by line what was not carried over on standard error. */
export async function importSeed(seed: string, paths: readonly string[], options: ImportOptions): Promise<number> {
  const importer = IMPORTERS.get(seed)
  if (importer === undefined) throw new UsageError(`\`${seed}\` cannot be imported; valid: ${[...IMPORTERS.keys()].join(', ')}`)
  if (options.out !== undefined && existsSync(options.out)) throw new UsageError(`\`${options.out}\` is there already; name a new file`)
  const migrated = attempt(() => importer(paths.flatMap((path) => filesAt(path))))
  const text = policyText(seed, migrated)
  const compiled = compilePolicy(text, { ...COMPILE, path: options.out ?? null, sha256 })
  const errors = compiled.ok ? [] : compiled.errors
  if (options.json === true) print(JSON.stringify({ policy: migrated.policy, notes: migrated.notes, errors }, null, 2))
  else if (options.out === undefined) process.stdout.write(text)
  if (options.out !== undefined) writeFileSync(options.out, text, { flag: 'wx' })
  for (const note of migrated.notes) warn(visible(noteLine(note)))
  for (const error of errors) warn(visible(formatPolicyError(error)))
  const left = migrated.notes.filter(({ kind }) => kind === 'left').length
  warn(`${left} settings stay behind, ${migrated.notes.length - left} hold differently here`)
  if (errors.length > 0) warn('the policy does not load yet: mend what is named above')
  return errors.length === 0 ? EXIT.ok : EXIT.broken
}

function filesAt(path: string): readonly SourceFile[] {
  if (!isDirectory(path)) return [fileAt(path)]
  const inside = [path, join(path, '.claude', 'role-os')].flatMap((directory) => ROLE_OS_FILES.map((name) => join(directory, name)))
  const found = inside.filter((each) => existsSync(each))
  if (found.length === 0) throw new UsageError(`\`${path}\` is a directory without ${ROLE_OS_FILES.join(' or ')}; name the file itself`)
  return found.map(fileAt)
}

function fileAt(path: string): SourceFile {
  const text = readText(path)
  if (typeof text !== 'string') throw new UsageError(text.message)
  return { path, text }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

function attempt<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof NothingToImport || error instanceof UnreadableSource) throw new UsageError(error.message)
    throw error
  }
}
