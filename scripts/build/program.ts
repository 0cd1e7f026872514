/** Builds what the installed hook starts, and the command line: programs in chunks, of which a call needs a few, and what loads them. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { build } from 'esbuild'
import { SYSTEM_PATH, WARM_CALL } from '../../src/hosts/compiled.ts'
import { lazyIndex, PROGRAMS } from './families.ts'
import { type Linked, link, type Module, modulesFrom, reached } from './linker.ts'
import { SHIPPED } from './shipped.ts'

/** Native code and optional parts cannot be linked. */
const EXTERNAL = ['pg', 'ai']

/** Either Node needs one of them. */
const LIBSQL = 'src/store/sqlite/libsql.ts'
const ENGINES = [LIBSQL, 'src/store/sqlite/node-sqlite.ts']

/** Native code is found when the program is compiled, and which system this is; what loads the program answers these packages then. */
const INSTEAD: ReadonlyMap<string, string> = new Map([
  [LIBSQL, linkedIn(LIBSQL, "createRequire(import.meta.url)('libsql')", "require('libsql')")],
  ['node_modules/@neon-rs/load/dist/index.js', outside('@neon-rs/load')],
  ['node_modules/detect-libc/lib/detect-libc.js', outside('detect-libc')],
])

function linkedIn(path: string, asked: string, linked: string): string {
  const source = readFileSync(path, 'utf8')
  if (!source.includes(asked)) throw new Error(`${path} does not ask for \`${asked}\``)
  return source.replace(asked, linked)
}

function outside(name: string): string {
  return `module.exports = require(['${name}'][0])`
}

/** Writes `dist/hook` and `dist/cli`. */
export async function buildPrograms(): Promise<void> {
  const instead = new Map([...INSTEAD, [relative(process.cwd(), PROGRAMS), await lazyIndex()]])
  // What the hook is made of is a part of the command line.
  const modules = await reached({ entry: COMMAND_LINE, external: EXTERNAL, instead })
  await buildHook(modulesFrom(HOOK, modules))
  await buildCommandLine(modules)
}

const HOOK = 'src/cli/program/main.ts'
const COMMAND_LINE = 'src/cli/program/command-line.ts'

async function buildHook(modules: readonly Module[]): Promise<void> {
  const directory = 'dist/hook'
  mkdirSync(directory, { recursive: true })
  const entry = HOOK
  const whole = await link(modules, { entry, chunkOf: () => 'all', isMinified: false })
  const written = { directory, loader: 'src/cli/program/load.ts' }
  await write(whole, written)
  for (const name of ['calls', 'looks']) writeFileSync(join(directory, `${name}.js`), HOOK_THREAD(name))
  // A hook for a result or a file needs half of what one for a command does.
  const parts = tracedModules(whole, directory, PARTS)
  const partsOf = (path: string) => (ENGINES.includes(path) ? EVERY_PART : parts.get(path))
  const chunkOf = (path: string) => (partsOf(path) === undefined ? roomOf(path) : `everyday ${partsOf(path)}`)
  await write(await link(modules, { entry, chunkOf }), written)
}

/** The kinds of everyday events that `warm.ts` knows: a command, a file, a result. */
const PARTS = 3
const EVERY_PART = 2 ** PARTS - 1

/** Modules that the same commands need lie in one chunk. */
async function buildCommandLine(modules: readonly Module[]): Promise<void> {
  const directory = 'dist/cli'
  mkdirSync(directory, { recursive: true })
  const entry = COMMAND_LINE
  const whole = await link(modules, { entry, chunkOf: () => 'all', isMinified: false })
  const written = { directory, loader: 'src/cli/program/shell.ts' }
  await write(whole, written)
  writeFileSync(join(directory, 'bin.js'), asking('main()'))
  for (const name of ['calls', 'decisions', 'journal', 'looks', 'results'])
    writeFileSync(join(directory, `${name}.js`), asking(`thread('${name}')`))
  writeFileSync(join(directory, 'compile.cjs'), COMPILE)
  writeFileSync(join(directory, 'trace.cjs'), TRACE)
  const rounds = tracedModules(whole, directory)
  rmSync(join(directory, 'trace.cjs'))
  const chunkOf = (path: string) => (rounds.has(path) ? `rounds ${rounds.get(path)}` : roomOf(path))
  await write(await link(modules, { entry, chunkOf }), written)
}

