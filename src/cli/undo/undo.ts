/** Takes back what a call did. For the operator: each way back is shown, judged by the gate as a call of its own, and stands in the log. */
import { resolve } from 'node:path'
import { auditShow } from '../../audit/log.ts'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { stateDirectory } from '../../open.ts'
import { laterIn } from '../../open-later.ts'
import {
  type Found,
  NothingKept,
  overlaps,
  type Plan,
  planOf,
  type Taken,
  takeBack,
  undoable,
  undoableBy,
  undoPartsOf,
  unkept,
} from '../../open-taking-back.ts'
import { loadKeys } from '../../store/sqlite/keys.ts'
import { openStore } from '../../store/sqlite/open.ts'
import { openCaptures } from '../../undo/captures.ts'
import { exportKept } from '../../undo/export.ts'
import type { UndoParts } from '../../undo/undo.ts'
import { loadInForce, openForCommand } from '../open.ts'
import { EXIT, print, UsageError, visible, warn } from '../terminal.ts'
import { userName } from '../user.ts'

type Log = ReturnType<typeof openStore>

interface UndoOptions {
  readonly last?: boolean
  readonly session?: string
  readonly list?: boolean
  readonly policy?: string
  readonly yes?: boolean
  readonly export?: string
  readonly json?: boolean
}

/** 0 taken back · 1 not all of it · 2 nothing to take back, or nobody to ask · 4 the gate denies it. */
export async function undo(id: string | undefined, options: UndoOptions): Promise<number> {
  const log = openStore({ directory: stateDirectory() })
  try {
    if (options.list === true) return list(log, options)
    return await undoEach(log, candidates(log, id, options), options)
  } catch (error) {
    throw error instanceof NothingKept ? new UsageError(error.message) : error
  } finally {
    log.close()
  }
}

/** What all ways back of one command share. */
interface Undoing {
  readonly parts: UndoParts
  readonly plan: (found: Found) => Promise<Plan>
  /** Opened with the first way back that is taken. */
  readonly opened: () => ReturnType<typeof openForCommand>
  readonly keepMs: number
  /** The call before the one that `--last` means: one that never ran stays the last. */
  readonly before: Found | null
}

async function undoEach(log: Log, chosen: readonly Found[], options: UndoOptions): Promise<number> {
  const [all, [before = null]] = options.last === true ? [chosen.slice(0, 1), chosen.slice(1)] : [chosen, []]
  const { policy } = loadInForce(options.policy ?? null)
  const parts = undoPartsOf(stateDirectory(), policy, (name) => process.env[name] ?? null)
  const later = laterIn(log, parts.store)
  let opened: ReturnType<typeof openForCommand> | null = null
  try {
    const code = await inTurn(all, options, {
      parts,
      plan: (found) => planOf(found, parts, later),
      opened: () => (opened ??= openForCommand({ policy: options.policy ?? null, record: true })),
      keepMs: policy?.undo?.keepMs ?? 7 * 86_400_000,
      before,
    })
    return left(log, options) ? code || EXIT.broken : code
  } finally {
    ;(opened as ReturnType<typeof openForCommand> | null)?.close()
  }
}

/** What was not taken back keeps everything before it on the same files from being taken back: they would be as they never were. */
async function inTurn(all: readonly Found[], options: UndoOptions, undoing: Undoing): Promise<number> {
  let code: number = EXIT.ok
  const open: Plan[] = []
  for (const found of all) {
    const plan = await undoing.plan(found)
    const before = open.find(({ capture }) => overlaps(capture, plan.capture))
    const result = before === undefined ? await undoOne(plan, options, undoing) : skipped(plan, before)
    if (code === EXIT.ok) code = result
    if (result !== EXIT.ok && isAnythingToDo(await undoing.plan(found))) open.push(plan)
  }
  return code
}

function skipped(plan: Plan, before: Plan): number {
  const { record } = plan
  for (const line of told(plan)) print(visible(line))
  warn(
    visible(
      `countersign: ${record.id} is not taken back: ${before.record.id} came later, changed some of the same, and was not taken back`,
    ),
  )
  return EXIT.broken
}

const isAnythingToDo = ({ steps }: Plan): boolean => steps.some(({ problem, lines }) => problem === null && lines.length > 0)

/** Calls of the session of which nothing is kept are said. True where there are some. */
function left(log: Log, { session, last, export: out }: UndoOptions): boolean {
  if (session === undefined || last === true || out !== undefined) return false
  const calls = unkept(log, { session, tenant: null })
  for (const { id, tool } of calls.slice(0, SHOWN))
    warn(visible(`countersign: nothing was kept of ${id} (${tool ?? 'no tool'}), which may have changed something`))
  if (calls.length > SHOWN) warn(`countersign: and of ${calls.length - SHOWN} more calls`)
  return calls.length > 0
}

function candidates(log: Log, id: string | undefined, { last, session }: UndoOptions): readonly Found[] {
  if (id !== undefined) return [undoableBy(auditShow(log, id, loadKeys(stateDirectory()).ring))]
  if (last !== true && session === undefined) throw new UsageError('say which call: an id of the log, --last, or --session <id>')
  const all = undoable(log, { tenant: null, ...(session === undefined ? {} : { session }) })
  if (all.length === 0) throw new UsageError('there is nothing that could be taken back')
  return all
}

