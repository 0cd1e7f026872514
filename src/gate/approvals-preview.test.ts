/** A yes is for what people were shown: where a call was tried out before they were asked, it binds to what was seen. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { bash, type CallChanges, callOf } from '../../test/support/calls.ts'
import { type Workplace, workplace } from '../../test/support/workplace.ts'
import type { JsonObject } from '../core/json.ts'
import type { ResolveContext } from '../gate.ts'
import { digester } from '../open.ts'

const FORCE = 'git push --force origin main'
const LEASE = 'git push --force-with-lease origin main'
const REWRITES = { attended: false, rewrites: true }

/** A workplace whose calls are tried out against a world of the test. */
function trying(world: { branch: string; fails?: boolean }, section = ''): Workplace & { readonly tried: string[] } {
  const tried: string[] = []
  const preview = async ({ call }: ResolveContext) => {
    tried.push(String(call.args.command ?? call.tool.name))
    if (world.fails === true) throw new Error('the sandbox cannot be started')
    const shown: JsonObject = { overwrites: world.branch, command: call.args.command ?? null }
    return { digest: digester.digest('test/preview/v1', shown), shown }
  }
  return Object.assign(workplace(section, preview), { tried })
}

describe('what a preview shows', () => {
  test('is in what people read and in the binding, and is tried out for asks alone', async () => {
    const work = trying({ branch: 'aaa' }, 'rules: { deny: [{ tool: never, reason: never }], allow: [{ tool: Read, reason: fine }] }\n')
    const asked = await work.asks(bash(FORCE))
    expect(asked.sheet).toMatchObject({ preview: { overwrites: 'aaa', command: FORCE } })
    expect(asked.binding.preview).toMatch(/^sha256:/)
    expect(await work.says(callOf('never', {}))).toMatch(/^deny /)
    expect(work.tried).toEqual([FORCE])
  })

  test('is redacted as all else is', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const asked = await trying({ branch: secret }).asks(bash(FORCE))
    expect(JSON.stringify(asked)).not.toContain(secret)
  })

  proves(['P6', 'T01'], 'must be the same when the yes is used', async () => {
    const world = { branch: 'aaa' }
    const work = trying(world)
    const { id } = await work.asks(bash(FORCE))
    await work.answer(id)
    world.branch = 'bbb'
    const again = await work.decide(bash(FORCE))
    expect(again).toMatchObject({
      decision: 'ask',
      findings: expect.arrayContaining([expect.objectContaining({ code: 'approval.stale' })]),
    })
    expect(again.approval?.id).not.toBe(id)
    expect(work.stored(id).status).toBe('cancelled')
    expect(work.stored(again.approval?.id ?? '').sheet).toMatchObject({ preview: { overwrites: 'bbb' } })
  })

  proves(['P6', 'P7'], 'and where it is, the call runs once', async () => {
    const work = trying({ branch: 'aaa' })
    const { id } = await work.asks(bash(FORCE))
    await work.answer(id)
    expect(await work.says(bash(FORCE))).toBe('flag allow.permitted')
    expect(await work.says(bash(FORCE))).toMatch(/^ask /)
  })

  proves('P6', 'opens another question while nobody has answered: the old one is not what would happen any more', async () => {
    const world = { branch: 'aaa' }
    const work = trying(world)
    const first = await work.asks(bash(FORCE))
    expect((await work.asks(bash(FORCE))).id).toBe(first.id)
    world.branch = 'bbb'
    expect((await work.asks(bash(FORCE))).id).not.toBe(first.id)
    expect(work.stored(first.id).status).toBe('cancelled')
  })

  for (const [title, before, after] of [
    ['tried out when asked, not when used', false, true],
    ['tried out when used, not when asked', true, false],
  ] as const) {
    proves('P6', `${title}: asked again`, async () => {
      const world = { branch: 'aaa', fails: before }
      const work = trying(world)
      const { id, binding, sheet } = await work.asks(bash(FORCE))
      expect([binding.preview === null, Object.hasOwn(sheet, 'preview')]).toEqual([before, !before])
      await work.answer(id)
      world.fails = after
      expect(await work.says(bash(FORCE))).toMatch(/^ask /)
    })
  }

  test('that fails every time leaves everything as it is without previews', async () => {
    const work = trying({ branch: 'aaa', fails: true })
    const { id } = await work.asks(bash(FORCE))
    await work.answer(id)
    expect(await work.says(bash(FORCE))).toBe('flag allow.permitted')
  })

  proves(['P6', 'PRO-28c'], 'of changed arguments is of those: shown anew, and bound to', async () => {
    const world = { branch: 'aaa' }
    const work = trying(world)
    const { id } = await work.asks(bash(FORCE))
    await work.answer(id, { modifiedArguments: { command: LEASE } })
    expect(work.stored(id).sheet).toMatchObject({ preview: { command: LEASE }, call: { args: { command: LEASE } } })
    expect((await work.asks(bash(FORCE))).id).toBe(id)
    await work.answer(id, { version: work.stored(id).version })
    world.branch = 'bbb'
    expect(await work.says(bash(FORCE), REWRITES)).toMatch(/^ask /)
  })

  proves(['P7', 'PRO-28c'], 'of changed arguments that still holds lets them run once', async () => {
    const work = trying({ branch: 'aaa' })
    const { id } = await work.asks(bash(FORCE))
    await work.answer(id, { modifiedArguments: { command: LEASE } })
    await work.answer(id, { version: work.stored(id).version })
    expect(await work.decide(bash(FORCE), REWRITES)).toMatchObject({ decision: 'flag', modified: { arguments: { command: LEASE } } })
    expect(work.stored(id).status).toBe('consumed')
  })
})

