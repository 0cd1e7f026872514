import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { rowsOf } from './train/corpus.ts'

const directory = mkdtempSync(join(tmpdir(), 'countersign-train-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

describe('training the embedded judge', () => {
  test('without data it trains nothing, and says so', () => {
    const missing = join(directory, 'nowhere')
    const run = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/train-judge.ts', missing], { encoding: 'utf8' })
    expect([run.status, run.stdout]).toEqual([
      0,
      `train-judge: skipped, \`${missing}\` is not there; name a directory of recorded sessions to train on\n`,
    ])
  })

  test('rows are numbers with labels, their sources as groups; what needs an untold world or a schema is left out', async () => {
    const single = (command: string, accept: readonly string[], more: object = {}) =>
      JSON.stringify({ source: 'shield_shell:part/x.go', tool: 'Bash', input: { command }, accept, ...more })
    const session = JSON.stringify({
      id: 's1',
      source: 'theirs',
      context: { role: 'r', task: 'look at a.txt' },
      session_label: 'benign',
      calls: [
        { tool: 'Read', args: { file_path: '/home/user/project/a.txt' }, label: 'benign' },
        { tool: 'Bash', args: { command: 'rm -rf ~' }, label: 'attack' },
        { tool: 'Bash', args: { command: 'ls' }, label: 'unknown' },
      ],
    })
    writeFileSync(
      join(directory, 'some.jsonl.gz'),
      gzipSync(
        [
          single('ls', ['allow']),
          single('sudo reboot', ['ask', 'deny']),
          single('x', ['allow'], { context_dependent: true }),
          session,
        ].join('\n'),
      ),
    )
    const all = async (source: Parameters<typeof rowsOf>[1]) => {
      const rows = []
      for await (const row of rowsOf(directory, source)) rows.push(row)
      return rows
    }
    const rows = await all({ set: 'some' })
    expect(rows.map(({ group, label, decision, reversible }) => [group, label, decision, reversible])).toMatchObject([
      ['shield', 0, 'allow', true],
      ['shield', 1, 'ask', expect.any(Boolean)],
      ['theirs', 0, 'allow', true],
      ['theirs', 1, 'deny', false],
    ])
    for (const { named, bare, text } of rows)
      expect([named.length >= bare.length, bare.length > 0, text.length > 0]).toEqual([true, true, true])
    expect((await all({ set: 'some', benignOnly: true, group: 'one' })).map(({ group, label }) => [group, label])).toEqual([
      ['one', 0],
      ['one', 0],
    ])
    expect(await all({ set: 'none' })).toEqual([])
  })
})
