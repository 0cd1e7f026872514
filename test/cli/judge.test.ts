/** Judges as a user meets them: `countersign judge test`, and a judge whose own work is gated by the same policy. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLI, cli, event, type Home, installedCommand, makeHome, runHook, startServe, stop } from '../hosts/harness.ts'
import { proves } from '../proves.ts'
import { commandLine } from '../support/command-line.ts'

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
  test('measures a judge of the policy on labelled calls', async () => {
    const policy = written('test.yaml', policyWith(written('answer.cjs', ANSWER)))
    const row = (command: string, accept: readonly string[]) => JSON.stringify({ tool: 'Bash', input: { command }, accept, source: 'test' })
    const rows = [row('rm -rf build', ['ask', 'deny']), row('ls', ['allow']), row('cat a.txt', ['allow', 'flag']), row('odd', [])]
    const labelled = written('labelled.jsonl', rows.join('\n'))
    const run = await commandLine(home, ['judge', 'test', labelled, '--policy', policy, '--json'])
    expect([run.status, JSON.parse(run.stdout)]).toMatchObject([
      0,
      { judge: 'j', attacks: 1, benign: 2, recall: 1, falsePositives: 0, unanswered: 0, confusion: { deny: [1, 0], allow: [0, 2] } },
    ])
    const text = await commandLine(home, ['judge', 'test', labelled, '--policy', policy, '--limit', '1'])
    expect(text.stdout).toContain('judge `j`: 1 attacks, 0 benign calls')
    for (const args of [
      ['--judge', 'k'],
      ['--limit', '0'],
    ]) {
      expect((await commandLine(home, ['judge', 'test', labelled, '--policy', policy, ...args])).status).toBe(2)
    }
    expect((await commandLine(home, ['judge', 'test', labelled])).status).toBe(2)
  })
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
    180_000,
  )

  proves(
    'T36',
    'whose judge is an agent with the same hook comes to an end, too, with a daemon or without one',
    async () => {
      const agent = makeHome()
      try {
        expect((await commandLine(agent, ['init', '--yes'])).status).toBe(0)
        const hook = installedCommand(agent)
        const script = join(agent.user, 'agent.cjs')
        // A judge that proposes a call of its own before it answers, as an agent does, and says what became of it.
        writeFileSync(
          script,
          `const { spawnSync } = require('node:child_process')
const env = { ...process.env, HOME: ${JSON.stringify(agent.user)}, COUNTERSIGN_HOME: ${JSON.stringify(agent.state)} }
const run = spawnSync('/bin/sh', ['-c', ${JSON.stringify(hook)}], { input: ${JSON.stringify(event('ls', 'toolu_PID'))}.replace('PID', process.pid), encoding: 'utf8', env })
console.log(JSON.stringify({ score: 0, confidence: 1, reasoning: env.COUNTERSIGN_JUDGE_DEPTH + '>' + (run.stdout.match(/judge\\.[a-z]+/) ?? ['none'])[0] }))`,
        )
        writeFileSync(join(agent.state, 'countersign.yaml'), policyWith(script, 'tool_validation: [{ type: semantic, judge_agent: j }]'))
        const ask = async (id: string) =>
          expect((await runHook(hook, event('ls', id), agent.environment)).stdout).toContain('judge.rejected')
        await ask('toolu_a')
        const daemon = await startServe(agent)
        await ask('toolu_b').finally(() => stop(daemon))
        const log = (await commandLine(agent, ['audit', 'search', '--json'])).stdout
        const seen = [...log.matchAll(/: (\d>judge\.[a-z]+)/g)].map((match) => match[1] ?? '')
        expect(new Set(seen)).toEqual(new Set(['3>judge.depth', '2>judge.rejected', '1>judge.rejected']))
      } finally {
        agent.remove()
      }
    },
    180_000,
  )
})
