import { describe, expect, test } from 'vitest'
import { isTest, sources } from '../../scripts/check/source.ts'
import { CAPABILITY_ACTIONS, CAPABILITY_NAMES } from '../grants/actions.ts'
import { ACTIONS, isKnownAction } from './actions.ts'

const files = sources('src').filter(({ path }) => path.startsWith('src/facts/'))
const NAME = '[a-z][a-z0-9-]*:[a-z][a-z0-9-]*'

/** Actions that the tables give to effects, in the forms that they are written in. */
function written(): ReadonlySet<string> {
  const forms = [
    new RegExp(`\\baction: '(${NAME})'`, 'g'),
    new RegExp(`'(?:read|write|delete|execute|fetch|send|publish|pay|persist|change) (${NAME})'`, 'g'),
    new RegExp(`\\bpays\\('(${NAME})'\\)`, 'g'),
  ]
  const texts = files.filter(({ path }) => !isTest(path)).map(({ text }) => text)
  return new Set(texts.flatMap((text) => forms.flatMap((form) => [...text.matchAll(form)].map((match) => match[1] ?? ''))))
}

/** Actions that tests expect of effects: `publish git:push repository origin`. */
function expected(): ReadonlySet<string> {
  const form = new RegExp(
    `\\b(?:read|write|delete|execute|fetch|send|publish|pay|persist|change) (${NAME}) (?:path|url|host|address|program|script|code|package|repository|database|process|service|resource|account|agent|variable)\\b`,
    'g',
  )
  return new Set(files.filter(({ path }) => isTest(path)).flatMap(({ text }) => [...text.matchAll(form)].map((match) => match[1] ?? '')))
}

/** An action of a policy's own tool in a test, and a subcommand of a program. */
const DECLARED = new Set(['crm:purge', 'update:publish'])

describe('the list of actions', () => {
  test('has every action that a table gives to an effect', () => {
    const missing = [...written()].filter((action) => !isKnownAction(action) && !DECLARED.has(action))
    expect(missing, 'add these to src/facts/actions.ts').toEqual([])
    expect(written().size).toBeGreaterThan(300)
  })
  test('has every action that a test sees', () => {
    expect([...expected()].filter((action) => !isKnownAction(action) && !DECLARED.has(action))).toEqual([])
    expect(expected().size).toBeGreaterThan(80)
  })
  test('has every action that people gate', () => {
    expect(CAPABILITY_ACTIONS.filter((action) => !isKnownAction(action))).toEqual([])
    expect(CAPABILITY_NAMES.filter((name) => name.includes(':') && !isKnownAction(name))).toEqual([])
  })
  test('says each once', () => expect([...ACTIONS].length).toBe(new Set(ACTIONS).size))
})

describe('what is known', () => {
  for (const [name, known] of [
    ['git:push', true],
    ['k8s:*', true],
    ['git:psuh', false],
    ['gti:push', false],
    ['git:', false],
    ['git', false],
    [':push', false],
    ['*', false],
    ['', false],
    ['constructor:x', false],
    ['service:whatever', true],
    ['terraform:unknown', false],
    ['tf:unknown', true],
  ] as const) {
    test(`${name}: ${known}`, () => expect(isKnownAction(name)).toBe(known))
  }
})
