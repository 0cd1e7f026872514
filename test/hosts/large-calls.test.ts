/** Calls of megabytes: decided by a thread of the daemon as by the process that stands in for it, and recorded once. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { proves } from '../proves.ts'
import { commandLine } from '../support/command-line.ts'
import { event, type Home, installedCommand, makeHome, permission, runHook, startServe, stop } from './harness.ts'

let home: Home
beforeEach(() => {
  home = makeHome()
})
afterEach(() => home.remove())

const TEXT = 'The quick brown fox jumps over the lazy dog.\n'

function writeOf(bytes: number, file: string, id: string): string {
  const content = TEXT.repeat(Math.ceil(bytes / TEXT.length))
  return event('', id, { tool_name: 'Write', tool_input: { file_path: file, content } })
}

interface Logged {
  readonly kind?: string
  readonly code?: string
  readonly body?: { readonly call?: { readonly call_id?: string; readonly args?: { readonly content?: string } } }
}

async function log(): Promise<readonly Logged[]> {
  const { stdout } = await commandLine(home, ['audit', 'export'])
  const lines = stdout.trim().split('\n')
  return lines.map((line) => JSON.parse(line) as Logged)
}

const policyFile = (): string => join(home.user, 'countersign.yaml')

function limited(bytes: number): void {
  writeFileSync(policyFile(), `version: 1\ntool_families: [claude-code]\nlimits: { max_bytes: ${bytes} }\n`)
}

proves('T04', 'a large call is decided by the daemon as by the process that stands in for it, once each, and recorded whole', async () => {
  limited(4_000_000)
  expect((await commandLine(home, ['init', '--yes', '--policy', policyFile()])).status).toBe(0)
  const command = installedCommand(home)
  const cases = [
    { id: 'fine', input: writeOf(2_000_000, join(home.user, 'notes.txt'), 'fine') },
    { id: 'own', input: writeOf(2_000_000, join(home.state, 'keys/audit.key'), 'own') },
    { id: 'huge', input: writeOf(5_000_000, join(home.user, 'notes.txt'), 'huge') },
    { id: 'small', input: event('git status', 'small') },
  ]
  const alone: (string | null)[] = []
  for (const { input } of cases) alone.push(permission((await runHook(command, input, home.environment)).stdout))
  expect(alone).toEqual(['ask', 'deny', 'deny', null])
  const daemon = await startServe({ ...home, environment: { ...home.environment, COUNTERSIGN_POLICY: policyFile() } })
  try {
    const served = cases.map(async ({ id, input }) => {
      const { status, stdout } = await runHook(command, input.replace(`"${id}"`, `"${id}-served"`), home.environment)
      return status === 0 ? permission(stdout) : `ended with ${status}`
    })
    expect(await Promise.all(served)).toEqual(alone)
  } finally {
    await stop(daemon)
  }
  const records = (await log()).filter(({ kind }) => kind === 'decision')
  const ids = records.flatMap(({ body }) => body?.call?.call_id ?? [])
  expect(ids.toSorted()).toEqual(['fine', 'fine-served', 'own', 'own-served', 'small', 'small-served'])
  const whole = records.filter(({ body }) => body?.call?.call_id?.startsWith('fine')).map(({ body }) => body?.call?.args?.content?.length)
  expect(whole).toEqual([2_000_025, 2_000_025])
  expect(records.filter(({ code }) => code === 'ingress.too_large')).toHaveLength(2)
  expect((await commandLine(home, ['audit', 'verify'])).status).toBe(0)
})

test('the limit of the policy holds, larger or smaller than the default', async () => {
  const decided = async (bytes: number): Promise<string | null> => {
    const input = writeOf(bytes, join(home.user, 'x'), `c-${bytes}`)
    return permission((await commandLine(home, ['hook', 'claude-code', '--policy', policyFile()], input)).stdout)
  }
  limited(4_096)
  expect([await decided(1_000), await decided(5_000)]).toEqual(['ask', 'deny'])
  limited(2_000_000)
  expect([await decided(1_500_000), await decided(2_500_000)]).toEqual(['ask', 'deny'])
})
