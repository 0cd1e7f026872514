/** A gate over the real machine: a command is tried out, people see what it would do, and their yes holds for exactly that. */
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { bash, callOf } from '../test/support/calls.ts'
import { temporaryDirectory } from '../test/support/records.ts'
import { triedOut } from '../test/support/trials.ts'
import { policyOf } from '../test/support/workplace.ts'
import type { StoredApproval } from './approvals/store.ts'
import type { JsonObject } from './core/json.ts'
import { openGate } from './open.ts'

const ASK = 'rules: { ask: [{ tool: Bash, reason: careful }, { tool: Write, reason: careful }] }\n'

function place(section: string) {
  const [home, made] = [temporaryDirectory(), temporaryDirectory()]
  const work = realpathSync(made)
  mkdirSync(join(work, 'build'))
  writeFileSync(join(work, 'build', 'a.js'), 'one\n')
  writeFileSync(join(work, 'notes.txt'), 'first\n')
  const { gate, queue, close } = openGate({ home, policy: () => ({ policy: policyOf(section), degraded: null }) })
  onTestFinished(() => close())
  const decide = (command: string) => gate.decide(bash(command, { cwd: work }))
  const stored = (id: string | undefined): StoredApproval => {
    const found = queue.show(id ?? '', { tenant: null })
    if (found === null) throw new Error(`there is no ${id}`)
    return found
  }
  const approve = (id: string) => queue.answer(id, { tenant: null, by: 'human:alice', verdict: 'approve' })
  return { gate, work, decide, stored, approve }
}

const previewIn = ({ sheet }: StoredApproval): JsonObject => sheet.preview as JsonObject

describe('preview, approve, run', () => {
  triedOut('what was seen is shown, and a yes holds while the same is seen', async () => {
    const { work, decide, stored, approve } = place(`${ASK}preview: {}\n`)
    const command = 'rm -r build; date >> notes.txt; echo done'
    const { approval } = await decide(command)
    const shown = previewIn(stored(approval?.id))
    expect(shown).toMatchObject({ kind: 'sandbox', exit_code: 0, network: [], output: 'done\n' })
    expect((shown.files as JsonObject[]).map(({ path, change }) => `${change} ${path}`)).toEqual([
      `deleted ${work}/build/a.js`,
      `changed ${work}/notes.txt`,
    ])
    expect([existsSync(join(work, 'build', 'a.js')), readFileSync(join(work, 'notes.txt'), 'utf8')]).toEqual([true, 'first\n'])
    await approve(approval?.id ?? '')
    expect((await decide(command)).decision).toBe('flag')
  })

  triedOut('where the files drifted since, it is tried out and asked again', async () => {
    const { work, decide, stored, approve } = place(`${ASK}preview: {}\n`)
    const command = 'cp build/a.js notes.txt'
    const first = (await decide(command)).approval?.id ?? ''
    await approve(first)
    writeFileSync(join(work, 'build', 'a.js'), 'two\n')
    const again = await decide(command)
    expect([again.decision, again.approval?.id === first, stored(first).status]).toEqual(['ask', false, 'cancelled'])
    await approve(again.approval?.id ?? '')
    expect((await decide(command)).decision).toBe('allow')
  })

  triedOut('what the text of a command hides is judged when it is seen', async () => {
    const { decide } = place(
      'rules: { allow: [{ tool: Bash, when: "true", reason: fine }], deny: [{ when: \'effects.exists(e, e.verb == "delete")\', reason: nothing is deleted }] }\npreview: {}\n',
    )
    const hidden = "python3 -c \"import os; getattr(os, chr(114)+'emove')('notes.txt')\""
    expect(await decide(hidden)).toMatchObject({ decision: 'deny', code: 'rules.denied' })
  })

  triedOut('the size of a change asks', async () => {
    const { decide } = place(
      'rules: { allow: [{ tool: Bash, when: "true", reason: fine }] }\npreview: { run: always, ask_above: { files: 3 } }\n',
    )
    expect((await decide('touch a b c')).decision).toBe('allow')
    expect(await decide('touch a b c d')).toMatchObject({ decision: 'ask', code: 'preview.size' })
  })

  triedOut('a tool that nothing tries out is said to be one', async () => {
    const { gate, work } = place(
      'unregistered: ask\npreview: { run: always, require_dryrun_supported: true }\n'.replace('unregistered: ask\n', ''),
    )
    const decision = await gate.decide(callOf('deploy', { to: 'production' }, { cwd: work }))
    expect(decision.findings.map(({ code }) => code)).toContain('preview.unsupported')
  })
})
