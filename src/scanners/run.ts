/**
 * Runs a scanner as a program of its own: no shell, an environment of its own, limits on time and output; whatever it leaves
 * running is ended with it. Every end has its name; none of them is an allow.
 */
import { spawn } from 'node:child_process'
import type { Json } from '../core/json.ts'
import { readJson } from '../ingress/json.ts'
import type { ScanOutcome } from './report.ts'

export interface ScanRequest {
  /** Absolute program and its arguments. */
  readonly command: readonly string[]
  /** What it gets on standard input. */
  readonly input: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
}

export type RunScanner = (request: ScanRequest) => Promise<ScanOutcome>

const MOST_BYTES = 1_048_576

/** Never rejects. */
export const runScanner: RunScanner = ({ command: [program = '', ...args], input, env, timeoutMs }) =>
  new Promise((resolve) => {
    const child = spawn(program, args, {
      shell: false,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', ...env },
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    })
    const chunks: Buffer[] = []
    let size = 0
    const finish = (outcome: ScanOutcome): void => {
      clearTimeout(timer)
      endGroup(child.pid)
      resolve(outcome)
    }
    const late = (): void => finish({ kind: 'timeout', message: `\`${program}\` did not end within ${timeoutMs} ms` })
    const timer = setTimeout(late, timeoutMs)
    child.on('error', (error: NodeJS.ErrnoException) => {
      const kind = error.code === 'ENOENT' ? 'missing' : 'failed'
      finish({ kind, message: `\`${program}\` cannot be run: ${error.message}` })
    })
    child.stdin.on('error', () => {})
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MOST_BYTES) finish({ kind: 'failed', message: `\`${program}\` wrote more than ${MOST_BYTES} bytes` })
      else chunks.push(chunk)
    })
    child.on('close', (code) => {
      if (code === null) finish({ kind: 'failed', message: `\`${program}\` was ended by a signal` })
      else finish({ kind: 'ended', code, report: reportOf(Buffer.concat(chunks)) })
    })
    child.stdin.end(input)
  })

function reportOf(bytes: Uint8Array): Json | undefined {
  const read = readJson(bytes)
  return read.ok ? read.value : undefined
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
