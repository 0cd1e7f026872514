/** A repository can name programs that git starts. What undo's own git starts sees nothing of the gate's environment that the agent could not have. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sharedWorkspace } from '../support/shared-workspace.ts'

const SECRETS = { TEST_UNDO_TOKEN: 'secret', COUNTERSIGN_TEST_TOKEN: 'secret', PGPASSWORD: 'secret' }

function place() {
  const shared = sharedWorkspace()
  const { work, sh } = shared
  const left = join(work, '..', `${work.split('/').at(-1)}-left`)
  sh(`git init -qb main; echo one > a.dat; git add a.dat; git commit -qm one; echo two > a.dat
echo '*.dat filter=own' > .git/info/attributes
git config filter.own.clean 'env >> ${left}; cat'; git config filter.own.smudge 'env >> ${left}; cat'`)
  Object.assign(process.env, SECRETS)
  onTestFinished(() => {
    for (const name of Object.keys(SECRETS)) delete process.env[name]
    sh(`rm -f ${left}`)
  })
  const names = (): readonly string[] =>
    existsSync(left)
      ? [
          ...new Set(
            readFileSync(left, 'utf8')
              .split('\n')
              .map((line) => line.split('=', 1)[0] ?? ''),
          ),
        ]
      : []
  return { ...shared, left, names }
}

describe('filters that undo starts', () => {
  test('see none of the keys of the gate, before a call and on the way back', async () => {
    const { work, left, ran, back, names, sh } = place()
    // The command's own git starts them, too: what it left is taken away.
    const call = await ran(`cp ${left} ${left}.before 2> /dev/null; git checkout -q -f -- .; git reset -q --hard; rm -f ${left}`)
    const kept = existsSync(`${left}.before`) ? readFileSync(`${left}.before`, 'utf8') : ''
    for (const name of Object.keys(SECRETS)) expect(kept).not.toContain(name)
    expect((await back(call)).problems).toEqual([])
    expect(readFileSync(join(work, 'a.dat'), 'utf8')).toBe('two\n')
    for (const name of Object.keys(SECRETS)) expect(names()).not.toContain(name)
    expect(`${kept}${names().join('\n')}`).toContain('PATH')
    sh(`rm -f ${left}.before`)
  })
})
