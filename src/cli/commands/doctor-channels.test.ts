import { describe, expect, test } from 'vitest'
import { policyOf } from '../../../test/support/workplace.ts'
import { channelCheck } from './doctor-channels.ts'

const SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`
const WEBHOOK = '{ name: ops, type: webhook, url: "https://x.example", secrets: ["env:OPS"] }'
const ANSWERING = '{ name: ops, type: webhook, url: "https://x.example", secrets: ["env:OPS"], approvers: { a: alice } }'
const COMMAND = '{ name: desk, type: command, command: [/usr/bin/ask], answers: true, approvers: { me: alice } }'

describe('what the doctor says of a channel', () => {
  for (const [title, channel, surroundings, state, detail] of [
    ['carried by the daemon', WEBHOOK, { carried: true, secret: SECRET }, 'ok', 'webhook, is told; the daemon carries messages'],
    ['that answers', ANSWERING, { carried: true, secret: SECRET }, 'ok', 'webhook, is told, and 1 may answer from there; the daemon'],
    ['of a program', COMMAND, { carried: true, secret: null }, 'ok', 'command, is told, and 1 may answer'],
    ['that nobody carries', WEBHOOK, { carried: false, secret: SECRET }, 'warn', 'nobody carries its messages'],
    ['of a program that nobody runs', COMMAND, { carried: false, secret: null }, 'warn', '`countersign channels deliver`'],
    ['without its secret', WEBHOOK, { carried: true, secret: null }, 'warn', 'so far as can be seen from here'],
    ['without its secret, and without a daemon', WEBHOOK, { carried: false, secret: null }, 'warn', 'OPS'],
  ] as const) {
    test(title, () => {
      const { approvals } = policyOf(`approvals: { channels: [${channel}] }\n`)
      const [policy] = approvals.channels
      if (policy === undefined) throw new Error('there is no channel')
      const { carried, secret } = surroundings
      const found = channelCheck(policy, { carried, env: () => secret ?? undefined })
      expect([found.name, found.state]).toEqual([`channel ${policy.name}`, state])
      expect(found.detail).toContain(detail)
    })
  }
})
