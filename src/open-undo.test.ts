/** Acts that a gate lets run, really run, and taken back: what was there before is there again, byte for byte. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bash, callOf } from '../test/support/calls.ts'
import { revealed } from '../test/support/private-store.ts'
import { ATTRIBUTES, listed, plant, plantAttributes, plantLinks, programOf, SET_ATTRIBUTE } from '../test/support/random-programs.ts'
import { temporaryDirectory } from '../test/support/records.ts'
import { policyOf } from '../test/support/workplace.ts'
import type { Decision } from './core/decision.ts'
import { openGate } from './open.ts'
import { type CaptureStore, captureIn, openCaptures } from './undo/captures.ts'
import { stepsOf, take } from './undo/undo.ts'

const FREE = 'hazards: { packs: [] }\nrules: { allow: [{ tool: "*", when: "true", reason: fine }] }\n'

function place(section = 'undo: { require_way_back: false }\n') {
  const home = temporaryDirectory()
  const work = realpathSync(temporaryDirectory())
  const { gate, close } = openGate({ home, policy: () => ({ policy: policyOf(`${FREE}${section}`), degraded: null }) })
  onTestFinished(() => close())
  const captures = openCaptures(home)
  const sh = (command: string, cwd = work): void => {
    try {
      execFileSync('/bin/bash', ['-c', command], { cwd, stdio: 'pipe', env: { ...process.env, ...IDENTITY } })
    } catch {
      // Acts of random programs may fail.
    }
  }
  const act = async (command: string, cwd = work): Promise<Decision> => {
    const decision = await gate.decide(bash(command, { cwd, session: null }))
    if (decision.decision === 'allow' || decision.decision === 'flag') sh(command, cwd)
    return decision
  }
  return { gate, home, work, captures, act, sh }
}

const IDENTITY = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@a',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@a',
  GIT_CONFIG_GLOBAL: '/dev/null',
}

async function back({ undo }: Decision, captures: CaptureStore): Promise<readonly string[]> {
  if (typeof undo?.id !== 'string') return []
  const parts = { store: captures, ways: null, now: Date.now, variable: () => null }
  const steps = await stepsOf(captureIn(captures.read(undo.id) ?? ''), parts)
  const problems = steps.flatMap(({ problem }) => problem ?? [])
  for (const step of steps) if (step.problem === null) problems.push(...(await take(step, parts)))
  return problems
}

describe('files', () => {
  const ACTS: readonly (readonly [title: string, command: string])[] = [
    ['deletion of a directory, with what is untracked, links and permissions in it', 'rm -rf dir'],
    ['deletion by a pattern', 'rm -f ./a ./b*'],
    ['an overwrite', 'echo new > a'],
    ['an append', 'echo more >> dir/in/a'],
    ['an edit in place', "sed -i 's/text/other/' a"],
    ['a move over a file', 'mv -f a b'],
    ['a move of a directory', 'mv dir elsewhere'],
    ['files that are new, in directories that are new', 'mkdir -p x/y && echo 1 > x/y/z'],
    ['a copy over', 'cp a dir/a'],
    ['a link in place of a file', 'ln -sfn dir/a b'],
    ['truncation', 'truncate -s 0 a'],
    ['permissions alone', 'chmod 600 a'],
    ['a link in place of a link', 'ln -sfn /nonexistent dir/link'],
    ['a link that is deleted', 'rm -f dir/link'],
    ['a link that leads nowhere, deleted', 'rm -f nowhere'],
    ['a link to a directory, deleted', 'rm -f todir'],
    ['a link that is deleted from within', 'cd dir && rm link'],
    ['a move of a link', 'mv dir/link elsewhere'],
    ['a move over a link', 'mv b dir/link'],
    ['a move over a link, into its directory', 'mv other/link dir'],
    ['links deleted by a pattern', 'rm -f dir/li*'],
    ['a write through a link', 'echo more >> dir/link'],
    ['a write through one of two names of a file', 'echo more >> one'],
    ['permissions of a file with two names', 'chmod 600 one'],
    ['a deletion of one of two names of a file', 'rm one'],
    ['a database', 'sqlite3 shop.db "delete from orders"'],
  ]
  for (const [title, command] of ACTS)
    test(`${title}`, async () => {
      const { work, act, captures, sh } = place()
      plant(work)
      plantLinks(work)
      sh('ln -s /nonexistent nowhere; ln -s dir todir; mkdir other; echo other > other/link')
      sh('sqlite3 shop.db "create table orders(id); insert into orders values (1),(2)"')
      const before = listed(work)
      const decision = await act(command)
      expect(listed(work), command).not.toEqual(before)
      expect([await back(decision, captures), listed(work)]).toEqual([[], before])
    })

  test('a name that went is a name of the same file again; what was written to the file since is not undone with it', async () => {
    const { work, act, captures, sh } = place()
    sh('mkdir dir; echo text > one; ln one dir/two')
    const before = listed(work)
    const [written, gone] = [await act('echo more > dir/two'), await act('rm -rf dir')]
    expect([await back(gone, captures), await back(written, captures), listed(work)]).toEqual([[], [], before])
    const alone = await act('rm dir/two')
    sh('echo theirs > one')
    expect(await back(alone, captures)).toEqual([])
    expect([readFileSync(join(work, 'one'), 'utf8'), readFileSync(join(work, 'dir/two'), 'utf8')]).toEqual(['theirs\n', 'text\n'])
  })

  test('by the tool of an editor', async () => {
    const { work, gate, captures } = place()
    plant(work)
    const before = listed(work)
    const decision = await gate.decide(callOf('Write', { file_path: join(work, 'a'), content: 'new\n' }, { cwd: work }))
    writeFileSync(join(work, 'a'), 'new\n')
    expect([await back(decision, captures), listed(work)]).toEqual([[], before])
  })

  test('sessions of random acts, taken back from their end', async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const { work, act, captures } = place()
      plant(work)
      plantAttributes(work)
      const before = listed(work)
      const decisions: Decision[] = []
      for (const line of programOf(seed).split('\n')) decisions.push(await act(line))
      for (const decision of decisions.toReversed()) expect([seed, await back(decision, captures)]).toEqual([seed, []])
      expect([seed, programOf(seed), listed(work)]).toEqual([seed, programOf(seed), before])
    }
  }, 60_000)

  test('what is too much to copy is kept by a second name, and said to be gone where it was written to', async () => {
    const { work, act, captures } = place('undo: { require_way_back: false, max_mb: 1 }\n')
    mkdirSync(join(work, 'big'))
    for (const name of ['one', 'two', 'three']) writeFileSync(join(work, 'big', name), Buffer.alloc(600_000, name))
    const before = listed(work)
    expect([await back(await act('rm -r big'), captures), listed(work)]).toEqual([[], before])
    const written = await act('echo x >> big/three; echo x >> big/two; echo x >> big/one')
    expect((await back(written, captures)).filter((line) => line.includes('was written to since')).length).toBeGreaterThan(0)
  })

  test('what was kept and is damaged is not put back', async () => {
    const { home, work, act, captures } = place()
    plant(work)
    const decision = await act('echo new > a')
    execFileSync('/bin/sh', ['-c', 'for f in undo/blobs/*; do echo damaged > $f; done'], { cwd: home })
    expect(await back(decision, captures)).toEqual([expect.stringContaining('damaged')])
    expect(readFileSync(join(work, 'a'), 'utf8')).toBe('new\n')
  })

  test('where nothing can be kept, the call does not run, or runs and the log says so', async () => {
    for (const [failure, expected] of [
      ['deny', 'deny'],
      ['pass', 'allow'],
    ] as const) {
      const { work, act, home } = place(`undo: { require_way_back: false, on_failure: ${failure} }\n`)
      plant(work)
      writeFileSync(join(home, 'undo-is-a-file'), '')
      execFileSync('/bin/sh', ['-c', 'rm -rf undo; ln -s undo-is-a-file undo'], { cwd: home })
      const { decision, code, undo } = await act('echo new > a')
      expect([decision, code === 'undo.capture_failed', typeof undo?.problem]).toEqual([
        expected,
        failure === 'deny',
        failure === 'deny' ? 'undefined' : 'string',
      ])
    }
  })
})

describe('git', () => {
  function repository() {
    const made = place()
    const { work, sh } = made
    sh(
      'git init -qb main .; printf "one\\n" > a; printf "x\\n" > keep; mkdir d; echo 1 > d/f; git add -A; git commit -qm one; echo two >> a; echo 2 > later; git add -A; git commit -qm two',
    )
    sh(
      'git branch side; git stash list; echo dirty >> keep; echo untracked > new; chmod 755 new; git rm -q --cached d/f; echo stashed >> a; git stash -q -- a',
    )
    symlinkSync('keep', join(work, 'link'))
    return made
  }
  const state = (work: string): string =>
    [
      'git rev-parse HEAD',
      'git for-each-ref --format="%(objectname) %(refname)" refs/heads refs/stash refs/tags',
      'git status --porcelain',
      'git stash list',
      'git symbolic-ref HEAD',
    ]
      .map((command) => execFileSync('/bin/sh', ['-c', command], { cwd: work, encoding: 'utf8' }))
      .join('\n')
  const files = (work: string) => new Map([...listed(work)].filter(([name]) => !name.startsWith('/.git')))

  for (const command of [
    'git reset --hard HEAD~1',
    'git clean -fd',
    'git checkout -- .',
    'git restore keep',
    'git branch -D side',
    'git stash drop',
    'git stash clear',
    'git reset --hard HEAD~1 && git clean -fdx && git reflog expire --expire=now --all && git gc -q --prune=now',
  ])
    test(command, async () => {
      const { work, act, captures } = repository()
      const before = [state(work), files(work)]
      const decision = await act(command)
      expect([state(work), files(work)]).not.toEqual(before)
      expect(await back(decision, captures)).toEqual([])
      expect([state(work), files(work)]).toEqual(before)
    }, 30_000)

  test('a push that overwrote is pushed back, and one to a new branch goes; not where somebody pushed since', async () => {
    const { act, captures, sh } = repository()
    const remote = realpathSync(temporaryDirectory())
    sh(`git init -q --bare ${remote}; git remote add origin ${remote}; git push -q origin main`)
    const at = (branch: string): string =>
      execFileSync('git', ['for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`], { cwd: remote, encoding: 'utf8' })
    const before = at('main')
    sh('git stash -qu; git reset -q --hard HEAD~1; echo other > b; git add b; git commit -qm other')
    const forced = await act('git push --force origin main')
    expect(at('main')).not.toBe(before)
    expect([await back(forced, captures), at('main')]).toEqual([[], before])
    const fresh = await act('git push origin main:fresh')
    expect([at('fresh') !== '', await back(fresh, captures), at('fresh')]).toEqual([true, [], ''])
    const again = await act('git push --force origin main')
    sh('echo more > c; git add c; git commit -qm more; git push -qf origin main')
    const theirs = at('main')
    expect([await back(again, captures), at('main')]).toEqual([[expect.stringContaining('somebody else')], theirs])
  }, 30_000)
})

describe('pages', () => {
  /** As the tool does: a clone of its own, what is deployed in place of what was, a commit, and a push. */
  const TOOL = `#!/bin/sh
set -e
top=$PWD; clone=$(mktemp -d); git clone -q "$(git remote get-url origin)" $clone/c; cd $clone/c
git checkout -q gh-pages 2>/dev/null || git checkout -q --orphan gh-pages
git rm -rqf . 2>/dev/null || true; cp -r $top/dist/. .; git add -A; git commit -qm Updates; git push -q origin gh-pages; rm -rf $clone
`
  function site() {
    const made = place()
    const { work, sh } = made
    const remote = realpathSync(temporaryDirectory())
    const bin = temporaryDirectory()
    writeFileSync(join(bin, 'gh-pages'), TOOL, { mode: 0o755 })
    const path = process.env.PATH
    process.env.PATH = `${bin}:${path}`
    onTestFinished(() => {
      process.env.PATH = path
    })
    sh(
      `git init -q --bare ${remote}; git init -qb main .; git remote add origin ${remote}; mkdir dist; echo one > dist/index.html; git add -A; git commit -qm one; git push -q origin main`,
    )
    const at = (): string =>
      execFileSync('git', ['for-each-ref', '--format=%(objectname)', 'refs/heads/gh-pages'], { cwd: remote, encoding: 'utf8' })
    return { ...made, work, remote, at }
  }

  test('a deployment goes back to the one before, the first one goes, and one after which somebody deployed stays', async () => {
    const { work, act, captures, at, sh } = site()
    const first = await act('gh-pages -d dist')
    const one = at()
    writeFileSync(join(work, 'dist', 'index.html'), 'two\n')
    const second = await act('gh-pages -d dist')
    expect([one !== '', at() !== one]).toEqual([true, true])
    expect([await back(second, captures), at()]).toEqual([[], one])
    const third = await act('gh-pages -d dist')
    writeFileSync(join(work, 'dist', 'index.html'), 'three\n')
    sh('gh-pages -d dist')
    const theirs = at()
    expect([(await back(third, captures)).join(), at()]).toEqual([expect.stringContaining('somebody else'), theirs])
    sh(`git push -qf origin ${one.trim()}:refs/heads/gh-pages`)
    expect([await back(first, captures), at()]).toEqual([[], ''])
  }, 30_000)
})

