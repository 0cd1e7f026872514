/** 1,000 hook calls while the daemon is killed and started at random: nothing is allowed without a record (T31, P5). */
import type { ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { auditVerify } from '../../src/audit/log.ts'
import { openStore } from '../../src/store/sqlite/open.ts'
import { cli, event, installedCommand, makeHome, permission, runHook, startServe, stop } from '../hosts/harness.ts'
import { proves } from '../proves.ts'

const CALLS = 1_000
const CALLERS = 4

describe('a daemon that dies again and again', () => {
  proves(
    ['T31', 'P5'],
    'every allow has its record',
    async () => {
      const home = makeHome()
      cli(home, ['init', '--yes'])
      const command = installedCommand(home)
      let running = true
      const chaos = (async () => {
        while (running) {
          const daemon: ChildProcess = await startServe(home)
          await new Promise((resolve) => setTimeout(resolve, 500 + 3_500 * Math.random()))
          await stop(daemon, 'SIGKILL')
          // What a killed daemon leaves behind; the next hook must not hang on it.
          if (Math.random() < 0.5) rmSync(join(home.state, 'run/gate.sock'), { force: true })
        }
      })()
      let next = 0
      const passed: number[] = []
      const caller = async () => {
        for (let id = next++; id < CALLS; id = next++) {
          const { status, stdout, stderr } = await runHook(command, event(`echo call ${id}`, `toolu_${id}`), home.environment)
          if (status === 0 && permission(stdout) === null) passed.push(id)
          else expect([id, status === 2 ? stderr !== '' : permission(stdout) !== null]).toEqual([id, true])
        }
      }
      await Promise.all(Array.from({ length: CALLERS }, caller))
      running = false
      await chaos
      expect(auditVerify({ directory: home.state }).ok).toBe(true)
      const recorded = new Set<string>()
      const store = openStore({ directory: home.state })
      for (const record of store.read({ kind: 'decision', decision: 'allow' }) as Iterable<{ body: unknown }>) {
        recorded.add(/echo call \d+/.exec(JSON.stringify(record.body))?.[0] ?? '')
      }
      store.close()
      expect(passed.filter((id) => !recorded.has(`echo call ${id}`))).toEqual([])
      expect(passed.length).toBeGreaterThan(CALLS / 2)
      home.remove()
    },
    240_000,
  )
})
