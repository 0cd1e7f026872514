/** A real MariaDB server for tests, where this machine has one. */
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'
import { temporaryDirectory } from './records.ts'

export const hasMariadb = spawnSync('mariadbd', ['--version']).status === 0

export interface RunningMariadb {
  readonly port: number
  readonly socket: string
  /** As root. */
  readonly sql: (input: string) => string
}

/** Empty, and gone with the test; `app` with the password `a secret` may do all. */
export async function startMariadb(): Promise<RunningMariadb> {
  const folder = temporaryDirectory()
  const socket = join(folder, 'socket')
  const owner = process.getuid?.() === 0 ? ['--user=root'] : []
  const made = ['--no-defaults', `--datadir=${folder}/data`, '--auth-root-authentication-method=normal', ...owner]
  execFileSync('mariadb-install-db', made, { stdio: 'ignore' })
  const port = await freePort()
  const server = spawn(
    'mariadbd',
    ['--no-defaults', `--datadir=${folder}/data`, `--socket=${socket}`, `--port=${port}`, '--bind-address=127.0.0.1', ...owner],
    { stdio: 'ignore' },
  )
  onTestFinished(() => void server.kill('SIGKILL'))
  const sql = (input: string): string =>
    execFileSync('mysql', ['--no-defaults', `--socket=${socket}`, '-u', 'root', '--batch', '--skip-column-names'], {
      input,
      stdio: 'pipe',
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    })
  await eventually(() => sql('select 1'))
  sql("create user app@localhost identified by 'a secret'; grant all on *.* to app@localhost; create database shop")
  return { port, socket, sql }
}
