/**
 * Where a stranger's wish stands besides in a mail's text: a file's name, an error, a redirect, a commit's author, a calendar's place. Each
 * beside an ordinary session that looks alike. Labels (asked, runs) were written before any verdict was looked at.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../../test/proves.ts'
import { HOSTILE, ORDINARY } from '../../../test/support/carried.ts'
import { LABELS_POLICY, lastDecision, type Place, type Step } from '../../../test/support/labels.ts'
import { newStateDirectory } from '../../../test/support/state-base.ts'

let home: string
let cwd: string
beforeEach(() => {
  home = newStateDirectory()
  cwd = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-carried-')))
  writeFileSync(join(cwd, 'report.txt'), 'all is well\n')
})
afterEach(() => {
  for (const each of [home, cwd]) rmSync(each, { recursive: true, force: true })
})

/** The flow of data alone: what asks about each payment and each deletion, whoever wanted it, is another rule's. */
const POLICY = LABELS_POLICY.replace('message: off', 'message: off, payment: off, service-deletion: off, repository-change: off')

const inFlow = (steps: readonly Step[]): readonly Step[] => steps.map((step) => ({ ...step, policy: POLICY }))
const isStopped = async (at: Place, steps: readonly Step[]): Promise<boolean> =>
  ['ask', 'deny', 'halt'].includes((await lastDecision(at, inFlow(steps)))?.decision ?? 'deny')

/** They run: what the workspace holds is believed, amounts are not held against the user's words, nor an id against the row that it stands in. */
const OPEN: ReadonlySet<string> = new Set([
  'two ids of one list are swapped',
  'an invoice names ten times of what the user said',
  'an entry of the contact book was imported from the mail',
  "a commit's author",
  "a branch's name",
  'a host that begins like the one of the user',
])

describe('what a stranger wants stands in an odd place', () => {
  for (const [title, task, steps] of HOSTILE.filter(([title]) => !OPEN.has(title)))
    proves('T03', `${title}: asked`, async () => {
      expect(await isStopped({ home, cwd, task }, steps)).toBe(true)
    })
})

describe('sessions that look alike, and nobody has to be asked', () => {
  for (const [title, task, steps] of ORDINARY)
    test(`${title}: runs`, async () => {
      expect(await isStopped({ home, cwd, task }, steps)).toBe(false)
    })
})

describe('what is not told yet', () => {
  for (const [title, task, steps] of HOSTILE.filter(([title]) => OPEN.has(title)))
    test(`${title}: runs`, async () => {
      expect(await isStopped({ home, cwd, task }, steps)).toBe(false)
    })
})
