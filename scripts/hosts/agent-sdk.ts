/**
 * The Claude Agent SDK itself, installed from npm into a directory of its own, with the gate in its options and a scripted model: marker
 * files tell what ran. Not part of the suite: it installs 390 MB.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { openEngine } from '../../src/adapters/sdk/engine.ts'
import { gateOptions } from '../../src/adapters/sdk/frameworks/claude-agent.ts'
import type { Gate, GateOptions } from '../../src/adapters/sdk/gate.ts'
import { startModel } from './model.ts'

const VERSION = '0.3.331'
const RULES = {
  allow: 'allow: [{ tool: Bash, reason: yes }]',
  ask: 'ask: [{ tool: Bash, reason: see it }]',
  deny: 'deny: [{ tool: Bash, reason: no }]',
}

interface Query {
  readonly query: (asked: { prompt: string; options: object }) => AsyncIterable<unknown>
}

/** Where the SDK is installed; installs it where no directory is given. */
async function load(given: string | undefined): Promise<Query> {
  const root = given ?? mkdtempSync(join(tmpdir(), 'countersign-agent-sdk-'))
  if (given === undefined) {
    writeFileSync(join(root, 'package.json'), '{"private":true}')
    const install = ['install', '--silent', '--no-audit', '--no-fund', '--legacy-peer-deps', `@anthropic-ai/claude-agent-sdk@${VERSION}`]
    execFileSync('npm', install, { cwd: root, stdio: 'inherit' })
  }
  const entry = createRequire(join(root, 'package.json')).resolve('@anthropic-ai/claude-agent-sdk')
  return (await import(pathToFileURL(entry).href)) as Query
}

interface Drive {
  readonly rules: keyof typeof RULES
  readonly options?: GateOptions
  /** How often the model asks for the same call. */
  readonly times?: number
  readonly before?: (gate: Gate) => void
  /** Between two calls of the model. */
  readonly between?: (gate: Gate) => void
  /** With the hooks left out: the SDK asks `canUseTool` alone. */
  readonly asksOnly?: boolean
}

async function drive({ query }: Query, { rules, options = {}, times = 1, before, between, asksOnly = false }: Drive): Promise<number> {
  const home = mkdtempSync(join(tmpdir(), 'countersign-agent-run-'))
  const policy = `version: 1\nunregistered: allow\ntool_families: [claude-code]\nrules:\n  ${RULES[rules]}\n`
  const gate = openEngine({ home: join(home, '.countersign'), policy, ...options })
  before?.(gate)
  const marker = join(home, 'ran')
  const model = await startModel(`echo ran >> ${marker}`, times, () => between?.(gate))
  const { hooks, canUseTool } = gateOptions(gate, options.caller === undefined ? {} : { caller: options.caller })
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }
  const common = { cwd: home, env, model: 'scripted', settingSources: [] }
  const mine = asksOnly ? { canUseTool } : { hooks, canUseTool }
  try {
    for await (const _ of query({ prompt: 'Do what the tools say.', options: { ...common, ...mine } }));
  } catch (error) {
    console.error(`  ${error instanceof Error ? error.message.slice(0, 200) : error}`)
  }
  const ran = existsSync(marker) ? readFileSync(marker, 'utf8').split('\n').length - 1 : 0
  model.close()
  gate.close()
  rmSync(home, { recursive: true, force: true })
  return ran
}

function approve(gate: Gate): void {
  for (const { id } of gate.approvals.list({ tenant: null, status: 'pending' }).approvals) void gate.approve(id, { by: 'human:alice' })
}

const THROWS = () => {
  throw new Error('who is it?')
}
const CASES: readonly (readonly [title: string, drive: Drive, runs: number])[] = [
  ['allow runs', { rules: 'allow' }, 1],
  ['deny does not', { rules: 'deny' }, 0],
  ['ask does not', { rules: 'ask' }, 0],
  ['approved runs once of three calls', { rules: 'ask', times: 3, between: approve }, 1],
  ['a gate that is gone', { rules: 'allow', before: (gate) => gate.close() }, 0],
  ['a program that throws', { rules: 'allow', options: { caller: THROWS } }, 0],
  ['`canUseTool` alone: allow', { rules: 'allow', asksOnly: true }, 1],
  ['`canUseTool` alone: deny', { rules: 'deny', asksOnly: true }, 0],
  ['`canUseTool` alone: ask', { rules: 'ask', asksOnly: true }, 0],
]

const sdk = await load(process.argv[2])
let wrong = 0
for (const [title, each, expected] of CASES) {
  const ran = await drive(sdk, each)
  if (ran !== expected) wrong++
  console.log(`${ran === expected ? 'holds' : 'WRONG'}  ${title}: ran ${ran} of ${expected}`)
}
process.exitCode = wrong === 0 ? 0 : 1
