import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { errorsOf, policy } from '../testing/compiled.ts'

const compiled = (section: string) => policy(`approvals: ${section}`).approvals

describe('the approvals section', () => {
  test('has defaults that let nobody approve what they asked for', () => {
    expect(policy('default: ask').approvals).toEqual({
      approveWithin: 900_000,
      useWithin: 300_000,
      quorum: 1,
      excludeRequester: true,
      fourEyes: false,
      approvers: new Map(),
      breakGlass: [],
      maxPending: { session: 20, tenant: 1_000 },
      denials: { limit: 1, within: 3_600_000, scope: 'session' },
      channels: [],
    })
  })

  const fields: readonly (readonly [section: string, part: object])[] = [
    ['{ approve_within: 90s }', { approveWithin: 90_000 }],
    ['{ approve_within: 7d }', { approveWithin: 604_800_000 }],
    ['{ use_within: 1ms }', { useWithin: 1 }],
    ['{ use_within: 1d }', { useWithin: 86_400_000 }],
    ['{ quorum: 3 }', { quorum: 3 }],
    ['{ exclude_requester: false }', { excludeRequester: false }],
    ['{ four_eyes: true }', { fourEyes: true }],
    ['{ break_glass: [root, "human:root", "oidc:x"] }', { breakGlass: ['human:root', 'oidc:x'] }],
    [
      '{ approvers: { coder: [alice, bob], "*": [carol] } }',
      {
        approvers: new Map([
          ['coder', ['human:alice', 'human:bob']],
          ['*', ['human:carol']],
        ]),
      },
    ],
    ['{ approvers: { constructor: [alice] } }', { approvers: new Map([['constructor', ['human:alice']]]) }],
    ['{ max_pending: { session: 1 } }', { maxPending: { session: 1, tenant: 1_000 } }],
    ['{ max_pending: { tenant: 2 } }', { maxPending: { session: 20, tenant: 2 } }],
    ['{ denials: { limit: 3 } }', { denials: { limit: 3, within: 3_600_000, scope: 'session' } }],
    ['{ denials: { within: 2h, scope: user } }', { denials: { limit: 1, within: 7_200_000, scope: 'user' } }],
    ['{}', { quorum: 1 }],
  ]
  for (const [section, part] of fields) test(section, () => expect(compiled(section)).toMatchObject(part))

  const errors: readonly (readonly [section: string, error: string])[] = [
    ['{ on_timeout: allow }', 'unknown field `on_timeout`'],
    ['{ channel: [slack] }', 'unknown field `channel`'],
    ['{ quorums: 2 }', 'unknown field `quorums`'],
    ['{ quorum: 0 }', 'a whole number from 1 to 20'],
    ['{ quorum: 1.5 }', 'a whole number from 1 to 20'],
    ['{ approve_within: 15 }', 'needs text'],
    ['{ approve_within: "15" }', '`15` is no time'],
    ['{ approve_within: 0s }', '`0s` is no time'],
    ['{ approve_within: 8d }', '`8d` is no time'],
    ['{ use_within: 2d }', '`2d` is no time'],
    ['{ use_within: never }', '`never` is no time'],
    ['{ denials: { within: 30d } }', '`30d` is no time'],
    ['{ denials: { scope: tenant } }', '`tenant` is not known here'],
    ['{ max_pending: 3 }', 'needs a mapping'],
    ['{ quorum: 2, approvers: { "*": [alice] } }', '`*` has 1 approvers, but the quorum is 2'],
    ['{ quorum: 2, approvers: { "*": [alice, "human:alice"] } }', '`*` has 1 approvers, but the quorum is 2'],
    ['{ approvers: { coder: [] } }', '`coder` has 0 approvers, but the quorum is 1'],
    ['{ approvers: [alice] }', 'needs a mapping'],
    ['[]', 'needs a mapping'],
  ]
  for (const [section, error] of errors) {
    test(`${section} is an error`, () => expect(errorsOf(`version: 1\napprovals: ${section}\n`)).toContain(error))
  }

  proves('PRO-25b', 'there is no such thing as a timeout that allows', () => {
    for (const value of ['allow', 'deny', 'true'])
      expect(errorsOf(`version: 1\napprovals: { on_timeout: ${value} }\n`)).toContain('unknown field')
  })

  test('changes the digest of the policy, so that an approval under another one is stale', () => {
    expect(policy('approvals: { quorum: 2 }').digest).not.toBe(policy('approvals: { quorum: 1 }').digest)
  })
})
