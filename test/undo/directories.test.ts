/** What is kept is what the command changes: in the directory where its client works, whatever the call's own is. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { openGate } from '../../src/open.ts'
import { captureIn, openCaptures, type Way } from '../../src/undo/captures.ts'
import { stepsOf, take } from '../../src/undo/undo.ts'
import { bash, callOf } from '../support/calls.ts'
import { temporaryDirectory } from '../support/records.ts'
import { policyOf } from '../support/workplace.ts'

const policy = (failure: string): string =>
  'tools: { git_reset: { risk_tier: low } }\nhazards: { packs: [] }\nrules: { allow: [{ tool: "*", when: "true", reason: fine }] }\n' +
  `undo: { require_way_back: false, on_failure: ${failure} }\n`

const IDENTITY = ['AUTHOR', 'COMMITTER'].flatMap((who) => [
  [`GIT_${who}_NAME`, 'a'],
  [`GIT_${who}_EMAIL`, 'a@a'],
])

const NAMES = ['one', 'two'] as const

type Shell = (command: string, cwd?: string) => string

function shellIn(root: string): Shell {
  const env = { ...process.env, ...Object.fromEntries(IDENTITY), GIT_CONFIG_GLOBAL: '/dev/null' }
  return (command, cwd = join(root, 'one')) =>
    execFileSync('/bin/bash', ['-c', command], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Two repositories with a remote each, one commit pushed and one not: made once, for to make them takes longer than to copy them. */
let made: string
beforeAll(() => {
  made = mkdtempSync(join(tmpdir(), 'countersign-repositories-'))
  const sh = shellIn(made)
  for (const name of NAMES) {
    mkdirSync(join(made, name, 'deep'), { recursive: true })
    sh(`git init -q --bare ../${name}.git; git init -qb main .; git remote add origin ../${name}.git; echo ${name} > a`, join(made, name))
    sh('git add a; git commit -qm first; git push -qu origin main; echo more >> a; git commit -qam second', join(made, name))
    sh('echo dirty >> a', join(made, name))
    writeFileSync(join(made, name, 'Makefile'), 'ship:\n\tgit push origin main\n')
  }
})
afterAll(() => rmSync(made, { recursive: true, force: true }))

/** A copy of both, with remotes of its own, and a gate. */
function place(failure = 'deny') {
  const root = realpathSync(temporaryDirectory())
  const sh = shellIn(root)
  sh(`cp -a ${made}/. .; ${NAMES.map((name) => `git -C ${name} remote set-url origin ${join(root, name)}.git`).join('; ')}`, root)
  const home = temporaryDirectory()
  const { gate, close } = openGate({ home, policy: () => ({ policy: policyOf(policy(failure)), degraded: null }) })
  onTestFinished(() => close())
  const parts = { store: openCaptures(home), ways: null, now: Date.now, variable: () => null }
  const decide = (command: string) => gate.decide(bash(command, { cwd: join(root, 'one'), session: null }))
  const kept = (id: unknown) => captureIn(parts.store.read(String(id)) ?? '')
  const state = () =>
    ['one', 'two'].map((name) => [
      sh('git rev-parse HEAD; git status --porcelain; cat a', join(root, name)),
      sh('git for-each-ref --format="%(objectname) %(refname)"', join(root, `${name}.git`)),
    ])
  const back = async (id: unknown) => {
    const steps = await stepsOf(kept(id), parts)
    const problems = steps.flatMap(({ problem }) => problem ?? [])
    for (const step of steps) if (step.problem === null) problems.push(...(await take(step, parts)))
    return problems
  }
  return { root, sh, gate, decide, kept, state, back }
}

const top = (way: Way): string => (way.run === 'git-push' ? way.push.top : way.run === 'git' ? way.state.top : '')

describe('the repository of the command is kept and comes back', () => {
  test.each([
    ['git push origin main', ['one']],
    ['cd ../two && git push origin main', ['two']],
    ['git -C ../two push', ['two']],
    ['env -C ../two git push origin main', ['two']],
    ['make -C ../two ship', ['two']],
    ['(cd ../two/deep; git push origin main)', ['two']],
    ['pushd ../two > /dev/null; git reset -q --hard HEAD~1; popd > /dev/null', ['two']],
    ['git push origin main; cd ../two; git push origin main', ['one', 'two']],
    ['git reset -q --hard HEAD~1; git -C ../two reset -q --hard HEAD~1', ['one', 'two']],
    ['git() { command git -C ../two "$@"; }; git push origin main', ['two']],
  ] as const)(
    '%s',
    async (command, repositories) => {
      const { root, sh, decide, kept, state, back } = place()
      const before = state()
      const { decision, undo } = await decide(command)
      expect(decision).toBe('allow')
      expect(kept(undo?.id).ways.map(top).toSorted()).toEqual(repositories.map((name) => join(root, name)))
      sh(command)
      expect(state()).not.toEqual(before)
      expect([await back(undo?.id), state()]).toEqual([[], before])
    },
    30_000,
  )
})

describe('where it is not known in which one, none is kept and none is claimed', () => {
  const HOSTILE = [
    'cd "$TWO" && git push origin main',
    'if [ -n "$TWO" ]; then cd ../two; fi; git push origin main',
    'GIT_DIR=../two/.git git push origin main',
    'git --git-dir=../two/.git push origin main',
    "python3 -c \"import os; os.chdir('../two'); os.system('git push origin main')\"",
    'rm -rf deep; ln -s ../two deep; cd deep && git push origin main',
    'git clone -q ../two.git fresh && cd fresh && git push origin main',
    'mkdir new && cd new && git push origin main',
  ]
  test.each(HOSTILE)('%s', async (command) => {
    const { decide, state } = place()
    const before = state()
    const { decision, code, undo } = await decide(command)
    expect([decision, code, undo]).toEqual(['deny', 'undo.capture_failed', undefined])
    expect(state()).toEqual(before)
  })

  test('a policy may let it pass: the record then says that nothing was kept', async () => {
    const { decide } = place('pass')
    const { decision, undo } = await decide(HOSTILE[0] ?? '')
    expect([decision, undo?.id ?? null, undo?.problem]).toEqual([
      'allow',
      null,
      expect.stringContaining('in which directory git would run'),
    ])
  })
})

test('a remote that leads elsewhere since is not pushed to', async () => {
  const { root, sh, decide, state, back } = place()
  const { undo } = await decide('git push origin main')
  sh('git push -q origin main')
  sh(`git remote set-url origin ${join(root, 'two.git')}`)
  const before = state()
  expect([await back(undo?.id), state()]).toEqual([[expect.stringContaining('leads to another repository')], before])
})

const GIT_RESET = { server: 'git', name: 'git_reset', definition: null }

test('a tool of an MCP server acts in the repository that it is given', async () => {
  const { root, gate, kept } = place()
  const call = (repo_path: string) =>
    callOf('git_reset', { repo_path, mode: 'hard' }, { tool: GIT_RESET, cwd: join(root, 'one'), session: null })
  const { decision, undo } = await gate.decide(call(join(root, 'two')))
  expect([decision, kept(undo?.id).ways.map(top)]).toEqual(['allow', [join(root, 'two')]])
  expect((await gate.decide(call('../two'))).code).toBe('undo.capture_failed')
})
