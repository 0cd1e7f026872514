import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createDigester } from '../../core/digest.ts'
import { EVIDENCE_SCHEMA, judgeDigest } from '../judge-evidence.ts'
import { errorsOf, policy } from '../testing/compiled.ts'

const judge = (fields: string) => `version: 1\njudges: { j: { ${fields} } }`
const MODEL = 'provider: anthropic, model: claude-x'
const toolsOf = (written: string) => policy(judge(`${MODEL}, tools: ${written}`)).judges.named.get('j')?.tools

describe('tools of a judge', () => {
  test('a list is enough; what is left out is bounded', () => {
    expect(toolsOf('[read_file, grep]')).toEqual({
      allow: ['read_file', 'grep'],
      commands: [],
      mounts: [],
      programs: [],
      copy: false,
      maxSteps: 8,
      timeoutMs: 60_000,
      memoryBytes: 2_147_483_648,
      outputBytes: 32_768,
      spaceBytes: 536_870_912,
    })
    expect(policy(judge(MODEL)).judges.named.get('j')?.tools).toBeNull()
  })

  test('every limit can be set', () => {
    const text = `{ allow: [cmd.run], commands: ['node --test', ' terraform  plan * '], mounts: [/work, /data/], programs: [/opt/tf],
      copy: true, max_steps: 3, seconds: 9, memory_mb: 64, output_kb: 1, space_mb: 2 }`
    expect(toolsOf(text)).toEqual({
      allow: ['cmd.run'],
      commands: [
        ['node', '--test'],
        ['terraform', 'plan', '*'],
      ],
      mounts: ['/work', '/data'],
      programs: ['/opt/tf'],
      copy: true,
      maxSteps: 3,
      timeoutMs: 9_000,
      memoryBytes: 67_108_864,
      outputBytes: 1_024,
      spaceBytes: 2_097_152,
    })
  })

  const ERRORS: readonly (readonly [string, string])[] = [
    [`${MODEL}, tools: []`, 'names no tool'],
    [`${MODEL}, tools: [bash]`, 'policy.wrong_value'],
    [`${MODEL}, tools: [read_file, Read]`, 'policy.wrong_value'],
    [`${MODEL}, tools: { commands: [ls] }`, '`allow` is missing'],
    [`${MODEL}, tools: { allow: [cmd.run] }`, '`cmd.run` needs `commands`'],
    [`${MODEL}, tools: [cmd.run]`, '`cmd.run` needs `commands`'],
    [`${MODEL}, tools: { allow: [grep], commands: [ls] }`, '`commands` needs `cmd.run`'],
    [`${MODEL}, tools: { allow: [grep], copy: true }`, '`copy` needs `cmd.run`'],
    [`${MODEL}, tools: { allow: [cmd.run], commands: ['*'] }`, 'a command starts with a program'],
    [`${MODEL}, tools: { allow: [cmd.run], commands: [' '] }`, 'a command starts with a program'],
    [`${MODEL}, tools: { allow: [cmd.run], commands: ['git * push'] }`, 'is not last'],
    [`${MODEL}, tools: { allow: [grep], mounts: [work] }`, 'no absolute path'],
    [`${MODEL}, tools: { allow: [grep], mounts: [/] }`, 'no absolute path'],
    [`${MODEL}, tools: { allow: [grep], mounts: [/work/../etc] }`, 'no absolute path'],
    [`${MODEL}, tools: { allow: [grep], mounts: [//work] }`, 'no absolute path'],
    [`${MODEL}, tools: { allow: [grep], mounts: [~/work] }`, 'no absolute path'],
    [`${MODEL}, tools: { allow: [grep], programs: [bin] }`, 'no absolute path'],
    [`${MODEL}, tools: { allow: [grep], max_steps: 0 }`, 'policy.wrong_type'],
    [`${MODEL}, tools: { allow: [grep], memory_mb: 1 }`, 'policy.wrong_type'],
    [`${MODEL}, tools: { allow: [grep], network: true }`, 'policy.unknown_field'],
    ['provider: function, tools: [grep]', '`tools` does nothing'],
    ['provider: command, command: [/bin/j], tools: [grep]', '`tools` does nothing'],
    ['provider: function, stream: true', '`stream` does nothing'],
    [`${MODEL}, tools: [grep], cache: { seconds: 5 }`, '`cache` does nothing'],
    [`${MODEL}, cache: { seconds: 0 }`, 'policy.wrong_type'],
    [`${MODEL}, cache: 5`, 'policy.wrong_type'],
    [`${MODEL}, mode: watch`, 'policy.wrong_value'],
    [`${MODEL}, advises: [rules]`, 'policy.wrong_value'],
    ['provider: google', 'needs `model`'],
    ['provider: ai-sdk, model: x', 'needs `module`'],
    ["provider: ai-sdk, module: { name: '@ai-sdk/groq', export: groq }", 'needs `model`'],
    ['provider: ai-sdk, model: x, module: { name: ./evil, export: x }', 'no name of a package'],
    ['provider: ai-sdk, model: x, module: { name: /tmp/evil, export: x }', 'no name of a package'],
    ['provider: ai-sdk, model: x, module: { name: "file:///tmp/x.js", export: x }', 'no name of a package'],
    ['provider: ai-sdk, model: x, module: { name: "node:vm", export: x }', 'no name of a package'],
    ['provider: ai-sdk, model: x, module: { name: "a/../../b", export: x }', 'no name of a package'],
    ['provider: ai-sdk, model: x, module: { name: groq }', '`export` is missing'],
  ]
  for (const [fields, expected] of ERRORS) test(`${fields}: ${expected}`, () => expect(errorsOf(judge(fields))).toContain(expected))

  test('other fields of a judge', () => {
    const one = (fields: string) => policy(judge(fields)).judges.named.get('j')
    expect(one(`${MODEL}, cache: { seconds: 5, irreversible: true }`)?.cache).toEqual({ ms: 5_000, irreversible: true })
    expect(one(`${MODEL}, cache: {}`)?.cache).toEqual({ ms: 600_000, irreversible: false })
    expect([one(MODEL)?.cache, one(MODEL)?.mode, one(MODEL)?.stream]).toEqual([null, 'enforce', false])
    expect(one("provider: ai-sdk, model: m, module: { name: '@ai-sdk/groq', export: groq }")?.module).toEqual({
      name: '@ai-sdk/groq',
      export: 'groq',
    })
    expect(policy(judge('provider: function, advises: [contract]')).judges.advisers.map(({ name }) => name)).toEqual(['j'])
  })

  test('what a judge may look at makes another judge of it', () => {
    const digester = createDigester((text) => createHash('sha256').update(text).digest('hex'))
    const digests = ['', ', tools: [grep]', ', tools: [read_file]', ', tools: { allow: [grep], max_steps: 3 }'].map((fields) => {
      const { named } = policy(judge(`${MODEL}${fields}`)).judges
      const j = named.get('j')
      return j === undefined ? '' : judgeDigest(j, named, digester)
    })
    expect(new Set(digests).size).toBe(4)
  })
})

