/** Builds what the installed hook starts: the program in chunks, of which an everyday call needs one, and what loads it. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { build } from 'esbuild'
import { lazyIndex, PROGRAMS } from './families.ts'
import { type Linked, link, reached } from './linker.ts'
import { SHIPPED } from './shipped.ts'

const DIRECTORY = 'dist/hook'

/** Native code and optional parts cannot be linked. */
const EXTERNAL = ['pg', 'ai']

/** Either Node needs one of them. */
const LIBSQL = 'src/store/sqlite/libsql.ts'
const ENGINES = [LIBSQL, 'src/store/sqlite/node-sqlite.ts']

/** Which native code there is, and which system this is, is known when the hook is installed; else the package's own ways are taken. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  [LIBSQL, linkedIn(LIBSQL, "createRequire(import.meta.url)('libsql')", "require('libsql')")],
  ['node_modules/@neon-rs/load/dist/index.js', outsideUnless('@neon-rs/load', `{ currentTarget: () => 'engine' }`)],
  ['node_modules/detect-libc/lib/detect-libc.js', outsideUnless('detect-libc', `{ familySync: () => null, GLIBC: 'glibc', MUSL: 'musl' }`)],
])

function linkedIn(path: string, asked: string, linked: string): string {
  const source = readFileSync(path, 'utf8')
  if (!source.includes(asked)) throw new Error(`${path} does not ask for \`${asked}\``)
  return source.replace(asked, linked)
}

function outsideUnless(name: string, known: string): string {
  return `module.exports = process.env.COUNTERSIGN_ENGINE ? ${known} : require(['${name}'][0])`
}

/** Writes `dist/hook`. */
export async function buildProgram(): Promise<void> {
  mkdirSync(DIRECTORY, { recursive: true })
  const entry = 'src/cli/program/main.ts'
  const instead = new Map([...INSTEAD, [relative(process.cwd(), PROGRAMS), await lazyIndex()]])
  const modules = await reached({ entry, external: EXTERNAL, instead })
  const whole = await link(modules, { entry, chunkOf: () => 'all' })
  await write(whole)
  for (const name of ['calls', 'looks']) writeFileSync(join(DIRECTORY, `${name}.js`), THREAD(name))
  const everyday = new Set([...traced(whole), ...ENGINES])
  await write(await link(modules, { entry, chunkOf: (path) => (everyday.has(path) ? 'everyday' : roomOf(path)) }))
}

async function write({ chunks, entry }: Linked): Promise<void> {
  const texts = chunks.map(({ text }) => Buffer.from(text, 'latin1'))
  const lengths = texts.map(({ length }) => length)
  const places = lengths.map((length, at) => [startOf(lengths, at), length, chunks[at]?.first])
  writeFileSync(join(DIRECTORY, 'program.pack'), Buffer.concat(texts))
  await build({
    ...SHIPPED,
    format: 'cjs',
    plugins: [],
    entryPoints: ['src/cli/program/load.ts'],
    outfile: join(DIRECTORY, 'load.cjs'),
    define: { __CHUNKS__: JSON.stringify(places), __ENTRY__: String(entry) },
  })
}

function startOf(lengths: readonly number[], at: number): number {
  return lengths.slice(0, at).reduce((sum, length) => sum + length, 0)
}

/** The file of a thread has no arguments. */
const THREAD = (name: string) => `import { createRequire } from 'node:module'
process.argv.splice(2, Infinity, 'thread', '${name}')
createRequire(import.meta.url)('./load.cjs')
`

/** The modules that everyday calls need. */
function traced({ paths }: Linked): readonly string[] {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-trace-'))
  try {
    const file = join(directory, 'modules.json')
    // At the second time policies are kept, as they are for most calls.
    for (let time = 0; time < 2; time++)
      execFileSync(process.execPath, [join(DIRECTORY, 'load.cjs'), 'trace', directory, file], { stdio: 'inherit' })
    const numbers = JSON.parse(readFileSync(file, 'utf8')) as readonly string[]
    return numbers.flatMap((number) => paths[Number(number)] ?? [])
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** What is not everyday is read by language, by family of programs, by package, by room. */
function roomOf(path: string): string {
  const parts = path.split('/')
  if (parts[0] === 'node_modules') return parts.slice(0, parts[1]?.startsWith('@') === true ? 3 : 2).join('/')
  return parts.slice(0, /^src\/facts\/(?:languages|programs)\//.test(path) && parts.length > 4 ? 4 : 3).join('/')
}
