/** `countersign preview` as people and programs use it: a call on standard input, and what it would change on standard output. */

import { spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { perlHere } from '../../src/sandbox/attributes.ts'
import { CLI, cli, makeHome } from '../hosts/harness.ts'
import { triedOut } from '../support/trials.ts'

const PERL = perlHere() !== null
const sha256 = (text: string): string => `sha256:${hash('sha256', text)}`

function place() {
  // A sandbox has a `/dev` of its own, so what is tried stands elsewhere.
  const home = makeHome(mkdtempSync(join(tmpdir(), 'cs-home-')))
  onTestFinished(home.remove)
  const work = join(realpathSync(home.user), 'work')
  mkdirSync(join(work, 'build'), { recursive: true })
  mkdirSync(home.state, { recursive: true })
  writeFileSync(join(work, 'build/a.js'), 'one\n')
  writeFileSync(join(work, 'notes.txt'), 'first\n')
  const call = (command: string): string => JSON.stringify({ tool: 'Bash', args: { command }, cwd: work })
  return { home, work, call }
}

triedOut('as JSON: kind, exit code, files with digests, network, output and digest, and nothing is changed', async () => {
  const { home, work, call } = place()
  const { status, stdout } = cli(
    home,
    ['preview', '--json'],
    call(
      'rm -r build; echo second >> notes.txt; echo new > "\u202egnp.sh"; (echo x > /dev/tcp/192.0.2.1/80) 2>/dev/null; echo done; exit 3',
    ),
  )
  const file = { diff: expect.any(String), cut: false }
  const was = sha256('first\n')
  expect([status, JSON.parse(stdout)]).toEqual([
    0,
    {
      kind: 'sandbox',
      exit_code: 3,
      ended: null,
      files: [
        { ...file, path: `${work}/build/a.js`, change: 'deleted', before: sha256('one\n'), after: null },
        { ...file, path: `${work}/notes.txt`, change: 'changed', before: was, after: sha256('first\nsecond\n') },
        { ...file, path: `${work}/\u202egnp.sh`, change: 'created', before: null, after: sha256('new\n') },
      ],
      network: [{ kind: 'unreachable', attempts: 1 }],
      programs: PERL ? [{ path: expect.stringMatching(/\/rm$/), words: 'rm -r build', times: 1 }] : null,
      output: 'done\n',
      note: expect.stringContaining('without network'),
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    },
  ])
  expect([readFileSync(join(work, 'notes.txt'), 'utf8'), readFileSync(join(work, 'build/a.js'), 'utf8')]).toEqual(['first\n', 'one\n'])
})

triedOut('in the terminal: in colours, what was tried of the network, and no character that would act', async () => {
  const { home, work, call } = place()
  const { NO_COLOR, ...environment } = home.environment
  const hostile = "rm -r build; printf '\\033[2Kgone\\n' >> notes.txt; (echo x > /dev/tcp/192.0.2.1/80) 2>/dev/null; true"
  const env = { ...environment, FORCE_COLOR: '1' }
  const { stdout } = spawnSync(process.execPath, [CLI, 'preview'], { input: call(hostile), encoding: 'utf8', env, cwd: work })
  expect(NO_COLOR).toBe('1')
  for (const text of [
    '\u001b[31mdeleted\u001b[39m',
    '\u001b[33mchanged\u001b[39m',
    'network: 1 × unreachable, not let out',
    ...(PERL ? ['rm: rm -r build'] : []),
  ])
    expect(stdout).toContain(text)
  expect([stdout.includes('\u001b[2K'), stdout.includes('[2Kgone')]).toEqual([false, true])
  rmSync(work, { recursive: true })
})

triedOut(
  'directories of the search path are seen as copies: no socket in one is reached, and none of them shows the home or keys',
  async () => {
    const { home, work, call } = place()
    const [user, tools] = [realpathSync(home.user), join(realpathSync(home.user), 'tools')]
    mkdirSync(tools)
    writeFileSync(join(tools, 'tool'), '#!/bin/sh\necho ran\n', { mode: 0o755 })
    writeFileSync(join(tools, '.env'), 'SECRET-env')
    writeFileSync(join(user, 'letter.txt'), 'SECRET-letter')
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(join(tools, 'daemon.sock'), resolve))
    const connect = `/usr/bin/python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect("${tools}/daemon.sock"); print("SECRET-in")'`
    const environment = { ...home.environment, PATH: `${tools}:${user}:${join(tools, 'tool')}:/nonexistent:${home.environment.PATH}` }
    const own = `/usr/bin/python3 -c 'import socket; s=socket.socket(socket.AF_UNIX); s.bind("own"); s.listen(); socket.socket(socket.AF_UNIX).connect("own"); print("own")'`
    const reach = `tool; ${own}; ${connect}; cat ${tools}/.env ${user}/letter.txt`
    // With the second one the directory is one that the command works on.
    for (const command of [reach, `${reach}; echo x > ${tools}/tool`]) {
      const { stdout } = cli({ ...home, environment }, ['preview', '--json'], call(command))
      const { output } = JSON.parse(stdout) as { output: string }
      expect([output.match(/SECRET-\w+/g), output.slice(0, 8)], output).toEqual([null, 'ran\nown\n'])
    }
    await new Promise((resolve) => server.close(resolve))
    expect(readFileSync(join(tools, 'tool'), 'utf8')).toBe('#!/bin/sh\necho ran\n')
    expect(work).toContain(user)
  },
)

triedOut('a person who is asked in the terminal sees what was seen, with its difference, and no character that would act', async () => {
  const { home, work } = place()
  writeFileSync(
    join(home.state, 'countersign.yaml'),
    'version: 1\nunregistered: ask\ntool_families: [claude-code]\npreview: {}\nrules: { ask: [{ tool: Bash, reason: careful }] }\n',
  )
  const command = "rm -r build; printf '\\033[2Kgone\\n' >> notes.txt"
  const asked = cli(home, ['check'], JSON.stringify({ tool: 'Bash', args: { command }, cwd: work }))
  const { approval } = JSON.parse(asked.stdout) as { approval: { id: string } }
  const { stdout } = cli(home, ['approvals', 'show', approval.id], '')
  for (const text of [
    'preview      seen without running the call',
    `deleted ${work}/build/a.js`,
    '  -one',
    `changed ${work}/notes.txt`,
    'without network',
  ])
    expect(stdout).toContain(text)
  expect([stdout.includes('\u001b[2K'), stdout.includes('[2Kgone')]).toEqual([false, true])
})

const MEMORY: readonly (readonly [title: string, command: string, says: boolean])[] = [
  ['a program that gets no memory', "/usr/bin/perl -e '$x = chr(65) x (600 << 20)'", true],
  ['a program that dies by itself, as runtimes do that cannot start', "/bin/sh -c 'kill -ABRT $$'", true],
  ['a program that ends with an error', "/bin/sh -c 'exit 3'", false],
  ['a program that ends well, and speaks of memory', 'echo out of memory', false],
]
for (const [title, command, says] of MEMORY)
  triedOut(`${title}: the preview ${says ? 'says that memory may have been short' : 'says nothing of memory'}`, async () => {
    const { home, call } = place()
    writeFileSync(join(home.state, 'countersign.yaml'), 'version: 1\npreview: { memory_mb: 100 }\n')
    const { note } = JSON.parse(cli(home, ['preview', '--json'], call(command)).stdout) as { note: string }
    expect(note.includes('more memory than `preview.memory_mb` allows')).toBe(says)
  })
