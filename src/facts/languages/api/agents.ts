/** Agents that are started as a library: what the program passes is read as the command line that it stands for. */
import { known } from '../interpret/reading.ts'
import { argument, type Call, type Handler, type Table } from '../interpret/run.ts'
import { object, text, UNKNOWN, type Value } from '../interpret/value.ts'

/** Settings of an SDK under the names of both languages, as the options of the program. */
const OPTIONS: readonly (readonly [names: readonly string[], option: string])[] = [
  [['permission_mode', 'permissionMode'], '--permission-mode'],
  [['settings'], '--settings'],
  [['approvalPolicy', 'approval_policy'], '--ask-for-approval'],
  [['sandboxMode', 'sandbox'], '--sandbox'],
]
const SOURCES = ['setting_sources', 'settingSources'] as const
const SKIPS = ['allow_dangerously_skip_permissions', 'allowDangerouslySkipPermissions'] as const

type Named = (name: string) => Value | undefined

function first(get: Named, names: readonly string[]): Value | undefined {
  return names.map(get).find((value) => value !== undefined)
}

/** What stands in an object of settings, or was passed by name. */
function settingsOf(value: Value | undefined): Named {
  if (value?.kind === 'dict') return (name) => value.entries.get(name)
  if (value?.kind === 'object') return (name) => value.fields.get(name)
  return () => undefined
}

function optionWords(get: Named): readonly Value[] {
  return OPTIONS.flatMap(([names, option]) => {
    const value = first(get, names)
    return value === undefined ? [] : [text(option), value]
  })
}

/** Which settings hold is the program's to say: where it does not, it is that of the version at hand. */
function sources(get: Named): readonly Value[] {
  const given = first(get, SOURCES)
  if (given?.kind !== 'list') return [text('--setting-sources'), UNKNOWN]
  const names = given.items.map((item) => known(item))
  return [text('--setting-sources'), names.includes(null) ? UNKNOWN : text(names.join(','))]
}

const claude: Handler = (call) => {
  const [only] = call.args
  const passed = settingsOf(only?.kind === 'dict' && call.named.size === 0 ? only : undefined)
  const prompt = passed('prompt') ?? argument(call, 0, 'prompt')
  const get = settingsOf(passed('options') ?? argument(call, 1, 'options') ?? only)
  start(call, [text('claude'), ...(prompt === undefined ? [] : [text('-p'), prompt]), ...claudeOptions(get)])
  return object('response')
}

function claudeOptions(get: Named): readonly Value[] {
  const skips = first(get, SKIPS)
  const off = skips === undefined || (skips.kind === 'constant' && skips.value !== true)
  return [...optionWords(get), ...sources(get), ...(off ? [] : [text('--allow-dangerously-skip-permissions')])]
}

/** `ClaudeSDKClient(options=…)`: started when it connects; told where it is made. */
const client: Handler = (call) => {
  start(call, [text('claude'), ...claudeOptions(settingsOf(argument(call, 0, 'options')))])
  return object('agent')
}

const options: Handler = (call) => object('settings', Object.fromEntries(call.named))

const codex: Handler = (call) => {
  start(call, [text('codex'), text('exec'), ...optionWords(settingsOf(call.args[0]))])
  return object('codex')
}

/** A thread may loosen what the whole was made with. */
const thread: Handler = (call) => {
  const words = optionWords(settingsOf(call.args.findLast((value) => value.kind === 'dict')))
  if (words.length > 0) start(call, [text('codex'), text('exec'), ...words])
  return object('codex-thread')
}

function start(call: Call, words: readonly Value[]): void {
  call.run.acts.command(words, call.name)
}

const PYTHON = ['claude_agent_sdk', 'claude_code_sdk']
const NODE = ['@anthropic-ai/claude-agent-sdk', '@anthropic-ai/claude-code']
const each = (modules: readonly string[], names: string): string =>
  modules.flatMap((module) => names.split(' ').map((name) => `${module}.${name}`)).join(' ')

export const PYTHON_AGENTS: Table = {
  [each(PYTHON, 'query')]: claude,
  [each(PYTHON, 'ClaudeSDKClient')]: client,
  [each(PYTHON, 'ClaudeAgentOptions ClaudeCodeOptions')]: options,
  'openai_codex_sdk.Codex codex_sdk.Codex': codex,
}

export const NODE_AGENTS: Table = {
  [each(NODE, 'query unstable_v2_prompt unstable_v2_createSession')]: claude,
  '@openai/codex-sdk.Codex': codex,
}

export const AGENT_METHODS: Table = { 'codex.startThread codex.resumeThread codex.start_thread codex.resume_thread': thread }
