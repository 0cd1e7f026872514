/** A gate of its own for what is tried out: an empty state directory, an empty workspace, and a clock that can be moved. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PolicyState } from '../../gate.ts'
import { type OpenedGate, type OpenOptions, openGate } from '../../open.ts'
import type { Policy } from '../../policy/policy.ts'
import { openStore } from '../../store/sqlite/open.ts'

/** Puts a gate together. Tests hand in one that is broken. */
export type Opening = (options: OpenOptions) => OpenedGate

export interface Bench {
  readonly policy: Policy
  /** Where calls come from. */
  readonly work: string
  /** A new, empty state. The clock is its own. */
  readonly open: (changes?: Changes) => Opened
  readonly close: () => void
}

export interface Changes {
  readonly policy?: PolicyState
  readonly layers?: OpenOptions['layers']
  /** The state of an earlier gate. */
  readonly home?: string
  /** True: there is no place for a log. */
  readonly unwritable?: boolean
}

export interface Opened {
  readonly gate: OpenedGate
  readonly home: string
  /** Lets so many milliseconds pass. */
  readonly pass: (milliseconds: number) => void
}

/** Nothing outside is asked: what a judge or an address would say is no guarantee of the policy. */
const NOBODY = { fetch: () => Promise.reject(new Error('nothing is asked while guarantees are tried out')) }

/** @param homes where states are made; default beside the workspace. */
export function createBench(given: Policy, opening: Opening = openGate, homes?: string): Bench {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-verify-')))
  const work = join(root, 'work')
  mkdirSync(work)
  // Examples are not run in the sandbox either.
  const policy: Policy = { ...given, preview: null }
  const closing: (() => void)[] = []
  let next = 0
  const open = ({ policy: state, layers, home: earlier, unwritable = false }: Changes = {}): Opened => {
    const home = earlier ?? join(homes ?? root, `home-${next++}`)
    let ahead = 0
    const options = {
      home: unwritable ? '/dev/null/countersign' : home,
      policy: () => state ?? { policy, degraded: null },
      ...NOBODY,
      ...(layers === undefined ? {} : { layers }),
    }
    const store = unwritable ? {} : { store: openStore({ directory: home, now: () => Date.now() + ahead }) }
    const gate = opening({ ...options, ...store })
    closing.push(() => gate.close())
    return {
      gate,
      home,
      pass: (milliseconds) => {
        ahead += milliseconds
      },
    }
  }
  return {
    policy,
    work,
    open,
    close: () => {
      for (const close of closing) close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
