/**
 * What `bin/countersign` starts: the command line, from its code as V8 compiled it where `init` or the build kept it. Built as a file of
 * its own, in CommonJS; `bin.js`, the threads and `compile.cjs` beside it ask for what it exports.
 */
import { renameSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { keptCode, keptCodePath } from './kept-code.ts'
import { openLinked } from './linked.ts'

interface Program {
  readonly main: (argv: readonly string[]) => Promise<void>
  readonly thread: (name: string) => Promise<void>
  readonly warm: (home: string, round: number) => Promise<boolean>
}

const pack = join(__dirname, 'program.pack')

/** Without the code where that is not whole. */
function program(): Program {
  const code = keptCode(__dirname)
  try {
    return openLinked({ pack, code, engine: null }).entry() as Program
  } catch (error) {
    if (code === null) throw error
    return openLinked({ pack, code: null, engine: null }).entry() as Program
  }
}

/** INVARIANT: a program that does not start ends with 2, never with 1 (hosts would run the call). */
export function main(): void {
  try {
    void program().main(process.argv.slice(2))
  } catch (error) {
    writeSync(2, `countersign: the program cannot be started: ${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(2)
  }
}

export function thread(name: string): void {
  void program().thread(name)
}

/** Keeps the code for this Node, unless it is there. Rejects where it cannot be written. */
export async function compile(home: string, engine: string | null): Promise<void> {
  if (keptCode(__dirname) !== null) return
  const path = keptCodePath(__dirname)
  const made = `${path}.${process.pid}`
  const linked = openLinked({ pack, code: null, engine })
  try {
    await linked.compile(made, (at) => (linked.entry() as Program).warm(home, at))
    renameSync(made, path)
  } catch (error) {
    rmSync(made, { force: true })
    throw error
  }
}

/** Runs every module, so that one that was linked wrongly is noticed; what each said that cannot run. */
export function runAll(): readonly string[] {
  return [...openLinked({ pack, code: null, engine: null }).runAll().values()]
}

/** Of each module, the rounds that need it. */
export async function trace(home: string): Promise<Readonly<Record<string, number>>> {
  const linked = openLinked({ pack, code: null, engine: null })
  return await linked.trace((at) => (linked.entry() as Program).warm(home, at))
}

if (require.main === module) main()
