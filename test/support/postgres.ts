/** A real PostgreSQL server for tests. */
import { findPostgres, type RunningPostgres, startPostgres } from '../../scripts/postgres.ts'

/** Why there is no server here; null where there is one. In CI a missing one is a failure. */
export function noPostgres(): string | null {
  if (findPostgres() !== null) return null
  if (process.env.CI) throw new Error('CI has no PostgreSQL; `tsx scripts/postgres.ts` installs one')
  return 'skipped, because this machine has no PostgreSQL; install one, or name its programs in POSTGRES_BIN'
}

export function newPostgres(): Promise<RunningPostgres> {
  const bin = findPostgres()
  if (bin === null) throw new Error('this machine has no PostgreSQL')
  return startPostgres(bin)
}
