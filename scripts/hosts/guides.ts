/**
 * The page of each host as a new user follows it: the commands of its first block, each in a fresh home. `npm run test:guides`; the one
 * thing that is added is `--yes`, which a person says at the prompt.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { packageRoot } from '../../src/cli/version.ts'

const PAGES = join(packageRoot(), 'docs', 'guide', 'hosts')

for (const page of readdirSync(PAGES)) {
  const home = mkdtempSync(join(tmpdir(), 'cs-guide-'))
  const [work, programs] = [join(home, 'work'), join(home, 'bin')]
  for (const directory of [work, programs]) mkdirSync(directory)
  symlinkSync(join(packageRoot(), 'bin', 'countersign'), join(programs, 'countersign'))
  const env = { HOME: home, PATH: `${programs}:${dirname(process.execPath)}:/usr/bin:/bin`, COUNTERSIGN_DAEMON: 'off' }
  const commands = commandsIn(readFileSync(join(PAGES, page), 'utf8'))
  if (commands.length === 0) failed(`${page}: no commands`)
  for (const command of commands) {
    const line = /^countersign init\b/.test(command) ? `${command} --yes` : command
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', line], { cwd: work, env, encoding: 'utf8', timeout: 120_000 })
    if (status === 0) console.log(`ok   ${page}: ${command}`)
    else failed(`${page}: ${command}: exit ${status}\n${stdout}${stderr}`)
  }
  rmSync(home, { recursive: true, force: true })
}

function commandsIn(text: string): readonly string[] {
  const block = /^```sh\n([\s\S]*?)^```/m.exec(text)?.[1] ?? ''
  return block.split('\n').filter((line) => line !== '')
}

function failed(what: string): void {
  console.log(`FAIL ${what}`)
  process.exitCode = 1
}
