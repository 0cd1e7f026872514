import { expect, test } from 'vitest'
import { waitingApproval } from '../../test/support/approvals.ts'
import { principalText } from '../approvals/terms.ts'
import type { Principal } from '../core/call.ts'
import { approvalInFull } from './approvals-text.ts'

const NOBODY: Principal = { agent: null, role: null, user: null, tenant: null, chain: [] }

test.each<[principal: Partial<Principal>, said: string]>([
  [{}, 'nobody named'],
  [{ agent: 'claude-code' }, 'agent claude-code'],
  [{ agent: 'bot', user: 'alice', tenant: 'shop', role: 'seller' }, 'agent bot, role seller, user alice, tenant shop'],
  [{ agent: 'bot', chain: ['human:alice', 'agent:boss'] }, 'agent bot, through human:alice → agent:boss'],
])('who asks is said in words: %j', (principal, said) => {
  const binding = { principal: principalText({ ...NOBODY, ...principal }) }
  expect(approvalInFull(waitingApproval('apr_1', { binding }))).toContain(`asked by     ${said}`)
})
