/**
 * Programs as a user without root's rights, as users run them: where the tests run as root, `nobody` is that user. Each gets a home of its own. A
 * program is bundled into it first, as that user may not see the directory of the project.
 */
import { spawnSync } from 'node:child_process'
import { chownSync, copyFileSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { discard } from './random-programs.ts'

const NOBODY = 65_534
export const IS_ROOT = process.getuid?.() === 0

export interface PlainUser {
  readonly home: string
  readonly uid: number
  readonly environment: Readonly<Record<string, string>>
  /** Node with these arguments, as that user. */
  readonly words: (args: readonly string[]) => readonly string[]
  /** Standard output of a program that ended well; `before` are words that start it. */
  readonly run: (program: string, args: readonly string[], before?: readonly string[]) => string
  readonly remove: () => void
}

/** Becomes another user, or has other rights, and then the program. */
export const AS_NOBODY = IS_ROOT ? ['setpriv', '--reuid', String(NOBODY), '--regid', String(NOBODY), '--clear-groups'] : []

export function plainUser(): PlainUser {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-user-')))
  if (IS_ROOT) chownSync(home, NOBODY, NOBODY)
  const node = nodeIn(home)
  const environment = { HOME: home, TMPDIR: home, PATH: process.env.PATH ?? '' }
  return {
    environment,
    words: (args) => [...AS_NOBODY, node, ...args],
    home,
    uid: IS_ROOT ? NOBODY : (process.getuid?.() ?? 0),
    run: (program, args, before = AS_NOBODY) => {
      const [command = '', ...words] = [...before, node, program, ...args]
      const { status, stdout, stderr, error } = spawnSync(command, words, {
        env: environment,
        cwd: '/',
        encoding: 'utf8',
        timeout: 180_000,
      })
      if (status !== 0) throw new Error(`${words.slice(-2).join(' ')}: ${error?.message ?? stderr}`)
      return stdout
    },
    remove: () => discard(home),
  }
}

/** Node itself may lie where only its owner can start it. `setpriv` starts it there too, with root's rights until then; what it starts does not. */
function nodeIn(home: string): string {
  const real = realpathSync(process.execPath)
  const [command = '', ...words] = [...AS_NOBODY, 'env', real, '-e', '']
  if (spawnSync(command, words, { cwd: '/' }).status === 0) return real
  const copy = join(home, 'node')
  copyFileSync(real, copy)
  return copy
}

/** One file, without anything of the project beside it. */
export async function bundled(source: URL, { home }: PlainUser): Promise<string> {
  const outfile = join(home, 'program.cjs')
  const banner = { js: "const source = require('node:url').pathToFileURL(__filename).href" }
  const define = { 'import.meta.url': 'source' }
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    banner,
    define,
    logLevel: 'error',
  })
  return outfile
}
