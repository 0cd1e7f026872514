/** The receiver of the guide, as it stands there, against a real gate: it verifies, answers what it may, and is believed. */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryDirectory } from '../support/records.ts'
import { ask, startServer } from '../support/server.ts'

const GUIDE = readFileSync('docs/guide/channels.md', 'utf8')
const SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`

function code(containing: string): string {
  const found = [...GUIDE.matchAll(/^```js\n([\s\S]*?)^```/gm)].map(([, text = '']) => text).find((text) => text.includes(containing))
  if (found === undefined) throw new Error(`the guide has no code with \`${containing}\``)
  return found
}

test('the receiver of the guide approves what it knows and leaves the rest to people', async () => {
  const port = await freePort()
  const policy = `unregistered: ask
rules: { ask: [{ tool: wire_money, reason: money }] }
approvals: { channels: [{ name: ops, type: webhook, url: "http://127.0.0.1:${port}/", secrets: ["env:OPS"], allow_private: true, approvers: { robot: robot } }] }
`
  const server = await startServer({ env: { OPS: SECRET }, policy })
  onTestFinished(() => server.stop())
  const path = join(temporaryDirectory(), 'receiver.mjs')
  writeFileSync(path, code('createServer'))
  const child = spawn(process.execPath, [path], { env: { OPS_SECRET: SECRET, GATE: server.url, PORT: String(port) }, stdio: 'inherit' })
  onTestFinished(() => void child.kill('SIGKILL'))
  const knock = () =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' }).then(
      ({ status }) => status,
      () => null,
    )
  while ((await knock()) === null) await new Promise((resolve) => setTimeout(resolve, 20))
  const decide = async (amount: number) =>
    (await ask(`${server.url}/v1/decisions`, { body: { tool: 'wire_money', args: { amount }, session: 's' } })).status
  expect([await decide(5), await decide(500)]).toEqual([202, 202])
  server.channels?.start()
  let small = await decide(5)
  while (small === 202) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    small = await decide(5)
  }
  expect([small, await decide(500)]).toEqual([200, 202])
  expect(await knock()).toBe(401)
})

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
