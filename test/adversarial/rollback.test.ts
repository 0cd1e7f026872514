/**
 * Somebody who can reach the state directory, but not the key, empties the log or puts an older copy of it in its place: to lose
 * what was recorded, or to use an approval or a grant again. Database and anchor agree with each other in every case here.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { auditVerify } from '../../src/audit/log.ts'
import { addGrant } from '../../src/grants/mint.ts'
import { openGate } from '../../src/open.ts'
import { anchorPath } from '../../src/store/sqlite/anchor.ts'
import { databasePath } from '../../src/store/sqlite/connection.ts'
import { counterPath } from '../../src/store/sqlite/counter.ts'
import { keysDirectory, loadKeys } from '../../src/store/sqlite/keys.ts'
import { openStore } from '../../src/store/sqlite/open.ts'
import { StoreError } from '../../src/store/store.ts'
import { makeHome } from '../hosts/harness.ts'
import { proves } from '../proves.ts'
import { bash } from '../support/calls.ts'
import { commandLine } from '../support/command-line.ts'
import { eventually } from '../support/eventually.ts'
import { input, temporaryDirectory } from '../support/records.ts'
import { describedView, policyOf } from '../support/workplace.ts'

/** The files of the log without its key: what somebody may have a copy of. */
const LOG = /^countersign\./

function copyLog(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(from).filter((each) => LOG.test(each))) cpSync(join(from, name), join(to, name))
}

function removeLog(directory: string): void {
  for (const name of readdirSync(directory).filter((each) => LOG.test(each))) rmSync(join(directory, name))
}

function putBack(copy: string, directory: string): void {
  removeLog(directory)
  copyLog(copy, directory)
}

async function append(directory: string, from: number, to: number): Promise<void> {
  const store = openStore({ directory })
  for (let number = from; number <= to; number += 1) await store.append(input(number))
  store.close()
}

function refusal(directory: string): StoreError {
  try {
    openStore({ directory }).close()
  } catch (error) {
    if (error instanceof StoreError) return error
    throw error
  }
  throw new Error('the store was opened')
}

/** Five records, of which a copy was taken at three. */
async function grown(): Promise<{ readonly directory: string; readonly copy: string }> {
  const [directory, copy] = [temporaryDirectory(), temporaryDirectory()]
  await append(directory, 1, 3)
  copyLog(directory, copy)
  await append(directory, 4, 5)
  return { directory, copy }
}

describe('a log that is not the one of its key', () => {
  const cases: readonly [string, (at: { readonly directory: string; readonly copy: string }) => void, RegExp][] = [
    ['database and anchor deleted', ({ directory }) => removeLog(directory), /went back from 5 records .* to 0: 5 records are missing/],
    [
      'database emptied, anchor deleted',
      ({ directory }) => {
        removeLog(directory)
        writeFileSync(databasePath(directory), '')
      },
      /went back from 5 records .* to 0/,
    ],
    [
      'an older copy of both',
      ({ directory, copy }) => putBack(copy, directory),
      /went back from 5 records \(at \d{4}-\d\d-\d\dT.*Z\) to 3: 2 records are missing/,
    ],
    [
      'database, anchor and counter deleted',
      ({ directory }) => {
        removeLog(directory)
        rmSync(counterPath(directory))
      },
      /a key but neither a log nor the counter/,
    ],
    [
      'an older copy, and no counter',
      ({ directory, copy }) => {
        putBack(copy, directory)
        rmSync(counterPath(directory))
      },
      /lost its counter/,
    ],
    [
      'an older copy, whose anchor poses as the counter',
      ({ directory, copy }) => {
        putBack(copy, directory)
        cpSync(anchorPath(directory), counterPath(directory))
      },
      /the counter of the key is malformed/,
    ],
    [
      'everything deleted but the anchor',
      ({ directory }) => {
        rmSync(keysDirectory(directory), { recursive: true })
        for (const suffix of ['', '-wal', '-shm']) rmSync(`${databasePath(directory)}${suffix}`, { force: true })
      },
      /the audit key is missing, and so is the log: .* tells of 5 records/,
    ],
    [
      'the log and the key deleted, the counter kept',
      ({ directory }) => {
        removeLog(directory)
        rmSync(join(keysDirectory(directory), 'audit.key'))
      },
      /tells of 5 records/,
    ],
  ]
  for (const [title, act, expected] of cases) {
    proves(['P12', 'SIG-49', 'PIT-13', 'T62'], `${title}: refused, every time, and said how far it went back`, async () => {
      const at = await grown()
      act(at)
      for (const _ of [1, 2]) {
        const { code, message } = refusal(at.directory)
        expect([code, message]).toEqual(['infra.store_corrupt', expect.stringMatching(expected)])
      }
    })
  }

  test('verify holds an older copy of both against the counter', async () => {
    const { directory, copy } = await grown()
    expect(auditVerify({ directory }).ok).toBe(true)
    putBack(copy, directory)
    expect(auditVerify({ directory }).breaks.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['truncated', 'the log ends at record 3, but had 5 when it was last anchored'],
    ])
    rmSync(counterPath(directory))
    expect(auditVerify({ directory }).breaks.map(({ kind }) => kind)).toEqual(['anchor_invalid'])
    removeLog(directory)
    expect(() => auditVerify({ directory })).toThrow('there is no log')
  })

  proves('T62', 'a whole copy, key and counter included, opens: only a head that was kept elsewhere can tell', async () => {
    const [directory, copy] = [temporaryDirectory(), temporaryDirectory()]
    await append(directory, 1, 3)
    cpSync(directory, copy, { recursive: true })
    await append(directory, 4, 5)
    rmSync(directory, { recursive: true })
    cpSync(copy, directory, { recursive: true })
    await append(directory, 4, 4)
    expect(auditVerify({ directory })).toMatchObject({ ok: true, total: 4 })
  })
})

