/** Runs the programs of databases: no shell, nothing of this process's environment but where programs lie, bounded in time and bytes. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Run } from './engines.ts'

export interface Bounds {
  readonly timeoutMs: number
  readonly maxBytes: number
  /** Directory for what is there only while the program runs. */
  readonly directory: string
}

export interface Through {
  /** Gets its output, piece by piece. */
  readonly take: (piece: Buffer) => void
  readonly input?: Readable
}

/** @throws with what it said where it fails, is late or writes too much. */
export async function runInto(run: Run, bounds: Bounds, { take, input }: Through): Promise<void> {
  const passage = join(bounds.directory, `new-${randomBytes(12).toString('hex')}`)
  if (run.file !== undefined) writeFileSync(passage, run.file, { mode: 0o600, flag: 'wx' })
  try {
    await ended(
      run.argv.map((word) => word.replace('{file}', passage)),
      { run, bounds, take, ...(input === undefined ? {} : { input }) },
    )
  } finally {
    rmSync(passage, { force: true })
  }
}

interface Running extends Through {
  readonly run: Run
  readonly bounds: Bounds
}

function ended([program = '', ...args]: readonly string[], { run, bounds, take, input }: Running): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = { PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', LC_MESSAGES: 'C', ...run.env }
    const child = spawn(program, args, { env, cwd: bounds.directory, stdio: ['pipe', 'pipe', 'pipe'] })
    let [size, said, fault] = [0, '', '']
    const stop = (why: string): void => {
      fault ||= why
      child.kill('SIGKILL')
    }
    const timer = setTimeout(() => stop(`did not end within ${bounds.timeoutMs} ms`), bounds.timeoutMs)
    child.stdout.on('data', (piece: Buffer) => {
      size += piece.length
      if (size > bounds.maxBytes) stop(`wrote more than ${bounds.maxBytes} bytes (\`undo.max_mb\`)`)
      else take(piece)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(0, MAX_SAID)
    })
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(new Error(`\`${program}\` cannot be run: ${error.message}`))
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      if (code === 0 && fault === '') resolve()
      else reject(new Error(`\`${program}\` ${fault === '' ? `failed: ${said.trim() || `it ended with ${code}`}` : fault}`))
    })
    if (input === undefined) child.stdin.on('error', () => {}).end()
    else pipeline(input, child.stdin).catch(() => {})
  })
}

const MAX_SAID = 2_000

/** The whole output as text. */
export async function runForText(run: Run, bounds: Bounds): Promise<string> {
  const pieces: Buffer[] = []
  await runInto(run, bounds, { take: (piece) => pieces.push(piece) })
  return Buffer.concat(pieces).toString('utf8')
}
