/** An approver has exactly the changes of a preview made: over the real machine, with the sandbox, an agent that sends again, and undo. */
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { bash, callOf } from '../test/support/calls.ts'
import { ATTRIBUTES, listed, plant, plantAttributes, programOf, SET_ATTRIBUTE } from '../test/support/random-programs.ts'
import { temporaryDirectory } from '../test/support/records.ts'
import { triedOut } from '../test/support/trials.ts'
import { policyOf } from '../test/support/workplace.ts'
import type { GivenAnswer } from './approvals/queue.ts'
import type { StoredApproval } from './approvals/store.ts'
import type { ReadableLog } from './audit/log.ts'
import type { ToolCall } from './core/call.ts'
import type { JsonObject } from './core/json.ts'
import { type GateStore, openGate } from './open.ts'
import { laterIn } from './open-later.ts'
import { planOf, takeBack, undoable, undoPartsOf } from './open-taking-back.ts'
import type { Journal } from './preview/apply/journal.ts'
import { settle } from './proxies/settle.ts'
import { recordsOf } from './server/log.ts'
import type { RecordQuery, StoredRecord } from './store/store.ts'

const ASK = 'rules: { ask: [{ tool: Bash, reason: careful }, { tool: Write, reason: careful }] }\n'
const APPLY = `${ASK}preview: { apply: {} }\n`

const logOf = (store: GateStore) => ({ read: (query: RecordQuery) => recordsOf(store, query) })

function place(section = APPLY) {
  const home = temporaryDirectory()
  const work = realpathSync(temporaryDirectory())
  plant(work)
  const { gate, queue, store, close } = openGate({ home, policy: () => ({ policy: policyOf(section), degraded: null }) })
  onTestFinished(() => close())
  const decide = (call: ToolCall | string) => gate.decide(typeof call === 'string' ? bash(call, { cwd: work }) : call)
  const asks = async (call: ToolCall | string): Promise<StoredApproval> => {
    const { approval, code, reason } = await decide(call)
    const found = queue.show(approval?.id ?? '', { tenant: null })
    if (found === null) throw new Error(`nothing waits: ${code} ${reason}`)
    return found
  }
  const apply = (id: string, more: Partial<GivenAnswer> = {}) =>
    queue.answer(id, { tenant: null, by: 'human:alice', verdict: 'approve', scope: 'apply', ...more })
  return { gate, queue, store, home, work, decide, asks, apply }
}

const KILLED = fileURLToPath(new URL('../test/support/killed-applying.ts', import.meta.url))
const isApplyOf = (id: string, { apply }: JsonObject): boolean => (apply as JsonObject | undefined)?.approval === id

const journalsOf = (home: string): readonly Journal[] => {
  const directory = join(home, 'previews/making')
  return readdirSync(directory).map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as Journal)
}

const COMMAND = 'rm -r dir/in; echo more >> a; mkdir -p new/deep && cp b new/deep/; ln -s ../a new/link; chmod 700 b; echo done'

