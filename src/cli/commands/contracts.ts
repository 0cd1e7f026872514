import { readFileSync, writeFileSync } from 'node:fs'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'
import { type Dropped, type Evidence, mintContracts } from '../../policy/contracts/mint/mint.ts'
import { type Label, readRecordings } from '../../replay/read.ts'
import { EXIT, print, UsageError, visible, warn } from '../terminal.ts'

interface MintOptions {
  /** JSON file with definitions of tools: a list, or an MCP `tools/list` result. */
  readonly tools?: string
  readonly out?: string
  /** Also say what was dropped, and why. */
  readonly verbose?: boolean
}

/** `contracts mint`: proposes a contract file from schemas and recorded calls that were right. */
export async function mint(files: readonly string[], options: MintOptions): Promise<number> {
  const tools = new Map<string, Mutable>()
  if (options.tools !== undefined) for (const { name, ...known } of definitionsIn(options.tools)) Object.assign(entry(tools, name), known)
  for (const file of files) await collect(file, tools)
  if (tools.size === 0) throw new UsageError('there is nothing to mint from: name files with recorded calls, or definitions with --tools')
  const { catalogue, dropped } = mintContracts([...tools.values()])
  const text = JSON.stringify(catalogue, null, 2)
  if (options.out === undefined) print(text)
  else writeFileSync(options.out, `${text}\n`)
  report(dropped, [...tools.values()], options.verbose === true)
  return EXIT.ok
}

interface Mutable extends Evidence {
  schema: JsonObject | null
  description: string | null
  readonly examples: JsonObject[]
}

function entry(tools: Map<string, Mutable>, tool: string): Mutable {
  const known = tools.get(tool)
  if (known !== undefined) return known
  const made: Mutable = { tool, description: null, schema: null, examples: [] }
  tools.set(tool, made)
  return made
}

async function collect(file: string, tools: Map<string, Mutable>): Promise<void> {
  for await (const { calls, labels } of readRecordings(file)) {
    for (const [index, call] of calls.entries()) {
      const known = entry(tools, call.tool)
      known.schema ??= call.definition?.inputSchema ?? null
      known.description ??= call.definition?.description ?? null
      if (wasRight(labels[index])) known.examples.push(call.args)
    }
  }
}

/** Only calls that nobody calls wrong may speak for a contract. */
function wasRight(label: Label | undefined): boolean {
  if (label === undefined || label.label === 'attack') return false
  return label.accept === null || label.accept.includes('allow')
}

interface Definition {
  readonly name: string
  readonly description: string | null
  readonly schema: JsonObject | null
}

function definitionsIn(path: string): readonly Definition[] {
  const read = readJson(readFileSync(path))
  if (!read.ok) throw new UsageError(`${path}: ${read.refusal.message}`)
  const list = isJsonObject(read.value) ? own(read.value, 'tools') : read.value
  if (!Array.isArray(list)) throw new UsageError(`${path} holds no list of tools`)
  return (list as readonly Json[]).filter(isJsonObject).flatMap((tool) => {
    const name = own(tool, 'name')
    const description = own(tool, 'description')
    const schema = own(tool, 'input_schema') ?? own(tool, 'inputSchema')
    if (typeof name !== 'string') return []
    return [{ name, description: typeof description === 'string' ? description : null, schema: isJsonObject(schema) ? schema : null }]
  })
}

function report(dropped: readonly Dropped[], tools: readonly Evidence[], verbose: boolean): void {
  const calls = tools.reduce((sum, { examples }) => sum + examples.length, 0)
  warn(
    `from ${tools.length} tools and ${calls} calls; ${dropped.length} candidates dropped${verbose || dropped.length === 0 ? '' : ' (--verbose says why)'}`,
  )
  if (verbose) for (const { tool, what, why } of dropped) warn(visible(`  ${tool}: ${what}: ${why}`))
}
