/** Commits, branches, tags and stashes that a session makes in a repository of its own go back, and nobody else's go with them. */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedWorkspace } from '../support/shared-workspace.ts'
import { newStateDirectory } from '../support/state-base.ts'

const SEEN = `git for-each-ref --format="%(objectname) %(refname)" refs/heads refs/tags refs/notes refs/stash
git symbolic-ref -q HEAD || git rev-parse HEAD; git ls-files -s; git status --porcelain; git stash list
for f in *; do echo "$f:"; cat "$f"; done; ls .git/MERGE_HEAD .git/CHERRY_PICK_HEAD 2>/dev/null; true`

/** Made once: a repository costs a dozen programs. */
let made = ''
beforeAll(() => {
  made = newStateDirectory()
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@a']
  const git = (...words: readonly string[]) => execFileSync('git', ['-C', made, ...who, ...words], { stdio: 'pipe' })
  const write = (name: string, text: string) => execFileSync('sh', ['-c', `echo ${text} > ${name}`], { cwd: made })
  git('init', '-qb', 'main')
  git('config', 'core.fsync', 'none')
  for (const name of ['a', 'keep']) write(name, '1')
  git('add', '.')
  git('commit', '-qm', 'one')
  git('tag', 'v1')
  git('branch', 'old')
  git('checkout', '-qb', 'side')
  write('b', '2')
  git('add', 'b')
  git('commit', '-qm', 'side')
  git('checkout', '-q', 'main')
  write('a', '2')
  git('commit', '-qam', 'two')
})
afterAll(() => rmSync(made, { recursive: true, force: true }))

function place() {
  const shared = sharedWorkspace()
  const { sh, ran } = shared
  const at = (command: string): string => `cd w && ${command}`
  const anew = () => void sh(`rm -rf w; cp -a ${made} w`)
  anew()
  return { ...shared, anew, sh: (command: string) => sh(at(command)), ran: (command: string) => ran(at(command)), seen: () => sh(at(SEEN)) }
}

/** The first command is no call: it is how the repository is set up. */
const ACTS: Readonly<Record<string, readonly (readonly [setting: string, command: string])[]>> = {
  'the index': [
    ['echo x > n', 'git add n'],
    ['', 'git reset -q --soft HEAD~1'],
    ['', 'git reset -q HEAD~1'],
    ['echo 3 > a; git add a', 'git reset -q'],
    ['', 'git rm -q keep'],
    ['', 'git rm -q --cached keep'],
    ['', 'git mv keep kept'],
  ],
  commits: [
    ['echo x > n', 'git add -A && git commit -qm n'],
    ['echo 3 > a', 'git commit -qam three'],
    ['echo 3 > a; git add a; echo 4 > a', 'git commit -qm three'],
    ['echo 3 > a', 'git commit -q --only a -m three'],
    ['', 'git commit -q --allow-empty -m none'],
    ['echo 3 > a', 'git commit -qa --amend -m other'],
    ['echo 3 > a', 'git commit -qam three; git commit -q --allow-empty -m four'],
    ['git checkout -q --detach', 'git commit -q --allow-empty -m detached'],
    ['git checkout -q --orphan fresh; git rm -rqf .', 'echo 1 > z; git add z; git commit -qm first'],
    ['git merge -q --no-commit --no-ff side', 'git commit -qm merged'],
    ['echo 3 > a', 'git commit -qam three && git reset -q --hard HEAD~1 && git checkout -qb g'],
  ],
  'branches, tags and notes': [
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
    ['', 'git notes add -m note'],
  ],
  'what is checked out and merged': [
    ['', 'git checkout -qb g'],
    ['', 'git switch -qc g && echo 7 > a && git commit -qam g'],
    ['', 'git checkout -q side'],
    ['echo dirty > keep', 'git checkout -q side'],
    ['', 'git checkout -q --detach HEAD~1'],
    ['', 'git checkout -q side && git checkout -q main && git branch -f old side'],
    ['', 'git merge -q --no-edit side'],
    ['', 'git merge -q --squash side'],
    ['git reset -q --hard HEAD~1', 'git merge -q --ff-only side'],
    ['', 'git cherry-pick side >/dev/null'],
    ['', 'git revert --no-edit HEAD >/dev/null'],
  ],
  stashes: [
    ['echo 3 > a', 'git stash -q'],
    ['echo 3 > a; echo u > u', 'git stash push -qum both'],
    ['echo 3 > a; git stash -q; echo 4 > a', 'git stash -q'],
    ['echo 3 > a; git stash -q', 'git stash pop -q'],
    ['echo 3 > a; git stash -q; git pack-refs --all', 'git stash pop -q'],
    ['echo 3 > a; git stash -q; git pack-refs --all; echo 4 > keep', 'git stash -q'],
    ['echo 3 > a; git stash -q', 'git stash apply -q'],
    ['echo 3 > a; git stash -q', 'git stash branch unstashed >/dev/null'],
  ],
}

