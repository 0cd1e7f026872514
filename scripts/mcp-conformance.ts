/**
 * `npm run check:mcp`: the requirement sets of the official conformance suite for both protocol versions, server half and client half, directly
 * and through `countersign mcp` over both transports. Each check has to come out the same. Fails where one does not. Takes ten minutes;
 * `-- --revision 2026-07-28 --half server` runs a part, `--way` one way through the proxy, `--scenario NAME` one scenario.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { freePort } from '../test/support/free-port.ts'
import { clientOutcomes, clientScenarios, differences, holds, type Outcomes, REVISIONS, SUITE, serverOutcomes } from './mcp/suite.ts'

const CLI = new URL('../dist/cli/bin.js', import.meta.url).pathname

interface Otherwise {
  readonly half: 'server' | 'client'
  readonly ways: readonly string[]
  readonly checks: readonly string[]
  readonly why: string
}

/** Checks that come out otherwise through the proxy, and why that is right. */
const OTHERWISE: readonly Otherwise[] = [
  {
    half: 'server',
    ways: ['HTTP → streams', 'HTTP → streams → HTTP'],
    checks: ['server-sse-disconnect-resume'],
    why: 'over standard streams a server cannot close the stream of an answer, and the proxy closes none by itself',
  },
  {
    half: 'client',
    ways: ['HTTP → HTTP'],
    checks: ['resource-parameter-matches-prm'],
    why:
      'RFC 9728, 3.3: a client must not use metadata whose `resource` is not the address that it asked. ' +
      'Behind any proxy that is the address of the proxy, so it cannot be the one that the server published',
  },
]

function whyOtherwise({ half, way }: Compared, found: readonly string[]): string | null {
  const reasons = found.map((each) => OTHERWISE.find((known) => isExpected(known, { half, way }, each))?.why)
  return reasons.includes(undefined) ? null : [...new Set(reasons)].join('; ')
}

function isExpected(known: Otherwise, { half, way }: Pick<Compared, 'half' | 'way'>, difference: string): boolean {
  return known.half === half && known.ways.includes(way) && known.checks.includes(difference.split(' ')[0] ?? '')
}

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { revision: text, half: text, way: text, scenario: text, verbose: { type: 'boolean' } } })

/** What the suite is to run. */
const scenariosOf = (revision: string): readonly string[] =>
  values.scenario === undefined ? ['--requirements', revision] : ['--scenario', values.scenario, '--spec-version', revision]
const isAskedFor = (way: string): boolean => values.way === undefined || values.way === way

const directory = mkdtempSync(join(tmpdir(), 'countersign-conformance-'))
const policy = join(directory, 'policy.yaml')
// Two of the peer's tools have names that say nothing and are given a text: without a word of the operator a person is asked.
const KNOWN =
  'tools: { peer/test_sampling: { risk_tier: low }, peer/test_elicitation: { risk_tier: low }, inner/test_sampling: { risk_tier: low }, inner/test_elicitation: { risk_tier: low } }\n'
writeFileSync(policy, `version: 1\ndefault: ask\nunregistered: allow\n${KNOWN}`)
const started: ChildProcess[] = []

/** A peer in one file: each session over streams starts it anew. */
async function bundled(name: string): Promise<readonly string[]> {
  const outfile = join(directory, `${name}.mjs`)
  const entry = new URL(`mcp/${name}.ts`, import.meta.url).pathname
  // Packages in the older format of modules ask for Node's own by `require`.
  const banner = { js: "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);" }
  await build({ entryPoints: [entry], outfile, banner, bundle: true, platform: 'node', format: 'esm', target: 'node20', logLevel: 'error' })
  return [process.execPath, outfile]
}

const [PEER, CLIENT] = [await bundled('server'), [...(await bundled('client')), CLI]]
const COUNTERSIGN = [process.execPath, CLI, 'mcp', '--policy', policy]

/** Each with a state of its own, proxies behind proxies, too: the same name at another place is another server, and asked about. */
function start([command = '', ...args]: readonly string[]): void {
  const home = join(directory, `home-${started.length}`)
  mkdirSync(home)
  const env = { PATH: process.env.PATH ?? '', HOME: home, COUNTERSIGN_HOME: join(home, 'state') }
  started.push(spawn(command, args, { stdio: 'ignore', cwd: directory, env }))
}

async function answers(url: string): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 100))) {
    const there = await fetch(url, { method: 'POST' }).then(
      () => true,
      () => false,
    )
    if (there) return
  }
  throw new Error(`nobody answers at ${url}`)
}

