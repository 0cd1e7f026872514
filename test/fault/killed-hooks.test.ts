/**
 * Installed hooks that are killed, each with all that it started: before they answer, as soon as they have, or not at all. What an agent heard is
 * in the log of whoever comes next, though no hook that was killed closed its store.
 */
import { spawn } from 'node:child_process'
import { expect } from 'vitest'
import { auditVerify } from '../../src/audit/log.ts'
import { openStore } from '../../src/store/sqlite/open.ts'
import { cli, event, installedCommand, makeHome, permission } from '../hosts/harness.ts'
import { proves } from '../proves.ts'

/** What was heard of the hook until it ended, or was killed: after so many milliseconds, or once it said something. */
function heard(command: string, id: string, end: number | 'answer' | null, environment: Readonly<Record<string, string>>): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command], { env: environment, detached: true, stdio: ['pipe', 'pipe', 'ignore'] })
    const kill = () => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL')
      } catch {
        // It ended by itself.
      }
    }
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (end === 'answer') kill()
    })
    child.stdin.on('error', () => {})
    child.on('close', () => resolve(text))
    child.stdin.end(event('rm -rf build', id))
    if (typeof end === 'number') setTimeout(kill, end)
  })
}

proves(['P5', 'T30', 'T33'], 'what a hook answered is read by the next, whenever it and others were killed', async () => {
  const home = makeHome()
  try {
    expect(cli(home, ['init', '--yes']).status).toBe(0)
    const command = installedCommand(home)
    const answered: string[] = []
    for (let round = 0; round < 18; round += 1) {
      const id = `toolu_killed_${round}`
      const end = ([null, 'answer', 40 + 15 * round] as const)[round % 3] ?? null
      const said = await heard(command, id, end, home.environment)
      if (said.endsWith('\n')) {
        expect(permission(said)).not.toBe('allow')
        answered.push(id)
      } else expect([end, typeof end]).toEqual([end, 'number'])
    }
    expect(answered.length).toBeGreaterThanOrEqual(12)
    const store = openStore({ directory: home.state })
    const records = [...store.read({})].map(({ body }) => JSON.stringify(body))
    store.close()
    expect(answered.filter((id) => !records.some((text) => text.includes(`"${id}"`)))).toEqual([])
    expect(auditVerify({ directory: home.state })).toMatchObject({ ok: true, breaks: [] })
  } finally {
    home.remove()
  }
})
