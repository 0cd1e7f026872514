/** `countersign import` as a user types it: policy out, notes beside it, nothing overwritten, and what cannot be read refused. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { IMPORTERS, NothingToImport, UnreadableSource } from '../../src/migrate/index.ts'
import { type Home, makeHome } from '../hosts/harness.ts'
import { commandLine } from '../support/command-line.ts'

let home: Home
beforeAll(() => {
  home = makeHome()
})
afterAll(() => home.remove())

function file(name: string, text: string): string {
  const path = join(home.user, name)
  writeFileSync(path, text)
  return path
}

const SIGNET = 'pipeline = [RateLimitCheck(), ToolCallInspectorCheck(registry={"echo": ToolSpec()})]\n'

describe('import', () => {
  test('the policy on standard output, the notes on standard error, and the policy decides', async () => {
    const run = await commandLine(home, ['import', 'signet', file('pipeline.py', SIGNET)])
    expect([run.status, run.stdout]).toEqual([0, expect.stringContaining('echo:\n    risk_tier: low')])
    expect(run.stderr).toContain('pipeline.py:1: RateLimitCheck: not carried over: ')
    expect(run.stderr).toContain('1 settings stay behind, 0 hold differently here')
    const policy = file('imported.yaml', run.stdout)
    const check = await commandLine(home, ['check', '--policy', policy, '--no-record'], '{"tool":"rm_rf","args":{}}')
    expect([check.status, check.stdout]).toEqual([4, expect.stringContaining('registry.unregistered')])
  })

  test('a new file, never one that is there', async () => {
    const [source, out] = [file('again.py', SIGNET), join(home.user, 'new.yaml')]
    expect([(await commandLine(home, ['import', 'signet', source, '--out', out])).status, readFileSync(out, 'utf8')]).toEqual([
      0,
      expect.stringContaining('# - '),
    ])
    const again = await commandLine(home, ['import', 'signet', source, '--out', out])
    expect([again.status, again.stderr]).toEqual([2, expect.stringContaining('is there already')])
  })

  test('a repository of Role OS: both of its files', async () => {
    mkdirSync(join(home.user, 'repo/.claude/role-os'), { recursive: true })
    file('repo/.claude/role-os/capabilities.json', '{"git:push":{"granted":true}}')
    file('repo/.claude/role-os/tool-contracts.json', '{"Read":{"params":[{"name":"file_path","type":"string","required":true}]}}')
    const run = await commandLine(home, ['import', 'role-os', join(home.user, 'repo'), '--json'])
    expect(Object.keys((JSON.parse(run.stdout) as { policy: object }).policy)).toEqual(
      expect.arrayContaining(['contracts', 'capabilities']),
    )
  })

  test('a policy that does not load is shown with its errors, exit 1', async () => {
    const run = await commandLine(home, [
      'import',
      'promptise',
      file('bad.py', 'AutoApprovalClassifier(deny_rules=[ApprovalRule(tool="[x")])'),
    ])
    expect([run.status, run.stderr]).toEqual([1, expect.stringContaining('policy.pattern')])
  })

  for (const [title, args, text] of [
    ['an unknown seed', ['import', 'nobody', 'x'], 'valid: signet, role-os, fullsend, aegis, promptise'],
    ['a file that is missing', ['import', 'aegis', '/nonexistent/x'], 'cannot be read'],
    ['a file of something else', ['import', 'aegis', 'PLAIN'], 'no file holds'],
    ['a file that is no Python', ['import', 'signet', 'BROKEN'], 'broken.py:2: this is not Python'],
  ] as const) {
    test(`${title} is refused, exit 2`, async () => {
      const paths = { PLAIN: file('plain.yaml', 'a: 1\n'), BROKEN: file('broken.py', 'x = 1\ndef (\n') } as Readonly<Record<string, string>>
      const run = await commandLine(
        home,
        args.map((each) => paths[each] ?? each),
      )
      expect([run.status, run.stderr]).toEqual([2, expect.stringContaining(text)])
    })
  }
})

describe('whatever a file holds', () => {
  const part = fc.constantFrom(
    ...[
      'AutoApprovalClassifier(',
      'ToolCallInspectorCheck(',
      'ApprovalRule(',
      'registry=',
      'deny_rules=[',
      '{"a": ',
      ')',
      ']',
      '}',
      ',',
      '"x"',
    ],
    ...[
      '**x',
      '*y',
      'tool=',
      '\n',
      '  ',
      'x = ',
      'def f():\n  pass\n',
      'tool_policies:\n',
      ' Bash:\n',
      '- a\n',
      '? b',
      '&a ',
      '*a',
      'kind: Agent\n',
    ],
    ...[
      'spec: { tools: [a, {name: b}] }\n',
      '{"git:push":{"granted":true}}',
      '{"T":{"params":[{}]}}',
      '\u202e',
      '\0',
      'security: {sandbox_hooks: 1}\n',
    ],
  )

  test('an import gives a policy or says why not, and every note names a line of the file', () => {
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.constantFrom(...IMPORTERS.keys()), (parts, seed) => {
        const text = parts.join('')
        try {
          const { notes } = IMPORTERS.get(seed)?.([{ path: 'f', text }]) ?? { notes: [] }
          for (const { place } of notes) expect(place.line).toBeLessThanOrEqual(text.split('\n').length)
        } catch (error) {
          expect(error instanceof NothingToImport || error instanceof UnreadableSource, String(error)).toBe(true)
        }
      }),
      { numRuns: 2_000, seed: 17 },
    )
  })

  test('no key of a document goes without a word', () => {
    const key = fc.stringMatching(/^[a-z]{3,8}_q$/)
    fc.assert(
      fc.property(
        fc.uniqueArray(key, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('', 'security', 'tool_policies.Bash'),
        (keys, at) => {
          const written = Object.fromEntries(keys.map((name) => [name, 1]))
          const known = { tool_policies: { Bash: {} }, security: {} }
          const document =
            at === ''
              ? { ...known, ...written }
              : at === 'security'
                ? { ...known, security: written }
                : { ...known, tool_policies: { Bash: written } }
          const notes = IMPORTERS.get('fullsend')?.([{ path: 'f', text: JSON.stringify(document) }]).notes ?? []
          expect(notes.map(({ setting }) => setting.split('.').at(-1)).sort()).toEqual(expect.arrayContaining([...keys].sort()))
        },
      ),
      { numRuns: 100, seed: 3 },
    )
  })
})
