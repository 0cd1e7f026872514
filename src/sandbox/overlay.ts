/**
 * Tries a program out over throw-away copies of directories, or not at all. The copies are overlays in a user namespace, so they cost
 * the same for ten files and for a million; what was changed is read before they end. Linux only.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { type AttributeReader, attributeReader } from './attributes.ts'
import { GROUPS, type Group, type Groups } from './cgroup.ts'
import { type Change, changesIn, type ReadChanges } from './changes.ts'
import { coveredStdio } from './descriptors.ts'
import { Output } from './output.ts'
import { hand, lookAround, NoSandbox, PLACES, programIn } from './sandbox.ts'
import { CONTROL, COUNTERS, FILTER, HOLD, INFO, LAYERS, type StageSystem, staged, type Trial } from './stage.ts'
import { filterFor } from './syscalls.ts'

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
  /** Files and directories that were copied, as no overlay could be mounted; null: overlays were. */
  readonly copied: number | null
  /** What was tried of the network; counts, as there is none to reach. */
  readonly network: NetworkAttempts
  /** Milliseconds. */
  readonly took: number
}

export interface NetworkAttempts {
  /** Connections and packets for which there was no way out. */
  readonly unreachable: number
  /** Connections that were opened, to this machine. */
  readonly connections: number
  /** Datagrams, such as look-ups of names. */
  readonly datagrams: number
}

export interface Trials {
  /** Why nothing can be tried out, and what would help; null where it can. Puts a sandbox up once to know. */
  readonly problem: () => Promise<string | null>
  /** Why a directory is copied file by file to try something out in it, or cannot be; null where an overlay is mounted over it. */
  readonly copying: (place: string) => Promise<string | null>
  /** Rejects with `NoSandbox`, and with nothing else. */
  readonly run: (command: readonly string[], trial: Trial, read?: Partial<ReadChanges>) => Promise<Tried>
}

/** The trials of this machine. `places` is where its programs are looked for; default the system's own directories. */
export function createTrials(places: readonly string[] = PLACES, groups: Groups = GROUPS): Trials {
  let found: StageSystem | string | null = null
  let probed: Promise<string | null> | null = null
  const look = (): StageSystem | string => {
    found ??= systemIn(places)
    return found
  }
  const run: Trials['run'] = (command, trial, read = {}) => {
    const system = look()
    if (typeof system === 'string') return Promise.reject(new NoSandbox(system))
    try {
      return new Running(command, trial, { system, read, groups }).result
    } catch (error) {
      return Promise.reject(error instanceof NoSandbox ? error : new NoSandbox(String(error)))
    }
  }
  return {
    run,
    copying: (place) =>
      run(['/bin/true'], { ...PROBE, places: [place] }).then(
        ({ copied }) =>
          copied === null ? null : `no overlay can be mounted over \`${place}\`, so its ${copied} files are copied each time`,
        (error: Error) => error.message,
      ),
    problem: () => {
      probed ??= run(['/bin/true'], PROBE).then(
        ({ status }) => (status === 0 ? null : `a trial ended with ${status}`),
        (error: Error) => withHelp(error.message),
      )
      return probed
    },
  }
}

function systemIn(places: readonly string[]): StageSystem | string {
  const system = lookAround(places)
  if (typeof system === 'string') return withHelp(system)
  const unshare = programIn(places, 'unshare')
  return unshare === null ? `\`unshare\` of util-linux is not in ${places.join(', ')}` : { ...system, unshare }
}

/** What an operator can do, in one sentence after the problem. */
function withHelp(problem: string): string {
  if (problem.includes('. ')) return problem
  if (process.platform !== 'linux') return `${problem}. Run the gate in a Linux virtual machine to have previews of commands`
  if (problem.includes('not installed')) return `${problem}. Install it: \`apt install bubblewrap\` or your system's package`
  if (existsAs('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1'))
    return `${problem}. AppArmor keeps programs from making user namespaces: give \`bwrap\` and \`unshare\` a profile with \`userns,\``
  if (existsAs('/proc/sys/kernel/unprivileged_userns_clone', '0'))
    return `${problem}. User namespaces are turned off: \`sysctl kernel.unprivileged_userns_clone=1\``
  return `${problem}. In a container, allow user namespaces and mounts in them (\`--security-opt seccomp=…\`), or run the gate outside of it`
}

