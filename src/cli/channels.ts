/** The channels of a gate on this machine: its clock, its environment, its resolver. */
import { lookup } from 'node:dns/promises'
import { type Channels, createChannels } from '../approvals/channels/index.ts'
import { redactJson } from '../audit/redact.ts'
import type { PolicyState } from '../gate.ts'
import type { GateStore } from '../open.ts'
import { loadKeys } from '../store/sqlite/keys.ts'

export interface ChannelsOptions {
  readonly home: string
  readonly store: GateStore
  readonly policy: (cwd: string | null) => PolicyState
}

export function openChannels({ home, store, policy }: ChannelsOptions): Channels {
  return createChannels({
    store,
    keys: () => loadKeys(home),
    policy: (cwd) => policy(cwd).policy,
    redact: (value) => redactJson(value).value,
    now: Date.now,
    ends: store.now,
    random: Math.random,
    env: (name) => process.env[name],
    resolve: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
  })
}