describe('exactly what was seen', () => {
  triedOut('is made, the command does not run, the agent hears so once, and undo takes it back', async () => {
    const { home, work, store, gate, queue, decide, asks, apply } = place()
    const before = listed(work)
    const waiting = await asks(COMMAND)
    const { refused, approval } = await apply(waiting.id)
    expect([refused, approval.status, approval.applied?.problem]).toEqual([null, 'consumed', null])
    expect(readFileSync(join(work, 'a'), 'utf8')).toBe('text 0\nmore\n')
    const after = listed(work)
    expect([after.has('/dir/in'), after.has('/new/deep/b'), after.get('/new/link')]).toEqual([false, true, 'link:../a 0'])
    const again = await decide(COMMAND)
    expect([again.decision, again.code]).toEqual(['deny', 'approval.applied'])
    expect(again.agentReason).toContain(`changed ${work}/a`)
    expect(again.agentReason).toContain('done')
    expect((await decide(COMMAND)).decision).toBe('ask')
    const [found] = undoable(store as Pick<ReadableLog, 'read'>, { tenant: null })
    expect(found?.record.id).toBe(approval.applied?.record)
    if (found === undefined) return
    const parts = undoPartsOf(home, null, () => null)
    const agree = async (id: string) => void (await queue.answer(id, { tenant: null, by: 'human:alice', verdict: 'approve' }))
    const by = { agree, by: 'human:alice', decide: gate.decide }
    expect(
      await takeBack(await planOf(found, parts, laterIn(logOf(store), parts.store)), { ...by, log: store, parts, keepMs: 1_000 }),
    ).toMatchObject({
      problems: [],
    })
    expect(listed(work)).toEqual(before)
  })

  triedOut('is the same as what the command itself does, for random programs', async () => {
    const { work, asks, apply } = place()
    let made = 0
    for (let seed = 1; seed <= 40 && made < 4; seed++) {
      plant(work)
      const copy = realpathSync(temporaryDirectory())
      plant(copy)
      try {
        execFileSync('/bin/bash', ['-c', `${programOf(seed)}\ntrue`], { cwd: copy, stdio: 'ignore' })
      } catch {
        // The last act of a program may fail.
      }
      const waiting = await asks(`${programOf(seed)}\ntrue`)
      if (waiting.kept === null || 'problem' in waiting.kept) continue
      const { refused } = await apply(waiting.id)
      expect([seed, refused, listed(work)]).toEqual([seed, null, listed(copy)])
      made++
    }
    expect(made).toBe(4)
  })

  test('is made of an edit, where nothing was run', async () => {
    const { work, asks, apply, decide } = place()
    const write = callOf('Write', { file_path: join(work, 'fresh.txt'), content: 'new\n' }, { cwd: work })
    const waiting = await asks(write)
    expect(waiting.proposals.map(({ kind }) => kind)).toContain('apply')
    expect((await apply(waiting.id)).refused).toBeNull()
    expect(readFileSync(join(work, 'fresh.txt'), 'utf8')).toBe('new\n')
    expect((await decide(write)).code).toBe('approval.applied')
  })

  test.runIf(ATTRIBUTES)('is not made of an edit of a file with extended attributes: they would be lost', async () => {
    const { work, asks, apply } = place()
    plantAttributes(work)
    const waiting = await asks(callOf('Write', { file_path: join(work, 'a'), content: 'new\n' }, { cwd: work }))
    expect((await apply(waiting.id)).refused?.message).toContain(`${work}/a has extended attributes, which would be lost`)
    expect(readFileSync(join(work, 'a'), 'utf8')).toBe('text 0\n')
  })

  triedOut('whose process ends before its record gets it from whoever applies next, with its files and its way back', async () => {
    const { home, work, store, asks, apply } = place()
    const before = listed(work)
    const first = await asks('echo more >> a')
    const run = store.run.bind(store)
    const isMade = (): boolean => journalsOf(home).some(({ done }) => done)
    const broken: typeof run = (...given) => (isMade() ? Promise.reject(new Error('the process ends')) : run(...given))
    Object.assign(store, { run: broken })
    await expect(apply(first.id)).rejects.toThrow('the process ends')
    Object.assign(store, { run })
    expect(readFileSync(join(work, 'a'), 'utf8')).toBe('text 0\nmore\n')
    const [journal] = journalsOf(home)
    writeFileSync(join(home, 'previews/making', `${first.id}.json`), JSON.stringify({ ...journal, process: spawnSync('/bin/true').pid }))
    expect((await apply((await asks('chmod 600 b')).id)).refused).toBeNull()
    const found = undoable(store as Pick<ReadableLog, 'read'>, { tenant: null }).find(({ record }) =>
      JSON.stringify(record.body).includes(first.id),
    )
    expect(found?.record.body.apply).toMatchObject({ approval: first.id, by: 'human:alice', files: [`changed ${work}/a`], problem: null })
    if (found === undefined) return
    const parts = undoPartsOf(home, null, () => null)
    const { steps } = await planOf(found, parts, laterIn(logOf(store), parts.store))
    for (const step of steps) expect(step.lines).toEqual([`restore ${work}/a`])
    expect(before.has('/a')).toBe(true)
  })

  triedOut(
    'whose process is killed between two files is taken back when a gate opens over it, once, and before that gate decides',
    async () => {
      const { home, work, store, queue, asks } = place()
      const before = listed(work)
      const { id } = await asks('for i in $(seq 20); do echo $i > new-$i; done; rm -r dir/in; echo more >> a')
      const maker = spawnSync(process.execPath, ['--import', 'tsx', KILLED, home, id, APPLY, '9'], { encoding: 'utf8' })
      expect([maker.signal, maker.stderr]).toEqual(['SIGKILL', ''])
      const half = listed(work)
      const made = [...half.keys()].filter((name) => /^\/new-\d+$/.test(name)).length
      // Otherwise this proves nothing: some of it was made, some was not.
      expect([half.has('/dir/in'), made > 0 && made < 20]).toEqual([false, true])
      expect(queue.show(id, { tenant: null })?.status).toBe('consumed')
      const others = [1, 2, 3].map(() => openGate({ home, policy: () => ({ policy: policyOf(APPLY), degraded: null }) }))
      onTestFinished(() => {
        for (const { close } of others) close()
      })
      await Promise.all(others.map(({ gate }) => gate.decide(bash('ls', { cwd: work }))))
      expect([listed(work), readdirSync(join(home, 'previews/making'))]).toEqual([before, []])
      const told = [...(store.read({ limit: 100 }) as Iterable<StoredRecord>)].filter(({ body }) => isApplyOf(id, body))
      expect(told.map(({ body }) => (body.apply as JsonObject).problem)).toEqual(['the process that made it ended in between'])
      expect(queue.show(id, { tenant: null })?.applied?.problem).toBe('the process that made it ended in between')
    },
  )

  triedOut('what another machine left half made stands in the way, and what to do is said', async () => {
    const { home, work, asks, apply } = place()
    const first = await asks('echo more >> a')
    mkdirSync(join(home, 'previews/making'), { recursive: true })
    const other = { version: 1, machine: 'elsewhere', process: 1, started: null, id: 'apr_x', done: false, stagings: [], steps: [] }
    writeFileSync(join(home, 'previews/making/apr_x.json'), JSON.stringify(other))
    const { refused, approval } = await apply(first.id)
    expect([refused?.code, approval.status]).toEqual(['approval.not_applied', 'pending'])
    expect(refused?.message).toMatch(/apr_x\.json was written on another machine \(`elsewhere`\)\. .*delete it/)
    expect(readFileSync(join(work, 'a'), 'utf8')).toBe('text 0\n')
    rmSync(join(home, 'previews/making/apr_x.json'))
    expect((await apply(first.id)).refused).toBeNull()
  })

  triedOut('may be made where the policy denies what nothing can try out', async () => {
    const { asks, apply } = place(`${ASK}preview: { apply: {}, require_dryrun_supported: true, on_unsupported: deny }\n`)
    expect((await apply((await asks('echo more >> a')).id)).refused).toBeNull()
  })

  triedOut('reaches a proxy that waits: its client is told, and nothing runs', async () => {
    const { gate, queue, work, apply } = place()
    const holding = (waiting: StoredApproval): (() => void) => {
      void apply(waiting.id)
      return () => {}
    }
    const signal = new AbortController().signal
    const settled = await settle(bash('echo more >> a', { cwd: work }), { gate, queue, signal, holding, holdMs: () => 20_000 })
    expect([settled.kind, settled.decision.code]).toEqual(['stopped', 'approval.applied'])
    expect(readFileSync(join(work, 'a'), 'utf8')).toBe('text 0\nmore\n')
  })
})

