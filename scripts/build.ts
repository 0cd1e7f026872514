/** Builds the package: the library with its declarations, one fast bundle for the command line and the hook, the web console. */
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
import { buildConsole } from './build/console.ts'
import { buildId } from './build/id.ts'
import { buildLibrary, REQUIRE } from './build/library.ts'
import { SHIPPED } from './build/shipped.ts'

rmSync('dist', { recursive: true, force: true })
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
await buildLibrary()
await buildConsole()
writeFileSync('dist/build-id', `${buildId(['dist/cli', 'dist/console'])}\n`)
const types = spawnSync('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json', '--singleThreaded'], { stdio: 'inherit' })
if (types.status !== 0) process.exit(types.status ?? 2)
console.log('built dist/')
