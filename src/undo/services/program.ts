/** Runs the client of a service as the call would: with the settings and credentials of whoever runs the gate, without a shell. */
import { spawn } from 'node:child_process'

export interface Client {
  readonly cwd: string
  /** Bytes of its output; more ends it. */
  readonly maxBytes: number
  readonly input?: string
}

const TIMEOUT_MS = 60_000
const MAX_SAID = 2_000
/** No pager, no question, no look for a newer version: nobody sits in front of it. */
const QUIET = { GH_PROMPT_DISABLED: '1', GH_NO_UPDATE_NOTIFIER: '1', NO_COLOR: '1', PAGER: 'cat', GH_PAGER: 'cat' }

/** What it printed. @throws with its own words where it fails, is late or prints too much. */
export function runClient([program = '', ...args]: readonly string[], { cwd, maxBytes, input }: Client): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env: { ...process.env, ...QUIET }, stdio: ['pipe', 'pipe', 'pipe'], timeout: TIMEOUT_MS })
    const pieces: Buffer[] = []
    let [size, said] = [0, '']
    child.stdout.on('data', (piece: Buffer) => {
      size += piece.length
      if (size > maxBytes) child.kill('SIGKILL')
      else pieces.push(piece)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(0, MAX_SAID)
    })
    child.on('error', (error) => reject(new Error(`\`${program}\` cannot be run: ${error.message}`)))
    child.on('close', (code, signal) => {
      if (size > maxBytes) reject(new Error(`\`${program}\` printed more than ${maxBytes} bytes (\`undo.max_mb\`)`))
      else if (signal !== null) reject(new Error(`\`${program}\` did not end within ${TIMEOUT_MS} ms`))
      else if (code !== 0) reject(new Error(`\`${program}\` failed: ${said.trim() || `it ended with ${code}`}`))
      else resolve(Buffer.concat(pieces).toString('utf8'))
    })
    child.stdin.on('error', () => {}).end(input ?? '')
  })
}
