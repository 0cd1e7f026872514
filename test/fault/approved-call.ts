/** The call that the crash test of approvals asks about, in the program that dies and in the test that looks afterwards. */

import type { ToolCall } from '../../src/core/call.ts'
import { callOf } from '../support/calls.ts'

export const POLICY =
  'version: 1\ndefault: ask\ntools: { send: { risk_tier: high, irreversible: true } }\napprovals: { max_pending: { session: 1000, tenant: 100000 } }\n'

export const approvedCall = (name: string): ToolCall => callOf('send', { name }, { principal: { agent: 'a', user: null } })
