/**
 * Run as a user without root's rights: what trials, the sandbox of judges, and a capture do there. Prints one JSON object. The workspace is its
 * first argument; names of root stand in it.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GROUPS } from '../../src/sandbox/cgroup.ts'
import { createTrials, type Tried } from '../../src/sandbox/overlay.ts'
import { hiddenIn } from '../../src/sandbox/private.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { SYSTEM_ATTRIBUTES } from '../../src/undo/attributes.ts'
import { restore } from '../../src/undo/files/restore.ts'
import { takeSnapshot } from '../../src/undo/files/snapshot.ts'
import { openVault } from '../../src/undo/sealed.ts'
import { ATTEMPTS } from '../escape/attempts.ts'
import { Machine } from '../escape/machine.ts'
import { CLOSED, plantClosed } from '../support/closed-names.ts'
import { discard, SET_ATTRIBUTE } from '../support/random-programs.ts'
import { LIMITS } from '../support/trial-limits.ts'

const identity = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
const trials = createTrials()

function sh(script: string, work: string, more: object = {}): Promise<Tried> {
  const cell = { hidden: [], programs: [], cwd: work, environment: {}, identity, limits: { ...LIMITS, ...more } }
  return trials.run(['/bin/bash', '-c', script], { places: [work], reads: [], cell })
}

function told({ changes }: Tried, work: string): readonly string[] {
  return changes.map(({ change, path, after }) => `${change} ${path.slice(work.length + 1) || '.'} ${after?.text ?? ''}`.trim())
}

async function closedNames(): Promise<unknown> {
  const work = join(realpathSync(mkdtempSync(join(tmpdir(), 'countersign-closed-'))), 'work')
  const seen: unknown[] = []
  for (const { title, script } of CLOSED) {
    plantClosed(work)
    const ran = await sh(script, work)
    seen.push([title, ran.closed.map((path) => path.slice(work.length + 1)), told(ran, work)])
  }
  discard(work)
  return seen
}

/** Scripts over names that belong to root. */
async function ofOthers(work: string): Promise<unknown> {
  const scripts = [
    'cat secret',
    'echo x > secret',
    'cat readable',
    'echo x >> readable',
    'chmod 777 readable',
    'echo x > theirs/new',
    'rm theirs/in',
    'rm -f readable',
    'rm -f secret',
    'cp readable mine && echo more >> mine',
    'ls locked',
    'rm -rf locked',
  ]
  const seen: unknown[] = []
  for (const script of scripts) {
    const ran = await sh(script, work)
    seen.push([script, ran.status === 0, ran.stdout, told(ran, work)])
  }
  return seen
}

async function kernel(work: string): Promise<unknown> {
  const network = '(echo x > /dev/tcp/192.0.2.1/80); (echo x > /dev/udp/192.0.2.1/53); true'
  const [ids, programs, counted, attributes] = [
    await sh('id -u; grep -c . /proc/self/uid_map; cat /proc/self/setgroups', work),
    await sh('date +%s >/dev/null; exec -a ls /usr/bin/id', work),
    await sh(network, work),
    await sh(`${SET_ATTRIBUTE}\necho 1 > z; attribute set z user.x 1`, work),
  ]
  const bomb = await sh('b() { b & b & wait; }; b', work, { processes: 40, timeMs: 15_000 })
  const group = GROUPS.of(5)
  return {
    problem: await trials.problem(),
    copying: await trials.copying(work),
    group: typeof group === 'string' ? group : group.entry,
    ids: ids.stdout,
    programs: programs.programs?.listed.map(({ path, words }) => [path.split('/').at(-1), words]),
    network: [counted.network.unreachable >= 2, counted.stdout],
    attributes: attributes.changes.map(({ path, after }) => [path.slice(work.length + 1), after?.attributes ?? []]),
    bomb: bomb.ended,
  }
}

