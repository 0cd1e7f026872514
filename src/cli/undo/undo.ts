/** Takes back what a call did. For the operator: each way back is shown, judged by the gate as a call of its own, and stands in the log. */
import { hash, randomBytes } from 'node:crypto'
import { auditShow } from '../../audit/log.ts'
import { eventRecord } from '../../audit/record.ts'
import type { ToolCall } from '../../core/call.ts'
import { isJsonObject, type JsonObject, own } from '../../core/json.ts'
import { runs } from '../../core/verdict.ts'
import { type OpenedGate, stateDirectory } from '../../open.ts'
import { loadKeys } from '../../store/sqlite/keys.ts'
import { openStore } from '../../store/sqlite/open.ts'
import type { StoredRecord } from '../../store/store.ts'
import { type Capture, type CaptureStore, captureIn, openCaptures } from '../../undo/captures.ts'
import { keepCurrent, type Step, stepsOf, take, type UndoParts } from '../../undo/undo.ts'
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
  readonly json?: boolean
}

/** A record of something that can be taken back. */
interface Found {
  readonly record: StoredRecord
  readonly note: JsonObject
}

/** 0 taken back · 1 not all of it · 2 nothing to take back, or nobody to ask · 4 the gate denies it. */
export async function undo(id: string | undefined, options: UndoOptions): Promise<number> {
  const log = openStore({ directory: stateDirectory() })
  try {
    if (options.list === true) return list(log, options)
    const captures = openCaptures(stateDirectory())
    let code: number = EXIT.ok
    for (const found of chosen(log, id, options)) {
      const result = await undoOne(found, { log, captures, options })
      if (result !== EXIT.ok) code = result
    }
    return code
  } finally {
    log.close()
  }
}

/** Newest first; what was taken back already is left out. */
function undoable(log: Log, session?: string): readonly Found[] {
  const at = session === undefined ? {} : { session }
  const notes = [...(log.read({ kind: 'note', newestFirst: true, limit: MOST, text: 'undo' }) as Iterable<StoredRecord>)]
  const taken = new Set(notes.map(({ body }) => own(undoOf(body) ?? {}, 'of')).filter((of) => typeof of === 'string'))
  const decisions = log.read({ kind: 'decision', newestFirst: true, limit: MOST, text: 'und', ...at }) as Iterable<StoredRecord>
  return [...decisions].flatMap((record) => {
    const note = undoOf(record.body)
    return note === null || typeof own(note, 'id') !== 'string' || taken.has(record.id) ? [] : [{ record, note }]
  })
}

const MOST = 10_000

function undoOf(body: JsonObject): JsonObject | null {
  const decision = own(body, 'decision')
  const note = own(isJsonObject(decision) ? decision : body, 'undo')
  return isJsonObject(note) ? note : null
}

function chosen(log: Log, id: string | undefined, { last, session }: UndoOptions): readonly Found[] {
  if (id !== undefined) {
    const shown = auditShow(log, id, loadKeys(stateDirectory()).ring)
    const note = shown === null ? null : undoOf(shown.record.body)
    if (shown === null || note === null)
      throw new UsageError(`nothing was kept for \`${visible(id)}\`; \`countersign undo --list\` shows what was`)
    if (!shown.intact) throw new UsageError(`the record ${shown.record.id} is not as it was written: \`countersign audit verify\``)
    return [{ record: shown.record, note }]
  }
  if (last !== true && session === undefined) throw new UsageError('say which call: an id of the log, --last, or --session <id>')
  const all = undoable(log, session)
  if (all.length === 0) throw new UsageError('there is nothing that could be taken back')
  return last === true ? all.slice(0, 1) : all
}

function list(log: Log, { session, json }: UndoOptions): number {
  for (const { record, note } of undoable(log, session)) {
    const ways = (Array.isArray(note.ways) ? note.ways : []).filter(isJsonObject)
    const names = ways.map((way) => `${String(way.name)}${Array.isArray(way.partial) ? ' (partial)' : ''}`).join(', ')
    const line = { id: record.id, at: record.at, tool: record.tool, session: record.session, ...note }
    print(
      json === true ? JSON.stringify(line) : visible(`${record.id}  ${new Date(record.at).toISOString()}  ${record.tool ?? ''}  ${names}`),
    )
  }
  return EXIT.ok
}

interface Undoing {
  readonly log: Log
  readonly captures: CaptureStore
  readonly options: UndoOptions
}

