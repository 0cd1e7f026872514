/** A call that waits for a person, through the installed hook: what the model is told, and what a yes is bound to. */
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { proves } from '../proves.ts'
import { commandLine } from '../support/command-line.ts'
import { event, type Home, installedCommand, makeHome, permission, runHook, startServe, stop } from './harness.ts'

let home: Home
beforeEach(() => {
  home = makeHome()
})
afterEach(() => home.remove())

describe('through the hook', () => {
  proves(
    'T20',
    'one is told what happens and what to do, and a new description is the same call, another command is not',
    async () => {
      await commandLine(home, ['init', '--yes'])
      const command = installedCommand(home)
      const daemon = await startServe(home)
      const push = (id: string, description: string, line = 'git push --force origin main') =>
        runHook(command, event('', id, { tool_input: { command: line, description } }), {
          ...home.environment,
          CLAUDE_CODE_ENTRYPOINT: 'sdk-cli',
        })
      const asked = await push('t1', 'Push the branch')
      const reason = String(
        (JSON.parse(asked.stdout) as { hookSpecificOutput: { permissionDecisionReason: string } }).hookSpecificOutput
          .permissionDecisionReason,
      )
      expect(reason).toMatch(
        /^Countersign: Approval `apr_\w+` is pending until [^ ]+: once it is approved, send exactly the same call again\. \(/,
      )
      expect(reason).not.toMatch(/not allowed|Do not retry|choose a way/)
      const id = /apr_\w+/.exec(reason)?.[0] ?? ''
      const shown = await commandLine(home, ['approvals', 'show', id])
      expect(shown.stdout).toContain('not bound    description')
      expect((await commandLine(home, ['approvals', 'approve', id, '--reason', 'mine'])).status).toBe(0)
      expect(permission((await push('t2', 'Push the branch', 'git push --force origin other')).stdout)).toBe('deny')
      expect(permission((await push('t3', 'Now push it')).stdout)).not.toBe('deny')
      expect(permission((await push('t4', 'Now push it')).stdout)).toBe('deny')
      await stop(daemon)
    },
    180_000,
  )
})
