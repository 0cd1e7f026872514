/** Baselines of roles in a terminal. All of it is the operator's: who knows what is usual knows what would not be noticed. */
import { userInfo } from 'node:os'
import { changesBetween, keysOf, type WaitingTerm, waitingOf } from '../../baseline/diff.ts'
import { heldModel, nextVersion, type RoleState, roleKey } from '../../baseline/learner.ts'
import type { Learning, RoleModel } from '../../baseline/model.ts'
import { dayText, type RoleStatus, statusOf } from '../../baseline/report.ts'
import { usualOf } from '../../baseline/usual.ts'
import { roleText, termText } from '../../baseline/words.ts'
import { stateDirectory } from '../../open.ts'
import { type BaselineChange, type BaselineStore, changeBaseline, learnFrom, storedRoles } from '../../open-baseline-changes.ts'
import { LEARNING } from '../../policy/baseline/model.ts'
import { openStore } from '../../store/sqlite/open.ts'
import { plainJson } from '../approvals-text.ts'
import { loadInForce } from '../open.ts'
import { EXIT, print, UsageError, visible } from '../terminal.ts'

interface Of {
  readonly role?: string
  readonly tenant?: string
}

interface Under {
  readonly policy?: string
}

interface Asking extends Of {
  readonly json?: boolean
}

const MAX_SHOWN = 40

/** `baseline status`: every role in one line. */
export async function status({ policy, json }: Under & { readonly json?: boolean }): Promise<number> {
  const section = loadInForce(policy ?? null).policy?.baseline ?? null
  return withStore(async (at) => {
    const { states, broken } = storedRoles(at)
    if (broken) throw new UsageError(BROKEN)
    const needed = section?.warmUp ?? LEARNING.warmUp
    if (json !== true)
      print(section === null ? OFF : section.learns ? 'the policy has roles learned' : 'frozen by the policy: nothing is learned')
    for (const [key, state] of states) {
      const row = statusOf(key, state, needed)
      print(json === true ? plainJson({ ...row }) : visible(statusLine(row)))
    }
    if (states.size === 0 && json !== true) print('nothing was learned yet; `countersign baseline learn` learns from the log')
    return EXIT.ok
  })
}

const OFF = 'the policy has no `baseline`: nothing is observed, and no call is compared'
const BROKEN = 'what was learned is not signed by this gate or cannot be read; `countersign baseline learn --rebuild` learns it again'

function statusLine({ tenant, role, sessions, days, known, needed, waiting, flagged, held }: RoleStatus): string {
  const cold = known ? '' : `cold start: ${needed} are needed, calls are no more than flagged`
  const parts = [`${sessions} sessions on ${days} days`, cold, `${waiting} new values wait, ${flagged} of them flagged`]
  return [roleText(role), tenant === null ? '' : `tenant ${tenant}`, ...parts, held === null ? '' : `held to ${held}`]
    .filter((part) => part !== '')
    .join('  ')
}

/** `baseline learn`: from the log, or by the word of people. */
export async function learn(
  options: Of & Under & { readonly rebuild?: boolean; readonly accept?: readonly string[]; readonly reason?: string },
): Promise<number> {
  const by = learningOf(options)
  return withStore(async (at) => {
    const { states, records, changed } = await learnFrom(at, { by, author: author(), rebuild: options.rebuild === true })
    if (options.accept !== undefined) return accept(at, { ...options, accept: options.accept }, by)
    print(changed ? `learned: ${records} records were read, ${states.size} roles are known` : `nothing new: ${states.size} roles are known`)
    return EXIT.ok
  })
}

async function accept(at: BaselineStore, options: Of & { readonly accept: readonly string[]; readonly reason?: string }, by: Learning) {
  const state = stateOf(at, options)
  const waiting = waitingOf(state.model)
  const chosen = options.accept.includes('all') ? waiting : options.accept.map((number) => chosenBy(number, waiting))
  if (chosen.length === 0) throw new UsageError('nothing waits to be accepted')
  const values = [...new Set(chosen.flatMap(keysOf))]
  await changeBaseline(at, { ...named(options), event: 'baseline_accepted', more: { values }, ...because(options.reason) }, by)
  for (const term of chosen) print(visible(`accepted: ${termText(term)}`))
  return EXIT.ok
}

function chosenBy(number: string, waiting: readonly WaitingTerm[]): WaitingTerm {
  const term = waiting[Number(number) - 1]
  if (term === undefined) throw new UsageError(`\`${visible(number)}\` is no number of what waits: \`countersign baseline show\` lists it`)
  return term
}

/** `baseline show`: what is usual, most common first, and what waits, with its numbers. */
export async function show(options: Asking): Promise<number> {
  return withStore(async (at) => {
    const state = stateOf(at, options)
    const model = heldModel(state)
    const usual = usualOf(model)
    const waiting = waitingOf(state.model)
    if (options.json === true) {
      print(
        plainJson(
          {
            ...statusOf(keyOf(options), state, LEARNING.warmUp),
            usual: usual.map((each) => ({ ...each })),
            waiting: waiting.map(waitingJson),
          },
          2,
        ),
      )
      return EXIT.ok
    }
    print(visible(statusLine(statusOf(keyOf(options), state, LEARNING.warmUp))))
    for (const each of usual.slice(0, MAX_SHOWN)) print(visible(`  ${(100 * each.share).toFixed(0).padStart(3)} %  ${termText(each)}`))
    if (waiting.length > 0) print('new, and not counted until accepted or old enough:')
    for (const [index, term] of waiting.slice(0, MAX_SHOWN).entries()) print(visible(`  ${index + 1}  ${waitingText(term)}`))
    if (waiting.length > MAX_SHOWN) print(`  and ${waiting.length - MAX_SHOWN} more: --json shows them all`)
    return EXIT.ok
  })
}

