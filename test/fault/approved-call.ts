/** The call that the crash test of approvals asks about, in the program that dies and in the test that looks afterwards. */
import type { ToolCall } from '../../src/core/call.ts'

export const POLICY =
  'version: 1\ndefault: ask\ntools: { send: { risk_tier: high, irreversible: true } }\napprovals: { max_pending: { session: 1000, tenant: 100000 } }\n'

export function approvedCall(name: string): ToolCall {
  return {
    tool: { server: null, name: 'send', definition: null },
    args: { name },
    principal: { agent: 'a', role: null, user: null, tenant: null, chain: [] },
    session: 's-1',
    cwd: '/repo',
    context: { task: null, recent: [] },
    definition: null,
    approval: null,
    callId: null,
  }
}
