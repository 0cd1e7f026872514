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

describe('links', () => {
  test.each(CASES)('%s', (_title, before, after, diff) => {
    const change: Change = { path: '/repo/x', change: before === null ? 'created' : after === null ? 'deleted' : 'changed', before, after }
    const { files } = observe([change], { view, sha256, now: 0 })
    expect(String(files[0]?.diff).trimEnd().replaceAll('\n\n', '\n')).toBe(diff)
  })
})