/** The peer server, and the proxy in front of it: HTTP to HTTP, HTTP to streams, and streams to HTTP behind another proxy. */
async function serverWays(): Promise<ReadonlyMap<string, string>> {
  const names = ['direct', 'HTTP → HTTP', 'HTTP → streams', 'HTTP → streams → HTTP'] as const
  const ports = await Promise.all(names.map(() => freePort()))
  const [direct = 0, reverse = 0, streams = 0, chained = 0] = ports
  const url = `http://127.0.0.1:${direct}/mcp`
  const listen = (port: number): readonly string[] => [...COUNTERSIGN, '--name', 'peer', '--listen', `127.0.0.1:${port}`]
  start([...PEER, String(direct)])
  start([...listen(reverse), '--url', url])
  start([...listen(streams), '--', ...PEER])
  start([...listen(chained), '--', ...COUNTERSIGN, '--name', 'inner', '--url', url])
  const ways = new Map(names.map((name, index) => [name, `http://127.0.0.1:${ports[index]}/mcp`]))
  for (const each of ways.values()) await answers(each)
  return ways
}

interface Compared {
  readonly half: string
  readonly revision: string
  readonly way: string
  readonly direct: Outcomes
  readonly through: Outcomes
}

/** One line of the table, and what came out otherwise; whether all of that is expected. */
function report(compared: Compared): boolean {
  const { half, revision, way, direct, through } = compared
  const checks = [...direct.values()].reduce((sum, each) => sum + each.length, 0)
  const holding = [...direct.values()].filter(holds).length
  const other = [...direct].flatMap(([scenario, of]) => {
    const found = differences(of, through.get(scenario))
    return found.length === 0 ? [] : [{ scenario, found, why: whyOtherwise(compared, found) }]
  })
  const same = direct.size - other.length
  console.log(`| ${half} | ${revision} | ${way} | ${direct.size} | ${checks} | ${holding} | ${same} | ${other.length} |`)
  for (const { scenario, found, why } of other)
    console.log(`<!-- ${scenario}: ${why ?? 'NOT EXPECTED'}${values.verbose === true || why === null ? `\n${found.join('\n')}` : ''} -->`)
  // Peers that fail alone would fail alike: then nothing was compared.
  return holding > direct.size / 2 && other.every(({ why }) => why !== null)
}

let out = 0
function outDirectory(): string {
  out += 1
  return join(directory, `run-${out}`)
}

async function serverHalf(revision: string): Promise<boolean> {
  const run = (url: string): Promise<Outcomes> => serverOutcomes(['--url', url, ...scenariosOf(revision)], outDirectory())
  const ways = [...(await serverWays())]
  const direct = await run(ways[0]?.[1] ?? '')
  let good = true
  for (const [way, url] of ways.slice(1).filter(([each]) => isAskedFor(each)))
    good = report({ half: 'server', revision, way, direct, through: await run(url) }) && good
  return good
}

async function clientHalf(revision: string): Promise<boolean> {
  const scenarios = values.scenario === undefined ? await clientScenarios(revision) : [values.scenario]
  // Over streams a client does not log in: the scenarios of `auth/` have no meaning there.
  const plain = scenarios.filter((each) => !each.startsWith('auth/'))
  const run = (way: string, those: readonly string[]): Promise<Outcomes> =>
    clientOutcomes([...CLIENT, way].join(' '), revision, { scenarios: those, out: outDirectory() })
  const direct = await run('direct', scenarios)
  const compared = { half: 'client', revision } as const
  let good = true
  if (isAskedFor('HTTP → HTTP')) good = report({ ...compared, way: 'HTTP → HTTP', direct, through: await run('http', scenarios) })
  if (!isAskedFor('streams → HTTP') || plain.length === 0) return good
  const ofPlain = new Map([...direct].filter(([name]) => plain.includes(name)))
  return report({ ...compared, way: 'streams → HTTP', direct: ofPlain, through: await run('streams', plain) }) && good
}

try {
  console.log(`${SUITE}\n\n| half | version | way | scenarios | checks | hold directly | the same | otherwise |`)
  console.log('|---|---|---|--:|--:|--:|--:|--:|')
  let good = true
  for (const revision of REVISIONS.filter((each) => values.revision === undefined || each === values.revision)) {
    if (values.half !== 'client') good = (await serverHalf(revision)) && good
    if (values.half !== 'server') good = (await clientHalf(revision)) && good
  }
  process.exitCode = good ? 0 : 1
} finally {
  for (const child of started) child.kill()
  rmSync(directory, { recursive: true, force: true })
}
