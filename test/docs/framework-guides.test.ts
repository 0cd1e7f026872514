/** The program of each page under docs/guide/frameworks, as it stands there, over the package as it is built and the frameworks themselves. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ROOT } from '../hosts/harness.ts'

const PAGES = join(ROOT, 'docs/guide/frameworks')
/** Where the page names a package whose core alone is installed here. */
const CORE: ReadonlyMap<string, string> = new Map([['@openai/agents', '@openai/agents-core']])

interface Page {
  readonly name: string
  readonly program: string
  readonly prints: readonly string[]
  readonly packages: readonly string[]
}

const pages = readdirSync(PAGES).flatMap((file): readonly Page[] => {
  const text = readFileSync(join(PAGES, file), 'utf8')
  const program = /```js\n([\s\S]*?)```/.exec(text)?.[1]
  if (program === undefined) return []
  const prints = [...(/^It prints (.*)$/m.exec(text)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, line = '']) => line)
  const [, installed = ''] = /^\$ npm install countersign (.*)$/m.exec(text) ?? []
  return [
    { name: file.replace('.md', ''), program, prints, packages: installed.split(' ').map((each) => each.replace(/(?<=.)@[\d.]+$/, '')) },
  ]
})

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-guides-'))
  const link = (name: string, to: string) => {
    mkdirSync(dirname(join(root, 'node_modules', name)), { recursive: true })
    symlinkSync(to, join(root, 'node_modules', name))
  }
  link('countersign', ROOT)
  for (const name of new Set(pages.flatMap(({ packages }) => packages))) link(name, join(ROOT, 'node_modules', CORE.get(name) ?? name))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('each page says what it prints, and every framework of the table has a page', () => {
  expect(pages.filter(({ prints }) => prints.length !== 2).map(({ name }) => name)).toEqual([])
  const table = readFileSync(join(ROOT, 'docs/guide/frameworks.md'), 'utf8')
  const named = [...table.matchAll(/^\| .* \| `countersign\/([a-z-]+)` \|/gm)].map(([, name]) => name)
  expect(pages.map(({ name }) => name)).toEqual(named.toSorted())
})

test('each program prints what its page says', () => {
  for (const { name, program } of pages) writeFileSync(join(root, `${name}.mjs`), program)
  // One process: what they load together is most of the time.
  const names = pages.map(({ name }) => name)
  const main = `const said = {}
for (const name of ${JSON.stringify(names)}) {
  console.log = (...words) => (said[name] ??= []).push(words.join(' '))
  await import('./' + name + '.mjs')
}
process.stdout.write(JSON.stringify(said))
`
  writeFileSync(join(root, 'main.mjs'), main)
  const options = { cwd: root, encoding: 'utf8', env: { HOME: root, PATH: '' }, timeout: 180_000, stdio: 'pipe' } as const
  const said: unknown = JSON.parse(execFileSync(process.execPath, ['main.mjs'], options))
  expect(said).toEqual(Object.fromEntries(pages.map(({ name, prints }) => [name, prints])))
}, 200_000)