describe('what was used up', () => {
  const FORCE = bash('git push --force origin main')
  const PUSH = bash('git push origin main')
  const says = async (home: string) => {
    const policy = policyOf('capabilities: { gate: ["git:push"] }')
    const opened = openGate({ home, policy: () => ({ policy, degraded: null }), view: () => describedView({}) })
    try {
      return { ...(await opened.gate.decide(PUSH)) }
    } finally {
      opened.close()
    }
  }

  proves(['P7', 'P12', 'T22'], 'a used approval stays used: with an older log nothing runs', async () => {
    const [home, copy] = [temporaryDirectory(), temporaryDirectory()]
    const policy = policyOf('')
    const open = () => openGate({ home, policy: () => ({ policy, degraded: null }), view: () => describedView({}) })
    const first = open()
    const { approval } = await first.gate.decide(FORCE)
    await first.queue.answer(approval?.id ?? '', { tenant: null, by: 'human:alice', verdict: 'approve' })
    first.close()
    copyLog(home, copy)
    const second = open()
    expect((await second.gate.decide(FORCE)).decision).toBe('flag')
    second.close()
    putBack(copy, home)
    const third = open()
    onTestFinished(third.close)
    expect(await third.gate.decide(FORCE)).toMatchObject({ decision: 'deny', code: 'infra.store_corrupt' })
    expect(await third.gate.decide(bash('ls'))).toMatchObject({ decision: 'deny', code: 'infra.store_corrupt' })
  })

  proves(['P7', 'P12', 'T22'], 'a grant for one use that was spent stays spent', async () => {
    const [home, copy] = [temporaryDirectory(), temporaryDirectory()]
    const store = openStore({ directory: home })
    const { current, ring } = loadKeys(home)
    const binding = { session: null, role: null, user: null, agent: null }
    const asked = { action: 'git:push', scope: {}, binding, notBefore: null, expires: null, count: 1, parent: null, reason: 'x' }
    await addGrant(asked, { store, signer: current, ring, author: 'user:a', now: Date.now() })
    store.close()
    copyLog(home, copy)
    const spent = await says(home)
    expect(spent.decision).toBe('flag')
    expect((await says(home)).decision).toBe('deny')
    putBack(copy, home)
    expect(await says(home)).toMatchObject({ decision: 'deny', code: 'infra.store_corrupt' })
  })
})

