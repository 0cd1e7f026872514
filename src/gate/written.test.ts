import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { callOf } from '../../test/support/calls.ts'
import { NOTE } from '../../test/support/records.ts'
import { COMPILE } from '../cli/open.ts'
import type { ToolCall } from '../core/call.ts'
import type { Effect } from '../core/effect.ts'
import type { JsonObject } from '../core/json.ts'
import { openGate } from '../open.ts'
import { compilePolicy } from '../policy/compile.ts'
import { DEFAULT_POLICY } from '../policy/default.ts'
import { sha256 } from '../policy/file.ts'
import { openStore } from '../store/sqlite/open.ts'

let root: string
let home: string
let repo: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-written-')))
  home = join(root, 'state')
  repo = join(root, 'repo')
  mkdirSync(repo)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const digest = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`

const call = (tool: string, args: JsonObject, overrides: Partial<ToolCall> = {}): ToolCall =>
  callOf(tool, args, { cwd: repo, ...overrides, principal: { agent: 'test', user: null, ...overrides.principal } })

const bash = (command: string, overrides: Partial<ToolCall> = {}) => call('Bash', { command }, overrides)

function open() {
  const compiled = compilePolicy(DEFAULT_POLICY, { ...COMPILE, path: null, sha256 })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  return openGate({ home, policy: () => ({ policy: compiled.policy, degraded: null }) })
}

/** Decides the calls in order, in a gate of their own each: what is remembered is on disk. */
async function decide(...calls: readonly ToolCall[]) {
  const decisions = []
  for (const each of calls) {
    const { gate, close } = open()
    decisions.push(await gate.decide(each))
    close()
  }
  return decisions
}

const scripts = (effects: readonly Effect[]) => effects.filter((found) => found.verb === 'execute' && found.target.kind === 'script')

/** What the last call is told of the script it runs, after the others were decided. */
async function told(...calls: readonly ToolCall[]) {
  const [last] = (await decide(...calls)).slice(-1)
  return scripts(last?.effects ?? [])[0]?.attributes
}

const SCRIPT = 'echo hello\n'

/** Calls that write `x.sh`, with the digest that follows from the call. */
const WRITERS: readonly (readonly [string, ToolCall | (() => ToolCall), string | null])[] = [
  ['Write', () => call('Write', { file_path: join(repo, 'x.sh'), content: SCRIPT }), digest(SCRIPT)],
  ['Edit', () => call('Edit', { file_path: join(repo, 'x.sh'), old_string: 'a', new_string: 'b' }), null],
  ['MultiEdit', () => call('MultiEdit', { file_path: join(repo, 'x.sh'), edits: [{ old_string: 'a', new_string: 'b' }] }), null],
  ['a heredoc', () => bash("cat > x.sh <<'END'\necho hello\nEND"), digest(SCRIPT)],
  ['a redirection', () => bash('echo "echo hello" > x.sh'), digest(SCRIPT)],
  ['an appending redirection', () => bash('echo "echo hello" >> x.sh'), null],
  ['printf', () => bash("printf 'echo hello\\n' > ./x.sh"), digest(SCRIPT)],
  ['tee', () => bash("tee x.sh <<'END'\necho hello\nEND"), digest(SCRIPT)],
  ['tee of a pipe', () => bash('date | tee x.sh'), null],
  ['cp', () => bash('cp other.sh x.sh'), null],
  ['cp of a written file', () => bash('echo "echo hello" > y.sh && cp y.sh x.sh'), digest(SCRIPT)],
  ['mv', () => bash('mv other.sh x.sh'), null],
  ['sed -i', () => bash("sed -i 's/a/b/' x.sh"), digest(SCRIPT)],
  ['sed w', () => bash("sed -n 'w x.sh' other.txt"), null],
  ['awk', () => bash('awk \'{print > "x.sh"}\' other.txt'), null],
  ['python', () => bash("python3 -c \"open('x.sh', 'w').write('x')\""), null],
  ['another directory', () => bash(`cd .. && echo "echo hello" > ${JSON.stringify('repo/x.sh')}`), digest(SCRIPT)],
]

/** Commands that run `x.sh`. */
const RUNNERS: readonly string[] = [
  'bash x.sh',
  './x.sh',
  'sh ./x.sh a b',
  'source x.sh',
  '. ./x.sh',
  'bash < x.sh',
  'cat x.sh | bash',
  'sudo bash x.sh',
  'env A=b bash x.sh',
  'timeout 5 ./x.sh',
  'ls && ./x.sh',
  'for i in 1 2; do ./x.sh; done',
  'x=x.sh; bash "$x"',
]

describe('a file that the session wrote and now runs', () => {
  for (const [what, writer, expected] of WRITERS) {
    test(`written by ${what}`, async () => {
      const first = typeof writer === 'function' ? writer() : writer
      writeFileSync(join(repo, 'x.sh'), SCRIPT)
      const attributes = await told(first, bash('bash x.sh'))
      expect(attributes).toMatchObject({ written_in_session: true, written_by: first.tool.name })
      expect(attributes?.written_digest).toBe(expected ?? undefined)
      expect(attributes?.changed).toBe(expected === null ? undefined : false)
    })
  }

  for (const command of RUNNERS) {
    test(`run by ${command}`, async () => {
      writeFileSync(join(repo, 'x.sh'), SCRIPT, { mode: 0o755 })
      expect(await told(call('Write', { file_path: join(repo, 'x.sh'), content: SCRIPT }), bash(command))).toMatchObject({
        written_in_session: true,
        digest: digest(SCRIPT),
        written_digest: digest(SCRIPT),
      })
    })
  }

  for (const [language, name, command] of [
    ['python', 'x.py', 'python3 x.py'],
    ['node', 'x.mjs', 'node x.mjs'],
    ['perl', 'x.pl', 'perl x.pl'],
    ['ruby', 'x.rb', 'ruby x.rb'],
    ['awk', 'x.awk', 'awk -f x.awk'],
    ['sed', 'x.sed', 'sed -f x.sed y'],
    ['lua', 'x.lua', 'lua x.lua'],
  ] as const) {
    test(`in ${language}`, async () => {
      writeFileSync(join(repo, name), '')
      expect(await told(call('Write', { file_path: join(repo, name), content: '' }), bash(command))).toMatchObject({
        written_in_session: true,
        changed: false,
      })
    })
  }

  for (const [name, content, command] of [
    ['Makefile', 'all:\n\techo hello\n', 'make'],
    ['package.json', '{"scripts":{"x":"echo hello"}}', 'npm run x'],
  ] as const) {
    test(`as a recipe of ${name}`, async () => {
      writeFileSync(join(repo, name), content)
      const [, run] = await decide(call('Write', { file_path: join(repo, name), content }), bash(command))
      const recipe = scripts(run?.effects ?? []).find((found) => found.action === 'script:project')
      expect(recipe?.attributes).toMatchObject({ written_in_session: true, changed: false })
    })
  }

  proves('T02', 'a script that is no longer what the call wrote says so, and its content is judged as it is now', async () => {
    const write = call('Write', { file_path: join(repo, 'x.sh'), content: SCRIPT })
    const rewritten = 'rm -rf ~\n'
    writeFileSync(join(repo, 'x.sh'), SCRIPT)
    const [, before] = await decide(write, bash('bash x.sh'))
    writeFileSync(join(repo, 'x.sh'), rewritten)
    const [after] = await decide(bash('bash x.sh'))
    expect(before?.decision).toBe('allow')
    expect(scripts(before?.effects ?? [])[0]?.attributes).toMatchObject({ digest: digest(SCRIPT), changed: false })
    expect(after?.decision).not.toBe('allow')
    expect(scripts(after?.effects ?? [])[0]?.attributes).toMatchObject({ digest: digest(rewritten), changed: true })
  })

  test('the newest write counts', async () => {
    writeFileSync(join(repo, 'x.sh'), SCRIPT)
    const attributes = await told(
      call('Write', { file_path: join(repo, 'x.sh'), content: 'old' }),
      call('Write', { file_path: join(repo, 'x.sh'), content: SCRIPT }),
      bash('bash x.sh'),
    )
    expect(attributes).toMatchObject({ written_digest: digest(SCRIPT), changed: false })
  })

  test('a link to it is it', async () => {
    writeFileSync(join(repo, 'x.sh'), SCRIPT)
    symlinkSync(join(repo, 'x.sh'), join(repo, 'y.sh'))
    const write = call('Write', { file_path: join(repo, 'x.sh'), content: SCRIPT })
    expect(await told(write, bash('bash y.sh'))).toMatchObject({ written_in_session: true })
  })
})

describe('what is not linked', () => {
  const write = () => call('Write', { file_path: join(repo, 'x.sh'), content: SCRIPT })
  const principal = { agent: 'test', role: null, user: null, tenant: 'other', chain: [] }
  const cases: readonly (readonly [string, () => readonly ToolCall[]])[] = [
    ['a file that nobody wrote', () => [bash('bash x.sh')]],
    ['another file', () => [write(), bash('bash y.sh')]],
    ['a write of another session', () => [write(), bash('bash x.sh', { session: 's-2' })]],
    ['a write without a session', () => [{ ...write(), session: null }, bash('bash x.sh', { session: null })]],
    ['a write of another tenant', () => [write(), bash('bash x.sh', { principal })]],
    ['a read', () => [call('Read', { file_path: join(repo, 'x.sh') }), bash('bash x.sh')]],
    ['a write that was denied', () => [bash('echo x > x.sh && rm -rf ~'), bash('bash x.sh')]],
    ['a mention', () => [bash('echo "echo x > x.sh"'), bash('bash x.sh')]],
  ]
  for (const [what, calls] of cases) {
    test(what, async () => {
      for (const name of ['x.sh', 'y.sh']) writeFileSync(join(repo, name), SCRIPT)
      const attributes = await told(...calls())
      expect(attributes).toMatchObject({ digest: digest(SCRIPT) })
      expect(attributes).not.toHaveProperty('written_in_session')
    })
  }
})

describe('files from the network', () => {
  for (const command of [
    'curl -o x.bin https://x.example/tool',
    'curl -s https://x.example/tool > x.bin',
    'wget -O x.bin https://x.example/tool',
    'curl -s https://x.example/tool | tee x.bin',
    'curl -so y https://x.example/tool && cp y x.bin',
  ]) {
    test(`a download that cannot be looked at is a question when it runs: ${command}`, async () => {
      writeFileSync(join(repo, 'x.bin'), '\u0000\u0001', { mode: 0o755 })
      const [, run] = await decide(bash(command), bash('./x.bin'))
      expect(scripts(run?.effects ?? [])[0]?.attributes).toMatchObject({ written_from: 'https://x.example/tool' })
      expect(run?.decision).toBe('ask')
      expect(run?.findings.some((found) => found.rule === 'remote-code-staged')).toBe(true)
    })
  }

  test('one that can be looked at is judged by what is in it', async () => {
    writeFileSync(join(repo, 'x.sh'), SCRIPT)
    const [, run] = await decide(bash('curl -o x.sh https://x.example/x.sh'), bash('bash x.sh'))
    expect([run?.decision, scripts(run?.effects ?? [])[0]?.attributes.written_from]).toEqual(['allow', 'https://x.example/x.sh'])
  })

  test('a program that the session built is no question', async () => {
    writeFileSync(join(repo, 'a.out'), '\u0000', { mode: 0o755 })
    const [, run] = await decide(bash('gcc -o a.out a.c'), bash('./a.out'))
    expect(run?.decision).toBe('allow')
  })
})

describe('what is kept', () => {
  test('the rows stand beside the record of the call, and old ones go', async () => {
    await decide(call('Write', { file_path: join(repo, 'x.sh'), content: SCRIPT }))
    const store = openStore({ directory: home })
    const rows = () => store.query((tx) => tx.all('SELECT session, path, digest, tool FROM written'))
    expect(rows()).toEqual([{ session: 's-1', path: join(repo, 'x.sh'), digest: digest(SCRIPT), tool: 'Write' }])
    await store.run((tx) => tx.run('UPDATE written SET at = 0'), NOTE)
    store.close()
    await decide(call('Write', { file_path: join(repo, 'y.sh'), content: '' }))
    const again = openStore({ directory: home })
    expect(again.query((tx) => tx.all('SELECT path FROM written'))).toEqual([{ path: join(repo, 'y.sh') }])
    again.close()
  })

  test('of one call no more than 256 files are remembered', async () => {
    await decide(bash(`touch ${Array.from({ length: 250 }, (_, index) => `a${index}`).join(' ')} && echo x | tee b{1..40}`))
    const store = openStore({ directory: home })
    expect(store.query((tx) => tx.get('SELECT count(*) AS files FROM written'))).toEqual({ files: 256 })
    store.close()
  })
})
