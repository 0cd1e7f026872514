import { userInfo } from 'node:os'
import { openGate, stateDirectory } from '../../open.ts'
import { parseListening } from '../../policy/sections/server.ts'
import { type App, createApp } from '../../server/app.ts'
import { ensureOperatorToken } from '../../server/auth/tokens.ts'
import { type Address, addressText, type Daemon, isLoopback, reachable, startDaemon } from '../../server/daemon.ts'
import { createIdle } from '../../server/idle.ts'
import { loginUrl } from '../../server/routes/login.ts'
import { DEFAULT_SERVER } from '../../server/section.ts'
import { announceDaemon } from '../../view/own.ts'
import { appParts } from '../app-parts.ts'
import { startLearning } from '../baseline/learning.ts'
import { openChannels } from '../channels.ts'
import { IDLE_MS, soleDaemon, startedForHooks, stopForHooks } from '../daemon.ts'
import { EXIT, UsageError, warn } from '../terminal.ts'
import { openThreads } from '../threads/open.ts'
import { packageBuild } from '../version.ts'
import { createWarmReaders } from '../warm-readers.ts'
import { watchInForce } from '../watch.ts'

export interface ServeOptions {
  readonly policy?: string
  /** `--listen` with an address, or `--no-listen`. */
  readonly listen?: string | boolean
  /** Agents on loopback need no token: any user of this machine can ask. */
  readonly openLoopback?: boolean
  /** At this terminal, until it is stopped. The default. */
  readonly foreground?: boolean
  /** End the daemon that a hook started, and start none. */
  readonly stop?: boolean
  /** Started by a hook: the private socket alone, until nobody asks any more. */
  readonly forHooks?: boolean
}

/** `countersign serve`: runs until it is told to stop, then finishes what is under way. */
export async function serve(options: ServeOptions): Promise<number> {
  const home = stateDirectory()
  if (options.stop === true) {
    warn(`countersign: ${stopForHooks(home) ? 'the daemon that a hook started ends' : 'no daemon that a hook started runs'}`)
    return EXIT.ok
  }
  const forHooks = options.forHooks === true
  const lock = await soleDaemon(home, { forHooks, build: packageBuild() })
  // Another hook was faster.
  if (lock === null) return EXIT.ok
  outliveReaders()
  const watched = watchInForce(options.policy ?? null, (line) => warn(`countersign: ${line}`))
  const listen = forHooks ? null : addressOf(options.listen, (watched.current(null).policy?.server ?? DEFAULT_SERVER).listen)
  const openLoopback = options.openLoopback === true
  const threads = openThreads({ home, policy: options.policy ?? null, note: (line) => warn(`countersign: ${line}`) })
  const opened = openGate({ home, policy: readingAhead(watched.current), grown: threads.copyJournal })
  const channels = openChannels({ home, store: opened.store, policy: watched.current })
  let bound: Address | null = null
  const app = createApp({
    ...appParts(opened, { home, policy: () => watched.current(null), threads, look: threads.results.lookThrough }),
    base: () => (bound === null ? null : baseOf(bound)),
    openLoopback,
    channels,
    build: forHooks ? packageBuild() : null,
  })
  const learning = startLearning({
    home,
    store: opened.store,
    section: () => watched.current(null).policy?.baseline ?? null,
  })
  const idle = createIdle()
  ensureOperatorToken(home)
  const daemon = await startDaemon(app, {
    home,
    listen,
    heard: idle.heard,
    listening: (address) => {
      bound = address
    },
  })
  const leave = announceDaemon(home, { port: daemon.address?.port ?? null, forHooks, build: packageBuild() })
  // Where secrets of channels are is the operator's environment, which no hook has.
  if (!forHooks) channels.start()
  announce(daemon, { app, base: baseOf, openLoopback })
  if (forHooks) startedForHooks(home)
  await (forHooks ? Promise.race([stopped(), idle.ended({ socket: daemon.socket, milliseconds: IDLE_MS })]) : stopped())
  leave()
  await daemon.stop()
  await channels.stop()
  await learning.stop()
  watched.stop()
  threads.close()
  opened.close()
  lock.release()
  return EXIT.ok

  function baseOf(address: Address): string {
    return watched.current(null).policy?.server.publicUrl ?? `http://${addressText(reachable(address))}`
  }
}

/** Each decision asks for the policy of the directory that its call comes from. */
function readingAhead(current: ReturnType<typeof watchInForce>['current']): typeof current {
  const readers = createWarmReaders()
  return (cwd) => {
    readers.seen(cwd)
    return current(cwd)
  }
}

interface Announcing {
  readonly app: App
  readonly base: (address: Address) => string
  readonly openLoopback: boolean
}

/** Says where the gate is, and hands the operator a way in. */
function announce({ socket, address }: Daemon, { app, base, openLoopback }: Announcing): void {
  warn(`countersign: the gate answers at ${socket}`)
  if (address === null) return
  const code = app.loginCode({ kind: 'person', name: `human:${userInfo().username}`, role: 'admin', tenant: null })
  warn(`countersign: and at http://${addressText(address)} (${openLoopback && isLoopback(address.host) ? OPEN : CLOSED})`)
  warn(`countersign: log in once, within ten minutes: ${loginUrl(base(address), code)}`)
}

const CLOSED = 'every caller needs a token'
const OPEN = 'agents need none, whichever user of this machine they run as: --open-loopback'

/** The command line says it, else the policy does. */
function addressOf(listen: string | boolean | undefined, standing: Address): Address | null {
  if (listen === false) return null
  if (listen === undefined || listen === true) return standing
  const address = parseListening(listen)
  if (address === null) throw new UsageError(`\`${listen}\` is no address; write it as 127.0.0.1:7433, or :0 for any free port`)
  return address
}

function stopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}

/** Whoever read what a server prints may go away (a terminal, `| tee`); agents are still to be answered. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error').on('error', () => {})
}