interface Written {
  readonly directory: string
  /** The source of what loads the program. */
  readonly loader: string
}

async function write({ chunks, entry, paths }: Linked, { directory, loader }: Written): Promise<void> {
  const texts = chunks.map(({ text }) => Buffer.from(text, 'latin1'))
  const lengths = texts.map(({ length }) => length)
  const places = lengths.map((length, at) => [startOf(lengths, at), length, chunks[at]?.first])
  const pack = Buffer.concat(texts)
  const identity = createHash('sha256').update(JSON.stringify(places)).update(pack).digest('hex').slice(0, 32)
  writeFileSync(join(directory, 'program.pack'), pack)
  writeFileSync(join(directory, 'program.id'), `${identity}\n`)
  await build({
    ...SHIPPED,
    format: 'cjs',
    plugins: [],
    entryPoints: [loader],
    outfile: join(directory, 'load.cjs'),
    define: {
      __CHUNKS__: JSON.stringify(places),
      __ENTRY__: String(entry),
      __MODULES__: String(paths.length),
      __IDENTITY__: JSON.stringify(identity),
    },
  })
}

function startOf(lengths: readonly number[], at: number): number {
  return lengths.slice(0, at).reduce((sum, length) => sum + length, 0)
}

/** The file of a thread has no arguments. */
const HOOK_THREAD = (name: string) => `import { createRequire } from 'node:module'
process.argv.splice(2, Infinity, 'thread', '${name}')
createRequire(import.meta.url)('./load.cjs')
`

const asking = (what: string) => `import { createRequire } from 'node:module'
createRequire(import.meta.url)('./load.cjs').${what}
`

/** Ends with 0 where the code is there, whatever the commands that ran left open. */
const COMPILE = `const [home, engine = ''] = process.argv.slice(2)
require('./load.cjs').compile(home, engine || null).then(() => process.exit(0), () => process.exit(2))
`

const TRACE = `const [, home, file] = process.argv.slice(2)
require('./load.cjs').trace(home).then((rounds) => {
  require('node:fs').writeFileSync(file, JSON.stringify(rounds))
  process.exit(0)
})
`

/**
 * The modules that were asked for, and in which rounds, as bits. `parts`: each is a round of a process of its own, as a module that keeps
 * what it made asks for nothing in the next round; policies are kept before the first, as they are for most calls.
 */
function tracedModules({ paths }: Linked, program: string, parts = 0): ReadonlyMap<string, number> {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-trace-'))
  const tracer = ['trace.cjs', 'load.cjs'].map((name) => join(program, name)).find((path) => existsSync(path)) ?? ''
  try {
    if (parts > 0) traced(tracer, directory, 0)
    const found = new Map<string, number>()
    for (let part = 0; part < Math.max(parts, 1); part++)
      for (const [number, bits] of Object.entries(traced(tracer, directory, part))) {
        const path = paths[Number(number)]
        if (path !== undefined) found.set(path, (found.get(path) ?? 0) | (bits << part))
      }
    return found
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The rounds in which each module was asked for, by its number. */
function traced(tracer: string, directory: string, part: number): Readonly<Record<string, number>> {
  const file = join(directory, 'modules.json')
  execFileSync(process.execPath, [resolve(tracer), 'trace', directory, file, String(part)], {
    cwd: directory,
    env: { HOME: directory, PATH: SYSTEM_PATH },
    input: WARM_CALL,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  return JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, number>>
}

/** What is not everyday is read by language, by family of programs, by package, by room. */
function roomOf(path: string): string {
  const parts = path.split('/')
  if (parts[0] === 'node_modules') return parts.slice(0, parts[1]?.startsWith('@') === true ? 3 : 2).join('/')
  return parts.slice(0, /^src\/facts\/(?:languages|programs)\//.test(path) && parts.length > 4 ? 4 : 3).join('/')
}
