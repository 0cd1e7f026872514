/**
 * Holds the readers of code against real files: how many they read whole, and whether parsers of others find calls that they do
 * not. `npm run check:readers [language [directory…]]`; without words, what development packages and this machine hold.
 * CPython reads Python where it is installed. A call that is missed fails the check.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ParsedLanguage } from '../src/facts/languages/parsers.ts'
import { callsHere, callsThere, missed } from '../test/readers/reference.ts'

const MAX_FILES = 1_000
const MAX_TEXT = 65_536

interface Corpus {
  readonly endings: RegExp
  readonly directories: readonly string[]
}

const python = spawnSync('python3', ['-c', 'import os; print(os.path.dirname(os.__file__))'], { encoding: 'utf8' }).stdout?.trim() ?? ''

const CORPORA: Readonly<Partial<Record<ParsedLanguage, Corpus>>> = {
  node: { endings: /\.[cm]?[jt]sx?$/, directories: ['node_modules', 'src'] },
  python: { endings: /\.py$/, directories: [python] },
  perl: { endings: /\.p[lm]$/, directories: ['/usr/share/perl', '/usr/share/perl5'] },
  ruby: { endings: /\.rb$/, directories: ['/usr/lib/ruby'] },
  php: { endings: /\.php$/, directories: ['/usr/share/php'] },
  lua: { endings: /\.lua$/, directories: ['/usr/share/lua'] },
}

const [chosen, ...directories] = process.argv.slice(2)
let failed = false
for (const [language, corpus] of Object.entries(CORPORA) as [ParsedLanguage, Corpus][]) {
  if (chosen !== undefined && chosen !== language) continue
  check(language, directories.length > 0 ? { ...corpus, directories } : corpus)
}
process.exit(failed ? 1 : 0)

function check(language: ParsedLanguage, corpus: Corpus): void {
  const files = filesOf(corpus)
  if (files.length === 0) {
    console.log(`${language}: no files here`)
    return
  }
  const sources = files.map((path) => ({ path, source: readFileSync(path, 'utf8') })).filter(({ source }) => source.length <= MAX_TEXT)
  const cpython = language === 'python' && python !== '' ? cpythonCalls(sources.map(({ path }) => path)) : null
  let unread = 0
  let compared = 0
  const wrong: string[] = []
  for (const { path, source } of sources) {
    const ours = callsHere(language, source)
    if (ours === null) unread += 1
    const theirs = cpython === null ? callsThere(language, source) : (cpython.get(path) ?? null)
    if (theirs === null) continue
    compared += 1
    const names = ours === null ? [] : missed(theirs, ours)
    if (names.length > 0) wrong.push(`  ${path}: ${names.join(', ')}`)
  }
  failed ||= wrong.length > 0
  console.log(`${language}: ${sources.length} files, ${unread} not read whole, ${compared} compared, calls missed in ${wrong.length}`)
  for (const line of wrong.slice(0, 40)) console.log(line)
}

function filesOf({ endings, directories: places }: Corpus): readonly string[] {
  const all = places
    .filter((place) => place !== '' && existsSync(place))
    .flatMap((place) => readdirSync(place, { recursive: true, encoding: 'utf8' }).map((name) => join(place, name)))
    .filter((path) => endings.test(path) && !path.endsWith('.d.ts'))
    .toSorted()
  // Every so many, so that no package fills the sample alone.
  const step = Math.max(1, Math.floor(all.length / MAX_FILES))
  return all.filter((_, at) => at % step === 0).slice(0, MAX_FILES)
}

/** Calls as CPython reads them, by file; files of other versions of the language are left out. */
function cpythonCalls(paths: readonly string[]): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const code = `
import ast, collections, json, sys
for path in sys.stdin.read().split('\\n'):
    try: tree = ast.parse(open(path, encoding='utf-8').read())
    except Exception: continue
    names = collections.Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, 'id', None) or getattr(node.func, 'attr', None)
            if name: names[name.lower()] += 1
    print(json.dumps([path, names]))
`
  const { stdout } = spawnSync('python3', ['-W', 'ignore', '-c', code], { input: paths.join('\n'), encoding: 'utf8', maxBuffer: 2 ** 28 })
  const rows = stdout.split('\n').filter((line) => line !== '')
  return new Map(
    rows.map((line) => {
      const [path, names] = JSON.parse(line) as [string, Record<string, number>]
      return [path, new Map(Object.entries(names))]
    }),
  )
}
