/**
 * Holds the readers of shell, make, just, sed, SQL, awk, jq and PowerShell to their law over programs made at random and over real files:
 * `npm run check:readers:tools [-- --runs 10000 directory…]` (`--files`: real files alone). A program whose act is not told fails; of real files it says how many are
 * not read whole, and what of them.
 */
import { type Dirent, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { parse } from 'unbash'
import { target } from '../src/facts/effect.ts'
import { record } from '../src/facts/languages/harness.ts'
import { parse as parseCode } from '../src/facts/languages/parsers.ts'
import { parsePowershell } from '../src/facts/languages/powershell/parse.ts'
import { itemsOf } from '../src/facts/programs/tasks/just/parse.ts'
import { Makefile } from '../src/facts/programs/tasks/make/makefile.ts'
import { analyseSql } from '../src/facts/sql/index.ts'
import { Bash, shellPrograms } from '../test/readers/bash-reference.ts'
import { codeOf, filled, pairsOf } from '../test/readers/code-forms.ts'
import { CODE_GRAMMARS } from '../test/readers/code-grammars.ts'
import { isToldByCode, isToldBySql, isToldByTool } from '../test/readers/told.ts'
import { programsOf, SQL_GRAMMAR, TOOL_GRAMMARS } from '../test/readers/tool-grammars.ts'

const MAX_FILES = 1_000
const MAX_TEXT = 65_536
/** Of each place. */
const MAX_ENTRIES = 400_000

const words = process.argv.slice(2)
const at = words.indexOf('--runs')
const runs = at < 0 ? 300 : Number(words[at + 1])
const directories = words.filter((word, index) => word !== '--files' && (at < 0 || (index !== at && index !== at + 1)))

let failed = false
if (!words.includes('--files')) programs()

function programs(): void {
  for (const grammar of TOOL_GRAMMARS)
    generated(
      grammar.name,
      fc.check(
        fc.property(programsOf(grammar), (text) => isToldByTool(...grammar.run(text))),
        { numRuns: runs },
      ),
    )
  generated(SQL_GRAMMAR.name, fc.check(fc.property(programsOf(SQL_GRAMMAR), isToldBySql), { numRuns: runs }))
  for (const grammar of CODE_GRAMMARS) {
    const { language, acts } = grammar
    const codes = pairsOf(grammar).map((form, at) => filled(form, acts[at % acts.length] ?? ''))
    const silent = codes.filter((code) => !isToldByCode(language, code))
    failed ||= silent.length > 0
    console.log(`${language}: ${codes.length} pairs of forms, ${silent.length} silent ${JSON.stringify(silent.slice(0, 3))}`)
    generated(
      language,
      fc.check(
        fc.property(codeOf(grammar), (code) => isToldByCode(language, code)),
        { numRuns: runs },
      ),
    )
  }

  const bash = new Bash()
  const shell = shellPrograms()
  const missed = shell.filter((program) => bash.missed(program).length > 0)
  bash.close()
  failed ||= missed.length > 0
  console.log(`bash: ${shell.length} pairs of forms, ${missed.length} start what is not told ${JSON.stringify(missed.slice(0, 3))}`)
}

function generated(name: string, { failed: silent, counterexample }: fc.RunDetails<[string]>): void {
  failed ||= silent
  console.log(`${name}: ${runs} programs, ${silent ? `silent: ${JSON.stringify(counterexample?.[0])}` : 'all told'}`)
}

/** What of a file is not read; empty where all of it has a place. */
const READERS: Readonly<Record<string, { readonly names: RegExp; readonly unread: (text: string) => readonly string[] }>> = {
  make: {
    names: /(?:^|\/)(?:GNUmakefile|[Mm]akefile(?:\.(?!py$|js$)\w+)?)$|\.mk$/,
    unread: (text) => {
      const file = new Makefile(text, new Map())
      return [...file.unreadable, ...(file.exhausted ? ['too much to expand'] : [])]
    },
  },
  just: { names: /(?:^|\/)\.?[Jj]ustfile$|\.just$/, unread: (text) => itemsOf(text).unread },
  shell: { names: /\.(?:sh|bash)$/, unread: (text) => (parse(text).errors ?? []).map(({ message }) => message) },
  awk: { names: /\.awk$/, unread: unreadAwk },
  jq: { names: /\.jq$/, unread: (text) => record('jq', text).reasons.filter((reason) => reason.includes('could not be read')) },
  powershell: { names: /\.psm?1$/, unread: (text) => [parsePowershell(text).problem ?? []].flat() },
  sql: {
    names: /\.sql$/,
    unread: (text) =>
      analyseSql(text, { span: null, database: target('database', 'db') }).flatMap(({ verb, reason }) =>
        verb === 'opaque' ? [reason ?? ''] : [],
      ),
  },
}

const places = directories.length > 0 ? directories : ['/usr/share', '/usr/lib', '/usr/local', '/etc', '/opt', 'node_modules', 'examples']
const files = places.flatMap((place) => filesBelow(place))
for (const [name, { names, unread }] of Object.entries(READERS)) {
  const own = files.filter((path) => names.test(path)).slice(0, MAX_FILES)
  const found = own.map((path) => ({ path, text: readFileSync(path, 'utf8') })).filter(({ text }) => text.length <= MAX_TEXT)
  const open = found.map(({ path, text }) => ({ path, parts: unread(text) })).filter(({ parts }) => parts.length > 0)
  console.log(`${name}: ${found.length} real files, ${open.length} not read whole`)
  for (const { path, parts } of open.slice(0, 8)) console.log(`  ${path}: ${parts.slice(0, 2).join('; ').slice(0, 140)}`)
}
process.exit(failed ? 1 : 0)

function unreadAwk(text: string): readonly string[] {
  try {
    const root = parseCode('awk', text)
    return root.kind === 'block' && root.body.some(({ kind }) => kind === 'unread') ? ['tokens without a place'] : []
  } catch (error) {
    return [String(error)]
  }
}

/** Files that one of the readers is for; links are not followed, as some lead back up, and no more than so many entries are looked at. */
function filesBelow(place: string): readonly string[] {
  const found: string[] = []
  const open = [place]
  let left = MAX_ENTRIES
  for (let directory = open.pop(); directory !== undefined && left > 0; directory = open.pop()) {
    for (const entry of entriesOf(directory)) {
      if (--left < 0) break
      const path = join(directory, entry.name)
      if (entry.isDirectory()) open.push(path)
      else if (entry.isFile() && Object.values(READERS).some(({ names }) => names.test(path))) found.push(path)
    }
  }
  return found
}

function entriesOf(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch {
    return []
  }
}
