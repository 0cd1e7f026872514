/** What a push changed at the remote, in whatever words it was asked for, is there again as it was. */
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedWorkspace } from '../support/shared-workspace.ts'
import { stateDirectoryOfTest } from '../support/state.ts'
import { newStateDirectory } from '../support/state-base.ts'

const IDENTITY = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@a', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@a' }

/** Made once, and copied: it costs two dozen programs. In memory: Git waits for the disk for each object, and what is asked about is at the remote. */
let made = ''
beforeAll(() => {
  made = newStateDirectory()
  const setting = `git init -q --bare r.git; git init -qb main w; cd w; git remote add origin ../r.git
echo 1 > a; git add a; git commit -qm one; git tag v1; git branch old; git branch theirs; git push -q origin main old theirs v1; git branch -D theirs -q
echo 2 > a; git commit -qam two; git tag v2; git tag -am three v3; git checkout -qb feature; echo 3 > b; git add b; git commit -qm three; git checkout -q main`
  execFileSync('/bin/bash', ['-ec', setting], {
    cwd: made,
    stdio: 'pipe',
    env: { ...process.env, ...IDENTITY, GIT_CONFIG_GLOBAL: '/dev/null' },
  })
})
afterAll(() => rmSync(made, { recursive: true, force: true }))

function place() {
  const shared = sharedWorkspace(undefined, stateDirectoryOfTest)
  const { sh } = shared
  cpSync(made, shared.work, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  const at = (command: string): string => `cd w && ${command}`
  const refs = (): string => sh('for r in *.git; do echo $r; git -C $r for-each-ref --format="%(objectname) %(refname)"; done')
  return { ...shared, sh: (command: string) => sh(at(command)), ran: (command: string) => shared.ran(at(command)), refs }
}

/** The first command is no call: it is how the repository is set up. */
const PUSHES: readonly (readonly [setting: string, command: string])[] = [
  ['', 'git push -q origin main'],
  ['', 'git push -q origin HEAD'],
  ['git branch -q --set-upstream-to=origin/main', 'git push -q'],
  ['git init -q --bare ../up.git; git remote add up ../up.git; git config branch.main.pushRemote up', 'git push -q'],
  ['', 'git push -q origin HEAD:refs/heads/side'],
  ['', 'git push -q origin feature:main'],
  ['', 'git push -q origin HEAD~0:main'],
  ['git push -q origin main', 'git push -q --force origin HEAD~1:main'],
  ['git push -q origin main', 'git push -q origin +feature~2:main'],
  ['', 'git push -q origin main feature'],
  ['', 'git push -q origin main:one feature:two :old'],
  ['', 'git push -q origin v2'],
  ['', 'git push -q origin v3'],
  ['', 'git push -q origin tag v2'],
  ['', 'git push -q origin refs/tags/v2:refs/tags/v9'],
  ['git tag -f v1 main', 'git push -qf origin v1'],
  ['', 'git push -q --tags'],
  ['', 'git push -q --follow-tags origin main'],
  ['', 'git push -q --all origin'],
  ['', 'git push -q --mirror origin'],
  ['', 'git push -q --prune origin main'],
  ['git branch -D old -q', 'git push -q --prune origin main v2'],
  ['git branch -D old -q', 'git push -q --prune --all origin'],
  ['', 'git push -q origin --delete old'],
  ['', 'git push -q origin --delete old theirs'],
  ['', 'git push -q origin :theirs'],
  ['', 'git push -q origin :v1'],
  ['git commit -q --amend -m other', 'git push -q --force-with-lease origin main'],
  ['git config push.default upstream; git branch -q --set-upstream-to=origin/old', 'git push -q'],
  ['git config push.default matching; git checkout -q old; git merge -q feature; git checkout -q main', 'git push -q'],
  ['git config remote.origin.push refs/heads/main:refs/heads/deployed', 'git push -q'],
  ['git config remote.origin.push "+refs/heads/*:refs/heads/mine/*"', 'git push -q'],
  [
    'git config --add remote.origin.push refs/heads/main:refs/heads/x; git config --add remote.origin.push refs/heads/old:refs/heads/y',
    'git push -q',
  ],
  ['git config push.default matching; git config --add push.default simple; git branch -q --set-upstream-to=origin/main', 'git push -q'],
]

/** The call makes itself what it pushes. */
const MADE: readonly string[] = [
  'echo 5 > a; git commit -qam x && git push -q origin main',
  'git branch -q --set-upstream-to=origin/main; echo 5 > a; git commit -qam x; git push -q',
  'git commit -q --amend -m other && git push -qf origin main',
  'git tag v5 && git push -q origin v5',
  'echo 5 > a; git commit -qam x; git push -q origin main --tags',
  'echo 5 > a; git commit -qam x; git push -q --all origin',
  'git checkout -qb g && git push -qu origin g',
  'git switch -qc g && echo 7 > a && git commit -qam g && git push -q origin g',
  'git checkout -qb g && echo 7 > a && git commit -qam g && git push -q origin g:theirs -f',
  'git branch h feature; git push -q origin h main',
  'git push -q origin main && git checkout -qb later',
]

describe('what the call makes before it pushes is taken back', () => {
  test.each(MADE)('%s', async (command) => {
    const { ran, back, refs } = place()
    const before = refs()
    const call = await ran(command)
    expect(refs()).not.toBe(before)
    const { problems, whole } = await back(call)
    expect([problems, whole, refs()]).toEqual([[], true, before])
  })
  test('also a tag that the call moved, at the remote and here', async () => {
    const { sh, ran, back, refs } = place()
    const own = () => sh('git for-each-ref --format="%(objectname) %(refname)" refs/heads refs/tags')
    const before = [refs(), own()]
    const call = await ran('git tag -f v1 main && git push -qf origin v1')
    const { problems, whole } = await back(call)
    expect([problems, whole, refs(), own()]).toEqual([[], true, ...before])
  })
  test('but for a branch that it pushes twice, which is said', async () => {
    const { ran, said, back } = place()
    const call = await ran('git push -q origin main; echo 5 > a; git commit -qam x; git push -q origin main')
    expect(await said(call)).toContain('was changed by somebody else since')
    expect((await back(call)).whole).toBe(false)
  })
  test('and not what somebody else put in its place, also after it was fetched', async () => {
    const { sh, ran, said, refs } = place()
    const call = await ran('echo 5 > a; git commit -qam x && git push -q origin main')
    sh(`git clone -q ../r.git ../other; cd ../other; git checkout -q main; echo theirs > c; git add c
git -c user.name=b -c user.email=b@b commit -qm theirs; git push -q origin main; cd ../w; git fetch -q; git merge -q --ff-only origin/main`)
    const theirs = refs()
    expect(await said(call)).toContain('was changed by somebody else since')
    expect(refs()).toBe(theirs)
  })
})

describe('is taken back', () => {
  test.each(PUSHES)('%s · %s', async (setting, command) => {
    const { sh, ran, back, refs } = place()
    if (setting !== '') sh(setting)
    const before = refs()
    const call = await ran(command)
    expect(refs()).not.toBe(before)
    const { problems, whole } = await back(call)
    expect([problems, whole, refs()]).toEqual([[], true, before])
  })
})

test('what somebody else pushed since stays, and everything else goes back', async () => {
  const { sh, ran, back, refs } = place()
  const call = await ran('git push -q origin main feature v2')
  sh('git checkout -q feature; echo theirs > c; git add c; git commit -qm theirs; git push -q origin feature')
  const theirs = sh('git rev-parse feature').trim()
  const { whole } = await back(call)
  expect([whole, refs().includes(`${theirs} refs/heads/feature`), /main|v2/.test(refs().replace(/.* refs\/heads\/main\n/, ''))]).toEqual([
    false,
    true,
    false,
  ])
  expect(refs()).toContain(`${sh('git rev-parse main~1').trim()} refs/heads/main`)
})

test('a push of what is there already changes nothing, and nothing goes back', async () => {
  const { sh, ran, back, refs } = place()
  sh('git push -q origin main')
  const before = refs()
  expect([(await back(await ran('git push -q origin main'))).id, refs()]).toEqual([null, before])
})

describe('of a remote that mirrors everything by its settings, a person is told the words for each reference', () => {
  const SETTINGS: readonly (readonly [setting: string, mirrors: boolean])[] = [
    ['git config remote.origin.mirror true', true],
    ['git config remote.origin.mirror YES', true],
    ['git config remote.origin.mirror 1', true],
    ['printf \'[remote "origin"]\\n\\tmirror\\n\' >> .git/config', true],
    ['git config remote.origin.mirror false; git config --add remote.origin.mirror on', true],
    ['git config remote.origin.mirror true; git config --add remote.origin.mirror off', false],
    ['git config remote.origin.mirror 0', false],
    ['git config remote.origin.mirror ""', false],
    ['git config remote.other.mirror true', false],
    ['git config remote.Origin.mirror true', false],
  ]
  test.each(SETTINGS)('%s: %s', async (setting, mirrors) => {
    const { sh, ran, said, refs } = place()
    sh(setting)
    const [before = ''] = / refs\/heads\/main/.exec(refs()) === null ? [] : [sh('git rev-parse main~1').trim()]
    const told = await said(await ran(mirrors ? 'git push -q' : 'git push -q origin main'))
    const words = `git -c remote.origin.mirror=false push --force-with-lease=refs/heads/main:[0-9a-f]{40} origin ${before}:refs/heads/main`
    if (mirrors) expect(told).toMatch(new RegExp(words))
    else expect(told).not.toContain('mirror')
  })
})

describe('does not run where it is not known what it pushes', () => {
  test.each([
    'git push -q origin "$X"',
    "git push -q origin 'refs/heads/*:refs/heads/x/*'",
    "git push -q --prune origin 'refs/heads/*:refs/heads/*'",
    'git checkout -qb g && git push -qu origin HEAD',
    'git config push.default current; git checkout -q feature && git push -q',
    'git push -q origin :',
  ])('%s', async (command) => {
    const { ran, refs } = place()
    const before = refs()
    await expect(ran(command)).rejects.toThrow(/^deny/)
    expect(refs()).toBe(before)
  })
})
