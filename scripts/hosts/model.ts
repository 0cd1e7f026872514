/** A scripted model on loopback: it asks for one call of the client's shell tool, then says that it is done. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Body, WIRES } from './wires.ts'

export interface Model {
  readonly url: string
  /** What the client sent back for the call; empty where it never did. */
  readonly told: () => string
  /** How often it asked for the call: never, where the client did not reach it. */
  readonly asked: () => number
  readonly close: () => void
}

/** Tools that run a command, as the clients name them, each with the arguments it takes. */
const SHELLS: Readonly<Record<string, (command: string) => Body>> = {
  Bash: (command) => ({ command, description: 'as asked' }),
  run_commands: (command) => ({ commands: [command] }),
  bash: (command) => ({ command, description: 'as asked' }),
  run_shell_command: (command) => ({ command, description: 'as asked', is_background: false }),
  exec_command: (cmd) => ({ cmd }),
  shell_command: (command) => ({ command }),
  shell: (command) => ({ command: ['bash', '-lc', command] }),
}

/** `times`: how often it asks for the call; `between` is told, before each further one, how many there were. */
export async function startModel(command: string, times = 1, between: (calls: number) => void = () => {}): Promise<Model> {
  let calls = 0
  let told = ''
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const body = text.startsWith('{') ? (JSON.parse(text) as Body) : {}
      const path = request.url ?? ''
      const tool = shellIn(text)
      if (calls > 0 && tool !== null) {
        told = text
        between(calls)
      }
      const call =
        calls < times && tool !== null ? { name: tool, args: SHELLS[tool]?.(command) ?? {}, id: `call_${randomUUID().slice(0, 8)}` } : null
      if (call !== null) calls++
      const said = tool === null ? ROUTED : 'Done.'
      const wire = WIRES.find(({ at }) => at.test(path))
      if (wire === undefined) response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":[],"models":[]}')
      else wire.answer(response, call ?? said, body.stream === true || path.includes('alt=sse'))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    told: () => told,
    asked: () => calls,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The first of the shell tools that the request offers. */
function shellIn(text: string): string | null {
  return Object.keys(SHELLS).find((name) => text.includes(`"name":"${name}"`)) ?? null
}

/** For a client that asks how hard the work is before it begins. */
const ROUTED = '{"complexity_reasoning":"none","complexity_score":1}'
