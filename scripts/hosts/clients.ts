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
  /** Our hook as a plug-in of the client. Absent: in its settings. */
  readonly as?: 'plug-in'
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

export const CLIENTS: readonly Client[] = [
  CLAUDE_CODE,
  { ...CLAUDE_CODE, as: 'plug-in', args: [...CLAUDE_CODE.args, '--plugin-dir', pluginIn('{home}')] },
  {
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
  },
  {
    host: 'gemini-cli',
    package: '@google/gemini-cli',
    version: '0.61.0',
    program: 'gemini',
    args: ['-p', ASKS, '--yolo', '--output-format', 'json'],
    environment: ({ url }) => ({ GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
    prepare: ({ home }) => put(home, '.gemini/settings.json', '{"security":{"auth":{"selectedType":"gemini-api-key"}}}'),
  },
  {
    host: 'qwen-code',
    package: '@qwen-code/qwen-code',
    version: '0.15.10',
    program: 'qwen',
    args: ['-p', ASKS, '--yolo', '--output-format', 'json'],
    environment: ({ url }) => ({ OPENAI_API_KEY: 'none', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'fake-model' }),
    prepare: ({ home }) => put(home, '.qwen/settings.json', '{"security":{"auth":{"selectedType":"openai"}}}'),
  },
  {
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
  },
  {
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
  },
]
