import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { decide } from '../../core/decide.ts'
import type { JsonObject } from '../../core/json.ts'
import { compose } from '../../gate/compose.ts'
import { NO_OPINION, replyTo } from '../../hosts/claude-code/reply.ts'
import { readPolicy } from '../../policy/file.ts'
import type { Policy } from '../../policy/policy.ts'
import { call, errorsOf, facts, OPTIONS, policy } from '../../policy/testing/compiled.ts'
import { emptySession, type SessionState } from '../../session/state.ts'
import { contracts } from './index.ts'

/** The shipped example: a catalogue in Role OS's own format, listed by a policy. */
const catalogue = load(join(import.meta.dirname, '../../../examples/role-os/countersign.yaml'))

function load(path: string): Policy {
  const result = readPolicy(path, OPTIONS)
  if (!result.ok) throw new Error(result.errors.map((error) => error.message).join('\n'))
  return result.policy
}

function judge(rules: Policy, tool: string, { args, server = null, tables }: Judged) {
  const state: SessionState = { ...emptySession(0), ...(tables === undefined ? {} : { tables }) }
  return contracts.evaluate({ call: call(tool, { args, server }), facts: facts(), policy: rules, state })
}

interface Judged {
  readonly args: JsonObject
  readonly server?: string | null
  readonly tables?: SessionState['tables']
}

type Expected = 'flag' | 'ok'
const verdict = (rules: Policy, tool: string, judged: Judged): Expected =>
  judge(rules, tool, judged).some((finding) => finding.verdict === 'flag') ? 'flag' : 'ok'

const read = (args: JsonObject): Judged => ({ args: { file_path: '/repo/a.ts', ...args } })
const classify = (args: JsonObject): Judged => ({ args: { labels: ['a'], text: 't', ...args }, server: 'labels' })
const QUESTION = { question: 'which?' }
const edit = (args: JsonObject): Judged => ({ args: { file_path: '/a', old_string: 'x', new_string: 'y', ...args } })
const agent = (args: JsonObject): Judged => ({ args: { description: 'd', prompt: 'p', subagent_type: 'custom', ...args } })

