/** Sessions in a terminal. To look is for anybody who may read the store; to unlock is the operator's, never the agent's. */
import { userInfo } from 'node:os'
import { readSessionName } from '../../core/session-name.ts'
import { denialsOf, lockedSessions, type Remembered } from '../../gate/session-lock.ts'
import { type GateStore, stateDirectory } from '../../open.ts'
import { unlockSession } from '../../open-sessions.ts'
import { pageOf } from '../../server/log.ts'
import { authorizationLines, authorizationOf } from '../../server/sessions/authorization.ts'
import { sessionsOf } from '../../server/sessions/list.ts'
import { rowOf } from '../../server/sessions/row.ts'
import { placesIn } from '../../server/sessions/timeline.ts'
import { openStore } from '../../store/sqlite/open.ts'
import { plainJson } from '../approvals-text.ts'
import { EXIT, print, UsageError, visible } from '../terminal.ts'
import { callLines } from './session-call.ts'

const MOST = 1_000
const NEWEST = 20

/** `sessions list`: the newest first; `--locked` those that were stopped, however long ago their last call was. */
export async function list(options: { json?: boolean; locked?: boolean }): Promise<number> {
  return withStore(async (store) => {
    const now = store.now()
    const all = await sessionsOf(store, { tenant: null, limit: MOST, now })
    const stopped = store.query((tx) => lockedSessions(tx, now))
    const shown = options.locked === true ? all.filter(({ locked }) => locked === true) : all
    const unseen = stopped.filter((key) => !all.some(({ session, tenant }) => session === key.session && tenant === key.tenant))
    for (const row of shown) print(options.json === true ? plainJson(row) : visible(line(row)))
    for (const key of unseen) {
      const row = { ...key, owner: readSessionName(key.session).owner, locked: true }
      print(options.json === true ? plainJson(row) : visible(line(row)))
    }
    if (options.json !== true && shown.length + unseen.length === 0)
      print(options.locked === true ? 'no session is stopped' : 'no session has made a call yet')
    return EXIT.ok
  })
}

/** `sessions show`: whose it is, what is remembered of it, its newest calls with the flows of their data. */
export async function show(session: string, options: { tenant?: string; json?: boolean }): Promise<number> {
  return withStore(async (store) => {
    const found = await lookUp(store, session, options.tenant ?? null)
    if (options.json === true) print(plainJson(found, 2))
    else for (const text of wordsFor(found)) print(visible(text))
    return EXIT.ok
  })
}

type Found = Awaited<ReturnType<typeof lookUp>>

async function lookUp(store: GateStore, session: string, asked: string | null) {
  const now = store.now()
  const rows = (await sessionsOf(store, { tenant: asked, limit: MOST, now })).filter((row) => row.session === session)
  const [row = null] = rows
  if (rows.length > 1) throw new UsageError(`${rows.length} tenants have a session of this name; say which with --tenant`)
  const tenant = asked ?? (typeof row?.tenant === 'string' ? row.tenant : null)
  const { locked, remembered, until } = store.query((tx) => denialsOf(tx, { tenant, session }, now))
  if (row === null && until === null)
    throw new UsageError(`there is no session \`${visible(session)}\`; \`countersign sessions list\` shows them all`)
  const { records } = await pageOf(store, { kind: 'decision', session, limit: NEWEST, ...(tenant === null ? {} : { tenant }) })
  const places = placesIn(store, records)
  return {
    ...row,
    session,
    ...readSessionName(session),
    tenant,
    locked,
    denied: remembered.map((each) => ({ what: wordsOf(each), times: each.times })),
    authorization: await authorizationOf(store, { session, tenant }),
    forgotten_at: until === null ? null : new Date(until).toISOString(),
    newest: records.map((record) => rowOf(record, places.get(record.id))),
  }
}

function wordsFor(found: Found): readonly string[] {
  const way = `  stopped; to let it go on: countersign sessions unlock ${found.session} --reason "why"`
  return [
    line(found),
    ...found.denied.map(({ what, times }) => `  denied ${times}×  ${what}`),
    ...(found.locked ? [way] : []),
    ...authorizationLines(found.authorization),
    ...found.newest.toReversed().flatMap(callLines),
  ]
}

/** `sessions unlock`: recorded with who did it and why. */
export async function unlock(session: string, options: { reason: string; tenant?: string }): Promise<number> {
  if (options.reason.trim() === '') throw new UsageError('unlocking needs a reason: --reason "why"')
  return withStore(async (store) => {
    const by = `human:${userInfo().username}`
    const unlocked = await unlockSession(store, { session, tenant: options.tenant ?? null, by, reason: options.reason, now: store.now() })
    if (unlocked === null)
      throw new UsageError(
        `nothing that was denied is remembered of \`${visible(session)}\`; \`countersign sessions list --locked\` shows what is`,
      )
    print(visible(`${unlocked.locked ? 'unlocked' : 'forgot the denials of'} ${session} (record ${unlocked.id})`))
    return EXIT.ok
  })
}

function wordsOf({ subject }: Remembered): string {
  const [how = '', ...rest] = subject
  return how === 'code' ? `as ${rest.join(' ')}` : rest.filter((part) => part !== '').join(' ')
}

interface Line {
  readonly [name: string]: unknown
}

function line({ session, tenant, owner, agent, calls, last_at: last, locked }: Line): string {
  const parts = [session, locked === true ? 'STOPPED' : null, owner === null ? 'opened here' : `opened by ${String(owner)}`]
  const told = [tenant == null ? null : `tenant ${String(tenant)}`, agent, calls === undefined ? null : `${String(calls)} calls`, last]
  return [...parts, ...told].filter((part) => part !== null && part !== undefined).join('  ')
}

async function withStore(work: (store: GateStore) => Promise<number>): Promise<number> {
  const store = openStore({ directory: stateDirectory() })
  try {
    return await work(store)
  } finally {
    store.close()
  }
}
