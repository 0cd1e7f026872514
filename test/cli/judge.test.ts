/** Judges as a user meets them: `countersign judge test`, and a judge whose own work is gated by the same policy. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLI, cli, type Home, makeHome } from '../hosts/harness.ts'
import { proves } from '../proves.ts'

let home: Home
beforeAll(() => {
  home = makeHome()
})
afterAll(() => home.remove())

function written(name: string, text: string): string {
  const path = join(home.user, name)
  writeFileSync(path, text)
  return path
}

function policyWith(script: string, more = ''): string {
  const command = JSON.stringify([process.execPath, script])
  return `version: 1\ntool_families: [claude-code]\njudges: { j: { provider: command, command: ${command}, timeout_seconds: 60 } }\n${more}`
}

const ANSWER = `let s=''
process.stdin.on('data',(c)=>{s+=c}).on('end',()=>{
  const bad = JSON.parse(s).effects.some((e)=>!e.reversible)
  console.log(JSON.stringify({score:bad?0.1:0.9,confidence:0.8,reasoning:'by its effects'}))
})`

describe('judge test', () => {
  test('measures a judge of the policy on labelled calls', () => {
    const policy = written('test.yaml', policyWith(written('answer.cjs', ANSWER)))
    const row = (command: string, accept: readonly string[]) => JSON.stringify({ tool: 'Bash', input: { command }, accept, source: 'test' })
    const rows = [row('rm -rf build', ['ask', 'deny']), row('ls', ['allow']), row('cat a.txt', ['allow', 'flag']), row('odd', [])]
    const labelled = written('labelled.jsonl', rows.join('\n'))
    const run = cli(home, ['judge', 'test', labelled, '--policy', policy, '--json'])
    expect([run.status, JSON.parse(run.stdout)]).toMatchObject([
      0,
      { judge: 'j', attacks: 1, benign: 2, recall: 1, falsePositives: 0, unanswered: 0, confusion: { deny: [1, 0], allow: [0, 2] } },
    ])
    const text = cli(home, ['judge', 'test', labelled, '--policy', policy, '--limit', '1'])
    expect(text.stdout).toContain('judge `j`: 1 attacks, 0 benign calls')
    for (const args of [
      ['--judge', 'k'],
      ['--limit', '0'],
    ]) {
      expect(cli(home, ['judge', 'test', labelled, '--policy', policy, ...args]).status).toBe(2)
    }
    expect(cli(home, ['judge', 'test', labelled]).status).toBe(2)
  }, 60_000)
})

describe('a gate that gates its own judge', () => {
  proves(
    ['T36', 'AEG-19'],
    'comes to an end: the third judge behind another is refused, and the first call is answered',
    () => {
      const policyPath = join(home.user, 'loop.yaml')
      const call = JSON.stringify({ tool: 'Read', args: { file_path: '/tmp/a.txt' } })
      const script = written(
        'loop.cjs',
        `const { spawnSync } = require('node:child_process')
const run = spawnSync(process.execPath, [${JSON.stringify(CLI)}, 'check', '--no-record', '--policy', ${JSON.stringify(policyPath)}], { input: ${JSON.stringify(call)}, encoding: 'utf8', env: { ...process.env, HOME: ${JSON.stringify(home.user)} } })
const decision = JSON.parse(run.stdout)
console.log(JSON.stringify({ score: 0, confidence: 1, reasoning: process.env.COUNTERSIGN_JUDGE_DEPTH + '>' + decision.code + '>' + decision.reason }))`,
      )
      writeFileSync(policyPath, policyWith(script, 'tool_validation: [{ type: semantic, judge_agent: j }]'))
      const run = cli(home, ['check', '--no-record', '--policy', policyPath], call)
      const decision = JSON.parse(run.stdout) as { decision: string; code: string; reason: string }
      expect([run.status, decision.decision, decision.code]).toEqual([4, 'deny', 'judge.rejected'])
      expect(decision.reason).toMatch(/1>judge\.rejected>.*2>judge\.rejected>.*3>judge\.depth>/)
    },
    60_000,
  )
})
