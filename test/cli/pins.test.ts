/** Pins as an operator meets them: a definition changes, the operator looks, accepts, forgets; an agent may do none of it. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Home, makeHome } from '../hosts/harness.ts'
import { proves } from '../proves.ts'
import { commandLine } from '../support/command-line.ts'

let home: Home
beforeEach(() => {
  home = makeHome()
  mkdirSync(home.state, { recursive: true })
  writeFileSync(join(home.state, 'countersign.yaml'), 'version: 1\ntools: { get_issue: {} }\ntool_families: [claude-code]\n')
})
afterEach(() => home.remove())

const call = (description: string, tenant?: string) =>
  JSON.stringify({
    tool: 'get_issue',
    server: 'github',
    args: { id: 1 },
    definition: { description, input_schema: {} },
    ...(tenant === undefined ? {} : { principal: { tenant } }),
  })
const check = async (description: string, tenant?: string) => {
  const run = await commandLine(home, ['check'], call(description, tenant))
  return [run.status, (JSON.parse(run.stdout) as { code: string }).code]
}
const shown = async () =>
  JSON.parse((await commandLine(home, ['pins', 'show', 'github/get_issue'])).stdout) as {
    pinned: { digest: string }
    seen: { digest: string }
  }

proves(['T11', 'FUL-W5'], 'a changed definition is a question until an operator accepts it', async () => {
  expect((await commandLine(home, ['pins', 'list'])).stdout).toBe('no definition of a tool was seen yet\n')
  expect(await check('one')).toEqual([0, 'registry.permitted'])
  expect((await commandLine(home, ['pins', 'list'])).stdout).toMatch(/^github\/get_issue {2}sha256:[0-9a-f]{64} {2}first seen {2}\S+Z\n$/)
  expect(await check('two')).toEqual([3, 'integrity.definition_changed'])
  expect((await commandLine(home, ['pins', 'list'])).stdout).toMatch(/ now sha256:[0-9a-f]{64}, seen \S+Z\n$/)
  expect(await shown()).toMatchObject({
    tool: 'github/get_issue',
    tenant: null,
    pinned: { by: null, definition: { description: 'one' } },
    seen: { definition: { description: 'two' } },
    changes: ['/description changed'],
  })
  const accepted = await commandLine(home, ['pins', 'accept', 'github/get_issue', (await shown()).seen.digest, '--reason', 'release 2'])
  expect([accepted.status, accepted.stdout]).toEqual([0, '/description changed\n'])
  expect(await check('two')).toEqual([0, 'registry.permitted'])
  expect(await check('one')).toEqual([3, 'integrity.definition_changed'])
  const log = (await commandLine(home, ['audit', 'search', 'release', '--json'])).stdout
  expect(JSON.parse(log)).toMatchObject({ kind: 'policy', body: { event: 'pin accepted', reason: 'release 2', tool: 'github/get_issue' } })
  expect((await commandLine(home, ['pins', 'remove', 'github/get_issue', '--reason', 'gone'])).status).toBe(0)
  expect(await check('three')).toEqual([0, 'registry.permitted'])
  expect((await commandLine(home, ['audit', 'verify'])).status).toBe(0)
})

describe('what cannot be done says why', () => {
  for (const [title, args, said] of [
    ['a tool that is not known', ['show', 'github/none'], 'no definition of `github/none` was seen'],
    ['a reason that is missing', ['accept', 'github/get_issue', 'sha256:00'], 'for a reason'],
    ['a reason that is empty', ['remove', 'github/get_issue', '--reason', ' '], 'for a reason'],
    ['another digest', ['accept', 'github/get_issue', 'sha256:00', '--reason', 'r'], 'look at it again'],
  ] as const) {
    test(title, async () => {
      await check('one')
      const run = await commandLine(home, ['pins', ...args])
      expect([run.status, run.stdout]).toEqual([2, ''])
      expect(run.stderr).toContain(said)
    })
  }

  test('a tool of several tenants needs the tenant', async () => {
    await check('one', 'a')
    await check('one', 'b')
    expect((await commandLine(home, ['pins', 'show', 'github/get_issue'])).stderr).toContain('--tenant')
    expect((await commandLine(home, ['pins', 'show', 'github/get_issue', '--tenant', 'b'])).stdout).toContain('"tenant": "b"')
    expect((await commandLine(home, ['pins', 'list', '--json'])).stdout.trim().split('\n')).toHaveLength(2)
  })
})

describe('an agent', () => {
  for (const [command, status] of [
    ['countersign pins accept github/get_issue sha256:00 --reason x', 4],
    ['countersign pins remove github/get_issue --reason x', 4],
    ['cd /tmp && npx countersign pins remove github/get_issue', 4],
    ['countersign pins $VERB github/get_issue', 4],
    ['countersign pins list', 0],
  ] as const) {
    proves('T40', command, async () => {
      const run = await commandLine(home, ['check'], JSON.stringify({ tool: 'Bash', args: { command } }))
      expect([run.status, command]).toEqual([status, command])
      if (status === 4) expect((JSON.parse(run.stdout) as { code: string }).code).toBe('integrity.self_protection')
    })
  }
})

describe('in Claude Code, which says where a server comes from', () => {
  let count = 0
  const event = (source: string) =>
    JSON.stringify({
      hook_event_name: 'PreToolUse',
      session_id: 's',
      cwd: home.user,
      tool_name: 'mcp__github__get_issue',
      tool_input: { id: 1 },
      tool_use_id: `t${++count}`,
      mcp_server: { name: 'github', source },
    })
  const answer = async (source: string) =>
    (
      JSON.parse((await commandLine(home, ['hook', 'claude-code'], event(source))).stdout) as {
        hookSpecificOutput: { permissionDecision?: string }
      }
    ).hookSpecificOutput.permissionDecision

  proves('FUL-W5', 'a server of the same name from a repository is another one', async () => {
    expect(await answer('user')).toBeUndefined()
    expect(await answer('user')).toBeUndefined()
    expect(await answer('project')).toBe('ask')
    expect(await answer('user')).toBeUndefined()
  })
})
