/**
 * What the settings of agents and editors do to the gate, told from their content (T40). They are harmless only where all that changes
 * is known to be: what is not known, cannot be read, or makes the host drop the file with the hooks in it, is not. Pure.
 */
import { isJsonObject, type Json, type JsonObject, own, parseJson } from '../../core/json.ts'

/** Null where the content is harmless; else what is wrong with it, in words. */
export type Objection = string | null

/** A kind of file, and what is wrong with one that becomes `text`; `before` is what stands there, null where nothing does. */
export interface Kind {
  readonly file: RegExp
  readonly judge: (text: string, before: string | null) => Objection
}

/** What one setting may become; null where that is harmless. */
export type Rule = (value: Json, before: Json | undefined) => Objection

/** One setting that a file gets. */
interface Setting {
  readonly key: string
  readonly value: Json
  readonly before: Json | undefined
}

export const HARMLESS: Rule = () => null

export const SCALAR: Rule = (value) => (typeof value === 'object' && value !== null ? 'it is no plain value' : null)

/** Settings under these rules may also go. */
const FREE: ReadonlySet<Rule | null> = new Set([HARMLESS, SCALAR])

const rules = (names: string, rule: Rule): readonly (readonly [string, Rule])[] => names.split(' ').map((name) => [name, rule] as const)

export function jsonFile(readAs: (text: string) => Json | undefined, ruleOf: (key: string) => Rule | null) {
  return (text: string, before: string | null): Objection => {
    const [now, then] = [readAs(text), before === null || before.trim() === '' ? {} : readAs(before)]
    if (!isJsonObject(now)) return 'it is no valid JSON, so the host drops it with the hooks in it'
    if (!isJsonObject(then)) return 'what stands there now cannot be read'
    const gone = Object.keys(then).find((key) => !Object.hasOwn(now, key) && !FREE.has(ruleOf(key)))
    if (gone !== undefined) return `it takes \`${gone}\` away`
    for (const [key, value] of Object.entries(now)) {
      const objection = objectionToOne({ key, value, before: own(then, key) }, ruleOf(key))
      if (objection !== null) return objection
    }
    return null
  }
}

function objectionToOne({ key, value, before }: Setting, rule: Rule | null): Objection {
  if (isSame(value, before)) return null
  if (rule === null) return `nothing is known of the setting \`${key}\``
  const objection = rule(value, before)
  return objection === null ? null : `\`${key}\`: ${objection}`
}

export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

// Claude Code.

const LISTS = 'allow deny ask additionalDirectories'.split(' ')

/** Rules that take the host's own questions away for one narrow command; the gate is asked all the same. */
const NARROW_RULES: readonly RegExp[] = [
  /^Bash\([\w./-]+(?: [^*()]*)?\)$/,
  /^Bash\([\w./-]+ [\w./:-]+(?: [^*():]*)?:\*\)$/,
  /^(?:Read|Grep|Glob|LS)(?:\((?:\.\/|[\w-])[^()]*\))?$/,
  /^WebSearch$/,
]

export const isNarrow = (rule: string): boolean => NARROW_RULES.some((known) => known.test(rule))

const permissions: Rule = (value, before) => {
  if (!isJsonObject(value)) return 'it is no object, so the host drops the file'
  const then = isJsonObject(before) ? before : {}
  for (const [name, list] of Object.entries(value)) {
    const objection = isSame(list, own(then, name)) ? null : permission(name, list, texts(own(then, 'allow')))
    if (objection !== null) return objection
  }
  const lost = ['deny', 'ask'].find((name) => texts(own(then, name)).some((rule) => !texts(own(value, name)).includes(rule)))
  return lost === undefined ? null : `it takes rules of \`${lost}\` away`
}

/** One list of rules, or the mode; `allowed` is what is allowed already. */
function permission(name: string, list: Json, allowed: readonly string[]): Objection {
  if (name === 'defaultMode' && (list === 'default' || list === 'plan')) return null
  if (!LISTS.includes(name)) return `nothing is known of \`${name}\``
  if (!isTexts(list)) return `\`${name}\` is no list of texts, so the host drops the file`
  if (name === 'additionalDirectories') return 'it lets the agent work in other directories'
  const wide = name === 'allow' ? list.find((rule) => !isNarrow(rule) && !allowed.includes(rule)) : undefined
  return wide === undefined ? null : 'it takes the questions of the host away'
}

function isTexts(value: Json): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

function texts(value: Json | undefined): readonly string[] {
  return value !== undefined && isTexts(value) ? value : []
}

