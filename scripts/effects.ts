/**
 * Holds the analysis of one tree against that of another: `npm run check:effects -- OUT [DATA…]` writes a digest for each call of recorded data
 * and for each text of our own tests, and `diff` compares what two trees wrote. For changes that must not change behaviour.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { bareCall } from '../src/core/call.ts'
import { isJsonObject, type Json, type JsonObject } from '../src/core/json.ts'
import { toolIdentity } from '../src/core/tool-name.ts'
import { analyseCall } from '../src/open.ts'
import { emptySession } from '../src/session/state.ts'
import { createFixedView } from '../src/view/fixed.ts'
import { isTest, sources } from './check/source.ts'

const HOME = '/home/user'
const CWD = `${HOME}/project`
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)
const FILES = { [`${CWD}/README.md`]: '', [`${CWD}/package.json`]: '{"scripts":{"test":"node test.js"}}', [`${CWD}/src/a.ts`]: '' }

function analysed(tool: string, args: JsonObject): string {
  const call = bareCall(tool, args, { tool: { ...toolIdentity(null, tool), definition: null }, cwd: CWD })
  const view = createFixedView({ home: HOME, cwd: CWD, files: FILES })
  const { effects, commands, scripts, coverage, written, deferred } = analyseCall(call, view, { state: emptySession(0), policy: null })
  return JSON.stringify({ effects, commands, scripts, coverage, written, deferred })
}

/** Every call in a row of recorded data, whatever its form: an object with a tool and its arguments. */
function* callsIn(value: Json): Generator<readonly [tool: string, args: JsonObject]> {
  if (Array.isArray(value)) for (const item of value) yield* callsIn(item)
  if (!isJsonObject(value)) return
  const args = value.args ?? value.input
  if (typeof value.tool === 'string' && isJsonObject(args)) yield [value.tool, args]
  else if (typeof value.command === 'string') yield ['Bash', { command: value.command }]
  else for (const item of Object.values(value)) yield* callsIn(item)
}

function rowsOf(path: string): readonly string[] {
  const bytes = readFileSync(path)
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
}

const LITERAL = /'(?:[^'\\\n]|\\.)+'|`(?:[^`\\]|\\.)+`|"(?:[^"\\\n]|\\.)+"/g

/** Texts of our tests, as shell commands: those that are none are read as well. */
function* ownTexts(): Generator<string> {
  for (const { path, text } of [...sources('src'), ...sources('test')])
    if (isTest(path))
      for (const [literal] of text.matchAll(LITERAL)) if (literal.length > 5) yield literal.slice(1, -1).replaceAll('\\n', '\n')
}

function main([out, ...data]: readonly string[]): void {
  if (out === undefined) throw new Error('name the file that is written, and then folders or files of recorded calls')
  const lines = new Set<string>()
  const add = (tool: string, args: JsonObject): void => {
    const said = JSON.stringify([tool, args])
    lines.add(`${digest(analysed(tool, args))} ${said.length > 2000 ? digest(said) : said}`)
  }
  for (const place of data) {
    const files = /\.jsonl(?:\.gz)?$/.test(place) ? [place] : readdirSync(place).map((name) => join(place, name))
    for (const file of files) for (const row of rowsOf(file)) for (const [tool, args] of callsIn(JSON.parse(row) as Json)) add(tool, args)
  }
  for (const command of new Set(ownTexts())) add('Bash', { command })
  writeFileSync(out, `${[...lines].sort().join('\n')}\n`)
  console.log(`effects: ${lines.size} calls in ${Math.round(process.cpuUsage().user / 1e6)} s`)
}

main(process.argv.slice(2))
