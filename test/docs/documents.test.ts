/** What the documents say exists, exists: links, files behind promises, commands, requirement ids. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isTest, sources } from '../../scripts/check/source.ts'
import { COMPILE } from '../../src/cli/open.ts'
import { compilePolicy } from '../../src/policy/compile.ts'
import { sha256 } from '../../src/policy/file.ts'
import { citations } from '../citations.ts'
import { DEFERRED } from '../deferred.ts'
import { requirements } from '../requirements.ts'

const PAGES = [
  ...readdirSync('.').filter((name) => name.endsWith('.md')),
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]
const cited = citations(sources('src', 'test').filter(({ path }) => isTest(path))).files
const deferred = new Set(DEFERRED.flatMap(({ ids }) => ids))

/** Text without fenced blocks, which quote commands and files of other places. */
function prose(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
}

describe.each(PAGES)('%s', (page) => {
  test('every relative link leads somewhere', () => {
    const links = [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link.split('#')[0] ?? '')
    const relative = links.filter((link) => link !== '' && !/^[a-z]+:/.test(link))
    expect(relative.filter((link) => !existsSync(join(dirname(page), link)))).toEqual([])
  })

  test('every file of this repository that it names exists', () => {
    const named = [...prose(page).matchAll(/`((?:src|test|scripts|docs|examples|bench|bin)\/[\w./-]+)`/g)].map(([, path = '']) => path)
    expect(named.filter((path) => !existsSync(path))).toEqual([])
  })

  test('no line is longer than a reader likes', () => {
    const lines = prose(page)
      .split('\n')
      .filter((line) => !line.startsWith('|') && !line.startsWith('- `'))
    if (page.startsWith('docs/reference') || page === 'docs/evaluation.md') return // generated
    expect(lines.filter((line) => line.length > 240)).toEqual([])
  })
})

describe('policies in the documents', () => {
  const policies = PAGES.flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/^```yaml\n(version: [\s\S]*?)^```/gm)].map(([, text = '']) => ({ page, text })),
  )

  test('there is one', () => expect(policies.length).toBeGreaterThan(0))

  test.each(policies)('compile without an error or a warning: $page', ({ text }) => {
    const compiled = compilePolicy(text, { ...COMPILE, path: null, sha256 })
    expect(compiled.ok ? compiled.policy.warnings : compiled.errors).toEqual([])
  })
})

describe('who SECURITY.md is against', () => {
  const text = readFileSync('SECURITY.md', 'utf8')
  const rows = text
    .slice(text.indexOf('## Against whom'), text.indexOf('## The promises'))
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| who'))
    .map((line) => line.split(' | '))

  test.each(rows)('%s can %s', (...cells) => {
    const file = /`(test\/[\w/.-]+\.test\.ts)`/.exec(cells.at(-1) ?? '')?.[1] ?? ''
    expect([cells.length, existsSync(file)]).toEqual([4, true])
    expect(readFileSync(file, 'utf8')).toMatch(/\bproves\(/)
  })
})

describe('the promises in SECURITY.md', () => {
  const rows = readFileSync('SECURITY.md', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, id, , proof] = /^\| (P\d+) \| (.+) \| (.+) \|$/.exec(line) ?? []
      return id === undefined || proof === undefined ? [] : [{ id, proof }]
    })

  test('are all of them', () => {
    expect(rows.map(({ id }) => id)).toEqual(requirements.map(({ id }) => id).filter((id) => /^P\d+$/.test(id)))
  })

  test.each(rows)('$id is proved where it says so', ({ id, proof }) => {
    const files = [...proof.matchAll(/`([^`]+)`/g)].map(([, path]) => path)
    if (proof === 'not built') expect(deferred.has(id)).toBe(true)
    else expect(files.length).toBeGreaterThan(0)
    expect(files.filter((path) => !cited.get(id)?.includes(path ?? ''))).toEqual([])
  })
})
