/** The role that the policy gives to calls whose sender names none. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { bash } from '../../test/support/calls.ts'
import { policyOf, workplace } from '../../test/support/workplace.ts'
import { sha256 } from '../policy/file.ts'
import type { Policy } from '../policy/policy.ts'
import { joinPolicies, type ScopeParts } from '../policy/scopes/join.ts'
import { trustInWords } from '../policy/scopes/words.ts'
import { errorsOf } from '../policy/testing/compiled.ts'

const READER = 'roles: { reader: { deny_list: [Bash] }, coder: { deny_list: [Read] } }\ndefault_role: reader\n'

describe('a call whose sender names no role', () => {
  proves('T50', 'is judged and recorded under that of the policy', async () => {
    const at = workplace(READER)
    expect(await at.says(bash('git status'))).toBe('deny roles.denied')
    const [decision] = [...(at.opened.store.read({ kind: 'decision' }) as Iterable<{ body: { call?: object } }>)].map(({ body }) => body)
    expect(JSON.stringify(decision)).toContain('"role":"reader"')
    at.policy('')
    expect(await at.says(bash('git status'))).not.toContain('roles')
  })

  test('is not that of a call with a role of its own', async () => {
    const at = workplace(READER)
    expect(await at.says(bash('git status', { principal: { role: 'coder' } }))).not.toContain('deny')
    expect(await at.says(bash('git status', { principal: { role: 'stranger' } }))).not.toContain('roles')
  })

  test('is gated by it in what it may be asked of, too', async () => {
    const at = workplace(`${READER}approvals: { approvers: { reader: ["human:lead"] } }\n`.replace('[Bash]', '[Write]'))
    const { answers, terms } = (await at.asks(bash('git push --force'))) as { answers: unknown; terms: { eligible?: unknown } }
    expect(answers).toEqual([])
    expect(JSON.stringify(terms)).toContain('human:lead')
  })
})

describe('the default role of a policy', () => {
  test('is one of its roles', () => {
    expect(errorsOf('version: 1\nroles: { reader: {} }\ndefault_role: raeder\n')).toContain('there is no role `raeder`')
    expect(errorsOf('version: 1\ndefault_role: reader\n')).toBe('no errors')
  })

  const role = (name: string | null): Policy => policyOf(name === null ? '' : `default_role: ${name}\n`)
  const parts = (more: Partial<ScopeParts>): ScopeParts => ({ managed: null, user: role('user'), project: [], unread: [], ...more })
  const project = (name: string | null, trusted: boolean) => [{ policy: role(name), trusted }]
  for (const [title, given, expected] of [
    ['the operator’s', parts({}), 'user'],
    ['not one that a repository brings', parts({ user: role(null), project: project('project', false) }), null],
    ['nor beside the operator’s', parts({ project: project('project', false) }), 'user'],
    ['that of a project which is trusted', parts({ project: project('project', true) }), 'project'],
    ['the operator’s, where such a project names none', parts({ project: project(null, true) }), 'user'],
    ['the machine’s before any other', parts({ managed: role('managed'), project: project('project', true) }), 'managed'],
  ] as const) {
    proves('T42', `is ${title}`, () => expect(joinPolicies(given, sha256)?.defaultRole ?? null).toBe(expected))
  }

  test('is shown before a project is trusted', () => {
    expect(trustInWords(role('project'), role('user'))).toContain('calls that name no role are judged as: project (yours: user)')
  })
})
