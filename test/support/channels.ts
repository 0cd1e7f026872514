/** A real gate over a real store with the channels of a policy, and a clock that the test moves. */
import { rmSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { type Channels, type ChannelsParts, createChannels } from '../../src/approvals/channels/index.ts'
import { type Keyed, readApproval, type StoredApproval } from '../../src/approvals/store.ts'
import { redactJson } from '../../src/audit/redact.ts'
import type { ToolCall } from '../../src/core/call.ts'
import type { Decision } from '../../src/core/decision.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { Preview } from '../../src/core/preview.ts'
import { type OpenedGate, openGate } from '../../src/open.ts'
import type { Policy } from '../../src/policy/policy.ts'
import { loadKeys } from '../../src/store/sqlite/keys.ts'
import { type CallChanges, callOf } from './calls.ts'

import { newStateDirectory } from './state-base.ts'
import { describedView, policyOf } from './workplace.ts'

export interface World {
  /** What previews of calls show; null: there are none. */
  preview: Preview | null
  readonly home: string
  readonly opened: OpenedGate
  readonly channels: Channels
  /** Moves the clock of the channels. */
  readonly later: (milliseconds: number) => void
  readonly now: () => number
  readonly decide: (call: ToolCall) => Promise<Decision>
  /** Decides a call that has to wait, and answers its approval. */
  readonly asks: (call: ToolCall) => Promise<StoredApproval>
  readonly stored: (id: string) => StoredApproval
  readonly keys: () => Keyed
  /** A second set of channels over the same store, as another process has. */
  readonly other: (changes?: Partial<ChannelsParts>) => Channels
  /** Bodies of the notes about channels in the log, in order. */
  readonly notes: () => readonly JsonObject[]
  readonly use: (policy: Policy) => void
}

export interface WorldOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly parts?: Partial<ChannelsParts>
}

/** `section`: YAML below the base policy. */
export function world(section: string, { env = {}, parts = {} }: WorldOptions = {}): World {
  const home = newStateDirectory()
  let policy = policyOf(section)
  let offset = 0
  const opened = openGate({
    home,
    policy: () => ({ policy, degraded: null }),
    view: () => describedView({}),
    preview: async () => made.preview,
  })
  const keys = (): Keyed => loadKeys(home)
  const now = (): number => Date.now() + offset
  const all = (changes: Partial<ChannelsParts> = {}): Channels =>
    createChannels({
      store: opened.store,
      keys,
      policy: () => policy,
      redact: (value) => redactJson(value).value,
      now,
      random: () => 0,
      env: (name) => env[name],
      resolve: async () => ['127.0.0.1'],
      ...parts,
      ...changes,
    })
  const channels = all()
  onTestFinished(async () => {
    await channels.stop()
    opened.close()
    rmSync(home, { recursive: true, force: true })
  })
  const stored = (id: string): StoredApproval => {
    const found = opened.store.query((tx) => readApproval(tx, id, keys().ring))
    if (found === null) throw new Error(`there is no ${id}`)
    return found
  }
  const made: World = {
    preview: null,
    home,
    opened,
    channels,
    now,
    later: (milliseconds) => {
      offset += milliseconds
    },
    decide: (call) => opened.gate.decide(call),
    asks: async (call) => {
      const { approval, decision, reason } = await opened.gate.decide(call)
      if (approval === null) throw new Error(`${decision}: ${reason}`)
      return stored(approval.id)
    },
    stored,
    keys,
    other: all,
    notes: () => [...(opened.store.read({ kind: 'note' }) as Iterable<{ body: JsonObject }>)].map(({ body }) => body),
    use: (next) => {
      policy = next
    },
  }
  return made
}

/** With a task of the operator, which no channel may be the place to read. */
export const bash = (command: string, changes?: CallChanges): ToolCall =>
  callOf('Bash', { command }, { context: { task: 'the task of the operator', recent: [] }, ...changes })
