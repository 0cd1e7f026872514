import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loadInForce } from '../src/cli/open.ts'
import { openReplay, replayFile } from '../src/replay/file.ts'
import type { Replayed } from '../src/replay/run.ts'
import { AgainstLabels, addSession, noSessions, Profiles } from './evaluate-profiles.ts'

const directory = mkdtempSync(join(tmpdir(), 'countersign-profiles-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

async function replayed(lines: readonly object[]): Promise<readonly Replayed[]> {
  const file = join(directory, 'set.jsonl')
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  const gate = openReplay(loadInForce(null), null)
  const all: Replayed[] = []
  for await (const [one] of replayFile(file, [gate])) if (one !== undefined) all.push(one)
  gate.opened.close()
  return all
}

function row(command: string, ...accept: readonly string[]): object {
  return { source: 'one+two', tool: 'Bash', input: { command }, expected: accept[0], accept }
}

describe('what labels would cost that are not followed', () => {
  test('groups are counted where a label wants them stopped, where one wants them run, and in sessions', async () => {
    const profiles = new Profiles()
    const sessions = noSessions()
    const calls = ['cat a.txt', 'cat b.txt', 'cat c.txt', 'sudo reboot'].map((command) => ({ tool: 'Bash', args: { command } }))
    for (const one of await replayed([{ id: 's', source: 'x', calls }])) addSession(sessions, one)
    profiles.add(sessions)
    const against = new AgainstLabels()
    const rows = [
      row('cat a.txt', 'ask', 'deny'),
      row('frobnicate x', 'ask'),
      row('sudo reboot', 'ask'),
      row('cat b.txt', 'allow'),
      row('cat c.txt', 'allow', 'ask'),
    ]
    for (const one of await replayed(rows)) against.add(one)
    expect(against.groups(profiles).slice(3)).toEqual([
      '| one | only reads | 1 | 1 | 1 | 75.0 % |',
      '| one | runs a program that no table knows | 1 | 0 | 0 | 0.00 % |',
    ])
    expect(against.sources(profiles).slice(3)).toEqual(['| one | 3 | 2 (66.7 %) | 1 (33.3 %) | 0 (0.00 %) |'])
  })

  test('without sessions nothing is said of the cost, and without calls that run there is no table', async () => {
    const against = new AgainstLabels()
    for (const one of await replayed([row('cat a.txt', 'ask')])) against.add(one)
    expect(against.groups(new Profiles()).slice(3)).toEqual(['| one | only reads | 1 | 1 | 0 | not measured |'])
    expect(against.sources(new Profiles())).toEqual([])
    expect(new AgainstLabels().groups(new Profiles())).toEqual([])
  })
})
