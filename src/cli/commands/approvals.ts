/** The inbox in a terminal: what waits for a person, one call in full, and the answers. For the operator, never for the agent. */
import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { NoApproval, type Outcome } from '../../approvals/answer.ts'
import { type ApprovalQueue, createApprovalQueue, type GivenAnswer, MAX_IN_A_BATCH, refusedAsOther } from '../../approvals/queue.ts'
import type { StoredApproval } from '../../approvals/store.ts'
import { approvalView } from '../../approvals/view.ts'
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import { readJson } from '../../ingress/json.ts'
import { stateDirectory } from '../../open.ts'
import { readDuration } from '../../policy/contracts/dates.ts'
import { loadKeys } from '../../store/sqlite/keys.ts'
import { openStore } from '../../store/sqlite/open.ts'
import { approvalInFull, approvalLine, groupLines, haste, plainJson } from '../approvals-text.ts'
import { openForCommand } from '../open.ts'
import { previewLines } from '../preview/lines.ts'
import { EXIT, print, UsageError, visible, warn } from '../terminal.ts'

const MOST = 1_000

/** Whoever runs this command reads the store anyway: of every tenant. */
const EVERYONE = { tenant: null } as const

/** `approvals list`: what waits or may be used, soonest end first; `--all` shows what is over, too. */
export async function list(options: { json?: boolean; all?: boolean; session?: string }): Promise<number> {
  return withQueue(false, async (queue) => {
    const which = options.all === true ? {} : ({ status: 'open' } as const)
    const session = options.session === undefined ? {} : { session: options.session }
    const { approvals, more } = queue.list({ ...EVERYONE, ...which, ...session, limit: MOST })
    for (const approval of approvals) print(options.json === true ? plainJson(approvalView(approval)) : visible(approvalLine(approval)))
    if (options.json === true) return EXIT.ok
    if (approvals.length === 0) print('nothing waits for a person')
    for (const line of groupLines(approvals)) print(visible(line))
    if (more) warn(`countersign: these are the first ${MOST}; there are more`)
    const hasty = haste(approvals)
    if (hasty !== null) warn(`countersign: ${hasty}`)
    return EXIT.ok
  })
}

function printInFull(approval: StoredApproval): void {
  for (const text of approvalInFull(approval)) print(visible(text))
  const { preview } = approval.sheet
  if (!isJsonObject(preview)) return
  print('preview      seen without running the call')
  for (const line of previewLines(preview)) print(`  ${line}`)
}

/** `approvals show`: one call in full, with every control and invisible character written out (T24). */
export async function show(id: string, options: { json?: boolean }): Promise<number> {
  return withQueue(false, async (queue) => {
    const approval = queue.show(id, EVERYONE)
    if (approval === null) throw new NoApproval(`there is no approval \`${id}\``)
    if (options.json === true) print(plainJson(approvalView(approval), 2))
    else printInFull(approval)
    return EXIT.ok
  })
}

export interface AnswerOptions {
  readonly reason?: string
  readonly comment?: string
  readonly breakGlass?: boolean
  readonly scope?: string
  readonly args?: string
  /** As written. */
  readonly seen?: string
  /** Every call was looked at by itself, so they need not be alike. */
  readonly each?: boolean
  readonly json?: boolean
}

/** `approvals approve`: a yes of the person at this terminal, to each of these calls. */
export function approve(ids: readonly string[], options: AnswerOptions): Promise<number> {
  const scope = options.scope === undefined ? {} : { scope: scopeFrom(options.scope) }
  const changed = options.args === undefined ? {} : { modifiedArguments: argumentsFrom(options.args) }
  if (options.args !== undefined && ids.length > 1) throw new UsageError('`--args` is for one call')
  return answer(ids, { verdict: 'approve', breakGlass: options.breakGlass === true, ...scope, ...changed }, options)
}

/** `approvals deny`: a no, which beats every yes until the call ran. */
export function deny(ids: readonly string[], options: AnswerOptions): Promise<number> {
  return answer(ids, { verdict: 'deny' }, options)
}

type Said = Pick<GivenAnswer, 'verdict' | 'breakGlass' | 'scope' | 'modifiedArguments'>