describe('schema and contract on real tools', () => {
  for (const [title, tool, judged, expected] of [
    ['Read with limit 0', 'Read', read({ limit: 0 }), 'flag'],
    ['Read with offset -1', 'Read', read({ offset: -1 }), 'flag'],
    ['Read without a file', 'Read', { args: {} }, 'flag'],
    ['an ordinary Read', 'Read', read({ limit: 20, offset: 0 }), 'ok'],
  ] as const) {
    proves(['ROS-1', 'ROS-1a', 'ROS-1b', 'ROS-1c'], `${title}: ${expected}`, () => expect(verdict(catalogue, tool, judged)).toBe(expected))
  }

  proves('ROS-2', 'a relative path is not seen by the floor', () =>
    expect(verdict(catalogue, 'Read', { args: { file_path: 'src/a.ts' } })).toBe('ok'),
  )

  for (const [title, judged, expected] of [
    ['the same text twice', edit({ new_string: 'x' }), 'flag'],
    ['replace_all as text', edit({ replace_all: 'true' }), 'flag'],
    ['an ordinary edit', edit({ replace_all: true }), 'ok'],
  ] as const) {
    proves(['ROS-3', 'ROS-3a', 'ROS-3b'], `Edit, ${title}: ${expected}`, () => expect(verdict(catalogue, 'Edit', judged)).toBe(expected))
  }

  for (const [title, args, expected] of [
    ['timeout 600000', { command: 'ls', timeout: 600_000 }, 'ok'],
    ['timeout 700000', { command: 'ls', timeout: 700_000 }, 'flag'],
    ['timeout -1', { command: 'ls', timeout: -1 }, 'flag'],
    ['a number as command', { command: 12_345 }, 'flag'],
  ] as const) {
    proves(['ROS-4', 'ROS-4a', 'ROS-4b', 'ROS-4c', 'ROS-4d'], `Bash, ${title}: ${expected}`, () =>
      expect(verdict(catalogue, 'Bash', { args })).toBe(expected),
    )
  }

  for (const [title, args, expected] of [
    ['an output mode that does not exist', { pattern: 'x', output_mode: 'matches' }, 'flag'],
    ['-A -1', { pattern: 'x', '-A': -1 }, 'flag'],
    ['an ordinary search', { pattern: 'x', output_mode: 'content', '-A': 2 }, 'ok'],
  ] as const) {
    proves(['ROS-5', 'ROS-5a', 'ROS-5b'], `Grep, ${title}: ${expected}`, () => expect(verdict(catalogue, 'Grep', { args })).toBe(expected))
  }

  for (const [count, expected] of [
    [0, 'flag'],
    [1, 'ok'],
    [4, 'ok'],
    [5, 'flag'],
  ] as const) {
    proves(['ROS-6', 'ROS-6a', 'ROS-6b'], `AskUserQuestion with ${count} questions: ${expected}`, () =>
      expect(verdict(catalogue, 'AskUserQuestion', { args: { questions: Array.from({ length: count }, () => QUESTION) } })).toBe(expected),
    )
  }

  for (const [title, judged, expected] of [
    ['model gpt-4', agent({ model: 'gpt-4' }), 'flag'],
    ['isolation branch', agent({ isolation: 'branch' }), 'flag'],
    ['an agent type of its own', agent({ model: 'opus', isolation: 'worktree' }), 'ok'],
  ] as const) {
    proves(['ROS-7', 'ROS-7a', 'ROS-7b'], `Agent, ${title}: ${expected}`, () => expect(verdict(catalogue, 'Agent', judged)).toBe(expected))
  }

  for (const [sources, expected] of [
    [{}, 'flag'],
    [{ text: 't', file: 'f' }, 'flag'],
    [{ text: 't', file: 'f', paths: [] }, 'flag'],
    [{ text: 't' }, 'ok'],
    [{ file: 'f' }, 'ok'],
    [{ paths: ['p'] }, 'ok'],
  ] as const) {
    proves(['ROS-8', 'ROS-8a', 'ROS-8b'], `sources ${Object.keys(sources).join(' and ') || 'none'}: ${expected}`, () =>
      expect(verdict(catalogue, 'classify', { args: { labels: ['a'], ...sources }, server: 'labels' })).toBe(expected),
    )
  }

  for (const [title, judged, expected] of [
    ['threshold 1.7', classify({ threshold: 1.7 }), 'flag'],
    ['threshold -0.1', classify({ threshold: -0.1 }), 'flag'],
    ['per_file 999', classify({ per_file: 999 }), 'flag'],
    ['per_file 200001', classify({ per_file: 200_001 }), 'flag'],
    ['per_file 1000', classify({ per_file: 1_000, threshold: 0 }), 'ok'],
    ['per_file 200000', classify({ per_file: 200_000, threshold: 1 }), 'ok'],
  ] as const) {
    proves(['ROS-9', 'ROS-9a', 'ROS-9b', 'ROS-9c', 'ROS-9d', 'ROS-9e'], `${title}: ${expected}`, () =>
      expect(verdict(catalogue, 'classify', judged)).toBe(expected),
    )
  }

  proves('ROS-10', 'an argument that the contract does not know is left alone', () =>
    expect(verdict(catalogue, 'Write', { args: { file_path: '/a', content: 'x', append: true } })).toBe('ok'),
  )

  proves('ROS-11', 'null is a wrong type, and is there', () => {
    const [finding] = judge(catalogue, 'Glob', { args: { pattern: null } })
    expect(finding?.evidence).toEqual({ violations: [{ rung: 'L1', constraint: null, text: "'pattern' should be string" }] })
  })
})

/** A policy with one contract for the tool `t`. */
const contract = (constraints: string, more = ''): Policy =>
  policy(`contracts:\n  tools:\n    t:\n      constraints: [${constraints}]\n${more}`)

