/** The command line as one program: what `bin/countersign` starts, and what warms it so that V8 keeps its code. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run, start } from '../start.ts'

export { thread } from './main.ts'

/** Runs the command line; the process ends by itself once all that it printed is out. */
export async function main(argv: readonly string[]): Promise<void> {
  await start(argv)
}

/** Needs no language and no family of programs beside the everyday ones. */
const RECORDED = { expect: 'allow', call: { tool: 'Bash', args: { command: 'git status' } } }

/**
 * What people and scripts start most. `check` and `replay` decide; the server starts and is stopped. Nothing of it asks a person, and
 * nothing compiles the program, which is what this is a part of.
 */
const ROUNDS: readonly (readonly string[])[] = [
  ['--version'],
  ['policy', 'lint'],
  ['check'],
  ['init', '--yes', '--dry-run', '--agent', 'claude-code'],
  ['doctor'],
  ['replay', 'calls.jsonl', '--score'],
  ['approvals', 'list'],
  ['grants', 'list'],
  ['sessions', 'list'],
  ['audit', 'verify'],
  ['serve', '--no-listen'],
]

/** Runs the command of a round in `home`, where this process stands; false where there is no such round. */
export async function warm(home: string, round: number): Promise<boolean> {
  const argv = ROUNDS[round]
  if (argv === undefined) return false
  if (round === 0) {
    process.env.COUNTERSIGN_HOME = join(home, 'state')
    mkdirSync(join(home, 'state'), { mode: 0o700 })
    writeFileSync(join(home, 'calls.jsonl'), `${JSON.stringify(RECORDED)}\n`)
  }
  const done = run(argv)
  if (argv[0] === 'serve') await stopServer(done)
  await done
  return true
}

/** As a terminal would, once the server waits for that; a server that ended by itself is not asked. */
async function stopServer(done: Promise<number>): Promise<void> {
  let isOver = false
  void done.finally(() => {
    isOver = true
  })
  while (!isOver && !process.emit('SIGTERM')) await sleep(20)
}
