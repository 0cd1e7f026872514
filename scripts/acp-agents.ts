/**
 * Drives agents that speak the Agent Client Protocol, as npm has them, headless on a scripted model: an editor on the official SDK, the agent,
 * and `countersign acp` between them. Marker files say what ran. `npm run check:acp [agent…]`; `--write` puts the table into the guide. Not
 * a part of the suite: it fetches agents of hundreds of megabytes.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import { packageRoot } from '../src/cli/version.ts'
import { clineProviders } from './hosts/clients.ts'
import { installed, OWN_PROCESSES } from './hosts/installed.ts'
import { startModel } from './hosts/model.ts'
import { markedText } from './marked.ts'

const GUIDE = 'docs/guide/acp.md'
const CLI = join(packageRoot(), 'dist/cli/bin.js')
const PATIENCE_MS = 120_000

interface Agent {
  readonly name: string
  readonly package: string
  readonly version: string
  readonly program: string
  readonly args: readonly string[]
  readonly environment: (url: string) => Readonly<Record<string, string>>
  readonly settings?: (url: string) => readonly [path: string, text: string]
  /** It leaves programs behind that outlive it: it runs among processes of its own. */
  readonly leavesDaemon?: true
}

const AGENTS: readonly Agent[] = [
  {
    name: 'Claude Code',
    package: '@agentclientprotocol/claude-agent-acp',
    version: '0.101.0',
    program: 'claude-agent-acp',
    args: [],
    environment: (url) => ({
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'none',
      ANTHROPIC_MODEL: 'scripted',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    settings: () => ['.claude/settings.json', '{"permissions":{"defaultMode":"default"}}'],
  },
  {
    name: 'Gemini CLI',
    package: '@google/gemini-cli',
    version: '0.61.0',
    program: 'gemini',
    args: ['--experimental-acp'],
    environment: (url) => ({ GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
    settings: () => ['.gemini/settings.json', '{"security":{"auth":{"selectedType":"gemini-api-key"}}}'],
  },
  {
    name: 'Qwen Code',
    package: '@qwen-code/qwen-code',
    version: '0.15.10',
    program: 'qwen',
    args: ['--experimental-acp'],
    environment: (url) => ({ OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'fake-model' }),
    settings: () => ['.qwen/settings.json', '{"security":{"auth":{"selectedType":"openai"}}}'],
  },
  {
    name: 'Cline',
    package: 'cline',
    version: '3.0.65',
    program: 'cline',
    args: ['--acp', '-P', 'openai-compatible', '-m', 'fake-model', '--auto-approve', 'false'],
    environment: () => ({ CLINE_API_KEY: 'none', CLINE_PROVIDER: 'openai-compatible', CLINE_MODEL: 'fake-model' }),
    settings: clineProviders,
    leavesDaemon: true,
  },
]

/** What the model asks for, what the person at the editor would answer, and what has to come of it. */
interface Case {
  readonly name: string
  readonly command: (home: string) => string
  readonly answer: 'yes' | 'no'
  readonly runs: boolean
}

const CASES: readonly Case[] = [
  { name: 'ordinary, the person would agree', command: () => 'touch marker', answer: 'yes', runs: true },
  { name: 'ordinary, the person refuses', command: () => 'touch marker', answer: 'no', runs: false },
  {
    name: "the gate's own policy, the person would agree",
    command: (home) => `touch marker && echo x >> ${join(home, '.countersign', 'countersign.yaml')}`,
    answer: 'yes',
    runs: false,
  },
  { name: 'a forced push, the person refuses', command: () => 'touch marker && git push --force origin main', answer: 'no', runs: false },
  { name: 'a forced push, the person agrees', command: () => 'touch marker && git push --force origin main', answer: 'yes', runs: true },
]

interface Outcome {
  /** The model was reached, and asked for the call. */
  readonly reached: boolean
  readonly ran: boolean
  /** Questions that the person saw. */
  readonly asked: number
  /** The end of what the agent said, for people who look into a failure. */
  readonly said: string
}

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const chosen = AGENTS.filter(({ program }) => wanted.length === 0 || wanted.includes(program))
const rows: string[] = []
for (const agent of chosen) {
  const program = installed(agent, `acp-${agent.program}`)
  for (const each of CASES) {
    const outcome =
      program === null ? { reached: false, ran: false, asked: 0, said: 'it cannot be installed' } : await outcomeOf(agent, program, each)
    const good = outcome.reached && outcome.ran === each.runs && outcome.asked <= 1
    console.log(`${good ? 'ok  ' : 'FAIL'} ${agent.name} ${agent.version}, ${each.name}: ${cell(outcome)}`)
    rows.push(`| ${agent.name} ${agent.version} | ${each.name} | ${cell(outcome)} |`)
    if (good) continue
    process.exitCode = 1
    console.log(outcome.said.replaceAll(/^/gm, '       '))
  }
}
if (process.argv.includes('--write') && process.exitCode !== 1) {
  const table = ['| agent | the model asks for | outcome |', '|---|---|---|', ...rows].join('\n')
  writeFileSync(GUIDE, markedText(readFileSync(GUIDE, 'utf8'), 'agents', table))
}

function cell({ ran, asked }: Outcome): string {
  const questions = asked === 0 ? 'nobody was asked' : asked === 1 ? 'asked once' : `asked ${asked} times`
  return `${ran ? 'ran' : 'did not run'}, ${questions}`
}

/** One turn in a home of its own. */
async function outcomeOf(agent: Agent, program: string, { command, answer }: Case): Promise<Outcome> {
  const home = mkdtempSync(join(tmpdir(), 'cs-acp-'))
  const work = join(home, 'work')
  mkdirSync(work)
  spawnSync('git', ['init', '-q', work])
  const model = await startModel(command(home))
  try {
    const [path, text] = agent.settings?.(model.url) ?? []
    if (path !== undefined) put(join(home, path), text ?? '')
    const policy = join(home, 'policy.yaml')
    writeFileSync(policy, 'version: 1\ndefault: ask\nunregistered: ask\ntool_families: [claude-code]\n')
    const env = { ...baseEnvironment(home), ...agent.environment(model.url) }
    const line = [CLI, 'acp', '--policy', policy, '--', ...(agent.leavesDaemon === true ? OWN_PROCESSES : []), program, ...agent.args]
    const told = await turn(line, { env, work, answer })
    return { reached: model.asked() > 0, ran: existsSync(join(work, 'marker')), ...told }
  } finally {
    model.close()
    rmSync(home, { recursive: true, force: true })
  }
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

function baseEnvironment(home: string): Record<string, string> {
  const state = join(home, '.countersign')
  return { HOME: home, PATH: `${dirname(process.execPath)}:/usr/bin:/bin`, NO_COLOR: '1', COUNTERSIGN_HOME: state, SHELL: '/bin/bash' }
}

interface Turn {
  readonly env: Readonly<Record<string, string>>
  readonly work: string
  readonly answer: 'yes' | 'no'
}

async function turn(line: readonly string[], { env, work, answer }: Turn): Promise<Pick<Outcome, 'asked' | 'said'>> {
  let asked = 0
  let said = ''
  const child = spawn(process.execPath, [...line], { cwd: work, env, stdio: ['pipe', 'pipe', 'pipe'], detached: true })
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString()
  })
  const editor = client({ name: 'check-acp' })
    .onRequest(methods.client.session.requestPermission, ({ params: { options } }) => {
      asked += 1
      const kind = answer === 'yes' ? 'allow_once' : 'reject_once'
      const optionId = options.find((each) => each.kind === kind)?.optionId
      return { outcome: optionId === undefined ? { outcome: 'cancelled' } : { outcome: 'selected', optionId } }
    })
    .onNotification(methods.client.session.update, ({ params: { update } }) => {
      said += `${JSON.stringify(update).slice(0, 300)}\n`
    })
  const { agent } = editor.connect(ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>))
  const late = new Promise<never>((_resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the agent took too long')), PATIENCE_MS)
    child.once('close', () => {
      clearTimeout(timer)
      reject(new Error('the agent ended'))
    })
  })
  const whole = async (): Promise<void> => {
    await agent.request(methods.agent.initialize, { protocolVersion: PROTOCOL_VERSION, clientCapabilities: {} })
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: work, mcpServers: [] })
    await agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: 'Do what the tools say.' }] })
  }
  try {
    await Promise.race([whole(), late])
  } catch (error) {
    said += String(error instanceof Error ? error.message : JSON.stringify(error))
  } finally {
    late.catch(() => {})
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
  }
  return { asked, said: said.slice(-3_000) }
}
