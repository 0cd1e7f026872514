import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insideSandbox } from '../../../test/support/sandboxed.ts'
import { redactJson } from '../../audit/redact.ts'
import type { JsonObject } from '../../core/json.ts'
import { policy } from '../../policy/testing/compiled.ts'
import { hiddenIn } from '../../sandbox/private.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { NoAnswer } from '../answer.ts'
import { mountsOf } from './mounts.ts'
import { openToolbox, type Toolbox, type ToolParts } from './toolbox.ts'

const NONCE = '0123456789abcdef'
let root: string
let work: string

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-tools-')))
  work = join(root, 'work')
  mkdirSync(join(work, 'src'), { recursive: true })
  mkdirSync(join(work, '.ssh'))
  mkdirSync(join(work, 'state'))
  writeFileSync(join(work, 'src', 'a.js'), 'one\ntwo\nthree\n')
  writeFileSync(join(work, 'src', 'b.js'), 'fetch(two)\n')
  writeFileSync(join(work, 'many.txt'), 'y\n'.repeat(2_001))
  writeFileSync(join(work, 'lines.txt'), `${'x'.repeat(10)}\n`.repeat(40) + `key ghp_0123456789abcdefghijABCDEFGHIJ012345\n`.repeat(60))
  writeFileSync(join(work, '.ssh', 'id'), 'private-key')
  writeFileSync(join(work, '.env'), 'A=private-env')
  writeFileSync(join(work, '.env.example'), 'A=')
  writeFileSync(join(work, 'state', 'audit.key'), 'private-state')
  writeFileSync(join(work, 'token.txt'), 'key ghp_0123456789abcdefghijABCDEFGHIJ012345\n')
  writeFileSync(join(root, 'outside.txt'), 'private-outside\n')
  symlinkSync(join(root, 'outside.txt'), join(work, 'link.txt'))
  symlinkSync('/etc/passwd', join(work, 'passwd'))
  symlinkSync('src/a.js', join(work, 'inner.txt'))
  symlinkSync(work, join(root, 'alias'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function parts(): ToolParts {
  return {
    sandbox: createSandbox(),
    redact: (value) => redactJson(value).value,
    sha256: (text) => createHash('sha256').update(text).digest('hex'),
    hidden: [join(work, 'state'), join(root, 'elsewhere')],
  }
}

function box(tools: string, cwd: string | null = work): Toolbox {
  const compiled = policy(`judges: { j: { provider: anthropic, model: claude-x, tools: ${tools} } }`).judges.named.get('j')?.tools
  if (compiled == null) throw new Error('no tools')
  return openToolbox({ policy: compiled, cwd, depth: 2, nonce: NONCE }, parts())
}

const ALL = `{ allow: [read_file, grep, ast_grep.search, cmd.run], commands: ['sh -c *', 'sleep *', env], seconds: 20 }`

async function use(toolbox: Toolbox, name: string, input: JsonObject): Promise<string> {
  const { text, failed } = await toolbox.use({ id: '1', name, input }, AbortSignal.timeout(60_000))
  const inner = new RegExp(`^<result-${NONCE}>\\n([^]*)\\n</result-${NONCE}>$`).exec(text)?.[1]
  return `${failed ? 'failed' : 'ok'}: ${inner ?? `unmarked: ${text}`}`
}

describe('tools', () => {
  insideSandbox(
    'read and search what lies in the mounts, and nothing else',
    async () => {
      const cases: readonly (readonly [string, JsonObject, string])[] = [
        ['read_file', { path: 'src/a.js' }, 'ok: one\ntwo\nthree\n'],
        ['read_file', { path: `${work}/src/a.js`, first_line: 2, line_count: 1 }, 'ok: two\n[more lines follow: ask for them from 3 on]\n'],
        ['read_file', { path: 'src/a.js', first_line: 2, line_count: 2 }, 'ok: two\nthree\n'],
        ['read_file', { path: 'many.txt', first_line: 2000, line_count: 1 }, 'ok: y\n[more lines follow: ask for them from 2001 on]\n'],
        ['read_file', { path: 'many.txt', first_line: 2001 }, 'ok: y\n'],
        ['read_file', { path: 'many.txt', first_line: 3000 }, 'ok: '],
        ['read_file', { path: 'src/../src/a.js', first_line: 3 }, 'ok: three\n'],
        ['read_file', { path: 'inner.txt', line_count: 1 }, 'ok: one\n[more lines follow: ask for them from 2 on]\n'],
        ['read_file', { path: 'none.txt' }, 'failed: refused: there is no such file'],
        ['read_file', { path: '../outside.txt' }, 'failed: refused: it lies outside of what this judge may see'],
        ['read_file', { path: '/etc/passwd' }, 'failed: refused: it lies outside of what this judge may see'],
        ['read_file', { path: '/proc/self/environ' }, 'failed: refused: it lies outside of what this judge may see'],
        ['read_file', { path: `${work}-other` }, 'failed: refused: it lies outside of what this judge may see'],
        ['read_file', { path: 'link.txt' }, 'failed: refused: it lies outside of what this judge may see'],
        ['read_file', { path: 'passwd' }, 'failed: refused: it lies outside of what this judge may see'],
        ['read_file', { path: '.ssh/id' }, 'failed: refused: there is no such file'],
        ['read_file', { path: 'state/audit.key' }, 'failed: refused: there is no such file'],
        ['read_file', { path: '.env' }, 'failed: exit status'],
        ['read_file', { path: '.env.example' }, 'ok: A='],
        ['grep', { pattern: '^tw?o' }, `ok: ${work}/src/a.js:2:two\n`],
        ['grep', { pattern: 'private' }, 'ok: no line matches'],
        ['grep', { pattern: 'TWO', ignore_case: true, include: 'b.*' }, `ok: ${work}/src/b.js:1:fetch(two)\n`],
        ['grep', { pattern: 'two', path: '/' }, 'failed: refused: it lies outside of what this judge may see'],
        ['grep', { pattern: 'private', path: 'link.txt' }, 'failed: refused: it lies outside of what this judge may see'],
        ['cmd_run', { command: ['sh', '-c', 'cat src/a.js | wc -l; exit 3'] }, 'failed: exit status 3\n3\n'],
        ['cmd_run', { command: ['sh', '-c', 'touch src/new || echo kept'] }, 'ok: exit status 0\nkept\n'],
        ['cmd_run', { command: ['rm', '-rf', '.'] }, 'failed: refused: `rm -rf .` is not among the commands that are allowed'],
        ['read_files', {}, 'failed: refused: there is no tool `read_files`'],
        ['constructor', {}, 'failed: refused: there is no tool `constructor`'],
      ]
      const toolbox = box(ALL)
      for (const [name, input, expected] of cases) {
        const said = (await use(toolbox, name, input)).replace(/\nsh: .*\n|\ntouch: .*\n/g, '\n').replace(/\n\n$/, '\n')
        expect([name, input, said.startsWith(expected) ? expected : said]).toEqual([name, input, expected])
      }
      expect(toolbox.records).toHaveLength(cases.length)
    },
    180_000,
  )

  insideSandbox(
    'take keys out of what they return, and stand in the record',
    async () => {
      const toolbox = box(ALL)
      const said = await use(toolbox, 'read_file', { path: 'token.txt' })
      expect(said).toMatch(/^ok: key /)
      expect(said).not.toContain('ghp_0123')
      await use(toolbox, 'read_file', { path: 'none' })
      await use(toolbox, 'cmd_run', { command: ['env'] })
      expect(toolbox.records).toMatchObject([
        { tool: 'read_file', input: '{"path":"token.txt"}', status: 'ok', exit: 0, cut: false },
        { tool: 'read_file', status: 'refused', exit: 123 },
        { tool: 'cmd_run', status: 'ok', exit: 0 },
      ])
      expect(toolbox.records[0]?.output_digest).toMatch(/^sha256:[0-9a-f]{64}$/)
      expect(await use(toolbox, 'cmd_run', { command: ['env'] })).toContain('COUNTERSIGN_JUDGE_DEPTH=2')
    },
    180_000,
  )

  insideSandbox(
    'are bounded in time and output, and may write to a copy where the policy says so',
    async () => {
      const slow = box(`{ allow: [cmd.run], commands: ['sleep *'], seconds: 1 }`)
      expect(await use(slow, 'cmd_run', { command: ['sleep', '600'] })).toMatch(/^failed: it did not end in its time/)
      expect(slow.records[0]).toMatchObject({ status: 'late', exit: null })
      const loud = box(`{ allow: [cmd.run], commands: ['sh -c *'], output_kb: 1 }`)
      expect((await use(loud, 'cmd_run', { command: ['sh', '-c', 'yes | head -c 100000'] })).length).toBeLessThan(1_200)
      const copy = box(`{ allow: [cmd.run], commands: ['sh -c *'], copy: true }`)
      expect(await use(copy, 'cmd_run', { command: ['sh', '-c', 'echo four >> src/a.js; tail -1 src/a.js'] })).toContain('four')
      expect(await use(copy, 'cmd_run', { command: ['sh', '-c', 'tail -1 src/a.js'] })).toContain('three')
    },
    180_000,
  )

  insideSandbox(
    'see the directories that the policy names, or the one of the call, by either of its names',
    async () => {
      expect(await use(box('[read_file]', join(root, 'alias')), 'read_file', { path: `${root}/alias/src/b.js` })).toBe('ok: fetch(two)\n')
      expect(await use(box('[read_file]', join(work, 'src')), 'read_file', { path: '../token.txt' })).toMatch(/outside/)
      const named = box(`{ allow: [read_file], mounts: ["${work}"] }`, '/nonexistent')
      expect(await use(named, 'read_file', { path: 'src/b.js' })).toBe('ok: fetch(two)\n')
    },
    180_000,
  )

  insideSandbox('neither half of a key is told, wherever what they return or are asked is cut', async () => {
    const small = box('{ allow: [read_file], output_kb: 1 }')
    const said = await use(small, 'read_file', { path: 'lines.txt' })
    expect(said).toContain('bytes left out')
    expect(said).not.toMatch(/ghp_|HIJ012345/)
    expect(small.records[0]).toMatchObject({ cut: true })
    for (const before of [950, 960, 970, 980, 990]) {
      await use(small, 'read_file', { path: `${'x '.repeat(before / 2)}ghp_0123456789abcdefghijABCDEFGHIJ012345` })
    }
    expect(JSON.stringify(small.records)).not.toMatch(/ghp_01/)
  })

  insideSandbox(
    'ast-grep says so where it is not installed',
    async () => {
      const said = await use(box(ALL), 'ast_grep_search', { pattern: 'fetch($X)', language: 'js' })
      expect(said).toMatch(/ast-grep is not installed|b\.js.*fetch\(two\)/)
    },
    180_000,
  )
})

describe('without a sandbox', () => {
  test('a judge with tools gives no answer, whatever it would be asked', () => {
    const none = { ...parts(), sandbox: createSandbox([root]) }
    const { tools } = policy('judges: { j: { provider: openai, model: gpt-x, tools: [grep] } }').judges.named.get('j') ?? {}
    if (tools == null) throw new Error('no tools')
    expect(() => openToolbox({ policy: tools, cwd: work, depth: 1, nonce: NONCE }, none)).toThrow(NoAnswer)
  })
})

describe('what is mounted', () => {
  const refused = [
    '/',
    '/home',
    '/tmp',
    '/etc',
    '/etc/ssl',
    '/proc',
    '/proc/self',
    '/dev',
    '/run',
    '/usr',
    '/nonexistent',
    '/bin/sh',
    '/usr/..',
  ]
  for (const path of refused) test(`${path} is not`, () => expect(() => mountsOf([path])).toThrow(NoAnswer))

  test('a call from nowhere has nothing to show', () => expect(() => mountsOf([])).toThrow(NoAnswer))

  test('what is private is hidden below the top as well, down to where the walk ends', () => {
    const deep = join(root, 'deep')
    const files = [
      'packages/api/.env',
      'packages/api/.env.example',
      'packages/api/.npmrc',
      'packages/api/src/env.ts',
      'a/b/c/.env.local',
      'a/b/c/d/.env',
      'infra/.aws/credentials',
      'node_modules/x/.npmrc',
      '.git/config',
      'b/.envrc',
    ]
    for (const file of files) {
      mkdirSync(join(deep, file, '..'), { recursive: true })
      writeFileSync(join(deep, file), 'x')
    }
    symlinkSync(join(deep, 'a'), join(deep, 'again'))
    const hidden = hiddenIn(mountsOf([deep]), []).map(({ path }) => path.slice(deep.length + 1))
    expect(hidden.toSorted()).toEqual(['a/b/c/.env.local', 'b/.envrc', 'infra/.aws', 'packages/api/.env', 'packages/api/.npmrc'])
  })

  test('what is private in it is hidden, once', () => {
    const mounts = mountsOf([work])
    const hidden = hiddenIn(mounts, [join(work, 'state'), join(work, 'state', 'audit.key'), root, '/nonexistent'])
    expect(hidden.map(({ path, directory }) => `${path.slice(work.length)} ${directory}`).toSorted()).toEqual([
      '/.env false',
      '/.ssh true',
      '/state true',
    ])
  })
})
