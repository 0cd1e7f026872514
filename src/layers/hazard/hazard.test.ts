import { rmSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newStateDirectory } from '../../../test/support/state-base.ts'
import { COMPILE } from '../../cli/open.ts'
import type { ToolCall } from '../../core/call.ts'
import type { Verdict } from '../../core/verdict.ts'
import { callFromJson } from '../../ingress/call.ts'
import { analyseCall, digester, openGate } from '../../open.ts'
import { compilePolicy } from '../../policy/compile.ts'
import { DEFAULT_POLICY } from '../../policy/default.ts'
import { sha256 } from '../../policy/file.ts'
import { emptySession } from '../../session/state.ts'
import { createFixedView } from '../../view/fixed.ts'
import { HAZARD_RULES, hazard } from './index.ts'
import { PACKS } from './packs/index.ts'
import type { Example, HazardRule } from './rule.ts'

/** Every rule of every pack: what meets it, what does not, what is safe instead, and at which level it is bound. */

function policyOf(more = '') {
  const compiled = compilePolicy(DEFAULT_POLICY + more, { ...COMPILE, path: null, sha256 })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  return compiled.policy
}

const shipped = policyOf()
const state = emptySession(0)
const files = {
  '/home/user/project/README.md': '',
  '/home/user/project/scripts/start.sh': '"$JAVACMD" -jar app.jar\n',
  '/home/user/project/scripts/clean.sh': 'rm -rf "$OUT_DIR"\n',
}
// One file is as its repository has it.
const committed = { '/home/user/project/README.md': '' }
const git = { '/home/user/project': { top: '/home/user/project', branch: 'main', remotes: {}, aliases: {} } }
const view = () =>
  createFixedView({ home: '/home/user', cwd: '/home/user/project', files, git, committed, digest: (text) => `sha256:${text.length}` })

function callOf(example: Example): ToolCall {
  const { tool, args } = typeof example === 'string' ? { tool: 'Bash', args: { command: example } } : example
  const read = callFromJson({ tool, args, cwd: '/home/user/project' }, { digester })
  if (!read.ok) throw new Error(read.refusal.message)
  return read.call
}

/** Ids and verdicts of the hazard rules that a call meets. */
function hazards(example: Example, policy = shipped) {
  const call = callOf(example)
  return hazard.evaluate({ call, facts: analyseCall(call, view(), { state, policy }), policy, state })
}

const shown = (example: Example) => (typeof example === 'string' ? example : `${example.tool} ${JSON.stringify(example.args)}`)

for (const pack of PACKS) {
  describe(`pack ${pack.name}`, () => {
    for (const rule of pack.rules) {
      for (const example of rule.examples.match) {
        test(`${rule.id} matches: ${shown(example)}`, () => expect(hazards(example).map((found) => found.rule)).toContain(rule.id))
      }
      for (const example of rule.examples.not_match) {
        test(`${rule.id} leaves alone: ${shown(example)}`, () => expect(hazards(example).map((found) => found.rule)).not.toContain(rule.id))
      }
    }
  })
}

test('ids are unique, and every rule says what is dangerous and shows what meets it and what does not', () => {
  expect(new Set(HAZARD_RULES.map(({ id }) => id)).size).toBe(HAZARD_RULES.length)
  for (const { id, reason, examples } of HAZARD_RULES) {
    expect([id, reason.length > 10, examples.match.length > 0, examples.not_match.length > 0]).toEqual([id, true, true, true])
  }
})

const ORDER: readonly Verdict[] = ['abstain', 'allow', 'flag', 'ask', 'deny', 'halt']
const VERDICTS = { advisory: 'flag', soft: 'ask', hard: 'deny' } as const

describe('through the gate, with the policy that ships', () => {
  let home: string
  let opened: ReturnType<typeof openGate>
  beforeAll(() => {
    home = newStateDirectory()
    opened = openGate({ home, policy: () => ({ policy: shipped, degraded: null }), view })
  })
  afterAll(() => {
    opened.close()
    rmSync(home, { recursive: true, force: true })
  })

  const judged = async (example: Example) => (await opened.gate.decide(callOf(example))).decision

  test('what is safe instead passes, of every rule', async () => {
    const stopped: string[] = []
    let passed = 0
    for (const { id, safer } of HAZARD_RULES) {
      const decision = await judged(safer)
      if (decision === 'allow' || decision === 'flag') passed += 1
      else stopped.push(`${id}: ${decision} ${shown(safer)}`)
    }
    expect(stopped).toEqual([])
    expect(passed).toBe(HAZARD_RULES.length)
  })

  test('the first example of every rule is stopped at least at its level', async () => {
    const milder: string[] = []
    for (const { id, level, examples } of HAZARD_RULES) {
      const decision = await judged(examples.match[0] ?? '')
      if (ORDER.indexOf(decision) < ORDER.indexOf(VERDICTS[level])) milder.push(`${id}: ${decision}`)
    }
    expect(milder).toEqual([])
  })
})

describe('levels', () => {
  const levelled = new Map((['off', 'advisory', 'soft', 'hard'] as const).map((level) => [level, policyOf(all(level))]))
  /** Every rule at this level, each by its own id. */
  function all(level: string): string {
    return `\nhazards:\n  rules:\n${HAZARD_RULES.map(({ id }) => `    ${id}: ${level}\n`).join('')}`
  }
  const at = (rule: HazardRule, level: 'off' | 'advisory' | 'soft' | 'hard') =>
    hazards(rule.examples.match[0] ?? '', levelled.get(level)).find((found) => found.rule === rule.id)?.verdict ?? null
  for (const [level, verdict] of [
    ['off', null],
    ['advisory', 'flag'],
    ['soft', 'ask'],
    ['hard', 'deny'],
  ] as const) {
    test(`every rule can be bound at \`${level}\``, () =>
      expect(HAZARD_RULES.map((rule) => [rule.id, at(rule, level)])).toEqual(HAZARD_RULES.map((rule) => [rule.id, verdict])))
  }

  for (const pack of PACKS) {
    test(`without the pack \`${pack.name}\` none of its rules speaks, and those of the others do`, () => {
      const others = PACKS.filter((other) => other !== pack)
      const policy = policyOf(`\nhazards:\n  packs: [${others.map(({ name }) => name).join(', ')}]\n`)
      const speaks = (rule: HazardRule) => hazards(rule.examples.match[0] ?? '', policy).some((found) => found.rule === rule.id)
      expect(pack.rules.filter(speaks).map(({ id }) => id)).toEqual([])
      expect(
        others
          .flatMap(({ rules }) => rules)
          .filter((rule) => !speaks(rule))
          .map(({ id }) => id),
      ).toEqual([])
    })
  }
})
