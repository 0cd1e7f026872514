/**
 * A judge that is a program: gets the payload on standard input, answers on standard output. No shell, an environment of its
 * own, limits on time and output; whatever it leaves running is ended with it.
 */
import { spawn } from 'node:child_process'
import { NoAnswer } from '../answer.ts'
import { printed } from '../payload.ts'
import type { JudgeReply, JudgeRequest } from './provider.ts'

const MOST_BYTES = 1_048_576

/** @throws {NoAnswer} where the program cannot be run, fails, or says too much. */
export function askCommand({ judge, payload, depth, signal }: JudgeRequest): Promise<JudgeReply> {
  const [program = '', ...args] = judge.command
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      shell: false,
      cwd: '/',
      // Nothing of the agent's or the operator's environment: no keys, no search path, no preloaded code.
      env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', COUNTERSIGN_JUDGE_DEPTH: String(depth) },
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    })
    const chunks: Buffer[] = []
    let size = 0
    const end = (): void => endGroup(child.pid)
    const fail = (error: Error): void => {
      end()
      reject(error)
    }
    const abort = (): void => fail(new NoAnswer('timeout.judge', 'the program did not answer within its time'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    child.on('error', (error) => fail(new NoAnswer('judge.unavailable', `the program cannot be run: ${error.message}`)))
    child.stdin.on('error', () => {})
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > MOST_BYTES) fail(new NoAnswer('judge.malformed', `the program wrote more than ${MOST_BYTES} bytes`))
      else chunks.push(chunk)
    })
    child.on('close', (code) => {
      signal.removeEventListener('abort', abort)
      end()
      if (code === 0) resolve({ text: Buffer.concat(chunks).toString('utf8'), marks: null, tokens: null })
      else reject(new NoAnswer('judge.unavailable', `the program ended with ${code ?? 'a signal'}`))
    })
    child.stdin.end(printed(payload.body))
  })
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
