/** What a hook adds to one tool call: whole processes, from the shell that starts the installed command to its end. */
import { spawnSync } from 'node:child_process'
import { cli, event, installedCommand, makeHome, runHook, startServe, stop } from '../test/hosts/harness.ts'
import { type Report, SAMPLE_COLUMNS, sampleRows, summary } from './measure.ts'

const ROUNDS = 60

type Way = readonly [name: string, run: () => Promise<unknown> | unknown]

/** Round robin, so that whatever else the machine does falls on all ways alike. */
export async function hooks(): Promise<readonly Report[]> {
  const home = makeHome()
  try {
    const installed = cli(home, ['init', '--yes'])
    if (installed.status !== 0) throw new Error(`${installed.stderr}\nrun \`npm run build\` first`)
    const command = installedCommand(home)
    const input = event('git status')
    const environment = home.environment
    const hook = async () => {
      const { status } = await runHook(command, input, environment)
      if (status !== 0) throw new Error(`the hook ended with ${status}`)
    }
    const alone: readonly Way[] = [
      ['node -e 0', () => spawnSync(process.execPath, ['-e', '0'], { env: environment })],
      ['hook, in process (no daemon)', hook],
    ]
    const without = await rounds(alone)
    const daemon = await startServe(home)
    try {
      const served: readonly Way[] = [
        ['sh -c cat', () => runHook('cat', input, environment)],
        ['sh -c "cat | curl --version"', () => runHook('cat >/dev/null; curl --version', input, environment)],
        ['hook, through the daemon', hook],
      ]
      const rows = sampleRows([...without.slice(0, 1), ...(await rounds(served)), ...without.slice(1)])
      const notes = ['The daemon decides and records durably; `curl --version` is the part of it that is only starting curl.']
      return [{ title: 'Hook: whole processes', columns: SAMPLE_COLUMNS, rows, notes }]
    } finally {
      await stop(daemon)
    }
  } finally {
    home.remove()
  }
}

async function rounds(ways: readonly Way[]) {
  const times = ways.map((): number[] => [])
  for (let round = -3; round < ROUNDS; round++) {
    for (const [at, [, run]] of ways.entries()) {
      const started = performance.now()
      await run()
      if (round >= 0) times[at]?.push((performance.now() - started) * 1000)
    }
  }
  return ways.map(([name], at) => summary(name, times[at] ?? []))
}
