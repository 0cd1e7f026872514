/** The way back of one capture: what it would do now, and doing it. Whoever calls this has asked the gate. */
import { randomBytes } from 'node:crypto'
import { type Capture, type CaptureStore, newCaptureId, type Way } from './captures.ts'
import { COMPENSATORS } from './catalogue.ts'
import type { Ways } from './compensator.ts'
import { type DumpParts, dumpIfThere, restoreDatabase } from './databases/dumps.ts'
import { ENGINES } from './databases/engines.ts'
import type { KnownDatabase } from './databases/known.ts'
import { differences } from './files/differs.ts'
import { restore } from './files/restore.ts'
import { takeSnapshot, written } from './files/snapshot.ts'
import { captureGit, runGit } from './git.ts'
import { gitBack, type PartsBack, restoreGit } from './git-back.ts'
import type { GitState } from './git-program.ts'
import { changedLater, databaseLater, type Later, NOTHING_LATER } from './later.ts'
import { npmBack, runNpm } from './npm.ts'
import { pushBack } from './pushes.ts'
import { MAX_COMMITS } from './references.ts'
import { type HubState, hubBack, runHub } from './services/github.ts'
import { type ClusterState, clusterNow, clusterSteps, type ObjectStep, restoreCluster, stepLine } from './services/kubernetes.ts'
import { pushStack, stackBack, stackNow } from './services/terraform.ts'

/** One way with what it would do now. */
export interface Step {
  readonly way: Way
  /** What would happen, a line each; empty: it is as it was already. */
  readonly lines: readonly string[]
  /** What would be called, in turn, each as its words; empty where the way back is no command, or nothing is to be done. */
  readonly commands: readonly (readonly string[])[]
  /** Files that would be replaced or deleted beside those that were kept; empty of every way but that of git. */
  readonly replaced: readonly string[]
  /** What goes back of a repository; null of every other way. */
  readonly back: PartsBack | null
  /** What would become of objects of a cluster; empty of every other way. */
  readonly objects: readonly ObjectStep[]
  /** Why it cannot be taken; null: it can. */
  readonly problem: string | null
  /** What it cannot take back, in words. */
  readonly cannot: string
  /** True where nothing of what the call changed was left out when it was kept. */
  readonly complete: boolean
}

/** Where contents lie, and how databases are reached. */
export interface UndoParts {
  readonly store: CaptureStore
  /** Null: the policy keeps nothing, and reaches no database. */
  readonly ways: Ways | null
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly variable: DumpParts['variable']
}

/** @param later what the log tells of the time since. */
export async function stepsOf({ ways, at }: Capture, parts: UndoParts, later: Later = NOTHING_LATER): Promise<readonly Step[]> {
  return Promise.all(ways.map((way) => stepOf(way, { parts, later, at })))
}

interface Asked {
  readonly parts: UndoParts
  readonly later: Later
  /** When the call was allowed. */
  readonly at: number
}

async function stepOf(way: Way, asked: Asked): Promise<Step> {
  const { parts } = asked
  const compensator = COMPENSATORS.find(({ name }) => name === way.name)
  const cannot = compensator?.cannot ?? ''
  const step: Step = { way, lines: [], commands: [], objects: [], replaced: [], back: null, problem: null, cannot, complete: true }
  const byHand = `a person has to do it: ${compensator?.how ?? 'no way is known'} (${compensator?.until ?? ''})`
  switch (way.run) {
    case 'manual':
      return { ...step, problem: byHand }
    case 'git-push':
      return wordsStep(step, async () => prefixed(await pushBack(way.push)))
    case 'npm':
      return wordsStep(step, () => npmBack(way.published, way.at, parts.now()))
    case 'github':
      return hubStep(step, way.hub)
    case 'terraform':
      return wordsStep(step, () => stackBack(way.stack, parts.store.vault))
    case 'kubernetes':
      return objectsStep(step, way.state)
    case 'database': {
      const known = knownOf(way, parts)
      if (known === null) return { ...step, problem: `the policy names no database \`${way.dump.database}\`` }
      if (ENGINES[known.engine].restore === null)
        return { ...step, problem: `${byHand}; the dump: \`countersign undo <id> --export <directory>\`` }
      const all = [cannot, ...databaseLater(way.dump.database, asked.later)].join('; ')
      return {
        ...step,
        lines: [`restore ${way.dump.part === undefined ? '' : `the collection ${way.dump.part} of `}the database ${way.dump.database}`],
        cannot: all,
      }
    }
    case 'git':
      return gitStep(step, way, asked)
    default:
      return { ...step, ...told(step, way, { ...asked, lines: await differences(way.entries, parts.store.access) }) }
  }
}