async function undoOne({ record, note }: Found, { captures, options }: Undoing): Promise<number> {
  const capture = captureOf(note, captures)
  const section = loadInForce(options.policy ?? null).policy?.undo ?? null
  const parts = { store: captures, ways: section ?? { databases: [] }, variable: (name: string) => process.env[name] ?? null }
  const steps = await stepsOf(capture, parts)
  for (const line of told(record, steps)) print(visible(line))
  const todo = steps.filter(({ problem, lines }) => problem === null && lines.length > 0)
  const blocked = steps.some(({ problem }) => problem !== null)
  if (todo.length === 0) return blocked ? EXIT.broken : EXIT.ok
  if (options.yes !== true && !(await agreed())) return EXIT.usage
  const opened = openForCommand({ policy: options.policy ?? null, record: true })
  try {
    for (const step of todo) {
      const said = await throughGate(opened, callOf(step, { record, capture }))
      if (said === null) continue
      warn(visible(`countersign: the gate does not let it be taken back: ${said}`))
      return EXIT.deny
    }
    const { note: kept, problems } = await run(todo, { parts, keepMs: section?.keepMs ?? 7 * 86_400_000 })
    const body = {
      undo: { ...kept, of: record.id, steps: todo.map(({ way, lines }) => ({ name: way.name, lines: lines.slice(0, 100) })), problems },
    }
    const event = {
      kind: 'note' as const,
      session: record.session,
      tenant: record.tenant,
      tool: 'countersign_undo',
      decision: null,
      code: null,
    }
    const receipt = await opened.store.append(eventRecord({ ...event, at: opened.store.now(), body }))
    for (const problem of problems) warn(visible(`countersign: ${problem}`))
    print(`${problems.length === 0 ? 'taken back' : 'not all of it is taken back'}; record ${receipt.id}`)
    return problems.length === 0 && !blocked ? EXIT.ok : EXIT.broken
  } finally {
    opened.close()
  }
}

/** @throws {UsageError} where it is gone, or not what the log says that it was. */
function captureOf(note: JsonObject, captures: CaptureStore): Capture {
  const text = captures.read(String(note.id))
  if (text === null) throw new UsageError('what was kept of this call is gone: its time is over, or there was too much of it')
  if (`sha256:${hash('sha256', text)}` !== note.digest) throw new UsageError('what was kept of this call is not what the log says it was')
  return captureIn(text)
}

function told(record: StoredRecord, steps: readonly Step[]): readonly string[] {
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

/** The way back as a call: git's pushes as the command that they are, everything else with the names that it writes and deletes. */
function callOf({ way, words, lines }: Step, { record, capture }: { readonly record: StoredRecord; readonly capture: Capture }): ToolCall {
  const paths = (word: string) => lines.filter((line) => line.startsWith(word)).map((line) => line.slice(line.indexOf('/')))
  const args: JsonObject =
    words !== null
      ? { command: `git ${words.join(' ')}` }
      : { undo: record.id, restore: [...paths('restore'), ...paths('bring back')].slice(0, SHOWN), remove: paths('delete').slice(0, SHOWN) }
  return {
    tool: { server: null, name: words === null ? 'countersign_undo' : 'Bash', definition: null },
    args,
    principal: { agent: 'countersign', role: null, user: null, tenant: record.tenant, chain: [] },
    session: `undo-${record.id}-${way.name}`,
    cwd: way.run === 'git-push' ? way.push.top : capture.cwd,
    context: { task: null, recent: [] },
    definition: null,
    approval: null,
    callId: null,
  }
}

/** Null where it may run. What the policy asks people is answered by the person who sits here and was shown what would happen. */
async function throughGate({ gate, queue }: OpenedGate, call: ToolCall): Promise<string | null> {
  const first = await gate.decide(call)
  if (runs(first.decision)) return null
  if (first.decision !== 'ask' || first.approval === null) return `${first.code}: ${first.reason}`
  const by = `human:${userName() ?? 'unknown'}`
  await queue.answer(first.approval.id, { tenant: null, by, verdict: 'approve', comment: 'asked for by `countersign undo`' })
  const second = await gate.decide(call)
  return runs(second.decision) ? null : `${second.code}: ${second.reason}`
}

interface Run {
  readonly parts: UndoParts
  readonly keepMs: number
}

/** What is there now is kept first: taking back can be taken back. */
async function run(
  steps: readonly Step[],
  { parts, keepMs }: Run,
): Promise<{ readonly note: JsonObject; readonly problems: readonly string[] }> {
  const ways = await keepCurrent(steps, parts)
  const at = Date.now()
  const id = `und_${randomBytes(12).toString('hex')}`
  const text = parts.store.write({ id, at, until: at + keepMs, cwd: null, ways })
  const problems: string[] = []
  for (const step of steps) problems.push(...(await take(step, parts)))
  return { problems, note: { id, digest: `sha256:${hash('sha256', text)}`, ways: ways.map(({ name }) => ({ name, exercised: true })) } }
}

export async function gc({ policy }: { readonly policy?: string }): Promise<number> {
  const section = loadInForce(policy ?? null).policy?.undo ?? null
  const gone = await openCaptures(stateDirectory()).collect(Date.now(), section?.totalBytes ?? Number.MAX_SAFE_INTEGER)
  print(gone === 0 ? 'nothing had ended' : `${gone} captures are gone`)
  return EXIT.ok
}
