/** Servers of the benches: processes of their own, asked once they say where they are. */
import { type ChildProcess, spawn } from 'node:child_process'

export interface Serving {
  readonly child: ChildProcess
  readonly url: string
}

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
