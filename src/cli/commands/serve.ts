import { existsSync } from 'node:fs'
import { userInfo } from 'node:os'
import { fileURLToPath } from 'node:url'
import { auditVerifyInSlices } from '../../audit/log.ts'
import type { Json } from '../../core/json.ts'
import { bytesDigest, digester, type OpenedGate, openGate, stateDirectory } from '../../open.ts'
import { parseListening } from '../../policy/sections/server.ts'
import { type AppParts, createApp } from '../../server/app.ts'
import { readAssets } from '../../server/assets.ts'
import { ensureOperatorToken } from '../../server/auth/tokens.ts'
import { type Address, addressText, isLoopback, reachable, startDaemon } from '../../server/daemon.ts'
import { createIdle } from '../../server/idle.ts'
import { loginUrl } from '../../server/routes/login.ts'
import { DEFAULT_SERVER } from '../../server/section.ts'
import { loadKeys } from '../../store/sqlite/keys.ts'
import { announceDaemon } from '../../view/own.ts'
import { openChannels } from '../channels.ts'
import { IDLE_MS, soleDaemon, startedForHooks, stopForHooks } from '../daemon.ts'
import { copiesOf, elsewhere } from '../head-copies.ts'
import { policyTools } from '../policy-tools.ts'
import { recordResult } from '../results.ts'
import { recordPrompt, withWords } from '../session-words.ts'
import { EXIT, UsageError, warn } from '../terminal.ts'
import { userName } from '../user.ts'
import { packageBuild, packageVersion } from '../version.ts'
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
  const opened = openGate({ home, policy: watched.current })
  const channels = openChannels({ home, store: opened.store, policy: watched.current })
  let bound: Address | null = null
  const app = createApp({
    ...appParts(opened, { home, policy: () => watched.current(null) }),
    base: () => (bound === null ? null : baseOf(bound)),
    openLoopback,
    channels,
    build: forHooks ? packageBuild() : null,
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
  warn(`countersign: the gate answers at ${daemon.socket}`)
  if (daemon.address !== null)
    announce(daemon.address, app.loginCode({ kind: 'person', name: `human:${userInfo().username}`, role: 'admin', tenant: null }))
  if (forHooks) startedForHooks(home)
  await (forHooks ? Promise.race([stopped(), idle.ended({ socket: daemon.socket, milliseconds: IDLE_MS })]) : stopped())
  leave()
  await daemon.stop()
  await channels.stop()
  watched.stop()
  opened.close()
  lock.release()
  return EXIT.ok

  function baseOf(address: Address): string {
    return watched.current(null).policy?.server.publicUrl ?? `http://${addressText(reachable(address))}`
  }

  function announce(address: Address, code: string): void {
    warn(`countersign: and at http://${addressText(address)} (${openLoopback && isLoopback(address.host) ? OPEN : CLOSED})`)
    warn(`countersign: log in once, within ten minutes: ${loginUrl(baseOf(address), code)}`)
  }
}

const CLOSED = 'every caller needs a token'
const OPEN = 'agents need none, whichever user of this machine they run as: --open-loopback'

export interface PartsOptions {
  readonly home: string
  readonly policy: AppParts['policy']
}

/** What the server needs of this machine, but for its address. */
export function appParts(opened: OpenedGate, { home, policy }: PartsOptions): Omit<AppParts, 'base'> {
  return {
    gate: opened.gate,
    digester,
    hook: {
      gate: opened.gate,
      digest: bytesDigest,
      definitionDigest: digester.definitionDigest,
      user: userName(),
      prompt: (event) => recordPrompt(opened, event),
      withWords: (call) => withWords(opened, call, opened.asksJudges(call.cwd)),
      result: (event, handover) => recordResult(opened, event, handover),
    },
    unready: () => {
      const state = policy()
      return state.policy === null ? state.error : null
    },
    version: packageVersion(),
    store: opened.store,
    home,
    keys: () => loadKeys(home),
    reviewing: opened.reviewing,
    policy,
    note: (line) => warn(`countersign: ${line}`),
    policies: policyTools(() => policy().policy?.path ?? null),
    verify: async () => {
      const standing = policy().policy
      const copies = standing === null ? null : copiesOf(standing, loadKeys(home).ring)
      const told = await elsewhere(Promise.resolve(copies), home)
      return JSON.parse(JSON.stringify(await auditVerifyInSlices({ directory: home, copies: told, summarise: true }))) as Json
    },
    assets: readAssets(consoleDirectory()),
  }
}

/** The command line says it, else the policy does. */
function addressOf(listen: string | boolean | undefined, standing: Address): Address | null {
  if (listen === false) return null
  if (listen === undefined || listen === true) return standing
  const address = parseListening(listen)
  if (address === null) throw new UsageError(`\`${listen}\` is no address; write it as 127.0.0.1:7433, or :0 for any free port`)
  return address
}

/** Beside the command line once it is built, below `dist` where the sources run. */
function consoleDirectory(): string {
  const beside = fileURLToPath(new URL('../console/', import.meta.url))
  return existsSync(beside) ? beside : fileURLToPath(new URL('../../../dist/console/', import.meta.url))
}

/** Whoever read what a server prints may go away (a terminal, `| tee`); agents are still to be answered. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error').on('error', () => {})
}

function stopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}
