/** Tools of a program with a preview mode of their own: judged first, shown, bound into the yes, and never taken for harmless prose. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { temporaryDirectory } from '../../../test/support/records.ts'
import { policy } from '../../policy/testing/compiled.ts'
import { openEngine } from './engine.ts'
import { CallRefused } from './errors.ts'
import type { PreviewMode } from './previews.ts'

const TOOL = 'unregistered: allow\nhazards: { packs: [] }\n'
const ASKS =
  'rules: { allow: [{ tool: deploy, when: \'"mode" in args && args.mode == "preview"\', reason: looks }], ask: [{ tool: deploy, when: \'!("mode" in args)\', reason: careful }] }\n'
const SECTION = 'preview: { run: always, require_dryrun_supported: true, time: 1s, ask_above: { rows: 5 } }\n'

function place(mode: PreviewMode | undefined, rules = ASKS) {
  const ran: unknown[] = []
  const compiled = policy(`${TOOL}${rules}${SECTION}`)
  const gate = openEngine({ home: temporaryDirectory(), policy: () => ({ policy: compiled, degraded: null }) })
  onTestFinished(() => gate.close())
  const deploy = gate.wrap((args: object) => ran.push(args), { name: 'deploy', ...(mode === undefined ? {} : { preview: mode }) })
  const refused = async (): Promise<string> => {
    try {
      await deploy({ to: 'production' })
      return 'ran'
    } catch (error) {
      if (error instanceof CallRefused) return error.code
      throw error
    }
  }
  const waiting = () => gate.approvals.list({ tenant: null, status: 'pending' }).approvals
  return { gate, ran, refused, waiting }
}

const FREE = 'rules: { allow: [{ tool: deploy, when: "true", reason: fine }] }\n'

describe('a preview mode', () => {
  proves(['SIG-21', 'P6'], 'runs before people are asked, is shown to them, and their yes holds while it says the same', async () => {
    const modes: unknown[] = []
    let rows = 3
    const { gate, ran, refused, waiting } = place((args) => {
      modes.push(args)
      return { rows, says: 'three rows change' }
    })
    expect(await refused()).toBe('rules.asked')
    const [asked] = waiting()
    expect([modes, ran]).toEqual([[{ to: 'production', mode: 'preview' }], []])
    expect(asked?.sheet.preview).toMatchObject({ kind: 'tool', output: expect.stringContaining('three rows change') })
    await gate.approve(asked?.id ?? '', { by: 'human:alice' })
    rows = 4
    expect(await refused()).toMatch(/^(?:rules\.asked|approval\.stale)$/)
    await gate.approve(waiting()[0]?.id ?? '', { by: 'human:alice' })
    expect([await refused(), ran]).toEqual(['ran', [{ to: 'production' }]])
  })

  const CASES: readonly (readonly [title: string, mode: PreviewMode | undefined, rules: string, says: string])[] = [
    ['that tells little lets the call run', () => ({ rows: 1 }), FREE, 'ran'],
    ['that tells of much asks', () => ({ rows: 6 }), FREE, 'preview.size'],
    ['that only has prose is no answer', () => 'nothing happens', FREE, 'preview.unsupported'],
    ['whose fields are words is no answer', () => ({ rows: 'none' }), FREE, 'preview.failed'],
    ['whose effects have no form is no answer', () => ({ effects: [{ verb: 'nothing' }] }), FREE, 'preview.failed'],
    ['that throws is no answer', () => Promise.reject(new Error('away')), FREE, 'preview.failed'],
    ['that never ends is no answer', () => new Promise(() => {}), FREE, 'preview.failed'],
    ['is missed where the policy wants one', undefined, FREE, 'preview.unsupported'],
    [
      'that deletes is judged as what deletes',
      () => ({ effects: [{ verb: 'delete', action: 'db:drop', target: { kind: 'database', value: 'shop' } }] }),
      'rules: { allow: [{ tool: deploy, when: "true", reason: fine }], deny: [{ when: \'effects.exists(e, e.verb == "delete")\', reason: nothing goes }] }\n',
      'rules.denied',
    ],
  ]
  for (const [title, mode, rules, says] of CASES)
    test(title, async () => {
      const { ran, refused } = place(mode, rules)
      expect([await refused(), ran.length]).toEqual([says, says === 'ran' ? 1 : 0])
    })

  test('does not run where the gate does not let it', async () => {
    let looked = 0
    const denies =
      'rules: { allow: [{ tool: deploy, when: "true", reason: fine }], deny: [{ tool: deploy, when: \'"mode" in args && args.mode == "preview"\', reason: no }] }\n'
    const { refused } = place(() => ({ rows: ++looked }), denies)
    expect([await refused(), looked]).toEqual(['preview.unsupported', 0])
  })
})
