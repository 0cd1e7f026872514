/**
 * The stage of trials as a process that is kept: starting one from here costs more than all that it does, as this process is large.
 * One stands for one trial at a time. It is used again only after a trial that it ended well; whatever it says out of turn ends it.
 * It never keeps this process alive, and ends with it.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { type Attributes, attributesIn } from './attributes.ts'
import { coveredStdio } from './descriptors.ts'
import { keptProgram } from './kept-program.ts'
import { heardLine, type On, type OpenStage, type Programs, type StageListener, sandboxIn } from './open-stage.ts'
import { NoSandbox } from './sandbox.ts'
import { behindStage, type Ground, layered, type Trial } from './stage.ts'
import { filterFor } from './syscalls.ts'

/** Idle ones; a gate that tries out more at once starts more. */
const MAX_IDLE = 2
const HEADER = 5
const MAX_FRAME = 1 << 25
/** For the attributes of all files of a trial. */
const READ_MS = 10_000

const idle: Keeper[] = []

/** Null where no program of this machine can keep a stage. Throws `NoSandbox`. */
export function keptStage(command: readonly string[], { trial, ground }: On, hear: StageListener): OpenStage | null {
  const used = idleKeeper()
  let keeper = used ?? startKeeper()
  if (keeper === null) return null
  const request = requestOf(command, trial, ground)
  let isOver = false
  // One that ended while it was idle began nothing: another takes its place, once.
  const again = (message: string): void => {
    const next = isOver || keeper?.pid !== undefined ? null : startKeeper()
    if (next === null) hear.failed(message)
    else {
      keeper = next
      next.begin(request, hear)
    }
  }
  keeper.begin(request, used === null ? hear : { ...hear, failed: again })
  return {
    pid: () => keeper?.pid,
    release: () => keeper?.send('G'),
    attributes: (paths) => keeper?.attributes(paths) ?? Promise.resolve(null),
    end: () => {
      isOver = true
      keeper?.finish()
    },
  }
}

function idleKeeper(): Keeper | null {
  for (let keeper = idle.pop(); keeper !== undefined; keeper = idle.pop()) if (!keeper.ended) return keeper
  return null
}

/** Fields with a zero byte after each: neither paths nor words of programs have one. */
function requestOf(command: readonly string[], trial: Trial, { system, group }: Ground): Buffer {
  const { needed, programs } = layered(trial, system)
  const [open, closed] = [true, false].map((unix) => filterFor(process.arch, { unix })?.toString('hex') ?? null)
  if (open == null || closed == null) throw new NoSandbox('the calls of the kernel are not known on this type of processor')
  const counts = [needed.length, needed.length + programs.length, command.length]
  const settings = [trial.cell.limits.spaceBytes, group.entry ?? '', open, closed, ...counts]
  const fields = [...settings.map(String), ...needed, ...programs, ...command, ...behindStage(command, trial, system)]
  if (fields.some((field) => field.includes('\0')))
    throw new NoSandbox('a word of the command has a zero byte, which no program can be given')
  return Buffer.from(fields.map((field) => `${field}\0`).join(''))
}

function startKeeper(): Keeper | null {
  const program = keptProgram()
  if (program === null) return null
  const stdio = coveredStdio(['pipe', 'pipe', 'ignore'])
  if (stdio === null) throw new NoSandbox('this process was started with too many open descriptors')
  const [name, ...args] = program
  // INVARIANT: an empty environment: neither the stage nor a command is told anything of this process.
  return new Keeper(spawn(name, args, { cwd: '/', env: {}, shell: false, detached: true, stdio }) as Kept)
}

type Kept = ChildProcessByStdio<Writable, Readable, null>

interface Asked {
  readonly count: number
  readonly answer: (read: readonly Attributes[] | null) => void
  readonly timer: NodeJS.Timeout
}

class Keeper {
  /** Of the process that was forked for this trial. */
  pid: number | undefined
  ended = false
  readonly #child: Kept
  #hear: StageListener | null = null
  #buffered: Buffer = Buffer.alloc(0)
  #info = ''
  #stands = false
  #programs: Programs | null = null
  #asked: Asked | null = null

