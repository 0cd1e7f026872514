/** What is kept from view is looked for once in each directory, and again in those that changed since. */
import { mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../test/support/records.ts'
import { hiddenIn } from './private.ts'

test('a key that comes, moves or goes is noticed in directories that are known already', async () => {
  const work = realpathSync(temporaryDirectory())
  for (const name of ['a/b', 'a/c', 'd', 'node_modules/x']) mkdirSync(join(work, name), { recursive: true })
  for (const name of ['a/b/.env', 'd/.env.example', 'node_modules/x/.env', 'a/plain']) writeFileSync(join(work, name), 'x')
  const hidden = () => hiddenIn([{ real: work }], []).map(({ path }) => path.slice(work.length))
  // Only what has been at rest for a second is remembered.
  await setTimeout(1_100)
  for (let time = 0; time < 3; time++) expect(hidden()).toEqual(['/a/b/.env'])
  writeFileSync(join(work, 'a/c/.npmrc'), 'x')
  expect(hidden()).toEqual(['/a/b/.env', '/a/c/.npmrc'])
  renameSync(join(work, 'a/b'), join(work, 'd/b'))
  expect(hidden().toSorted()).toEqual(['/a/c/.npmrc', '/d/b/.env'])
  rmSync(join(work, 'd/b/.env'))
  mkdirSync(join(work, 'd/b/.ssh'))
  expect(hidden().toSorted()).toEqual(['/a/c/.npmrc', '/d/b/.ssh'])
})
