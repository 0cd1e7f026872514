import { expect, test } from 'vitest'
import { judging } from './policies.ts'

test('policies that judged are told with what each of them may do', () => {
  const policy = {
    scopes: [
      { scope: 'managed', path: '/etc/countersign/countersign.yaml', digest: 'sha256:a', governs: true, trusted: true },
      { scope: 'user', path: null, digest: 'sha256:b', governs: false, trusted: true },
      { scope: 'project', path: '/repo/countersign.yaml', digest: 'sha256:c', governs: false, trusted: false },
    ],
    unread: [{ path: '/repo/sub/countersign.yaml', problem: 'it is a link' }],
  }
  expect(judging(policy).scopes.map(({ scope, says }) => `${scope} ${says}`)).toEqual([
    'managed governs',
    'user raises',
    'project only tightens',
  ])
  expect(judging(policy).unread).toEqual(['/repo/sub/countersign.yaml: it is a link'])
  expect([judging(undefined), judging('x')]).toEqual([
    { scopes: [], unread: [] },
    { scopes: [], unread: [] },
  ])
})
