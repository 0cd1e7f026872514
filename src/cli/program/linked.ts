/**
 * A program as the build linked it: chunks of modules in one file, each read when one of its modules is first asked for, and their code
 * in another file as V8 compiled it before, for this Node. Code that V8 does not take is compiled from the source.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { constants, Script } from 'node:vm'

/** Put here by the build. Of each chunk: where it begins in the file, how long it is, and the number of its first module. */
declare const __CHUNKS__: readonly (readonly [start: number, length: number, first: number])[]
declare const __ENTRY__: number
declare const __MODULES__: number

type Run = (module: { exports: object }, exports: object) => void

export interface Linked {
  /** What the entry exports. */
  readonly entry: () => object
  /** Writes the code of what ran while `round` was true, each chunk after the first round that asked for it; and where SQLite was found. */
  readonly compile: (path: string, round: (at: number) => Promise<boolean>) => Promise<void>
  /** Runs every module; what those said that cannot run, by number. */
  readonly runAll: () => ReadonlyMap<number, string>
  /** Of each module that was asked for in a round, the rounds as bits. */
  readonly trace: (round: (at: number) => Promise<boolean>) => Promise<Readonly<Record<string, number>>>
}

/** Beside the file of the chunks there may be the one of their code. */
export interface Places {
  readonly pack: string
  /** Null: everything is compiled from the source. */
  readonly code: string | null
  /** The native SQLite; null: where it was when the code was compiled, else it is looked for where it is needed. */
  readonly engine: string | null
}

/** The first line of the file of code. */
interface Head {
  /** Of each chunk where its code begins and how long it is. */
  readonly places: readonly (readonly [start: number, length: number])[]
  readonly engine: string | null
}

/** Node's own object is made of eleven modules that nothing else needs. */
const CLOCK = { now: () => process.uptime() * 1_000 }

export function openLinked({ pack, code: kept, engine: given }: Places): Linked {
  const modules: ({ exports: object } | undefined)[] = []
  const loaded: ({ readonly script: Script; readonly functions: readonly Run[] } | undefined)[] = []
  const code = kept === null ? null : openCode(kept)
  const engine = given ?? code?.engine ?? null
  const outside = outsideFrom(pack, engine)
  let tracing: Tracing | null = null

  function linked(number: number): object {
    if (tracing !== null) note(tracing, number)
    const module = modules[number]
    return module === undefined ? run(number) : module.exports
  }

  function run(number: number): object {
    const at = chunkOf(number)
    const { functions } = loaded[at] ?? load(at)
    const module = { exports: {} }
    modules[number] = module
    tracing?.running.push(number)
    try {
      functions[number - (__CHUNKS__[at]?.[2] ?? 0)]?.(module, module.exports)
    } catch (error) {
      modules[number] = undefined
      throw error
    } finally {
      tracing?.running.pop()
    }
    return module.exports
  }

  function load(at: number) {
    const script = scriptOf(pack, at, code?.read(at) ?? null)
    const names = [outside, linked, builtin, asModule, asModule, pathToFileURL(pack).href, CLOCK]
    const chunk = { script, functions: script.runInThisContext()(...names) as readonly Run[] }
    loaded[at] = chunk
    return chunk
  }

  return {
    entry: () => linked(__ENTRY__),
    runAll: () => failing(linked),
    compile: async (path, round) => {
      const data: Buffer[] = __CHUNKS__.map(() => Buffer.alloc(0))
      for (let at = 0; await round(at); at++) {
        for (const [number, chunk] of loaded.entries())
          if (chunk !== undefined && data[number]?.length === 0) data[number] = chunk.script.createCachedData()
      }
      writeCode(path, data, engine)
    },
    trace: async (round) => {
      tracing = { round: 0, rounds: new Map(), asks: new Map(), running: [] }
      while (await round(tracing.round)) tracing.round++
      return spread(tracing)
    },
  }
}

function failing(linked: (number: number) => object): ReadonlyMap<number, string> {
  const failed = new Map<number, string>()
  for (let number = 0; number < __MODULES__; number++) {
    try {
      linked(number)
    } catch (error) {
      failed.set(number, String(error))
    }
  }
  return failed
}

