import { bytesDigest, digester, openGate, stateDirectory } from '../../open.ts'
import { createApp } from '../../server/app.ts'
import { startDaemon } from '../../server/daemon.ts'
import { recordResult } from '../results.ts'
import { EXIT, warn } from '../terminal.ts'
import { packageVersion } from '../version.ts'
import { watchInForce } from '../watch.ts'

/** `countersign serve`: runs until it is told to stop, then finishes what is under way. */
export async function serve(options: { policy?: string }): Promise<number> {
  const home = stateDirectory()
  const watched = watchInForce(options.policy ?? null, (line) => warn(`countersign: ${line}`))
  const opened = openGate({ home, policy: watched.current })
  const app = createApp({
    gate: opened.gate,
    digester,
    hook: {
      gate: opened.gate,
      digest: bytesDigest,
      definitionDigest: digester.definitionDigest,
      user: process.env.USER ?? null,
      result: (event) => recordResult(opened, event),
    },
    unready: () => {
      const state = watched.current(null)
      return state.policy === null ? state.error : null
    },
    version: packageVersion(),
  })
  const daemon = await startDaemon(app, home)
  warn(`countersign: the gate answers at ${daemon.socket}`)
  await stopped()
  await daemon.stop()
  watched.stop()
  opened.close()
  return EXIT.ok
}

function stopped(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}