type FilesWay = Extract<Way, { run: 'files' | 'git' }>

function told(
  { cannot }: Step,
  { entries, left }: FilesWay,
  { lines, at, later }: Omit<Asked, 'parts'> & Pick<Step, 'lines'>,
): Pick<Step, 'lines' | 'cannot' | 'complete'> {
  const linked = entries.filter((entry) => entry.linked !== undefined).length
  const names =
    linked === 0 ? [] : [`${linked} files are kept by a second name (hard link): what is written into them since cannot be taken back`]
  const all = [cannot, ...names, ...changedLater({ lines, entries, at, later }), ...left.map((text) => `not kept: ${text}`)]
  return { lines, cannot: all.join('; '), complete: left.length === 0 }
}

async function gitStep(step: Step, way: Extract<Way, { run: 'git' }>, asked: Asked): Promise<Step> {
  try {
    const {
      lines,
      commits,
      replaced,
      astray,
      left: stays,
      back,
    } = await gitBack(way.state, way.entries, { keeping: asked.parts.store, when: asked })
    const more = commits.length > MAX_COMMITS ? [`so do more than ${MAX_COMMITS} others`] : []
    const leave = commits.slice(0, MAX_COMMITS).map((commit) => `the commit ${commit} was made since and leaves its branch`)
    const left = astray
      .slice(0, MAX_COMMITS)
      .map((name) => `the index names \`${name}\`, which is no file of the work tree: it is left as it is`)
    const whole = told(step, way, { ...asked, lines })
    const complete = whole.complete && stays.length === 0
    return { ...step, ...whole, replaced, back, complete, cannot: [whole.cannot, ...leave, ...more, ...left, ...stays].join('; ') }
  } catch (error) {
    return failed(step, error)
  }
}

/** The database as the policy of now names it. */
function knownOf({ dump, name }: Extract<Way, { run: 'database' }>, { ways }: UndoParts): KnownDatabase | null {
  return (ways?.databases ?? []).find((known) => known.name === dump.database && name === `database:${known.engine}`) ?? null
}

type Words = readonly string[] | { readonly problem: string } | null

const prefixed = (words: Words): Words => (words === null || 'problem' in words ? words : ['git', ...words])

async function wordsStep(step: Step, find: () => Promise<Words>): Promise<Step> {
  try {
    const words = await find()
    if (words === null) return step
    return 'problem' in words ? { ...step, problem: words.problem } : { ...step, ...called([words]) }
  } catch (error) {
    return failed(step, error)
  }
}

const called = (commands: Step['commands']): Pick<Step, 'commands' | 'lines'> => ({ commands, lines: commands.map(shellText) })

/** The command as a shell reads it. */
export function shellText(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
}

const failed = (step: Step, error: unknown): Step => ({ ...step, problem: error instanceof Error ? error.message : String(error) })

async function hubStep(step: Step, state: HubState): Promise<Step> {
  try {
    return { ...step, ...called(await hubBack(state)) }
  } catch (error) {
    return failed(step, error)
  }
}

