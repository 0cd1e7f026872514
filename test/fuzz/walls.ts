/** Tries from inside of a sandbox to reach the host; harmless where there is no sandbox at all. */
import { existsSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs a script of `sh` with arguments. */
export type Run = (script: string, args: readonly string[]) => Promise<{ readonly status: number | null; readonly stdout: string }>

const SPACES = ['mnt', 'pid', 'net', 'user', 'ipc', 'uts'] as const
const SYSTEM = [
  '/',
  '/usr',
  '/usr/bin',
  '/etc',
  '/bin',
  '/lib',
  '/root',
  '/home',
  '/var',
  '/sys',
  '/run',
  '/run/origin/0',
  '/boot',
] as const

/** Writes into its first argument and beside it; tells its namespaces, who it is, and what of the system it could write to. */
const TRIAL = `touch "$1/written" 2> /dev/null; mkdir -p "$1/made" 2> /dev/null
for space in ${SPACES.join(' ')}; do echo "$space $(readlink "/proc/self/ns/$space")"; done
for place in ${SYSTEM.join(' ')}; do [ -w "$place" ] && echo "writable $place"; done
echo "uid $(id -u)"
echo end`

/** What does not hold; empty where the sandbox does. */
export async function breaches(run: Run): Promise<readonly string[]> {
  const host = mkdtempSync(join(tmpdir(), 'countersign-walls-'))
  try {
    const { status, stdout } = await run(TRIAL, [host])
    const lines = stdout.trimEnd().split('\n')
    const found: string[] = []
    if (status !== 0 || lines.at(-1) !== 'end') found.push(`the trial did not end well: ${status}`)
    if (existsSync(join(host, 'written')) || existsSync(join(host, 'made'))) found.push(`the host's ${tmpdir()} was written to`)
    for (const space of SPACES) {
      if (!lines.some((line) => line.startsWith(`${space} ${space}:[`))) found.push(`namespace ${space} is not known`)
      else if (lines.includes(`${space} ${readlinkSync(`/proc/self/ns/${space}`)}`)) found.push(`namespace ${space} is the host's`)
    }
    if (!lines.includes('uid 65534')) found.push('commands are not run as nobody')
    return [...found, ...lines.filter((line) => line.startsWith('writable '))]
  } finally {
    rmSync(host, { recursive: true, force: true })
  }
}
