/** The program of the hook with its code as V8 compiled it: to compile it takes longer than to decide. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** What the hook starts where no daemon answers. */
export interface StartedProgram {
  readonly node: string
  readonly program: string
}

/** What the program loads its modules from. */
export function packOf(program: string): string {
  return join(dirname(program), 'program.pack')
}

/**
 * Where the code for this Node lies, beside the program and named after what it was compiled from: V8 itself looks at little more than
 * the length of the source. The place for another build, and for another Node, is another one.
 */
export function codeFile(program: string): string {
  const hash = createHash('sha256').update(`${process.version} ${process.arch}\n`)
  for (const path of [program, packOf(program)]) hash.update(existsSync(path) ? readFileSync(path) : '')
  return join(dirname(program), `code-${hash.digest('hex').slice(0, 32)}`)
}

/** Milliseconds; it takes a few seconds. */
const PATIENCE_MS = 120_000

/** What the programs are run with while they are compiled; nothing of the session reaches them. */
export const SYSTEM_PATH = '/usr/bin:/bin'
/** On the standard input of the command line while it is compiled: the call that it decides. */
export const WARM_CALL = '{"tool":"Bash","args":{"command":"git status"},"session":"code"}'

/** Compiles the program for the Node that runs this, once; false where that cannot be, and the program is compiled at each call. */
export function compileProgram({ node, program }: StartedProgram): boolean {
  const file = codeFile(program)
  if (existsSync(file)) return true
  const made = `${file}.${process.pid}`
  if (!runs(node, (home) => [program, 'compile', home, made])) {
    rmSync(made, { force: true })
    return false
  }
  renameSync(made, file)
  return true
}

/** The same for the command line, whose files lie in `directory`, with the native SQLite, which is null where Node has its own. */
export function compileCommandLine({ node, directory, engine }: CommandLine): boolean {
  const compiler = join(directory, 'compile.cjs')
  if (!existsSync(compiler)) return false
  const identity = readFileSync(join(directory, 'program.id'), 'utf8').trim()
  return existsSync(join(directory, codeName(identity))) || runs(node, (home) => [compiler, home, engine ?? ''])
}

interface CommandLine {
  readonly node: string
  readonly directory: string
  readonly engine: string | null
}

/** The file of the command line's code, by what the program is told by; another Node has another one. */
export function codeName(identity: string): string {
  return `code-${identity}-${process.version}-${process.arch}`
}

/** Runs Node in an empty directory of its own; false where it fails. */
function runs(node: string, argv: (home: string) => readonly string[]): boolean {
  const home = mkdtempSync(join(tmpdir(), 'countersign-code-'))
  try {
    execFileSync(node, argv(home), {
      cwd: home,
      env: { HOME: home, PATH: SYSTEM_PATH },
      input: WARM_CALL,
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: PATIENCE_MS,
    })
    return true
  } catch {
    return false
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
