/** A real Redis server for tests, where this machine has one. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { onTestFinished } from 'vitest'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { temporaryDirectory } from './records.ts'

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0

/** Empty, with the password `a secret`, and gone with the test. `run` sends commands, a line each. */
export async function startRedis() {
  const port = await freePort()
  const settings = [
    '--bind',
    '127.0.0.1',
    '--port',
    String(port),
    '--dir',
    temporaryDirectory(),
    '--save',
    '',
    '--requirepass',
    'a secret',
    '--enable-debug-command',
    'yes',
  ]
  const server = spawn('redis-server', settings, { stdio: 'ignore' })
  onTestFinished(() => void server.kill('SIGKILL'))
  const run = (input: string): string =>
    execFileSync('redis-cli', ['-p', String(port), '-e'], {
      input,
      stdio: 'pipe',
      encoding: 'latin1',
      env: { PATH: process.env.PATH, REDISCLI_AUTH: 'a secret' },
    })
  await eventually(() => run('PING'))
  return { port, run }
}
