/** The agent cannot read or change the secret that answers of a channel are signed with (P9, T22). */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { bash } from '../../../test/support/channels.ts'
import { stateDirectoryOfTest } from '../../../test/support/state.ts'
import { policyOf } from '../../../test/support/workplace.ts'
import { openGate } from '../../open.ts'

proves('P9', 'secrets of channels are as the keys of the gate to the agent', async () => {
  const home = stateDirectoryOfTest()
  const place = join(home, 'elsewhere')
  mkdirSync(place)
  const secret = join(place, 'ops.key')
  writeFileSync(secret, 'secret', { mode: 0o600 })
  const policy = policyOf(
    `approvals: { channels: [{ name: ops, type: webhook, url: "https://x.example", secrets: ["file:${secret}"] }] }\nrules: { allow: [{ tool: "*", reason: all }] }\n`,
  )
  const { gate, close } = openGate({ home: join(home, 'state'), policy: () => ({ policy, degraded: null }) })
  const decide = async (command: string) => (await gate.decide(bash(command, { cwd: home }))).decision
  try {
    for (const command of [
      `cat ${secret}`,
      `cp ${secret} /tmp/x`,
      'cd elsewhere && base64 ops.key',
      `echo x > ${secret}`,
      `chmod 644 ${secret}`,
      `rm ${secret}`,
    ])
      expect([command, await decide(command)]).toEqual([command, 'deny'])
    expect(await decide(`ls ${home}`)).not.toBe('deny')
  } finally {
    close()
  }
})
