/** Servers of the benches: processes of their own, asked once they say where they are. */
import { type ChildProcess, spawn } from 'node:child_process'

export interface Serving {
  readonly child: ChildProcess
  readonly url: string
}

/**
 * For a bare process that others are compared with: a variable such as `NODE_EXTRA_CA_CERTS` would make it slower than those that start
 * in a clean environment.
 */
export const BARE: NodeJS.ProcessEnv = { PATH: process.env.PATH ?? '' }

export function started(args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Serving> {
  const child = spawn(process.execPath, args, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
  return new Promise((resolve, reject) => {
    let printed = ''
    const listen = (chunk: Buffer) => {
      printed += chunk.toString()
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0]
      if (url !== undefined) resolve({ child, url })
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
    child.once('exit', (code) => reject(new Error(`ended with ${code}: ${printed}`)))
  })
}