async function objectsStep(step: Step, state: ClusterState): Promise<Step> {
  try {
    const objects = await clusterSteps(state)
    return 'problem' in objects ? { ...step, problem: objects.problem } : { ...step, objects, lines: objects.map(stepLine) }
  } catch (error) {
    return failed(step, error)
  }
}

/**
 * What is there now, before it is replaced: ways back of the way back. @throws where it cannot be kept.
 * @param id of the capture that they become.
 */
export async function keepCurrent(steps: readonly Step[], parts: UndoParts, id: string = newCaptureId()): Promise<readonly Way[]> {
  const { store } = parts
  const { vault } = store
  const paths = steps.flatMap(({ way }) => (way.run === 'files' ? way.entries.map(({ path }) => path) : []))
  const { entries, left } = await takeSnapshot(written(paths), store, EVERYTHING)
  const ways: Way[] = entries.length === 0 ? [] : [{ name: 'files', run: 'files', entries, left }]
  for (const { way, objects, replaced } of steps) {
    if (way.run === 'git') {
      const also = [...way.entries.map(({ path }) => path), ...replaced]
      const { state, snapshot } = await captureGit({ cwd: way.state.top, id, ignored: false, also, ...again(way.state) }, store, EVERYTHING)
      ways.push({ name: way.name, run: 'git', state, entries: snapshot.entries, left: snapshot.left })
    }
    if (way.run === 'kubernetes') ways.push({ name: way.name, run: 'kubernetes', state: await clusterNow(way.state, objects) })
    if (way.run === 'terraform') {
      const random = (bytes: number): string => randomBytes(bytes).toString('hex')
      ways.push({ name: way.name, run: 'terraform', stack: await stackNow(way.stack, { vault, maxBytes: EVERYTHING.maxBytes, random }) })
    }
    const known = way.run === 'database' ? knownOf(way, parts) : null
    const dump = known === null ? null : await dumpIfThere(known, { ...parts, ...partIn(way), vault, maxBytes: EVERYTHING.maxBytes })
    if (dump !== null) ways.push({ name: way.name, run: 'database', dump })
  }
  return ways
}

/** A way back may do away with a branch that the call made. */
const again = ({ leased }: GitState): { acts?: readonly string[] } => (leased === undefined ? {} : { acts: [...leased.acts, 'git:branch'] })

const partIn = (way: Way): { part?: string } => (way.run === 'database' && way.dump.part !== undefined ? { part: way.dump.part } : {})

const EVERYTHING = { maxFiles: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER }

/** Names that could not be put back, with the reason; empty: all is as it was. */
export async function take({ way, commands, objects, back }: Step, parts: UndoParts): Promise<readonly string[]> {
  const { vault } = parts.store
  switch (way.run) {
    case 'manual':
      return []
    case 'files':
      return restore(way.entries, parts.store)
    case 'git':
      return back === null ? ['what goes back of the repository was not looked at'] : saying(() => restoreGit(way.state, back, parts.store))
    case 'database': {
      const known = knownOf(way, parts)
      return known === null ? [] : saying(() => restoreDatabase(way.dump, known, { ...parts, vault, maxBytes: EVERYTHING.maxBytes }))
    }
    case 'git-push':
      return inTurn(commands, (words) => runGit(way.push.top, words.slice(1)))
    case 'kubernetes':
      return restoreCluster(way.state, objects)
    case 'terraform':
      return inTurn(commands, (words) => pushStack(way.stack, words, vault))
    case 'npm':
      return inTurn(commands, (words) => runNpm(way.published, words))
    case 'github':
      return inTurn(commands, (words) => runHub(way.hub, words))
  }
}

/** The first that fails is the last. */
function inTurn(commands: Step['commands'], run: (words: readonly string[]) => Promise<unknown>): Promise<readonly string[]> {
  return saying(async () => {
    for (const words of commands) await run(words)
  })
}

async function saying(work: () => Promise<readonly string[] | void>): Promise<readonly string[]> {
  try {
    return (await work()) ?? []
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)]
  }
}
