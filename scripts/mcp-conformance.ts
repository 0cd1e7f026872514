/**
 * `npm run build && npx tsx scripts/mcp-conformance.ts`: the official conformance suite against server-everything, directly and through
 * `countersign mcp`. Says which checks come out otherwise, and fails where the proxy is worse. Fetches the suite, which needs Node 22.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../test/support/free-port.ts'

const SUITE = '@modelcontextprotocol/conformance@0.1.16'
const SERVER = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js')
const CLI = new URL('../dist/cli/bin.js', import.meta.url).pathname

/** What the proxy answers itself, and why that is right. */
const OTHERWISE: ReadonlyMap<string, string> = new Map([
  ['dns-rebinding-protection', 'the proxy refuses foreign `Host` and `Origin` headers; this server does not'],
  ['server-sse-polling', 'the tool that it calls is not in the list of the server: the proxy answers in its stead'],
])

const directory = mkdtempSync(join(tmpdir(), 'countersign-conformance-'))
const started: ChildProcess[] = []

function start(args: readonly string[], environment: Readonly<Record<string, string>>): void {
  started.push(spawn(process.execPath, args, { stdio: 'ignore', env: { ...process.env, ...environment } }))
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

/** The worst status of each scenario's checks. */
function outcomes(url: string, out: string): ReadonlyMap<string, string> {
  const packages = ['--package=node@24', `--package=${SUITE}`]
  spawnSync('npm', ['exec', '--yes', ...packages, '--', 'conformance', 'server', '--url', url, '--suite', 'all', '-o', out], {
    stdio: 'ignore',
  })
  return new Map(
    readdirSync(out).map((run) => {
      const checks = JSON.parse(readFileSync(join(out, run, 'checks.json'), 'utf8')) as readonly { readonly status: string }[]
      const failed = checks.filter(({ status }) => status === 'FAILURE').length
      const passed = checks.filter(({ status }) => status === 'SUCCESS').length
      return [run.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, ''), `${passed} passed, ${failed} failed`]
    }),
  )
}

try {
  const [direct, proxied] = [await freePort(), await freePort()].map((port) => ({ port, url: `http://127.0.0.1:${port}/mcp` }))
  if (direct === undefined || proxied === undefined) throw new Error('no port is free')
  const policy = join(directory, 'policy.yaml')
  writeFileSync(policy, 'version: 1\ndefault: ask\nunregistered: allow\n')
  start([SERVER, 'streamableHttp'], { PORT: String(direct.port) })
  const proxy = ['mcp', '--policy', policy, '--listen', `127.0.0.1:${proxied.port}`, '--url', direct.url]
  start([CLI, ...proxy], { COUNTERSIGN_HOME: join(directory, 'home') })
  for (const { url } of [direct, proxied]) await answers(url)
  const [one, other] = [outcomes(direct.url, join(directory, 'direct')), outcomes(proxied.url, join(directory, 'proxied'))]
  const different = [...one].filter(([scenario, outcome]) => other.get(scenario) !== outcome)
  const passing = [...one.values()].filter((outcome) => outcome.endsWith(' 0 failed')).length
  console.log(
    `${SUITE}: ${one.size} scenarios, ${passing} hold of the server itself, ${one.size - different.length} come out the same through the proxy`,
  )
  for (const [scenario, outcome] of different)
    console.log(`- ${scenario}: ${outcome}; through the proxy ${other.get(scenario)}: ${OTHERWISE.get(scenario) ?? 'NOT EXPECTED'}`)
  process.exitCode = one.size > 0 && different.every(([scenario]) => OTHERWISE.has(scenario)) ? 0 : 1
} finally {
  for (const child of started) child.kill()
  rmSync(directory, { recursive: true, force: true })
}
