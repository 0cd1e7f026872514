/**
 * A judge's tools at work: each use runs in the sandbox, is bounded, redacted and marked as data, and stands in the record of the
 * judge. None of it goes through the gate, which would ask the judge again (T36); the sandbox is what holds it instead.
 */
import { isAbsolute, resolve } from 'node:path'
import type { Sha256 } from '../../core/digest.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { JudgeTool, JudgeToolsPolicy } from '../../policy/judges.ts'
import type { Cell } from '../../sandbox/cell.ts'
import { hiddenIn, isInside } from '../../sandbox/private.ts'
import { NoSandbox, type Ran, type Sandbox } from '../../sandbox/sandbox.ts'
import { NoAnswer } from '../answer.ts'
import type { ToolRequest, ToolResult, ToolSpec } from '../wires/wire.ts'
import { type Mount, mountsOf, realDirectory } from './mounts.ts'
import { MORE_LINES, type Plan, planOf, Refusal, specsOf, wireName } from './specs.ts'

export interface ToolParts {
  readonly sandbox: Sandbox
  readonly redact: (value: Json) => Json
  readonly sha256: Sha256
  /** What no judge sees, wherever it lies: the gate's own state. */
  readonly hidden: readonly string[]
}

export interface Toolbox {
  readonly specs: readonly ToolSpec[]
  readonly maxSteps: number
  /** Refusals and failures are results. @throws {NoAnswer} where the sandbox is gone. */
  readonly use: (request: ToolRequest, signal: AbortSignal) => Promise<ToolResult>
  /** Every use so far, for the log. */
  readonly records: readonly JsonObject[]
}

export interface Opening {
  readonly policy: JudgeToolsPolicy
  /** Where the call comes from. */
  readonly cwd: string | null
  /** What the judge's own work is to say of its depth. */
  readonly depth: number
  readonly nonce: string
}

/** @throws {NoAnswer} with `judge.sandbox`: such a judge is never asked without its tools, nor do they run anywhere else (D19). */
export function openToolbox({ policy, cwd, depth, nonce }: Opening, parts: ToolParts): Toolbox {
  const problem = parts.sandbox.problem()
  if (problem !== null) throw new NoAnswer('judge.sandbox', problem)
  const mounts = mountsOf(policy.mounts.length > 0 ? policy.mounts : cwd === null ? [] : [cwd])
  const bench: Bench = { policy, mounts, cell: cellOf({ policy, mounts, cwd, depth }, parts), parts, nonce }
  const records: JsonObject[] = []
  return {
    specs: specsOf(policy),
    maxSteps: policy.maxSteps,
    records,
    use: async (request, signal) => {
      const used = await useOf(request, bench, signal)
      records.push(used.record)
      return used.result
    },
  }
}

interface Bench {
  readonly policy: JudgeToolsPolicy
  readonly mounts: readonly Mount[]
  readonly cell: Cell
  readonly parts: ToolParts
  readonly nonce: string
}

function cellOf(
  { policy, mounts, cwd, depth }: Omit<Opening, 'nonce'> & { readonly mounts: readonly Mount[] },
  { hidden }: ToolParts,
): Cell {
  const { timeoutMs, memoryBytes, outputBytes, spaceBytes } = policy
  const first = mounts[0]?.real ?? '/'
  const place = cwd === null ? first : (inMounts(cwd, mounts) ?? first)
  return {
    mounts: mounts.map(({ real }) => real),
    copy: false,
    hidden: hiddenIn(mounts, hidden),
    programs: policy.programs.map(realDirectory),
    cwd: place,
    environment: { COUNTERSIGN_JUDGE_DEPTH: String(depth) },
    limits: { timeMs: timeoutMs, memoryBytes, outputBytes, spaceBytes, processes: 512 },
  }
}

/** A path as the sandbox names it; null where it lies in no mount, by its text. */
function inMounts(path: string, mounts: readonly Mount[]): string | null {
  for (const { written, real } of mounts) {
    if (isInside(path, real)) return path
    if (isInside(path, written)) return real + path.slice(written.length)
  }
  return null
}

interface Used {
  readonly result: ToolResult
  readonly record: JsonObject
}

type ToolAnswer = { readonly status: 'ok' | 'refused' | 'failed' | 'late'; readonly text: string; readonly ran: Ran | null }