async function judges(work: string): Promise<unknown> {
  const sandbox = createSandbox()
  const limits = { ...LIMITS, timeMs: 5_000, processes: 20 }
  const cell = { mounts: [work], copy: false, hidden: hiddenIn([{ real: work }], []), programs: [], cwd: work, environment: {}, limits }
  const run = async (script: string): Promise<string> => (await sandbox.run(['/bin/sh', '-c', script], cell)).stdout
  const begun = await run('i=0; while [ $i -lt 60 ]; do sleep 2 & i=$((i+1)); echo $i; done 2>/dev/null')
  return {
    problem: sandbox.problem(),
    reads: await run('id -u; cat mine.txt; cat secret .env 2>/dev/null; echo x > mine.txt 2>/dev/null || echo closed'),
    bounded: Number(begun.trim().split('\n').at(-1)) < 20,
  }
}

/** Those that take no time, of every kind of way out. */
const CHEAP =
  /^(?:a file outside|through a link|another name|writing through|keys of the w|the home|the root of|a socket|an abstract|a server|capabilities|unmounting)/
const CHEAP_ATTEMPTS = ATTEMPTS.filter(({ title }) => CHEAP.test(title))

async function escapes(): Promise<unknown> {
  const machine = new Machine()
  await machine.listen()
  const out: unknown[] = []
  for (const { title, script, environment } of CHEAP_ATTEMPTS) {
    machine.plant()
    const { work, reads, tools, home } = machine
    const ran = await trials.run(['/bin/bash', '-c', script], {
      places: [work],
      reads: [reads],
      cell: {
        ...{
          hidden: hiddenIn([{ real: work }], [join(work, '.countersign')]),
          programs: [tools],
          cwd: work,
          identity,
          home,
          limits: LIMITS,
        },
        environment: { ...machine.names(), ...environment },
      },
    })
    const reached = await machine.reached(ran)
    if (reached.length > 0 || ran.ended !== null) out.push([title, ran.ended, reached])
  }
  await machine.close()
  return { tried: CHEAP_ATTEMPTS.length, out }
}

/** Kept, then deleted as far as that goes, then put back. */
async function capture(work: string): Promise<unknown> {
  const store = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-captured-')))
  const blobs = join(store, 'blobs')
  mkdirSync(blobs)
  const keeping = { vault: openVault(store, blobs), access: SYSTEM_ATTRIBUTES }
  const before = standing(work)
  const { entries, left } = await takeSnapshot([{ path: work, goes: true }], keeping, { maxFiles: 100, maxBytes: 1 << 20 })
  spawnSync('/bin/sh', ['-c', 'rm -rf mine.txt tree readable; mkdir tree; chmod 700 fixed; rm fixed/in; chmod 500 fixed'], { cwd: work })
  const gone = standing(work)
  const failed = await restore(entries, keeping)
  rmSync(store, { recursive: true, force: true })
  const after = standing(work)
  const base = (text: string): string => text.replaceAll(work, '.')
  return { left: left.map(base), failed: failed.map(base), changed: before !== gone, same: before === after }
}

/** Names with their kind and permissions, and what can be read of them. */
function standing(work: string): string {
  const look = 'find . -printf "%P %y %m\\n" 2>/dev/null | sort; cat mine.txt tree/* fixed/* readable 2>/dev/null'
  return spawnSync('/bin/sh', ['-c', look], { cwd: work, encoding: 'utf8' }).stdout
}

async function main(): Promise<void> {
  const [work = ''] = process.argv.slice(2)
  const asked: Readonly<Record<string, () => Promise<unknown>>> = {
    kernel: () => kernel(work),
    closedNames,
    ofOthers: () => ofOthers(work),
    judges: () => judges(work),
    escapes,
    capture: () => capture(work),
  }
  const answers: Record<string, unknown> = {}
  for (const [name, ask] of Object.entries(asked)) answers[name] = await ask()
  process.stdout.write(JSON.stringify(answers))
}

void main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(String((error as Error).stack))
    process.exit(1)
  },
)
