import { describe, expect, test } from 'vitest'
import { proves } from '../../test/proves.ts'
import { alsoNamedFrom, alsoNamedTexts, alsoNamedToJson } from './also-named.ts'
import type { OtherName } from './call.ts'
import type { Json } from './json.ts'

const NAMES: readonly OtherName[] = [
  { server: null, name: 'github-list_issues', sure: true },
  { server: 'hub', name: 'issues', sure: false },
]

describe('other names of a tool', () => {
  proves('P10', 'are read back from a record as they were written', () => {
    expect(alsoNamedFrom(alsoNamedToJson(NAMES).also_named ?? null)).toEqual(NAMES)
    expect([alsoNamedToJson(), alsoNamedToJson([])]).toEqual([{}, {}])
  })

  const good = { tool: 'x', server: null, sure: true }
  for (const [what, value] of [
    ['no list', good],
    ['nothing', null],
    ['a text for a name', ['x']],
    ['no name', [{ server: null, sure: true }]],
    ['an empty name', [{ ...good, tool: '' }]],
    ['a redacted name', [{ ...good, tool: { redacted: 'secret' } }]],
    ['a server that is no text', [{ ...good, server: 1 }]],
    ['an empty server', [{ ...good, server: '' }]],
    ['no word of the server', [{ tool: 'x', sure: true }]],
    ['no word of how sure it is', [{ tool: 'x', server: null }]],
    ['one good name and one bad', [good, null]],
  ] as const satisfies readonly (readonly [string, Json])[]) {
    proves('P4', `a field with ${what} is refused, not passed over`, () => expect(alsoNamedFrom(value)).toBeNull())
  }

  test('are shown with what is only supposed marked as such', () => {
    expect(alsoNamedTexts(alsoNamedToJson(NAMES))).toEqual(['github-list_issues', 'hub/issues (perhaps)'])
    expect([alsoNamedTexts({}), alsoNamedTexts(undefined)]).toEqual([[], []])
    expect(alsoNamedTexts({ also_named: 'x' })).toEqual(['names that cannot be read'])
  })
})
