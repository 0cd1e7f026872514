/** `countersign baseline` on a real store: from nothing known to a reviewed version. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { diff, freeze, learn, reset, show, status } from '../../src/cli/baseline/baseline.ts'
import { openForCommand } from '../../src/cli/open.ts'
import { call } from '../../src/policy/testing/compiled.ts'
import { proves } from '../proves.ts'
import { stateDirectoryOfTest } from '../support/state.ts'

const POLICY = `version: 1
tool_families: [claude-code]
unregistered: allow
hazards: { packs: [] }
rules: { allow: [{ tool: '*', reason: everything runs here }] }
baseline: { warm_up: 5, flag_at: 4 }
`
const USUAL = ['git status', 'npm test', 'git diff src/app.ts']

function setUp() {
  const home = stateDirectoryOfTest()
  mkdirSync(join(home, 'work'))
  const policy = join(home, 'countersign.yaml')
  writeFileSync(policy, POLICY)
  vi.stubEnv('COUNTERSIGN_HOME', join(home, 'state'))
  const printed: string[] = []
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed.push(String(text))
    return true
  })
  onTestFinished(() => {
    vi.restoreAllMocks()
  })
  const out = () => printed.splice(0).join('')
  const work = async (commands: readonly string[], sessions: number, from = 0) => {
    const opened = openForCommand({ policy, record: true })
    const principal = { agent: 'a', role: 'ops', user: null, tenant: null, chain: [] }
    const decided: string[] = []
    for (let n = 0; n < sessions; n += 1) {
      for (const command of commands) {
        const session = `s-${from + n}`
        decided.push((await opened.gate.decide({ ...call('Bash'), args: { command }, session, cwd: join(home, 'work'), principal })).code)
      }
    }
    opened.close()
    return decided
  }
  return { policy, out, work }
}

afterEach(() => vi.unstubAllEnvs())

describe('countersign baseline', () => {
  proves('FUL-57', 'what is learned is shown, reviewed, frozen, compared and forgotten', async () => {
    const { policy, out, work } = setUp()
    await status({ policy })
    expect(out()).toContain('nothing was learned yet')
    await work(USUAL, 8)
    await learn({ policy })
    expect(out()).toContain('1 roles are known')
    await show({ role: 'ops' })
    expect(out()).toContain('100 %  tool `Bash`')
    expect(await work(['terraform plan'], 2, 10)).toEqual(['baseline.unusual', 'baseline.unusual'])
    await freeze({ policy, role: 'ops', reason: 'looked at it' })
    expect(out()).toContain('role `ops` is held to v1')
    await show({ role: 'ops' })
    const shown = out()
    expect(shown).toContain('command `terraform plan`: 2 sessions on 1 days')
    expect(shown).toContain(', flagged')
    await learn({ policy, role: 'ops', accept: ['all'], reason: 'new work' })
    expect(out()).toContain('accepted: command `terraform plan`')
    expect(await work(['terraform plan'], 1, 20)).toEqual(['baseline.unusual'])
    await diff({ role: 'ops' })
    expect(out()).toMatch(/0\.0 % → \d+\.\d % {2}command `terraform plan`/)
    await freeze({ policy, role: 'ops', release: true, reason: 'go on' })
    out()
    await status({ policy, json: true })
    expect(JSON.parse(out())).toMatchObject({ role: 'ops', known: true, held: null, versions: ['v1'] })
    await reset({ policy, role: 'ops', reason: 'other work' })
    expect(out()).toContain('forgot what was learned of role `ops`')
    await expect(show({ role: 'ops' })).rejects.toThrow('nothing was learned of role `ops`')
  })

  test('what cannot be done says what to do instead', async () => {
    const { policy, work } = setUp()
    await expect(freeze({ policy, role: 'ops', reason: 'x' })).rejects.toThrow('`countersign baseline status` shows what is known')
    await work(USUAL, 1)
    await learn({ policy })
    await expect(freeze({ policy, role: 'ops', reason: ' ' })).rejects.toThrow('a baseline is changed for a reason')
    await expect(diff({ role: 'ops' })).rejects.toThrow('`countersign baseline freeze` keeps one')
    await expect(diff({ role: 'ops', from: 'v9' })).rejects.toThrow('there is no version `v9`')
    await expect(learn({ policy, role: 'ops', accept: ['7'], reason: 'x' })).rejects.toThrow('`7` is no number of what waits')
  })
})