/** Ids must stand in the source as they are cited. */
const LETTERED = {
  'ROS-12': (title: string, body: () => void) => proves(['ROS-12', 'ROS-12a', 'ROS-12b'], title, body),
  'ROS-13': (title: string, body: () => void) => proves('ROS-13', title, body),
  'ROS-14': (title: string, body: () => void) => proves('ROS-14', title, body),
  'ROS-15': (title: string, body: () => void) => proves(['ROS-15', 'ROS-15a', 'ROS-15b'], title, body),
  'ROS-16': (title: string, body: () => void) => proves('ROS-16', title, body),
  'ROS-17': (title: string, body: () => void) => proves(['ROS-17', 'ROS-17a', 'ROS-17b'], title, body),
  'ROS-18': (title: string, body: () => void) => proves(['ROS-18', 'ROS-18a', 'ROS-18b', 'ROS-18c'], title, body),
  'ROS-19': (title: string, body: () => void) => proves(['ROS-19', 'ROS-19a', 'ROS-19b'], title, body),
  'ROS-20': (title: string, body: () => void) => proves('ROS-20', title, body),
  'ROS-22': (title: string, body: () => void) => proves(['ROS-22', 'ROS-22a', 'ROS-22b', 'ROS-22c'], title, body),
  'ROS-23': (title: string, body: () => void) => proves(['ROS-23', 'ROS-23b'], title, body),
} as const

