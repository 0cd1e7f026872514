/** What a hook adds to one tool call: whole processes, from the shell that starts the installed command to its end. */
import { spawnSync } from 'node:child_process'
import { cli, event, type Home, installedCommand, makeHome, startServe, stop } from '../test/hosts/harness.ts'
import { type Report, round, SAMPLE_COLUMNS, sampleRows, summary } from './measure.ts'

const ROUNDS = 200
/** What takes a third of a second is done less often. */
const SLOW_ROUNDS = 30
const STOPWATCH = new URL('stopwatch.mjs', import.meta.url).pathname
/** What a busy machine disturbs the least is the least. */
const COLUMNS = [...SAMPLE_COLUMNS, 'least µs']
/** A call of its own for each round: the stopwatch puts a number for the sign. */
const INPUT = event('git status', 'toolu_#')

interface Way {
  readonly name: string
  readonly command: string
  readonly environment: Home['environment']
}

/** Ways of one table run in turn, so that whatever else the machine does falls on all of them alike. */
export async function hooks(): Promise<readonly Report[]> {
  const served = installedHome()
  const alone = installedHome()
  try {
    const node = { name: 'node -e 0', command: `exec '${process.execPath}' -e 0`, environment: alone.environment }
    const inProcess = { name: 'hook, in process (no daemon)', command: installedCommand(alone), environment: alone.environment }
    const daemon = await startServe(served)
    try {
      const { environment } = served
      const rows = measured(ROUNDS, [
        node,
        { name: 'sh -c cat', command: 'cat', environment },
        { name: 'sh -c "cat; curl --version"', command: 'cat >/dev/null; curl --version', environment },
        { name: 'hook, through the daemon', command: installedCommand(served), environment },
      ])
      const notes = [
        'Started in turn from a small program of its own. The daemon decides and records durably.',
        '`curl --version` is what only starting curl takes, which the hook uses where there is no Perl.',
      ]
      return [
        { title: 'Hook: whole processes', columns: COLUMNS, rows, notes },
        { title: 'Hook without a daemon', columns: COLUMNS, rows: measured(SLOW_ROUNDS, [node, inProcess]), notes: [] },
      ]
    } finally {
      await stop(daemon)
    }
  } finally {
    served.remove()
    alone.remove()
  }
}

function installedHome(): Home {
  const home = makeHome()
  const installed = cli(home, ['init', '--yes'])
  if (installed.status === 0) return home
  home.remove()
  throw new Error(`${installed.stderr}\nrun \`npm run build\` first`)
}

function measured(rounds: number, ways: readonly Way[]): Report['rows'] {
  const job = { rounds, ways: ways.map(({ command, environment }) => ({ command, environment, input: INPUT })) }
  const run = spawnSync(process.execPath, [STOPWATCH], { input: JSON.stringify(job), encoding: 'utf8' })
  if (run.status !== 0) throw new Error(run.stderr)
  const times = JSON.parse(run.stdout) as number[][]
  const samples = sampleRows(ways.map(({ name }, at) => summary(name, times[at] ?? [])))
  return samples.map((row, at) => [...row, round(Math.min(...(times[at] ?? [])))])
}
