/** Role OS's `compensator`: loaded from its own file and by `import role-os`, shown, and what an act without one is asked about. */
import { describe, expect, onTestFinished } from 'vitest'
import { COMPILE } from '../../src/cli/open.ts'
import { openGate } from '../../src/open.ts'
import { compilePolicy } from '../../src/policy/compile.ts'
import { formatPolicyError } from '../../src/policy/errors.ts'
import { sha256 } from '../../src/policy/file.ts'
import type { Policy } from '../../src/policy/policy.ts'
import { tightening } from '../../src/policy/scopes/tighten.ts'
import { proves } from '../proves.ts'
import { bash } from '../support/calls.ts'
import { temporaryDirectory } from '../support/records.ts'
import { imported } from './harness.ts'

const BACK = { undo: 'helm rollback web', owner: 'the platform team', deadline: 'while the volume is kept' }
const MANIFEST = JSON.stringify({
  'git:push': { granted: true, expires: '2999-01-01', compensator: 'git push --force-with-lease, by who pushed' },
  'k8s:delete': { granted: false, compensator: BACK },
  'payment:create': { granted: true, compensator: { owner: 'finance' } },
  'mail:send': { compensator: 7 },
})
const BASE =
  'version: 1\nunregistered: allow\nhazards: { packs: [] }\nundo: {}\nrules: { allow: [{ tool: "*", when: "true", reason: fine }] }\n'
const DELETES = 'kubectl delete namespace prod'

function compiled(text: string, file = MANIFEST): Policy {
  const result = compilePolicy(text, { ...COMPILE, path: null, sha256, readFile: () => ({ text: file }) })
  if (!result.ok) throw new Error(result.errors.map(formatPolicyError).join('\n'))
  return result.policy
}

async function decided(policy: Policy) {
  const { gate, close, queue } = openGate({ home: temporaryDirectory(), policy: () => ({ policy, degraded: null }) })
  onTestFinished(() => close())
  const decision = await gate.decide(bash(DELETES, { session: null }))
  const sheet = decision.approval === null ? null : queue.show(decision.approval.id, { tenant: null })?.sheet
  return { verdict: decision.decision, codes: decision.findings.map(({ code }) => code), sheet }
}

describe('compensators by name', () => {
  proves('ROS-35', 'are read from the file of Role OS as text and as fields, granted or not; what names no undo is a warning', () => {
    const policy = compiled(`${BASE}capabilities: { gate: [], files: [c.json] }\n`)
    expect(policy.capabilities.compensators).toEqual([
      {
        action: 'git:push',
        how: 'git push --force-with-lease, by who pushed',
        owner: 'nobody is named',
        until: 'not said',
        cannot: 'not said',
      },
      { action: 'k8s:delete', how: 'helm rollback web', owner: 'the platform team', until: 'while the volume is kept', cannot: 'not said' },
    ])
    const warned = policy.warnings.map(({ message }) => message).filter((message) => message.includes('compensator'))
    expect(warned).toEqual([expect.stringContaining('payment:create'), expect.stringContaining('mail:send')])
  })

  proves('ROS-35', 'are carried by `import role-os`', () => {
    const { policy, lines } = imported('role-os', MANIFEST)
    expect(policy.capabilities.compensators.map(({ action, owner }) => [action, owner])).toEqual([
      ['git:push', 'nobody is named'],
      ['k8s:delete', 'the platform team'],
    ])
    expect(lines.filter((line) => line.includes('compensator')).length).toBe(2)
  })

  proves('ROS-35', 'an act that cannot be undone is asked about without one, and not with one; where asked, they are shown', async () => {
    const own = 'capabilities: { gate: [], compensators: { "k8s:delete": { how: helm rollback web, owner: the platform team } } }\n'
    expect((await decided(compiled(BASE))).codes).toContain('undo.no_way_back')
    const others = [
      BASE.replace('undo: {}', 'undo: { require_way_back: false }'),
      `${BASE}${own}`,
      `${BASE}capabilities: { gate: [], files: [c.json] }\n`,
    ]
    for (const text of others) expect((await decided(compiled(text))).codes).not.toContain('undo.no_way_back')
    const asked = compiled(`${BASE.replace('rules: {', 'rules: { ask: [{ tool: "*", when: "true", reason: careful }],')}${own}`)
    expect((await decided(asked)).sheet).toMatchObject({
      undo: [{ name: 'k8s:delete', how: 'helm rollback web', owner: 'the platform team', until: 'always', exercised: false }],
      no_way_back: [],
    })
  })

  proves('ROS-35', "a repository's own policy names none and has no database dumped: that is the operator's to say", () => {
    const database = BASE.replace('undo: {}', 'undo: { databases: { shop: { engine: postgres, url_env: SHOP_URL } } }')
    const { capabilities, undo } = tightening(compiled(`${database}capabilities: { gate: [], files: [c.json] }\n`))
    expect([capabilities.compensators, undo?.databases]).toEqual([[], []])
  })
})
