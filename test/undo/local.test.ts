/** Commits, branches, tags and stashes that a session makes in a repository of its own go back, and nobody else's go with them. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { sharedWorkspace } from '../support/shared-workspace.ts'
import { stateDirectoryOfTest } from '../support/state.ts'

const SEEN = `git for-each-ref --format="%(objectname) %(refname)" refs/heads refs/tags refs/notes refs/stash
git symbolic-ref -q HEAD || git rev-parse HEAD; git ls-files -s; git status --porcelain; git stash list
for f in *; do echo "$f:"; cat "$f"; done; ls .git/MERGE_HEAD .git/CHERRY_PICK_HEAD 2>/dev/null; true`

function place() {
  const shared = sharedWorkspace(undefined, stateDirectoryOfTest)
  const { sh, ran } = shared
  sh(`git init -qb main w; cd w; echo 1 > a; echo 1 > keep; git add .; git commit -qm one; git tag v1; git branch old
git checkout -qb side; echo 2 > b; git add b; git commit -qm side; git checkout -q main; echo 2 > a; git commit -qam two`)
  const at = (command: string): string => `cd w && ${command}`
  return { ...shared, sh: (command: string) => sh(at(command)), ran: (command: string) => ran(at(command)), seen: () => sh(at(SEEN)) }
}

/** The first command is no call: it is how the repository is set up. */
const ACTS: readonly (readonly [setting: string, command: string])[] = [
  ['echo x > n', 'git add n'],
  ['echo x > n', 'git add -A && git commit -qm n'],
  ['echo 3 > a', 'git commit -qam three'],
  ['echo 3 > a; git add a; echo 4 > a', 'git commit -qm three'],
  ['echo 3 > a', 'git commit -q --only a -m three'],
  ['', 'git commit -q --allow-empty -m none'],
  ['echo 3 > a', 'git commit -qa --amend -m other'],
  ['echo 3 > a', 'git commit -qam three; git commit -q --allow-empty -m four'],
  ['git checkout -q --detach', 'git commit -q --allow-empty -m detached'],
  ['git checkout -q --orphan fresh; git rm -rqf .', 'echo 1 > z; git add z; git commit -qm first'],
  ['', 'git branch new'],
  ['', 'git branch deep/new HEAD~1'],
  ['', 'git branch -f old main'],
  ['', 'git branch -m old older'],
  ['', 'git branch -m renamed'],
  ['', 'git branch -d old'],
  ['', 'git tag v2'],
  ['', 'git tag -am notes v2 HEAD~1'],
  ['', 'git tag -f v1 main'],
  ['git pack-refs --all', 'git branch new; git tag v3; git branch -f old main'],
  ['', 'git checkout -qb g'],
  ['', 'git switch -qc g && echo 7 > a && git commit -qam g'],
  ['', 'git checkout -q side'],
  ['echo dirty > keep', 'git checkout -q side'],
  ['', 'git checkout -q --detach HEAD~1'],
  ['', 'git checkout -q side && git checkout -q main && git branch -f old side'],
  ['', 'git merge -q --no-edit side'],
  ['', 'git merge -q --squash side'],
  ['git reset -q --hard HEAD~1', 'git merge -q --ff-only side'],
  ['git merge -q --no-commit --no-ff side', 'git commit -qm merged'],
  ['', 'git cherry-pick side >/dev/null'],
  ['', 'git revert --no-edit HEAD >/dev/null'],
  ['', 'git reset -q --soft HEAD~1'],
  ['', 'git reset -q HEAD~1'],
  ['echo 3 > a; git add a', 'git reset -q'],
  ['echo 3 > a', 'git stash -q'],
  ['echo 3 > a; echo u > u', 'git stash push -qum both'],
  ['echo 3 > a; git stash -q; echo 4 > a', 'git stash -q'],
  ['echo 3 > a; git stash -q', 'git stash pop -q'],
  ['echo 3 > a; git stash -q; git pack-refs --all', 'git stash pop -q'],
  ['echo 3 > a; git stash -q; git pack-refs --all; echo 4 > keep', 'git stash -q'],
  ['echo 3 > a; git stash -q', 'git stash apply -q'],
  ['echo 3 > a; git stash -q', 'git stash branch unstashed >/dev/null'],
  ['', 'git rm -q keep'],
  ['', 'git rm -q --cached keep'],
  ['', 'git mv keep kept'],
  ['', 'git notes add -m note'],
  ['echo 3 > a', 'git commit -qam three && git reset -q --hard HEAD~1 && git checkout -qb g'],
  ['git config user.name a; git config user.email a@a', 'git stash list && echo 5 > a && git add a && git commit -qm five && git tag v5 && git branch five'],
]

describe('is taken back, byte for byte', () => {
  test.each(ACTS)('%s · %s', async (setting, command) => {
    const { sh, ran, back, seen } = place()
    if (setting !== '') sh(setting)
    const before = seen()
    const call = await ran(command)
    expect(seen()).not.toBe(before)
    const { problems, whole } = await back(call)
    expect([problems, whole, seen()]).toEqual([[], true, before])
  })
})

/** A session of several calls, from its end. */
const SESSION: readonly string[] = [
  'git checkout -qb feature',
  'echo 3 > a',
  'git add a',
  'git commit -qm three',
  'echo 4 > a; git commit -qam four',
  'git tag done',
  'echo 5 > keep; git stash -q',
  'git checkout -q main',
  'git merge -q --no-edit feature',
  'git stash pop -q',
  'git branch -d feature',
  'git commit -qam five',
]

