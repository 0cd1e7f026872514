/** Runs a command in a throw-away directory under strace: without network, as nobody where we are root. */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { analyseShell, type ShellFacts } from '../../src/facts/shell/index.ts'
import { createNodeView } from '../../src/view/node.ts'
import { missing } from './cover.ts'
import { FILES } from './grammar.ts'
import { type Happened, readTraces } from './trace.ts'

const NOBODY = 65_534
const CALLS =
  'execve,open,openat,creat,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,rmdir,symlink,symlinkat,link,linkat,mknod,mknodat,truncate,chdir,fchdir'
const PATH = '/usr/bin:/bin'

function works(program: string, args: readonly string[]): boolean {
  return spawnSync(program, [...args], { stdio: 'ignore' }).status === 0
}

/** Whether commands can be traced here; else why not. */
export function untraceable(): string | null {
  if (process.platform !== 'linux') return 'strace exists on Linux only'
  if (!works('strace', ['-V'])) return 'strace is not installed'
  return works('strace', ['-f', '-e', 'trace=execve', '-o', '/dev/null', 'true']) ? null : 'this process may not trace others'
}

export interface Ran {
  readonly command: string
  readonly facts: ShellFacts
  readonly happened: readonly Happened[]
  /** What happened and no effect tells of. */
  readonly missing: readonly Happened[]
}

export class Sandbox {
  private readonly wrappers: readonly string[]
  private readonly asNobody: boolean

  constructor() {
    this.asNobody = process.getuid?.() === 0 && works('setpriv', ['--reuid=65534', '--regid=65534', '--clear-groups', 'true'])
    if (process.getuid?.() === 0 && !this.asNobody) throw new Error('as root, commands are only run where `setpriv` can make them nobody')
    const offline = works('unshare', ['-n', 'true']) ? ['unshare', '-n'] : works('unshare', ['-rn', 'true']) ? ['unshare', '-rn'] : []
    const drop = this.asNobody ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--no-new-privs'] : []
    this.wrappers = [...offline, ...drop]
  }

  /** Analyses the command, then runs it and compares. */
  run(command: string): Ran {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-strace-')))
    try {
      const work = this.prepare(root)
      const environment = { PATH, HOME: join(root, 'home'), TMPDIR: join(root, 'tmp'), LANG: 'C' }
      const view = createNodeView({ cwd: work, home: environment.HOME, user: 'nobody', roots: [work], environment })
      const facts = analyseShell(command, { pointer: '/command', view, cwd: work })
      const happened = this.trace(command, { root, work, environment })
      return { command, facts, happened, missing: missing(happened, facts, root) }
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  }

  private prepare(root: string): string {
    const work = join(root, 'work')
    for (const name of ['work', 'home', 'tmp', 'trace']) mkdirSync(join(root, name))
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(work, name)), { recursive: true })
      writeFileSync(join(work, name), text)
      if (name.endsWith('.sh')) chmodSync(join(work, name), 0o755)
    }
    if (this.asNobody) this.giveAway(root)
    return work
  }

  private giveAway(path: string): void {
    chownSync(path, NOBODY, NOBODY)
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      if (entry.isDirectory()) this.giveAway(join(path, entry.name))
      else chownSync(join(path, entry.name), NOBODY, NOBODY)
    }
  }

  private trace(
    command: string,
    at: { readonly root: string; readonly work: string; readonly environment: NodeJS.ProcessEnv },
  ): readonly Happened[] {
    const strace = ['strace', '-ff', '-y', '-s', '4096', '-e', `trace=${CALLS}`, '-o', join(at.root, 'trace', 't')]
    const [program = 'strace', ...args] = [...this.wrappers, ...strace, 'bash', '--norc', '--noprofile', '-c', command]
    const told = spawnSync(program, args, { cwd: at.work, env: at.environment, stdio: 'ignore', timeout: 20_000, killSignal: 'SIGKILL' })
    if (told.error !== undefined) throw told.error
    const texts = readdirSync(join(at.root, 'trace')).map((name) => readFileSync(join(at.root, 'trace', name), 'utf8'))
    if (texts.length === 0) throw new Error(`nothing was traced of \`${command}\``)
    // The first program is the bash that we started.
    return withoutFirst(readTraces(texts, at.work))
  }
}

function withoutFirst(happened: readonly Happened[]): readonly Happened[] {
  const first = happened.findIndex((item) => item.kind === 'executed' && item.path.endsWith('/bash'))
  return happened.filter((_, index) => index !== first)
}
