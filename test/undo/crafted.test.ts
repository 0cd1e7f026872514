/** Who can write into `.git` can have an index and packed references name anything: the way back touches nothing outside of the work tree. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { proves } from '../proves.ts'
import { temporaryDirectory } from '../support/records.ts'
import { sharedWorkspace } from '../support/shared-workspace.ts'

/** What stands in the index in the place of an honest name of as many bytes. */
const CRAFTED: readonly (readonly [title: string, honest: string, crafted: string])[] = [
  ['a file beside the work tree', 'xx/victim', '../victim'],
  ['a file beside it, by a way through it', 'xx/xx/xx/victim', 'xx/../../victim'],
  ['the settings of the repository', 'xxxx/config', '.git/config'],
  ['a hook of the repository', 'xxxx/hooks/pre-push', '.git/hooks/pre-push'],
  ['its settings where case does not matter', 'xxxx/config', '.GIT/config'],
  ['the settings of a repository below', 'xx/yyyy/config', 'xx/.git/config'],
]

function place() {
  const shared = sharedWorkspace()
  const { work } = shared
  const repository = join(work, 'deep', 'repository')
  mkdirSync(join(repository, 'zz'), { recursive: true })
  const sh = (command: string): string => shared.sh(`cd deep/repository; ${command}`)
  sh('git init -qb main .; echo one > zz/a; git add -A; git commit -qm one; echo two > zz/a; git stash -q')
  mkdirSync(join(repository, 'xx/.git'), { recursive: true })
  mkdirSync(join(repository, '.GIT'), { recursive: true })
  const victims = ['../victim', '.GIT/config', 'xx/.git/config', '.git/hooks/pre-push'].map((name) => join(repository, name))
  for (const path of victims) writeFileSync(path, 'of a person\n')
  const read = (path: string): string => {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return 'gone'
    }
  }
  const state = () => [...victims, join(repository, '.git/config'), join(repository, 'zz/a')].map((path) => [path, read(path)])
  /** Adds a file under an honest name and gives its entry another one. */
  const craft = (honest: string, crafted: string): void => {
    sh(`mkdir -p "$(dirname ${honest})"; echo evil > ${honest}; git add -f ${honest}; rm ${honest}`)
    const index = join(repository, '.git/index')
    const bytes = readFileSync(index).subarray(0, -20)
    const at = bytes.indexOf(honest)
    expect([at > 0, honest.length]).toEqual([true, crafted.length])
    bytes.write(crafted, at)
    writeFileSync(index, Buffer.concat([bytes, createHash('sha1').update(bytes).digest()]))
  }
  const drop = () => shared.ran('cd deep/repository && git stash drop')
  return { ...shared, sh, craft, drop, state, repository }
}

describe('an index that names what is no file of the work tree', () => {
  for (const [title, honest, crafted] of CRAFTED) {
    proves('T09', `before the call: ${title} stays, and it is said`, async () => {
      const { sh, craft, drop, state, said, back } = place()
      craft(honest, crafted)
      const before = state()
      const call = await drop()
      expect([await said(call)].join()).toContain(`\`${crafted}\`, which is no file of the work tree`)
      const { problems } = await back(call)
      expect([problems, state(), sh('git stash list')]).toEqual([[], before, expect.stringContaining('stash@{0}')])
    })

    test(`after the call: ${title} stays`, async () => {
      const { sh, craft, drop, state, back } = place()
      const before = state()
      const call = await drop()
      craft(honest, crafted)
      const { problems } = await back(call)
      expect([problems, state(), sh('git stash list')]).toEqual([[], before, expect.stringContaining('stash@{0}')])
    })
  }

  test('what is outside is not kept either, and does not go back to what it was', async () => {
    const { work, craft, drop, back } = place()
    craft('xx/victim', '../victim')
    const call = await drop()
    writeFileSync(join(work, 'deep/victim'), 'newer, of a person\n')
    await back(call)
    expect(readFileSync(join(work, 'deep/victim'), 'utf8')).toBe('newer, of a person\n')
  })

  test('a link in the place of a directory is replaced, and what it led to is left', async () => {
    const { work, sh, drop, back } = place()
    const outside = temporaryDirectory()
    writeFileSync(join(outside, 'a'), 'of a person\n')
    const call = await drop()
    sh(`rm -r zz; ln -s ${outside} zz`)
    await back(call)
    expect([readFileSync(join(outside, 'a'), 'utf8'), readFileSync(join(work, 'deep/repository/zz/a'), 'utf8')]).toEqual([
      'of a person\n',
      'one\n',
    ])
  })
})

test.each(['refs/../../../victim', 'refs/heads/../../config', 'refs/../hooks/pre-push'])(
  'a packed reference `%s` that came since takes no file with it',
  async (name) => {
    const { sh, drop, state, back, repository } = place()
    const before = state()
    const call = await drop()
    writeFileSync(
      join(repository, '.git/packed-refs'),
      `# pack-refs with: peeled fully-peeled sorted\n${sh('git rev-parse HEAD').trim()} ${name}\n`,
    )
    await back(call)
    expect(state()).toEqual(before)
  },
)

test('an honest index comes back with its files, and nothing else is said of it', async () => {
  const { sh, drop, said, back, repository } = place()
  const call = await drop()
  writeFileSync(join(repository, 'zz/a'), 'changed\n')
  expect(await said(call)).not.toContain('no file of the work tree')
  await back(call)
  expect([readFileSync(join(repository, 'zz/a'), 'utf8'), sh('git status --porcelain zz')]).toEqual(['one\n', ''])
})
