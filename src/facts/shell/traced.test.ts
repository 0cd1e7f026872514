// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text
import { describe, expect, test } from 'vitest'
import { lines } from './walk-harness.ts'

/** What commands were seen to do under strace, and their effects did not tell. */

const WORLD = { files: { '/repo/a.txt': 'a', '/repo/dir/c.txt': 'c' } }

describe('programs that go elsewhere', () => {
  for (const [text, expected] of [
    [`python3 -c "import os; os.chdir('dir'); open('x', 'w')"`, 'write /repo/dir/x'],
    [`python3 -c "import os; os.chdir('/etc'); os.remove('passwd')"`, 'delete /etc/passwd'],
    [`python3 -c "import os; os.chdir('dir'); os.chdir('..'); open('x', 'w')"`, 'write /repo/x'],
    [`python3 -c "import os; os.chdir('dir'); os.system('rm x')"`, 'delete /repo/dir/x'],
    [`python3 -c "import subprocess as s; s.run(['rm', 'x'], cwd='/etc')"`, 'delete /etc/x'],
    [`python3 -c "import subprocess as s; s.run('rm x', shell=True, cwd='/etc'); s.run(['rm', 'y'])"`, 'delete /repo/y'],
    [`python3 -c "import shutil; shutil.copytree('dir', 'd2')"`, 'write fs:copy /repo/d2'],
    [`node -e "process.chdir('/etc'); require('fs').unlinkSync('passwd')"`, 'delete /etc/passwd'],
    [`node -e "require('child_process').execSync('rm x', { cwd: '/etc' })"`, 'delete /etc/x'],
    [`node -e "require('child_process').spawn('rm', ['x'], { cwd: 'dir' })"`, 'delete /repo/dir/x'],
    [`perl -e 'chdir "dir"; unlink "x"'`, 'delete /repo/dir/x'],
    [`php -r 'chdir("dir"); unlink("x");'`, 'delete /repo/dir/x'],
    [`ruby -e 'Dir.chdir("dir"); File.delete("x")'`, 'delete /repo/dir/x'],
    [`ruby -e 'Dir.chdir("dir") { File.delete("x") }; File.delete("y")'`, 'likely delete /repo/dir/x'],
    [`ruby -e 'Dir.chdir("dir") { File.delete("x") }; File.delete("y")'`, 'delete /repo/y'],
  ] as const) {
    test(`${text}: ${expected}`, () => expect(lines(text, WORLD)).toContain(expected))
  }

  test('nobody knows where: relative names have no place', () => {
    expect(lines(`python3 -c "import os, sys; os.chdir(sys.argv[1]); os.remove('x')"`, WORLD)).not.toContain('delete /repo/x')
  })
})
