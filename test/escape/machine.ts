/** A piece of this machine that a hostile command must neither read, change nor reach, and what came of each attempt. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Tried } from '../../src/sandbox/overlay.ts'

/** A whole number that no other program uses for memory of its own that is shared. */
const SHARED = 0x00c5_1900 + (process.pid % 256)
const FORGET_SHARED = 'ipcrm'
const LONG_AGO = new Date('2001-02-03T04:05:06Z')
const [END_MS, END_TRIES] = [20, 20] as const

/** Names as the scripts know them, in their environment. */
export interface Names {
  readonly OUT: string
  readonly READ: string
  readonly READ_SOCKET: string
  readonly TOOL_SOCKET: string
  readonly OUT_SOCKET: string
  readonly ABSTRACT: string
  readonly PORT: string
  readonly PROCESS: string
  readonly MARK: string
  readonly SHARED: string
}

export class Machine {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-escape-')))
  readonly work = join(this.root, 'work')
  readonly reads = join(this.root, 'reads')
  /** On the search path. */
  readonly tools = join(this.root, 'tools')
  readonly home = join(this.root, 'home')
  readonly mark = `countersign-escape-${process.pid}`
  #servers: readonly Server[] = []
  #calls = 0
  #outer: ChildProcess | null = null
  #port = 0

  /** Sockets that answer to everybody. */
  async listen(): Promise<void> {
    mkdirSync(this.work, { recursive: true })
    mkdirSync(this.reads)
    mkdirSync(this.tools)
    const paths = [this.work, this.reads, this.tools, this.root].map((directory) => join(directory, 'daemon.sock'))
    for (const at of [...paths, `\0${this.mark}`]) await this.#serve((server, done) => server.listen(at, done))
    for (const path of paths) chmodSync(path, 0o777)
    const tcp = await this.#serve((server, done) => server.listen(0, '127.0.0.1', done))
    const address = tcp.address()
    this.#port = typeof address === 'object' && address !== null ? address.port : 0
  }

  async #serve(listen: (server: Server, done: () => void) => void): Promise<Server> {
    const server = createServer((connection) => {
      this.#calls += 1
      connection.on('error', () => {})
      connection.end('SECRET-socket')
    })
    await new Promise<void>((resolve) => listen(server, resolve))
    this.#servers = [...this.#servers, server]
    return server
  }

  names(): Names {
    return {
      OUT: join(this.root, 'outside.txt'),
      READ: join(this.reads, 'read.txt'),
      READ_SOCKET: join(this.reads, 'daemon.sock'),
      TOOL_SOCKET: join(this.tools, 'daemon.sock'),
      OUT_SOCKET: join(this.root, 'daemon.sock'),
      ABSTRACT: this.mark,
      PORT: String(this.#port),
      PROCESS: String(this.#outer?.pid ?? 0),
      MARK: this.mark,
      SHARED: String(SHARED),
    }
  }

  /** As it is before each attempt. */
  plant(): void {
    const files = [
      ['outside.txt', 'SECRET-outside'],
      ['reads/read.txt', 'read'],
      ['home/.ssh/id_ed25519', 'SECRET-home'],
      ['work/.env', 'SECRET-env'],
      ['work/.countersign/key', 'SECRET-key'],
      ['work/a.txt', 'a'],
    ] as const
    for (const [name, text] of files) {
      const path = join(this.root, name)
      mkdirSync(join(path, '..'), { recursive: true })
      rmSync(path, { force: true })
      writeFileSync(path, text, { mode: 0o644 })
      utimesSync(path, LONG_AGO, LONG_AGO)
    }
    for (const [name, to] of [
      ['link', '../outside.txt'],
      ['up', '..'],
    ] as const) {
      rmSync(join(this.work, name), { force: true })
      symlinkSync(to, join(this.work, name))
    }
    this.#calls = 0
    if (this.#outer === null || !isAlive(this.#outer.pid)) this.#outer = spawn('/bin/sleep', ['600'], { stdio: 'ignore', detached: true })
  }

  /** What an attempt reached, in words; nothing where the sandbox held. */
  async reached({ stdout, stderr, changes }: Pick<Tried, 'stdout' | 'stderr' | 'changes'>): Promise<readonly string[]> {
    const said = [stdout, stderr, ...changes.map(({ after }) => after?.text ?? '')].join('\n')
    return [
      ...new Set(said.match(/SECRET-[\w-]+/g)),
      ...this.#changed(),
      ...(this.#calls > 0 ? ['a socket was reached'] : []),
      ...(isAlive(this.#outer?.pid) ? [] : ['a process outside was ended']),
      ...(await this.#left()),
    ]
  }

  #changed(): readonly string[] {
    const files = [
      ['outside.txt', 'SECRET-outside'],
      ['reads/read.txt', 'read'],
      ['work/.env', 'SECRET-env'],
      ['work/.countersign/key', 'SECRET-key'],
      ['work/a.txt', 'a'],
    ] as const
    return files.flatMap(([name, text]) => {
      const path = join(this.root, name)
      const stat = statSync(path, { throwIfNoEntry: false })
      if (stat === undefined) return [`${name} is gone`]
      const { atime, mtime, mode, nlink } = stat
      const is = [readFileSync(path, 'utf8'), atime.getTime(), mtime.getTime(), mode & 0o7777, nlink]
      const was = [text, LONG_AGO.getTime(), LONG_AGO.getTime(), 0o644, 1]
      return is.every((value, index) => value === was[index]) ? [] : [`${name} changed: ${is.join(' ')}`]
    })
  }

  /** What is still there after a command has ended: processes, memory that is shared. */
  async #left(): Promise<readonly string[]> {
    let processes = this.#marked()
    for (let tries = 0; processes.length > 0 && tries < END_TRIES; tries += 1) {
      await wait(END_MS)
      processes = this.#marked()
    }
    for (const pid of processes) process.kill(pid, 'SIGKILL')
    const shared = readFileSync('/proc/sysvipc/shm', 'utf8').includes(` ${SHARED} `)
    if (shared) execFileSync(FORGET_SHARED, ['-M', String(SHARED)])
    const file = join('/dev/shm', this.mark)
    const kept = statSync(file, { throwIfNoEntry: false }) !== undefined
    rmSync(file, { force: true })
    return [
      ...processes.map(() => 'a process lives on'),
      ...(shared ? ['shared memory is left'] : []),
      ...(kept ? ['/dev/shm is written'] : []),
    ]
  }

  #marked(): readonly number[] {
    const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
    return pids.filter((pid) => textOf(`/proc/${pid}/cmdline`).startsWith(`${this.mark}-left`))
  }

  async close(): Promise<void> {
    this.#outer?.kill('SIGKILL')
    for (const server of this.#servers) await new Promise((resolve) => server.close(resolve))
    rmSync(this.root, { recursive: true, force: true })
  }
}

/** A process that ended and was not yet waited for does not live. */
function isAlive(pid: number | undefined): boolean {
  return pid !== undefined && /^\d+ \(.*\) [^ZX]/.test(textOf(`/proc/${pid}/stat`))
}

export function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