describe('every part of a call that a yes binds to, changed alone', () => {
  const definition = { description: 'runs a command', inputSchema: null, annotations: null }
  const tool = (digest: string | null, server: string | null = null) => ({ server, name: 'Bash', definition: digest })
  const asCalled: CallChanges = {
    tool: tool('sha256:d1'),
    definition,
    cwd: '/repo',
    session: 's-1',
    principal: { role: 'coder', chain: ['human:boss'] },
  }
  const cases: readonly (readonly [what: string, changes: CallChanges])[] = [
    ['an argument by one byte', { args: { command: `${FORCE} ` } }],
    ['one more argument', { args: { command: FORCE, timeout: 1 } }],
    ['the definition', { tool: tool('sha256:d2') }],
    ['no definition', { tool: tool(null), definition: null }],
    ['the server', { tool: tool('sha256:d1', 'other') }],
    ['the session', { session: 's-2' }],
    ['no session', { session: null }],
    ['the directory', { cwd: '/repo/a' }],
    ['no directory', { cwd: null }],
    ['the agent', { principal: { agent: 'other', role: 'coder', chain: ['human:boss'] } }],
    ['the user', { principal: { user: 'you', role: 'coder', chain: ['human:boss'] } }],
    ['the role', { principal: { role: 'reader', chain: ['human:boss'] } }],
    ['the tenant', { principal: { role: 'coder', tenant: 'acme', chain: ['human:boss'] } }],
    ['who stands behind it', { principal: { role: 'coder', chain: ['human:boss', 'human:ceo'] } }],
    ['the case of the agent', { principal: { agent: 'Claude-Code', role: 'coder', chain: ['human:boss'] } }],
  ]
  for (const [what, changes] of cases) {
    proves(
      ['P6', 'T01', 'T20', 'PIT-5'],
      `${what}: asked anew, by memory and by token, and the yes is still there for its own call`,
      async () => {
        const work = workplace('guards: { definitions: { on_change: ask } }\n')
        const call = bash(FORCE, asCalled)
        const { approval } = await work.decide(call)
        await work.answer(approval?.id ?? '')
        const other = { ...bash(FORCE, { ...asCalled, ...changes }), ...(changes.args === undefined ? {} : { args: changes.args }) }
        for (const token of [null, approval?.token ?? null]) {
          const got = await work.decide({ ...other, approval: token })
          expect([token === null, got.decision]).toEqual([token === null, 'ask'])
          expect(got.approval?.id).not.toBe(approval?.id)
        }
        expect(await work.says(call)).toBe('flag allow.permitted')
      },
    )
  }
})

describe('a change of a file', () => {
  const write = callOf('Write', { file_path: '/repo/a.txt', content: 'new\n' })
  const ASKS = 'rules: { ask: [{ tool: Write, reason: look first }] }\n'

  proves(['P6', 'PIT-15'], 'is shown as a difference from the file, and a yes ends when the file changes', async () => {
    const work = workplace(ASKS)
    work.files['/repo/a.txt'] = 'old\n'
    const { id, sheet } = await work.asks(write)
    expect(sheet).toMatchObject({ preview: { kind: 'diff', files: [{ change: 'changed', diff: '@@ -1,1 +1,1 @@\n-old\n+new\n' }] } })
    await work.answer(id)
    work.files['/repo/a.txt'] = 'of somebody else\n'
    const again = await work.decide(write)
    expect([again.decision, again.approval?.id === id]).toEqual(['ask', false])
    work.files['/repo/a.txt'] = 'old\n'
    const anew = await work.asks(write)
    await work.answer(anew.id)
    expect((await work.decide(write)).decision).not.toBe('ask')
  })

  test('shows no secret of the file', async () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`
    const work = workplace(ASKS)
    work.files['/repo/a.txt'] = `token = ${secret}\n`
    expect(JSON.stringify((await work.asks(write)).sheet)).not.toContain(secret)
  })
})
