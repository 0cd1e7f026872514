import { describe, expect, test } from 'vitest'
import { COMPILE } from '../../cli/open.ts'
import { bareCall } from '../../core/call.ts'
import { analyseCall } from '../../open.ts'
import { compilePolicy } from '../../policy/compile.ts'
import { DEFAULT_POLICY } from '../../policy/default.ts'
import { sha256 } from '../../policy/file.ts'
import { emptySession } from '../../session/state.ts'
import { createFixedView } from '../../view/fixed.ts'
import { hazard } from './index.ts'

/**
 * For tests of families of shell commands under the policy that ships, one command per line: `ask` and `deny` name the rules
 * that meet it, `run` says that none stops it.
 */

const compiled = compilePolicy(DEFAULT_POLICY, { ...COMPILE, path: null, sha256 })
if (!compiled.ok) throw new Error(JSON.stringify(compiled.errors))
const { policy } = compiled
const state = emptySession(0)

const FILES = { '/home/user/shop/README.md': '', '/home/user/shop/src/a.ts': '', '/home/user/shop/package.json': '{}' }

/** `verdict rule` of every hazard that meets the command, in the order of the packs; empty where none does. */
export function meets(command: string, files: Readonly<Record<string, string>> = FILES): readonly string[] {
  const view = createFixedView({ home: '/home/user', user: 'user', cwd: '/home/user/shop', gate: ['/home/user/.countersign'], files })
  const call = bareCall('Bash', { command }, { cwd: '/home/user/shop' })
  const found = hazard.evaluate({ call, facts: analyseCall(call, view, { state, policy }), policy, state })
  return found.map(({ verdict, rule }) => `${verdict} ${rule}`)
}

/** The same of those that stop it. */
export function stops(command: string, files: Readonly<Record<string, string>> = FILES): readonly string[] {
  return meets(command, files).filter((met) => met.startsWith('ask ') || met.startsWith('deny '))
}

export interface Family {
  /** `ask rule` or `deny rule` that every one of them meets. */
  readonly meets: string
  readonly commands: readonly string[]
  /** Alike to look at; nothing stops them. */
  readonly run: readonly string[]
}

/** One test for each command of the family. */
export function family(title: string, { meets, commands, run }: Family): void {
  describe(title, () => {
    for (const command of commands) test(`${meets}: ${command}`, () => expect(stops(command)).toContain(meets))
    for (const command of run) test(`runs: ${command}`, () => expect(stops(command)).toEqual([]))
  })
}

export interface Marked {
  /** The rule that marks every one of them. */
  readonly rule: string
  readonly commands: readonly string[]
  /** Alike to look at; nothing marks or stops them. */
  readonly silent: readonly string[]
}

/** One test for each command that runs and is marked, and for each that is not. */
export function marked(title: string, { rule, commands, silent }: Marked): void {
  describe(title, () => {
    for (const command of commands) {
      test(`marks: ${command}`, () => {
        const met = meets(command)
        expect(met).toContain(`flag ${rule}`)
        expect(met.filter((each) => !each.startsWith('flag '))).toEqual([])
      })
    }
    for (const command of silent) test(`is silent: ${command}`, () => expect(meets(command)).toEqual([]))
  })
}
