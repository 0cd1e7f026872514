/** The stage of a trial as a shell that is started for it: for machines on which no program can keep one. */
import { spawn } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import { attributeReader } from './attributes.ts'
import { coveredStdio } from './descriptors.ts'
import { heardLine, type On, type OpenStage, type StageLines, type StageListener, sandboxIn } from './open-stage.ts'
import { hand, NoSandbox } from './sandbox.ts'
import { BLOCK, CONTROL, FILTER, HOLD, INFO, staged } from './stage.ts'
import { filterFor } from './syscalls.ts'

/** Throws `NoSandbox`. */
export function shellStage(command: readonly string[], { trial, ground }: On, hear: StageListener): OpenStage {
  // INVARIANT: an empty environment: neither the stage nor the command is told anything of this process.
  const stdio = coveredStdio(['ignore', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'])
  if (stdio === null) throw new NoSandbox('this process was started with too many open descriptors')
  const [program = '', ...args] = staged(command, trial, ground)
  const child = spawn(program, args, { cwd: '/', env: {}, shell: false, detached: true, stdio })
  const extended = attributeReader()
  const pipes: readonly unknown[] = child.stdio
  let complained = ''
  listen(pipes[1], (chunk) => hear.output('stdout', chunk))
  listen(pipes[2], (chunk) => {
    if (complained.length < MAX_COMPLAINT) complained += chunk.toString('utf8')
    hear.output('stderr', chunk)
  })
  const informed = hearSandbox(pipes[INFO], hear)
  // bubblewrap starts nothing before it read the filter.
  const sockets = (areOpen: boolean): void => {
    hand(pipes[FILTER], filterFor(process.arch, { unix: areOpen }))
    hear.sockets(areOpen)
  }
  hearLines(pipes[CONTROL], { ...hear, sockets, programs: () => {}, done: (status) => void informed().then(() => hear.done(status, null)) })
  for (const index of [BLOCK, HOLD]) listen(pipes[index], () => {})
  child.on('error', (error) => hear.failed(`the sandbox cannot be started: ${error.message}`))
  child.on('close', () => hear.failed(complained.trim() || 'the sandbox ended before it began'))
  return {
    pid: () => child.pid,
    release: () => {
      if (pipes[BLOCK] instanceof Writable) pipes[BLOCK].end('g')
    },
    attributes: extended.read,
    end: () => {
      extended.end()
      if (child.pid !== undefined) endGroup(child.pid)
      if (pipes[HOLD] instanceof Writable) pipes[HOLD].destroy()
    },
  }
}

const MAX_COMPLAINT = 1_000

function listen(pipe: unknown, heard: (chunk: Buffer) => void): Readable | null {
  if (!(pipe instanceof Readable)) return null
  pipe.on('data', heard)
  // A stage that is ended takes its pipes with it.
  pipe.on('error', () => {})
  return pipe
}

/** Resolves once all that bubblewrap said of the sandbox was read: two pipes have no order among each other. */
function hearSandbox(pipe: unknown, hear: StageListener): () => Promise<void> {
  let info = ''
  let stands = false
  const stream = listen(pipe, (chunk) => {
    info += chunk.toString('latin1')
    const pid = sandboxIn(info)
    if (pid === null || stands) return
    stands = true
    hear.stands(pid)
  })
  const closed = new Promise<void>((resolve) => (stream === null ? resolve() : stream.once('close', () => resolve())))
  return () => (stands ? Promise.resolve() : closed)
}

function hearLines(pipe: unknown, hear: StageLines): void {
  let said = ''
  listen(pipe, (chunk) => {
    said += chunk.toString('utf8')
    const lines = said.split('\n')
    said = lines.pop() ?? ''
    for (const line of lines) heardLine(line, hear)
  })
}

function endGroup(pid: number): void {
  if (pid <= 1) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
