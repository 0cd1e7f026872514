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
      delegates: [],
      scopes: { session: { within: 3_600_000, uses: 20 }, grant: { within: 28_800_000, uses: 5 } },
      budget: { session: 100, within: 3_600_000 },
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
    ['{ delegates: { alice: [bob] } }', { delegates: [{ from: 'human:alice', to: 'human:bob', until: null }] }],
    ['{ delegates: { alice: [alice, "human:alice"] } }', { delegates: [] }],
    ['{ delegates: { alice: [] } }', { delegates: [] }],
    [
      '{ delegates: { "oidc:a": [bob, carol, bob] } }',
      {
        delegates: [
          { from: 'oidc:a', to: 'human:bob', until: null },
          { from: 'oidc:a', to: 'human:carol', until: null },
        ],
      },
    ],
    [
      '{ delegates: { alice: { to: [bob], until: "2026-12-24T18:00:00Z" } } }',
      { delegates: [{ from: 'human:alice', to: 'human:bob', until: Date.UTC(2026, 11, 24, 18) }] },
    ],
    ['{ delegates: { alice: { to: [bob], until: "2026-12-24" } } }', { delegates: [{ until: Date.UTC(2026, 11, 24) }] }],
    ['{ delegates: { alice: { to: [bob] } } }', { delegates: [{ until: null }] }],
    ['{ delegates: { alice: {} } }', { delegates: [] }],
    ['{ scopes: { session: { uses: 0 } } }', { scopes: { session: null, grant: { uses: 5 } } }],
    ['{ scopes: { grant: { uses: 0 } } }', { scopes: { session: { uses: 20 }, grant: null } }],
    ['{ scopes: { session: { within: 1d, uses: 3 } } }', { scopes: { session: { within: 86_400_000, uses: 3 } } }],
    ['{ scopes: { grant: { within: 30d, uses: 1 } } }', { scopes: { grant: { within: 2_592_000_000, uses: 1 } } }],
    ['{ scopes: {} }', { scopes: { session: { uses: 20 }, grant: { uses: 5 } } }],
    ['{ budget: { session: 5 } }', { budget: { session: 5, within: 3_600_000 } }],
    ['{ budget: { within: 10m } }', { budget: { session: 100, within: 600_000 } }],
    ['{}', { quorum: 1 }],
  ]
  for (const [section, part] of fields) test(section, () => expect(compiled(section)).toMatchObject(part))

  const errors: readonly (readonly [section: string, error: string])[] = [
    ['{ on_timeout: allow }', 'unknown field `on_timeout`'],
    ['{ channel: [slack] }', 'unknown field `channel`'],
    ['{ delegates: [bob] }', 'a mapping from names to values'],
    ['{ delegates: { alice: bob } }', 'needs a mapping'],
    ['{ delegates: { alice: { to: [bob], until: soon } } }', '`soon` is no instant'],
    ['{ delegates: { alice: { to: [bob], until: "2026-02-30T00:00:00Z" } } }', 'is no instant'],
    ['{ delegates: { alice: { from: [bob] } } }', 'unknown field `from`'],
    ['{ scopes: { session: { uses: -1 } } }', 'a whole number from 0 to 1000'],
    ['{ scopes: { session: { within: 2d } } }', '`2d` is no time'],
    ['{ scopes: { grant: { within: 31d } } }', '`31d` is no time'],
    ['{ scopes: { tool: {} } }', 'unknown field `tool`'],
    ['{ scopes: { always: true } }', 'unknown field `always`'],
    ['{ budget: { session: 0 } }', 'a whole number from 1'],
    ['{ budget: { tenant: 5 } }', 'unknown field `tenant`'],
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
