/**
 * Measures how many calls of coding agents would reach a judge if it stood behind the shipped policy and could settle whatever the
 * rules leave open. No model is asked.
 */
import { join } from 'node:path'
import { COMPILE } from '../src/cli/open.ts'
import { VOCABULARY } from '../src/open.ts'
import { DEFAULT_POLICY } from '../src/policy/default.ts'
import { loadPolicyText } from '../src/policy/file.ts'
import { openReplay, replayFile } from '../src/replay/file.ts'

const SETS = ['claude_code_specstory', 'swe_bash_benign'] as const
const layers = [...VOCABULARY.layers, 'policy'].join(', ')
const POLICY = `${DEFAULT_POLICY}\njudges: { judge: { provider: function, resolves: [${layers}], mode: shadow } }\n`

/** @param data directory of the recorded sessions. Resolves to the table. */
export async function evaluateHybrid(data: string): Promise<string> {
  const lines: string[] = ['| set | calls | reach a judge | share | only for people |', '|---|---:|---:|---:|---:|']
  for (const set of SETS) {
    const { calls, reach, people } = await measure(join(data, `${set}.jsonl.gz`))
    lines.push(`| ${set} | ${calls} | ${reach} | ${((100 * reach) / calls).toFixed(2)} % | ${people} |`)
    console.log(lines.at(-1))
  }
  return lines.join('\n')
}

/** `people`: asks that no judge may settle, because what they ask about cannot be undone or not be told. */
async function measure(file: string): Promise<{ readonly calls: number; readonly reach: number; readonly people: number }> {
  const state = loadPolicyText(POLICY, COMPILE)
  if (state.policy === null) throw new Error(state.error)
  const gate = openReplay(state, null)
  const counts = { calls: 0, reach: 0, people: 0 }
  for await (const [replayed] of replayFile(file, [gate])) {
    if (replayed === undefined) continue
    counts.calls++
    const asked = replayed.decision.resolutions.filter(({ by }) => by === 'judge')
    if (asked.some(({ evidence }) => evidence.code !== 'judge.ceiling')) counts.reach++
    else if (replayed.decision.decision === 'ask') counts.people++
  }
  gate.opened.close()
  return counts
}
