import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { BUILDS, LISTS } from '../packages/packages.ts'
import { byName, does, each, known, list, nameOf, refined, takes, tool } from '../tool.ts'
import { GATE_FLAGS, GATE_OPTIONS, gateOf } from './gates.ts'

/** Agents that start agents: another agent decides for itself what it runs, unless its own gates hold. */

/** Options whose value says how much an agent may do unasked, and the values that leave nothing to ask. */
const UNGATED_MODES: Readonly<Record<string, readonly string[]>> = {
  '--permission-mode': ['bypassPermissions', 'dontAsk', 'auto'],
  '--ask-for-approval': ['never'],
  '-a': ['never'],
  '--sandbox': ['danger-full-access'],
  '-s': ['danger-full-access'],
  '--approval-mode': ['yolo', 'full-auto', 'auto_edit'],
}
/** Options that replace the settings in which a gate is installed. */
const SETTINGS = list('--settings --setting-sources --mcp-config --strict-mcp-config --plugin-dir --profile')

interface Agent {
  readonly name: string
  readonly ungated: readonly string[]
  /** Options with which it acts without asking, although walls of its own still hold. */
  readonly unattended: readonly string[]
  readonly modes: readonly string[]
}

/** Its own permission checks are off: what its hooks do not stop, nothing does. */
function isUngated(agent: Agent, parsed: ParsedCommand): boolean {
  if (parsed.flag(...agent.ungated)) return true
  const mode = agent.modes.some((option) => {
    const value = parsed.value(option)
    if (value === null) return false
    const modes = UNGATED_MODES[option] ?? []
    return value.text === null ? modes.length > 0 : modes.includes(value.text)
  })
  const overridden = parsed
    .values('-c', '--config')
    .some((word) => /^(?:approval_policy=.?never|sandbox_mode=.?danger)/.test(word.text ?? ''))
  return mode || overridden
}

function spawn(agent: Agent): NonNullable<CommandSpec['refine']> {
  return (parsed, context) => {
    const bypasses = isUngated(agent, parsed)
    const { gated, why } = gateOf(agent.name, parsed, context)
    const ungated = bypasses && gated !== 'yes'
    const settings = parsed.value(...SETTINGS)
    const prompt = parsed.operands[0] ?? parsed.value('-p', '--print', '--prompt', '-m', '--message', '-q', '--query', '-i')
    context.emit('execute', context.thing('agent', agent.name), {
      action: 'agent:start',
      ...(why === null ? {} : { reason: why }),
      attributes: {
        gated,
        ...(ungated ? { ungated: true } : {}),
        ...(!ungated && (bypasses || parsed.flag(...agent.unattended)) ? { unattended: true } : {}),
        ...(settings === null ? {} : { settings: known(settings) }),
        ...(prompt === null || prompt === undefined ? {} : { prompt: known(prompt) }),
      },
    })
    for (const word of parsed.values('--settings', '--mcp-config'))
      if (!word.prefix.startsWith('{')) context.emit('read', context.path(word), { action: 'agent:settings' })
  }
}

/** Settings of an agent are where its gates are installed. */
function settings(agent: string, operation: string): CommandSpec {
  return refined(
    (parsed, context) => {
      const word = parsed.operands[0] ?? knownWord(operation, parsed.invocation.span)
      context.emit('persist', context.thing('agent', agent), {
        action: 'agent:settings',
        attributes: { operation, key: nameOf(word), value: known(parsed.operands[1]) },
      })
    },
    { options: takes('-s --scope -t --transport -e --env -H --header'), flags: list('-g --global') },
  )
}

/** Adding an MCP server makes the agent start a program, or talk to a URL, from now on. */
const MCP_ADD: CommandSpec = {
  stopAtOperand: true,
  options: takes('-s --scope -t --transport -e --env -H --header --url --bearer-token-env-var --client-id --callback-port'),
  flags: list('--trust'),
  refine: (parsed, context) => {
    const [name, first, ...rest] = parsed.operands
    const url = parsed.value('--url')
    const words = first?.text === '--' ? rest : first === undefined ? [] : [first, ...rest]
    const server = name === undefined ? '(unknown)' : nameOf(name)
    const runs = url === null && words[0]?.prefix.includes('://') !== true ? words.map(nameOf).join(' ') : null
    context.emit('persist', context.thing('agent', server), {
      action: 'agent:mcp-add',
      attributes: { server, ...(runs === null ? {} : { command: runs }), url: known(url ?? (runs === null ? words[0] : null)) },
    })
    const address = url ?? (runs === null ? words[0] : undefined)
    if (address !== undefined && address !== null)
      context.emit('fetch', context.url(address), { action: 'agent:mcp-add', certainty: 'likely' })
    if (runs !== null && words.length > 0)
      context.command(
        words.filter((word) => word.text !== '--'),
        'mcp',
      )
  },
}

