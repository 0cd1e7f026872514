/** From the ask of a host without a person to the one run: real processes, the command line's inbox between them (D6). */
import { userInfo } from 'node:os'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../proves.ts'
import { cli, event, type Home, installedCommand, makeHome, permission, runHook, startServe, stop } from './harness.ts'

const FORCE = 'git push --force origin main'
const HEADLESS = { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }

let home: Home
beforeEach(() => {
  home = makeHome()
  expect(cli(home, ['init', '--yes']).status).toBe(0)
})
afterEach(() => home.remove())

const ask = (id: string, command = FORCE) => runHook(installedCommand(home), event(command, id), { ...home.environment, ...HEADLESS })
const waiting = () =>
  cli(home, ['approvals', 'list', '--json'])
    .stdout.split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { id: string; status: string; approved: number; answers: unknown[] })

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
          const [pending] = waiting()
          expect(denied.stdout).toContain(`as \`${pending?.id}\` until`)
          expect(permission((await ask('toolu_2')).stdout)).toBe('deny')
          expect(waiting()).toHaveLength(1)
          expect(cli(home, ['approvals', 'approve', pending?.id ?? '', '--reason', 'mine']).status).toBe(0)
          expect(permission((await ask('toolu_3')).stdout)).toBeNull()
          expect(permission((await ask('toolu_4')).stdout)).toBe('deny')
          expect(cli(home, ['approvals', 'show', pending?.id ?? '', '--json']).stdout).toContain('"status": "consumed"')
        } finally {
          if (serving !== null) await stop(serving)
        }
      },
    )
  }

  test('another command is not what was approved', async () => {
    await ask('toolu_1')
    expect(cli(home, ['approvals', 'approve', waiting()[0]?.id ?? '']).status).toBe(0)
    expect(permission((await ask('toolu_2', `${FORCE} --no-verify`)).stdout)).toBe('deny')
  })

  proves('PIT-8', 'a no holds, in whatever form the call comes', async () => {
    await ask('toolu_1')
    expect(cli(home, ['approvals', 'deny', waiting()[0]?.id ?? '', '--reason', 'no']).status).toBe(0)
    const again = await ask('toolu_2', 'git push -f origin main')
    expect(again.stdout).toContain('approval.remembered')
    expect(waiting()).toEqual([])
  })

  test('where a person sits, the host asks and nothing waits', async () => {
    const asked = await runHook(installedCommand(home), event(FORCE), { ...home.environment, CLAUDE_CODE_ENTRYPOINT: 'cli' })
    expect(permission(asked.stdout)).toBe('ask')
    expect(waiting()).toEqual([])
  })
})

describe('the inbox', () => {
  const check = (call: object) => {
    const run = cli(home, ['check'], JSON.stringify(call))
    return { status: run.status, decision: JSON.parse(run.stdout) as { code: string; approval: { id: string; token?: string } | null } }
  }
  const call = { tool: 'Bash', args: { command: FORCE }, session: 's-1', cwd: '/tmp', principal: { agent: 'a' } }

  test('answers in JSON and in words, and waits', () => {
    const { status, decision } = check(call)
    const id = decision.approval?.id ?? ''
    expect([status, decision.approval?.token?.startsWith(`${id}.`)]).toEqual([3, true])
    expect(cli(home, ['approvals', 'wait', id, '--timeout', '1ms']).status).toBe(3)
    const shown = cli(home, ['approvals', 'show', id]).stdout
    for (const part of ['git:push "origin"', 'hazard.history', '["a",null,null,null,[]]', FORCE, 'sha256:']) expect(shown).toContain(part)
    expect(cli(home, ['approvals', 'approve', id, '--reason', 'mine', '--json']).stdout).toContain('"status":"approved"')
    expect(cli(home, ['approvals', 'wait', id]).status).toBe(0)
    expect(cli(home, ['approvals', 'list']).stdout).toContain(`${id}  approved`)
    expect(check({ ...call, approval: decision.approval?.token }).status).toBe(0)
    expect(cli(home, ['approvals', 'list']).stdout).toBe('nothing waits for a person\n')
    expect(cli(home, ['approvals', 'list', '--all']).stdout).toContain(`${id}  consumed`)
    expect(cli(home, ['approvals', 'deny', id])).toMatchObject({ status: 4, stderr: expect.stringContaining('approval.consumed') })
  })

  proves('P8', 'refuses who asked', () => {
    const { decision } = check({ ...call, principal: { user: userInfo().username } })
    const refused = cli(home, ['approvals', 'approve', decision.approval?.id ?? ''])
    expect([refused.status, refused.stderr.includes('approval.requester')]).toEqual([4, true])
    expect(waiting()).toMatchObject([{ status: 'pending', approved: 0, answers: [] }])
  })

  proves('PIT-7', 'knows ids alone, never positions, and records the same answer once', () => {
    const unknown = cli(home, ['approvals', 'approve', 'apr_1\u001b[2J'])
    expect([unknown.status, unknown.stderr.includes('\u001b')]).toEqual([2, false])
    const id = check(call).decision.approval?.id ?? ''
    for (const position of ['0', '1', 'last', id.slice(0, -1)]) expect(cli(home, ['approvals', 'deny', position]).status).toBe(2)
    for (let i = 0; i < 2; i += 1) expect(cli(home, ['approvals', 'deny', id]).status).toBe(0)
    expect(
      cli(home, ['audit', 'search', id, '--json'])
        .stdout.split('\n')
        .filter((line) => line.includes('"kind":"approval"')),
    ).toHaveLength(1)
  })

  test('shows a padded call to its end, on lines of plain characters', () => {
    const padded = `${FORCE} # ${' '.repeat(3000)}\n# the tail`
    const id = check({ ...call, args: { command: padded } }).decision.approval?.id ?? ''
    const { stdout } = cli(home, ['approvals', 'show', id])
    expect(stdout).toContain('\\n# the tail"')
    expect(stdout).toContain(`arguments    ${JSON.stringify({ command: padded }).length} characters`)
  })

  test('is not for the agent', () => {
    for (const command of ['countersign approvals approve apr_1', 'countersign approvals deny apr_1']) {
      expect(check({ ...call, args: { command } }).decision.code).toBe('integrity.self_protection')
    }
  })
})
