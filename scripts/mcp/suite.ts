/** The official conformance suite as a program, and what came out of its scenarios. */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
export const REVISIONS = ['2025-11-25', '2026-07-28'] as const

/** The suite gives a scenario half a minute, which a busy machine takes to start a few processes. */
const PATIENCE = ['--timeout', '300000']

/** What each check of a scenario came to, in an order that does not depend on time. */
export type Outcomes = ReadonlyMap<string, readonly string[]>

interface Check {
  readonly id: string
  readonly status: string
}

/** Runs all that the revision requires of servers, and what the suite reports beside it. */
export async function serverOutcomes(args: readonly string[], out: string): Promise<Outcomes> {
  await suite(['conformance', 'server', ...args, ...PATIENCE, '-o', out])
  return outcomesIn(out)
}

/**
 * The same of clients, one scenario after the other: the suite itself starts them all at once, each with a client and a proxy of its own,
 * and then measures how long they take.
 */
export async function clientOutcomes(
  command: string,
  revision: string,
  { scenarios, out }: { readonly scenarios: readonly string[]; readonly out: string },
): Promise<Outcomes> {
  const args = ['client', '--spec-version', revision, '--force', ...PATIENCE, '-o', out, '--command', `'${command}'`]
  const each = `conformance ${args.join(' ')} --scenario`
  mkdirSync(out, { recursive: true })
  await suite(['-c', scenarios.map((name) => `${each} ${name}`).join('; ')])
  return outcomesIn(out)
}

/** What the revision requires of clients, and what the suite reports beside it. */
export async function clientScenarios(revision: string): Promise<readonly string[]> {
  const said = await suite(['conformance', 'list', '--requirements', revision])
  const [, clients = ''] = said.split('Client scenarios')
  const [required = '', reported = ''] = clients.split('Run and reported')
  const names = [...required.matchAll(/^ {2}- (\S+)/gm), ...reported.matchAll(/^ +- (\S+) \[client\]/gm)].map(([, name = '']) => name)
  return names.filter((name) => /^[\w./-]+$/.test(name))
}

/** Needs a newer Node than ours, so npm fetches one. Resolves with what was said. */
async function suite(args: readonly string[]): Promise<string> {
  const packages = ['--package=node@24', `--package=${SUITE}`]
  const child = spawn('npm', ['exec', '--yes', ...packages, ...(args[0] === '-c' ? [] : ['--']), ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  await new Promise((resolve) => child.once('close', resolve))
  return said
}

function outcomesIn(out: string): Outcomes {
  return new Map(
    directoriesWithChecks(out).map((run) => {
      const checks = JSON.parse(readFileSync(join(out, run, 'checks.json'), 'utf8')) as readonly Check[]
      const name = run.replace(/^server-(?=.*-\d{4}-\d\d-\d\dT)/, '').replace(/-\d{4}-\d\d-\d\dT[\dTZ.:-]*$/, '')
      // What the suite only notes says how many requests there were, not whether one was right.
      const judged = checks.filter(({ status }) => status !== 'INFO').map(({ id, status }) => `${id} ${status}`)
      return [name, judged.sort()]
    }),
  )
}

/** Scenarios of the client half are in folders of their own (`auth/…`). */
function directoriesWithChecks(out: string, under = ''): readonly string[] {
  return readdirSync(join(out, under), { withFileTypes: true }).flatMap((each) => {
    const path = under === '' ? each.name : `${under}/${each.name}`
    if (!each.isDirectory()) return each.name === 'checks.json' ? [under] : []
    return directoriesWithChecks(out, path)
  })
}

export function holds(checks: readonly string[]): boolean {
  return checks.length > 0 && !checks.some((each) => each.endsWith(' FAILURE'))
}

/** What came out otherwise of one scenario: checks of one run that the other has not. */
export function differences(one: readonly string[], other: readonly string[] | undefined): readonly string[] {
  const count = (checks: readonly string[], each: string): number => checks.filter((check) => check === each).length
  const all = [...new Set([...one, ...(other ?? [])])]
  return all.filter((each) => count(one, each) !== count(other ?? [], each))
}
