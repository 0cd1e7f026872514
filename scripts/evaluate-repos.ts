/**
 * Measures the gate on ordinary commands in real repositories, whose files it opens through the real View, and on the same commands
 * where a file is poisoned. Nothing of the repositories is run; git commits them once, in a directory below the home that is removed.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { loadInForce } from '../src/cli/open.ts'
import type { ToolCall } from '../src/core/call.ts'
import type { Decision } from '../src/core/decision.ts'
import { toolIdentity } from '../src/core/tool-name.ts'
import { openGate } from '../src/open.ts'
import { type Rate, rateOf } from '../src/replay/rate.ts'

interface Row {
  readonly id: string
  readonly repo: string
  readonly command: string
  readonly label: 'allow' | 'gate'
  readonly group: string
  /** Laid over the repository for this row. */
  readonly files?: Readonly<Record<string, string>>
  /** The row of the same command in the clean repository. */
  readonly twin?: string
}

interface Judged extends Row {
  readonly stopped: boolean
  readonly decision: Decision
  /** Processor time, when the process decides the row first, and once more after all rows. */
  readonly ms: number
  readonly again: number
}

interface Timed {
  readonly row: Row
  readonly decision: Decision
  readonly ms: number
}

/** What a process remembers of files must change nothing. */
const saidOf = ({ decision, findings, effects }: Decision): string => JSON.stringify({ decision, findings, effects })

/** Judges every row twice, each time in a session of its own. */
async function judge(data: string): Promise<readonly Judged[]> {
  const home = mkdtempSync(join(homedir(), '.countersign-repos-'))
  const own = process.env.HOME
  process.env.HOME = home
  try {
    const work = unpacked(join(data, 'repos.tar.gz'), join(home, 'work'))
    const state = loadInForce(null)
    const opened = openGate({ home: join(home, 'state'), rehearsal: true, policy: () => state })
    const decideAll = async (pass: string): Promise<readonly Timed[]> => {
      const timed: Timed[] = []
      for (const row of rowsOf(data)) {
        const undo = laidOver(join(work, row.repo), row.files ?? {})
        const start = process.cpuUsage()
        const decision = await opened.gate.decide(callOf(row, { cwd: join(work, row.repo), session: `${pass}:${row.id}` }))
        const { user, system } = process.cpuUsage(start)
        timed.push({ row, decision, ms: (user + system) / 1000 })
        undo()
      }
      return timed
    }
    const first = await decideAll('repos')
    const second = await decideAll('again')
    opened.close()
    return first.map(({ row, decision, ms }, i) => {
      const again = second[i] as Timed
      if (saidOf(again.decision) !== saidOf(decision)) throw new Error(`${row.id} is judged in another way when it comes again`)
      return { ...row, decision, stopped: !['allow', 'flag'].includes(decision.decision), ms, again: again.ms }
    })
  } finally {
    process.env.HOME = own
    rmSync(home, { recursive: true, force: true })
  }
}

function rowsOf(data: string): readonly Row[] {
  const lines = readFileSync(join(data, 'commands.jsonl'), 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Row)
}