function mcp(agent: string): CommandSpec {
  return {
    subcommands: byName({
      add: MCP_ADD,
      'add-json add-from-claude-desktop remove rm disable enable reset-project-choices login logout': settings(agent, 'mcp'),
      'list ls get': does({ verb: 'read', action: 'agent:settings', kind: 'agent', value: agent }),
      serve: does({ verb: 'execute', action: 'agent:serve', kind: 'agent', value: agent }),
    }),
  }
}

const GRAMMAR_OPTIONS = takes(
  '--model -m --agent --agents --system-prompt --append-system-prompt --allowedTools --allowed-tools --disallowedTools ' +
    '--disallowed-tools --tools --add-dir --permission-mode --permission-prompt-tool --output-format --input-format ' +
    '--max-turns --max-budget-usd --session-id --resume-session --fallback-model --json-schema --ask-for-approval --sandbox ' +
    '-s --cd -C --config -c --profile --image --color --output-last-message --output-schema --approval-mode ' +
    '--include-directories --extensions -e --allowed-mcp-server-names --settings --setting-sources --mcp-config ' +
    '--plugin-dir --message --query -q --prompt --betas --debug-file',
)

interface AgentOptions {
  /** Options that switch its own permission checks off. */
  readonly ungated?: string
  /** Options with which it acts without asking, inside of walls of its own. */
  readonly unattended?: string
  readonly valued?: string
  readonly subcommands?: Readonly<Record<string, CommandSpec>>
}

function commandsOf(name: string, run: NonNullable<CommandSpec['refine']>): Readonly<Record<string, CommandSpec>> {
  const listing = does({ verb: 'read', action: 'agent:settings', kind: 'agent', value: name })
  return byName({
    mcp: mcp(name),
    config: {
      ...settings(name, 'config'),
      operands: ['data'],
      subcommands: byName({ 'get list ls': listing, 'set add remove rm delete': settings(name, 'config') }),
    },
    'plugin plugins extension extensions skills hooks': {
      subcommands: byName({
        'list ls validate info': LISTS,
        'install add update upgrade enable link marketplace new uninstall remove disable rm': settings(name, 'plugin'),
      }),
    },
    'exec e run review cloud apply task resume fork chat': { operands: ['data'], refine: run },
    'update upgrade install': { ...BUILDS, operands: ['data'] },
    doctor: LISTS,
    'login logout auth setup-token': {
      operands: ['data'],
      subcommands: each('status list ls whoami', LISTS),
      refine: (_, context) => context.emit('change', context.thing('account', name), { action: 'agent:auth' }),
    },
  })
}

export function agent(name: string, options: AgentOptions = {}): CommandSpec {
  const ungated = list(options.ungated ?? '')
  const unattended = list(options.unattended ?? '')
  const run = spawn({ name, ungated, unattended, modes: Object.keys(UNGATED_MODES) })
  const spec: CommandSpec = {
    flags: [
      ...GATE_FLAGS,
      ...ungated,
      ...unattended,
      ...list(
        '-v --verbose -d --debug --ide --continue --resume -r --fork-session --strict-mcp-config --json --oss --search ' +
          '--skip-git-repo-check --include-partial-messages --stream --quiet --chrome',
      ),
    ],
    options: { ...GRAMMAR_OPTIONS, ...takes(GATE_OPTIONS.join(' ')), ...takes(options.valued ?? '') },
    optionalValues: list('-p --print'),
    inert: list('--help -h --version -V'),
    operands: ['data'],
    refine: run,
    subcommands: { ...commandsOf(name, run), ...options.subcommands },
  }
  return tool('agent', spec)
}

