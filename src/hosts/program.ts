/** What the hook starts where no daemon answers, told apart from anything else: digests of its files, kept in the hook script. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { InstallError } from './adapter.ts'

export interface ProgramPin {
  /** Directory of the bundle; each `.js` file in it is part of the program. */
  readonly directory: string
  /** Files besides the bundle that it loads, small ones. */
  readonly files: readonly string[]
  /** Digest of the list of their digests, as `sha256sum` writes it. */
  readonly digest: string
  /** Large files (the Node binary, native code): told by their identity, and by their digest where that changed. */
  readonly large: readonly LargeFile[]
}

export interface LargeFile {
  readonly path: string
  /** Inode, size, and the seconds of the last change of content and of the inode, which nobody can set back. */
  readonly identity: string
  readonly digest: string
}

/** Reads every file; throws where the program is not whole. */
export function pinProgram({ node, program }: { readonly node: string; readonly program: string }): ProgramPin {
  const directory = dirname(program)
  if (!existsSync(program)) throw new InstallError(`\`${program}\` is missing; build the package first (\`npm run build\`)`)
  const bundle = readdirSync(directory)
    .filter((name) => name.endsWith('.js') && !name.startsWith('.'))
    .sort(byBytes)
  const loaded = nativeEngine(program)
  const files = loaded.filter((path) => !path.endsWith('.node'))
  const large = [node, ...loaded.filter((path) => path.endsWith('.node'))].map(largeFile)
  for (const path of [directory, ...files, ...large.map((each) => each.path)]) readable(path)
  const lines = [...bundle.map((name) => [join(directory, name), `./${name}`]), ...files.map((path) => [path, path])]
  const list = lines.map(([path = '', name = '']) => `${digestOf(path)}  ${name}\n`).join('')
  return { directory, files, digest: createHash('sha256').update(list).digest('hex'), large }
}

/** Names stand in lines of text, one each. */
function readable(path: string): void {
  if (/[\n\r\\]/.test(path))
    throw new InstallError(`a file of the gate lies in \`${path}\`, which cannot be written in one line; move the package`)
}

function byBytes(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

/** Packages that stand in for Node's own SQLite where it has none; as they are laid out beside each other. */
const ENGINE_PACKAGES = ['libsql', '@neon-rs/load', 'detect-libc', '@libsql']

function nativeEngine(program: string): readonly string[] {
  if (hasOwnSqlite()) return []
  try {
    const modules = dirname(dirname(createRequire(program).resolve('libsql')))
    return ENGINE_PACKAGES.map((name) => join(modules, name))
      .filter((path) => existsSync(path))
      .flatMap((path) =>
        readdirSync(path, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile() && /\.(?:c?js|json|node)$/.test(entry.name))
          .map((entry) => join(entry.parentPath, entry.name)),
      )
      .sort(byBytes)
  } catch {
    return []
  }
}

function hasOwnSqlite(): boolean {
  return Number(process.versions.node.split('.')[0]) >= 22
}

const DIGESTS = new Map<string, string>()

function largeFile(path: string): LargeFile {
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
