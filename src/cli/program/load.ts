/**
 * Runs the program that the installed hook starts, from code as V8 compiled it when the hook was installed: to compile 5 MB of source
 * takes longer than to decide. The program lies in chunks of modules in one file, and their code in another; what a call does not need
 * is not read. The variables are set by the hook alone, which knows both files by their digests; without them, or where this Node makes
 * other code, the source is compiled. Built as a file of its own, in CommonJS.
 */
import { closeSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'

/** Put here by the build. Of each chunk: where it begins in the file, how long it is, and the number of its first module. */
declare const __CHUNKS__: readonly (readonly [start: number, length: number, first: number])[]
declare const __ENTRY__: number

type Run = (module: { exports: object }, exports: object) => void

interface Program {
  readonly main: (argv: readonly string[]) => Promise<never>
  readonly thread: (name: string) => Promise<void>
  /** Decides everyday events, so that there is code to keep. */
  readonly warm: (home: string, round: number) => Promise<boolean>
  readonly answers: (home: string, events: readonly object[]) => Promise<readonly string[]>
}

const filename = join(__dirname, 'program.pack')
const { COUNTERSIGN_CODE: kept = '', COUNTERSIGN_ENGINE: engine = '' } = process.env
const own = createRequire(filename)
const modules: ({ exports: object } | undefined)[] = []
const loaded: ({ readonly script: Script; readonly functions: readonly Run[] } | undefined)[] = []
const builtins = new Map<string, unknown>()
const interop = new WeakMap<object, object>()
const code = kept === '' ? null : openCode(kept)

/** Native code is found when the hook is installed: to look for it takes as long as to decide. */
function outside(name: string): unknown {
  return own(engine !== '' && name.startsWith('@libsql/') ? engine : name)
}

function builtin(name: string): unknown {
  const known = builtins.get(name)
  if (known !== undefined) return known
  const made: unknown = require(name)
  builtins.set(name, made)
  return made
}

/** As an import sees what a package in CommonJS exports. */
function asModule(given: object & { __esModule?: boolean }): object {
  if (given.__esModule === true) return given
  const known = interop.get(given)
  if (known !== undefined) return known
  const made = { __proto__: given, default: given }
  interop.set(given, made)
  return made
}

/** Node's own object is made of eleven modules that nothing else needs. */
const CLOCK = { now: () => process.uptime() * 1_000 }

function linked(number: number): object {
  const module = modules[number]
  return module === undefined ? run(number) : module.exports
}

function run(number: number): object {
  const at = chunkOf(number)
  const { functions } = loaded[at] ?? load(at)
  const module = { exports: {} }
  modules[number] = module
  try {
    functions[number - (__CHUNKS__[at]?.[2] ?? 0)]?.(module, module.exports)
  } catch (error) {
    modules[number] = undefined
    throw error
  }
  return module.exports
}

/** The first chunk has nearly all that is ever asked for. */
function chunkOf(number: number): number {
  let [low, high] = [0, number < (__CHUNKS__[1]?.[2] ?? Infinity) ? 0 : __CHUNKS__.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((__CHUNKS__[middle]?.[2] ?? 0) <= number) low = middle
    else high = middle - 1
  }
  return low
}

function load(at: number) {
  const [start = 0, length = 0] = __CHUNKS__[at] ?? []
  const cachedData = code?.read(at)
  const script = new Script(bytesOf(filename, start, length).toString('latin1'), {
    filename: `${filename}.${at}`,
    ...(cachedData == null ? {} : { cachedData }),
  })
  const names = [outside, linked, builtin, asModule, asModule, pathToFileURL(filename).href, CLOCK]
  const chunk = { script, functions: script.runInThisContext()(...names) as readonly Run[] }
  loaded[at] = chunk
  return chunk
}

function bytesOf(path: string, start: number, length: number): Buffer {
  const file = openSync(path, 'r')
  const bytes = Buffer.allocUnsafeSlow(length)
  readSync(file, bytes, 0, length, start)
  closeSync(file)
  return bytes
}

/** Of each chunk where its code begins and how long it is, in one line; then the code. */
function openCode(path: string) {
  const file = openSync(path, 'r')
  const head = Buffer.allocUnsafeSlow(8192)
  readSync(file, head, 0, head.length, 0)
  const end = head.indexOf(10)
  const places = JSON.parse(head.toString('latin1', 0, end)) as readonly (readonly [start: number, length: number])[]
  return {
    read: (at: number): Buffer | null => {
      const [start = 0, length = 0] = places[at] ?? []
      return length === 0 ? null : bytesOf(path, end + 1 + start, length)
    },
  }
}

async function compile(home: string, path: string): Promise<void> {
  const { warm } = linked(__ENTRY__) as Program
  const data: Buffer[] = __CHUNKS__.map(() => Buffer.alloc(0))
  for (let round = 0; await warm(home, round); round++) {
    for (const [at, chunk] of loaded.entries())
      if (chunk !== undefined && data[at]?.length === 0) data[at] = chunk.script.createCachedData()
  }
  const places = data.map(({ length }, at) => [data.slice(0, at).reduce((sum, each) => sum + each.length, 0), length])
  writeFileSync(path, Buffer.concat([Buffer.from(`${JSON.stringify(places)}\n`), ...data]), { flag: 'wx', mode: 0o644 })
}

/** The numbers of the modules that everyday events need. */
async function trace(home: string, path: string): Promise<void> {
  await (linked(__ENTRY__) as Program).warm(home, 0)
  writeFileSync(path, JSON.stringify(Object.keys(modules)))
}

/** Answers the events of a file into another, so that they can be held against those of the sources. */
async function answer(home: string, path: string): Promise<void> {
  const events = JSON.parse(readFileSync(path, 'utf8')) as readonly object[]
  writeFileSync(`${path}.answers`, JSON.stringify(await (linked(__ENTRY__) as Program).answers(home, events)))
}

const [command, home = '', file = ''] = process.argv.slice(2)
if (command === 'compile') void compile(home, file)
else if (command === 'trace') void trace(home, file)
else if (command === 'answer') void answer(home, file)
else if (command === 'thread') void (linked(__ENTRY__) as Program).thread(home)
else void (linked(__ENTRY__) as Program).main(process.argv.slice(2))
