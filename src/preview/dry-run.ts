/** A program says itself what it would do: its dry run goes to the sandbox, or runs as it is where a policy and the gate let it. */
import { spawn } from 'node:child_process'
import type { JsonObject } from '../core/json.ts'
import type { Preview } from '../core/preview.ts'
import { NO_SIZE } from '../core/preview.ts'
import type { Facts } from '../facts/facts.ts'
import { type DryRun, rowsIn } from './dry-runs.ts'
import { withoutTimes } from './stable.ts'
import { type TrialParts, tried } from './trial.ts'

export interface DryRunParts extends TrialParts {
  /** True where the gate lets this dry run be run as it is: a call of its own that only reads. */
  readonly allowed: (dry: DryRun) => Promise<boolean>
}

/** Null where it did not end well: then it says nothing of what the command would do. */
export async function tryDryRun(dry: DryRun, facts: Facts, parts: DryRunParts): Promise<Preview | null> {
  const asItIs = await parts.allowed(dry)
  const ran = asItIs ? await runAsItIs(dry, parts) : await runInSandbox(dry, facts, parts)
  if (ran === null || !dry.ends.includes(ran.exitCode)) return null
  const rows = rowsIn(dry.program, ran.output)
  const shown: JsonObject = {
    kind: 'dry_run',
    program: dry.program,
    command: dry.words.join(' '),
    sandboxed: !asItIs,
    exit_code: ran.exitCode,
    files: [],
    network: [],
    output: ran.output === '' ? null : ran.output,
    ...(dry.program === 'sqlite' ? { rows } : {}),
    note: `What the program itself says that it would do${asItIs ? '' : ', in the sandbox, without network and without your keys'}. Not shown: ${dry.cannot}.`,
  }
  const stable = withoutTimes(ran.output, Date.now())
  return {
    digest: parts.digest('countersign/preview/v1', { kind: 'dry_run', words: dry.words, asItIs, output: parts.sha256(stable) }),
    shown,
    seen: { unsupported: null, exitCode: 0, ended: null, size: { ...NO_SIZE, rows }, effects: [], network: false },
  }
}

interface Ran {
  readonly exitCode: number
  readonly output: string
}

async function runInSandbox(dry: DryRun, facts: Facts, parts: DryRunParts): Promise<Ran | null> {
  const outcome = await tried(dry.words, facts, parts)
  if (typeof outcome === 'string' || outcome.tried.ended !== null) return null
  return { exitCode: outcome.tried.status, output: joined(outcome.tried.stdout, outcome.tried.stderr) }
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
      resolve(over || code === null ? null : { exitCode: code, output: joined(kept.stdout, kept.stderr) })
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

function joined(stdout: string, stderr: string): string {
  return [stdout.trimEnd(), ...(stderr.trim() === '' ? [] : [`[standard error]\n${stderr.trimEnd()}`])]
    .filter((part) => part !== '')
    .join('\n')
}
