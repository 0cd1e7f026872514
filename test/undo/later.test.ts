/**
 * What came after a call and before its way back: calls of others in the same workspace, people, and other ways back. Whatever goes with a way back
 * is named before anybody agrees, is kept first, and comes back with it.
 */
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { laterIn } from '../../src/open-later.ts'
import { undoPartsOf } from '../../src/open-taking-back.ts'
import { type Later, NOTHING_LATER } from '../../src/undo/later.ts'
import { stepsOf } from '../../src/undo/undo.ts'
import { sharedWorkspace } from '../support/shared-workspace.ts'

const text = (work: string, name: string): string | null => (existsSync(join(work, name)) ? readFileSync(join(work, name), 'utf8') : null)

describe('several agents in one workspace', () => {
  test('a later call of another session on the same file is named, and nothing is named that nobody changed', async () => {
    const { work, sh, ran, said, back } = sharedWorkspace()
    sh('echo 0 > f; echo 0 > g')
    const mine = await ran('echo 1 > f')
    await ran('echo 1 > g', { session: 's-2' })
    expect(await said(mine)).not.toMatch(/was changed \d|later call|s-2/)
    const theirs = await ran('echo 2 > f', { session: 's-2' })
    expect(await said(mine)).toContain(`${work}/f may have been changed by the later call ${theirs} of session s-2`)
    expect(await said(theirs)).not.toMatch(/(was changed \d|later call)/)
    const { id } = await back(mine)
    expect([text(work, 'f'), text(work, 'g')]).toEqual(['0\n', '1\n'])
    await back(id ?? '')
    expect(text(work, 'f')).toBe('2\n')
  })

  test('what others put into a directory that the call made is named', async () => {
    const { work, ran, said } = sharedWorkspace()
    const mine = await ran('mkdir -p new/in && echo 1 > new/in/f')
    const theirs = await ran('echo 2 > new/in/g', { session: 's-2' })
    expect(await said(mine)).toContain(`${work}/new may have been changed by the later call ${theirs} of session s-2`)
  })

  test('what a person put into it, too, and what a person moved over a file: its own time is older than the call', async () => {
    const { work, sh, ran, said } = sharedWorkspace()
    sh('echo 0 > f; echo person > theirs')
    utimesSync(join(work, 'theirs'), 1_000, 1_000)
    const mine = await ran('mkdir -p new/in && echo 1 > new/in/f && echo 1 > f')
    expect(await said(mine)).not.toMatch(/(was changed \d|later call)/)
    writeFileSync(join(work, 'new/in/person'), 'person')
    sh('mv theirs f')
    const all = await said(mine)
    expect(all).toMatch(new RegExp(`${work}/new was changed \\d+ seconds after the call ended`))
    expect(all).toMatch(new RegExp(`${work}/f was changed \\d+ seconds after the call ended`))
  })

  test('without a result nothing is named within a minute', async () => {
    const { work, sh, ran, said } = sharedWorkspace()
    sh('echo 0 > f')
    const mine = await ran('echo 1 > f', { told: false })
    writeFileSync(join(work, 'f'), 'person')
    expect(await said(mine)).not.toMatch(/(was changed \d|later call)/)
    const later = Date.now() / 1000 + 7_200
    utimesSync(join(work, 'f'), later, later)
    expect(await said(mine)).toMatch(/f was changed 120 minutes after the call was allowed, and that goes as well/)
  })
})

describe('ways back of one session', () => {
  test('what the way back of a later call put there is no change of somebody else', async () => {
    const { work, sh, ran, said, back } = sharedWorkspace()
    sh('echo 0 > f')
    const first = await ran('echo 1 > f')
    const second = await ran('mv f g')
    expect(await said(first)).toContain(`the later call ${second}`)
    await back(second)
    expect([text(work, 'f'), text(work, 'g'), await said(first)]).toEqual([
      '1\n',
      null,
      expect.not.stringMatching(/(was changed \d|later call)/),
    ])
    await back(first)
    expect(text(work, 'f')).toBe('0\n')
  })

  test('a call whose way back was taken back can be taken back again', async () => {
    const { work, sh, ran, back, list } = sharedWorkspace()
    sh('echo 0 > f')
    const call = await ran('echo 1 > f')
    for (let round = 0; round < 2; round++) {
      expect(list('s-1')).toEqual([call])
      const { id } = await back(call)
      expect([text(work, 'f'), list('s-1')]).toEqual(['0\n', []])
      await back(id ?? '')
      expect(text(work, 'f')).toBe('1\n')
    }
    expect(list()).toEqual([call])
  })
})

test('a database that a later call changed is named, and another one is not', async () => {
  const { home, ran, sh, plan } = sharedWorkspace()
  sh('echo 0 > f')
  const { capture } = await plan(await ran('echo 1 > f'))
  const known = { name: 'shop', engine: 'postgres', urlEnv: 'SHOP_URL', names: ['shop'], hosts: [], timeoutMs: 1_000 } as const
  const parts = { ...undoPartsOf(home, null, () => null), ways: { databases: [known], declared: [] } }
  const dump = { database: 'shop', dump: 'd', sha256: '', size: 0, objects: [], opening: [] }
  const shop = { ...capture, ways: [{ name: 'database:postgres', run: 'database', dump } as const] }
  const said = async (databases: readonly string[]) => {
    const calls = [{ told: '01A of session s-2', at: 0, touches: () => false, databases }]
    return (await stepsOf(shop, parts, { ...NOTHING_LATER, calls })).map(({ cannot }) => cannot).join()
  }
  expect(await said(['shop'])).toContain('shop may have been changed by the later call 01A of session s-2')
  expect(await said(['bank'])).not.toContain('later call')
})

