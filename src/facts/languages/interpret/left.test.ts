import { expect, test } from 'vitest'
import { proves } from '../../../../test/proves.ts'
import { facts } from '../../bash/harness.ts'

/** What code finds where it, or something it called, put something else: each of these deletes the home directory, or may. */

const RUNS: Readonly<Record<string, string>> = { python: 'python3 -c', node: 'node -e', perl: 'perl -e', ruby: 'ruby -e', php: 'php -r' }

/** Whether the deletion is seen, or that something is not known. */
function isTold(language: string, code: string): boolean {
  const { effects } = facts(`${RUNS[language]} '${code.replaceAll("'", "'\\''")}'`)
  return effects.some(
    ({ verb, action, target }) => (verb === 'delete' && target.real === '/home/me') || verb === 'opaque' || action === 'code:dynamic',
  )
}

const TOLD: readonly (readonly [language: string, codes: readonly string[]])[] = [
  [
    'python',
    [
      "import os; setattr(os, 'x', os.system); os.x('rm -rf ~')",
      "import os; os.getcwd = os.system; os.getcwd('rm -rf ~')",
      "import os; (f := os.system)('rm -rf ~')",
      "import os; sorted(['rm -rf ~'], key=os.system)",
      "import os; l = ['rm -rf ~']; l.sort(key=os.system)",
      "import os; l = ['rm -rf ~']; l.sort(key=lambda c: os.system(c))",
      "import os; max(['rm -rf ~', 'x'], key=os.system)",
      "import os; next(iter([os.system]))('rm -rf ~')",
      'import cProfile; cProfile.run(\'import os; os.system("rm -rf ~")\')',
      "import os\nd = {'c': 'ls'}\nd.update(c='rm -rf ~')\nos.system(d['c'])",
      "import os\nd = {'c': 'rm -rf ~'}\nif x: d['c'] = 'ls'\nos.system(d['c'])",
      "import os\nd = {'c': 'ls'}\nd[k] = 'rm -rf ~'\nos.system(d['c'])",
      "import os\nl = ['ls']\nl[0] = 'rm -rf ~'\nos.system(l[0])",
      "import os\nl = ['ls']; m = l\nm[0] = 'rm -rf ~'\nos.system(l[0])",
      "import os\nl = ['ls']\nl[i] = 'rm -rf ~'\nos.system(l[0])",
      "import os\nl = ['ls']\nl.insert(0, 'rm -rf ~')\nos.system(l[0])",
      "import os\nl = ['rm -rf ~', 'ls']\nl.pop()\nos.system(l[-1])",
      "import os\nl = ['ls', 'rm -rf ~']\nl.reverse()\nos.system(l[0])",
      "import os\nl = ['z', 'rm -rf ~']\nl.sort()\nos.system(l[0])",
      "import os\nc = 'ls'\nexec(\"c='rm -rf ~'\")\nos.system(c)",
      "import os\nc = 'ls'\nglobals()['c'] = 'rm -rf ~'\nos.system(c)",
      "import os\nc = 'ls'\nglobals()[k] = 'rm -rf ~'\nos.system(c)",
      "import os\nc = 'ls'\nglobals().update(c='rm -rf ~')\nos.system(c)",
      "import os\nclass A: c = 'rm -rf ~'\nif x: A.c = 'ls'\nos.system(A.c)",
      "import os\nc = 'ls'\nwhile x:\n  os.system(c)\n  c = 'rm -rf ~'",
      "import os\na = 'ls'\nb = 'ls'\nwhile x:\n  os.system(a)\n  a = b\n  b = 'rm -rf ~'",
      "import subprocess\np = 'ls'\nif x: p = 'rm'\nsubprocess.run([p, '-rf', '/home/me'])",
      "import subprocess\np = 'x'\nif x: p = '/home/me'\nsubprocess.run(['rm', '-rf', p])",
    ],
  ],
  [
    'node',
    [
      "const cp = require('child_process'); cp.execSync.bind(null, 'rm -rf ~')()",
      "const {['exec' + 'Sync']: f} = require('child_process'); f('rm -rf ~')",
      "let c = 'ls'; for (;;) { require('child_process').execSync(c); c = 'rm -rf ~' }",
      "let c = 'ls'; [1, 2].forEach(() => { require('child_process').execSync(c); c = 'rm -rf ~' })",
      "let c = 'ls'; on('x', () => { require('child_process').execSync(c); c = 'rm -rf ~' })",
      "let o = {c: 'ls'}; Object.assign(o, {c: 'rm -rf ~'}); require('child_process').execSync(o.c)",
      "let o = {c: 'ls'}; o.c = 'rm -rf ~'; require('child_process').execSync(o.c)",
      "let a = ['ls']; a.unshift('rm -rf ~'); require('child_process').execSync(a[0])",
      "let a = ['ls']; a.splice(0, 1, 'rm -rf ~'); require('child_process').execSync(a[0])",
      "var c = 'ls'; eval(\"c='rm -rf ~'\"); require('child_process').execSync(c)",
      "console.log = require('child_process').execSync; console.log('rm -rf ~')",
      "require('child_process')[process.argv[2]]('rm -rf ~')",
      "Object.defineProperty(console, 'log', {value: require('child_process').execSync}); console.log('rm -rf ~')",
    ],
  ],
  ['perl', ["use POSIX; POSIX::system('rm -rf ~')", "@ARGV = ('rm -rf ~|'); <>"]],
  [
    'ruby',
    [
      "IO.read('|rm -rf ~')",
      "method(:system).to_proc.('rm -rf ~')",
      "require 'fileutils'; include FileUtils; rm_rf('/home/me')",
      "c = 'ls'; 2.times { system(c); c = 'rm -rf ~' }",
      "c = 'ls'; c.replace('rm -rf ~'); system(c)",
      "c = 'ls'; d = c; d.sub!('ls', 'rm -rf ~'); system(c)",
    ],
  ],
  [
    'php',
    [
      "$GLOBALS['f'] = 'system'; $f('rm -rf ~');",
      "$c = 'ls'; extract($_GET); system($c);",
      "$c = 'ls'; extract(['c' => 'rm -rf ~']); system($c);",
      "$c = 'ls'; parse_str('c=rm -rf ~'); system($c);",
      "$c = 'ls'; $n = 'c'; $$n = 'rm -rf ~'; system($c);",
      "$c = 'ls'; $r = &$c; $r = 'rm -rf ~'; system($c);",
    ],
  ],
]

