/** The clients that install from npm, and how each is started headless on a scripted model, with every call approved by the client itself. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Start {
  readonly home: string
  readonly url: string
}

export interface Client {
  /** The row of `HOSTS`. */
  readonly host: string
  /** Our hook as a plug-in of the client, or in settings of the machine. Absent: in the user's settings. */
  readonly as?: 'plug-in' | 'managed'
  /** A denial ends its run: the model hears nothing of it, and no call of the same session can follow headless. */
  readonly endsOnDenial?: boolean
  /** It leaves a process behind, which ends with the namespace that it is started in. */
  readonly leavesDaemon?: boolean
  readonly package: string
  readonly version: string
  readonly program: string
  /** `{home}` stands for the home of the run. */
  readonly args: readonly string[]
  readonly environment: (start: Start) => Readonly<Record<string, string>>
  /** Settings of its own that lead it to the model. */
  readonly prepare?: (start: Start) => void
}

function put(home: string, path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true })
  writeFileSync(join(home, path), text)
}

const ASKS = 'Do what the tools say.'

const CLAUDE_CODE: Client = {
  host: 'claude-code',
  package: '@anthropic-ai/claude-code',
  version: '2.1.329',
  program: 'claude',
  args: ['-p', ASKS, '--output-format', 'json', '--model', 'scripted', '--allowedTools', 'Bash'],
  environment: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'none',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
}

/** Where the plug-in of a run lies. */
export const pluginIn = (home: string): string => join(home, 'plug-in')

const CODEX: Client = {
  host: 'codex',
  package: '@openai/codex',
  version: '0.169.0',
  program: 'codex',
  args: ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', ASKS],
  environment: () => ({ FAKE_KEY: 'none' }),
  prepare: ({ home, url }) =>
    put(
      home,
      '.codex/config.toml',
      `model = "gpt-5.1-codex"\nmodel_provider = "fake"\n\n[model_providers.fake]\nname = "fake"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"\nsupports_websockets = false\nrequest_max_retries = 0\n`,
    ),
}

const GEMINI_CLI: Client = {
  host: 'gemini-cli',
  package: '@google/gemini-cli',
  version: '0.61.0',
  program: 'gemini',
  args: ['-p', ASKS, '--yolo', '--output-format', 'json'],
  environment: ({ url }) => ({ GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
  prepare: ({ home }) => put(home, '.gemini/settings.json', '{"security":{"auth":{"selectedType":"gemini-api-key"}}}'),
}

const QWEN_CODE: Client = {
  host: 'qwen-code',
  package: '@qwen-code/qwen-code',
  version: '0.15.10',
  program: 'qwen',
  args: ['-p', ASKS, '--yolo', '--output-format', 'json'],
  environment: ({ url }) => ({ OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'fake-model' }),
  prepare: ({ home }) => put(home, '.qwen/settings.json', '{"security":{"auth":{"selectedType":"openai"}}}'),
}

const OPENCODE: Client = {
  host: 'opencode',
  package: 'opencode-ai',
  version: '1.18.33',
  program: 'opencode',
  args: ['run', '--format', 'json', '--model', 'fake/fake-model', ASKS],
  environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  prepare: ({ home, url }) => {
    const options = { baseURL: `${url}/v1`, apiKey: 'none' }
    const provider = { fake: { npm: '@ai-sdk/openai-compatible', name: 'fake', options, models: { 'fake-model': { name: 'fake' } } } }
    put(home, '.config/opencode/opencode.json', JSON.stringify({ provider, permission: { bash: 'allow' } }))
  },
}

const COPILOT_CLI: Client = {
  host: 'copilot-cli',
  package: '@github/copilot',
  version: '1.0.102',
  program: 'copilot',
  args: ['-p', ASKS, '--allow-all-tools'],
  environment: ({ url }) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_TYPE: 'openai',
    COPILOT_PROVIDER_API_KEY: 'none',
    COPILOT_MODEL: 'fake-model',
  }),
}

const CLINE: Client = {
  host: 'cline',
  package: 'cline',
  version: '3.0.65',
  program: 'cline',
  endsOnDenial: true,
  leavesDaemon: true,
  args: ['--json', '-P', 'openai-compatible', '-m', 'fake-model', ASKS],
  environment: () => ({}),
  prepare: ({ home, url }) => put(home, ...clineProviders(url)),
}

/** Where Cline keeps its model, and what it keeps there for the scripted one. */
export function clineProviders(url: string): readonly [path: string, text: string] {
  const settings = { provider: 'openai-compatible', apiKey: 'none', model: 'fake-model', baseUrl: `${url}/v1` }
  const provider = { settings, updatedAt: '2026-01-01T00:00:00.000Z', tokenSource: 'manual' }
  const all = { version: 1, lastUsedProvider: 'openai-compatible', modes: {}, providers: { 'openai-compatible': provider } }
  return ['.cline/data/settings/providers.json', JSON.stringify(all)]
}

/** With our hook in settings of the machine, and what the user can do to be rid of hooks done. */
const managed = (client: Client, prepare: Client['prepare'], args: readonly string[] = []): Client => ({
  ...client,
  as: 'managed',
  args: [...client.args, ...args],
  prepare: (start) => {
    client.prepare?.(start)
    prepare?.(start)
  },
})

export const CLIENTS: readonly Client[] = [
  CLAUDE_CODE,
  { ...CLAUDE_CODE, as: 'plug-in', args: [...CLAUDE_CODE.args, '--plugin-dir', pluginIn('{home}')] },
  managed(CLAUDE_CODE, ({ home }) => put(home, '.claude/settings.json', '{"disableAllHooks":true}')),
  CODEX,
  managed(CODEX, undefined, ['-c', 'features.hooks=false']),
  GEMINI_CLI,
  managed(GEMINI_CLI, ({ home }) =>
    put(home, '.gemini/settings.json', '{"security":{"auth":{"selectedType":"gemini-api-key"}},"hooksConfig":{"enabled":false}}'),
  ),
  QWEN_CODE,
  managed(QWEN_CODE, ({ home }) => put(home, 'work/.qwen/settings.json', '{"disableAllHooks":true,"hooksConfig":{"enabled":false}}')),
  OPENCODE,
  COPILOT_CLI,
  managed(COPILOT_CLI, undefined),
  CLINE,
]
