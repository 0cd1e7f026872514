/** Scanners of others, as real programs beside a real gate: what their exit codes and reports come to (FUL-32 to FUL-38). */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { callOf, NOBODY } from '../../test/support/calls.ts'
import { COMPILE } from '../cli/open.ts'
import type { ToolCall } from '../core/call.ts'
import type { Decision } from '../core/decision.ts'
import type { JsonObject } from '../core/json.ts'
import { openGate } from '../open.ts'
import { compilePolicy } from '../policy/compile.ts'
import { formatPolicyError } from '../policy/errors.ts'
import { sha256 } from '../policy/file.ts'
import { createFixedView } from '../view/fixed.ts'

let scratch: string
beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'countersign-scan-'))
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const WORLD = { home: '/home/user', cwd: '/workspace', roots: ['/workspace'], gate: [] }

/** A program that says so much and ends so. */
const ends = (report: string, code: number) => [
  ...['/bin/sh', '-c', 'cat > /dev/null; printf %s "$1"; exit "$2"'],
  ...['scanner', report, String(code)],
]

const call = (tool: string, args: JsonObject): ToolCall => callOf(tool, args, { principal: NOBODY, session: null, cwd: WORLD.cwd })
const LS = call('Bash', { command: 'ls -la' })

async function decide(scanners: readonly JsonObject[], made: ToolCall = LS, record = false): Promise<Decision> {
  const text = JSON.stringify({ version: 1, unregistered: 'allow', tool_families: ['claude-code'], guards: { scanners } })
  const compiled = compilePolicy(text, { ...COMPILE, path: null, sha256 })
  if (!compiled.ok) throw new Error(compiled.errors.map(formatPolicyError).join('\n'))
  const { policy } = compiled
  const opened = openGate({ home: scratch, record, policy: () => ({ policy, degraded: null }), view: () => createFixedView(WORLD) })
  try {
    return await opened.gate.decide(made)
  } finally {
    opened.close()
  }
}

const said = ({ decision, findings }: Decision) => [decision, findings.filter(({ layer }) => layer === 'scanner').map(({ code }) => code)]
const finding = (severity: string | null) => ({ ...(severity === null ? {} : { severity }), rule_id: 'r', title: 't' })
const report = (action: string, ...severities: readonly (string | null)[]) => JSON.stringify({ action, findings: severities.map(finding) })

describe('exit codes and reports', () => {
  const blocked = ['deny', ['scanner.blocked']]
  const noted = ['flag', ['scanner.noted']]
  // [title, report, exit code, options, expected]
  for (const [title, text, code, options, expected] of [
    ['nothing but a blank', ' ', 0, {}, ['allow', []]],
    ['a report, but a clear end', report('block', 'critical'), 0, {}, ['allow', []]],
    ['critical', report('warn', 'critical'), 1, {}, blocked],
    ['at the threshold', report('warn', 'high'), 1, {}, blocked],
    ['below it', report('warn', 'medium'), 2, {}, noted],
    ['a lower threshold', report('warn', 'medium'), 2, { fail_on: 'medium' }, blocked],
    ['a higher threshold', report('warn', 'high'), 2, { fail_on: 'critical' }, noted],
    ['capitals', report('warn', 'HIGH'), 2, {}, blocked],
    ['an unknown severity counts as the threshold', report('warn', 'fatal'), 2, {}, blocked],
    ['no severity is medium', report('allow', null), 2, {}, noted],
    ['no severity, and medium blocks', report('allow', null), 2, { fail_on: 'medium' }, blocked],
    ['severity that is no text', '{"action":"warn","findings":[{"severity":9}]}', 2, {}, blocked],
    ['the second finding counts', report('warn', 'low', 'critical'), 2, {}, blocked],
    ['block without a finding', report('block'), 1, {}, blocked],
    ['warn without a finding', report('warn'), 2, {}, noted],
    ['another action', report('maybe'), 1, {}, blocked],
    ['no action', '{"findings":[]}', 1, {}, blocked],
    ['action null', '{"action":null,"findings":[]}', 1, {}, blocked],
    ['a list, as of old', '[{"severity":"low","rule":"r","message":"m"}]', 1, {}, noted],
    ['a list with something grave', '[{"severity":"critical","rule":"r","message":"m"}]', 1, {}, blocked],
    ['findings that are no objects are skipped', '{"action":"warn","findings":["x",3,null]}', 1, {}, noted],
    ['not JSON', 'Segmentation fault', 1, {}, blocked],
    ['nothing at all', ' ', 1, {}, blocked],
    ['half a report', '{"action":"allow"', 1, {}, blocked],
    ['the same key twice', '{"action":"block","action":"allow"}', 1, {}, blocked],
    ['a bare text', '"allow"', 1, {}, blocked],
  ] as const)
    test(title, async () => expect(said(await decide([{ name: 's', command: ends(text, code), ...options }]))).toEqual(expected))

  proves(['FUL-32', 'FUL-33', 'FUL-34', 'FUL-35', 'FUL-36'], 'the vectors of the seed', async () => {
    const outcomes = [
      ends(' ', 0),
      ends(report('warn', 'critical'), 1),
      ends(report('warn', 'medium'), 2),
      ends(report('block'), 1),
      ends('oops', 1),
    ]
    const decided = await Promise.all(outcomes.map((command) => decide([{ name: 'tirith', command, fail_on: 'high' }])))
    expect(decided.map(({ decision }) => decision)).toEqual(['allow', 'deny', 'flag', 'deny', 'deny'])
  })
})

