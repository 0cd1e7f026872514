/**
 * Tries a program out over throw-away copies of directories, or not at all. The copies are overlays in a user namespace, so they cost
 * the same for ten files and for a million; what was changed is read before they end. Linux only.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { asideIn } from './aside.ts'
import { GROUPS, type Group, type Groups, UNBOUND } from './cgroup.ts'
import { type Change, changesIn, type ReadChanges } from './changes.ts'
import { keptStage } from './kept-stage.ts'
import { attemptsIn, type Counters, countersOf, type NetworkAttempts } from './network.ts'
import type { On, OpenStage, Programs, StageListener } from './open-stage.ts'
import { Output } from './output.ts'
import { withRemedy } from './remedy.ts'
import { lookAround, NoSandbox, PLACES, programIn } from './sandbox.ts'
import { shellStage } from './shell-stage.ts'
import { LAYERS, PROCESSES_BEYOND, type StageSystem, type Trial } from './stage.ts'

/** Why a program was ended before it ended itself. */
export type Ended = 'time' | 'memory' | 'processes' | 'output'

export interface Tried {
  /** 128 and the signal's number where a signal ended it. */
  readonly status: number
  readonly ended: Ended | null
  readonly stdout: string
  readonly stderr: string
  /** True where some output was left out. */
  readonly cut: boolean
  readonly changes: readonly Change[]
  /** True where there are more changes than are told. */
  readonly more: boolean
  /** True where extended attributes of what it touched could not be read. */
  readonly unread: boolean
  /** Names that it touched and whose content, before or after, could not be read. */
  readonly closed: readonly string[]
  /** Names that it left in its own `/tmp` and its own home, which are not those of the machine; at most so many as are told. */
  readonly aside: readonly string[]
  /** Files and directories that were copied, as no overlay could be mounted; null: overlays were. */
  readonly copied: number | null
  /** False where the command could use no socket that has a name, not even between its own programs. */
  readonly sockets: boolean
  /** What was tried of the network; counts, as there is none to reach. */
  readonly network: NetworkAttempts
  /** Programs that the command started; null where this machine cannot tell. */
  readonly programs: Programs | null
  /** Milliseconds. */
  readonly took: number
}

export interface Trials {
  /** Why nothing can be tried out, and what would help; null where it can. Puts a sandbox up once to know. */
  readonly problem: () => Promise<string | null>
  /** Why a directory is copied file by file to try something out in it, or cannot be; null where an overlay is mounted over it. */
  readonly copying: (place: string) => Promise<string | null>
  /** Whether the programs that a command starts are recorded. */
  readonly watches: () => Promise<boolean>
  /** Rejects with `NoSandbox`, and with nothing else. */
  readonly run: (command: readonly string[], trial: Trial, read?: Partial<ReadChanges>) => Promise<Tried>
}

/** The trials of this machine. `places` is where its programs are looked for; default the system's own directories. */
export function createTrials(places: readonly string[] = PLACES, groups: Groups = GROUPS, stages: Stages = 'usual'): Trials {
  let found: StageSystem | string | null = null
  let probed: Promise<string | null> | null = null
  let using = stages
  const look = (): StageSystem | string => {
    found ??= systemIn(places)
    return found
  }
  const run: Trials['run'] = (command, trial, read = {}) => {
    const system = look()
    if (typeof system === 'string') return Promise.reject(new NoSandbox(system))
    try {
      return new Running(command, trial, { system, read, groups, stages: using }).result
    } catch (error) {
      return Promise.reject(error instanceof NoSandbox ? error : new NoSandbox(String(error)))
    }
  }
  const probe = (): Promise<string | null> =>
    run(['/bin/true'], PROBE).then(
      ({ status }) => (status === 0 ? null : `a trial ended with ${status}`),
      (error: Error) => error.message,
    )
  const problem = async (): Promise<string | null> => {
    const system = look()
    if (typeof system === 'string') return system
    const first = await probe()
    if (first === null || first === UNBOUND || using === 'shell') return first === null || first === UNBOUND ? first : withRemedy(first)
    // The system may let `unshare` do what it refuses to a Perl.
    using = 'shell'
    if ((await probe()) === null) return null
    using = stages
    return withRemedy(first)
  }
  return {
    run,
    copying: (place) =>
      run(['/bin/true'], { ...PROBE, places: [place] }).then(
        ({ copied }) =>
          copied === null ? null : `no overlay can be mounted over \`${place}\`, so its ${copied} files are copied each time`,
        (error: Error) => error.message,
      ),
    watches: () =>
      run(['/bin/true'], PROBE).then(
        ({ programs }) => programs !== null,
        () => false,
      ),
    problem: () => {
      probed ??= problem()
      return probed
    },
  }
}

