/** The inbox in a terminal: what waits for a person, one call in full, and the answers. For the operator, never for the agent. */
import { userInfo } from 'node:os'
import { answerApproval, NoApproval } from '../../approvals/answer.ts'
import { advance, approvals as countOf, currentApprover } from '../../approvals/machine.ts'
import { type Keyed, listApprovals, readApproval, type StoredApproval } from '../../approvals/store.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import { isJsonObject, own } from '../../core/json.ts'
import { stateDirectory } from '../../open.ts'
import { readDuration } from '../../policy/contracts/dates.ts'
import { loadKeys } from '../../store/sqlite/keys.ts'
import { type EmbeddedStore, openStore } from '../../store/sqlite/open.ts'
import { EXIT, print, UsageError, visible, warn } from '../terminal.ts'

const MOST = 1_000
const POLL = 200

/** `approvals list`: what waits or may be used, soonest end first; `--all` shows what is over, too. */
export async function list(options: { json?: boolean; all?: boolean }): Promise<number> {
  return withInbox(async ({ store, keys }) => {
    const found = store.query((tx) => listApprovals(tx, { ring: keys.ring, open: options.all !== true, limit: MOST })).map(asOfNow)
    const shown = options.all === true ? found : found.filter(({ status }) => status === 'pending' || status === 'approved')
    for (const approval of shown) print(options.json === true ? JSON.stringify(toJson(approval)) : visible(line(approval)))
    if (shown.length === 0 && options.json !== true) print('nothing waits for a person')
    return EXIT.ok
  })
}

/** `approvals show`: one call in full, with every control and invisible character written out (T24). */
export async function show(id: string, options: { json?: boolean }): Promise<number> {
  return withInbox(async ({ store, keys }) => {
    const approval = one(store, keys, id)
    if (options.json === true) print(JSON.stringify(toJson(approval), null, 2))
    else for (const text of inFull(approval)) print(visible(text))
    return EXIT.ok
  })
}

export interface AnswerOptions {
  readonly reason?: string
  readonly breakGlass?: boolean
  readonly json?: boolean
}

/** `approvals approve`: a yes of the person at this terminal. */
export function approve(id: string, options: AnswerOptions): Promise<number> {
  return answer(id, 'approve', options)
}

/** `approvals deny`: a no, which beats every yes until the call ran. */
export function deny(id: string, options: AnswerOptions): Promise<number> {
  return answer(id, 'deny', options)
}

async function answer(id: string, kind: 'approve' | 'deny', options: AnswerOptions): Promise<number> {
  return withInbox(async ({ store, keys }) => {
    const said = { at: Date.now(), by: `human:${userInfo().username}`, reason: options.reason ?? '' }
    const event = kind === 'approve' ? { kind, ...said, breakGlass: options.breakGlass === true } : { kind, ...said }
    const { approval, refused } = await answerApproval(id, event, { store, keys })
    print(options.json === true ? JSON.stringify(toJson(approval)) : visible(line(approval)))
    if (refused === null) return EXIT.ok
    warn(`countersign: not taken: ${visible(refused.message)} (${refused.code})`)
    return EXIT.deny
  })
}

/** `approvals wait`: until somebody answered or its time is over. Exit 0 approved or used, 3 still waiting, 4 anything else. */
export async function wait(id: string, options: { timeout?: string; json?: boolean }): Promise<number> {
  const time = options.timeout === undefined ? undefined : readDuration(options.timeout)
  if (options.timeout !== undefined && time === undefined) throw new UsageError(`\`${options.timeout}\` is no time; write it as 30s or 5m`)
  const end = performance.now() + (time ?? Number.POSITIVE_INFINITY)
  return withInbox(async ({ store, keys }) => {
    let approval = one(store, keys, id)
    while (approval.status === 'pending' && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, POLL))
      approval = one(store, keys, id)
    }
    print(options.json === true ? JSON.stringify(toJson(approval)) : visible(line(approval)))
    if (approval.status === 'pending') return EXIT.ask
    return approval.status === 'approved' || approval.status === 'consumed' ? EXIT.ok : EXIT.deny
  })
}

interface Inbox {
  readonly store: EmbeddedStore
  readonly keys: Keyed
}

