/** The proxy between MCP clients and servers: what becomes of results that cannot be inspected, how long a call waits for people, what is held back. */
import { described, flag, listOf, located, oneOf, text } from '../fields.ts'
import { ELICITING, type McpProxySection, WITHHELD } from '../policy.ts'
import { record } from '../record.ts'
import { section } from '../section.ts'
import { durationOf } from '../sections/written.ts'

const MINUTE = 60_000

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
    },
  }),
})
