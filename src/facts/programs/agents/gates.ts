/**
 * Whether the gate would stand before an agent that is started (T40): one row for each agent that is known, with what switches its
 * hooks off or leads it to other settings than the user's. Only where our hook is seen in the settings that will hold is it said to.
 */
import type { CommandContext, ParsedCommand, Word } from '../../host.ts'
import { holdsHook, switchesOff } from '../../resources/host-settings.ts'
import { list } from '../tool.ts'
import { isProjectSetting, seenHook } from './installed.ts'

export interface AgentGate {
  /** yes: our hook is in the settings that hold, and nothing here switches it off · no: something does · unknown: neither is known. */
  readonly gated: 'yes' | 'no' | 'unknown'
  /** What switches it off, or why it is not known; null where it is in force. */
  readonly why: string | null
}

interface Row {
  /** Options that leave hooks, or the settings that hold them, out. */
  readonly flags?: readonly string[]
  /** Options whose value does. */
  readonly options?: Values
  /** Variables that lead to other settings, besides `HOME`; each with the values that do. */
  readonly variables?: Values
}

/** Values that do, by the name of the option or variable. */
type Values = Readonly<Record<string, RegExp>>

const SET = /./s
const ON = /^(?!(?:0|false|no|off)?$)/i

/** Every agent that has hooks, or settings in which they would stand. */
const ROWS: Readonly<Record<string, Row>> = {
  claude: {
    flags: list('--bare --safe-mode'),
    options: { '--setting-sources': /^(?!(?:.*,)?\s*user\s*(?:,|$))/ },
    variables: {
      CLAUDE_CODE_SIMPLE: ON,
      CLAUDE_CONFIG_DIR: SET,
      CLAUDE_CODE_SHELL_PREFIX: SET,
      CLAUDE_CODE_SHELL: SET,
      CLAUDE_ENV_FILE: SET,
    },
  },
  codex: {
    flags: list('--ignore-user-config --ignore-rules'),
    options: {
      '-c': /^\s*(?:features\.hooks\s*=\s*false|hooks\b)/,
      '--config': /^\s*(?:features\.hooks\s*=\s*false|hooks\b)/,
      '--disable': /^hooks$/,
    },
    variables: { CODEX_HOME: SET },
  },
  gemini: {
    variables: { GEMINI_CLI_HOME: SET, GEMINI_CLI_SYSTEM_SETTINGS_PATH: SET, GEMINI_CLI_SYSTEM_DEFAULTS_PATH: SET },
  },
  qwen: { variables: { QWEN_HOME: SET, QWEN_CODE_SYSTEM_SETTINGS_PATH: SET, QWEN_CODE_SYSTEM_DEFAULTS_PATH: SET } },
  opencode: {
    flags: list('--pure'),
    variables: {
      ...{ OPENCODE_CONFIG: SET, OPENCODE_CONFIG_DIR: SET, OPENCODE_CONFIG_CONTENT: SET, OPENCODE_PERMISSION: SET },
      ...{ OPENCODE_PURE: ON, XDG_CONFIG_HOME: SET },
    },
  },
  copilot: {
    options: { '--config-dir': SET },
    variables: { COPILOT_HOME: SET, XDG_CONFIG_HOME: SET, COPILOT_ALLOW_ALL: ON },
  },
  'cursor-agent': { variables: { CURSOR_CONFIG_DIR: SET, XDG_CONFIG_HOME: SET } },
  goose: { variables: { GOOSE_MODE: /^auto$/i, GOOSE_PATH_ROOT: SET, XDG_CONFIG_HOME: SET } },
  amp: { options: { '--settings-file': SET }, variables: { AMP_SETTINGS_FILE: SET, XDG_CONFIG_HOME: SET } },
  cline: { options: { '--config': SET, '--hooks-dir': SET }, variables: { CLINE_DIR: SET, CLINE_DATA_DIR: SET } },
  droid: { options: { '--settings': SET }, variables: { FACTORY_HOME: SET } },
  'kiro-cli': { variables: { KIRO_HOME: SET, XDG_DATA_HOME: SET } },
  q: { variables: { XDG_DATA_HOME: SET } },
  crush: { variables: { CRUSH_GLOBAL_CONFIG: SET, XDG_CONFIG_HOME: SET } },
  aider: { options: { '--config': SET } },
}

/** Options of the rows that take a value, so that the grammar reads them. */
export const GATE_OPTIONS: readonly string[] = [...new Set(Object.values(ROWS).flatMap(({ options }) => Object.keys(options ?? {})))]
export const GATE_FLAGS: readonly string[] = [...new Set(Object.values(ROWS).flatMap(({ flags }) => flags ?? []))]

export function gateOf(agent: string, parsed: ParsedCommand, context: CommandContext): AgentGate {
  const row = Object.hasOwn(ROWS, agent) ? ROWS[agent] : undefined
  const installed = agent === 'claude' ? claudeHook(context) : null
  // Managed settings hold whatever the call says, on this machine.
  if (installed === 'managed') return { gated: 'yes', why: null }
  if (row === undefined) return { gated: 'unknown', why: `\`${agent}\` has no hook that the gate could stand in` }
  const off = switchedOff(row, parsed, context) ?? (agent === 'claude' ? claudeSettings(parsed, context) : null)
  if (off !== null) return off
  if (context.remote === true) return { gated: 'unknown', why: 'it runs elsewhere' }
  if (installed === 'user') return projectSettings(context) ?? { gated: 'yes', why: null }
  return otherSettings(agent, context) ?? unknown(`it is not seen that the gate is installed for \`${agent}\``)
}

