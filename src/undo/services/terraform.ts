/**
 * The state of a Terraform workspace as it was before a call, asked of the client that the call runs. Putting a state back takes back what was done to
 * the state; what an apply made stays, and is a person's to take back (https://developer.hashicorp.com/terraform/cli/commands/state/push).
 */
import { hash } from 'node:crypto'
import { closeSync, fsyncSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Effect } from '../../core/effect.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { createSealed, piecesOf, type Vault } from '../sealed.ts'
import { runClient } from './program.ts'
import { type StackClient, stackClient } from './stacks.ts'

export interface TerraformState extends JsonObject {
  readonly cwd: string
  readonly client: StackClient
  readonly workspace: string
  /** True where the call changes infrastructure, and not the state alone. */
  readonly applies: boolean
  /** True where the call destroys infrastructure; absent: it does not. */
  readonly destroys?: boolean
  /** Its file among what is kept, and its bytes; null: there was no state. */
  readonly file: string | null
  readonly size: number
  readonly sha256: string | null
  /** Names one history of states: a state of another one is never put in its place. */
  readonly lineage: string | null
}

export interface TerraformParts {
  readonly vault: Vault
  readonly maxBytes: number
  /** Random hexadecimal digits of so many bytes. */
  readonly random: (bytes: number) => string
}

/** @throws where the client does not answer, or with what is no state. */
export async function captureStack(effect: Effect, cwd: string, parts: TerraformParts): Promise<TerraformState> {
  const client = stackClient(effect) ?? 'terraform'
  const destroys = effect.action === 'tf:destroy'
  return keep({ cwd, client, applies: destroys || effect.action === 'tf:apply', ...(destroys ? { destroys } : {}) }, parts)
}

async function keep(place: Pick<TerraformState, 'cwd' | 'client' | 'applies' | 'destroys'>, { vault, maxBytes, random }: TerraformParts) {
  const { workspace, text, state } = await now(place, maxBytes)
  const lineage = state === null ? null : String(state.lineage)
  if (state === null) return { ...place, workspace, file: null, size: 0, sha256: null, lineage }
  const file = `state-${random(12)}`
  const to = createSealed(vault)
  try {
    to.write(Buffer.from(text))
    fsyncSync(to.file)
    renameSync(to.path, join(vault.directory, file))
  } finally {
    closeSync(to.file)
    rmSync(to.path, { force: true })
  }
  return { ...place, workspace, file, size: Buffer.byteLength(text), sha256: hash('sha256', text), lineage }
}

/** The state of before the way back: the way back of the way back. */
export function stackNow({ cwd, client }: TerraformState, parts: TerraformParts): Promise<TerraformState> {
  return keep({ cwd, client, applies: false }, parts)
}

interface Now {
  readonly workspace: string
  readonly text: string
  /** Null: there is none. */
  readonly state: (JsonObject & { readonly serial: number }) | null
}

async function now({ cwd, client }: Pick<TerraformState, 'cwd' | 'client'>, maxBytes: number): Promise<Now> {
  const workspace = (await runClient([client, 'workspace', 'show'], { cwd, maxBytes })).trim()
  const text = await runClient([client, 'state', 'pull'], { cwd, maxBytes })
  return { workspace, text, state: text.trim() === '' ? null : stateIn(text, client) }
}

function stateIn(text: string, client: string): JsonObject & { readonly serial: number } {
  const read = JSON.parse(text) as Json
  const [lineage, serial] = isJsonObject(read) ? [own(read, 'lineage'), own(read, 'serial')] : []
  if (!isJsonObject(read) || typeof lineage !== 'string' || typeof serial !== 'number')
    throw new Error(`what \`${client} state pull\` answers is no state`)
  return { ...read, serial }
}

const MAX_STATE = 2 ** 28

/** The words that put the state back; a reason where that is not possible, null where it is as it was. */
export async function stackBack(kept: TerraformState, vault: Vault): Promise<readonly string[] | { readonly problem: string } | null> {
  if (kept.applies) return { problem: byHand(kept) }
  const { workspace, state } = await now(kept, MAX_STATE)
  if (workspace !== kept.workspace) return { problem: `the workspace is \`${workspace}\` now, and was \`${kept.workspace}\`` }
  if (kept.file === null) return state === null ? null : { problem: 'there was no state before; a person has to remove what is in it' }
  if (state !== null && state.lineage !== kept.lineage) return { problem: 'the workspace has a state of another history now' }
  const before = keptState(kept, vault)
  return state !== null && content(state) === content(stateIn(before, kept.client)) ? null : [kept.client, 'state', 'push', '-']
}

/** @throws where it is not what was kept. */
export function keptState({ file, sha256 }: TerraformState, vault: Vault): string {
  const text = Buffer.concat([...piecesOf(vault, file ?? '')]).toString('utf8')
  if (hash('sha256', text) !== sha256) throw new Error('what was kept of it is damaged')
  return text
}

function byHand({ client, file, destroys }: TerraformState): string {
  const where = file === null ? 'there was no state before' : 'the state of before: `countersign undo <id> --export <directory>`'
  if (destroys === true)
    return (
      `nothing brings back what was destroyed; a person makes it anew from the configuration with \`${client} apply\`, ` +
      `and its data from copies of their own; ${where}`
    )
  return `a person has to do it: apply the configuration of before with \`${client} apply\`; ${where}`
}

const content = ({ resources = null, outputs = null, check_results = null }: JsonObject): string =>
  JSON.stringify([resources, outputs, check_results])

/** As the next state of the same history: the client refuses one that is older than what is there. */
export async function pushStack(kept: TerraformState, words: readonly string[], vault: Vault): Promise<void> {
  const before = stateIn(keptState(kept, vault), kept.client)
  const { state } = await now(kept, MAX_STATE)
  const next = { ...before, serial: (state?.serial ?? before.serial) + 1 }
  await runClient(words, { cwd: kept.cwd, maxBytes: MAX_STATE, input: JSON.stringify(next) })
}