interface Tracing {
  round: number
  /** By module, the rounds that asked for it, as bits. */
  readonly rounds: Map<number, number>
  /** What each module asked for while it ran first, which it does once. */
  readonly asks: Map<number, Set<number>>
  /** The modules that run now, the innermost last. */
  readonly running: number[]
}

function note({ round, rounds, asks, running }: Tracing, number: number): void {
  rounds.set(number, (rounds.get(number) ?? 0) | (1 << round))
  const by = running.at(-1)
  if (by !== undefined) asks.set(by, (asks.get(by) ?? new Set()).add(number))
}

/** Who needs a module needs what that asked for when it ran, though it ran in a round before. */
function spread({ rounds, asks }: Tracing): Readonly<Record<string, number>> {
  for (let isOver = false; !isOver; ) {
    isOver = true
    for (const [by, targets] of asks) {
      for (const target of targets) {
        const [before = 0, more = 0] = [rounds.get(target), rounds.get(by)]
        if ((before | more) === before) continue
        rounds.set(target, before | more)
        isOver = false
      }
    }
  }
  return Object.fromEntries(rounds)
}

/** What packages ask outside to find their native code, where that is known. */
const FOUND: Readonly<Record<string, object | undefined>> = {
  '@neon-rs/load': { currentTarget: () => 'engine' },
  'detect-libc': { familySync: () => null, GLIBC: 'glibc', MUSL: 'musl' },
}

/** Native code is found when the program is compiled: to look for it takes as long as to decide. */
function outsideFrom(pack: string, engine: string | null): (name: string) => unknown {
  const own = createRequire(pack)
  return (name) => (engine === null ? own(name) : (FOUND[name] ?? own(name.startsWith('@libsql/') ? engine : name)))
}

const builtins = new Map<string, unknown>()

function builtin(name: string): unknown {
  const known = builtins.get(name)
  if (known !== undefined) return known
  const made: unknown = require(name)
  builtins.set(name, made)
  return made
}

const interop = new WeakMap<object, object>()

/** As an import sees what a package in CommonJS exports. */
function asModule(given: object & { __esModule?: boolean }): object {
  if (given.__esModule === true) return given
  const known = interop.get(given)
  if (known !== undefined) return known
  const made = { __proto__: given, default: given }
  interop.set(given, made)
  return made
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

function scriptOf(pack: string, at: number, cachedData: Buffer | null): Script {
  const [start = 0, length = 0] = __CHUNKS__[at] ?? []
  const text = bytesOf(pack, start, length).toString('latin1')
  // Packages that a policy names are imported from beside the program, as any file there would.
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
  return new Script(text, { filename: `${pack}.${at}`, importModuleDynamically, ...(cachedData === null ? {} : { cachedData }) })
}

function bytesOf(path: string, start: number, length: number): Buffer {
  const file = openSync(path, 'r')
  const bytes = Buffer.allocUnsafeSlow(length)
  readSync(file, bytes, 0, length, start)
  closeSync(file)
  return bytes
}

/** Its head in one line; then the code. Throws where it is not whole: what is missing V8 would not miss. */
function openCode(path: string) {
  const file = openSync(path, 'r')
  const bytes = Buffer.allocUnsafeSlow(8192)
  const length = readSync(file, bytes, 0, bytes.length, 0)
  const { size } = fstatSync(file)
  closeSync(file)
  const end = bytes.subarray(0, length).indexOf(10)
  const { places, engine } = JSON.parse(bytes.toString('latin1', 0, end)) as Head
  if (size !== end + 1 + places.reduce((sum, [, each]) => sum + each, 0)) throw new Error(`\`${path}\` is not whole`)
  return {
    // The packages may have been installed anew since.
    engine: engine !== null && existsSync(engine) ? engine : null,
    read: (at: number): Buffer | null => {
      const [start = 0, length = 0] = places[at] ?? []
      return length === 0 ? null : bytesOf(path, end + 1 + start, length)
    },
  }
}

function writeCode(path: string, data: readonly Buffer[], engine: string | null): void {
  const places = data.map(({ length }, at) => [data.slice(0, at).reduce((sum, each) => sum + each.length, 0), length] as const)
  const head: Head = { places, engine }
  writeFileSync(path, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), ...data]), { flag: 'wx', mode: 0o644 })
}
