/** What the server needs of this machine. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { auditVerifyInSlices, type Elsewhere } from '../audit/log.ts'
import type { Json } from '../core/json.ts'
import { createDeliveries } from '../hosts/deliveries.ts'
import { bytesDigest, digester, type OpenedGate } from '../open.ts'
import type { LookElsewhere } from '../open-results.ts'
import { NO_THREADS, type Threads } from '../server/apart/forward.ts'
import { VERIFY } from '../server/apart/message.ts'
import type { AppParts } from '../server/app.ts'
import { readAssets } from '../server/assets.ts'
import { loadKeys } from '../store/sqlite/keys.ts'
import { deliveriesOf } from './deliveries.ts'
import { copiesOf, elsewhere } from './head-copies.ts'
import { policyTools } from './policy-tools.ts'
import { landApart, recordResult } from './results.ts'
import { recordPrompt, withWords } from './session-words.ts'
import { warn } from './terminal.ts'
import { userName } from './user.ts'
import { packageVersion } from './version.ts'

/** Milliseconds that the daemon waits for a hook that began before it was there: it is nearly done, and the next one waits for us. */
const WAIT_MS = 2_000

export interface PartsOptions {
  readonly home: string
  readonly policy: AppParts['policy']
  /** Default: none, and everything is done on this thread. */
  readonly threads?: Threads
  /** Where large results are looked through; default here. */
  readonly look?: LookElsewhere | null
}

/** What deciding over HTTP needs, on whichever thread. */
export function callParts(
  opened: OpenedGate,
  { home, policy, look = null }: PartsOptions,
): Pick<AppParts, 'gate' | 'digester' | 'hook' | 'home' | 'policy'> {
  return {
    gate: opened.gate,
    digester,
    hook: {
      gate: opened.gate,
      digest: bytesDigest,
      definitionDigest: digester.definitionDigest,
      limits: opened.limits,
      deadline: opened.deadline,
      user: userName(),
      prompt: (event) => recordPrompt(opened, event),
      withWords: (call) => withWords(opened, call, opened.asksJudges(call.cwd)),
      result: (event, handover = null) => recordResult(opened, event, { handover, look }),
      deliveries: createDeliveries({ elsewhere: deliveriesOf(opened, { home, waitMs: WAIT_MS }) }),
    },
    home,
    policy,
  }
}

/** What the server needs, but for its address. */
export function appParts(opened: OpenedGate, options: PartsOptions): Omit<AppParts, 'base'> {
  const { home, policy, threads = NO_THREADS } = options
  return {
    ...callParts(opened, options),
    unready: () => {
      const state = policy()
      return state.policy === null ? state.error : null
    },
    version: packageVersion(),
    store: opened.store,
    keys: () => loadKeys(home),
    reviewing: opened.reviewing,
    threads,
    landApart: (returned) => landApart(opened, returned),
    note: (line) => warn(`countersign: ${line}`),
    policies: policyTools(() => policy().policy?.path ?? null),
    verify: async () => {
      const standing = policy().policy
      const copies = standing === null ? null : copiesOf(standing, loadKeys(home).ring)
      const told = await elsewhere(Promise.resolve(copies), home)
      return threads.looks === null ? verifyLog(home, told) : threads.looks.ask<Json>(VERIFY, told)
    },
    assets: readAssets(consoleDirectory()),
  }
}

/** The verify report of the log, as JSON. */
export async function verifyLog(home: string, copies: Elsewhere): Promise<Json> {
  return JSON.parse(JSON.stringify(await auditVerifyInSlices({ directory: home, copies, summarise: true }))) as Json
}

/** Beside the command line once it is built, below `dist` where the sources run. */
function consoleDirectory(): string {
  const beside = fileURLToPath(new URL('../console/', import.meta.url))
  return existsSync(beside) ? beside : fileURLToPath(new URL('../../dist/console/', import.meta.url))
}
