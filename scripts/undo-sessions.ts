/**
 * `tsx scripts/undo-sessions.ts [first] [count]`: generated sessions of random acts, each really run after the gate kept what it would
 * change, and taken back from their end: the tree must be what it was, byte for byte. Says how many were run, and fails where one differs.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { COMPILE } from '../src/cli/open.ts'
import { bareCall, type ToolCall } from '../src/core/call.ts'
import { runs } from '../src/core/verdict.ts'
import { openGate } from '../src/open.ts'
import { compilePolicy } from '../src/policy/compile.ts'
import { sha256 } from '../src/policy/file.ts'
import { captureIn, openCaptures } from '../src/undo/captures.ts'
import { stepsOf, take } from '../src/undo/undo.ts'
import { listed, plant, plantAttributes, programOf } from '../test/support/random-programs.ts'

const POLICY = `version: 1
unregistered: ask
tool_families: [claude-code]
hazards: { packs: [] }
undo: { require_way_back: false }
rules: { allow: [{ tool: "*", when: "true", reason: fine }] }
`
const compiled = compilePolicy(POLICY, { ...COMPILE, path: null, sha256 })
if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
const { policy } = compiled

const [first = 1, count = 500] = process.argv.slice(2).map(Number)
const root = realpathSync(mkdtempSync(join(tmpdir(), 'cs-undo-sessions-')))
const [work, home] = [join(root, 'work'), join(root, 'home')]
const { gate, close } = openGate({ home, policy: () => ({ policy, degraded: null }) })
const parts = { store: openCaptures(home), ways: null, now: Date.now, variable: () => null }

const callOf = (command: string): ToolCall => bareCall('Bash', { command }, { cwd: work })

/** How many acts ran, and what could not be put back. */
async function session(seed: number): Promise<{ readonly acts: number; readonly problems: readonly string[] }> {
  plant(work)
  plantAttributes(work)
  const before = listed(work)
  const ids: string[] = []
  let acts = 0
  for (const line of programOf(seed).split('\n')) {
    const { decision, undo } = await gate.decide(callOf(line))
    if (!runs(decision)) continue
    spawnSync('/bin/bash', ['-c', line], { cwd: work, stdio: 'ignore' })
    acts++
    if (typeof undo?.id === 'string') ids.push(undo.id)
  }
  const problems: string[] = []
  for (const id of ids.toReversed()) {
    for (const step of await stepsOf(captureIn(parts.store.read(id) ?? ''), parts)) problems.push(...(await take(step, parts)))
  }
  return { acts, problems: isDeepStrictEqual(listed(work), before) ? problems : [...problems, 'the tree is not what it was'] }
}

let [ran, failed] = [0, 0]
try {
  for (let seed = first; seed < first + count; seed++) {
    const { acts, problems } = await session(seed)
    ran += acts
    if (problems.length > 0) {
      failed++
      console.error(`session ${seed}: ${problems.join('; ')}\n${programOf(seed)}`)
    }
  }
} finally {
  close()
  rmSync(root, { recursive: true, force: true })
}
console.log(`${count} sessions with ${ran} acts that ran: ${count - failed} are byte for byte what they were, ${failed} are not`)
process.exitCode = failed === 0 ? 0 : 1