/** Variables that no program takes for code, for a place of settings, or for an address. */
const PLAIN_VARIABLE = new Set([
  ...'BASH_DEFAULT_TIMEOUT_MS BASH_MAX_TIMEOUT_MS BASH_MAX_OUTPUT_LENGTH MAX_THINKING_TOKENS MAX_MCP_OUTPUT_TOKENS'.split(' '),
  ...'MCP_TIMEOUT MCP_TOOL_TIMEOUT CLAUDE_CODE_MAX_OUTPUT_TOKENS DISABLE_TELEMETRY DISABLE_AUTOUPDATER'.split(' '),
  ...'DISABLE_ERROR_REPORTING DISABLE_COST_WARNINGS NODE_ENV RAILS_ENV CI TZ LANG LC_ALL FORCE_COLOR NO_COLOR LOG_LEVEL PORT'.split(' '),
])

export const environment: Rule = (value, before) => {
  if (!isJsonObject(value)) return 'it is no object'
  const then = isJsonObject(before) ? before : {}
  for (const [name, given] of Object.entries(value)) {
    if (isSame(given, own(then, name))) continue
    if (typeof given !== 'string' || !PLAIN_VARIABLE.has(name)) return `\`${name}\` may change what runs, the hook of the gate included`
  }
  return null
}

const CLAUDE = new Map<string, Rule>([
  ...rules('model outputStyle language theme includeCoAuthoredBy cleanupPeriodDays spinnerTipsEnabled alwaysThinkingEnabled', SCALAR),
  ...rules('effortLevel verbose respectGitignore prefersReducedMotion terminalProgressBarEnabled showTurnDuration', SCALAR),
  ...rules('$schema', SCALAR),
  ['permissions', permissions],
  ['env', environment],
])

// Editors: settings of how text looks and is kept.

const OF_LOOKS: readonly RegExp[] = [
  /^(?:editor|files|search|explorer|breadcrumbs|diffEditor|problems|outline|zenMode|window)\.[\w.-]{1,80}$/,
  /^workbench\.(?:colorTheme|iconTheme|startupEditor|colorCustomizations|editor\.\w+|tree\.\w+)$/,
  /^(?:typescript|javascript)\.(?:preferences|format|inlayHints|suggest|updateImportsOnFileMove)\.?[\w.]{0,60}$/,
  /^cSpell\.(?:words|userWords|ignoreWords|ignorePaths|language|enabled)$/,
  /^prettier\.(?:tabWidth|singleQuote|semi|printWidth|enable|trailingComma|requireConfig)$/,
  /^eslint\.(?:enable|validate|run|format\.enable|quiet)$/,
  /^python\.analysis\.(?:typeCheckingMode|autoImportCompletions)$/,
  /^terminal\.integrated\.(?:fontSize|fontFamily|cursorStyle|scrollback)$/,
]

/** Names among these that name a program or an address. */
const RUNS = /path$|command|executable|server|host|proxy|url|script/i

const LANGUAGE = /^\[[\w -]{1,40}\]$/

/** What holds for files of one language. */
const ofLanguage: Rule = (value) => {
  if (!isJsonObject(value)) return 'it is no object'
  const strange = Object.keys(value).find((key) => LANGUAGE.test(key) || look(key) === null)
  return strange === undefined ? null : `nothing is known of \`${strange}\``
}

function look(key: string): Rule | null {
  if (LANGUAGE.test(key)) return ofLanguage
  return OF_LOOKS.some((name) => name.test(key)) && !RUNS.test(key) ? HARMLESS : null
}

/** JSON as editors write it: with comments and commas at the end. Text in quotes is left as it is; one pass, whatever the text. */
export function readJsonc(text: string): Json | undefined {
  let plain = ''
  /** Where a comma stands that nothing has followed yet. */
  let comma = -1
  for (let at = 0; at < text.length; ) {
    const end = tokenEnd(text, at)
    const token = text.slice(at, end)
    at = end
    if (token.startsWith('//') || token.startsWith('/*') || token.trim() === '') continue
    if (comma >= 0 && (token === '}' || token === ']')) plain = plain.slice(0, comma) + plain.slice(comma + 1)
    comma = token === ',' ? plain.length : -1
    plain += token
  }
  return parseJson(plain)
}

/** The end of the text in quotes, the comment, or the one character that begins at `at`. */
function tokenEnd(text: string, at: number): number {
  const next = text[at + 1]
  if (text[at] === '"') return quoteEnd(text, at)
  if (text[at] !== '/' || (next !== '/' && next !== '*')) return at + 1
  const close = next === '/' ? text.indexOf('\n', at) : text.indexOf('*/', at + 2)
  if (close === -1) return text.length
  return next === '/' ? close : close + 2
}

function quoteEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return text.length
}

// Agents whose settings are few.

const GEMINI = new Map<string, Rule>([...rules('theme ui $schema vimMode hideTips hideBanner preferredEditor', HARMLESS)])
const OPENCODE = new Map<string, Rule>([...rules('$schema theme model small_model username keybinds tui autoupdate', HARMLESS)])

