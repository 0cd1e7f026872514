/** The pages about other gates: the configuration on each becomes the policy beside it, with what is said of the rest. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { IMPORTERS, noteLine, policyText } from '../../src/migrate/index.ts'

const PAGES = 'docs/guide/migrating'

test('every importer has its page', () =>
  expect(readdirSync(PAGES).sort()).toEqual([...IMPORTERS.keys()].map((name) => `${name}.md`).sort()))

describe.each([...IMPORTERS])('%s', (seed, importer) => {
  const page = readFileSync(join(PAGES, `${seed}.md`), 'utf8')
  const blocks = [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(([, language = '', text = '']) => ({ language, text }))
  const command = blocks.find(({ language }) => language === 'sh')?.text ?? ''
  const [, named, path = ''] = /^countersign import (\S+) (\S+) --out/.exec(command) ?? []
  const migrated = importer([{ path, text: blocks[0]?.text ?? '' }])

  test('the command is of this importer', () => expect(named).toBe(seed))

  test('the policy is what comes of the file', () => {
    const policy = policyText(seed, migrated)
      .replaceAll(/^#.*\n/gm, '')
      .trim()
    expect(blocks.filter(({ language }) => language === 'yml').map(({ text }) => text.trim())).toContain(policy)
  })

  test('what stays behind is said', () => {
    const said =
      blocks
        .find(({ language }) => language === '')
        ?.text.trim()
        .split('\n') ?? []
    expect(said.slice(0, -1)).toEqual(migrated.notes.map(noteLine))
  })
})
