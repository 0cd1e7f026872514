/**
 * Runs one program of the policy's: no shell, nothing of this process's environment, bounded time and output, and whatever
 * it leaves running is ended with it.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

export interface ProgramRun {
  /** Program by absolute path, and arguments. */
  readonly argv: readonly string[]
  /** Its standard input. */
  readonly input: string
  readonly timeoutMs: number
  /** Besides a search path for what it starts itself and a locale. */
  readonly env?: Readonly<Record<string, string>>
  /** Ends it before its time. */
  readonly signal?: AbortSignal
}

export type ProgramEnd =
  | { readonly ended: true; readonly code: number; readonly stdout: Buffer }
  | { readonly ended: false; readonly fault: 'missing' | 'late' | 'loud' | 'signal'; readonly message: string }

const MAX_BYTES = 1_048_576

/** How it ended. Never rejects. */
export function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  const { input, timeoutMs, signal } = run
  return new Promise((resolve) => {
    const child = started(run)
    if (child === null)
      return resolve({ ended: false, fault: 'missing', message: 'it cannot be run: its name or an argument is no text of a program' })
    const chunks: Buffer[] = []
    let size = 0
    const end = (how: ProgramEnd): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stopped)
      endGroup(child.pid)
      resolve(how)
    }
    const fail = (fault: 'missing' | 'late' | 'loud' | 'signal', message: string): void => end({ ended: false, fault, message })
    const stopped = (): void => fail('late', 'it was stopped')
    const timer = setTimeout(() => fail('late', `it did not end within ${timeoutMs} ms`), timeoutMs)
    signal?.addEventListener('abort', stopped, { once: true })
    if (signal?.aborted === true) stopped()
    child.on('error', (error) => fail('missing', `it cannot be run: ${'code' in error ? error.code : error.message}`))
    child.stdin.on('error', () => {})
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MAX_BYTES) fail('loud', `it wrote more than ${MAX_BYTES} bytes`)
      else chunks.push(chunk)
    })
    child.on('close', (code, by) => {
      if (code === null) fail('signal', `it was ended by ${by ?? 'a signal'}`)
      else end({ ended: true, code, stdout: Buffer.concat(chunks) })
    })
    child.stdin.end(input)
  })
}

/** Null where a NUL or an empty name is no program to Node. */
function started({ argv, env = {} }: ProgramRun): ChildProcessByStdio<Writable, Readable, null> | null {
  const [program = '', ...args] = argv
  try {
    return spawn(program, args, {
      shell: false,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    })
  } catch {
    return null
  }
}

/** Ends the program's own group, which `detached` made: never any other. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined || pid <= 1) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
