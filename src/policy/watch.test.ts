import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { VOCABULARY } from './testing/compiled.ts'
import { type PolicyDirectory, watchPolicies } from './watch.ts'

let root: string
let time = 0
beforeEach(() => {
  time = 0
  root = mkdtempSync(join(tmpdir(), 'countersign-watch-'))
  for (const directory of ['home', 'repo', 'repo/a', 'repo/a/b', 'other']) mkdirSync(join(root, directory))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const at = (path: string) => join(root, path)
const write = (directory: string, policyDefault: string, changed = 1): void => {
  const path = at(`${directory}/countersign.yaml`)
  writeFileSync(path, `version: 1\ndefault: ${policyDefault}\n`)
  utimesSync(path, changed, changed)
}

interface Named {
  readonly explicit?: string
  readonly shipped?: string
}

function watch({ explicit, shipped }: Named = {}, note?: (line: string) => void): PolicyDirectory {
  const places = { explicit: explicit ?? null, variable: null, cwd: at('other'), home: at('home') }
  const options = { places, vocabulary: VOCABULARY, interval: 1_000, now: () => time }
  return watchPolicies(shipped === undefined ? options : { ...options, shipped }, note)
}

const defaultIn = (watched: PolicyDirectory, directory: string | null) => {
  const { policy } = watched.current(directory === null ? null : at(directory))
  return policy === null ? null : policy.default
}

describe('the operator’s policy holds in every directory', () => {
  test('the home’s, else the shipped one; what a project brings takes the place of neither', () => {
    const shipped = watch({ shipped: 'version: 1\ndefault: deny\n' })
    expect([defaultIn(shipped, 'repo'), defaultIn(shipped, null)]).toEqual(['deny', 'deny'])
    write('repo', 'deny')
    write('home', 'ask')
    const watched = watch()
    for (const [directory, expected] of [
      ['repo', 'ask'],
      ['repo/a/b', 'ask'],
      ['other', 'ask'],
      ['nowhere/at/all', 'ask'],
      [null, 'ask'],
    ] as const) {
      expect([directory, defaultIn(watched, directory)]).toEqual([directory, expected])
    }
  })

  test('a project’s policy is judged beside it, once compiled, and joined once', () => {
    write('home', 'ask')
    write('repo', 'deny')
    const watched = watch()
    const [one, other] = [watched.current(at('repo/a')).policy, watched.current(at('repo/a/b')).policy]
    expect(one?.scopes?.inForce.map(({ scope, governs, trusted }) => [scope, governs, trusted])).toEqual([
      ['user', true, true],
      ['project', false, false],
    ])
    expect(one?.scopes?.lower[0]?.policy).toBe(other?.scopes?.lower[0]?.policy)
    expect(watched.current(at('repo/a')).policy).toBe(one)
    expect(watched.current(at('other')).policy?.scopes).toBeUndefined()
  })

  test('a policy that was named holds everywhere', () => {
    write('repo', 'deny')
    write('other', 'ask')
    const watched = watch({ explicit: at('other/countersign.yaml') })
    expect([defaultIn(watched, 'repo'), defaultIn(watched, 'other')]).toEqual(['ask', 'ask'])
  })

  test('one of a project that is broken is not read, and the policy says so; one of the operator means that nothing is allowed', () => {
    writeFileSync(at('repo/countersign.yaml'), 'version: 9\n')
    write('home', 'ask')
    expect(watch().current(at('repo/a')).policy?.scopes?.unread).toEqual([
      {
        path: at('repo/countersign.yaml'),
        problem: 'invalid',
        errors: [{ code: 'policy.version', line: 1, column: 10 }],
        trusted: false,
      },
    ])
    writeFileSync(at('home/countersign.yaml'), 'version: 9\n')
    expect([defaultIn(watch(), 'repo/a'), defaultIn(watch(), 'other')]).toEqual([null, null])
  })

  test('a directory that could not be looked at for a moment does not stop its calls for good', () => {
    write('home', 'ask')
    const watched = watch()
    // For the time being the name leads in a circle: it exists for all that can be told, and cannot be looked into.
    symlinkSync(at('loop'), at('loop'))
    rmSync(at('repo/a'), { recursive: true })
    symlinkSync(at('loop'), at('repo/a'))
    const unread = () => watched.current(at('repo/a')).policy?.scopes?.unread.map(({ problem }) => problem)
    expect([defaultIn(watched, 'repo/a'), unread()]).toEqual(['ask', ['unreadable']])
    rmSync(at('repo/a'))
    mkdirSync(at('repo/a'))
    time += 1_000
    expect([defaultIn(watched, 'repo/a'), unread()]).toEqual(['ask', undefined])
  })

  test('without any file and without a shipped one nothing is allowed', () => {
    expect(defaultIn(watch(), 'repo')).toBeNull()
  })

  test('many directories are no more than looked up again', () => {
    write('home', 'ask')
    const watched = watch()
    for (let index = 0; index < 1_000; index++) expect(defaultIn(watched, `d${index}`)).toBe('ask')
  })
})

describe('the policy of the machine', () => {
  proves('T41', 'one that is put there holds within the time in which every policy is looked at', () => {
    write('home', 'ask')
    let time = 0
    const places = { explicit: null, variable: null, cwd: at('other'), home: at('home'), managed: at('etc') }
    const managedOwner = process.getuid?.() ?? 0
    const { current } = watchPolicies({ places, vocabulary: VOCABULARY, interval: 1_000, now: () => time, managedOwner })
    expect(current(null).policy?.default).toBe('ask')
    mkdirSync(at('etc'), { mode: 0o755 })
    write('etc', 'deny')
    time = 1_000
    expect(current(null).policy?.default).toBe('deny')
    // Once it is there, nobody may change it for a moment: it is looked at each time.
    chmodSync(at('etc/countersign.yaml'), 0o666)
    expect(current(null)).toMatchObject({ policy: null, error: expect.stringContaining('policy.unsafe') })
  })

  const machine = () => {
    const places = { explicit: null, variable: null, cwd: at('other'), home: at('home'), managed: at('etc') }
    return watchPolicies({ places, vocabulary: VOCABULARY, interval: 0, now: () => 0, managedOwner: process.getuid?.() ?? 0 })
  }

  proves(['T41', 'T42'], 'it governs; the user’s only raises, and a shipped one does not count beside it', () => {
    mkdirSync(at('etc'), { mode: 0o755 })
    write('etc', 'deny')
    expect(machine().current(at('repo')).policy).toMatchObject({ default: 'deny', path: at('etc/countersign.yaml') })
    write('home', 'ask')
    const { policy } = machine().current(at('repo'))
    expect([policy?.default, policy?.scopes?.inForce.map(({ scope, governs }) => [scope, governs])]).toEqual([
      'deny',
      [
        ['managed', true],
        ['user', false],
      ],
    ])
  })

  proves('T41', 'one that others may write, or that is a link, allows nothing', () => {
    mkdirSync(at('etc'), { mode: 0o755 })
    write('etc', 'ask')
    write('home', 'ask')
    chmodSync(at('etc/countersign.yaml'), 0o666)
    expect(machine().current(at('repo'))).toMatchObject({ policy: null, error: expect.stringContaining('policy.unsafe') })
    rmSync(at('etc/countersign.yaml'))
    symlinkSync(at('home/countersign.yaml'), at('etc/countersign.yaml'))
    expect(machine().current(at('repo'))).toMatchObject({ policy: null, error: expect.stringContaining('policy.unsafe') })
  })
})

describe('changes', () => {
  proves('T41', 'an operator’s policy that vanishes stays in force, degraded; no weaker one takes its place', () => {
    write('home', 'deny')
    const watched = watch({ shipped: 'version: 1\ndefault: ask\n' })
    expect(defaultIn(watched, 'repo')).toBe('deny')
    rmSync(at('home/countersign.yaml'))
    time = 2_000
    expect(watched.current(at('repo'))).toMatchObject({
      policy: { default: 'deny' },
      degraded: expect.stringContaining('policy.not_found'),
    })
    write('home', 'ask', 2)
    time = 4_000
    expect(watched.current(at('repo'))).toMatchObject({ policy: { default: 'ask' }, degraded: null })
  })

  test('what a project brings is seen within the interval, not before, and goes as it came', () => {
    write('home', 'ask')
    const watched = watch()
    const judging = () => (watched.current(at('repo/a')).policy?.scopes?.inForce ?? []).length
    expect(judging()).toBe(0)
    write('repo', 'deny')
    time = 999
    expect(judging()).toBe(0)
    time = 1_000
    expect(judging()).toBe(2)
    const digest = watched.current(at('repo/a')).policy?.digest
    write('repo', 'ask', 2)
    time = 2_000
    expect(watched.current(at('repo/a')).policy?.digest).not.toBe(digest)
    rmSync(at('repo/countersign.yaml'))
    time = 3_000
    expect(judging()).toBe(0)
  })

  test('reloads are told in one line each, and nothing is looked at once stopped', () => {
    write('home', 'deny')
    const notes: string[] = []
    const watched = watch({}, (line) => notes.push(line))
    expect(defaultIn(watched, 'repo')).toBe('deny')
    write('home', 'ask', 2)
    time = 2_000
    expect(defaultIn(watched, 'repo')).toBe('ask')
    expect(notes).toEqual([expect.stringMatching(/^policy sha256:\w+ is in force$/)])
    watched.stop()
    write('home', 'deny', 3)
    time = 4_000
    expect(defaultIn(watched, 'repo')).toBe('ask')
  })
})