/** Of the agents besides Claude Code; null: the hook is not seen in their settings. */
function otherSettings(agent: string, context: CommandContext): AgentGate | null {
  const { cwd, view } = context
  const seen = seenHook(agent, view, cwd)
  if (!seen.holds) return null
  if (seen.doubt !== null) return unknown(seen.doubt)
  if (cwd === null || view.realpath(cwd).type !== 'directory') return unknown('it is not known which project it starts in')
  const top = view.git(cwd)?.top ?? cwd
  if ([cwd, top].some((directory) => context.brought(directory)))
    return unknown('what was pulled, checked out, unpacked or copied there may have brought other settings')
  return context.made().some((path) => isProjectSetting(agent, path))
    ? unknown('the call itself changes its settings')
    : { gated: 'yes', why: null }
}

const no = (why: string): AgentGate => ({ gated: 'no', why })
const unknown = (why: string): AgentGate => ({ gated: 'unknown', why })

function switchedOff(row: Row, parsed: ParsedCommand, context: CommandContext): AgentGate | null {
  const flag = row.flags?.find((name) => parsed.flag(name))
  if (flag !== undefined) return no(`\`${flag}\` leaves hooks out`)
  return byOption(row.options ?? {}, parsed) ?? byVariable(row.variables ?? {}, context) ?? byHome(context) ?? byVariable(LOADED, context)
}

function byOption(options: Values, parsed: ParsedCommand): AgentGate | null {
  for (const [name, wrong] of Object.entries(options))
    for (const { text } of parsed.values(name)) {
      if (text === null) return unknown(`the value of \`${name}\` is not known`)
      if (wrong.test(text)) return no(`\`${name}\` leaves hooks out, or takes other settings`)
    }
  return null
}

/** What a variable is in the session itself, it is for the agent that the gate stands before already. */
function byVariable(variables: Values, context: CommandContext): AgentGate | null {
  for (const [name, wrong] of Object.entries(variables)) {
    const value = context.variable(name)
    if (value === null || value.text === '' || value.text === context.view.env(name)) continue
    const known = value.text ?? (value.prefix === '' ? null : value.prefix)
    if (known === null) return unknown(`the value of \`${name}\` is not known`)
    if (value.text === null || wrong.test(known)) return no(`\`${name}\` is set`)
  }
  return null
}

/** Another home has other settings. */
function byHome(context: CommandContext): AgentGate | null {
  const home = context.variable('HOME')
  return home === null || home.text === context.view.home ? null : no('`HOME` is another one')
}

/** What is loaded into the agent, or into its hook, before either does anything. */
const LOADED: Values = {
  ...{ LD_PRELOAD: SET, LD_AUDIT: SET, DYLD_INSERT_LIBRARIES: SET, BASH_ENV: SET, ENV: /\// },
  NODE_OPTIONS: /(?:^|\s)(?:-r|--(?:require|import|loader|experimental-loader|eval|inspect))/,
}

const LONGEST = 262_144
const MANAGED = '/etc/claude-code/managed-settings.json'

function claudeHook({ view, remote }: CommandContext): 'managed' | 'user' | null {
  if (remote === true) return null
  if (holdsHook(view.read(MANAGED, LONGEST)?.text ?? '')) return 'managed'
  return holdsHook(view.read(`${view.home}/.claude/settings.json`, LONGEST)?.text ?? '') ? 'user' : null
}

/** `--settings` takes a file or the settings themselves. */
function claudeSettings(parsed: ParsedCommand, context: CommandContext): AgentGate | null {
  for (const word of parsed.values('--settings')) {
    const text = settingsText(word, context)
    if (text === null) return unknown('what `--settings` names cannot be read')
    const why = switchesOff(text)
    if (why !== null) return no(`\`--settings\`: ${why}`)
  }
  return null
}

function settingsText(word: Word, context: CommandContext): string | null {
  if (word.text === null) return null
  if (word.text.trimStart().startsWith('{')) return word.text
  const written = context.written(word)
  if (written !== null) return written.text
  const { real } = context.path(word)
  return real === null ? null : (context.view.read(real, LONGEST)?.text ?? null)
}

/** Settings that the project brings, which may switch the user's hook off. */
function projectSettings(context: CommandContext): AgentGate | null {
  const { cwd, view } = context
  if (cwd === null || view.realpath(cwd).type !== 'directory') return unknown('it is not known which project it starts in')
  const top = view.git(cwd)?.top
  for (const directory of new Set([cwd, ...(top === undefined ? [] : [top])]))
    for (const name of ['settings.json', 'settings.local.json']) {
      const path = `${directory}/.claude/${name}`
      if (path === `${view.home}/.claude/settings.json`) continue
      const file = view.read(path, LONGEST)
      if (file === null && view.realpath(path).type !== 'missing') return unknown(`\`${path}\` cannot be read`)
      const why = file === null ? null : switchesOff(file.text)
      if (why !== null) return no(`the project's settings: ${why}`)
    }
  if ([...new Set([cwd, top ?? cwd])].some((directory) => context.brought(directory)))
    return unknown('what was pulled, checked out, unpacked or copied there may have brought other settings')
  return context.made().some((path) => path.includes('/.claude/')) ? unknown('the call itself changes its settings') : null
}
