/** From the ask of a host without a person to the one run: real hooks, the command line's inbox between them (D6). */
import { writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../proves.ts'
import { commandLine } from '../support/command-line.ts'
import { event, type Home, installedCommand, makeHome, permission, runHook, startServe, stop } from './harness.ts'

const FORCE = 'git push --force origin main'
const HEADLESS = { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }

let home: Home
beforeEach(async () => {
  home = makeHome()
  expect((await commandLine(home, ['init', '--yes'])).status).toBe(0)
})
afterEach(() => home.remove())

const ask = (id: string, command = FORCE) => runHook(installedCommand(home), event(command, id), { ...home.environment, ...HEADLESS })
const waiting = async () =>
  (await commandLine(home, ['approvals', 'list', '--json'])).stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { id: string; status: string; yes: number; answers: unknown[] })

describe('a host without a person', () => {
  for (const daemon of [false, true]) {
    proves(
      ['P7', 'PIT-9'],
      `is denied with the id of the approval, then the identical call passes once (${daemon ? 'daemon' : 'no daemon'})`,
      async () => {
        const serving = daemon ? await startServe(home) : null
        try {
          const denied = await ask('toolu_1')
          expect(permission(denied.stdout)).toBe('deny')
          const [pending] = await waiting()
          expect(denied.stdout).toContain(`Approval \`${pending?.id}\` is pending until`)
          expect(permission((await ask('toolu_2')).stdout)).toBe('deny')
          expect(await waiting()).toHaveLength(1)
          expect((await commandLine(home, ['approvals', 'approve', pending?.id ?? '', '--reason', 'mine'])).status).toBe(0)
          expect(permission((await ask('toolu_3')).stdout)).toBeNull()
          expect(permission((await ask('toolu_4')).stdout)).toBe('deny')
          expect((await commandLine(home, ['approvals', 'show', pending?.id ?? '', '--json'])).stdout).toContain('"status": "consumed"')
        } finally {
          if (serving !== null) await stop(serving)
        }
      },
    )
  }

  proves(['PRO-28c', 'PIT-6'], 'runs the call with the arguments that a person changed, once, and is told so', async () => {
    await ask('toolu_1')
    const id = (await waiting())[0]?.id ?? ''
    const file = join(home.user, 'changed.json')
    const command = 'git push --force-with-lease origin main'
    writeFileSync(file, JSON.stringify({ command }))
    expect((await commandLine(home, ['approvals', 'approve', id, '--args', file])).status).toBe(3)
    expect(permission((await ask('toolu_2')).stdout)).toBe('deny')
    expect((await commandLine(home, ['approvals', 'approve', id, '--seen', '1'])).status).toBe(0)
    const run = await ask('toolu_3')
    const { hookSpecificOutput: told } = JSON.parse(run.stdout.split('\n')[0] ?? '') as { hookSpecificOutput: Record<string, unknown> }
    expect(told).toMatchObject({ hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput: { command } })
    expect(told.additionalContext).toContain('Approved with modified arguments')
    expect(permission((await ask('toolu_4')).stdout)).toBe('deny')
  })

  test('another command is not what was approved', async () => {
    await ask('toolu_1')
    expect((await commandLine(home, ['approvals', 'approve', (await waiting())[0]?.id ?? ''])).status).toBe(0)
    expect(permission((await ask('toolu_2', `${FORCE} --no-verify`)).stdout)).toBe('deny')
  })

  proves('PIT-8', 'a no holds, in whatever form the call comes', async () => {
    await ask('toolu_1')
    expect((await commandLine(home, ['approvals', 'deny', (await waiting())[0]?.id ?? '', '--reason', 'no'])).status).toBe(0)
    const again = await ask('toolu_2', 'git push -f origin main')
    expect(again.stdout).toContain('approval.remembered')
    expect(await waiting()).toEqual([])
  })

  test('where a person sits, the host asks and nothing waits', async () => {
    const asked = await runHook(installedCommand(home), event(FORCE), { ...home.environment, CLAUDE_CODE_ENTRYPOINT: 'cli' })
    expect(permission(asked.stdout)).toBe('ask')
    expect(await waiting()).toEqual([])
  })
})

