import type { ReceiptIssuer } from '../../audit/receipt.ts'
import { receiptKey } from '../../audit/receipt-key.ts'
import { bytesDigest, digester, openGate, stateDirectory, VOCABULARY } from '../../open.ts'
import type { Upstream } from '../../policy/proxies/model.ts'
import { parseUpstream } from '../../policy/proxies/model-section.ts'
import { createModelProxy } from '../../proxies/model/proxy.ts'
import { type Owing, tellRest } from '../../proxies/uninspected.ts'
import { timeOfEnds } from '../../server/auth/ends.ts'
import { createTokenBook } from '../../server/auth/tokens.ts'
import { type Address, addressText, isLoopback, reachable } from '../../server/daemon.ts'
import { recordResult } from '../results.ts'
import { EXIT, UsageError, warn } from '../terminal.ts'
import { openJournal, openResults } from '../threads/open.ts'
import { watchInForce } from '../watch.ts'
import { openLargeCalls } from './large.ts'
import { holderOf, listening, listeningOf, siteOf, stopped } from './serving.ts'

export interface ProxyOptions {
  readonly upstream?: string
  readonly listen?: string
  readonly policy?: string
  readonly strict?: boolean
}

/** `countersign proxy`: runs until it is told to stop. */
export async function proxy(options: ProxyOptions): Promise<number> {
  const home = stateDirectory()
  const watched = watchInForce(options.policy ?? null, (line) => warn(`countersign: ${line}`))
  const section = watched.current(null).policy?.modelProxy
  const upstream = options.upstream === undefined ? undefined : upstreamOf(options.upstream)
  if (upstream === undefined && (section === undefined || section.upstreams.length === 0))
    throw new UsageError('no model API is named; add `--upstream https://api.anthropic.com`, or `model_proxy.upstreams` to the policy')
  const listen = options.listen === undefined ? (section?.listen ?? USUAL) : listeningOf(options.listen, USUAL)
  const journal = openJournal({ home, note: (line) => warn(`countersign: ${line}`) })
  const results = openResults({ note: (line) => warn(`countersign: ${line}`) })
  const opened = openGate({ home, policy: watched.current, grown: journal.copyJournal })
  const note = (line: string): void => warn(`countersign: ${line}`)
  const large = openLargeCalls(opened, {
    ...{ home, policy: options.policy ?? null, lock: null, current: watched.current, copyJournal: journal.copyJournal, note },
    here: () => false,
  })
  const owing: Owing = new Set()
  const tokens = createTokenBook(home)
  const ends = timeOfEnds(opened.store, Date.now)
  const { server } = createModelProxy({
    owing,
    gate: large.gate,
    queue: opened.queue,
    store: opened.store,
    result: async (call, response) => {
      await large.kept({ kept: recordResult(opened, { call, response }, { look: results.lookThrough }) }).kept
    },
    digester,
    digest: bytesDigest,
    policy: () => watched.current(null),
    tokenHolder: (secret) => holderOf(tokens.callerOf(secret, ends())),
    ownTools: new Set((VOCABULARY.toolNames?.(null) ?? []).flatMap(({ names }) => names)),
    ...(upstream === undefined ? {} : { upstream }),
    strict: options.strict === true,
    receipts: issuer(home),
    env: (name) => process.env[name],
    siteFault: siteOf(listen, () => watched.current(null).policy?.server.hosts ?? []),
    exposed: !isLoopback(listen.host),
    note,
  })
  const address = await listening(server, listen)
  announce(address, upstream === undefined ? (section?.upstreams ?? []) : [upstream])
  await stopped()
  server.close()
  server.closeAllConnections()
  watched.stop()
  await large.close()
  await tellRest(owing)
  journal.close()
  results.close()
  opened.close()
  return EXIT.ok
}

/** The key is read when the first receipt is signed. */
function issuer(home: string): () => ReceiptIssuer {
  let known: ReceiptIssuer | null = null
  return () => {
    known ??= { key: receiptKey(home), digester }
    return known
  }
}

const USUAL: Address = { host: '127.0.0.1', port: 7434 }

function upstreamOf(text: string): Upstream {
  const url = parseUpstream(text)
  if (url !== null) return { prefix: '', url, key: null }
  throw new UsageError(`\`${text}\` is no address of a model API; write it as https://api.anthropic.com (http only on this machine)`)
}

function announce(address: Address, upstreams: readonly Upstream[]): void {
  const base = `http://${addressText(reachable(address))}`
  warn(`countersign: the model API proxy answers at ${base}`)
  for (const { prefix, url } of upstreams) warn(`countersign: ${base}${prefix} → ${url}`)
}
