import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { callOf } from '../../test/support/calls.ts'
import { newStateDirectory } from '../../test/support/state-base.ts'
import { COMPILE } from '../cli/open.ts'
import type { ToolCall } from '../core/call.ts'
import { createDigester } from '../core/digest.ts'
import { type JsonObject, own } from '../core/json.ts'
import { compare } from '../core/verdict.ts'
import type { JudgeFunction } from '../judges/providers/provider.ts'
import { openGate } from '../open.ts'
import { type CompileOptions, compilePolicy } from '../policy/compile.ts'
import { sha256 } from '../policy/file.ts'
import { judgeDigest } from '../policy/judge-evidence.ts'
import { createFixedView } from '../view/fixed.ts'

const WORLD = { home: '/home/user', cwd: '/home/user/project', gate: ['/home/user/.countersign'] }

let home: string
beforeEach(() => {
  home = newStateDirectory()
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const call = (name: string, args: JsonObject): ToolCall => callOf(name, args, { principal: { agent: 'test', user: null }, cwd: WORLD.cwd })

const bash = (command: string) => call('Bash', { command })

function compiled(text: string, files: Readonly<Record<string, string>> = {}) {
  const readFile: NonNullable<CompileOptions['readFile']> = (name) =>
    Object.hasOwn(files, name) ? { text: files[name] ?? '' } : { problem: 'there is no such file' }
  return compilePolicy(`version: 1\ntool_families: [claude-code]\n${text}`, { ...COMPILE, path: null, sha256, readFile })
}

function open(
  text: string,
  { files = {}, judges = {} }: { files?: Readonly<Record<string, string>>; judges?: Readonly<Record<string, JudgeFunction>> } = {},
) {
  const result = compiled(text, files)
  if (!result.ok) throw new Error(JSON.stringify(result.errors))
  return openGate({
    home,
    policy: () => ({ policy: result.policy, degraded: null }),
    view: () => createFixedView(WORLD),
    judges: new Map(Object.entries(judges)),
  })
}

const HAZARDS = 'hazards: { packs: [core, git, cloud] }'
const ALL = 'resolves: [hazard, rules, policy, registry, capability, contract, roles]'

describe('the embedded judge', () => {
  proves('T50', 'accepts alone nothing that cannot be undone or fully told, whatever its thresholds and `permits` say', async () => {
    const judged = open(`${HAZARDS}\njudges: { local: { provider: embedded, min_score: 0, permits: any, ${ALL} } }`)
    const plain = open(HAZARDS)
    for (const command of [
      'rm -rf ~/notes',
      'git push --force origin main',
      'git reset --hard HEAD~3',
      'cat ~/.ssh/id_rsa',
      'npm publish',
      'eval "$X"',
      'source "$FILE"',
      'aws s3 rb s3://data --force',
      'kubectl delete namespace prod',
      'crontab jobs.txt',
      'curl http://169.254.169.254/latest/meta-data/',
    ]) {
      const [before, after] = [await plain.gate.decide(bash(command)), await judged.gate.decide(bash(command))]
      expect(compare(before.decision, 'ask'), command).toBeGreaterThanOrEqual(0)
      expect(after.decision, command).toBe(before.decision)
    }
    judged.close()
    plain.close()
  })

  test('settles an ask about what can be undone, or leaves it to a person; it denies nothing', async () => {
    const asking = (fields: string) =>
      `rules: { ask: [{ tool: Read, reason: look, resolvers: [judge, human] }], allow: [{ tool: "*" }] }\njudges: { local: { provider: embedded, resolves: [rules]${fields} } }`
    for (const [fields, verdict, code] of [
      ['', 'allow', 'judge.accepted'],
      [', min_score: 0.3', 'allow', 'judge.accepted'],
      [', min_score: 1', 'ask', 'judge.rejected'],
      [', min_score: 1, permits: any', 'ask', 'judge.rejected'],
      [', veto: { execution_safety: 1 }', 'ask', 'judge.rejected'],
      [', veto: { intent_alignment: 0.1 }', 'ask', 'judge.rejected'],
      [', max_payload_bytes: 16384', 'allow', 'judge.accepted'],
    ] as const) {
      const opened = open(asking(fields))
      const decision = await opened.gate.decide(call('Read', { file_path: '/home/user/project/a.txt' }))
      expect([fields, decision.decision, decision.resolutions[0]?.evidence.code]).toEqual([fields, verdict, code])
      opened.close()
    }
  })

  test('a call that is too large to be shown gets no answer of it', async () => {
    const opened = open(
      `rules: { ask: [{ tool: Read, reason: look, resolvers: [judge, human] }], allow: [{ tool: "*" }] }\njudges: { local: { provider: embedded, resolves: [rules], max_payload_bytes: 16384 } }`,
    )
    const decision = await opened.gate.decide(call('Read', { file_path: '/home/user/project/a.txt', note: 'x'.repeat(20_000) }))
    expect([decision.decision, decision.resolutions[0]?.evidence.code]).toEqual(['ask', 'judge.refused'])
    opened.close()
  })

  test('as a gate its rejection is a question for people, and its acceptance permits nothing', async () => {
    const gate = (least: string, rules: string) =>
      `${rules}judges: { local: { provider: embedded, min_score: ${least} } }\ntool_validation: [{ type: semantic, judge_agent: local }]`
    const allowing = 'rules: { allow: [{ tool: "*" }] }\n'
    for (const [text, command, verdict, code] of [
      [gate('0.99', allowing), 'ls', 'ask', 'judge.rejected'],
      [gate('0.1', allowing), 'ls', 'allow', null],
      [gate('0.1', 'rules: { deny: [{ tool: Bash, reason: no }] }\n'), 'ls', 'deny', null],
    ] as const) {
      const opened = open(text)
      const decision = await opened.gate.decide(bash(command))
      expect([
        decision.decision,
        decision.findings.find(({ layer, verdict: v }) => layer === 'judge' && v === 'ask')?.code ?? null,
      ]).toEqual([verdict, code])
      if (code !== null) expect(decision.findings.find((finding) => finding.code === code)?.resolvers).toEqual(['human'])
      opened.close()
    }
  })

  test('as the only gate judge it is warned of, beside another it is not', () => {
    const warnings = (text: string) => {
      const result = compiled(text)
      return result.ok ? result.policy.warnings.map(({ code }) => code).filter((code) => code === 'lint.judge_embedded') : ['broken']
    }
    const gates = (...names: readonly string[]) =>
      `tool_validation: [${names.map((name) => `{ type: semantic, judge_agent: ${name} }`).join()}]`
    const two = 'judges: { local: { provider: embedded }, other: { provider: function } }\n'
    expect(warnings(two + gates('local'))).toEqual(['lint.judge_embedded'])
    expect(warnings(two + gates('local', 'other'))).toEqual([])
    expect(warnings(two + gates('other'))).toEqual([])
    expect(warnings(two)).toEqual([])
  })

  test('the same call gets the same answer, with what weighs in it', async () => {
    const opened = open(
      `${HAZARDS}\nrules: { allow: [{ tool: "*" }] }\njudges: { local: { provider: embedded } }\ntool_validation: [{ type: semantic, judge_agent: local }]`,
    )
    const told = async () => {
      const decision = await opened.gate.decide(bash('sudo systemctl stop cron'))
      const evidence = decision.findings.find(({ layer }) => layer === 'judge')?.evidence ?? {}
      return [own(evidence, 'score'), own(evidence, 'confidence'), own(evidence, 'reasoning')]
    }
    const first = await told()
    expect(await told()).toEqual(first)
    expect(String(first[2])).toMatch(/embedded\/1-[0-9a-f]{12}: it weighs against it: /)
    opened.close()
  })
})

describe('a calibrated judge', () => {
  const POLICY = (fields: string) =>
    `rules: { ask: [{ tool: Read, reason: look, resolvers: [judge, human] }], allow: [{ tool: "*" }] }\njudges: { j: { provider: function, resolves: [rules], ${fields} } }`
  const digest = ((): string => {
    const result = compiled(POLICY('min_score: 0.7'))
    if (!result.ok) throw new Error('broken')
    const { named } = result.policy.judges
    const judge = named.get('j')
    return judge === undefined ? '' : judgeDigest(judge, named, createDigester(sha256))
  })()
  const evidence = (change: JsonObject = {}): string =>
    JSON.stringify({
      schema: 'countersign/judge-evidence/v1',
      judge: { name: 'j', digest },
      data: { digest: 'sha256:x', attacks: 1, benign: 1, unanswered: 0 },
      thresholds: { recall: 1, false_positive_rate: 0, min_score: 0.5, min_confidence: 0 },
      raw_thresholds: { min_score: 0.5, min_confidence: 0 },
      // A judge that says 0.9 of everything: worth 0.5 from there on.
      calibration: {
        method: 'isotonic',
        intercept: 0,
        slopes: [1, 0],
        steps: [
          [0.8, 0.1],
          [0.9, 0.5],
          [1, 0.95],
        ],
      },
      ...change,
    })
  const said =
    (score: number): JudgeFunction =>
    () => ({ score, confidence: 1, reasoning: 'as ever' })

  for (const [score, probability, verdict] of [
    [0.9, 0.5, 'deny'],
    [0.95, 0.725, 'allow'],
    [0.5, 0.1, 'deny'],
    [1, 0.95, 'allow'],
  ] as const) {
    test(`a score of ${score} counts as ${probability} before the thresholds, and both are recorded`, async () => {
      const opened = open(POLICY('min_score: 0.7, calibration: e.json'), { files: { 'e.json': evidence() }, judges: { j: said(score) } })
      const decision = await opened.gate.decide(call('Read', { file_path: '/home/user/project/a.txt' }))
      const told = decision.resolutions[0]?.evidence ?? {}
      expect([decision.decision, own(told, 'raw_score')]).toEqual([verdict, score])
      expect(own(told, 'score')).toBeCloseTo(probability, 9)
      opened.close()
    })
  }

  test('the file belongs to the digest of the policy and is watched with it', () => {
    const of = (text: string) => {
      const result = compiled(POLICY('min_score: 0.7, calibration: e.json'), { 'e.json': text })
      return result.ok ? [result.policy.digest, result.policy.files] : []
    }
    expect(of(evidence())[1]).toEqual(['e.json'])
    expect(of(evidence())[0]).toBe(of(evidence())[0])
    expect(of(evidence())[0]).not.toBe(of(evidence({ calibration: null }))[0])
  })

  for (const [name, files, message] of [
    ['a file that is not there', {}, 'there is no such file'],
    ['one that is malformed', { 'e.json': '{}' }, 'no `countersign/judge-evidence/v1`'],
    ['one of another judge', { 'e.json': evidence({ judge: { name: 'k', digest: 'sha256:k' } }) }, 'the judge `k`'],
    [
      'one of this judge with other criteria',
      { 'e.json': evidence({ judge: { name: 'j', digest: 'sha256:old' } }) },
      '`j` as it was before',
    ],
    ['one that turns scores round', { 'e.json': evidence({ calibration: { method: 'platt', intercept: 0, slopes: [-1, 0] } }) }, 'below 0'],
  ] as const) {
    test(`refused: ${name}`, () => {
      const result = compiled(POLICY('calibration: e.json'), files)
      expect(result.ok ? [] : result.errors.map((error) => error.code)).toEqual(['policy.judge_file'])
      expect(result.ok ? '' : result.errors[0]?.message).toContain(message)
    })
  }
})
