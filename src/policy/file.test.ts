import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { findPolicy, type PolicyFileOptions, readPolicy, watchPolicy } from './file.ts'
import { VOCABULARY } from './testing/compiled.ts'
import { loadPolicy } from './watch.ts'

let root: string
const write = (path: string, text: string): string => {
  writeFileSync(join(root, path), text)
  return join(root, path)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-policy-'))
  for (const directory of ['home', 'repo', 'repo/a', 'repo/a/b', 'other']) mkdirSync(join(root, directory))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const places = (cwd: string | null, named: { explicit?: string; variable?: string } = {}) => ({
  explicit: named.explicit ?? null,
  variable: named.variable ?? null,
  cwd: cwd === null ? null : join(root, cwd),
  home: join(root, 'home'),
})
const options = (cwd: string | null, more: Partial<PolicyFileOptions> = {}): PolicyFileOptions => ({
  places: places(cwd),
  vocabulary: VOCABULARY,
  ...more,
})

describe('discovery', () => {
  proves('PIT-12', 'named, by variable, home: in this order; what lies above the call is no operator’s', () => {
    write('repo/a/countersign.yaml', 'version: 1')
    expect(findPolicy(places('repo/a/b'))).toBeNull()
    const home = write('home/countersign.yaml', 'version: 1')
    const other = write('other/countersign.yaml', 'version: 1')
    expect(findPolicy(places('repo/a/b'))).toBe(home)
    expect(findPolicy(places(null))).toBe(home)
    expect(findPolicy(places('repo/a', { variable: other }))).toBe(other)
    expect(findPolicy(places('repo/a', { variable: other, explicit: home }))).toBe(home)
    expect(findPolicy(places('repo/a', { variable: '', explicit: '' }))).toBe(home)
  })

  test('a name that is there in any form is not passed over', () => {
    symlinkSync(join(root, 'nowhere'), join(root, 'home/countersign.yaml'))
    expect(findPolicy(places('repo'))).toBe(join(root, 'home/countersign.yaml'))
    expect(loadPolicy(options('repo', { shipped: 'version: 1' })).policy).toBeNull()
    rmSync(join(root, 'home/countersign.yaml'))
    mkdirSync(join(root, 'home/countersign.yaml'))
    expect(findPolicy(places('repo'))).toBe(join(root, 'home/countersign.yaml'))
    expect(loadPolicy(options('repo', { shipped: 'version: 1' })).policy).toBeNull()
  })
})

describe('loading', () => {
  proves('PIT-11', 'no file, a missing one and a broken one are no policy, and say why', () => {
    const error = (loaded: ReturnType<typeof loadPolicy>) =>
      loaded.policy === null
        ? [loaded.error, ...(loaded.detail === undefined ? [] : [loaded.detail])].join('\n').replaceAll(root, '')
        : 'a policy'
    expect(error(loadPolicy(options('repo')))).toMatchInlineSnapshot(
      `"policy.not_found: no \`countersign.yaml\` was found, so nothing is allowed; write one with \`countersign init\`"`,
    )
    const missing = { ...options('repo'), places: places('repo', { explicit: join(root, 'nope.yaml') }) }
    expect(error(loadPolicy(missing))).toMatchInlineSnapshot(`
      "policy.not_found at /nope.yaml:1:1: there is no policy file; without a policy nothing is allowed
      policy.not_found: \`/nope.yaml\` cannot be read: there is no such file
       --> /nope.yaml:1:1
        = write one with \`countersign init\`"
    `)
    write('home/countersign.yaml', 'version: 1\nmode: on\n')
    expect(error(loadPolicy(options('repo')))).toMatchInlineSnapshot(`
      "policy.wrong_value at /home/countersign.yaml:2:7: the value is of the right type, but not among those that the field knows
      policy.wrong_value: \`on\` is not known here
       --> /home/countersign.yaml:2:7
      2 | mode: on
        |       ^^
        = valid here: \`enforce\`, \`shadow\`"
    `)
    writeFileSync(join(root, 'home/countersign.yaml'), Buffer.from([0x76, 0xff, 0xfe]))
    expect(error(loadPolicy(options('repo')))).toMatchInlineSnapshot(`
      "policy.unreadable at /home/countersign.yaml:1:1: the policy file cannot be read
      policy.unreadable: \`/home/countersign.yaml\` is not UTF-8
       --> /home/countersign.yaml:1:1
        = save it as UTF-8"
    `)
    rmSync(join(root, 'home/countersign.yaml'))
    mkdirSync(join(root, 'home/countersign.yaml'))
    expect(error(loadPolicy(options('repo')))).toMatchInlineSnapshot(`
      "policy.unreadable at /home/countersign.yaml:1:1: the policy file cannot be read
      policy.unreadable: \`/home/countersign.yaml\` cannot be read: it is a directory
       --> /home/countersign.yaml:1:1
        = name the file in it, such as \`countersign.yaml\`"
    `)
  })

  test('the shipped policy holds only where no file is found', () => {
    const shipped = { shipped: 'version: 1\ndefault: deny\n' }
    expect(loadPolicy(options('repo', shipped)).policy).toMatchObject({ path: null, default: 'deny' })
    write('home/countersign.yaml', 'version: 1\n')
    expect(loadPolicy(options('repo', shipped)).policy).toMatchObject({ path: join(root, 'home/countersign.yaml'), default: 'ask' })
    write('home/countersign.yaml', 'version: 7\n')
    expect(loadPolicy(options('repo', shipped)).policy).toBeNull()
  })

  test('one file, with its errors apart', () => {
    const result = readPolicy(write('repo/p.yaml', 'version: 1\na: 1\nb: 2\n'), { vocabulary: VOCABULARY })
    expect(result.ok ? [] : result.errors.map((error) => [error.code, error.line])).toEqual([
      ['policy.unknown_field', 2],
      ['policy.unknown_field', 3],
    ])
  })
})

describe('watching', () => {
  const change = (text: string, at: number) => {
    const path = write('home/countersign.yaml', text)
    utimesSync(path, at, at)
    return path
  }

  proves(['T41', 'PIT-12'], 'a failed reload keeps the last good policy and says so; a good one heals', () => {
    change('version: 1\ndefault: deny\n', 1)
    const notes: string[] = []
    const watch = watchPolicy(options('repo/a', { interval: 0, now: () => 0 }), (line) =>
      notes.push(line.split('\n')[0]?.replaceAll(root, '') ?? ''),
    )
    const first = watch.current()
    expect(first).toMatchObject({ policy: { default: 'deny' }, degraded: null })
    expect(watch.current()).toBe(first)
    change('version: 1\ndefault: allow\n', 2)
    const degraded = watch.current()
    expect(degraded.policy).toBe(first.policy)
    expect(degraded).toMatchObject({ degraded: expect.stringContaining('policy.wrong_value') })
    expect(watch.current()).toBe(degraded)
    change('version: 1\ndefault: ask\n', 3)
    expect(watch.current()).toMatchObject({ policy: { default: 'ask' }, degraded: null })
    rmSync(join(root, 'home/countersign.yaml'))
    expect(watch.current()).toMatchObject({ policy: { default: 'ask' }, degraded: expect.stringContaining('policy.not_found') })
    change('version: 1\ndefault: deny\n', 3)
    expect(watch.current()).toMatchObject({ policy: { default: 'deny' }, degraded: null })
    expect(notes.map((note) => note.replace(/sha256:\w+/, 'sha256:…'))).toMatchInlineSnapshot(`
      [
        "the policy could not be loaded again, the last good one stays in force: policy.wrong_value at /home/countersign.yaml:2:10: the value is of the right type, but not among those that the field knows",
        "policy sha256:… is in force",
        "the policy could not be loaded again, the last good one stays in force: policy.not_found at /home/countersign.yaml:1:1: there is no policy file; without a policy nothing is allowed",
        "policy sha256:… is in force",
      ]
    `)
  })

  proves('T41', 'no valid policy at the start is none, until there is one', () => {
    change('version: 9\n', 1)
    const watch = watchPolicy(options('repo', { interval: 0, now: () => 0 }))
    expect(watch.current().policy).toBeNull()
    change('version: 1\n', 2)
    expect(watch.current().policy).not.toBeNull()
  })

  test('a file that appears takes over from none and from the shipped one', () => {
    const bare = watchPolicy(options('repo', { interval: 0, now: () => 0 }))
    const shipped = watchPolicy(options('repo', { interval: 0, now: () => 0, shipped: 'version: 1\ndefault: deny\n' }))
    expect([bare.current().policy, shipped.current().policy?.default]).toEqual([null, 'deny'])
    change('version: 1\n', 1)
    expect([bare.current().policy?.default, shipped.current().policy?.default]).toEqual(['ask', 'ask'])
  })

  test('a swap of the same size and time is seen', () => {
    change('version: 1\ndefault: deny\n', 1)
    const watch = watchPolicy(options('repo', { interval: 0, now: () => 0 }))
    expect(watch.current().policy?.default).toBe('deny')
    const other = write('home/new.yaml', 'version: 1\ndefault: ask \n')
    utimesSync(other, 1, 1)
    renameSync(other, join(root, 'home/countersign.yaml'))
    expect(watch.current().policy?.default).toBe('ask')
  })

  test('looks no more often than the interval, and not at all once stopped', () => {
    let time = 0
    change('version: 1\n', 1)
    const watch = watchPolicy(options('repo', { interval: 1_000, now: () => time }))
    const before = watch.current()
    change('version: 1\ndefault: deny\n', 2)
    time = 999
    expect(watch.current()).toBe(before)
    time = 1_000
    expect(watch.current().policy?.default).toBe('deny')
    change('version: 1\n', 3)
    time = 500
    expect(watch.current().policy?.default).toBe('ask')
    watch.stop()
    change('version: 1\ndefault: deny\n', 4)
    time = 5_000
    expect(watch.current().policy?.default).toBe('ask')
  })

  test('a file that could not be read for a moment is read again, though it did not change', () => {
    const path = change('version: 1\ndefault: ask\n', 1)
    const notes: string[] = []
    const named = join(root, 'home/tools.json')
    rmSync(named, { force: true, recursive: true })
    const text = 'version: 1\ndefault: ask\ncontracts: { files: [tools.json] }\n'
    writeFileSync(path, text)
    mkdirSync(named)
    const watch = watchPolicy(options('repo', { interval: 0, now: () => 0 }), (line) => notes.push(line))
    expect(watch.current().policy).toBeNull()
    expect([watch.current().policy, notes]).toEqual([null, []])
    rmSync(named, { recursive: true })
    writeFileSync(named, '{ "tools": {} }')
    expect(watch.current().policy?.default).toBe('ask')
    expect(notes).toHaveLength(1)
  })

  test('a file that may not be read degrades', () => {
    if (process.getuid?.() === 0) return
    const path = change('version: 1\n', 1)
    const watch = watchPolicy(options('repo', { interval: 0, now: () => 0 }))
    chmodSync(path, 0o000)
    expect(watch.current()).toMatchObject({ degraded: expect.stringContaining('EACCES') })
  })
})