/** One repository a directory, each with its origin. */
function unpacked(archive: string, work: string): string {
  mkdirSync(work)
  const run = (program: string, ...args: readonly string[]): void => {
    const { status, stderr } = spawnSync(program, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${stderr}`)
  }
  run('tar', 'xzf', archive, '-C', work)
  for (const name of readdirSync(work)) {
    const git = (...args: readonly string[]): void => run('git', '-C', join(work, name), ...args)
    git('init', '-q', '-b', 'main')
    git('-c', 'core.autocrlf=false', 'add', '-A')
    git('-c', 'user.name=dev', '-c', 'user.email=dev@localhost', 'commit', '-qm', 'snapshot')
    git('remote', 'add', 'origin', `https://github.com/${name.replace('+', '/')}.git`)
  }
  return work
}

function laidOver(repository: string, files: Readonly<Record<string, string>>): () => void {
  const before = Object.entries(files).map(([path, text]) => {
    const file = join(repository, path)
    const standing = existsSync(file) ? { text: readFileSync(file), mode: statSync(file).mode } : null
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    if (standing === null && text.startsWith('#!')) chmodSync(file, 0o755)
    return { file, standing }
  })
  return () => {
    for (const { file, standing } of before) {
      if (standing === null) rmSync(file)
      else writeFileSync(file, standing.text, { mode: standing.mode })
    }
  }
}

function callOf({ command }: Row, { cwd, session }: { readonly cwd: string; readonly session: string }): ToolCall {
  return {
    tool: { ...toolIdentity(null, 'Bash'), definition: null },
    args: { command },
    principal: { agent: 'claude-code', role: null, user: null, tenant: null, chain: [] },
    session,
    cwd,
    context: { task: null, recent: [] },
    definition: null,
    approval: null,
    callId: null,
  }
}

/** Commands of one repository are one cluster. */
function rate(name: string, rows: readonly Judged[], hit: (row: Judged) => boolean): Rate {
  const clusters = new Map(rows.map(({ repo }) => [repo, { hits: 0, of: 0 }]))
  for (const row of rows) {
    const cluster = clusters.get(row.repo)
    if (cluster === undefined) continue
    cluster.of++
    if (hit(row)) cluster.hits++
  }
  return rateOf(name, [...clusters.values()])
}

const percent = (share: number): string => `${(100 * share).toFixed(2)} %`

function tableOf(rows: readonly Judged[]): string {
  const ordinary = rows.filter(({ label }) => label === 'allow')
  const poisoned = rows.filter(({ label }) => label === 'gate')
  const byId = new Map(rows.map((row) => [row.id, row]))
  const runs = ({ twin }: Judged): boolean => byId.get(twin ?? '')?.stopped === false
  const pairs = poisoned.filter(({ twin }) => byId.has(twin ?? ''))
  const rates = [
    rate('ordinary commands interrupted', ordinary, ({ stopped }) => stopped),
    rate('ordinary commands flagged', ordinary, ({ decision }) => decision.decision === 'flag'),
    rate('poisoned commands let run', poisoned, ({ stopped }) => !stopped),
    rate('pairs told apart', pairs, (row) => row.stopped && runs(row)),
    rate('pairs both let run', pairs, (row) => !row.stopped && runs(row)),
    rate('pairs both stopped', pairs, (row) => row.stopped && !runs(row)),
  ]
  const lines = rates.map(
    ({ name, hits, of, low, high }) => `| ${name} | ${percent(hits / of)} [${percent(low)} – ${percent(high)}] | ${hits} of ${of} |`,
  )
  return ['| metric | rate [95 %] | counts |', '|---|---:|---:|', ...lines].join('\n')
}

function timing(rows: readonly Judged[]): string {
  const of = (times: readonly number[]): string => {
    const ms = times.toSorted((a, b) => a - b)
    const at = (share: number): string => (ms[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? 0).toFixed(1)
    return `p50 ${at(0.5)}, p95 ${at(0.95)}, max ${at(1)}`
  }
  return (
    `${rows.length} decisions, files read and record written, ms of processor time of all threads: ` +
    `first in a new process ${of(rows.map(({ ms }) => ms))}; the same calls again ${of(rows.map(({ again }) => again))}`
  )
}

function listed(rows: readonly Judged[]): string {
  const wrong = rows.filter(({ label, stopped }) => (label === 'gate') !== stopped)
  return wrong
    .map(({ id, repo, command, decision }) => {
      const rules = new Set(decision.determining.map((at) => decision.findings[at]?.rule ?? decision.code))
      return `  ${id} ${decision.decision} [${[...rules].join(' ')}] ${repo}: ${command.replaceAll('\n', ' ⏎ ').slice(0, 120)}`
    })
    .join('\n')
}

/** The Markdown section; prints its table on the way. Null where the data is not there. */
export async function evaluateRepositories(data: string, lists: boolean): Promise<string | null> {
  if (!existsSync(join(data, 'commands.jsonl'))) {
    console.log(`repos: skipped, \`${data}\` is not there`)
    return null
  }
  const rows = await judge(data)
  const table = tableOf(rows)
  console.log(`repos: ${rows.length} calls\n${table}\n  ${timing(rows)}\n${lists ? `${listed(rows)}\n` : ''}`)
  const about = `Build, test and run commands in public repositories, whose files are read as on any machine; and the same commands where one file
is poisoned. ${rows.length} calls, judged by the shipped policy. A pair is told apart where the poisoned command is stopped and its clean twin runs.`
  return ['### repos', '', about, '', table].join('\n')
}
