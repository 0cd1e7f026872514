/** What the hook starts where no daemon answers, told apart from anything else: digests of its files, kept in the hook script. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { InstallError } from './adapter.ts'
import { codeFile, type StartedProgram } from './compiled.ts'

export interface ProgramPin {
  /** Each file that runs. */
  readonly files: readonly PinnedFile[]
  /** The program's code as V8 compiled it for this Node; null where it was not compiled beforehand. */
  readonly code: string | null
  /** The native SQLite for a Node that has none of its own; null: Node's own. */
  readonly engine: string | null
}

/** Told by its identity, and by its digest where that changed: to read a hundred megabytes takes longer than to decide. */
export interface PinnedFile {
  readonly path: string
  /** Inode, size, and the seconds of the last change of content and of the inode, which nobody can set back. */
  readonly identity: string
  readonly digest: string
}

/** Reads every file; throws where the program is not whole. */
export function pinProgram({ node, program }: StartedProgram): ProgramPin {
  const directory = dirname(program)
  if (!existsSync(program)) throw new InstallError(`\`${program}\` is missing; build the package first (\`npm run build\`)`)
  const parts = readdirSync(directory)
    .filter((name) => /^[^.].*(?:\.c?js|\.pack)$/.test(name))
    .sort(byBytes)
  const code = present(codeFile(program))
  const engine = nativeEngine(program)
  const paths = [node, ...parts.map((name) => join(directory, name)), code, engine].filter((path) => path !== null)
  for (const path of paths) readable(path)
  return { files: paths.map(pinnedFile), code, engine }
}

/** Names stand in lines of text, one each. */
function readable(path: string): void {
  if (/[\n\r\\]/.test(path))
    throw new InstallError(`a file of the gate lies in \`${path}\`, which cannot be written in one line; move the package`)
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

/** The binary of `libsql` for this platform; the rest of that package is part of the program. */
export function nativeEngine(program: string): string | null {
  if (hasOwnSqlite()) return null
  try {
    const { resolve } = createRequire(createRequire(program).resolve('libsql'))
    const system = isMusl() ? 'musl' : 'gnu'
    return resolve(`@libsql/${process.platform}-${process.arch}${process.platform === 'linux' ? `-${system}` : ''}`)
  } catch {
    return null // the package says itself what it misses
  }
}

function isMusl(): boolean {
  const { header } = process.report.getReport() as { readonly header?: { readonly glibcVersionRuntime?: string } }
  return header?.glibcVersionRuntime === undefined
}

function hasOwnSqlite(): boolean {
  return Number(process.versions.node.split('.')[0]) >= 22
}

function present(path: string): string | null {
  return existsSync(path) ? path : null
}

const DIGESTS = new Map<string, string>()

function pinnedFile(path: string): PinnedFile {
  const identity = identityOf(path)
  const name = `${identity} ${path}`
  const digest = DIGESTS.get(name) ?? digestOf(path)
  DIGESTS.set(name, digest)
  return { path, identity, digest }
}

/** As `stat` prints it. */
function identityOf(path: string): string {
  const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true })
  return [ino, size, mtimeNs / 1_000_000_000n, ctimeNs / 1_000_000_000n].join(':')
}

function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}