function systemIn(places: readonly string[]): StageSystem | string {
  const system = lookAround(places)
  if (typeof system === 'string') return system
  const unshare = programIn(places, 'unshare')
  return unshare === null ? withRemedy(`\`unshare\` of util-linux is not in ${places.join(', ')}`) : { ...system, unshare }
}

const MEBIBYTE = 1 << 20

const PROBE: Trial = {
  places: [],
  reads: [],
  cell: {
    hidden: [],
    programs: [],
    cwd: '/',
    environment: {},
    limits: { timeMs: 5_000, memoryBytes: 256 * MEBIBYTE, outputBytes: 4_096, spaceBytes: MEBIBYTE, processes: 64 },
  },
}

/** Between two looks at how much a program uses. */
const LOOK_MS = 25
/** Output is read on to this multiple of what is kept; then the program is ended. */
const OUTPUT_FACTOR = 64
/** Until the sandbox stands. */
const START_MS = 20_000

interface Surroundings {
  readonly system: StageSystem
  readonly read: Partial<ReadChanges>
  readonly groups: Groups
  readonly stages: Stages
}

/** Which stage a trial stands on. `usual`: one that is kept, where this machine can keep one. */
export type Stages = 'usual' | 'shell'

function openedBy(stages: Stages, { command, ...on }: On & { readonly command: readonly string[] }, hear: StageListener): OpenStage {
  return (stages === 'usual' ? keptStage(command, on, hear) : null) ?? shellStage(command, on, hear)
}

/** One trial, from its start to the end of its layers. */
class Running {
  readonly result: Promise<Tried>
  readonly #trial: Trial
  readonly #read: Partial<ReadChanges>
  readonly #group: Group
  readonly #stage: OpenStage
  readonly #stdout: Output
  readonly #stderr: Output
  readonly #started = performance.now()
  #said = 0
  #sandbox: number | null = null
  #ended: Ended | null = null
  #counters: Counters | null = null
  #copied: number | null = null
  #sockets = true
  #timers: NodeJS.Timeout[] = []

