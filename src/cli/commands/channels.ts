/** What approval channels still have to be told, what arrived, and what was given up. For the operator, never for the agent. */
import type { Channels } from '../../approvals/channels/index.ts'
import type { OutboxRow } from '../../approvals/channels/outbox.ts'
import type { JsonObject } from '../../core/json.ts'
import { stateDirectory } from '../../open.ts'
import { watchPolicies } from '../../policy/watch.ts'
import { openStore } from '../../store/sqlite/open.ts'
import { openChannels } from '../channels.ts'
import { policyFileOptions } from '../open.ts'
import { EXIT, print, visible, warn } from '../terminal.ts'

const MOST = 1_000

/** `channels status`: exit 1 where something was given up. */
export async function status(options: { json?: boolean }): Promise<number> {
  return withChannels({}, async (channels) => {
    const rows = channels.rows(MOST)
    for (const row of rows) print(options.json === true ? JSON.stringify(toJson(row)) : visible(line(row)))
    if (rows.length === 0 && options.json !== true) print('no channel was ever to be told anything')
    return rows.some(({ state }) => state === 'dead') ? EXIT.broken : EXIT.ok
  })
}

interface PolicyOptions {
  readonly policy?: string
}

/** `channels deliver`: one round. */
export async function deliver(options: PolicyOptions): Promise<number> {
  return withChannels(options, async (channels) => {
    const tried = await channels.drain()
    await channels.stop()
    print(
      tried === 0
        ? 'nothing is due'
        : `${tried} ${tried === 1 ? 'message' : 'messages'} tried; \`countersign channels status\` says how it went`,
    )
    return EXIT.ok
  })
}

/** `channels retry`. */
export async function retry(id: string, options: PolicyOptions): Promise<number> {
  return withChannels(options, async (channels) => {
    if (await channels.retry(id)) {
      print(`${visible(id)} waits to be sent`)
      return EXIT.ok
    }
    warn(`countersign: \`${visible(id)}\` was not given up; \`countersign channels status\` lists what was`)
    return EXIT.usage
  })
}

async function withChannels(options: PolicyOptions, work: (channels: Channels) => Promise<number>): Promise<number> {
  const home = stateDirectory()
  const watched = watchPolicies(policyFileOptions(options.policy ?? null))
  const store = openStore({ directory: home })
  try {
    return await work(openChannels({ home, store, policy: watched.current }))
  } finally {
    store.close()
    watched.stop()
  }
}

function line({ id, channel, phase, state, attempts, dueAt, error }: OutboxRow): string {
  const next = state === 'waiting' ? `next ${instant(dueAt)}` : ''
  return [id, channel, phase, state, attempts === 0 ? '' : `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`, next, error ?? '']
    .filter((part) => part !== '')
    .join('  ')
}

function toJson({ id, approval, channel, phase, state, attempts, dueAt, complete, error, createdAt }: OutboxRow): JsonObject {
  const [due, created] = [instant(dueAt), instant(createdAt)]
  return { id, approval, channel, phase, state, attempts, due_at: due, shown: complete, error, created_at: created }
}

function instant(time: number): string {
  return new Date(time).toISOString()
}