async function withInbox(work: (inbox: Inbox) => Promise<number>): Promise<number> {
  const store = openStore({ directory: stateDirectory() })
  try {
    return await work({ store, keys: loadKeys(stateDirectory()) })
  } catch (error) {
    if (error instanceof NoApproval) throw new UsageError(`${visible(error.message)}; \`countersign approvals list\` shows them all`)
    throw error
  } finally {
    store.close()
  }
}

function one(store: EmbeddedStore, keys: Keyed, id: string): StoredApproval {
  const found = store.query((tx) => readApproval(tx, id, keys.ring))
  if (found === null) throw new NoApproval(`there is no approval \`${id}\``)
  return asOfNow(found)
}

/** With the clocks counted up to now; what ended is written when somebody next touches it. */
function asOfNow(approval: StoredApproval): StoredApproval {
  return { ...approval, ...advance(approval, { kind: 'look', at: Date.now() }).approval }
}

function toJson(approval: StoredApproval): JsonObject {
  const { id, status, session, tenant, createdAt, approveBy, useBy, terms, answers, sheet } = approval
  return {
    id,
    status,
    session: session === '' ? null : session,
    tenant: tenant === '' ? null : tenant,
    created_at: instant(createdAt),
    approve_by: instant(approveBy),
    use_by: useBy === null ? null : instant(useBy),
    quorum: terms.quorum,
    approved: countOf(approval),
    approvers: terms.approvers,
    excluded: terms.excluded,
    requires_approval_from: terms.chain,
    current_approver: currentApprover(approval),
    answers: answers.map(({ by, verdict, reason, at, breakGlass }) => ({ by, verdict, reason, at: instant(at), break_glass: breakGlass })),
    ...sheet,
  }
}

function line(approval: StoredApproval): string {
  const { id, status, terms, sheet, approveBy, useBy } = approval
  const yes = terms.quorum > 1 || terms.chain.length > 0 ? `${countOf(approval)}/${Math.max(terms.quorum, terms.chain.length)}` : ''
  const next = status === 'pending' ? currentApprover(approval) : null
  const end = status === 'pending' ? `until ${instant(approveBy)}` : status === 'approved' ? `use until ${instant(useBy ?? 0)}` : ''
  return [id, status, yes, next === null ? '' : `next ${next}`, end, `${String(sheet.tool)} ${argsOf(sheet)}`, String(sheet.code)]
    .filter((part) => part !== '')
    .join('  ')
}

function argsOf({ call }: JsonObject): string {
  const args = isJsonObject(call) ? own(call, 'args') : null
  return JSON.stringify(args ?? null)
}

function inFull(approval: StoredApproval): readonly string[] {
  const { sheet, binding, answers } = approval
  const args = argsOf(sheet)
  return [
    line(approval),
    `asked by     ${binding.principal}`,
    `session      ${binding.session ?? 'none'}`,
    `directory    ${binding.cwd ?? 'none'}`,
    `why          ${String(sheet.reason)} (${String(sheet.code)})`,
    `digest       ${typeof sheet.digest === 'string' ? sheet.digest : 'left out, because a secret was taken out of the call'}`,
    `arguments    ${args.length} characters`,
    ...pretty(isJsonObject(sheet.call) ? (own(sheet.call, 'args') ?? null) : null),
    ...effectsOf(sheet.effects ?? []),
    ...answers.map(
      ({ by, verdict, reason, at, breakGlass }) =>
        `answer       ${instant(at)} ${by}: ${verdict}${breakGlass ? ' (glass broken)' : ''} ${reason}`,
    ),
  ]
}

function pretty(value: Json): readonly string[] {
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((text) => `  ${text}`)
}

function effectsOf(effects: Json): readonly string[] {
  if (!Array.isArray(effects)) return []
  return effects.filter(isJsonObject).map(({ verb, action, target, reversible }) => {
    const value = isJsonObject(target) ? own(target, 'value') : null
    return `would        ${String(action ?? verb)} ${JSON.stringify(value ?? null)}${reversible === false ? ', which cannot be undone' : ''}`
  })
}

function instant(time: number): string {
  return new Date(time).toISOString()
}