function list(log: Log, { session, json }: UndoOptions): number {
  for (const { record, note } of undoable(log, { tenant: null, ...(session === undefined ? {} : { session }) })) {
    const ways = (Array.isArray(note.ways) ? note.ways : []).filter(isJsonObject)
    const names = ways.map(shown).join(', ')
    const line = { id: record.id, at: record.at, tool: record.tool, session: record.session, ...note }
    print(
      json === true
        ? JSON.stringify(line)
        : visible(`${record.id}  ${new Date(record.at).toISOString()}  ${record.tool ?? ''}  ${names}  ${saidBy(record)}`),
    )
  }
  return EXIT.ok
}

/** So much of the arguments is shown in a list, in UTF-16 units. */
const SHOWN_ARGUMENTS = 100

/** What a call says of itself: the one text that it holds, or its arguments as JSON. */
function saidBy({ body: { call } }: Found['record']): string {
  const args = isJsonObject(call) ? call.args : null
  const values = isJsonObject(args) ? Object.values(args) : []
  const said = values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(args ?? null)
  const text = said.replaceAll(/\s+/g, ' ')
  return text.length > SHOWN_ARGUMENTS ? `${text.slice(0, SHOWN_ARGUMENTS)}…` : text
}

function shown({ name, partial, linked }: JsonObject): string {
  const told = [
    ...(Array.isArray(partial) ? [`partial: not kept: ${partial.join('; ')}`] : []),
    ...(typeof linked === 'number' ? [`${linked} by a second name`] : []),
  ]
  return `${String(name)}${told.length === 0 ? '' : ` (${told.join('; ')})`}`
}

async function undoOne(plan: Plan, options: UndoOptions, { parts, opened, keepMs, before }: Undoing): Promise<number> {
  if (options.export !== undefined) return exported(plan, options.export, parts)
  for (const line of told(plan)) print(visible(line))
  const blocked = plan.steps.some(({ problem }) => problem !== null)
  if (!isAnythingToDo(plan)) {
    if (options.last === true && before !== null) warn(visible(`countersign: the call before it: \`countersign undo ${before.record.id}\``))
    return blocked ? EXIT.broken : EXIT.ok
  }
  if (options.yes !== true && !(await agreed())) return EXIT.usage
  const { gate, queue, store } = opened()
  const by = `human:${userName() ?? 'unknown'}`
  const answer = { tenant: null, by, verdict: 'approve', comment: 'asked for by `countersign undo`' } as const
  const agree = async (approval: string) => void (await queue.answer(approval, answer))
  return said(await takeBack(plan, { decide: gate.decide, agree, log: store, parts, keepMs, by }))
}

function exported({ capture }: Plan, directory: string, { store }: UndoParts): number {
  const files = exportKept(capture, resolve(directory), store.vault)
  if (files.length === 0) throw new UsageError('nothing of this call is exported: only dumps, states and objects of a cluster are')
  for (const file of files) print(visible(file))
  return EXIT.ok
}

function said(taken: Taken): number {
  if (taken.refused !== null) {
    warn(visible(`countersign: the gate does not let it be taken back: ${taken.refused}`))
    return EXIT.deny
  }
  for (const problem of taken.problems) warn(visible(`countersign: ${problem}`))
  const all = taken.problems.length === 0 && taken.whole
  print(`${all ? 'taken back' : 'not all of it is taken back'}; record ${taken.id}`)
  return all ? EXIT.ok : EXIT.broken
}

function told({ record, steps }: Plan): readonly string[] {
  return [
    `${record.id}  ${record.tool ?? ''}  ${new Date(record.at).toISOString()}`,
    ...steps.flatMap(({ way, lines, problem, cannot }) => [
      `${way.name}:`,
      ...(problem === null ? [] : [`  not possible here: ${problem}`]),
      ...(problem === null && lines.length === 0 ? ['  it is as it was already'] : []),
      ...lines.slice(0, SHOWN).map((line) => `  ${line}`),
      ...(lines.length > SHOWN ? [`  and ${lines.length - SHOWN} more`] : []),
      ...(cannot === '' ? [] : [`  cannot take back: ${cannot}`]),
    ]),
  ]
}

const SHOWN = 200

async function agreed(): Promise<boolean> {
  if (!process.stdin.isTTY) throw new UsageError('nobody can be asked here; run it again with --yes')
  const { confirm } = await import('@clack/prompts')
  return (await confirm({ message: 'Take this back?', initialValue: false })) === true
}

export async function gc({ policy }: { readonly policy?: string }): Promise<number> {
  const section = loadInForce(policy ?? null).policy?.undo ?? null
  const gone = await openCaptures(stateDirectory()).collect(Date.now(), section?.totalBytes ?? Number.MAX_SAFE_INTEGER)
  print(gone === 0 ? 'nothing had ended' : `${gone} captures are gone`)
  return EXIT.ok
}