describe('the seven relations', () => {
  for (const [id, constraint, args, expected] of [
    ['ROS-12', 'kind: cmp, op: lt, left: start, right: end', { start: 5, end: 3 }, 'flag'],
    ['ROS-12', 'kind: cmp, op: lt, left: start, right: end', { start: 3, end: 5 }, 'ok'],
    ['ROS-12', 'kind: cmp, op: lt, left: start, right: end', { start: '3', end: '5' }, 'ok'],
    ['ROS-12', 'kind: cmp, op: lt, left: start, right: end', { start: '5', end: 3 }, 'flag'],
    ['ROS-12', 'kind: cmp, op: lt, left: start, right: end', { start: 'five', end: 3 }, 'ok'],
    ['ROS-13', 'kind: cmp, op: le, left: top_n, right: { len: docs }', { top_n: 3, docs: ['a', 'b'] }, 'flag'],
    ['ROS-13', 'kind: cmp, op: le, left: top_n, right: { len: docs }', { top_n: 2, docs: ['a', 'b'] }, 'ok'],
    ['ROS-13', 'kind: cmp, op: le, left: top_n, right: { len: docs }', { top_n: 2, docs: { a: 1 } }, 'flag'],
    ['ROS-13', 'kind: cmp, op: le, left: top_n, right: { len: docs }', { top_n: 9, docs: 'text' }, 'ok'],
    ['ROS-14', 'kind: cmp, op: eq, left: { len: a }, right: { len: b }', { a: [1, 2], b: [1] }, 'flag'],
    ['ROS-14', 'kind: cmp, op: eq, left: { len: a }, right: { len: b }', { a: [1, 2], b: [3, 4] }, 'ok'],
    ['ROS-15', 'kind: sum, of: alloc, vs: 1000', { alloc: [600, 400] }, 'ok'],
    ['ROS-15', 'kind: sum, of: alloc, vs: 1000', { alloc: [600, 300] }, 'flag'],
    ['ROS-15', 'kind: sum, of: alloc, vs: 1000', { alloc: { a: 600, b: 300 } }, 'flag'],
    ['ROS-15', 'kind: sum, of: alloc, vs: 1000', { alloc: [600, 'many'] }, 'ok'],
    ['ROS-15', 'kind: sum, of: alloc, vs: 1000', {}, 'ok'],
    ['ROS-16', 'kind: sum, of: shares, vs: 1', { shares: [0.4, 0.35, 0.25] }, 'ok'],
    ['ROS-16', 'kind: sum, of: shares, vs: 1', { shares: [0.4, 0.35, 0.26] }, 'flag'],
    ['ROS-17', 'kind: sum, op: le, of: [x, width], vs: W', { x: 100, width: 800, W: 1920 }, 'ok'],
    ['ROS-17', 'kind: sum, op: le, of: [x, width], vs: W', { x: 1500, width: 800, W: 1920 }, 'flag'],
    ['ROS-17', 'kind: sum, op: le, of: [x, width], vs: W', { x: 1500, W: 1920 }, 'ok'],
    ['ROS-18', 'kind: present, fields: [ip, cname]', { ip: '1.2.3.4', cname: 'a' }, 'flag'],
    ['ROS-18', 'kind: present, fields: [ip, cname]', {}, 'flag'],
    ['ROS-18', 'kind: present, fields: [ip, cname]', { cname: 'a' }, 'ok'],
    ['ROS-18', 'kind: present, fields: [ip, cname]', { ip: null, cname: 'a' }, 'flag'],
    ['ROS-19', 'kind: requires, when: { field: mode, equals: mtls }, require: [ca_path]', { mode: 'mtls' }, 'flag'],
    ['ROS-19', 'kind: requires, when: { field: mode, equals: mtls }, require: [ca_path]', { mode: 'none' }, 'ok'],
    ['ROS-19', 'kind: requires, when: { field: mode, equals: mtls }, require: [ca_path]', { mode: 'mtls', ca_path: '/ca' }, 'ok'],
    ['ROS-19', 'kind: requires, when: { field: mode, in: [mtls, tls] }, require: [ca_path]', { mode: 'tls' }, 'flag'],
    ['ROS-19', 'kind: requires, when: { field: mode }, require: [ca_path]', { mode: null }, 'flag'],
    ['ROS-19', 'kind: requires, when: { field: mode, presence: true }, require: [ca_path]', {}, 'ok'],
    ['ROS-20', 'kind: distinct, fields: [src, dst]', { src: 'a', dst: 'a' }, 'flag'],
    ['ROS-20', 'kind: distinct, fields: [src, dst]', { src: 1, dst: '1' }, 'flag'],
    ['ROS-20', 'kind: distinct, fields: [src, dst]', { src: 'a', dst: 'b' }, 'ok'],
    ['ROS-20', 'kind: distinct, fields: [src, dst]', { src: 'a' }, 'ok'],
    ['ROS-22', 'kind: char_at, string: seq, index: 0, equals: { value: A }', { seq: 'ACGT' }, 'ok'],
    ['ROS-22', 'kind: char_at, string: seq, index: 0, equals: { value: T }', { seq: 'ACGT' }, 'flag'],
    ['ROS-22', 'kind: char_at, string: seq, index: pos, offset: -1, equals: { value: T }', { seq: 'ACGTTAGCCA', pos: 5 }, 'ok'],
    ['ROS-22', 'kind: char_at, string: seq, index: pos, offset: -1, equals: base', { seq: 'ACGTTAGCCA', pos: 5, base: 'A' }, 'flag'],
    ['ROS-22', 'kind: char_at, string: seq, index: pos, equals: { value: A }', { seq: 'ACGT', pos: 9 }, 'flag'],
    ['ROS-22', 'kind: char_at, string: seq, index: pos, equals: { value: A }', { seq: 12, pos: 0 }, 'ok'],
    ['ROS-23', 'kind: cmp, op: le, left: limit, right: most', { limit: 9 }, 'ok'],
    ['ROS-23', 'kind: cmp, op: eq, left: { field: nowhere }, right: { state: unknown }', {}, 'ok'],
  ] as const) {
    const text = `{ ${constraint} } on ${JSON.stringify(args)}: ${expected}`
    const decided = () => expect(verdict(contract(`{ ${constraint} }`), 't', { args })).toBe(expected)
    LETTERED[id](text, decided)
  }

  const seats = contract('{ kind: member, field: seat, in: { state: free } }', '      state: { free: [12A, 12B] }\n')
  const prose = contract('{ kind: member, field: seat, in: { state: free } }', '      state: seats 12A and 12B are free\n')
  proves(['ROS-21', 'ROS-21a', 'ROS-21b'], 'a set in the state proves what is not in it; prose proves nothing', () => {
    expect(verdict(seats, 't', { args: { seat: '14C' } })).toBe('flag')
    expect(verdict(seats, 't', { args: { seat: '12A' } })).toBe('ok')
    expect(verdict(prose, 't', { args: { seat: '14C' } })).toBe('ok')
    expect(verdict(seats, 't', { args: { seat: '12A' }, tables: new Map([['free', ['14C']]]) })).toBe('flag')
  })

  proves(['ROS-23', 'ROS-23a'], 'a relation that does not exist is an error of the policy, with its place and a way out', () => {
    expect(`\n${errorsOf('version: 1\ncontracts: { tools: { t: { constraints: [{ kind: cmpp, op: le }] } } }')}\n`).toMatchInlineSnapshot(`
      "
      policy.contract_kind: there is no relation \`cmpp\`
       --> countersign.yaml:2:50
      2 | contracts: { tools: { t: { constraints: [{ kind: cmpp, op: le }] } } }
        |                                                  ^^^^
        = did you mean \`cmp\`? valid here: \`cmp\`, \`sum\`, \`present\`, \`requires\`, \`distinct\`, \`member\`, \`char_at\`, \`matches\`, \`subset\`, \`unique\`, \`known\`, \`unknown\`, \`any\`, \`cel\`
      "
    `)
  })
})