  constructor(command: readonly string[], trial: Trial, { system, read, groups, stages }: Surroundings) {
    const { outputBytes, processes } = trial.cell.limits
    this.#trial = trial
    this.#read = read
    this.#stdout = new Output(outputBytes / 2)
    this.#stderr = new Output(outputBytes / 2)
    const group = groups.of(processes + PROCESSES_BEYOND)
    if (typeof group === 'string') throw new NoSandbox(group)
    this.#group = group
    const told = promised<Told>()
    try {
      this.#stage = openedBy(stages, { command, trial, ground: { system, group } }, this.#listener(told))
    } catch (error) {
      group.end()
      throw error
    }
    this.#timers.push(
      setTimeout(() => told.reject(new NoSandbox('the sandbox did not stand in time')), START_MS + trial.cell.limits.timeMs),
    )
    this.result = this.#wait(told.promise).finally(() => this.#end())
  }

  #listener({ resolve, reject }: Omit<Promised<Told>, 'promise'>): StageListener {
    const failed = (message: string): void => reject(new NoSandbox(message.slice(0, 300)))
    return {
      output: (from, chunk) => this.#heard(from === 'stdout' ? this.#stdout : this.#stderr, chunk),
      stands: (pid) => {
        const counters = countersOf(pid)
        if (counters === null) return failed('the counters of its network cannot be read')
        this.#counters = counters
        this.#watch(pid)
        this.#stage.release()
      },
      copied: (files) => {
        this.#copied = files
      },
      sockets: (areOpen) => {
        this.#sockets = areOpen
      },
      // Without a process of its own bubblewrap did not put up its walls, and the command was not run.
      done: (status, programs) =>
        this.#sandbox === null ? failed(`bubblewrap does not work here: ${this.#stderr.text().trim()}`) : resolve({ status, programs }),
      failed,
    }
  }

  async #wait(told: Promise<Told>): Promise<Tried> {
    const { status, programs } = await told
    const { changes, more, unread, closed } = await changesIn(this.#layers(), { attributes: this.#stage.attributes, ...this.#read })
    return {
      status,
      ended: this.#ended,
      stdout: this.#stdout.text(),
      stderr: this.#stderr.text(),
      cut: this.#stdout.cut || this.#stderr.cut,
      changes,
      more,
      unread,
      closed,
      aside: asideIn(this.#trial, this.#stage.pid()),
      copied: this.#copied,
      sockets: this.#sockets,
      network: attemptsIn(this.#counters?.read() ?? ''),
      programs,
      took: performance.now() - this.#started,
    }
  }

  /** From the moment that the sandbox stands: time, and what all of its processes use together. */
  #watch(pid: number): void {
    this.#sandbox = pid
    const { timeMs, processes, memoryBytes } = this.#trial.cell.limits
    this.#timers.push(setTimeout(() => this.#stop('time'), timeMs))
    this.#timers.push(
      setInterval(() => {
        const used = usedBy(pid)
        if (used.processes > processes) this.#stop('processes')
        else if (used.memory > memoryBytes) this.#stop('memory')
      }, LOOK_MS),
    )
  }

  #heard(output: Output, chunk: Buffer): void {
    output.add(chunk)
    this.#said += chunk.length
    if (this.#said > this.#trial.cell.limits.outputBytes * OUTPUT_FACTOR) this.#stop('output')
  }

  /** Ends the sandbox's first process, and so all of them; the stage stays, so that what they changed can be read. */
  #stop(why: Ended): void {
    this.#ended ??= why
    if (this.#sandbox !== null) kill(this.#sandbox)
  }

  #layers(): readonly { readonly place: string; readonly root: string }[] {
    const pid = this.#stage.pid()
    return this.#trial.places.map((place, index) => ({ place, root: `/proc/${pid}/root${LAYERS}/${index}` }))
  }

  #end(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    if (this.#sandbox !== null) kill(this.#sandbox)
    this.#stage.end()
    this.#counters?.close()
    this.#group.end()
  }
}

interface Promised<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (error: Error) => void
}

function promised<T>(): Promised<T> {
  let settle: Omit<Promised<T>, 'promise'> = { resolve: () => {}, reject: () => {} }
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject }
  })
  return { promise, ...settle }
}

interface Told {
  readonly status: number
  readonly programs: Programs | null
}

function kill(pid: number): void {
  if (pid === 0 || pid === 1 || pid === -1) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** Of a sandbox, seen through its own `/proc`. */
function usedBy(pid: number): { readonly processes: number; readonly memory: number } {
  const root = `/proc/${pid}/root/proc`
  let [processes, memory] = [0, 0]
  // Until bubblewrap has put up its own, this is the machine's, with every process of the machine in it.
  if (deviceOf(root) === deviceOf('/proc')) return { processes, memory }
  for (const name of namesIn(root)) {
    if (!/^\d+$/.test(name)) continue
    processes += 1
    memory += residentOf(`${root}/${name}/statm`)
  }
  return { processes, memory }
}

function deviceOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.dev
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

const PAGE = 4_096

/** Private pages of a process: those that are shared with others would be counted again for each. */
function residentOf(statm: string): number {
  try {
    const [, resident = '0', shared = '0'] = readFileSync(statm, 'latin1').split(' ')
    return Math.max(0, Number(resident) - Number(shared)) * PAGE
  } catch {
    return 0
  }
}
