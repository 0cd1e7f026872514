/** A gate that keeps databases before a call changes them, and the way back of what it kept. */
import { onTestFinished } from 'vitest'
import { openGate } from '../../src/open.ts'
import { captureIn, openCaptures } from '../../src/undo/captures.ts'
import { waysOf } from '../../src/undo/catalogue.ts'
import { keepCurrent, stepsOf, take, type UndoParts } from '../../src/undo/undo.ts'
import { bash } from './calls.ts'
import { temporaryDirectory } from './records.ts'
import { policyOf } from './workplace.ts'

const FREE = 'hazards: { packs: [] }\nrules: { allow: [{ tool: "*", when: "true", reason: fine }] }\n'

/** `section`: YAML below `undo`. The gate lets every call run. */
export function databaseUndo(section: string) {
  const home = temporaryDirectory()
  const policy = policyOf(`${FREE}undo:\n  ${section}\n`)
  const { gate, close } = openGate({ home, policy: () => ({ policy, degraded: null }) })
  onTestFinished(() => close())
  const store = openCaptures(home)
  const parts: UndoParts = { store, ways: waysOf(policy), now: Date.now, variable: (name) => process.env[name] ?? null }
  const decide = (command: string, cwd = temporaryDirectory()) => gate.decide(bash(command, { cwd, session: null }))
  const back = async (id: unknown) => {
    const steps = await stepsOf(captureIn(store.read(String(id)) ?? ''), parts)
    const kept = await keepCurrent(steps, parts)
    const problems = steps.flatMap(({ problem }) => problem ?? [])
    for (const step of steps) if (step.problem === null) problems.push(...(await take(step, parts)))
    return { problems, kept }
  }
  return { home, store, decide, back }
}