describe('what the floor says', () => {
  const flagged = () => {
    const input = { call: call('Read', { args: { limit: 0 } }), facts: facts(), policy: catalogue, state: emptySession(0) }
    const permit = { ...judge(catalogue, 'Read', { args: { limit: 0 } })[0], verdict: 'allow', advice: null } as never
    const layers = [
      { name: 'contract', enforcement: null, onError: 'ask' as const, evaluate: () => [...contracts.evaluate(input), permit] },
    ]
    const judgement = decide(input, layers, 'ask')
    return compose({
      judgement,
      verdict: judgement.verdict,
      resolutions: [],
      facts: facts(),
      policy: catalogue,
      call: input.call,
      callDigest: 'sha256:0',
      view: [],
      degraded: null,
      run: null,
      timings: { ingress: 0, facts: 0, layers: 0, resolve: 0, record: 0 },
    })
  }

  proves('ROS-1', 'a violation runs, and the agent is told in the words of the floor', () => {
    const decision = flagged()
    expect(decision.decision).toBe('flag')
    expect(replyTo(decision, false)).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        additionalContext:
          'Countersign: Tool-call conformance (advisory): the "Read" call appears nonconformant: ' +
          "missing required 'file_path'; limit(0) not gt 0.",
      },
    })
  })

  test('nothing to object to is silence, never a word of praise', () => {
    expect(judge(catalogue, 'Read', read({}))).toEqual([])
    expect(judge(catalogue, 'unknown', { args: {} })).toEqual([])
    expect(NO_OPINION).toEqual({ hookSpecificOutput: { hookEventName: 'PreToolUse' } })
  })

  proves('ROS-W9', 'a parameter may be called like what every object has', () => {
    const rules = policy(
      'contracts: { tools: { t: { params: [{ name: constructor, required: true }], constraints: [{ kind: present, fields: [toString, valueOf], count: 0 }] } } }',
    )
    expect(judge(rules, 't', { args: {} })[0]?.evidence).toEqual({
      violations: [{ rung: 'L2', constraint: null, text: "missing required 'constructor'" }],
    })
    expect(verdict(rules, 't', { args: { constructor: 'x' } })).toBe('ok')
    expect(verdict(rules, 't', { args: { constructor: 'x', toString: 1 } })).toBe('flag')
    expect(judge(rules, 'constructor', { args: {} })).toEqual([])
  })
})
