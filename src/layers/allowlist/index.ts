/** The plain list of tool names (Fullsend's `FULLSEND_TOOL_ALLOWLIST`): exact, case-sensitive, and an empty list blocks everything. */
import type { Finding } from '../../core/finding.ts'
import { finding } from '../finding.ts'
import type { Layer, LayerInput } from '../layer.ts'

export const allowlist: Layer = {
  name: 'allowlist',
  onError: 'deny',
  evaluate: ({ call, policy }: LayerInput): readonly Finding[] => {
    const names = policy.guards.allowlist
    if (names === null) return []
    const { server, name } = call.tool
    if (name !== '' && (names.includes(name) || (server !== null && names.includes(`${server}/${name}`)))) return []
    return [
      finding({
        layer: 'allowlist',
        rule: 'allowlist',
        verdict: 'deny',
        code: 'allowlist.not_listed',
        message: names.length === 0 ? 'the allowlist is empty, so no tool may be called' : `tool \`${name}\` is not in the allowlist`,
        evidence: { tool: name, server },
      }),
    ]
  },
}
