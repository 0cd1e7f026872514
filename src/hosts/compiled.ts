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

/** Milliseconds; it takes one or two seconds. */
const PATIENCE_MS = 120_000

/** Compiles the program for the Node that runs this, once; false where that cannot be, and the program is compiled at each call. */
export function compileProgram({ node, program }: StartedProgram): boolean {
  const file = codeFile(program)
  if (existsSync(file)) return true
  const made = `${file}.${process.pid}`
  const home = mkdtempSync(join(tmpdir(), 'countersign-code-'))
  try {
    execFileSync(node, [program, 'compile', home, made], {
      cwd: home,
      env: { HOME: home, PATH: '/usr/bin:/bin' },
      stdio: 'ignore',
      timeout: PATIENCE_MS,
    })
    renameSync(made, file)
    return true
  } catch {
    rmSync(made, { force: true })
    return false
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
