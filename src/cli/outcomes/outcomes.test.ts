/** Outcomes as an operator meets them: what is open is listed, asked about when it comes again, settled with a reason, and explained beforehand. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Home, makeHome } from '../../../test/hosts/harness.ts'
import { commandLine } from '../../../test/support/command-line.ts'

const POLICY = `version: 1
default: ask
unregistered: ask
tool_families: [claude-code]
hazards: { packs: [] }
tools: { transfer_funds: { risk_tier: low } }
rules: { allow: [{ tool: "*", when: "true", reason: fine }] }
`
let home: Home

beforeEach(() => {
  home = makeHome()
  mkdirSync(home.state, { recursive: true })
  policy('')
})
afterEach(() => home.remove())

const policy = (more: string): void => writeFileSync(join(home.state, 'countersign.yaml'), `${POLICY}${more}`)
const pay = (...options: readonly string[]) =>
  commandLine(
    home,
    ['check', ...options],
    JSON.stringify({ tool: 'transfer_funds', args: { to: 'acct-1', amount: 100, currency: 'USD' }, session: 's-1' }),
  )
const outcomes = (...args: readonly string[]) => commandLine(home, ['outcomes', ...args])

describe('countersign outcomes', () => {
  test('lists what has no result, and what is settled is not asked about any more', async () => {
    expect((await outcomes('list')).stdout).toBe('the outcome of every such call is known\n')
    expect((await pay()).status).toBe(0)
    const { stdout } = await outcomes('list', '--json')
    const open = JSON.parse(stdout) as { record: string; tool: string; verb: string }
    expect([open.tool, open.verb]).toEqual(['transfer_funds', 'pay'])
    expect((await pay()).status).toBe(3)
    const settled = await outcomes('settle', open.record, '--not', '--reason', 'the bank shows no transfer')
    expect([settled.status, settled.stdout]).toEqual([0, expect.stringContaining(`settled ${open.record}`)])
    expect((await pay()).status).toBe(0)
  })

  const FAULTS: readonly (readonly [title: string, args: readonly string[]])[] = [
    ['without what is known', ['settle', '01J', '--reason', 'x']],
    ['with both', ['settle', '01J', '--happened', '--not', '--reason', 'x']],
    ['with an empty reason', ['settle', '01J', '--not', '--reason', ' ']],
    ['of what is not open', ['settle', '01J', '--not', '--reason', 'x']],
  ]
  for (const [title, args] of FAULTS)
    test(`settles nothing ${title}`, async () => expect(await outcomes(...args)).toMatchObject({ status: 2, stdout: '' }))
})

describe('check --explain', () => {
  test('tells the outcome rule before, and why it asks then', async () => {
    const first = await pay('--explain')
    expect(first.stdout).toMatch(
      /^outcome: payment:transfer of `acct-1` is one more each time: while its result is not known, a repetition within 24 h gets ask/m,
    )
    const second = await pay('--explain')
    expect([second.status, second.stdout]).toEqual([
      3,
      expect.stringContaining('ask from outcome/unknown: payment:transfer of `acct-1` may have happened at '),
    ])
  })
  test('tells that a policy lets a repetition pass', async () => {
    policy('outcome: { on_unknown: pass }\n')
    expect((await pay('--explain')).stdout).toContain('the policy lets a repetition pass')
  })
  test('tells nothing of what may be repeated', async () => {
    const { stdout } = await commandLine(home, ['check', '--explain'], JSON.stringify({ tool: 'Bash', args: { command: 'ls' }, cwd: '/' }))
    expect(stdout).not.toContain('outcome:')
  })
})