for (const [language, codes] of TOLD)
  proves('T08', `${language}: what was left somewhere is found there`, () =>
    expect(codes.filter((code) => !isTold(language, code))).toEqual([]),
  )

const AGAIN: readonly (readonly [language: string, code: string])[] = [
  ['python', "import os\ndef f(c):\n  os.system(c)\n  f('rm -rf ~')\nf('ls')"],
  ['python', "import os\ndef f(c, n):\n  if n == 0: os.system(c)\n  else: f('rm -rf ~', n - 1)\nf('ls', 3)"],
  ['python', "import os\ndef g(c): f('rm -rf ~')\ndef f(c):\n  os.system(c)\n  g(c)\nf('ls')"],
  ['python', "import os\ndef f(a, b, c):\n  os.system(a)\n  f(b, c, 'rm -rf ~')\nf('ls', 'ls', 'ls')"],
  ['python', "import os\nc = 'ls'\ndef f():\n  global c\n  os.system(c)\n  c = 'rm -rf ~'\n  f()\nf()"],
  ['python', "import os\nl = ['ls', 'ls', 'ls', 'ls', 'rm -rf ~']\ndef f(n):\n  os.system(l[n])\n  f(n + 1)\nf(0)"],
  ['node', "const cp = require('child_process'); const f = (c, n) => n ? f('rm -rf ~', n - 1) : cp.execSync(c); f('ls', 2)"],
  ['python', "import os\na = b = c = d = e = 'ls'\nwhile x:\n  os.system(a)\n  a = b\n  b = c\n  c = d\n  d = e\n  e = 'rm -rf ~'"],
  ['ruby', "def f(c)\n  system(c)\n  f('rm -rf ~')\nend\nf('ls')"],
  ['php', "function f($c) { system($c); f('rm -rf ~'); } f('ls');"],
  ['perl', "sub f { my ($c) = @_; system($c); f('rm -rf ~'); } f('ls');"],
]

for (const [language, code] of AGAIN)
  test(`${language}: followed again with something else: ${code}`, () => expect(isTold(language, code)).toBe(true))

const WORK = Array.from({ length: 300 }, (_, at) => `  a${at} = b + c + d + e`).join('\n')

test('what there is no room to follow again is told', () => {
  const more = `${'g(1)\n'.repeat(14)}for i in [${'1, '.repeat(12)}]: g(i)`
  expect(isTold('python', `import os\ndef g(c):\n${WORK}\ndef f(c): os.system(c)\nf('ls')\n${more}\nf('rm -rf ~')`)).toBe(true)
  const deep = Array.from({ length: 6 }, (_, at) => `def f${at}(c): f${at + 1}(c)`).join('\n')
  expect(isTold('python', `import os\n${deep}\ndef f6(c): os.system(c)\nf6('ls')\nf0('rm -rf ~')`)).toBe(true)
})

const MANY = Array.from({ length: 300 }, (_, at) => `"x${at}"`).join(', ')

const BEHIND: readonly (readonly [language: string, code: string])[] = [
  ['perl', `unlink ${MANY}, "/home/me/.ssh/id_rsa"`],
  ['ruby', `File.delete(${MANY}, "/home/me/.ssh/id_rsa")`],
  ['node', `[${MANY}, "/home/me"].forEach(f => require("fs").rmSync(f, {recursive: true}))`],
  ['python', `import os\nfor f in [${MANY}, "rm -rf ~"]: os.system(f)`],
  ['python', `import os\nlist(map(os.system, [${MANY}, "rm -rf ~"]))`],
  [
    'node',
    `eval(String.fromCharCode(${'32,'.repeat(4_096)}${[...'require("child_process").execSync("rm -rf ~")'].map((c) => c.charCodeAt(0)).join(',')}))`,
  ],
  [
    'python',
    `import docker\ndocker.from_env().containers.run("x", volumes={${Array.from({ length: 20 }, (_, at) => `"/a${at}": "/b", `).join('')}"/": "/host"})`,
  ],
]

for (const [language, code] of BEHIND) test(`${language}: behind more than is followed`, () => expect(isTold(language, code)).toBe(true))

test('what is known stays known', () => {
  expect(isTold('python', "import os\nl = ['rm -rf ~']\nl[0] = 'ls'\nos.system(l[0])")).toBe(false)
  expect(isTold('python', "import os\nd = {'c': 'rm -rf ~'}\nd['c'] = 'ls'\nos.system(d['c'])")).toBe(false)
  expect(isTold('node', 'let a = []; for (const x of y) { a.push(x); console.log(a.length) }')).toBe(false)
  expect(
    isTold('node', 'const tree = (d, p) => { for (const e of list(d)) { console.log(p + e); tree(e, p + "  ") } }; tree("src", "")'),
  ).toBe(false)
})
