/** What judges need of this machine: network, environment, chance, the sandbox, and what is kept of them. */
import { createHmac, hash, randomBytes } from 'node:crypto'
import { redactJson } from './audit/redact.ts'
import type { Json } from './core/json.ts'
import type { JudgeStore } from './gate/judge-memory.ts'
import type { JudgeGateParts } from './gate/judges.ts'
import type { JudgeFunction } from './judges/providers/provider.ts'
import type { Fetch } from './lookup/http.ts'
import { createSandbox } from './sandbox/sandbox.ts'
import { loadKeys } from './store/sqlite/keys.ts'
import { stateDirectory } from './view/state-directory.ts'

export interface JudgeOptions {
  /** Judges of the host program, by the names under which the policy knows them. */
  readonly judges?: ReadonlyMap<string, JudgeFunction>
  /** Default the platform's. */
  readonly fetch?: Fetch
  /** Milliseconds that all judges of one call may take together; default as long as the policy gives each. */
  readonly patienceMs?: number
  /** The state directory of the gate, which no judge sees. */
  readonly home?: string
}

/** Looked for and tried when the first judge with tools is asked. */
const SANDBOX = createSandbox()

/** Of this process: samples of a gate that keeps nothing. */
const SALT = randomBytes(32)

/** For a gate that keeps nothing of judges. */
export function judgeParts({ judges, fetch, home, patienceMs }: JudgeOptions): JudgeGateParts {
  const redact = (value: Json): Json => redactJson(value).value
  const sha256 = (text: string): string => hash('sha256', text)
  return {
    consult: {
      fetch: fetch ?? globalThis.fetch,
      functions: judges ?? new Map(),
      env: (name) => process.env[name],
      depth: () => process.env.COUNTERSIGN_JUDGE_DEPTH,
      nonce: () => randomBytes(16).toString('hex'),
      now: () => performance.now(),
      breakers: new Map(),
      tools: { sandbox: SANDBOX, redact, sha256, hidden: home === undefined ? [stateDirectory()] : [home, stateDirectory()] },
    },
    payload: { redact, sha256 },
    draw: (text) => drawnFrom(createHmac('sha256', SALT).update(text).digest('hex')),
    patienceMs: patienceMs ?? null,
    kept: null,
  }
}

/** With what is kept in the store: budgets, pauses, answers; and samples that every process draws alike. */
export function keptJudgeParts(options: JudgeOptions & { readonly home: string }, store: JudgeStore['store']): JudgeGateParts {
  const keys = () => loadKeys(options.home)
  const draw = (text: string): number => drawnFrom(keys().current.mac(`countersign/sample/v1\n${text}`))
  return { ...judgeParts(options), draw, kept: { store, keys } }
}

/** From 0 up to 1, of at least 12 hexadecimal digits. */
function drawnFrom(digits: string): number {
  return Number.parseInt(digits.slice(0, 12), 16) / 2 ** 48
}
