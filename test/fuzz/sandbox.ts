/**
 * Runs a command under strace in a root that is thrown away: bubblewrap's, with no network, no process of the host, nothing of it
 * that can be written to, and copies of the files that commands work on. Without that nothing is run.
 */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { analyseShell, type ShellFacts } from '../../src/facts/bash/index.ts'
import { languages } from '../../src/facts/languages/index.ts'
import type { Cell } from '../../src/sandbox/cell.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { createNodeView } from '../../src/view/node.ts'
import { missing } from './cover.ts'
import { FILES } from './grammar.ts'
import { type Happened, readTraces } from './trace.ts'
import { breaches } from './walls.ts'

const CALLS =
  'execve,execveat,open,openat,openat2,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,symlink,symlinkat,link,linkat,mknod,mknodat,truncate,chdir,fchdir'
const PATH = '/usr/bin:/bin'
/** Seconds after which a command is ended; what it did until then counts. */
const SECONDS = 8

/** Fixed text: root, directory for traces, and the command are its arguments. Each trace begins with a line of its own. */
const INSIDE = `root=$1; traces=/run/scratch/traces; mkdir "$traces"
env -i PATH=${PATH} HOME="$root/home" TMPDIR="$root/tmp" LANG=C.UTF-8 timeout -s KILL ${SECONDS} \
  strace -ff -y --seccomp-bpf -s 4096 -e trace=${CALLS} -o "$traces/t" bash --norc --noprofile -c "$2" < /dev/null > /dev/null 2>&1
status=$?
cd "$traces" && for trace in $(ls | sort -t. -k2n); do printf '\\001'; cat "$trace"; done
exit "$status"`

const LATE = 137

/** Why commands cannot be run and traced here; null where they can. `Sandbox.open` looks closer. */
export function untraceable(): string | null {
  if (process.platform !== 'linux') return 'strace exists on Linux only'
  if (spawnSync('strace', ['-V'], { stdio: 'ignore' }).status !== 0) return 'strace is not installed'
  return createSandbox().problem()
}

export interface Ran {
  readonly command: string
  readonly facts: ShellFacts
  readonly happened: readonly Happened[]
  /** What happened and no effect tells of. */
  readonly missing: readonly Happened[]
  /** Ended before its end: what would have come later is not known. */
  readonly late: boolean
}

/** A sandbox that was seen to hold; `close` takes its files away. */
export class Sandbox {
  /** What commands see copies of; nothing ever writes to it. */
  private readonly root: string
  private readonly walls: ReturnType<typeof createSandbox>

  private constructor(walls: ReturnType<typeof createSandbox>) {
    this.walls = walls
    this.root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-strace-')))
    for (const name of ['work', 'home', 'tmp']) mkdirSync(join(this.root, name))
    for (const [name, text] of Object.entries(FILES)) {
      const path = join(this.root, 'work', name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
      if (name.endsWith('.sh')) chmodSync(path, 0o755)
    }
  }

  /**
   * @param places where bubblewrap is looked for; default: the system's own directories.
   * @throws where there is no sandbox, it does not hold, or nothing can be traced in it: then no command is run.
   */
  static async open(places?: readonly string[]): Promise<Sandbox> {
    const walls = createSandbox(places)
    const problem = walls.problem()
    if (problem !== null) throw new Error(`nothing is run without a sandbox: ${problem}`)
    const sandbox = new Sandbox(walls)
    try {
      const holes = await breaches((script, args) => walls.run(['/bin/sh', '-c', script, 'sh', ...args], sandbox.cell()))
      if (holes.length > 0) throw new Error(`the sandbox does not hold: ${holes.join('; ')}`)
      const seen = await sandbox.trace('rm -f a.txt; touch planted; exit')
      const told = seen.happened.map(({ kind, path }) => `${kind} ${path.slice(path.lastIndexOf('/') + 1)}`)
      if (told.join() !== 'executed rm,deleted a.txt,executed touch,written planted')
        throw new Error(`tracing does not work: ${told.join()}`)
      return sandbox
    } catch (error) {
      sandbox.close()
      throw error
    }
  }

  close(): void {
    rmSync(this.root, { recursive: true, force: true })
  }

  /** Analyses the command, runs it, and compares. @param claimed what it is analysed as instead, to see what the check finds. */
  async run(command: string, claimed = command): Promise<Ran> {
    const work = join(this.root, 'work')
    const environment = { PATH, HOME: join(this.root, 'home'), TMPDIR: join(this.root, 'tmp'), LANG: 'C.UTF-8' }
    const view = createNodeView({ cwd: work, home: environment.HOME, user: 'nobody', roots: [work], environment })
    const facts = analyseShell(claimed, { pointer: '/command', view, languages, cwd: work })
    const { happened, late } = await this.trace(command)
    return { command, facts, happened, missing: missing(happened, facts, this.root), late }
  }

  private async trace(command: string): Promise<{ readonly happened: readonly Happened[]; readonly late: boolean }> {
    const { stdout, stderr, status, cut, late } = await this.walls.run(['/bin/sh', '-c', INSIDE, 'sh', this.root, command], this.cell())
    const texts = stdout.split('\u0001').slice(1)
    if (cut || late || texts.length === 0) throw new Error(`no whole trace of \`${command}\`: status ${status} ${stderr}`)
    return { happened: withoutFirst(readTraces(texts, join(this.root, 'work'))), late: status === LATE }
  }

  private cell(): Cell {
    return {
      mounts: [this.root],
      copy: true,
      hidden: [],
      programs: [],
      cwd: join(this.root, 'work'),
      environment: {},
      limits: { timeMs: 60_000, memoryBytes: 1 << 30, outputBytes: 1 << 26, spaceBytes: 1 << 26, processes: 512 },
    }
  }
}

/** The first program is the bash that we started. */
function withoutFirst(happened: readonly Happened[]): readonly Happened[] {
  const first = happened.findIndex((item) => item.kind === 'executed' && item.path.endsWith('/bash'))
  return happened.filter((_, index) => index !== first)
}