async function useOf(request: ToolRequest, bench: Bench, signal: AbortSignal): Promise<Used> {
  const told = await tellOf(request, bench, signal)
  const { parts, nonce } = bench
  const shown = parts.redact(told.text)
  const text = typeof shown === 'string' ? shown : ''
  return {
    // Marks that nobody could foresee when the files were written: what stands between them is data (T50).
    result: { request, text: `<result-${nonce}>\n${text}\n</result-${nonce}>`, failed: told.status !== 'ok' },
    record: {
      tool: request.name.slice(0, 64),
      // Redacted before it is cut: half of a secret would look like none.
      input: JSON.stringify(parts.redact(request.input)).slice(0, 1_000),
      status: told.status,
      exit: told.ran?.status ?? null,
      output_digest: `sha256:${parts.sha256(text)}`,
      units: text.length,
      cut: told.ran?.cut ?? false,
      latency_ms: Math.round(told.ran?.took ?? 0),
    },
  }
}

async function tellOf({ name, input }: ToolRequest, bench: Bench, signal: AbortSignal): Promise<ToolAnswer> {
  try {
    const tool = bench.policy.allow.find((each) => wireName(each) === name)
    if (tool === undefined) throw new Refusal(`there is no tool \`${name.slice(0, 64)}\``)
    const plan = planOf(tool, input, bench.policy)
    return tellRan(await run(plan, tool, { bench, signal }), plan)
  } catch (error) {
    if (error instanceof Refusal) return { status: 'refused', text: `refused: ${error.message}`, ran: null }
    if (error instanceof NoSandbox) throw new NoAnswer('judge.sandbox', error.message)
    throw error
  }
}

/** The path is checked again where it is used: a symbolic link must not lead out of the mounts. */
const WITHIN = `p=$(readlink -f -- "$1") || exit 123
shift; n=$1; inside=; shift
while [ "$n" -gt 0 ]; do
  case $p in "$1"|"$1"/*) inside=1;; esac
  shift; n=$((n - 1))
done
[ "$inside" = 1 ] || exit 124
[ -e "$p" ] || exit 123
exec "$@" "$p"`

/** What shells end with where there is no such program. */
const NOT_FOUND = 127

const OUTSIDE = 'it lies outside of what this judge may see'
const ENDINGS: ReadonlyMap<number, string> = new Map([
  [123, 'refused: there is no such file'],
  [124, `refused: ${OUTSIDE}`],
])

function run({ path, command }: Plan, tool: JudgeTool, { bench, signal }: { bench: Bench; signal: AbortSignal }): Promise<Ran> {
  const { cell, mounts, policy, parts } = bench
  if (path === null) return parts.sandbox.run(command, { ...cell, copy: tool === 'cmd.run' && policy.copy }, signal)
  const lexical = inMounts(isAbsolute(path) ? resolve(path) : resolve(cell.cwd, path), mounts)
  if (lexical === null) throw new Refusal(OUTSIDE)
  const script = ['/bin/sh', '-c', WITHIN, 'sh', lexical, String(cell.mounts.length), ...cell.mounts, ...command]
  return parts.sandbox.run(script, cell, signal)
}

function tellRan(ran: Ran, { path, answers }: Plan): ToolAnswer {
  const ending = path === null || ran.status === null ? undefined : ENDINGS.get(ran.status)
  if (ending !== undefined) return { status: 'refused', text: ending, ran }
  if (ran.late) return { status: 'late', text: `it did not end in its time\n${both(ran)}`, ran }
  if (ran.status === 0) return { status: 'ok', text: path === null ? `exit status 0\n${both(ran)}` : ran.stdout, ran }
  const answer = ran.status === null ? undefined : answers.get(ran.status)
  const told = answer === undefined ? null : tellAnswer(ran, answer)
  return told ?? { status: 'failed', text: `exit status ${ran.status ?? 'none: it was ended'}\n${both(ran)}`, ran }
}

/** For an exit status that is an answer of the program; null where what it wrote says that it failed. */
function tellAnswer(ran: Ran, answer: string): ToolAnswer | null {
  if (ran.status === MORE_LINES) return { status: 'ok', text: `${ran.stdout}[${answer}]\n`, ran }
  if (ran.stderr === '') return { status: 'ok', text: ran.stdout === '' ? answer : ran.stdout, ran }
  return ran.status === NOT_FOUND ? { status: 'failed', text: answer, ran } : null
}

function both({ stdout, stderr }: Ran): string {
  return [stdout, stderr].filter((text) => text !== '').join('\n')
}
