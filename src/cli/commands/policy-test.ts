import { readdirSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { compilePolicy } from '../../policy/compile.ts'
import { DEFAULT_POLICY } from '../../policy/default.ts'
import { formatPolicyError, type PolicyError } from '../../policy/errors.ts'
import { POLICY_FILE, readPolicy, readText, sha256 } from '../../policy/file.ts'
import type { Policy } from '../../policy/policy.ts'
import { type PolicyTest, readTestFile, testsOfPolicy } from '../../policy/sections/tests.ts'
import { runPolicyTests, type Tested, type TestRun } from '../../replay/policy-test.ts'
import { COMPILE, policyPath } from '../open.ts'
import { EXIT, print, UsageError, visible } from '../terminal.ts'

interface Options {
  readonly json?: boolean
  readonly coverage?: boolean
}

const TEST_FILE = /\.test\.ya?ml$/

/**
 * `policy test`: the examples of the rules, which are run whenever a policy is loaded, then its `tests` and those of every
 * `*.test.yaml` beside it. Of a file of tests that is named, only those.
 */
export async function testPolicy(file: string | undefined, options: Options): Promise<number> {
  const named = file !== undefined && TEST_FILE.test(file) ? readTests(file) : null
  const path = named === null ? (file ?? policyPath(null)) : policyOf(named)
  const result =
    path === null ? compilePolicy(DEFAULT_POLICY, { ...COMPILE, path: null, sha256 }) : readPolicy(path, { ...COMPILE, asOf: Date.now() })
  if (!result.ok) return unloaded(path, result.errors, options)
  const tests = named?.tests ?? (path === null ? [] : testsAround(path))
  const run = await runPolicyTests(result.policy, tests)
  report({ path: path ?? 'shipped default', policy: result.policy, run, options })
  const holds = run.tested.every(({ differences }) => differences.length === 0)
  const covered = options.coverage !== true || run.coverage.every(({ reached }) => reached)
  return holds && covered ? EXIT.ok : EXIT.broken
}

/** Failing examples are what the command is for; anything else keeps it from running. */
function unloaded(path: string | null, errors: readonly PolicyError[], options: Options): number {
  const failed = errors.filter((error) => error.code.includes('example'))
  if (options.json === true) print(JSON.stringify({ path, failed, errors }, null, 2))
  else for (const error of errors) print(formatPolicyError(error))
  return errors.length > failed.length ? EXIT.usage : EXIT.broken
}

interface NamedTests {
  readonly path: string
  readonly policy: string | null
  readonly tests: readonly PolicyTest[]
}

function readTests(path: string): NamedTests {
  const text = readText(path)
  if (typeof text !== 'string') throw new UsageError(text.message)
  const { policy, tests, errors } = readTestFile(text, path)
  if (errors.length > 0) throw new UsageError(errors.map(formatPolicyError).join('\n'))
  return { path, policy, tests }
}

function policyOf({ path, policy }: NamedTests): string {
  return resolve(dirname(path), policy ?? POLICY_FILE)
}

/** Its own, and those of the files beside it that test it. */
function testsAround(path: string): readonly PolicyTest[] {
  const text = readText(path)
  const own = typeof text === 'string' ? testsOfPolicy(text, path) : []
  const directory = dirname(path)
  const files = readdirSync(directory)
    .filter((name) => TEST_FILE.test(name))
    .sort()
  const beside = files.map((name) => readTests(join(directory, name))).filter((each) => policyOf(each) === resolve(path))
  return [...own, ...beside.flatMap(({ tests }) => tests)]
}

interface Report {
  readonly path: string
  readonly policy: Policy
  readonly run: TestRun
  readonly options: Options
}

function report({ path, run: { tested, coverage }, options }: Report): void {
  const failed = tested.filter(({ differences }) => differences.length > 0)
  if (options.json === true) {
    const rows = tested.map(({ test, differences, decision }) => ({
      name: test.name,
      ...test.place,
      differences,
      decision: decision?.would ?? null,
      code: decision?.code ?? null,
    }))
    print(JSON.stringify({ path, failed: [], errors: [], tests: rows, coverage }, null, 2))
    return
  }
  print(`${path}: every example holds`)
  if (tested.length === 0 && options.coverage !== true) return
  for (const each of failed) for (const line of textOf(each)) print(visible(line))
  print(`${tested.length} tests, ${tested.length - failed.length} hold`)
  const missed = coverage.filter(({ reached }) => !reached)
  print(`coverage: ${coverage.length - missed.length} of ${coverage.length} rules reached by a test`)
  for (const { rule, line } of missed) print(visible(`  not reached: ${rule}${line === null ? '' : ` (${basename(path)}:${line})`}`))
}

/** What differs, as a diff; under it, what each finding said. */
function textOf({ test, differences, decision }: Tested): readonly string[] {
  const findings = decision?.findings.filter(({ verdict }) => verdict !== 'abstain') ?? []
  return [
    `${relative('.', test.place.path)}:${test.place.line} ${test.name}`,
    ...differences.flatMap(({ what, expected, actual }) => [`  - ${what}: ${expected}`, `  + ${what}: ${actual}`]),
    ...findings.map(({ layer, rule, verdict, code, message }) => `    ${verdict} by ${layer} ${rule} (${code}): ${message}`),
  ]
}
