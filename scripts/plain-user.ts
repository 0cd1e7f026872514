/**
 * `tsx scripts/plain-user.ts [programs]`: the tests of sandboxes, previews and undo as a user without root's rights, with a home of its own, and then
 * random programs (100) on a copy and over an overlay. Root becomes `nobody` for it, who has to be able to read the project. Run `npm run build` first.
 */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { plainUser } from '../test/support/plain-user.ts'

const TESTS = [
  ...['src/sandbox', 'src/preview', 'src/undo', 'src/judges/tools', 'src/cli/preview', 'test/cli/preview.test.ts', 'test/unprivileged'],
  ...['src/open-preview', 'src/open-applying', 'src/open-dry-run', 'src/open-undo.test.ts', 'src/open-undo-settings'],
]
const root = fileURLToPath(new URL('..', import.meta.url))
const [count = '100'] = process.argv.slice(2)
const user = plainUser()

function runs(...words: readonly string[]): boolean {
  const [program = '', ...args] = user.words(words)
  return spawnSync(program, args, { cwd: root, env: { ...user.environment, NO_COLOR: '1' }, stdio: 'inherit' }).status === 0
}

// Neither a cache nor a compiled configuration can be written to a project of another owner.
const tested = runs(join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--configLoader', 'runner', '--no-cache', ...TESTS)
const same = runs('--import', 'tsx', join(root, 'scripts/fuzz-previews.ts'), '1', count)
user.remove()
process.exitCode = tested && same ? 0 : 1