describe('captures', () => {
  test('end, and share what is the same', async () => {
    const { work, act, captures } = place()
    plant(work)
    const first = await act('rm -rf dir')
    await back(first, captures)
    chmodSync(join(work, 'a'), 0o600)
    await act('rm -rf dir')
    expect(captures.list().length).toBe(2)
    expect(await captures.collect(Date.now(), Number.MAX_SAFE_INTEGER)).toBe(0)
    expect([await captures.collect(Date.now() + 8 * 86_400_000, Number.MAX_SAFE_INTEGER), captures.list().length]).toEqual([2, 0])
  })
  test('are for nobody else to read: files of any size, git, a database, whatever the umask; second names lie behind a private directory', async () => {
    const { home, work, act, sh, captures } = place('undo: { require_way_back: false, max_mb: 1 }\n')
    const umask = process.umask(0)
    onTestFinished(() => void process.umask(umask))
    sh('git init -q .; sqlite3 shop.db "create table hidden_table(id)"; mkdir many')
    writeFileSync(join(work, 'small'), 'hidden-word\n')
    writeFileSync(join(work, 'large'), 'hidden-word\n'.repeat(20_000))
    writeFileSync(join(work, 'huge'), 'hidden-word\n'.repeat(200_000))
    const before = listed(work)
    const kept = [
      await act('rm small'),
      await act('echo > large'),
      await act('rm huge'),
      await act('sqlite3 shop.db "drop table hidden_table"'),
    ]
    sh('git add -A; git commit -qm hidden-word; echo hidden-word >> shop.txt; git add shop.txt')
    const reset = await act('git reset --hard')
    expect([reset, ...kept].map(({ undo }) => typeof undo?.id)).toEqual(Array(5).fill('string'))
    expect(revealed(home, ['hidden-word', 'hidden_table', 'shop.txt', 'small'])).toEqual([])
    expect(readdirSync(captures.vault.directory).some((name) => name.startsWith('tree-'))).toBe(true)
    for (const decision of [reset, ...kept.toReversed()]) expect(await back(decision, captures)).toEqual([])
    expect([...listed(work)].filter(([name]) => !name.includes('.git') && name !== '/shop.txt')).toEqual(
      [...before].filter(([name]) => !name.includes('.git')),
    )
  })

  test('that lie under a key that is gone are gone, and take no place for ever', async () => {
    const { home, work, act, captures } = place()
    plant(work)
    const { undo } = await act('echo new > a')
    execFileSync('/bin/sh', ['-c', 'rm keys/undo.key'], { cwd: home })
    const other = openCaptures(home)
    expect([captures.read(String(undo?.id)) === null, other.read(String(undo?.id))]).toEqual([false, null])
    await other.collect(Date.now() + 3_600_000, Number.MAX_SAFE_INTEGER)
    expect([other.list(), readdirSync(other.vault.directory)]).toEqual([[], []])
  })

  describe.runIf(ATTRIBUTES)('of what files have beside their content are taken back', () => {
    const GIVE = 'attribute set marked user.note x; attribute set dir/in user.y z; attribute set dir user.d 1'
    const ACTS: readonly (readonly [command: string, act: (work: string) => string])[] = [
      ['rm plain marked', () => 'rm plain marked'],
      ['echo 2 > marked', () => 'echo 2 > marked'],
      ["sed -i 's/1/2/' marked dir/in", () => "sed -i 's/1/2/' marked dir/in"],
      ['rm -r dir', () => 'rm -r dir'],
      ['mv -f plain marked', () => 'mv -f plain marked'],
      ['setfattr -x user.note marked', () => `${SET_ATTRIBUTE}; attribute remove marked user.note`],
      ['setfattr -n user.more -v 1 plain dir', () => `${SET_ATTRIBUTE}; attribute set plain user.more 1; attribute set dir user.more 1`],
      ['chown 1234:1235 marked', () => 'chown 1234:1235 marked'],
      ['chmod -R 700 dir', () => 'chmod -R 700 dir'],
    ]
    test.each(ACTS)('%s', async (command, act) => {
      const { work, gate, captures, sh } = place()
      plantAttributes(work, `mkdir dir; for f in plain marked dir/in; do echo 1 > $f; done; ${GIVE}`)
      const state = () => [listed(work), ...['plain', 'marked', 'dir'].map((name) => statSync(join(work, name)).uid)]
      const before = state()
      const decision = await gate.decide(bash(command, { cwd: work, session: null }))
      expect(decision.undo?.ways).toEqual([{ name: 'files', exercised: true }])
      sh(act(work))
      expect([await back(decision, captures), state()]).toEqual([[], before])
    })
  })

  test('none is taken of what only reads', async () => {
    const { work, act, captures } = place()
    plant(work)
    const { undo } = await act('cat a; ls -R; grep -r text .')
    expect([undo, captures.list()]).toEqual([undefined, []])
  })
})
