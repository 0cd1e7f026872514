import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { PolicyState } from '../../gate.ts'
import { digester } from '../../open.ts'
import type { Policy } from '../../policy/policy.ts'
import { type Lock, lockDifferences, lockOf, lockText, pinsOf, readLock } from '../../proxies/mcp/lock.ts'
import { EXIT, print, UsageError, visible, warn } from '../terminal.ts'
import type { ServerEntry } from './config.ts'
import { offersOf } from './offers.ts'
import { originOf } from './start.ts'

/** `--lock FILE --check`, and `--write`: what the servers offer now beside what the file holds them to. */
export async function compareLock(path: string, servers: readonly ServerEntry[], write: boolean): Promise<number> {
  const offers = await offersOf(servers)
  const now = lockOf(
    offers.map(({ name, server, tools }) => ({ server: name, origin: originOf(server), tools })),
    digester,
  )
  const before = lockAt(path, write)
  const lines = lockDifferences(before, now)
  for (const line of lines) print(visible(line))
  if (!write) return lines.length === 0 ? EXIT.ok : EXIT.broken
  // Servers that were not asked are held to what they were.
  writeFileSync(path, lockText({ servers: new Map([...before.servers, ...now.servers]) }))
  warn(`countersign: \`${path}\` holds ${[...now.servers].map(([name, tools]) => `${name} (${tools.size} tools)`).join(', ')}`)
  return EXIT.ok
}

/** @throws {UsageError} where the file is no lock; `missing`: it need not be there. */
function lockAt(path: string, missing: boolean): Lock {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (missing && error instanceof Error && 'code' in error && error.code === 'ENOENT') return { servers: new Map() }
    throw new UsageError(`the lock \`${path}\` cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
  const lock = readLock(text)
  if (lock === null) throw new UsageError(`\`${path}\` is no lock; write one with \`--lock ${path} --write\``)
  return lock
}

export interface HeldPolicy {
  readonly current: (cwd: string | null) => PolicyState
  /** Files that the agent must not change. */
  readonly protect: readonly string[]
}

/** The policy in force with the pins of a lock; null: without one. */
export function policyHeld(current: HeldPolicy['current'], lock: string | null): HeldPolicy {
  if (lock === null) return { current, protect: [] }
  const locked = heldToLock(lock)
  return { current: (from) => locked.hold(current(from)), protect: [locked.path] }
}

interface Locked {
  /** Absolute path of the file, which the agent must not change. */
  readonly path: string
  /** The policy with the pins of the file: they come before what was seen first, and a tool that is not among them has to be accepted. */
  readonly hold: (state: PolicyState) => PolicyState
}

function heldToLock(path: string): Locked {
  const pins = pinsOf(lockAt(path, false))
  const known = new WeakMap<Policy, Policy>()
  return {
    path: resolve(path),
    hold: (state) => {
      if (state.policy === null) return state
      const held = known.get(state.policy) ?? pinned(state.policy, pins)
      known.set(state.policy, held)
      return { ...state, policy: held }
    },
  }
}

function pinned(policy: Policy, pins: ReadonlyMap<string, string>): Policy {
  const { definitions } = policy.guards
  const firstUse = definitions.firstUse === 'trust' ? 'ask' : definitions.firstUse
  return {
    ...policy,
    guards: { ...policy.guards, definitions: { ...definitions, firstUse, pins: new Map([...definitions.pins, ...pins]) } },
  }
}