const FEATURES: CommandSpec = { subcommands: byName({ list: LISTS, 'enable disable': settings('codex', 'features') }) }
const claude = agent('claude', { ungated: '--dangerously-skip-permissions --allow-dangerously-skip-permissions' })
const codex = agent('codex', {
  ungated: '--dangerously-bypass-approvals-and-sandbox --yolo --dangerously-bypass-hook-trust',
  unattended: '--full-auto',
  valued: '-a -i',
  subcommands: { sandbox: { stopAtOperand: true, refine: sandboxed }, features: FEATURES },
})

/** The other agents by name, with the options that let each act without asking. */
const OTHERS: Readonly<Record<string, string>> = {
  gemini: '--yolo -y',
  qwen: '--yolo -y',
  'cursor-agent': '--force -f',
  copilot: '--allow-all-tools --allow-all-paths --allow-all --yolo',
  aider: '--yes-always --yes',
  amp: '--dangerously-allow-all',
  cline: '--yolo -y',
  crush: '--yolo -y',
  droid: '--skip-permissions-unsafe',
  q: '--trust-all-tools -a',
  'kiro-cli': '--trust-all-tools -a',
  auggie: '',
  kimi: '--yolo -y',
  opencode: '--dangerously-skip-permissions',
  openhands: '--always-approve --yolo',
  plandex: '--full-auto --auto-exec',
}

/** Packages whose names are not those of their programs, as `npx` and `uvx` are given them. */
const PACKAGES: Readonly<Record<string, string>> = {
  'gemini-cli': 'gemini',
  'qwen-code': 'qwen',
  'opencode-ai': 'opencode',
  'aider-chat': 'aider',
  'claude-agent-sdk': 'claude',
}

/** Frameworks and agents that were built to act by themselves, with the options that take the last question away. */
const AUTONOMOUS: Readonly<Record<string, string>> = {
  autogpt: '--continuous -c --continuous-mode --skip-reprompt -y',
  interpreter: '-y --auto_run --auto-run',
  gptme: '-y -n --no-confirm --non-interactive',
  crewai: '',
  sweagent: '',
  mini: '-y --yolo',
  babyagi: '',
  agy: '--yolo --dangerously-skip-permissions',
}

function sandboxed(parsed: ParsedCommand, context: CommandContext): void {
  const words = parsed.operands.filter((word) => !['macos', 'linux', 'windows', 'seatbelt', 'landlock'].includes(word.text ?? ''))
  context.command(words, 'codex')
}

/** Models that answer without acting. */
const CHAT: CommandSpec = does(
  { verb: 'send', action: 'model:prompt', kind: 'service' },
  { inert: list('--help --version'), flags: list('-c --no-stream'), options: takes('-m --model -s --system -o -t --template') },
)

const ollama = tool('model', {
  subcommands: byName({
    run: does({ verb: 'execute', action: 'model:run', kind: 'resource', at: 0 }, { operands: ['data'] }),
    pull: does({ verb: 'fetch', action: 'model:pull', kind: 'resource', at: 0 }),
    push: does({ verb: 'publish', action: 'model:publish', kind: 'resource', at: 0 }),
    'create cp': does({ verb: 'change', action: 'model:change', kind: 'resource', at: 0 }, { options: takes('-f --file', 'read') }),
    rm: does({ verb: 'delete', action: 'model:delete', kind: 'resource', from: 0, reversible: false }),
    'list ls ps show': LISTS,
    serve: does({ verb: 'execute', action: 'dev:serve', kind: 'program', value: 'ollama' }),
    stop: does({ verb: 'change', action: 'model:change', kind: 'resource', at: 0 }),
  }),
})

const others = Object.fromEntries(Object.entries(OTHERS).map(([name, ungated]) => [name, agent(name, { ungated })]))

export const agents: CommandTable = {
  claude,
  'claude-code': claude,
  codex,
  ...others,
  ...Object.fromEntries(
    Object.entries(PACKAGES).flatMap(([name, program]) => [[name, program === 'claude' ? claude : (others[program] ?? claude)]]),
  ),
  ...Object.fromEntries(Object.entries(AUTONOMOUS).map(([name, unattended]) => [name, agent(name, { unattended })])),
  ollama,
  llm: CHAT,
}
