import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFixedView } from './fixed.ts'
import { createNodeView } from './node.ts'
import { chosenProcesses } from './processes.ts'
import { createRecordedView } from './recorded.ts'

const running = [
  { name: 'node', command: 'node /srv/shop/node_modules/.bin/next dev', cwd: '/srv/shop', isAnothers: false },
  { name: 'next-server', command: 'next-server (v15)', cwd: '/srv/shop/web', isAnothers: false },
  { name: 'node', command: 'node other.js', cwd: '/srv/other', isAnothers: false },
  { name: 'vim', command: 'vim src/cart.ts', cwd: '/srv/shop', isAnothers: true },
  { name: 'claude', command: 'claude', cwd: '/srv/shop', isAnothers: false },
  { name: 'node', command: 'node /usr/lib/codex/codex.js', cwd: '/srv/shop', isAnothers: false },
  { name: 'postgres', command: 'postgres: writer', cwd: null, isAnothers: false },
  { name: 'a-name-of-fiftee', command: './a-name-of-fifteen-and-more', cwd: '/srv/shop2', isAnothers: false },
]

describe('what a pattern selects', () => {
  for (const [pattern, by, workspace, others] of [
    ['next dev', 'line', 1, 0],
    ['next', 'name', 1, 0],
    ['NEXT-SERVER', 'exact', 1, 0],
    ['node', 'name', 1, 2],
    ['node', 'exact', 1, 2],
    ['node', 'line', 1, 2],
    ['cart', 'line', 0, 1],
    ['claude', 'name', 0, 1],
    ['codex', 'line', 0, 1],
    ['postgres', 'name', 0, 1],
    ['n.de', 'name', 1, 2],
    ['nothing-of-this', 'line', 0, 0],
    ['a-name-of', 'name', 0, 1],
  ] as const)
    test(`${by}: ${pattern}`, () => expect(chosenProcesses(running, { pattern, by, roots: ['/srv/shop'] })).toEqual({ workspace, others }))

  for (const pattern of ['next|node', '^next', 'n*', '.*', '(a)', 'a', '', '[n]ode', 'x'.repeat(300)])
    test(`no plain text: ${pattern.slice(0, 20)}`, () =>
      expect(chosenProcesses(running, { pattern, by: 'line', roots: ['/srv/shop'] })).toBeNull())
})

describe('processes of this machine', () => {
  const MARK = `second-signature-${process.pid}`
  const inside = realpathSync(mkdtempSync(join(tmpdir(), 'inside-')))
  const outside = realpathSync(mkdtempSync(join(tmpdir(), 'outside-')))
  const children: ChildProcess[] = []
  const start = (cwd: string, mark: string): Promise<void> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)', mark], {
        cwd,
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      children.push(child)
      child.stdout?.once('data', () => resolve())
    })
  const look = (pattern: string) => createNodeView({ cwd: inside, roots: [inside] }).processes?.(pattern, 'line')

  beforeAll(async () => {
    await start(inside, `${MARK}-one`)
    await start(inside, `${MARK}-both`)
    await start(outside, `${MARK}-both`)
  })
  afterAll(() => {
    for (const child of children) child.kill('SIGKILL')
    for (const place of [inside, outside]) rmSync(place, { recursive: true, force: true })
  })

  // A terminal that the tests run in is inherited, and makes them a person's.
  test.runIf(process.platform === 'linux')('in the workspace, and elsewhere', () => {
    const one = look(`${MARK}-one`)
    expect((one?.workspace ?? 0) + (one?.others ?? 0)).toBe(1)
    expect(look(`${MARK}-both`)?.others).toBeGreaterThan(0)
    expect(look(`${MARK}-nobody`)).toEqual({ workspace: 0, others: 0 })
  })
})

test('an answer is recorded, and replayed as it was', () => {
  const view = createFixedView({ home: '/home/u', cwd: '/srv/shop', processes: running })
  expect(view.processes?.('next dev', 'line')).toEqual({ workspace: 1, others: 0 })
  const again = createRecordedView({ ...view, home: '/home/u' }, view.answers())
  expect(again.processes?.('next dev', 'line')).toEqual({ workspace: 1, others: 0 })
  expect(() => again.processes?.('node', 'line')).toThrow('no processes of')
})
