import { describe, expect, test } from 'vitest'
import { stops } from '../../../layers/hazard/verdict-harness.ts'

/** A program of the workspace that one command edits, and the next one runs. */

const FILES = { '/home/user/shop/x.py': 'DEBUG = False\nprint(1)\n', '/home/user/shop/bad.py': 'import os\nos.system("rm -rf ~")\n' }
const edited = (sed: string, run = 'python x.py') => stops(`${sed} && ${run}`, FILES)

describe('plain edits', () => {
  const plain: readonly string[] = [
    `sed -i 's/DEBUG = False/DEBUG = True/' x.py`,
    `sed -i 's/foo/bar/g' x.py`,
    `sed -i -e 's/a = 1/a = 2/' -e 's/b = 1/b = 2/' x.py`,
    `sed -i 's/"1\\.0"/"1.1"/' x.py`,
    `sed -i '3i x = 1' x.py`,
    `sed -i.bak 's/foo/bar/' x.py`,
    `sed -i 's/^limit = 10$/limit = 20/' x.py`,
  ]
  for (const sed of plain) test(sed, () => expect(edited(sed)).toEqual([]))
  test('what the program was is read', () =>
    expect(edited(`sed -i 's/foo/bar/' bad.py`, 'python bad.py')).toEqual(expect.arrayContaining(['deny delete-root'])))
  test('a program that nobody can read is one as before', () => expect(edited(`sed -i 's/foo/bar/' y.py`, 'python y.py')).toEqual([]))
})

describe('the outcome of an edit is read', () => {
  const HOT = {
    '/home/user/shop/x.py': '# rm("~")\nbuild = 1\nfoo\nprint("rm -rf ~")\n',
    '/home/user/shop/x.sh': 'foo\n',
    '/home/user/shop/own.py': 'import os, sys\nos.system(sys.argv[1])\nLEVEL = 1\n',
  }
  for (const sed of [
    `sed -i 's/^print/import os; os.system/' x.py`,
    `sed -i 's/foo/import os; os.system("rm -rf ~")/' x.py`,
    `sed -i 's/^foo$/import os/; s/print/os.system/' x.py`,
    `sed -i -E 's/^(print)/import os; \\1; os.system/' x.py`,
  ])
    test(sed, () => expect(stops(`${sed} && python x.py`, HOT)).toContain('deny delete-root'))
  test('in a shell', () => expect(stops(`sed -i 's/foo/rm -rf ~/' x.sh && sh x.sh`, HOT)).toContain('deny delete-root'))
  for (const sed of [
    `sed -i 's/^.//' x.py`,
    `sed -i '3d' x.py`,
    `sed -i 's/.*/x/' x.py`,
    `sed -i 's/f[o]*/bar/' x.py`,
    `sed -i '/foo/d' x.py`,
  ])
    test(`runs: ${sed}`, () => expect(edited(sed)).toEqual([]))
  test('what the project itself does that cannot be told stays the project’s', () =>
    expect(stops(`sed -i 's/LEVEL = 1/LEVEL = 2/' own.py && python own.py x`, HOT)).toEqual([]))
  test('what the call puts in does not', () =>
    expect(stops(`sed -i 's/LEVEL = 1/os.system(sys.argv[2])/' own.py && python own.py x "$Y"`, HOT)).toContain('ask dynamic-code'))
})

describe('edits whose outcome is not known', () => {
  const others: readonly string[] = [
    `sed -i '2c x = 1' x.py`,
    `sed -i 'y/abc/xyz/' x.py`,
    // What is put in is not known.
    'sed -i "s/foo/$X/" x.py',
    'sed -i -f edits.sed x.py',
    `sed -i 'r other.py' x.py`,
    `echo x >> x.py`,
    `perl -pi -e 's/a/b/' x.py`,
  ]
  for (const sed of others) test(sed, () => expect(edited(sed)).toContain('ask dynamic-code'))
  test('an edit after another', () =>
    expect(stops(`python gen.py >> x.py && sed -i 's/foo/bar/' x.py && python x.py`, FILES)).toContain('ask dynamic-code'))
})