describe('what somebody did between the preview and the yes', () => {
  type Act = (work: string, home: string, outside: string) => void
  const linked =
    (name: string): Act =>
    (work, _, outside) => {
      mkdirSync(join(outside, 'moved'))
      renameSync(join(work, name), join(outside, 'moved', 'it'))
      symlinkSync(join(outside, 'moved', 'it'), join(work, name))
    }
  const HOSTILE: readonly (readonly [title: string, command: string, act: Act, code: string])[] = [
    ['a file was changed', 'echo more >> a', (work) => writeFileSync(join(work, 'a'), 'other\n'), 'approval.stale'],
    ['a file has other permissions', 'echo more >> a', (work) => chmodSync(join(work, 'a'), 0o600), 'approval.stale'],
    ...(ATTRIBUTES
      ? ([['a file has extended attributes', 'echo more >> a', (work: string) => plantAttributes(work), 'approval.stale']] as const)
      : []),
    ['a file is gone', 'echo more >> a', (work) => rmSync(join(work, 'a')), 'approval.stale'],
    ['a file stands where one would be new', 'echo x > fresh', (work) => writeFileSync(join(work, 'fresh'), ''), 'approval.stale'],
    ['a link stands where a file was', 'echo more >> a', linked('a'), 'approval.stale'],
    ['a link stands where its directory was', 'echo x > dir/in/new', linked('dir/in'), 'approval.stale'],
    ['a link stands where a directory above it was', 'echo x > dir/in/new', linked('dir'), 'approval.stale'],
    ['a link leads elsewhere', 'ln -sfn b dir/link', (work) => relinked(join(work, 'dir/link'), '/etc/passwd'), 'approval.stale'],
    [
      'a file came into a directory that goes',
      'rm -r dir/in',
      (work) => writeFileSync(join(work, 'dir/in/new'), ''),
      'approval.not_applied',
    ],
    [
      'what was kept is gone',
      'echo more >> a',
      (_, home) => rmSync(join(home, 'previews/lists'), { recursive: true }),
      'approval.not_applied',
    ],
    [
      'what was kept has another content',
      'echo more >> a',
      (_, home) => overwritten(join(home, 'previews/contents')),
      'approval.not_applied',
    ],
    [
      'the list of changes is another one',
      'echo more >> a',
      (_, home) => overwritten(join(home, 'previews/lists')),
      'approval.not_applied',
    ],
  ]
  for (const [title, command, act, code] of HOSTILE)
    triedOut(`nothing is made: ${title}`, async () => {
      const { work, home, asks, apply, decide } = place()
      const waiting = await asks(command)
      const outside = realpathSync(temporaryDirectory())
      act(work, home, outside)
      const before = [listed(work), listed(outside)]
      expect((await apply(waiting.id)).refused?.code).toBe(code)
      expect([listed(work), listed(outside)]).toEqual(before)
      expect((await decide(command)).code).not.toBe('approval.applied')
    })

  triedOut('nothing is made twice, by however many at once', async () => {
    const { work, queue, asks, apply } = place()
    const { id } = await asks('echo more >> a')
    const all = await Promise.all([apply(id), apply(id, { by: 'human:bob' }), apply(id)])
    expect(all.filter(({ refused, approval }) => refused === null && approval.applied !== null)).toHaveLength(1)
    expect((await apply(id)).refused?.code).toBe('approval.stale')
    expect(readFileSync(join(work, 'a'), 'utf8')).toBe('text 0\nmore\n')
    expect(queue.show(id, { tenant: null })?.status).toBe('consumed')
  })

  triedOut('the policy denies it: nothing is made, and the approval is over', async () => {
    const { work, queue, asks, apply } = place(
      `${APPLY}`.replace('rules: {', 'rules: { deny: [{ tool: countersign_apply, reason: frozen }],'),
    )
    const { id } = await asks('echo more >> a')
    expect((await apply(id)).refused?.code).toBe('approval.not_applied')
    expect([readFileSync(join(work, 'a'), 'utf8'), queue.show(id, { tenant: null })?.status]).toEqual(['text 0\n', 'cancelled'])
  })

  triedOut('a yes to the changes never lets the call run, and two people have to mean the same', async () => {
    const { decide, asks, apply, queue, work } = place(`${APPLY}approvals: { quorum: 2 }\n`)
    const { id } = await asks('echo more >> a')
    expect((await apply(id)).approval.status).toBe('pending')
    const other = await queue.answer(id, { tenant: null, by: 'human:bob', verdict: 'approve' })
    expect(other.refused?.code).toBe('approval.scope')
    expect((await decide('echo more >> a')).decision).toBe('ask')
    expect(readFileSync(join(work, 'a'), 'utf8')).toBe('text 0\n')
  })
})