/** Files of lines `key = value`, all of which must be of these keys; a table or a nested value is not. */
function lines(keys: string, parts: RegExp) {
  const known = new Set(keys.split(' '))
  return (text: string, before: string | null): Objection => {
    const kept = new Set((before ?? '').split('\n').map((line) => line.trim()))
    const given = text.split('\n').map((line) => line.trim())
    const lost = [...kept].find((line) => line !== '' && !line.startsWith('#') && !given.includes(line) && !known.has(keyOf(line, parts)))
    if (lost !== undefined) return 'it takes a setting away'
    const strange = given.find((line) => line !== '' && !line.startsWith('#') && !known.has(keyOf(line, parts)))
    return strange === undefined ? null : 'nothing is known of one of its settings'
  }
}

function keyOf(line: string, parts: RegExp): string {
  return parts.exec(line)?.[1] ?? ''
}

const TOML_LINE = /^([\w-]{1,60})\s{0,8}=\s{0,8}(?:"[^"\\]{0,200}"|true|false|-?\d{1,12})\s{0,8}(?:#.*)?$/
const YAML_LINE = /^([\w-]{1,60}):\s{1,8}[^\s[{&*!|>'"#-][^#]{0,200}$/

export const SETTINGS_KINDS: readonly Kind[] = [
  { file: /(?:^|\/)\.claude\/settings(?:\.local)?\.json$/, judge: jsonFile(parseJson, (key) => CLAUDE.get(key) ?? null) },
  { file: /(?:^|\/)\.(?:vscode|cursor|zed)\/settings\.json$|\/(?:Code|Cursor)\/User\/settings\.json$/, judge: jsonFile(readJsonc, look) },
  { file: /(?:^|\/)\.(?:gemini|qwen)\/settings\.json$/, judge: jsonFile(parseJson, (key) => GEMINI.get(key) ?? null) },
  { file: /(?:^|\/)opencode\.jsonc?$/, judge: jsonFile(readJsonc, (key) => OPENCODE.get(key) ?? null) },
  {
    file: /(?:^|\/)\.codex\/config\.toml$/,
    judge: lines('model model_reasoning_effort model_verbosity hide_agent_reasoning file_opener', TOML_LINE),
  },
  { file: /(?:^|\/)\.aider\.conf\.yml$/, judge: lines('model dark-mode light-mode pretty stream show-diffs attribute-author', YAML_LINE) },
]

/** What of settings of Claude Code switches a hook of the user's off, or runs something before or around it; null where nothing does. */
export function switchesOff(text: string): Objection {
  const settings = parseJson(text)
  if (!isJsonObject(settings)) return null // the host drops it
  if (own(settings, 'disableAllHooks') === true) return '`disableAllHooks` is true'
  const set = own(settings, 'env')
  const strange = isJsonObject(set) ? Object.keys(set).find(isHostile) : undefined
  return strange === undefined ? null : `\`env.${strange}\` changes what runs`
}

/** Variables with which the host, or the shell of the hook, runs something else than it would. */
const HOSTILE_NAMES = new Set(
  'CLAUDE_CODE_SHELL_PREFIX CLAUDE_CODE_SHELL CLAUDE_CODE_SIMPLE CLAUDE_CONFIG_DIR CLAUDE_ENV_FILE HOME BASH_ENV ENV NODE_OPTIONS'.split(
    ' ',
  ),
)
const HOSTILE_FAMILY = /^(?:LD_|DYLD_|BASH_FUNC_|SHELLOPTS$|BASHOPTS$)/
const isHostile = (name: string): boolean => HOSTILE_NAMES.has(name) || HOSTILE_FAMILY.test(name)

/** True where these settings of Claude Code hold our hook for every tool. */
export function holdsHook(text: string): boolean {
  const settings = parseJson(text)
  const hooks = isJsonObject(settings) ? own(settings, 'hooks') : undefined
  const groups = isJsonObject(hooks) ? own(hooks, 'PreToolUse') : undefined
  return Array.isArray(groups) && groups.some((group) => isJsonObject(group) && isOurs(group))
}

function isOurs(group: JsonObject): boolean {
  const matcher = own(group, 'matcher')
  const handlers = own(group, 'hooks')
  if (!(matcher === undefined || matcher === '' || matcher === '*') || !Array.isArray(handlers)) return false
  return handlers.some((handler) => isJsonObject(handler) && isOurHandler(handler))
}

function isOurHandler(handler: JsonObject): boolean {
  const [command, timeout] = [own(handler, 'command'), own(handler, 'timeout')]
  if (own(handler, 'type') !== 'command' || typeof command !== 'string' || !command.includes('countersign')) return false
  const waits = timeout === undefined || (typeof timeout === 'number' && timeout > 0)
  return waits && own(handler, 'async') !== true && own(handler, 'if') === undefined
}
