/** `countersign verify`: the guarantees of a policy, tried out. Nothing is run, sent or recorded outside of a directory of its own. */

import { HOSTS } from '../../hosts/all.ts'
import type { Policy } from '../../policy/policy.ts'
import { probeHere } from '../commands/doctor.ts'
import { loadInForce } from '../open.ts'
import { EXIT, print, visible } from '../terminal.ts'
import { createBench } from './bench.ts'
import { entryOf } from './entries.ts'
import { guaranteesOf, type Line } from './guarantees.ts'

const MARK: Readonly<Record<Line['state'], string>> = { holds: 'holds', fails: 'FAILS', not_applicable: 'not applicable' }

/** Exit 0 where nothing fails, 1 where something does, 2 where there is no policy to try out. */
export async function verify(options: { policy?: string; json?: boolean }): Promise<number> {
  const loaded = loadInForce(options.policy ?? null)
  if (loaded.policy === null) {
    print(
      options.json === true
        ? JSON.stringify({ holds: false, error: loaded.error, guarantees: [] })
        : visible(`FAILS  policy: ${loaded.error}`),
    )
    return EXIT.broken
  }
  const lines = [...installed(), ...(await tried(loaded.policy))]
  const holds = lines.every(({ state }) => state !== 'fails')
  if (options.json === true) print(JSON.stringify({ holds, policy: loaded.policy.digest, guarantees: lines }, null, 2))
  else {
    for (const { guarantee, state, detail } of lines) print(visible(`${MARK[state].padEnd(14)}  ${guarantee}: ${detail}`))
    print(holds ? 'The guarantees of the policy hold.' : 'The guarantees of the policy do NOT hold.')
  }
  return holds ? EXIT.ok : EXIT.broken
}

async function tried(policy: Policy): Promise<readonly Line[]> {
  const bench = createBench(policy)
  try {
    return await guaranteesOf(bench, HOSTS.filter((host) => host.installed()).map(entryOf))
  } finally {
    bench.close()
  }
}

/** Whether each installed hook is in force, tried with calls that nobody can know beforehand. */
function installed(): readonly Line[] {
  const probe = probeHere()
  const hosts = HOSTS.filter((host) => host.installed())
  if (hosts.length === 0)
    return [
      {
        guarantee: 'entries',
        state: 'not_applicable',
        detail: 'no hook is installed here; calls through the library, the proxies and HTTP are judged by the gate itself',
      },
    ]
  return hosts.flatMap((host) =>
    host
      .probe(probe)
      .map(({ state, detail }): Line => ({ guarantee: `entry: ${host.name}`, state: state === 'fail' ? 'fails' : 'holds', detail })),
  )
}