triedOut('stands once among what can be taken back, where the policy keeps what calls change', async () => {
  const { store, asks, apply } = place(`${APPLY}undo: {}\n`)
  const { id } = await asks('echo more >> a')
  const { approval } = await apply(id)
  const found = undoable(logOf(store), { tenant: null })
  expect(found.map(({ record }) => [record.tool, record.id])).toEqual([['countersign_apply', approval.applied?.record]])
})

describe('is not offered', () => {
  const NOT: readonly (readonly [title: string, command: string, section: string])[] = [
    ['where the policy does not say so', 'echo more >> a', `${ASK}preview: {}\n`],
    ['for a command that ended with an error', 'echo more >> a; false', APPLY],
    ['for files with other names', 'ln a second; echo more >> a', APPLY],
    ['for programs with the rights of their owner', 'chmod 4755 a', APPLY],
    ['for more names than the policy lets', 'touch x y z', `${ASK}preview: { apply: { max_files: 2 } }\n`],
    ['for more bytes than the policy lets', 'head -c 2000000 /dev/zero > big', `${ASK}preview: { apply: { max_mb: 1 } }\n`],
    ...(ATTRIBUTES
      ? ([
          ['for files with new extended attributes', `${SET_ATTRIBUTE}; echo more >> a; attribute set a user.x 1`, APPLY],
          [
            'for a directory with new extended attributes',
            `${SET_ATTRIBUTE}; mkdir made; attribute set made user.x 1; echo 1 > made/in`,
            APPLY,
          ],
          ['for extended attributes alone', `${SET_ATTRIBUTE}; attribute set dir user.x 1`, APPLY],
        ] as const)
      : []),
    ['for what changes nothing', 'cat a', APPLY],
    ['for what an unknown program leaves in the home', 'cp /usr/bin/touch mine && ./mine "$(printf %s ~)"/left', APPLY],
    ['for what is neither file nor directory', 'mkfifo pipe', APPLY],
  ]
  for (const [title, command, section] of NOT)
    triedOut(title, async () => {
      const { asks, apply } = place(section)
      const waiting = await asks(command)
      expect(waiting.proposals.map(({ kind }) => kind)).not.toContain('apply')
      expect((await apply(waiting.id)).refused?.code).toBe('approval.scope')
    })
})

function relinked(path: string, to: string): void {
  rmSync(path)
  symlinkSync(to, path)
}

function overwritten(directory: string): void {
  for (const name of readdirSync(directory)) writeFileSync(join(directory, name), 'x')
}
