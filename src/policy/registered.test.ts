import { expect, test } from 'vitest'
import { bareCall } from '../core/call.ts'
import { isRegistered, isSpokenOf } from './registered.ts'
import { policy as compiled } from './testing/compiled.ts'

const policy = compiled(
  `version: 1
unregistered: allow
tools: { listed: { risk_tier: low } }
rules:
  allow: [{ tool: "lab/*", reason: all of it }, { tool: lab/vent, reason: known }]
  ask: [{ tool: paint, reason: see it }]
  deny: [{ tool: wipe, reason: never }]
`,
)

test.each([
  ['listed', null, [true, true]],
  ['paint', null, [false, true]],
  ['vent', 'lab', [false, true]],
  ['slew', 'lab', [false, false]],
  ['vent', 'other', [false, false]],
  ['wipe', null, [false, false]],
])('%s of %s', (name, server, known) => {
  const call = { ...bareCall(name, {}), tool: { server, name, definition: null } }
  expect([isRegistered(call, policy), isSpokenOf(call, policy)]).toEqual(known)
})