async function answer(ids: readonly string[], said: Said, options: AnswerOptions): Promise<number> {
  if (ids.length > MAX_IN_A_BATCH) throw new UsageError(`at most ${MAX_IN_A_BATCH} calls are answered at once`)
  const seen = options.seen === undefined ? {} : { version: versionFrom(options.seen) }
  const given = { ...EVERYONE, by: `human:${userInfo().username}`, comment: options.comment ?? options.reason ?? '', ...said, ...seen }
  return withQueue(said.modifiedArguments !== undefined || said.scope === 'apply', async (queue) => {
    let exit: number = EXIT.ok
    const [firstId] = ids
    const first = options.each === true || firstId === undefined ? null : queue.show(firstId, EVERYONE)
    for (const id of new Set(ids)) {
      const found = first === null ? null : queue.show(id, EVERYONE)
      const other = refusedAsOther(found, first, said.verdict)
      const outcome: Outcome =
        found === null || other === null ? await queue.answer(id, given) : { approval: found, happened: [], refused: other, grant: null }
      report(outcome, options)
      if (outcome.refused !== null) exit = EXIT.deny
      else if (outcome.happened.includes('amended')) exit = EXIT.ask
    }
    return exit
  })
}

function report({ approval, refused, happened, grant }: Outcome, { json = false }: AnswerOptions): void {
  const amended = happened.includes('amended')
  if (json) print(plainJson(approvalView(approval)))
  else if (amended) printInFull(approval)
  else print(visible(approvalLine(approval)))
  if (refused !== null) warn(`countersign: not taken: ${visible(refused.message)} (${refused.code})`)
  const { applied } = approval
  if (applied !== null && applied.problem === null && refused === null)
    warn(`countersign: the changes of the preview are made; \`countersign undo ${applied.record}\` takes them back`)
  if (grant !== null)
    warn(
      `countersign: grant ${grant.id} for ${visible(grant.action)} was handed out; \`countersign grants revoke ${grant.id}\` takes it back`,
    )
  if (!amended) return
  warn(
    `countersign: nothing is approved yet; to agree to the changed call: countersign approvals approve ${approval.id} --seen ${approval.version}`,
  )
}

/** `approvals wait`: until somebody answered or its time is over. Exit 0 approved or used, 3 still waiting, 4 anything else. */
export async function wait(id: string, options: { timeout?: string; json?: boolean }): Promise<number> {
  const time = options.timeout === undefined ? undefined : readDuration(options.timeout)
  if (options.timeout !== undefined && time === undefined) throw new UsageError(`\`${options.timeout}\` is no time; write it as 30s or 5m`)
  return withQueue(false, async (queue) => {
    const signal = time === undefined ? {} : { signal: AbortSignal.timeout(Math.min(time, LONGEST_TIMER)) }
    const approval = await queue.wait(id, { ...EVERYONE, ...signal })
    print(options.json === true ? plainJson(approvalView(approval)) : visible(approvalLine(approval)))
    return exitOf(approval)
  })
}

/** Of timers, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1

function exitOf({ status }: StoredApproval): number {
  if (status === 'pending') return EXIT.ask
  return status === 'approved' || status === 'consumed' ? EXIT.ok : EXIT.deny
}

/** `deciding`: the queue has to decide changed calls, and so needs a gate. */
async function withQueue(deciding: boolean, work: (queue: ApprovalQueue) => Promise<number>): Promise<number> {
  const { queue, close } = deciding ? openForCommand({ policy: null, record: true }) : plainQueue()
  try {
    return await work(queue)
  } catch (error) {
    if (error instanceof NoApproval) throw new UsageError(`${visible(error.message)}; \`countersign approvals list\` shows them all`)
    throw error
  } finally {
    close()
  }
}

/** Answers, but decides no call: the arguments of a call cannot be changed by it. */
export function plainQueue(): { readonly queue: ApprovalQueue; readonly close: () => void } {
  const store = openStore({ directory: stateDirectory() })
  return { queue: createApprovalQueue({ store, keys: () => loadKeys(stateDirectory()) }), close: () => store.close() }
}

/** `once`, `session`, `apply`, or the JSON of a grant as `approvals show` writes it. */
function scopeFrom(text: string): Json {
  if (text === 'once' || text === 'session' || text === 'apply') return text
  const read = readJson(text)
  if (read.ok && isJsonObject(read.value)) return read.value
  throw new UsageError('`--scope` takes once, session, apply, or a grant as `countersign approvals show` writes it')
}

/** The arguments in a file; those that are as shown are left alone. */
function argumentsFrom(path: string): JsonObject {
  const read = readJson(new Uint8Array(bytesOf(path)))
  if (!read.ok) throw new UsageError(`\`${path}\` holds no JSON: ${read.refusal.message}`)
  if (!isJsonObject(read.value)) throw new UsageError(`\`${path}\` holds no JSON object`)
  return read.value
}

function bytesOf(path: string): Uint8Array {
  try {
    return readFileSync(path === '-' ? 0 : path)
  } catch (error) {
    throw new UsageError(`\`${path}\` cannot be read: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function versionFrom(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`\`${text}\` is no version; \`countersign approvals show\` tells it`)
}
