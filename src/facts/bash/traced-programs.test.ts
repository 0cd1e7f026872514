import { describe, expect, test } from 'vitest'
import { lines } from './harness.ts'

/** What single options of programs were seen to write under strace. */

const WORLD = { files: { '/repo/a.txt': 'a', '/repo/dir/c.txt': 'c', '/repo/package.json': '{}' } }

describe('what programs write under names of their own', () => {
  for (const [text, expected] of [
    ['cmake -E chdir dir touch x', 'write fs:touch /repo/dir/x'],
    ['cmake -E env A=1 touch x', 'write fs:touch /repo/x'],
    [`printf 'f d2\\nw\\nq\\n' | ed -s a.txt`, 'write text:edit /repo/d2'],
    [`python3 -c "import shutil; shutil.make_archive('h', 'zip', 'dir')"`, 'write archive:create /repo/h.zip'],
    [`python3 -c "import shutil; shutil.make_archive('h', 'gztar')"`, 'write archive:create /repo/h.tar.gz'],
    [`python3 -c "import shutil, sys; shutil.make_archive('h', sys.argv[1])"`, 'write archive:create /repo/h'],
    ['git format-patch -1', 'write git:export /repo/*.patch'],
    ['git format-patch -o out -1', 'write git:export /repo/out'],
    ['python3 -m zipapp dir -m c:d -o za', 'write archive:create /repo/za'],
    ['python3 -m zipapp dir/', 'write archive:create /repo/dir.pyz'],
    ["npm pkg set scripts.go='touch x'", 'write text:edit /repo/package.json'],
  ] as const)
    test(`${text}: ${expected}`, () => expect(lines(text, WORLD)).toContain(expected))

  test('looking writes nothing', () => {
    for (const text of ['git format-patch --stdout -1', 'python3 -m zipapp --info x.pyz', 'npm pkg get name'])
      expect(lines(text, WORLD).filter((line) => line.startsWith('write'))).toEqual([])
  })

  test('scripts of a manifest that the call changed are not the ones that were read', () => {
    const told = lines("npm pkg set scripts.go='touch x'; npm run go", WORLD)
    expect(told.some((line) => line.startsWith('opaque'))).toBe(true)
  })
})
