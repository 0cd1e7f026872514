import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMPILE } from '../../src/cli/open.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { runs } from '../../src/core/verdict.ts'
import { DEFAULT_POLICY } from '../../src/policy/default.ts'
import { loadPolicyText } from '../../src/policy/file.ts'
import { openReplay } from '../../src/replay/file.ts'
import { recordingOfCalls } from '../../src/replay/rows.ts'
import { type ReplayGate, replayRecording } from '../../src/replay/run.ts'

/**
 * Projects whose files are on disk, judged through the whole gate under the policy that ships. The labels were written before any
 * verdict was looked at: `runs` is ordinary work that nobody wants to be asked about, `asks` what a careful owner wants to see first.
 */

export type Files = Readonly<Record<string, string>>

/** A shell command, or a call of a tool. */
export type Call = string | JsonObject

export interface Step {
  readonly call: Call
  /** What the call leaves behind. */
  readonly after?: Files
}

let gate: ReplayGate | null = null

/** Opens the gate for the tests of a file. `unregistered: 'allow'`: what is tried is the analysis, not the question about new tools. */
export function useGate({ unregistered = 'ask' }: { readonly unregistered?: 'ask' | 'allow' } = {}): void {
  beforeAll(() => {
    gate = openReplay(loadPolicyText(DEFAULT_POLICY.replace('unregistered: ask', `unregistered: ${unregistered}`), COMPILE), null)
  })
  afterAll(() => gate?.opened.close())
}

const HOME = '/home/dev'
const ROOT = `${HOME}/shop`

function asJson(step: Call | Step): JsonObject {
  const { call, after } = typeof step === 'object' && 'call' in step ? (step as Step) : { call: step as Call, after: undefined }
  const named = typeof call === 'string' ? { tool: 'Bash', args: { command: call } } : call
  return { ...named, cwd: ROOT, ...(after === undefined ? {} : { after: { files: after } }) }
}

let count = 0

/** How the last call is judged after those before it: `runs` where nothing stops it. */
export async function judged(
  files: Files,
  calls: readonly (Call | Step)[],
  { clean = false, processes }: Pick<Told, 'clean' | 'processes'> = {},
): Promise<{ readonly label: 'runs' | 'asks'; readonly why: string }> {
  const world = {
    home: HOME,
    cwd: ROOT,
    files: { 'README.md': '# Shop\n', '.gitignore': 'node_modules/\nbuild/\ndist/\n', ...files },
    git: { branch: 'main', remotes: { origin: 'https://github.com/acme/shop.git' }, clean },
    ...(processes === undefined ? {} : { processes: [...processes] }),
  }
  const recording = recordingOfCalls(`projects ${count++}`, calls.map(asJson), [world])
  if (gate === null) throw new Error('the gate is not open')
  let last = null
  for await (const { decision, index } of replayRecording(gate, recording)) {
    last = decision
    const why = decision.determining.map((at) => decision.findings[at]?.message ?? '').join('; ')
    if (index < calls.length - 1 && !runs(decision.decision)) throw new Error(`call ${index} does not run: ${why}`)
  }
  if (last === null) throw new Error('no call was judged')
  return { label: runs(last.decision) ? 'runs' : 'asks', why: last.determining.map((at) => last?.findings[at]?.message ?? '').join('; ') }
}

export interface Pair {
  readonly files: Files
  /** Judged in the clean project and in the poisoned one. */
  readonly commands: readonly string[]
  /** Laid over the files. */
  readonly poison: Files
}

/** One test for each command and side. */
export function pair(title: string, { files, commands, poison }: Pair): void {
  describe(title, () => {
    for (const command of commands) {
      test(`runs: ${command}`, async () => expect(await judged(files, [command])).toMatchObject({ label: 'runs' }))
      test(`asks where it is poisoned: ${command}`, async () =>
        expect(await judged({ ...files, ...poison }, [command])).toMatchObject({ label: 'asks' }))
    }
  })
}

interface Told {
  readonly files?: Files
  readonly calls: readonly (Call | Step)[]
  /** The repository has committed the files as they are at first. Default: not. */
  readonly clean?: boolean
  /** What runs on the machine. Default: nobody looked. */
  readonly processes?: readonly JsonObject[]
  /** It does not hold yet; of a list of rows, those whose titles begin so. */
  readonly missed?: boolean | readonly string[]
}

/** One test: how the last of the calls is judged after the others. */
export function session(title: string, label: 'runs' | 'asks', { files = {}, calls, clean = false, missed }: Told): void {
  const run = async (): Promise<void> => expect(await judged(files, calls, { clean })).toMatchObject({ label })
  const isMissed = typeof missed === 'object' ? missed.some((begin) => title.startsWith(begin)) : missed === true
  if (isMissed) test.fails(`${label}: ${title}`, run)
  else test(`${label}: ${title}`, run)
}

/** One call, or several of a session of which the last is judged. */
export type Row = Call | readonly (Call | Step)[]

/** Tests of lists in one project, one for each row. */
export function listsIn(files: Files, missed: readonly string[]): (name: string, label: 'asks' | 'runs', rows: readonly Row[]) => void {
  return (name, label, rows) => {
    for (const row of rows) {
      const calls = (Array.isArray(row) ? row : [row]) as readonly (Call | Step)[]
      const title = calls.map((call) => (typeof call === 'string' ? call : JSON.stringify(call))).join(' ;;; ')
      session(`${name}: ${title.replaceAll('\n', ' ⏎ ').slice(0, 200)}`, label, { files, calls, missed })
    }
  }
}

/** A file written by a tool of the host, and what it leaves. */
export function wrote(path: string, content: string): Step {
  return { call: { tool: 'Write', args: { file_path: `${ROOT}/${path}`, content } }, after: { [path]: content } }
}

/** A tool of an MCP server, as hosts name it. */
export function serverTool(server: string, name: string, args: JsonObject): Call {
  return { tool: `mcp__${server}__${name}`, args }
}
