/**
 * `npm run bench`: every bench one after the other, as tables. `--only name,name` runs some of them; `--save` also writes
 * bench/results.json. Numbers of different machines, or of a busy one, say nothing; ratios within one run say most.
 */
import { writeFileSync } from 'node:fs'
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { analysis } from './analysis.ts'
import { appends } from './appends.ts'
import { baselines } from './baseline.ts'
import { conditions } from './conditions.ts'
import { decisions } from './decisions.ts'
import { growth } from './growth.ts'
import { hooks } from './hooks.ts'
import { http } from './http.ts'
import { judgePaths } from './judges.ts'
import { large } from './large.ts'
import { load } from './load.ts'
import { looks } from './looks.ts'
import { mcp } from './mcp.ts'
import { mcpLarge } from './mcp-large.ts'
import { type Report, render } from './measure.ts'
import { modelProxy } from './model-proxy.ts'
import { preview } from './preview/index.ts'
import { sessions } from './sessions.ts'
import { simple } from './simple.ts'
import { undo } from './undo.ts'

const BENCHES: ReadonlyMap<string, () => Promise<readonly Report[]>> = new Map([
  ['simple', simple],
  ['decisions', decisions],
  ['conditions', conditions],
  ['load', load],
  ['analysis', analysis],
  ['appends', appends],
  ['growth', growth],
  ['sessions', sessions],
  ['baseline', baselines],
  ['large', large],
  ['looks', looks],
  ['judges', judgePaths],
  ['hooks', hooks],
  ['http', http],
  ['mcp', mcp],
  ['mcp-large', mcpLarge],
  ['model-proxy', modelProxy],
  ['preview', preview],
  ['undo', undo],
])

const { values } = parseArgs({ options: { save: { type: 'boolean', default: false }, only: { type: 'string' } } })
const chosen = values.only?.split(',') ?? [...BENCHES.keys()]
const unknown = chosen.filter((name) => !BENCHES.has(name))
if (unknown.length > 0) {
  console.error(`no bench is called \`${unknown.join(', ')}\`; there are: ${[...BENCHES.keys()].join(', ')}`)
  process.exit(2)
}

const machine = { node: process.version, platform: `${process.platform} ${process.arch}`, cores: availableParallelism() }
console.log(`Node ${machine.node}, ${machine.platform}, ${machine.cores} cores, load ${loadavg()[0]?.toFixed(1)}\n`)
const reports: Report[] = []
for (const [name, run] of BENCHES) {
  if (!chosen.includes(name)) continue
  for (const report of await run()) {
    reports.push(report)
    console.log(render(report))
  }
}
if (values.save)
  writeFileSync(new URL('results.json', import.meta.url), `${JSON.stringify({ machine, load: loadavg()[0], reports }, null, 2)}\n`)
