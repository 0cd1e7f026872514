/**
 * `npm run bench`: bundles the benches as the program is shipped, and runs them. Loaded from source every function carries its name
 * through a call of its own, which costs a tenth of an analysis.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { SHIPPED } from './build/shipped.ts'

const OUT = 'bench/.shipped.mjs'
/** What a bench starts in processes of its own. */
const RESTART = 'bench/.shipped-restart.mjs'

/** Modules find files beside them by their own place, which a bundle would take away. */
const places: Plugin = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](?:bench|test|src)[\\/].*\.ts$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8')
      if (!source.includes('import.meta.url')) return null
      return { contents: source.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)), loader: 'ts' }
    })
  },
}

const plugins = [...(SHIPPED.plugins ?? []), places]
for (const [entry, outfile] of [
  ['bench/index.ts', OUT],
  ['bench/restart.ts', RESTART],
] as const)
  await build({ ...SHIPPED, entryPoints: [entry], outfile, packages: 'external', plugins })
const env = { ...process.env, COUNTERSIGN_BENCH_RESTART: resolve(RESTART) }
const { status } = spawnSync(process.execPath, [OUT, ...process.argv.slice(2)], { stdio: 'inherit', env })
process.exit(status ?? 1)