describe('no answer is never a yes', () => {
  const missing = ['/nonexistent/scanner']
  const slow = ['/bin/sh', '-c', 'sleep 30']
  const loud = ['/bin/sh', '-c', 'head -c 2000000 /dev/zero']
  const killed = ['/bin/sh', '-c', 'kill -9 $$']
  // This file: which others may be executed is the machine's.
  const forbidden = [fileURLToPath(import.meta.url)]

  proves(['FUL-37a', 'FUL-37b'], 'a missing program: people are asked, or the call is denied', async () => {
    expect(said(await decide([{ name: 's', command: missing }]))).toEqual(['ask', ['scanner.unavailable']])
    expect(said(await decide([{ name: 's', command: missing, required: true }]))).toEqual(['deny', ['scanner.unavailable']])
  })

  proves(['FUL-38a', 'FUL-38b'], 'no end in time: the same, under its own code', async () => {
    expect(said(await decide([{ name: 's', command: slow, timeout: '100ms' }]))).toEqual(['ask', ['timeout.scanner']])
    expect(said(await decide([{ name: 's', command: slow, timeout: '100ms', required: true }]))).toEqual(['deny', ['timeout.scanner']])
  })

  for (const [title, command] of [
    ['too much output', loud],
    ['ended by a signal', killed],
    ['not executable', forbidden],
  ] as const)
    test(title, async () => expect(said(await decide([{ name: 's', command }]))).toEqual(['ask', ['scanner.unavailable']]))

  test('an ask of this kind is for people: no judge and no grant answers for a scanner', async () => {
    const { findings } = await decide([{ name: 's', command: missing }])
    expect(findings.find(({ layer }) => layer === 'scanner')?.resolvers).toEqual(['human'])
  })
})

describe('what a scanner is shown', () => {
  const keep = (name: string) => [
    '/bin/sh',
    '-c',
    'cat > "$1"; shift; printf "%s\\n" "$@" > "$0.words"; exit 0',
    join(scratch, name),
    join(scratch, name),
  ]

  proves('FUL-W4', 'every command line, whichever tool it is of; as one word, without a shell', async () => {
    for (const [tool, args, shown] of [
      ['Bash', { command: 'echo "$(id)"; ls' }, 'echo "$(id)"; ls\n'],
      ['shell', { command: ['bash', '-lc', 'git status'] }, 'git status\n'],
      ['Read', { file_path: '/workspace/a' }, null],
    ] as const) {
      rmSync(join(scratch, 'seen.words'), { force: true })
      await decide([{ name: 's', command: [...keep('seen'), '{command}'] }], call(tool, args as JsonObject))
      const words = () => readFileSync(join(scratch, 'seen.words'), 'utf8')
      if (shown === null) expect(words).toThrow()
      else expect([tool, words()]).toEqual([tool, shown])
    }
  })

  test('a command that is no single text is not passed over: people are asked', async () => {
    const scanner = { name: 's', command: [...keep('argv'), '{command}'] }
    expect(said(await decide([scanner], call('shell', { command: ['ls', '-la'] })))).toEqual(['ask', ['scanner.unavailable']])
  })

  test('the call on standard input, and of the environment what is named', async () => {
    process.env.COUNTERSIGN_TEST_SHOWN = 'shown'
    process.env.COUNTERSIGN_TEST_HIDDEN = 'hidden'
    const command = ['/bin/sh', '-c', 'cat > "$0"; env >> "$0"', join(scratch, 'input')]
    await decide([{ name: 's', command, env: ['COUNTERSIGN_TEST_SHOWN'] }], call('Read', { file_path: '/workspace/a' }))
    const text = readFileSync(join(scratch, 'input'), 'utf8')
    expect(text.startsWith('{"tool_name":"Read","tool_input":{"file_path":"/workspace/a"}}')).toBe(true)
    expect([text.includes('=shown'), text.includes('hidden')]).toEqual([true, false])
  })

  for (const [title, tools, tool, expected] of [
    ['a tool it is for', ['Ba*'], 'Bash', 'deny'],
    ['another tool', ['Read'], 'Bash', 'allow'],
  ] as const)
    test(title, async () => {
      const scanner = { name: 's', command: ends(report('block'), 1), tools: [...tools] }
      expect((await decide([scanner], call(tool, { command: 'ls' }))).decision).toBe(expected)
    })

  test('several: the gravest decides, each is in the log', async () => {
    const scanners = [
      { name: 'a', command: ends(report('warn', 'low'), 2) },
      { name: 'b', command: ends(report('block'), 1) },
    ]
    const { decision, findings } = await decide(scanners, LS, true)
    expect([decision, findings.filter(({ layer }) => layer === 'scanner').map(({ rule, verdict }) => `${rule} ${verdict}`)]).toEqual([
      'deny',
      ['a flag', 'b deny'],
    ])
  })

  test('nobody is asked about what is denied anyway', async () => {
    rmSync(join(scratch, 'late.words'), { force: true })
    await decide([{ name: 's', command: keep('late') }], call('Bash', { command: 'rm -rf /' }))
    expect(() => readFileSync(join(scratch, 'late.words'))).toThrow()
  })
})
