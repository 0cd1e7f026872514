/** The proxy between MCP clients and servers: what becomes of results that cannot be inspected, how long a call waits for people, what is held back. */
import ipaddr from 'ipaddr.js'
import { described, flag, type Located, listOf, located, oneOf, text } from '../reading/fields.ts'
import { record } from '../reading/record.ts'
import { type CompileContext, section } from '../section.ts'
import { durationOf } from '../sections/written.ts'
import { type CertificateCallers, ELICITING, type McpProxySection, WITHHELD } from './mcp.ts'

const MINUTE = 60_000

const holderField = record(
  {
    subject: described(text, 'The whole value of the header, such as `CN=ci,O=Acme`.'),
    agent: described(text, 'The agent that its calls are judged as.'),
    role: described(text, 'Their role.'),
    user: described(text, 'Their user.'),
    tenant: described(text, 'Their tenant.'),
  },
  { required: ['subject'] },
)

const certificatesField = record(
  {
    header: described(located(text), 'The header in which it says whose certificate it has checked, such as `x-client-cert-subject`.'),
    from: described(
      listOf(located(text)),
      'Addresses or networks that it sends from; the header of anybody else says nothing. Default `[127.0.0.1, "::1"]`.',
    ),
    callers: described(
      listOf(holderField),
      'Whom calls are judged as. Requests from there with another certificate, or none, are refused.',
    ),
  },
  { required: ['header', 'callers'] },
)

const proxyField = record({
  uninspected: described(
    oneOf(['block', 'pass']),
    'What becomes of a result that cannot be inspected: `block` (default) or `pass`. Both are counted. A call that cannot be inspected never passes.',
  ),
  hold: described(
    located(text),
    'Longest time that a call waits for people before it is answered as pending; default 5m, at most 1h. Impatient clients are answered earlier.',
  ),
  elicit: described(
    oneOf(ELICITING),
    'Highest risk level of calls that the person at the client may be asked about (MCP elicitation), who may be a program. Default `none`.',
  ),
  withhold: described(
    listOf(oneOf(WITHHELD)),
    'Findings for which a proxy holds a result back from the agent; default `[canary]`. All others are told beside the result.',
  ),
  certificates: described(
    certificatesField,
    'Who calls over HTTP, by the client certificate that a program in front of the proxy has checked (mTLS). A token of Countersign stands above it.',
  ),
  hide: described(flag, 'Tools that would be denied whatever their arguments are left out of lists. Default true.'),
})

export const mcpProxy = section({
  fields: () => ({ mcp_proxy: described(proxyField, 'The proxy between MCP clients and servers (`countersign mcp`).') }),
  compile: ({ mcp_proxy: raw }, context): { mcpProxy: McpProxySection } => ({
    mcpProxy: {
      uninspected: raw?.uninspected ?? 'block',
      hold: durationOf(raw?.hold, { otherwise: 5 * MINUTE, most: 60 * MINUTE, context }),
      elicit: raw?.elicit ?? 'none',
      hide: raw?.hide ?? true,
      withhold: new Set(raw?.withhold ?? ['canary']),
      certificates: raw?.certificates === undefined ? null : certificatesOf(raw.certificates, context),
    },
  }),
})

function certificatesOf(raw: NonNullable<ReturnType<typeof certificatesField.read>>, context: CompileContext): CertificateCallers {
  const header = raw.header?.value.toLowerCase() ?? ''
  if (raw.header !== undefined && !/^[a-z0-9-]{1,100}$/.test(header)) {
    const message = `\`${raw.header.value}\` is no name of a header`
    context.reader.fail({ code: 'policy.wrong_value', message, help: 'write it as `x-client-cert-subject`', at: raw.header.at })
  }
  const holders = (raw.callers ?? []).flatMap(({ subject, agent = null, role = null, user = null, tenant = null }) =>
    subject === undefined ? [] : [{ subject, agent, role, user, tenant }],
  )
  const from = raw.from?.flatMap((each) => networkOf(each, context) ?? []) ?? [network('127.0.0.1'), network('::1')]
  return { header, from, holders }
}

function networkOf({ value, at }: Located<string>, { reader }: CompileContext): ReturnType<typeof network> | null {
  const [address = '', bits] = value.split('/')
  const isFour = ipaddr.IPv4.isValidFourPartDecimal(address)
  const isAddress = isFour || (address.includes(':') && !address.includes('%') && ipaddr.IPv6.isValid(address))
  if (isAddress && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= mostBits(address)))) return network(address, bits)
  reader.fail({ code: 'policy.wrong_value', message: `\`${value}\` is no address`, help: 'write it as `10.0.0.0/8`', at })
  return null
}

function network(address: string, bits?: string): { readonly address: string; readonly prefix: number } {
  return { address, prefix: bits === undefined ? mostBits(address) : Number(bits) }
}

function mostBits(address: string): number {
  return address.includes(':') ? 128 : 32
}
