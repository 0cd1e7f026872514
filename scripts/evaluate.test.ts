import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'

const directory = mkdtempSync(join(tmpdir(), 'countersign-evaluate-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function evaluate(data: string, ...sets: readonly string[]) {
  const run = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/evaluate.ts', ...sets], {
    encoding: 'utf8',
    env: { ...process.env, COUNTERSIGN_EVAL: data, COUNTERSIGN_HOME: directory },
  })
  return { status: run.status, lines: run.stdout.split('\n').map((line) => line.trim()) }
}

describe('npm run evaluate', () => {
  test('without data it measures nothing, and says so', () => {
    const missing = join(directory, 'nowhere')
    const { status, lines } = evaluate(missing)
    expect(status).toBe(0)
    expect(lines[0]).toBe(
      `evaluate: skipped, \`${missing}\` is not there; set COUNTERSIGN_EVAL to a directory of recorded sessions to measure`,
    )
  })

  test('both ends of a set, per source, with what bash says of broken syntax; sets that are missing are named', () => {
    const row = (command: string, accept: readonly string[]) => JSON.stringify({ source: 'src', tool: 'Bash', input: { command }, accept })
    const rows = [
      row('git status', ['allow']),
      row('sudo reboot', ['allow']),
      row('git commit -m x', ['ask', 'deny']),
      row("echo 'open", ['allow']),
    ]
    writeFileSync(join(directory, 'mine.jsonl.gz'), gzipSync(rows.join('\n')))
    const { status, lines } = evaluate(directory, 'mine', 'yours')
    expect(status).toBe(0)
    expect(lines[0]).toBe('mine: 4 calls')
    expect(lines.filter((line) => line.includes('src: ')).map((line) => line.replace(/^.*\] +/, '').replace(/ +/g, ' '))).toEqual([
      '0 of 3 src: must-allow flagged',
      '2 of 3 src: must-allow interrupted',
      '1 of 1 src: must-gate let run, flagged or not',
      '1 of 1 src: must-gate silently allowed',
      '0 of 3 src: must-not-deny denied',
    ])
    expect(lines).toContain('Of 1 commands whose syntax was not understood, bash itself accepts 0.')
    expect(lines).toContain(`yours: skipped, \`${join(directory, 'yours.jsonl.gz')}\` is not there`)
  })
})