test('a session is taken back from its end, and its ways back in turn', async () => {
  const { ran, back, seen } = place()
  const states = [seen()]
  const calls: string[] = []
  for (const command of SESSION) {
    calls.push(await ran(command))
    states.push(seen())
  }
  for (const [at, call] of [...calls.entries()].toReversed()) {
    const { problems, whole } = await back(call)
    expect([SESSION[at], problems, whole, seen()]).toEqual([SESSION[at], [], true, states[at]])
  }
})

describe('taking back is taken back', () => {
  test.each([
    ['echo 3 > a', 'git commit -qam three'],
    ['', 'git branch new HEAD~1'],
    ['', 'git checkout -qb g'],
    ['echo 3 > a', 'git stash -q'],
  ])('%s · %s', async (setting, command) => {
    const { sh, ran, back, seen } = place()
    if (setting !== '') sh(setting)
    const call = await ran(command)
    const after = seen()
    const { id } = await back(call)
    expect(seen()).not.toBe(after)
    const { problems, whole } = await back(id ?? '')
    expect([problems, whole, seen()]).toEqual([[], true, after])
  })
})

/** After the call somebody else does something; what is theirs stays. */
const OTHERS: readonly (readonly [command: string, theirs: string, said: RegExp])[] = [
  ['git commit -q --allow-empty -m mine', 'git commit -q --allow-empty -m theirs', /main was moved/],
  ['git branch new', 'git branch -f new HEAD~1', /new was moved/],
  ['git branch new', 'git worktree add -q ../tree new', /new is checked out/],
  ['git branch -f old main', 'git branch -f old side', /old was moved/],
  ['git tag v9', 'git tag -f v9 HEAD~1', /v9 was moved/],
  ['git checkout -qb g', 'git commit -q --allow-empty -m theirs', /\bg was moved/],
  ['git checkout -qb g', 'git checkout -q side', /checked out/],
  ['git commit -q --allow-empty -m mine', 'git checkout -q side', /checked out/],
  ['git commit -q --allow-empty -m mine', 'git checkout -qb theirs && git commit -q --allow-empty -m theirs', /checked out/],
  ['git commit -q --allow-empty -m mine', 'git reset -q --hard side', /main was moved/],
  ['git stash list; git branch new', 'git branch -m new newer', /newer|new\b/],
]

describe('what somebody else moved since stays, and that is said', () => {
  test.each(OTHERS)('%s · %s', async (command, theirs, told) => {
    const { sh, ran, said, back, seen } = place()
    const call = await ran(command)
    sh(theirs)
    const now = seen()
    expect(await said(call)).toMatch(told)
    const { whole } = await back(call)
    expect([whole, seen()]).toEqual([false, now])
  })
  test('also where the next call of the session did, and comes first', async () => {
    const { ran, said, back, seen } = place()
    const before = seen()
    const one = await ran('git commit -q --allow-empty -m one')
    const two = await ran('git commit -q --allow-empty -m two')
    const now = seen()
    expect(await said(one)).toMatch(/main was moved/)
    expect([(await back(one)).whole, seen()]).toEqual([false, now])
    await back(two)
    expect([(await back(one)).whole, seen()]).toEqual([true, before])
  })
  test('other branches of theirs are not touched', async () => {
    const { sh, ran, back } = place()
    const call = await ran('git commit -q --allow-empty -m mine')
    sh('git branch theirs side; git branch -f old side; git tag theirs')
    const refs = () => sh('git for-each-ref --format="%(objectname) %(refname)" refs/heads/theirs refs/heads/old refs/tags')
    const theirs = refs()
    expect([(await back(call)).whole, refs()]).toEqual([true, theirs])
  })
})

describe('commits that lose their branch', () => {
  test('are named before, and kept until the capture ends', async () => {
    const { sh, ran, said, back } = place()
    const call = await ran('git checkout -qb g && echo 7 > a && git commit -qam "seven here"')
    const commit = sh('git rev-parse g').trim()
    expect(await said(call)).toMatch(/the commit \w+ seven here .*leaves its branch/)
    await back(call)
    sh('git reflog expire --expire=now --all; git gc -q --prune=now')
    expect(sh(`git cat-file -t ${commit}`).trim()).toBe('commit')
    expect(sh('git branch --contains ' + commit).trim()).toBe('')
  })
})

describe('an ordinary call runs, also where nothing can be kept of it', () => {
  test.each([
    'mkdir n && cd n && git init -q . && echo 1 > f && git add f && git commit -qm first',
    'git -C "$(pwd)" commit -q --allow-empty -m here',
    'D=$(pwd); cd "$D" && git commit -q --allow-empty -m there',
    'git clone -q . ../copied && cd ../copied && git checkout -qb b',
    'cd / && git status 2>/dev/null || true; git add nothing 2>/dev/null || true',
  ])('%s', async (command) => {
    const { ran } = place()
    expect(await ran(command)).not.toBe('')
  })
  test('nothing is claimed of a repository whose references lie in a table', async () => {
    const { ran, sh, work } = sharedWorkspace(undefined, stateDirectoryOfTest)
    try {
      sh('git init -q --ref-format=reftable t 2>/dev/null && cd t && git commit -q --allow-empty -m one')
    } catch {
      rmSync(join(work, 't'), { recursive: true, force: true })
      return // this git is older than such tables
    }
    expect(await ran('cd t && git commit -q --allow-empty -m two')).not.toBe('')
  })
})