function waitingText(term: WaitingTerm): string {
  const { flagged, first, sessions, days } = term
  return `${termText(term)}: ${sessions} sessions on ${days} days since ${dayText(first)}${flagged ? ', flagged' : ''}`
}

function waitingJson({ first, last, ...term }: WaitingTerm) {
  return { ...term, first: dayText(first), last: dayText(last) }
}

/** `baseline diff`: new values first. */
export async function diff(options: Asking & { readonly from?: string; readonly to?: string }): Promise<number> {
  return withStore(async (at) => {
    const state = stateOf(at, options)
    const newest = [...state.versions.keys()].at(-1)
    if (options.from === undefined && newest === undefined)
      throw new UsageError('no version of the role is frozen yet: `countersign baseline freeze` keeps one to compare with')
    const before = versionOf(state, options.from ?? newest)
    const changes = changesBetween(before, versionOf(state, options.to))
    for (const change of options.json === true ? [] : changes.slice(0, MAX_SHOWN)) {
      const share = (part: number) => `${(100 * part).toFixed(1)} %`
      print(visible(`  ${share(change.before)} → ${share(change.after)}  ${termText(change)}`))
    }
    if (options.json === true) print(plainJson({ changes: changes.map((change) => ({ ...change })) }, 2))
    else print(changes.length === 0 ? 'nothing changed' : `${changes.length} changes`)
    return EXIT.ok
  })
}

/** `baseline freeze`: recorded with who did it and why. */
export async function freeze(
  options: Of & Under & { readonly release?: boolean; readonly version?: string; readonly reason: string },
): Promise<number> {
  const by = learningOf(options)
  return withStore(async (at) => {
    await learnFrom(at, { by, author: author() })
    const state = stateOf(at, options)
    const common = { ...named(options), ...because(options.reason) }
    if (options.release === true) {
      await changeBaseline(at, { ...common, event: 'baseline_released' }, by)
      print(visible(`${roleText(common.role)} is held to what is learned`))
      return EXIT.ok
    }
    if (options.version !== undefined) versionOf(state, options.version)
    const version = options.version ?? nextVersion(state)
    await changeBaseline(at, { ...common, event: 'baseline_frozen', more: { version } }, by)
    print(visible(`${roleText(common.role)} is held to ${version}`))
    return EXIT.ok
  })
}

/** `baseline reset`: recorded with who did it and why. */
export async function reset(options: Of & Under & { readonly reason: string }): Promise<number> {
  const by = learningOf(options)
  return withStore(async (at) => {
    stateOf(at, options)
    await changeBaseline(at, { ...named(options), ...because(options.reason), event: 'baseline_reset' }, by)
    print(visible(`forgot what was learned of ${roleText(options.role ?? null)}`))
    return EXIT.ok
  })
}

function stateOf(at: BaselineStore, options: Of): RoleState {
  const { states, broken } = storedRoles(at)
  if (broken) throw new UsageError(BROKEN)
  const state = states.get(keyOf(options))
  if (state === undefined)
    throw new UsageError(
      `nothing was learned of ${visible(roleText(options.role ?? null))}; \`countersign baseline status\` shows what is known`,
    )
  return state
}

/** @param name undefined: what is known now. */
function versionOf(state: RoleState, name: string | undefined): RoleModel {
  if (name === undefined) return state.model
  const version = state.versions.get(name)
  if (version !== undefined) return version
  const known = [...state.versions.keys()]
  throw new UsageError(`there is no version \`${visible(name)}\`${known.length === 0 ? '' : `; there are ${known.join(', ')}`}`)
}

function keyOf({ role, tenant }: Of): string {
  return roleKey(tenant ?? null, role ?? '')
}

function named({ role, tenant }: Of): Pick<BaselineChange, 'role' | 'tenant'> {
  return { role: role ?? null, tenant: tenant ?? null }
}

function because(reason: string | undefined): Pick<BaselineChange, 'by' | 'reason'> {
  if (reason === undefined || reason.trim() === '') throw new UsageError('a baseline is changed for a reason: --reason "why"')
  return { by: author(), reason }
}

function author(): string {
  return `human:${userInfo().username}`
}

/** As the policy in force has it, so that learning again comes to the same. */
function learningOf({ policy }: Under): Learning {
  return loadInForce(policy ?? null).policy?.baseline ?? LEARNING
}

async function withStore(work: (at: BaselineStore) => Promise<number>): Promise<number> {
  const home = stateDirectory()
  const store = openStore({ directory: home })
  try {
    return await work({ home, store })
  } finally {
    store.close()
  }
}