  constructor(child: Kept) {
    this.#child = child
    child.on('error', (error) => this.#broken(`the sandbox cannot be started: ${error.message}`))
    child.on('exit', () => this.#broken('what keeps the stage of the sandbox has ended'))
    child.stdin.on('error', () => {})
    child.stdout.on('error', () => {})
    child.stdout.on('data', (chunk: Buffer) => this.#heard(chunk))
    child.unref()
  }

  begin(request: Buffer, hear: StageListener): void {
    this.#hear = hear
    this.pid = undefined
    ;[this.#info, this.#stands, this.#programs] = ['', false, null]
    this.#hold(true)
    this.send('S', request)
  }

  send(letter: string, content: Buffer = Buffer.alloc(0)): void {
    if (this.ended) return
    const header = Buffer.alloc(HEADER)
    header.write(letter, 0, 'latin1')
    header.writeUInt32BE(content.length, 1)
    this.#child.stdin.write(Buffer.concat([header, content]))
  }

  readonly attributes = (paths: readonly string[]): Promise<readonly Attributes[] | null> => {
    if (paths.length === 0) return Promise.resolve([])
    if (this.ended || this.#asked !== null) return Promise.resolve(null)
    return new Promise((answer) => {
      const timer = setTimeout(() => this.#broken('extended attributes were not read in time'), READ_MS)
      this.#asked = { count: paths.length, answer, timer }
      this.send('A', Buffer.from(paths.map((path) => `${path}\0`).join('')))
    })
  }

  /** Idle again once it says that nothing of the trial is left; at once where the process is to end. */
  finish(): void {
    if (this.#hear === null) return
    this.#hear = null
    this.send('E')
    this.#hold(false)
  }

  #hold(isUsed: boolean): void {
    for (const stream of [this.#child.stdin, this.#child.stdout] as readonly { ref?: () => void; unref?: () => void }[]) {
      if (isUsed) stream.ref?.()
      else stream.unref?.()
    }
  }

  #broken(message: string): void {
    if (this.ended) return
    this.ended = true
    this.#child.kill('SIGKILL')
    this.#child.stdin.destroy()
    this.#child.stdout.destroy()
    this.#answer(null)
    this.#hear?.failed(message)
    this.#hear = null
  }

  #answer(read: readonly Attributes[] | null): void {
    const asked = this.#asked
    this.#asked = null
    if (asked === null) return
    clearTimeout(asked.timer)
    asked.answer(read)
  }

  #heard(chunk: Buffer): void {
    this.#buffered = this.#buffered.length === 0 ? chunk : Buffer.concat([this.#buffered, chunk])
    while (!this.ended && this.#buffered.length >= HEADER) {
      const length = this.#buffered.readUInt32BE(1)
      if (length > MAX_FRAME) this.#broken('what keeps the stage of the sandbox said too much')
      if (this.ended || this.#buffered.length < HEADER + length) return
      const letter = String.fromCharCode(this.#buffered[0] ?? 0)
      const content = this.#buffered.subarray(HEADER, HEADER + length)
      this.#buffered = this.#buffered.subarray(HEADER + length)
      this.#frame(letter, content)
    }
  }

  #frame(letter: string, content: Buffer): void {
    const hear = this.#hear
    if (letter === 'z') this.#idle()
    else if (letter === 'a') this.#answer(this.#asked === null ? null : attributesIn(content.toString('latin1'), this.#asked.count))
    else if (hear !== null) this.#told(letter, content, hear)
  }

  #told(letter: string, content: Buffer, hear: StageListener): void {
    if (letter === 'p') this.pid = Number(content.toString('latin1'))
    else if (letter === 'o') hear.output('stdout', content)
    else if (letter === 'e') hear.output('stderr', content)
    else if (letter === 'i') this.#informed(content, hear)
    else if (letter === 's') for (const line of content.toString('utf8').trimEnd().split('\n')) this.#line(line, hear)
    else this.#broken('what keeps the stage of the sandbox said something unknown')
  }

  #informed(content: Buffer, hear: StageListener): void {
    if (this.#stands) return
    this.#info += content.toString('latin1')
    const pid = sandboxIn(this.#info)
    if (pid === null) return
    this.#stands = true
    hear.stands(pid)
  }

  #line(line: string, hear: StageListener): void {
    heardLine(line, {
      ...hear,
      programs: (programs) => {
        this.#programs = programs
      },
      done: (status) => hear.done(status, this.#programs),
    })
  }

  #idle(): void {
    if (this.#hear !== null) this.#broken('what keeps the stage of the sandbox ended it')
    else if (idle.length < MAX_IDLE) idle.push(this)
    else this.#broken('there are enough')
  }
}
