/** A client and a server that both speak over their standard streams: the server is our child, the client our parent. */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { createLineReader } from './lines.ts'
import { MAX_MESSAGE } from './message.ts'
import { inOrder } from './order.ts'
import { createDelivery, type Exchange, type Onward, type Outgoing } from './shared.ts'
import { onEnd } from './signals.ts'

export interface StdioEnds {
  /** From the client. */
  readonly input: Readable
  /** To the client. */
  readonly output: Writable
}

export interface StdioServer {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
}

/** What decides on messages. */
export interface StreamTraffic {
  readonly fromClient: (bytes: Uint8Array, exchange: Exchange) => Onward | Promise<Onward>
  readonly fromServer: (bytes: Uint8Array, scope: string, exchange: Exchange) => Outgoing
  /** Answers for every request that still waits for the server. */
  readonly serverGone: (scope: string, why: string) => readonly Uint8Array[]
}

/** Milliseconds that a server has to end by itself once its input is closed, and after it was told to. */
const GRACE_MS = 3_000

const GONE = 'the server ended before it answered'

/** Runs until either side is gone; resolves with the exit code of the server. Rejects where the server cannot be started. */
export async function runStdio(server: StdioServer, ends: StdioEnds, traffic: StreamTraffic): Promise<number> {
  const child = startServer(server)
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  return connect(child, ends, traffic)
}

export type ServerProcess = ChildProcess & { readonly stdin: Writable; readonly stdout: Readable }

export function startServer({ command, args, env, cwd }: StdioServer): ServerProcess {
  return spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...env },
    ...(cwd === undefined ? {} : { cwd }),
  }) as ServerProcess
}

async function connect(child: ServerProcess, { input, output }: StdioEnds, traffic: StreamTraffic): Promise<number> {
  const gone = new AbortController()
  const toServer = writer(child.stdin, input)
  const toClient = writer(output, child.stdout)
  const exchange: Exchange = { scope: '', signal: gone.signal, tell: toClient, ask: toServer }
  const send = inOrder((onward: Onward) => {
    if (onward.kind === 'forward') toServer(onward.bytes)
    else if (onward.kind === 'answer') toClient(onward.bytes)
  })
  const fromClient = createLineReader((bytes) => send(traffic.fromClient(bytes, exchange)), MAX_MESSAGE)
  const delivery = createDelivery(toClient)
  const fromServer = createLineReader((bytes) => delivery.deliver(traffic.fromServer(bytes, '', exchange)), MAX_MESSAGE)
  const stop = (): void => {
    gone.abort()
    child.stdin.end()
    endSoon(child)
  }
  const whole = (take: (chunk: Uint8Array) => void) => (chunk: Uint8Array) => {
    try {
      take(chunk)
    } catch {
      // A message without end: nothing behind it can be told apart any more.
      stop()
      input.destroy()
    }
  }
  input.on('data', whole(fromClient.push)).once('end', stop).once('close', stop).on('error', stop)
  child.stdout.on('data', whole(fromServer.push))
  // Whoever is gone reads nothing; what they had to say has been read.
  child.stdin.on('error', () => {})
  output.on('error', stop)
  const ended = onEnd(stop)
  const code = await new Promise<number>((resolve) =>
    child.once('close', (status, signal) => resolve(status ?? (signal === null ? 1 : 128 + 15))),
  )
  ended()
  // What it said before it went is on its way.
  await delivery.done()
  for (const bytes of traffic.serverGone('', GONE)) toClient(bytes)
  gone.abort()
  input.destroy()
  return code
}

const NEWLINE = new Uint8Array([0x0a])
/** Up to this, one copy is cheaper than a second write. */
const SMALL = 65_536

/** False where more should wait until it has drained. */
export function writeLine(target: Writable, bytes: Uint8Array): boolean {
  if (bytes.length <= SMALL) return target.write(Buffer.concat([bytes, NEWLINE]))
  target.write(bytes)
  return target.write(NEWLINE)
}

/** Writes whole lines; `source` rests while its messages cannot be taken. */
function writer(target: Writable, source: Readable): (bytes: Uint8Array) => void {
  let resting = false
  return (bytes) => {
    if (target.destroyed || target.writableEnded || writeLine(target, bytes) || resting) return
    resting = true
    source.pause()
    target.once('drain', () => {
      resting = false
      source.resume()
    })
  }
}

/** As the protocol has it: its input ends, then it is asked to end, then it is ended. */
export function endSoon(child: ChildProcess): void {
  const timers = [setTimeout(() => child.kill('SIGTERM'), GRACE_MS), setTimeout(() => child.kill('SIGKILL'), 2 * GRACE_MS)]
  child.once('exit', () => timers.forEach(clearTimeout))
}