describe('the inbox', () => {
  const check = async (call: object) => {
    const run = await commandLine(home, ['check'], JSON.stringify(call))
    return { status: run.status, decision: JSON.parse(run.stdout) as { code: string; approval: { id: string; token?: string } | null } }
  }
  const call = { tool: 'Bash', args: { command: FORCE }, session: 's-1', cwd: '/tmp', principal: { agent: 'a' } }

  test('answers in JSON and in words, and waits', async () => {
    const { status, decision } = await check(call)
    const id = decision.approval?.id ?? ''
    expect([status, decision.approval?.token?.startsWith(`${id}.`)]).toEqual([3, true])
    expect((await commandLine(home, ['approvals', 'wait', id, '--timeout', '1ms'])).status).toBe(3)
    const shown = (await commandLine(home, ['approvals', 'show', id])).stdout
    for (const part of ['git:push "origin"', 'hazard.history', 'agent a', FORCE, 'sha256:']) expect(shown).toContain(part)
    expect((await commandLine(home, ['approvals', 'approve', id, '--reason', 'mine', '--json'])).stdout).toContain('"status":"approved"')
    expect((await commandLine(home, ['approvals', 'wait', id])).status).toBe(0)
    expect((await commandLine(home, ['approvals', 'list'])).stdout).toContain(`${id}  approved`)
    expect((await check({ ...call, approval: decision.approval?.token })).status).toBe(0)
    expect((await commandLine(home, ['approvals', 'list'])).stdout).toBe('nothing waits for a person\n')
    expect((await commandLine(home, ['approvals', 'list', '--all'])).stdout).toContain(`${id}  consumed`)
    expect(await commandLine(home, ['approvals', 'deny', id])).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('approval.consumed'),
    })
  })

  proves('T23', 'one yes covers only calls that are like the first, unless each was looked at', async () => {
    const idOf = async (command: string) => (await check({ ...call, args: { command } })).decision.approval?.id ?? ''
    const ids = [await idOf(FORCE), await idOf('git push --force other main')]
    const refused = await commandLine(home, ['approvals', 'approve', ...ids, '--reason', 'mine'])
    expect([refused.status, refused.stderr.match(/approval\.not_alike/g)?.length]).toEqual([4, 1])
    expect((await waiting()).map(({ id, status }) => [id, status])).toEqual(
      expect.arrayContaining([
        [ids[0], 'approved'],
        [ids[1], 'pending'],
      ]),
    )
    expect((await commandLine(home, ['approvals', 'approve', ...ids.toReversed(), '--each'])).status).toBe(0)
    expect((await waiting()).map(({ status }) => status)).toEqual(['approved', 'approved'])
  })

  proves('P8', 'refuses who asked', async () => {
    const { decision } = await check({ ...call, principal: { user: userInfo().username } })
    const refused = await commandLine(home, ['approvals', 'approve', decision.approval?.id ?? ''])
    expect([refused.status, refused.stderr.includes('approval.requester')]).toEqual([4, true])
    expect(await waiting()).toMatchObject([{ status: 'pending', yes: 0, answers: [] }])
  })

  proves('PIT-7', 'knows ids alone, never positions, and records the same answer once', async () => {
    const unknown = await commandLine(home, ['approvals', 'approve', 'apr_1\u001b[2J'])
    expect([unknown.status, unknown.stderr.includes('\u001b')]).toEqual([2, false])
    const id = (await check(call)).decision.approval?.id ?? ''
    for (const position of ['0', '1', 'last', id.slice(0, -1)])
      expect((await commandLine(home, ['approvals', 'deny', position])).status).toBe(2)
    for (let i = 0; i < 2; i += 1) expect((await commandLine(home, ['approvals', 'deny', id])).status).toBe(0)
    expect(
      (await commandLine(home, ['audit', 'search', id, '--json'])).stdout.split('\n').filter((line) => line.includes('"kind":"approval"')),
    ).toHaveLength(1)
  })

  test('shows a padded call to its end, on lines of plain characters', async () => {
    const padded = `${FORCE} # ${' '.repeat(3000)}\n# the tail`
    const id = (await check({ ...call, args: { command: padded } })).decision.approval?.id ?? ''
    const { stdout } = await commandLine(home, ['approvals', 'show', id])
    expect(stdout).toContain('\\n# the tail"')
    expect(stdout).toContain(`arguments    ${JSON.stringify({ command: padded }).length} characters`)
  })

  proves(
    ['PIT-6', 'PRO-28c'],
    'changes arguments: decided again and shown, agreed to in their version, then told to who cannot rewrite',
    async () => {
      const id = (await check(call)).decision.approval?.id ?? ''
      const file = join(home.user, 'changed.json')
      writeFileSync(file, JSON.stringify({ command: 'git push --force-with-lease origin main' }))
      const changed = await commandLine(home, ['approvals', 'approve', id, '--args', file])
      expect([changed.status, changed.stderr]).toEqual([3, expect.stringContaining(`approvals approve ${id} --seen 1`)])
      for (const part of ['and decided again: ask', `it was       {"command":"${FORCE}"}`, '--force-with-lease'])
        expect(changed.stdout).toContain(part)
      expect(await commandLine(home, ['approvals', 'approve', id, '--seen', '0'])).toMatchObject({
        status: 4,
        stderr: expect.stringContaining('approval.changed'),
      })
      expect((await commandLine(home, ['approvals', 'approve', id, '--seen', '1'])).status).toBe(0)
      const told = await check(call)
      expect([told.status, told.decision.code]).toEqual([4, 'approval.with_changes'])
      expect((await check({ ...call, args: { command: 'git push --force-with-lease origin main' } })).status).toBe(0)
      expect((await check({ ...call, args: { command: 'git push --force-with-lease origin main' } })).status).toBe(3)
    },
  )

  test('refuses changes that are denied, and files that hold no arguments', async () => {
    const id = (await check(call)).decision.approval?.id ?? ''
    const file = join(home.user, 'changed.json')
    for (const [content, status, error] of [
      ['{"command":"rm -rf ~"}', 4, 'approval.modified_denied'],
      ['["rm"]', 2, 'holds no JSON object'],
      ['{"command":"a","command":"b"}', 2, 'holds no JSON'],
      ['', 2, 'holds no JSON'],
    ] as const) {
      writeFileSync(file, content)
      const run = await commandLine(home, ['approvals', 'approve', id, '--args', file])
      expect([content, run.status, run.stderr]).toEqual([content, status, expect.stringContaining(error)])
    }
    expect((await commandLine(home, ['approvals', 'approve', id, '--args', join(home.user, 'none.json')])).status).toBe(2)
    expect(await waiting()).toMatchObject([{ status: 'pending', yes: 0 }])
  })

  test('approves for the session, and takes no scope that is none', async () => {
    // An address: where a remote by name leads is not known outside of a repository, and then only the very same words are alike.
    const to = (command: string) => check({ ...call, args: { command: `${command} https://git.example/a/b main` } })
    const id = (await to('git push --force')).decision.approval?.id ?? ''
    expect((await commandLine(home, ['approvals', 'show', id])).stdout).toContain(
      'could allow  --scope session: exactly this in this session',
    )
    for (const scope of ['always', '{"tool":"Bash"', '[]', '{"grant":{"action":"git:*"}}']) {
      const run = await commandLine(home, ['approvals', 'approve', id, '--scope', scope])
      expect([scope, run.status]).toEqual([scope, scope.startsWith('{"grant') ? 4 : 2])
    }
    expect((await commandLine(home, ['approvals', 'approve', id, '--scope', 'session', '--comment', 'all day'])).status).toBe(0)
    for (const command of ['git push --force', 'git push -f']) expect((await to(command)).status).toBe(0)
    expect((await commandLine(home, ['approvals', 'list'])).stdout).toContain('session 2/20')
  })

  proves('T23', 'lists what is alike, answers each call that is named, and says so where nobody can have read', async () => {
    const ids: string[] = []
    for (const branch of ['a', 'b', 'c'])
      ids.push((await check({ ...call, args: { command: `git push --force origin ${branch}` } })).decision.approval?.id ?? '')
    const listed = (await commandLine(home, ['approvals', 'list'])).stdout
    expect(listed).toContain(`alike: 3 × Bash: git:push: ${ids.join(' ')}`)
    for (const id of ids) expect(listed).toContain(`${id}  pending`)
    const answered = await commandLine(home, ['approvals', 'deny', ...ids, '--reason', 'no'])
    expect([answered.status, answered.stdout.split('\n').filter((line) => line.includes('denied'))]).toEqual([
      0,
      expect.objectContaining({ length: 3 }),
    ])
    expect((await commandLine(home, ['approvals', 'approve', ids[0] ?? '', 'apr_none'])).status).toBe(2)
  })

  const hostile = '\u001b]0;approved\u0007\u001b[2K\u202egnp\u2028 <b>**ok**</b> [x](http://y) \u200b\u0000'
  proves('T24', 'writes out every control, bidirectional and invisible character of a call', async () => {
    const { decision } = await check({ tool: 'mcp_send', args: { to: hostile, [hostile]: 'x' }, session: 's-1' })
    const id = decision.approval?.id ?? ''
    for (const args of [['list'], ['show', id], ['list', '--json'], ['show', id, '--json']]) {
      const { stdout } = await commandLine(home, ['approvals', ...args])
      expect(stdout).toContain(id)
      if (args.includes('--json')) expect(JSON.stringify(JSON.parse(stdout))).toContain(JSON.stringify(hostile).slice(1, -1))
      expect([args, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2028\u2029]/.test(stdout)]).toEqual([args, false])
    }
  })

  test('is not for the agent', async () => {
    for (const command of ['countersign approvals approve apr_1', 'countersign approvals deny apr_1']) {
      expect((await check({ ...call, args: { command } })).decision.code).toBe('integrity.self_protection')
    }
  })
})
