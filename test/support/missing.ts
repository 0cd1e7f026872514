/** Says before the tests which of them are skipped on this machine, and why: a summary counts them and names nothing. */
import { spawnSync } from 'node:child_process'
import { findChromium } from '../../scripts/chromium.ts'
import { findPostgres } from '../../scripts/postgres.ts'
import { createSandbox } from '../../src/sandbox/sandbox.ts'
import { untraceable } from '../fuzz/sandbox.ts'
import { hasMariadb } from './mariadb.ts'
import { hasRedis } from './redis.ts'

const SAID = 'COUNTERSIGN_TESTS_SAID_WHAT_IS_MISSING'

/** Runs once, though every project of the tests asks for it. In CI each of these but Terraform is a failure of the tests themselves. */
export function setup(): void {
  if (process.env[SAID] !== undefined) return
  process.env[SAID] = '1'
  const parts: readonly (readonly [tests: string, problem: string | null])[] = [
    ['the console in a browser', findChromium() === null ? 'no Chromium; `tsx scripts/chromium.ts` installs one' : null],
    ['PostgreSQL behind contracts', findPostgres() === null ? 'no PostgreSQL; `tsx scripts/postgres.ts` installs one' : null],
    ['judges with tools', createSandbox().problem()],
    ['GitHub', spawnSync('gh', ['--version']).status === 0 ? null : 'there is no `gh`'],
    ['clusters', spawnSync('kubectl', ['version', '--client']).status === 0 ? null : 'there is no `kubectl`'],
    ['Redis', hasRedis ? null : 'there is no `redis-server`'],
    ['MariaDB', hasMariadb ? null : 'there is no `mariadbd`'],
    ['Terraform with its own client', spawnSync('terraform', ['version']).status === 0 ? null : 'there is no `terraform`'],
    ['commands under a tracer', untraceable()],
  ]
  for (const [tests, problem] of parts) if (problem !== null) process.stderr.write(`skipped here: tests of ${tests}: ${problem}\n`)
}
