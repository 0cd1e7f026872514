/** What people are shown of names that are no texts: where links lead, before and after. */
import { describe, expect, test } from 'vitest'
import type { Change, Entry } from '../sandbox/changes.ts'
import { createFixedView } from '../view/fixed.ts'
import { observe } from './observed.ts'

const sha256 = (text: string): string => `sha256:${text.length}`
const view = createFixedView({ home: '/home/me', cwd: '/repo', gate: [], files: {}, digest: sha256 })
const base = { mode: 0o644, size: 1, names: 1 }
const link = (to: string): Entry => ({ ...base, type: 'link', digest: `link:${to}`, text: null })
const file = (text: string): Entry => ({ ...base, type: 'file', digest: sha256(text), text })
const binary: Entry = { ...base, type: 'file', digest: 'sha256:x', text: null }

const CASES: readonly (readonly [title: string, before: Entry | null, after: Entry | null, diff: string])[] = [
  ['a new link', null, link('../a'), '@@ leads to @@\n+../a'],
  ['a link that leads elsewhere', link('a'), link('/etc/passwd'), '@@ leads to @@\n-a\n+/etc/passwd'],
  ['a link that goes', link('a'), null, '@@ leads to @@\n-a'],
  ['a link in the place of a file', file('one\n'), link('a'), '@@ -1,1 +0,0 @@\n-one\n@@ leads to @@\n+a'],
  ['a file in the place of a link', link('a'), file('one\n'), '@@ -0,0 +1,1 @@\n+one\n@@ leads to @@\n-a'],
  ['a name with a line in it', null, link('a\n+b'), '@@ leads to @@\n+a⏎+b'],
  ['a file that is no text', binary, binary, ''],
]

/** The 28th of November 2026, 21:14:06 UTC, in milliseconds, and half a minute later. */
const [NOW, LATER] = [1_795_900_446_000, 1_795_900_476_000]

/** `[same]`: whoever agreed to what was seen the first time agreed to this, too. */
const NAMES: readonly (readonly [title: string, same: boolean, first: string, second: string])[] = [
  ['the same name', true, 'a.bak', 'a.bak'],
  ['another name', false, 'a.bak', 'b.bak'],
  ['seconds since 1970', true, 'terraform.tfstate.1795900446.backup', 'terraform.tfstate.1795900476.backup'],
  ['date and time in a row', true, 'dump-20261128211406.sql', 'dump-20261128211436.sql'],
  ['date and time with marks', true, 'log/2026-11-28T21-14-06.txt', 'log/2026-11-28T21-14-36.txt'],
  ['seconds of another year', false, 'a.1700000000', 'a.1700000030'],
  ['a time of another year', false, 'a-20200101000000', 'a-20200101000030'],
  ['a number', false, 'part-1', 'part-2'],
  ['a longer number', false, 'x120261128211406', 'x120261128211436'],
]

describe('a name that was made with the time in it', () => {
  const seen = (name: string, now: number, change: Change['change'] = 'created') => {
    const text = file('one\n')
    const [before, after] = [change === 'created' ? null : text, change === 'deleted' ? null : text]
    return JSON.stringify(observe([{ path: `/repo/${name}`, change, before, after }], { view, sha256, now }).stable)
  }
  test.each(NAMES)('%s: the same %s', (_title, same, first, second) => {
    expect(seen(first, NOW) === seen(second, LATER)).toBe(same)
  })

  test.each(['changed', 'deleted'] as const)('of a file that is %s counts as it is', (change) => {
    expect(seen('a.1795900446', NOW, change)).not.toBe(seen('a.1795900476', LATER, change))
  })
})

describe('links', () => {
  test.each(CASES)('%s', (_title, before, after, diff) => {
    const change: Change = { path: '/repo/x', change: before === null ? 'created' : after === null ? 'deleted' : 'changed', before, after }
    const { files } = observe([change], { view, sha256, now: 0 })
    expect(String(files[0]?.diff).trimEnd().replaceAll('\n\n', '\n')).toBe(diff)
  })
})