function existsAs(path: string, value: string): boolean {
  try {
    return readFileSync(path, 'utf8').trim() === value
  } catch {
    return false
  }
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
/** The kernel refuses more than this beyond the limit: what stays between two looks, with bubblewrap's own. */
const PROCESSES_BEYOND = 64
/** Until the sandbox stands. */
const START_MS = 20_000

interface Surroundings {
  readonly system: StageSystem
  readonly read: Partial<ReadChanges>
  readonly groups: Groups
}

interface Settling {
  readonly resolve: (status: number) => void
  readonly fail: (message: string) => void
}

/** One trial, from its start to the end of its layers. */
class Running {
  readonly result: Promise<Tried>
  readonly #trial: Trial
  readonly #read: Partial<ReadChanges>
  readonly #group: Group
  readonly #child: ChildProcess
  readonly #extended: AttributeReader
  readonly #stdout: Output
  readonly #stderr: Output
  readonly #started = performance.now()
  #said = 0
  #sandbox: number | null = null
  #ended: Ended | null = null
  #counters = ''
  #copied: number | null = null
  #timers: NodeJS.Timeout[] = []

  constructor(command: readonly string[], trial: Trial, { system, read, groups }: Surroundings) {
    const { outputBytes, processes } = trial.cell.limits
    this.#trial = trial
    this.#read = read
    this.#stdout = new Output(outputBytes / 2)
    this.#stderr = new Output(outputBytes / 2)
    // INVARIANT: an empty environment: neither the stage nor the command is told anything of this process.
    const stdio = coveredStdio(['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'])
    if (stdio === null) throw new NoSandbox('this process was started with too many open descriptors')
    const group = groups.of(processes + PROCESSES_BEYOND)
    if (typeof group === 'string') throw new NoSandbox(group)
    this.#group = group
    const [program = '', ...args] = staged(command, trial, { system, group: this.#group })
    this.#child = spawn(program, args, { cwd: '/', env: {}, shell: false, detached: true, stdio })
    this.#extended = attributeReader()
    hand((this.#child.stdio as readonly unknown[])[FILTER], filterFor(process.arch, { unix: true }))
    this.result = this.#wait().finally(() => this.#end())
  }

  async #wait(): Promise<Tried> {
    const child = this.#child
    this.#listen(child.stdout, (chunk) => this.#heard(this.#stdout, chunk))
    this.#listen(child.stderr, (chunk) => this.#heard(this.#stderr, chunk))
    this.#listen(this.#pipe(COUNTERS), (chunk) => {
      if (this.#counters.length < 65_536) this.#counters += chunk.toString('latin1')
    })
    let info = ''
    this.#listen(this.#pipe(INFO), (chunk) => {
      info += chunk.toString('latin1')
      const pid = /"child-pid": (\d+)/.exec(info)?.[1]
      if (pid !== undefined && this.#sandbox === null) this.#watch(Number(pid))
    })
    const status = await this.#toldStatus()
    const { changes, more, unread } = await changesIn(this.#layers(), { attributes: this.#extended.read, ...this.#read })
    return {
      status,
      ended: this.#ended,
      stdout: this.#stdout.text(),
      stderr: this.#stderr.text(),
      cut: this.#stdout.cut || this.#stderr.cut,
      changes,
      more,
      unread,
      copied: this.#copied,
      network: attemptsIn(this.#counters),
      took: performance.now() - this.#started,
    }
  }

  /** Resolves once the stage says how the command ended, with its layers still standing. */
  #toldStatus(): Promise<number> {
    return new Promise((resolve, reject) => {
      let said = ''
      const fail = (message: string): void => reject(new NoSandbox(message.slice(0, 300)))
      this.#timers.push(setTimeout(() => fail('the sandbox did not stand in time'), START_MS + this.#trial.cell.limits.timeMs))
      this.#child.on('error', (error) => fail(`the sandbox cannot be started: ${error.message}`))
      this.#child.on('close', () => fail(this.#stderr.text().trim() || 'the sandbox ended before it began'))
      this.#listen(this.#pipe(CONTROL), (chunk) => {
        said += chunk.toString('utf8')
        if (!said.endsWith('\n')) return
        said = said.replace(/^copied (\d+)\n/, (_line, count: string) => {
          this.#copied = Number(count)
          return ''
        })
        if (said === '') return
        const [word, ...rest] = said.trim().split(' ')
        if (word === 'problem') fail(`an overlay cannot be mounted: ${rest.join(' ')}`)
        else void this.#informed().then(() => this.#settle(Number(rest[0]), { resolve, fail }))
      })
    })
  }

  /** What bubblewrap said has been read: two pipes have no order among each other. */
  #informed(): Promise<void> {
    const info = this.#pipe(INFO)
    if (this.#sandbox !== null || info === null || info.readableEnded || info.destroyed) return Promise.resolve()
    return new Promise((resolve) => info.once('close', () => resolve()))
  }

  /** Without a process of its own bubblewrap did not put up its walls, and the command was not run. */
  #settle(status: number, { resolve, fail }: Settling): void {
    if (this.#sandbox === null) fail(`bubblewrap does not work here: ${this.#stderr.text().trim()}`)
    else resolve(status)
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
    const { pid } = this.#child
    return this.#trial.places.map((place, index) => ({ place, root: `/proc/${pid}/root${LAYERS}/${index}` }))
  }

  #pipe(index: number): Readable | null {
    return (this.#child.stdio[index] ?? null) as Readable | null
  }

  #listen(stream: Readable | null, heard: (chunk: Buffer) => void): void {
    stream?.on('data', heard)
    // A stage that is ended takes its pipes with it.
    stream?.on('error', () => {})
  }

  #end(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#extended.end()
    if (this.#sandbox !== null) kill(this.#sandbox)
    if (this.#child.pid !== undefined) kill(-this.#child.pid)
    this.#pipe(HOLD)?.destroy()
    this.#group.end()
  }
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

/** From the counters of a network that only this command used. */
function attemptsIn(text: string): NetworkAttempts {
  const values = new Map<string, number>()
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const [name, ...heads] = line.split(/[: ]+/)
    const next = lines[index + 1] ?? ''
    if (heads.length > 1 && /^[A-Z]/.test(heads[0] ?? '') && next.startsWith(`${name}: `)) {
      const numbers = next.split(' ').slice(1)
      for (const [column, head] of heads.entries()) values.set(`${name}${head}`, Number(numbers[column]))
    }
    const six = /^([A-Za-z]+6[A-Za-z]+)\s+(\d+)$/.exec(line)
    if (six?.[1] !== undefined) values.set(six[1], Number(six[2]))
  }
  const of = (...names: readonly string[]): number => names.reduce((sum, name) => sum + (values.get(name) ?? 0), 0)
  return {
    unreachable: of('IpOutNoRoutes', 'Ip6OutNoRoutes'),
    connections: of('TcpActiveOpens'),
    datagrams: of('UdpOutDatagrams', 'Udp6OutDatagrams'),
  }
}
