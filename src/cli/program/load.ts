/**
 * Runs the program that the installed hook starts, from code as V8 compiled it when the hook was installed: to compile 5 MB of source
 * takes longer than to decide. The variables are set by the hook alone, which knows both files by their digests; without them, or where
 * this Node makes other code, the source is compiled. Built as a file of its own, in CommonJS.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLinked } from './linked.ts'

interface Program {
  readonly main: (argv: readonly string[]) => Promise<never>
  readonly thread: (name: string) => Promise<void>
  /** Decides everyday events, so that there is code to keep. */
  readonly warm: (home: string, round: number) => Promise<boolean>
  /** Decides events of one kind, so that it shows which modules they need. */
  readonly warmPart: (home: string, part: number) => Promise<boolean>
  readonly answers: (home: string, events: readonly object[]) => Promise<readonly string[]>
}

const { COUNTERSIGN_CODE: code = '', COUNTERSIGN_ENGINE: engine = '' } = process.env
const program = openLinked({ pack: join(__dirname, 'program.pack'), code: code || null, engine: engine || null })
const own = () => program.entry() as Program

/** The modules that everyday events of one kind need. */
async function trace(home: string, path: string, part: string): Promise<void> {
  const modules = await program.trace(async (at) => at === 0 && own().warmPart(home, Number(part)))
  writeFileSync(path, JSON.stringify(modules))
}

/** Answers the events of a file into another, so that they can be held against those of the sources. */
async function answer(home: string, path: string): Promise<void> {
  const events = JSON.parse(readFileSync(path, 'utf8')) as readonly object[]
  writeFileSync(`${path}.answers`, JSON.stringify(await own().answers(home, events)))
}

const [command, home = '', file = '', part = ''] = process.argv.slice(2)
if (command === 'compile') void program.compile(file, (at) => own().warm(home, at))
else if (command === 'trace') void trace(home, file, part)
else if (command === 'answer') void answer(home, file)
else if (command === 'thread') void own().thread(home)
else void own().main(process.argv.slice(2))
