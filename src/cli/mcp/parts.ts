/** What the MCP proxy needs of this machine: a gate, and traffic for each client and server. */
import { redactJson } from '../../audit/redact.ts'
import type { Principal } from '../../core/call.ts'
import { resultFindings } from '../../layers/integrity/result.ts'
import { bytesDigest, digester, type OpenedGate, openGate, stateDirectory } from '../../open.ts'
import { type LookElsewhere, landElsewhere, landLooked } from '../../open-results.ts'
import { counted } from '../../proxies/counted.ts'
import { nameOfCommand, nameOfUrl } from '../../proxies/mcp/name.ts'
import { createServerPreviews } from '../../proxies/mcp/preview-mode.ts'
import type { ClientFacts, TrafficParts } from '../../proxies/mcp/shared.ts'
import { createTraffic, type Traffic } from '../../proxies/mcp/traffic.ts'
import { createMetrics, type Metrics } from '../../proxies/metrics.ts'
import { createUninspected, type Owing, tellRest } from '../../proxies/uninspected.ts'
import { type LargeCalls, openLargeCalls } from '../proxies/large.ts'
import { withWords } from '../session-words.ts'
import { visible, warn } from '../terminal.ts'
import { openJournal, openResults } from '../threads/open.ts'
import { userName } from '../user.ts'
import { watchInForce } from '../watch.ts'
import type { ServerEntry } from './config.ts'
import { policyHeld } from './lock.ts'
import { originOf } from './start.ts'

export interface GateOptions {
  /** Holds servers to a file. */
  readonly lock?: string
  readonly policy?: string
  readonly role?: string
  readonly agent?: string
}

export interface McpGate {
  readonly opened: OpenedGate
  /** What the log was not told of yet. */
  readonly owing: Owing
  /** Of each server, by its name. */
  readonly metrics: Metrics
  /** Decides calls; large ones beside everything else. */
  readonly large: LargeCalls
  readonly policy: TrafficParts['policy']
  /** Looks a large result through beside everything else. */
  readonly look: LookElsewhere
  /** Whose calls they are where nobody says anything else. */
  readonly principal: Principal
  readonly trafficFor: (
    server: ServerEntry,
    whose: { readonly principal: Principal; readonly session: string; readonly shares?: () => boolean },
    facts?: ClientFacts,
  ) => Traffic
  /** What was returned is durable then. */
  readonly close: () => Promise<void>
}

const note = (line: string): void => warn(`countersign: ${line}`)

/** @param servers names of those that traffic is opened for. */
export function openMcpGate(options: GateOptions, servers: readonly string[] = []): McpGate {
  const metrics = createMetrics({ routes: servers, away: () => 0 })
  const { policy: file = null, lock = null } = options
  const watched = watchInForce(file, note)
  const { current, protect } = policyHeld(watched.current, lock)
  const home = stateDirectory()
  const journal = openJournal({ home, note })
  const results = openResults({ note })
  const previews = createServerPreviews(() => opened.reviewing.consider)
  const opened: OpenedGate = openGate({ home, policy: current, grown: journal.copyJournal, preview: previews.preview, protect })
  const { copyJournal } = journal
  const large = openLargeCalls(opened, { home, policy: file, lock, current, copyJournal, note, here: previews.canAsk })
  const owing: Owing = new Set()
  const cwd = process.cwd()
  const policy = (): ReturnType<TrafficParts['policy']> => current(cwd).policy
  return {
    opened,
    owing,
    metrics,
    large,
    policy,
    look: results.lookThrough,
    principal: { agent: options.agent ?? null, role: options.role ?? null, user: userName(), tenant: null, chain: [] },
    trafficFor: (server, { principal, session, shares }, facts) => {
      const { name } = server
      const uninspected = createUninspected({ store: opened.store, proxy: 'mcp', upstream: name, session, owing })
      const parts: TrafficParts = {
        ...counted({ gate: large.gate, queue: opened.queue, uninspected: uninspected.count }, metrics, name),
        digester,
        bytesDigest,
        policy,
        ...(shares === undefined ? {} : { shares }),
        findings: opened.findings,
        keep: (result) => large.kept(landElsewhere(opened, result, { look: results.lookThrough })),
        land: (result) => large.kept(landLooked(opened, result)),
        lookApart: (answer, call) => results.lookAtAnswer(answer, opened.looking(call)),
        withWords: (call) => withWords(opened, call, opened.asksJudges(call.cwd)),
        redact: (value) => redactJson(value).value,
        note: (line) => note(visible(line)),
        asking: previews.asking,
        learn: opened.learn,
        consider: async (call) => (await opened.reviewing.consider(call)).decision,
        inspect: (value) => {
          const now = policy()
          return now === null ? [] : resultFindings(now.guards, value)
        },
      }
      const side = { server: name, origin: originOf(server), principal, session, cwd }
      return createTraffic(parts, side, facts)
    },
    close: async () => {
      watched.stop()
      await large.close()
      await tellRest(owing)
      journal.close()
      results.close()
      opened.close()
    },
  }
}

export function entryOfCommand([command = '', ...args]: readonly string[], name: string | undefined): ServerEntry {
  return { kind: 'command', name: name ?? nameOfCommand([command, ...args]), command, args, env: {}, cwd: null }
}

export function entryOfUrl(url: URL, headers: Readonly<Record<string, string>>, name: string | undefined): ServerEntry {
  return { kind: 'url', name: name ?? nameOfUrl(url), url, headers }
}
