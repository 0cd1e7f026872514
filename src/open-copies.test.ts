import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bash } from '../test/support/calls.ts'
import { temporaryDirectory } from '../test/support/records.ts'
import { describedView, policyOf } from '../test/support/workplace.ts'
import { openGate } from './open.ts'
import { headCopiesOf } from './open-copies.ts'
import { judgingFiles } from './open-files.ts'
import { sha256 } from './policy/file.ts'
import { joinPolicies } from './policy/scopes/join.ts'

test('a decision says which copy tells nothing', async () => {
  const policy = policyOf(`audit: { head_copies: [${join(temporaryDirectory(), 'none', 'gate.head')}] }`)
  const opened = openGate({ home: temporaryDirectory(), policy: () => ({ policy, degraded: null }), view: () => describedView({}) })
  onTestFinished(() => opened.close())
  const { decision, policySource } = await opened.gate.decide(bash('ls'))
  expect(decision).toBe('allow')
  expect(policySource.degraded).toMatch(/the copy of the log's head at .* tells nothing: it cannot be reached \(ENOENT\)/)
})

test('a file that holds a copy is a file of the gate', () => {
  expect(judgingFiles(policyOf('audit: { head_copies: [/mnt/gate.head, "https://heads.example.com/a"] }'))).toContain('/mnt/gate.head')
})

for (const trusted of [false, true]) {
  test(`a project's policy names no places, ${trusted ? 'trusted' : 'untrusted'}`, () => {
    const named = (file: string) => policyOf(`audit: { head_copies: [/mnt/${file}] }`)
    const project = [{ policy: named('theirs'), trusted }]
    const joined = joinPolicies({ managed: named('machine'), user: named('mine'), project, unread: [] }, sha256)
    expect(headCopiesOf(joined).map(({ to }) => to)).toEqual(['/mnt/machine', '/mnt/mine'])
    const governed = joinPolicies({ managed: null, user: named('mine'), project, unread: [] }, sha256)
    expect(governed?.scopes?.inForce.find(({ governs }) => governs)?.scope).toBe(trusted ? 'project' : 'user')
    expect(headCopiesOf(governed).map(({ to }) => to)).toEqual(['/mnt/mine'])
  })
}