describe('evidence', () => {
  const digester = createDigester((text) => createHash('sha256').update(text).digest('hex'))
  const evidence = (fields: string) => {
    const { named } = policy(judge(fields)).judges
    const j = named.get('j')
    if (j === undefined) throw new Error('no judge')
    return JSON.stringify({
      schema: EVIDENCE_SCHEMA,
      judge: { name: 'j', digest: judgeDigest(j, named, digester) },
      data: { digest: 'sha256:1', attacks: 10, benign: 20, unanswered: 0 },
      thresholds: { recall: 0.9, false_positive_rate: 0.05, min_score: 0.95, min_confidence: 0.9 },
      raw_thresholds: { min_score: 0.8, min_confidence: 0.1 },
    })
  }
  const text = evidence(MODEL)
  const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`
  const readFile = (name: string) => (name === 'e.json' ? { text } : { problem: 'there is no such file' })
  const lints = (fields: string) =>
    policy(judge(fields), { readFile })
      .warnings.map(({ code }) => code.replace('lint.', ''))
      .filter((code) => code.startsWith('judge'))

  const WARNED: readonly (readonly [string, string])[] = [
    [MODEL, 'judge_evidence'],
    [`${MODEL}, mode: shadow`, ''],
    [`${MODEL}, mode: enforce`, 'judge_evidence'],
    [`${MODEL}, evidence: { file: e.json }, min_score: 0.8, min_confidence: 0.1`, ''],
    [`${MODEL}, evidence: { file: e.json }, min_score: 0.9, min_confidence: 0.5`, ''],
    [`${MODEL}, evidence: { file: e.json }, min_score: 0.79, min_confidence: 0.1`, 'judge_laxer'],
    [`${MODEL}, evidence: { file: e.json }, min_score: 0.8, min_confidence: 0`, 'judge_laxer'],
    [`${MODEL}, evidence: { file: e.json, digest: '${digest}' }, min_score: 0.8, min_confidence: 0.1`, ''],
  ]
  for (const [fields, expected] of WARNED)
    test(`${fields.slice(MODEL.length)}: ${expected || 'no warning'}`, () => expect(lints(fields).join()).toBe(expected))

  const REFUSED: readonly (readonly [string, string])[] = [
    [`${MODEL}, evidence: { file: none.json }`, 'there is no such file'],
    [`${MODEL}, evidence: { file: e.json, digest: 'sha256:0' }`, 'is not the file of this digest'],
    [`${MODEL}, evidence: { digest: '${digest}' }`, '`file` is missing'],
    [`${MODEL}, criteria: other, evidence: { file: e.json }`, 'it was measured on'],
    ['provider: anthropic, model: claude-y, evidence: { file: e.json }', 'it was measured on'],
  ]
  for (const [fields, expected] of REFUSED) {
    test(`${fields.slice(0, 90)}: ${expected}`, () => expect(errorsOf(judge(fields), { readFile })).toContain(expected))
  }
})