describe('a session from its end', () => {
  test('reads each part of the log and each capture once, and says what each way back alone would say', async () => {
    const { work, sh, ran, back, home, log, foundOf } = sharedWorkspace()
    sh('for n in 0 1 2 3; do echo 0 > f$n; done')
    const mine: string[] = []
    for (const n of [0, 1, 2, 0, 3, 1]) mine.push(await ran(`echo ${mine.length} > f${n}`))
    await ran('echo theirs > f1', { session: 's-2' })
    const { store } = undoPartsOf(home, null, () => null)
    const opened: string[] = []
    const read: (readonly [after: number, before: number])[] = []
    const counted = laterIn(
      {
        read: (query) => {
          if (query.text !== undefined) read.push([query.after ?? 0, query.before ?? 0])
          return log.read(query)
        },
      },
      { read: (id) => (opened.push(id), store.read(id)) },
    )
    const told = ({ calls, backs, more, ended }: Later) => [
      calls.map((call) => [call.told, [0, 1, 2, 3].map((n) => call.touches(`${work}/f${n}`))]),
      backs.map(({ from, until }) => [from, until]),
      [more, ended],
    ]
    for (const id of mine.toReversed()) {
      const { record } = foundOf(id)
      expect(told(counted(record))).toEqual(told(laterIn(log, store)(record)))
      await back(id)
    }
    // Each part is read for notes and for decisions.
    const parts = [...new Set(read.map(String))].map((part) => part.split(',').map(Number))
    const sequences = parts.flatMap(([after = 0, before = 0]) =>
      Array.from({ length: before - after - 1 }, (_, index) => after + 1 + index),
    )
    expect([read.length, new Set(sequences).size]).toEqual([2 * parts.length, sequences.length])
    expect(opened.length).toBe(new Set(opened).size)
  })
})

describe('git', () => {
  const REPOSITORY =
    'git init -qb main .; echo one > a; echo keep > keep; git add -A; git commit -qm one; echo two > a; git commit -qam two'
  const tree = (sh: (command: string) => string): string =>
    sh(
      'git rev-parse HEAD; git for-each-ref --format="%(objectname) %(refname)" refs/heads; git status --porcelain; grep -r . --include=* a keep b 2>/dev/null || true',
    )

  test('what a person changed since in files that were clean is named, kept first, and comes back', async () => {
    const { work, sh, ran, said, back } = sharedWorkspace()
    sh(`${REPOSITORY}; git stash list; echo dirty > a; git stash -q`)
    const call = await ran('git stash drop')
    writeFileSync(join(work, 'keep'), 'written by a person')
    const before = tree(sh)
    expect(await said(call)).toContain(`restore ${work}/keep`)
    const { id, problems } = await back(call)
    expect([problems, text(work, 'keep'), sh('git stash list')]).toEqual([[], 'keep\n', expect.stringContaining('stash@{0}')])
    await back(id ?? '')
    expect([text(work, 'keep'), tree(sh), sh('git stash list')]).toEqual(['written by a person', before, ''])
  })

  test('a directory that was deleted before the call is not said to come back, and does not', async () => {
    const { work, sh, ran, said, back } = sharedWorkspace()
    sh(`mkdir -p dir/in; echo 1 > dir/in/f; ${REPOSITORY}; echo dirty > a; git stash -q; rm -r dir`)
    const call = await ran('git stash drop')
    expect(await said(call)).not.toContain(`${work}/dir`)
    await back(call)
    expect([existsSync(join(work, 'dir')), sh('git stash list')]).toEqual([false, expect.stringContaining('stash@{0}')])
  })

  test('commits of a person since are named, leave the branch, and come back', async () => {
    const { sh, ran, said, back } = sharedWorkspace()
    sh(REPOSITORY)
    const start = tree(sh)
    const call = await ran('git reset --hard HEAD~1')
    sh('echo b > b; git add b; git commit -qm "by a person"; echo more >> keep')
    const before = tree(sh)
    expect(await said(call)).toMatch(/[0-9a-f]{7,} by a person/)
    const { id } = await back(call)
    expect(tree(sh)).toBe(start)
    await back(id ?? '')
    expect(tree(sh)).toBe(before)
  })

  test('of a repository whose references are packed', async () => {
    const { sh, ran, back } = sharedWorkspace()
    sh(`${REPOSITORY}; git branch side; git pack-refs --all --prune`)
    const before = tree(sh)
    const call = await ran('git reset --hard HEAD~1')
    await back(call)
    expect(tree(sh)).toBe(before)
  })

  test('a file that was changed within the second of the index, to as many bytes', async () => {
    const { work, sh, ran, back } = sharedWorkspace()
    sh(REPOSITORY)
    const call = await ran('git stash list; git reset --hard')
    // In place, with the times that it had: only its bytes tell.
    const { atime, mtime } = statSync(join(work, 'a'))
    writeFileSync(join(work, 'a'), 'TWO\n')
    utimesSync(join(work, 'a'), atime, mtime)
    sh('git config core.trustctime false; git config core.checkStat minimal')
    await back(call)
    expect(text(work, 'a')).toBe('two\n')
  })

  test('a merge that was given up goes on', async () => {
    const { sh, ran, back } = sharedWorkspace()
    sh(
      `${REPOSITORY}; git checkout -qb side HEAD~1; echo three > a; git commit -qam three; git checkout -q main; git merge -q side || true; echo both > a`,
    )
    const before = [tree(sh), sh('git rev-parse MERGE_HEAD; cat .git/MERGE_MSG')]
    const call = await ran('git merge --abort')
    await back(call)
    expect([tree(sh), sh('git rev-parse MERGE_HEAD; cat .git/MERGE_MSG')]).toEqual(before)
  })
})
