/** Who calls the MCP proxy over HTTP: by a token of ours, by a certificate that whoever ends TLS for us has checked, or as who started it. */
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import type { Principal } from '../../core/call.ts'
import { type OpenedGate, stateDirectory } from '../../open.ts'
import type { Policy } from '../../policy/policy.ts'
import type { CertificateCallers, CertificateHolder } from '../../policy/proxies/mcp.ts'
import type { AdmittedCaller } from '../../proxies/mcp/http/server.ts'
import { callerOf } from '../../proxies/model/callers.ts'
import { timeOfEnds } from '../../server/auth/ends.ts'
import { createTokenBook } from '../../server/auth/tokens.ts'
import { holderOf } from '../proxies/serving.ts'

export interface CallerParts {
  readonly opened: Pick<OpenedGate, 'store'>
  /** Whose calls they are where nobody says anything else. */
  readonly principal: Principal
  readonly policy: () => Policy | null
  /** Other machines reach the proxy: then callers must be known. */
  readonly exposed: boolean
}

/** Null for everybody who may not call. */
export function callersOf({ principal, policy, opened, exposed }: CallerParts): (request: IncomingMessage) => AdmittedCaller | null {
  const tokens = createTokenBook(stateDirectory())
  const ends = timeOfEnds(opened.store, Date.now)
  const tokenHolder = (secret: string) => holderOf(tokens.callerOf(secret, ends()))
  return (request) => {
    const { headers } = request
    const caller = callerOf(headers, { tokenHolder, keys: [] })
    if (caller === null) return null
    const certificates = policy()?.mcpProxy.certificates ?? null
    const named = headers['x-countersign-session']
    const session = typeof named === 'string' && /^[A-Za-z0-9_.:-]{1,256}$/.test(named) ? named : null
    const drop = certificates === null ? caller.drop : [...caller.drop, certificates.header]
    const as = (whose: Pick<Principal, 'agent' | 'role' | 'user' | 'tenant'>, owner: string | null): AdmittedCaller => {
      const { role, user, tenant } = whose
      return { principal: { ...principal, agent: whose.agent ?? principal.agent, role, user, tenant }, owner, session, drop }
    }
    if (caller.known) return as(caller.principal, caller.owner)
    if (certificates !== null && endsTls(request, certificates)) {
      const holder = holderIn(request, certificates)
      return holder === null ? null : as(holder, `certificate-${sha256(holder.subject).slice(0, 16)}`)
    }
    return exposed ? null : { principal, owner: 'loopback', session, drop }
  }
}

/** Headers of anybody else say nothing about certificates. */
function endsTls({ socket }: IncomingMessage, { from }: CertificateCallers): boolean {
  const address = socket.remoteAddress?.replace(/^::ffff:(?=\d)/, '')
  if (address === undefined) return false
  const list = new BlockList()
  for (const { address: net, prefix } of from) list.addSubnet(net, prefix, isIPv6(net) ? 'ipv6' : 'ipv4')
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** A header that stands twice is nobody's. */
function holderIn({ rawHeaders }: IncomingMessage, { header, holders }: CertificateCallers): CertificateHolder | null {
  const values = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === header)
  const [subject] = values
  if (values.length !== 1 || subject === undefined) return null
  return holders.find((each) => each.subject === subject) ?? null
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
