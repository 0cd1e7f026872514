/** Builds the package: the library with its declarations, one fast bundle for the command line and the hook, the web console. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { build } from 'esbuild'
import { compileProgram } from '../src/hosts/compiled.ts'
import { buildConsole } from './build/console.ts'
import { buildId } from './build/id.ts'
import { buildLibrary, REQUIRE } from './build/library.ts'
import { buildProgram } from './build/program.ts'
import { SHIPPED } from './build/shipped.ts'

const BUILD_FILE = 'dist/build-id'

rmSync('dist', { recursive: true, force: true })
const types = spawn('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json', '--singleThreaded'], { stdio: 'inherit' })
const typed = once(types, 'close') as Promise<[status: number | null]>
await build({
  ...SHIPPED,
  // Threads have files of their own.
  entryPoints: { bin: 'src/cli/bin.ts', looks: 'src/cli/threads/looks.ts', calls: 'src/cli/threads/calls.ts' },
  outdir: 'dist/cli',
  splitting: true,
  // Native code cannot be bundled; it is loaded only where Node has no SQLite of its own.
  external: ['libsql'],
  banner: { js: REQUIRE },
})
// The program keeps policies only where it knows its build, and is traced with those that it kept.
writeFileSync(BUILD_FILE, 'building\n')
await buildProgram()
await buildLibrary()
await buildConsole()
writeFileSync(BUILD_FILE, `${buildId(['dist/cli', 'dist/hook', 'dist/console'])}\n`)
compileProgram({ node: process.execPath, program: resolve('dist/hook/load.cjs') })
const [status] = await typed
if (status !== 0) process.exit(status ?? 2)
console.log('built dist/')
