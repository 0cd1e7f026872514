/**
 * `npm run bench`: bundles the benches as the program is shipped, and runs them. Loaded from source every function carries its name
 * through a call of its own, which costs a tenth of an analysis.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { SHIPPED } from './build/shipped.ts'

const OUT = 'bench/.shipped.mjs'

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
await build({ ...SHIPPED, entryPoints: ['bench/index.ts'], outfile: OUT, packages: 'external', plugins })
const { status } = spawnSync(process.execPath, [OUT, ...process.argv.slice(2)], { stdio: 'inherit' })
process.exit(status ?? 1)