describe('is taken back, byte for byte', () => {
  test.each(Object.entries(ACTS))('%s', async (_, acts) => {
    const { anew, sh, ran, back, seen } = place()
    for (const [setting, command] of acts) {
      anew()
      if (setting !== '') sh(setting)
      const before = seen()
      const call = await ran(command)
      expect(seen(), command).not.toBe(before)
      const { problems, whole } = await back(call)
      expect([problems, whole, seen()], command).toEqual([[], true, before])
    }
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

test('taking back is taken back', async () => {
  const { anew, sh, ran, back, seen } = place()
  for (const [setting, command] of [
    ['echo 3 > a', 'git commit -qam three'],
    ['', 'git branch new HEAD~1'],
    ['', 'git checkout -qb g'],
    ['echo 3 > a', 'git stash -q'],
  ] as const) {
    anew()
    if (setting !== '') sh(setting)
    const call = await ran(command)
    const after = seen()
    const { id } = await back(call)
    expect(seen(), command).not.toBe(after)
    const { problems, whole } = await back(id ?? '')
    expect([problems, whole, seen()], command).toEqual([[], true, after])
  }
})

/** Git notes moves with their second. */
const LATER = 'export GIT_COMMITTER_DATE="@$(($(date +%s) + 2)) +0000"'

/** After the call somebody else does something; what is theirs stays. */
const OTHERS: readonly (readonly [command: string, theirs: string, said: RegExp])[] = [
  ['git commit -q --allow-empty -m mine', 'git commit -q --allow-empty -m theirs', /`main` was moved/],
  ['git branch new', 'git branch -f new HEAD~1', /`new` was moved/],
  ['git branch new', 'git worktree add -q ../tree new', /`new` is checked out/],
  ['git branch -f old main', 'git branch -f old side', /`old` was moved/],
  ['git tag v9', 'git tag -f v9 HEAD~1', /`v9` was moved/],
  ['git checkout -qb g', 'git commit -q --allow-empty -m theirs', /`g` was moved/],
  ['git checkout -qb g', 'git checkout -q side', /checked out/],
  ['git commit -q --allow-empty -m mine', 'git checkout -q side', /checked out/],
  ['git commit -q --allow-empty -m mine', 'git checkout -qb theirs && git commit -q --allow-empty -m theirs', /checked out/],
  ['git commit -q --allow-empty -m mine', 'git reset -q --hard side', /`main` was moved/],
  ['git stash list; git branch new', 'git branch -m new newer', /newer|new\b/],
]

describe('what somebody else moved since stays, and that is said', () => {
  test('whatever it is', async () => {
    const { anew, sh, ran, said, back, seen } = place()
    for (const [command, theirs, told] of OTHERS) {
      anew()
      const call = await ran(command)
      sh(`${LATER}; rm -rf ../tree; ${theirs}`)
      const now = seen()
      expect(await said(call), theirs).toMatch(told)
      const { whole } = await back(call)
      expect([whole, seen()], theirs).toEqual([false, now])
    }
  })
  test('also where the next call of the session did, and comes first', async () => {
    const { ran, said, back, seen } = place()
    const before = seen()
    const one = await ran('git commit -q --allow-empty -m one')
    const two = await ran('git commit -q --allow-empty -m two')
    const now = seen()
    expect(await said(one)).toMatch(/`main` was moved/)
    expect([(await back(one)).whole, seen()]).toEqual([false, now])
    await back(two)
    expect([(await back(one)).whole, seen()]).toEqual([true, before])
  })
  test('other branches of theirs are not touched', async () => {
    const { sh, ran, back } = place()
    const call = await ran('git commit -q --allow-empty -m mine')
    sh(`${LATER}; git branch theirs side; git branch -f old side; git tag theirs`)
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
  test('in a directory that it makes, or that nobody knows before', async () => {
    const { anew, ran } = place()
    for (const command of [
      'mkdir n && cd n && git init -q . && echo 1 > f && git add f && git commit -qm first',
      'git -C "$(pwd)" commit -q --allow-empty -m here',
      'D=$(pwd); cd "$D" && git commit -q --allow-empty -m there',
      'git clone -q . ../copied && cd ../copied && git checkout -qb b',
      'cd / && git status 2>/dev/null || true; git add nothing 2>/dev/null || true',
    ]) {
      anew()
      expect(await ran(command), command).not.toBe('')
    }
  })
  test('nothing is claimed of a repository whose references lie in a table', async () => {
    const { ran, sh, work } = sharedWorkspace()
    try {
      sh('git init -q --ref-format=reftable t 2>/dev/null && cd t && git commit -q --allow-empty -m one')
    } catch {
      rmSync(join(work, 't'), { recursive: true, force: true })
      return // this git is older than such tables
    }
    expect(await ran('cd t && git commit -q --allow-empty -m two')).not.toBe('')
  })
})
