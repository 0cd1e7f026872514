/** Builds the package: the library with its declarations, one fast bundle for the command line and the hook, the web console. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { compileCommandLine, compileProgram } from '../src/hosts/compiled.ts'
import { nativeEngine } from '../src/hosts/program.ts'
import { buildConsole } from './build/console.ts'
import { buildId } from './build/id.ts'
import { buildLibrary } from './build/library.ts'
import { buildPrograms } from './build/program.ts'

const BUILD_FILE = 'dist/build-id'

rmSync('dist', { recursive: true, force: true })
const types = spawn('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json', '--singleThreaded'], { stdio: 'inherit' })
const typed = once(types, 'close') as Promise<[status: number | null]>
mkdirSync('dist')
// The program keeps policies only where it knows its build, and is traced with those that it kept.
writeFileSync(BUILD_FILE, 'building\n')
await buildPrograms()
await buildLibrary()
await buildConsole()
writeFileSync(BUILD_FILE, `${buildId(['dist/cli', 'dist/hook', 'dist/console'])}\n`)
const [node, program] = [process.execPath, resolve('dist/hook/load.cjs')]
compileProgram({ node, program })
compileCommandLine({ node, directory: resolve('dist/cli'), engine: nativeEngine(program) })
const [status] = await typed
if (status !== 0) process.exit(status ?? 2)
console.log('built dist/')
