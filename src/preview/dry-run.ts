/** A program says itself what it would do: its dry run goes to the sandbox, or runs as it is where a policy and the gate let it. */
import { spawn } from 'node:child_process'
import type { JsonObject } from '../core/json.ts'
import type { Preview } from '../core/preview.ts'
import { NO_SIZE, type PreviewSize } from '../core/preview.ts'
import type { Facts } from '../facts/facts.ts'
import { type DryRun, rowsIn } from './dry-runs.ts'
import { stablePlay, withoutTimes } from './stable.ts'
import { programsShown, type TrialParts, tried, untried } from './trial.ts'

export interface DryRunParts extends TrialParts {
  /** True where the gate lets this dry run be run as it is: a call of its own that only reads. */
  readonly allowed: (dry: DryRun) => Promise<boolean>
}

/** Null where it did not end well: then it says nothing of what the command would do. */
export async function tryDryRun(dry: DryRun, facts: Facts, parts: DryRunParts): Promise<Preview | null> {
  // What starts code of the project is never run outside of the sandbox, whatever the analysis makes of it.
  const asItIs = dry.effects === 'reads' && (await parts.allowed(dry))
  if (dry.sql !== undefined) return trySql(dry, asItIs, parts)
  const ran = asItIs ? await runAsItIs(dry, parts) : await runInSandbox(dry, facts, parts)
  if (ran === null) return null
  const output = joined(ran)
  if (!dry.endedWell(ran.exitCode, output)) return null
  const rows = rowsIn(dry.program, output)
  const counted = dry.program === 'sqlite' ? { rows } : {}
  return previewOf(
    dry,
    { asItIs, exitCode: ran.exitCode, output, size: { ...NO_SIZE, rows }, counted, programs: ran.programs ?? null },
    parts,
  )
}

/** The sandbox reaches no server: a statement is tried out at the database itself, or not at all. */
async function trySql(dry: DryRun, asItIs: boolean, parts: DryRunParts): Promise<Preview> {
  const { program, sql } = dry
  if (!asItIs)
    return untried(
      `The statement was not tried out: that takes the database itself. Name \`${program}\` in \`preview.dry_runs\`, ` +
        'and let the gate allow a `SELECT 1` there.',
      parts,
    )
  const ran = await runAsItIs(dry, parts)
  const answer = ran === null ? null : (sql?.answer(ran) ?? null)
  if (answer !== null) {
    const { output, rows } = answer
    return previewOf(dry, { asItIs, exitCode: 0, output, size: { ...NO_SIZE, rows }, counted: { rows } }, parts)
  }
  const said = ran === null ? 'it did not end within its bounds' : (ran.stderr.trim().split('\n')[0] ?? '').slice(0, MAX_SAID)
  return untried(`The statement was not tried out to its end, and nothing of it is left. \`${program}\` said: ${said}`, parts)
}

const MAX_SAID = 300

interface Shown {
  readonly asItIs: boolean
  readonly exitCode: number
  readonly output: string
  readonly size: PreviewSize
  readonly counted: { readonly rows?: number }
  /** Null where nobody watched. */
  readonly programs?: readonly JsonObject[] | null
}

function previewOf(dry: DryRun, { asItIs, exitCode, output, size, counted, programs = null }: Shown, parts: DryRunParts): Preview {
  const shown: JsonObject = {
    kind: 'dry_run',
    program: dry.program,
    command: dry.sql?.label ?? dry.words.join(' '),
    sandboxed: !asItIs,
    exit_code: exitCode,
    files: [],
    network: [],
    programs,
    output: output === '' ? null : output,
    ...counted,
    note: `What the program itself says that it would do${asItIs ? '' : ', in the sandbox, without network and without your keys'}. Not shown: ${dry.cannot}.`,
  }
  const stable = withoutTimes(dry.program === 'ansible' ? stablePlay(output) : output, Date.now())
  return {
    digest: parts.digest('countersign/preview/v1', { kind: 'dry_run', words: dry.words, asItIs, output: parts.sha256(stable) }),
    shown,
    seen: { unsupported: null, exitCode: 0, ended: null, size, effects: [], network: false },
  }
}

interface Ran {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
  readonly programs?: readonly JsonObject[] | null
}

async function runInSandbox(dry: DryRun, facts: Facts, parts: DryRunParts): Promise<Ran | null> {
  const outcome = await tried(dry.words, facts, parts)
  if (typeof outcome === 'string' || outcome.tried.ended !== null) return null
  const { status, stdout, stderr } = outcome.tried
  return { exitCode: status, stdout, stderr, programs: programsShown(outcome.tried) }
}

/** With the environment of the gate, but for what is the gate's own; nothing is read from a terminal. */
function runAsItIs({ words: [program = '', ...args] }: DryRun, { view, limits }: DryRunParts): Promise<Ran | null> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('COUNTERSIGN_')))
  const options = { cwd: view.cwd ?? '/', env: { ...env, GIT_TERMINAL_PROMPT: '0' }, detached: true }
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    const kept = { stdout: '', stderr: '' }
    let over = false
    const end = (): void => {
      over = true
      if (child.pid !== undefined) killGroup(child.pid)
    }
    const timer = setTimeout(end, limits.timeMs)
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (piece: string) => {
        kept[name] = (kept[name] + piece).slice(0, limits.outputBytes + 1)
        if (kept[name].length > limits.outputBytes) end()
      })
    child.on('error', () => {
      clearTimeout(timer)
      resolve(null)
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      resolve(over || code === null ? null : { exitCode: code, ...kept })
    })
  })
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

function joined({ stdout, stderr }: Ran): string {
  return [stdout.trimEnd(), ...(stderr.trim() === '' ? [] : [`[standard error]\n${stderr.trimEnd()}`])]
    .filter((part) => part !== '')
    .join('\n')
}
