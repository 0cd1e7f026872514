import { describe, expect, test } from 'vitest'
import { breaksFactsLaw } from './facts-law.ts'

const HOLDS = [
  ['resources/path/glob', 'effect'],
  ['sql/index', 'resources/acts'],
  ['programs/git/git', 'sql/index'],
  ['bash/walk/walk', 'programs/index'],
  ['languages/api/act', 'programs/cloud/verbs'],
  ['tools/generic', 'bash/index'],
  ['deferred/index', 'tools/quote'],
  ['analyse', 'deferred/index'],
  ['index', 'analyse'],
  ['host', 'facts'],
  ['facts', 'effect'],
  ['bash/walk/walk', 'bash/state/state'],
] as const

const BREAKS = [
  ['effect', 'resources/path/glob'],
  ['resources/url/apis', 'programs/git/github'],
  ['sql/report', 'programs/tool'],
  ['programs/git/git', 'bash/walk/walk'],
  ['programs/files/patching', 'tools/patch'],
  ['bash/walk/context', 'languages/index'],
  ['languages/index', 'bash/index'],
  ['tools/spec', 'deferred/index'],
  ['deferred/index', 'analyse'],
] as const

describe('the law of the facts room', () => {
  for (const [from, to] of HOLDS)
    test(`${from} may name ${to}`, () => expect(breaksFactsLaw(`src/facts/${from}.ts`, `src/facts/${to}.ts`)).toBeNull())
  for (const [from, to] of BREAKS)
    test(`${from} may not name ${to}`, () => expect(breaksFactsLaw(`src/facts/${from}.ts`, `src/facts/${to}.ts`)).toContain('may not name'))
  test('a part that nobody placed is said', () =>
    expect(breaksFactsLaw('src/facts/effect.ts', 'src/facts/newroom/x.ts')).toContain('no place in the law'))
  test('other rooms have another law', () => expect(breaksFactsLaw('src/gate.ts', 'src/facts/index.ts')).toBeNull())
})
