/**
 * Holds what ran against what is cited: a citation in a loop over nothing registers no test, and one that is skipped proves nothing.
 * Part of every run of vitest; whether each cited id was proved is only known after a run of all files.
 */
import { relative } from 'node:path'
import type { Reporter, TestModule, Vitest } from 'vitest/node'
import { isTest, sources } from '../scripts/check/source.ts'
import { citations } from './citations.ts'

/** Cited id → the files that cite it. */
type Cited = ReadonlyMap<string, readonly string[]>

export interface Ran {
  readonly path: string
  /** As `proves` writes it: the ids stand in brackets at the end. */
  readonly title: string
  /** `passed` is the only state that proves anything. */
  readonly state: string
}

/** `file: id` for each citation in a file that ran, of which no test was registered. */
export function notRegistered(cited: Cited, tests: readonly Ran[]): readonly string[] {
  const files = new Set(tests.map(({ path }) => path))
  const registered = new Set(tests.flatMap((each) => idsOf(each).map((id) => `${each.path}: ${id}`)))
  return [...cited]
    .flatMap(([id, paths]) => [...new Set(paths)].map((path) => [path, `${path}: ${id}`] as const))
    .flatMap(([path, citation]) => (files.has(path) && !registered.has(citation) ? citation : []))
}

/** Ids that are cited, and of which no test passed. */
export function notPassed(cited: Cited, tests: readonly Ran[]): readonly string[] {
  const proved = new Set(tests.filter(({ state }) => state === 'passed').flatMap(idsOf))
  return [...cited.keys()].filter((id) => !proved.has(id))
}

function idsOf({ title }: Ran): readonly string[] {
  return title.match(/\[([^[\]]+)\]$/)?.[1]?.split(' ') ?? []
}

/** Fails a run whose citations did not run. */
export class CitationReporter implements Reporter {
  #named = false

  onInit({ config }: Vitest): void {
    this.#named = Boolean(config.testNamePattern)
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (this.#named) return
    const ran = new Set(modules.map(pathOf))
    const citing = sources('src', 'test', 'scripts').filter(({ path, text }) => isTest(path) && text.includes('proves('))
    const cited = citations(citing.filter(({ path }) => ran.has(path))).files
    const tests = modules.flatMap(ranIn)
    const problems = notRegistered(cited, tests).map((each) => `${each} is cited, and no such test was registered`)
    const unproved = citing.every(({ path }) => ran.has(path))
      ? notPassed(cited, tests).map((id) => `${id} is cited, and no test of it passed`)
      : []
    // Where programs are missing, tests are skipped and named before the run (test/support/missing.ts); CI has all of them.
    if (process.env.CI !== undefined) problems.push(...unproved)
    else if (unproved.length > 0) process.stderr.write(`not proved on this machine:\n${unproved.map((each) => `  ${each}\n`).join('')}`)
    if (problems.length === 0) return
    process.stderr.write(`citations:\n${problems.map((each) => `  ${each}\n`).join('')}`)
    process.exitCode = 1
  }
}

const pathOf = ({ moduleId }: TestModule): string => relative(process.cwd(), moduleId)

function ranIn(module: TestModule): readonly Ran[] {
  const path = pathOf(module)
  return [...module.children.allTests()].map((each) => ({ path, title: each.name, state: each.result().state }))
}
