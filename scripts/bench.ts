/**
 * `npm run bench`: bundles the benches as the program is shipped, and runs them. Loaded from source every function carries its name
 * through a call of its own, which costs a tenth of an analysis. The bundle lies beside the benches, whose files they find by their own place.
 */
import { spawnSync } from 'node:child_process'
import { build } from 'esbuild'
import { SHIPPED } from './build/shipped.ts'

const OUT = 'bench/.shipped.mjs'

await build({ ...SHIPPED, entryPoints: ['bench/index.ts'], outfile: OUT, packages: 'external' })
const { status } = spawnSync(process.execPath, [OUT, ...process.argv.slice(2)], { stdio: 'inherit' })
process.exit(status ?? 1)