describe('a copy of the head elsewhere', () => {
  proves(
    ['P12', 'SIG-49', 'T62'],
    'tells of a loss that database, anchor and counter hide together, and the operator can accept it',
    async () => {
      const at = makeHome()
      onTestFinished(at.remove)
      const [kept, copy] = [join(temporaryDirectory(), 'gate.head'), temporaryDirectory()]
      const policy = join(at.user, 'kept.yaml')
      const sections = `version: 1\ndefault: ask\nunregistered: ask\ntool_families: [claude-code]\naudit: { head_copies: [${kept}] }\n`
      writeFileSync(policy, sections)
      const check = async () => {
        const call = JSON.stringify({ tool: 'Bash', args: { command: 'ls' }, session: 's', cwd: '/tmp' })
        const { status, stdout } = await commandLine(at, ['check', '--policy', policy], call)
        return { status, ...JSON.parse(stdout) }
      }
      const sizeKept = () => (existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')).size : 0)
      expect((await check()).status).toBe(0)
      await eventually(() => expect(sizeKept()).toBe(1))
      cpSync(at.state, copy, { recursive: true })
      for (const size of [2, 3]) {
        await check()
        await eventually(() => expect(sizeKept()).toBe(size))
      }
      rmSync(at.state, { recursive: true })
      cpSync(copy, at.state, { recursive: true })
      expect(auditVerify({ directory: at.state }).ok).toBe(true)
      for (const _ of [1, 2]) {
        expect(await check()).toMatchObject({ status: 4, code: 'infra.store_corrupt' })
      }
      const verified = await commandLine(at, ['audit', 'verify', '--policy', policy])
      expect([verified.status, verified.stdout]).toEqual([1, expect.stringContaining('but had 3 when it was last anchored')])
      const accepted = await commandLine(at, ['audit', 'accept-loss', '--policy', policy, '--reason', 'put back'])
      expect([accepted.status, accepted.stdout]).toEqual([0, expect.stringContaining('the log goes on after record 1 of 3')])
      expect((await check()).status).toBe(0)
      expect((await commandLine(at, ['audit', 'verify', '--policy', policy])).status).toBe(0)
      rmSync(at.state, { recursive: true })
      cpSync(copy, at.state, { recursive: true })
      expect(await check()).toMatchObject({ status: 4, code: 'infra.store_corrupt' })
    },
  )
})

describe('accepting the loss', () => {
  const REASON = ['--reason', 'the disk was restored']
  const home = () => {
    const made = makeHome()
    onTestFinished(made.remove)
    return made
  }
  const decide = (at: ReturnType<typeof makeHome>, command: string, more: readonly string[] = []) =>
    commandLine(at, ['check', ...more], JSON.stringify({ tool: 'Bash', args: { command }, session: 's', cwd: '/tmp' }))

  proves(['P12', 'SIG-49'], 'is refused without a reason, and where nothing is lost', async () => {
    const at = home()
    await append(at.state, 1, 3)
    expect(await commandLine(at, ['audit', 'accept-loss'])).toMatchObject({ status: 2, stdout: '' })
    expect(await commandLine(at, ['audit', 'accept-loss', '--reason', ' '])).toMatchObject({ status: 2 })
    const { status, stderr } = await commandLine(at, ['audit', 'accept-loss', ...REASON])
    expect([status, stderr]).toEqual([2, expect.stringContaining('nothing is lost')])
    expect(auditVerify({ directory: at.state }).total).toBe(3)
  })

  for (const [title, lose, has] of [
    ['of a part', (at: { directory: string; copy: string }) => putBack(at.copy, at.directory), 3],
    ['of all', (at: { directory: string; copy: string }) => removeLog(at.directory), 0],
    [
      'of the counter',
      (at: { directory: string; copy: string }) => {
        putBack(at.copy, at.directory)
        rmSync(counterPath(at.directory))
      },
      3,
    ],
  ] as const) {
    proves(
      ['P12', 'SIG-49'],
      `${title}: the log goes on with the acceptance as its next record, and the old copy stays refused`,
      async () => {
        const at = home()
        await append(at.state, 1, 3)
        const copy = temporaryDirectory()
        copyLog(at.state, copy)
        await append(at.state, 4, 5)
        const newest = temporaryDirectory()
        copyLog(at.state, newest)
        lose({ directory: at.state, copy })
        const { status, stdout } = await commandLine(at, ['audit', 'accept-loss', ...REASON])
        expect([status, stdout]).toEqual([0, expect.stringContaining(`the log goes on after record ${has}`)])
        const store = openStore({ directory: at.state })
        const records = [...store.read({})]
        store.close()
        expect(records.at(-1)).toMatchObject({
          kind: 'note',
          sequence: has + 1,
          code: 'infra.store_corrupt',
          body: { event: 'loss_accepted', reason: 'the disk was restored', has },
        })
        await append(at.state, 6, 9)
        expect(auditVerify({ directory: at.state })).toMatchObject({ ok: true, total: has + 5 })
        for (const old of [copy, newest]) {
          const kept = temporaryDirectory()
          copyLog(at.state, kept)
          putBack(old, at.state)
          expect(refusal(at.state).code).toBe('infra.store_corrupt')
          putBack(kept, at.state)
        }
        expect((await decide(at, 'ls')).status).toBe(0)
      },
    )
  }

  proves(['P7', 'P12'], 'takes back what may have been used: open approvals and grants', async () => {
    const at = home()
    const policy = join(at.user, 'gated.yaml')
    writeFileSync(
      policy,
      'version: 1\ndefault: ask\nunregistered: ask\ntool_families: [claude-code]\ncapabilities: { gate: ["git:push"] }\n',
    )
    const push = async () => (await decide(at, 'git push origin main', ['--policy', policy])).status
    const asks = async () => (await decide(at, 'git push --force origin main')).status
    expect(await push()).toBe(4)
    await commandLine(at, ['grants', 'add', 'git:push', '--reason', 'release'])
    expect([await push(), await asks()]).toEqual([0, 3])
    await append(at.state, 1, 2)
    const copy = temporaryDirectory()
    copyLog(at.state, copy)
    await append(at.state, 3, 4)
    putBack(copy, at.state)
    const { status, stdout } = await commandLine(at, ['audit', 'accept-loss', ...REASON, '--json'])
    const { withdrawn } = JSON.parse(stdout)
    expect([status, withdrawn.grants.length, withdrawn.approvals.length]).toEqual([0, 1, 1])
    expect((await commandLine(at, ['grants', 'list'])).stdout).toContain('revoked')
    expect((await commandLine(at, ['approvals', 'list'])).stdout).not.toContain('pending')
    expect(await push()).toBe(4)
  })

  proves('P12', 'does not make records that were changed right', async () => {
    const at = home()
    await append(at.state, 1, 3)
    writeFileSync(databasePath(at.state), 'no database at all')
    expect((await commandLine(at, ['audit', 'accept-loss', ...REASON])).status).toBe(2)
    expect(existsSync(counterPath(at.state))).toBe(true)
    expect(refusal(at.state).code).toBe('infra.store_corrupt')
  })
})
