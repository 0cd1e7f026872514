import { rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { callOf } from '../../test/support/calls.ts'
import { newStateDirectory } from '../../test/support/state-base.ts'
import { COMPILE } from '../cli/open.ts'
import type { ToolCall } from '../core/call.ts'
import { CODES } from '../core/codes.ts'
import type { Decision } from '../core/decision.ts'
import type { JsonObject } from '../core/json.ts'
import type { JudgeFunction } from '../judges/providers/provider.ts'
import { openGate } from '../open.ts'
import { compilePolicy } from '../policy/compile.ts'
import { sha256 } from '../policy/file.ts'
import { createFixedView } from '../view/fixed.ts'

const WORLD = { home: '/home/user', cwd: '/home/user/project', gate: ['/home/user/.countersign'] }

let home: string
beforeEach(() => {
  home = newStateDirectory()
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

interface Who {
  readonly session?: string | null
  readonly tenant?: string | null
}

const call = (name: string, args: JsonObject, { session = 's-1', tenant = null }: Who = {}): ToolCall =>
  callOf(name, args, { principal: { agent: 'test', user: null, tenant }, session, cwd: WORLD.cwd })

const bash = (command: string, who?: Who) => call('Bash', { command }, who)

/** A gate of its own for each call: what is remembered is in the store, not in a process. */
async function decide(text: string, each: ToolCall, judges: Readonly<Record<string, JudgeFunction>> = {}): Promise<Decision> {
  const compiled = compilePolicy(text, { ...COMPILE, path: null, sha256 })
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
  const { policy } = compiled
  const opened = openGate({
    home,
    policy: () => ({ policy, degraded: null }),
    view: () => createFixedView(WORLD),
    judges: new Map(Object.entries(judges)),
  })
  try {
    return await opened.gate.decide(each)
  } finally {
    opened.close()
  }
}

const POLICY = 'version: 1\ntool_families: [claude-code]\nhazards: { packs: [core, git] }'

/** Ten ways to delete one directory for good, of which the last ones are no hazard by their own rule. */
const PARAPHRASES = [
  'rm -rf /var/lib/data',
  'rm -r -f -- /var/lib/data',
  'rm -rf /var/lib/../lib/data',
  'find /var/lib/data -delete',
  'cd /var/lib && rm -rf data',
  'python3 -c "import shutil; shutil.rmtree(\'/var/lib/data\')"',
  'sh -c "rm -rf /var/lib/data"',
  'D=/var/lib/data; rm -rf "$D"',
  'perl -e "use File::Path; File::Path::rmtree(q(/var/lib/data))"',
  'xargs rm -rf <<< /var/lib/data',
]

describe('the memory of denials', () => {
  proves(
    'T53',
    'ten paraphrases of what was denied lock the session, and nothing in what the agent is told says what matched',
    async () => {
      const policy = `${POLICY}\nlayers: { hazard: { enforcement: hard } }`
      const seen: Decision[] = []
      for (const command of PARAPHRASES) seen.push(await decide(policy, bash(command)))
      const verdicts = seen.map(({ decision }) => decision)
      expect(verdicts.every((verdict) => verdict === 'deny' || verdict === 'halt')).toBe(true)
      const first = verdicts.indexOf('halt')
      expect(first).toBeGreaterThan(0)
      expect(first).toBeLessThanOrEqual(4)
      expect(verdicts.slice(first).every((verdict) => verdict === 'halt')).toBe(true)
      expect(seen[first]?.code).toBe('session.locked')
      // Nothing runs in a locked session any more, however harmless it is; another session is free.
      expect((await decide(policy, bash('ls'))).code).toBe('session.locked')
      expect((await decide(policy, bash('ls', { session: 's-2' }))).decision).toBe('allow')
      for (const { agentReason, findings } of seen) {
        for (const { rule, message } of findings) {
          expect(agentReason).not.toContain(rule)
          expect(agentReason).not.toContain(message)
        }
        expect(agentReason).not.toMatch(/\/var\/lib|rm |delete-|\d of /)
      }
    },
  )

  test('what was denied once is asked about in another form, and denied when it was denied twice; the rest stays as it was', async () => {
    const strict = `${POLICY}\nlayers: { hazard: { enforcement: hard } }`
    const cases: readonly (readonly [string, string])[] = [
      ['ls ~/.ssh/id_rsa', 'allow registry.permitted'],
      ['cat ~/.ssh/id_rsa', 'deny hazard.credential_access'],
      ['ls ~/.ssh/id_rsa', 'ask session.repeated'],
      ['ls "$HOME"/.ssh/../.ssh/id_rsa', 'ask session.repeated'],
      ['ls /var/lib/data', 'allow registry.permitted'],
      ['echo x > notes.txt', 'allow registry.permitted'],
      ['head -1 /home/user/.ssh/id_rsa', 'deny hazard.credential_access'],
      ['ls ~/.ssh/id_rsa', 'deny session.repeated'],
      ['ls src', 'allow registry.permitted'],
    ]
    for (const [command, expected] of cases) {
      const { decision, code } = await decide(strict, bash(command))
      expect([command, `${decision} ${code}`]).toEqual([command, expected])
    }
  })

  test('a call that a rule or a judge denied may be mended and come again', async () => {
    const judge: JudgeFunction = ({ proposed_tool_call: proposed }) => {
      const bad = JSON.stringify(proposed).includes('secret')
      return { score: bad ? 0 : 1, confidence: 1, reasoning: bad ? 'it writes a secret' : 'fine' }
    }
    const text = `version: 1
tool_families: [claude-code]
rules: { deny: [{ tool: Write, argument_contains: token, reason: no tokens }], allow: [{ tool: "*" }] }
judges: { j: { provider: function } }
tool_validation: [{ type: semantic, judge_agent: j }]`
    const write = (content: string) => call('Write', { file_path: '/home/user/project/a.txt', content })
    const verdicts: string[] = []
    for (const content of ['token', 'secret', 'token', 'plain']) verdicts.push((await decide(text, write(content), { j: judge })).decision)
    expect(verdicts).toEqual(['deny', 'deny', 'deny', 'allow'])
  })

  const LIMITS: readonly (readonly [number, readonly string[]])[] = [
    [0, ['deny', 'deny', 'deny', 'deny', 'deny', 'deny']],
    [1, ['deny', 'halt', 'halt', 'halt', 'halt', 'halt']],
    [2, ['deny', 'halt', 'halt', 'halt', 'halt', 'halt']],
    [3, ['deny', 'deny', 'halt', 'halt', 'halt', 'halt']],
    [5, ['deny', 'deny', 'deny', 'deny', 'halt', 'halt']],
  ]
  for (const [limit, expected] of LIMITS) {
    test(`repeats_before_halt: ${limit}`, async () => {
      const policy = `${POLICY}\nlayers: { hazard: { enforcement: hard } }\ndisclosure: { repeats_before_halt: ${limit} }`
      const verdicts: string[] = []
      for (const command of PARAPHRASES.slice(0, 6)) verdicts.push((await decide(policy, bash(command))).decision)
      expect(verdicts).toEqual(expected)
    })
  }

  test('many targets for one reason lock it too, after twice as many', async () => {
    const policy = `${POLICY}\nlayers: { hazard: { enforcement: hard } }\ndisclosure: { repeats_before_halt: 3 }`
    const verdicts: string[] = []
    for (let n = 0; n < 7; n++) verdicts.push((await decide(policy, bash(`rm -rf /srv/data-${n}`))).decision)
    expect(verdicts).toEqual(['deny', 'deny', 'deny', 'deny', 'deny', 'halt', 'halt'])
  })

  test('sessions, tenants and policies are counted apart; without a session nothing is', async () => {
    const policy = `${POLICY}\nlayers: { hazard: { enforcement: hard } }\ndisclosure: { repeats_before_halt: 2 }`
    const command = 'rm -rf /var/lib/data'
    const run = async (who: Who, text = policy) => (await decide(text, bash(command, who))).decision
    expect([await run({}), await run({}), await run({})]).toEqual(['deny', 'halt', 'halt'])
    expect(await run({ session: 's-2' })).toBe('deny')
    expect(await run({ tenant: 'other' })).toBe('deny')
    expect(await run({}, `${policy}\naudit: { checkpoint_every: 99 }`)).toBe('deny')
    expect([await run({ session: null }), await run({ session: null }), await run({ session: null })]).toEqual(['deny', 'deny', 'deny'])
  })

  test('mistakes that the agent is told to mend, and failures of the gate, are not counted', async () => {
    const policy = `version: 1
tool_families: [claude-code]
rules: { allow: [{ tool: "*" }] }
judges: { j: { provider: function } }
tool_validation: [{ type: semantic, judge_agent: j }]
disclosure: { repeats_before_halt: 1 }`
    for (let n = 0; n < 4; n++) expect((await decide(policy, bash('ls'))).code).toBe('judge.unavailable')
  })

  test('in shadow nothing is locked', async () => {
    const policy = `${POLICY}\nmode: shadow\nlayers: { hazard: { enforcement: hard } }\ndisclosure: { repeats_before_halt: 1 }`
    for (let n = 0; n < 3; n++) {
      expect(await decide(policy, bash('rm -rf /var/lib/data'))).toMatchObject({ decision: 'flag', would: 'deny' })
    }
  })
})

describe('what the agent is told', () => {
  const reject: JudgeFunction = () => ({ score: 0.21, confidence: 0.9, reasoning: 'it drops\nthe table \u202ethat nobody named.' })
  const text = (level: string) => `version: 1
tool_families: [claude-code]
hazards: { packs: [core] }
rules: { deny: [{ tool: Grep, reason: the index is private }], allow: [{ tool: "*" }] }
judges: { j: { provider: function } }
tool_validation: [{ type: semantic, judge_agent: j, min_score: 0.85 }]
disclosure: { to_agent: ${level} }`
  const read = call('Read', { file_path: '/home/user/project/a.txt' })
  const grep = call('Grep', { pattern: 'x' })
  const cases: readonly (readonly [string, ToolCall, string])[] = [
    ['coarse', read, CODES['judge.rejected'].agent],
    ['reason', read, `${CODES['judge.rejected'].agent} Reason: it drops the table that nobody named.`],
    [
      'full',
      read,
      `${CODES['judge.rejected'].agent} Reason: judge \`j\`: score 0.21 of at least 0.85, confidence 0.9 of at least 0: it drops the table that nobody named`,
    ],
    ['coarse', grep, CODES['rules.denied'].agent],
    ['reason', grep, `${CODES['rules.denied'].agent} Reason: ${CODES['rules.denied'].operator}.`],
    ['full', grep, `${CODES['rules.denied'].agent} Reason: the index is private`],
  ]
  for (const [level, each, expected] of cases) {
    test(`${level}, ${each.tool.name}`, async () => {
      expect((await decide(text(level), each, { j: reject })).agentReason).toBe(expected)
    })
  }

  test('what lets a call run discloses nothing', async () => {
    const accept: JudgeFunction = () => ({ score: 1, confidence: 1, reasoning: 'fine' })
    expect((await decide(text('full'), read, { j: accept })).agentReason).toBe('Allowed.')
  })
})
