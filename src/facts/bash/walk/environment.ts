import { type EffectOptions, type Span, target } from '../../effect.ts'
import type { Word } from '../../host.ts'
import { quote } from '../../programs/running/words.ts'
import { leadsAway } from '../../resources/environment/endpoints.ts'
import { isBareShell, isForeignProgram, isForgetting, isInsecure, isRiskyValue, variableKind } from '../../resources/environment/names.ts'
import { movesPlace } from '../../resources/environment/places.ts'
import { knownWord } from '../../resources/text/word.ts'
import { urlTarget } from '../../resources/url/index.ts'
import { runTemplate } from '../expand/subscript.ts'
import { type ExecutionContext, emitAt } from '../state/state.ts'

/** Setting an environment variable: what it makes other programs run, load, forget or talk to. */

/** By these git takes another repository, or other configuration, than the ones that stand there: grants look at that. */
const REPOSITORIES = /^(?:GIT_(?:DIR|COMMON_DIR|WORK_TREE|NAMESPACE|CONFIG_(?:GLOBAL|SYSTEM|COUNT))|HOME|XDG_CONFIG_HOME)$/

/** The socket of an agent that somebody started; whoever can open it signs with its keys. */
const AGENT_SOCKET = /^(?:\/private)?\/tmp\/(?:ssh|agent)[^/]*\/[^/]+$/

/** What one setting is about. */
interface Setting {
  readonly name: string
  readonly word: Word
  readonly site: ExecutionContext
  readonly span: Span
}

/** What programs look for, load or run because of the value. */
function runs(setting: Setting): void {
  const { name, word, site, span } = setting
  const kind = variableKind(name)
  if (kind === 'loading' || kind === 'searching' || kind === 'flags') searched(setting, kind)
  if (kind === 'command') runsCommand(setting)
  if (kind === 'prompt' && word.text !== null) runPrompt(word.text, { site, span })
  if (name === 'BASH_ENV') runsFile(setting)
}

/** The effects of setting an environment variable for the commands that follow. */
export function setEnvironment(name: string, word: Word, at: { readonly site: ExecutionContext; readonly span: Span }): void {
  const setting: Setting = { name, word, ...at }
  runs(setting)
  redirected(setting)
  if (name === 'SSH_AUTH_SOCK' && AGENT_SOCKET.test(word.text ?? ''))
    emitAt(at.site, target('resource', 'the keys of a running ssh-agent'), { verb: 'read', action: 'secret:agent', span: at.span })
  if (REPOSITORIES.test(name)) change(setting, 'git:config', { attributes: { variable: name } })
  if (name === 'BASH_XTRACEFD' && word.text !== '') change(setting, 'shell:trace', {})
  if (movesPlace(name, word)) change(setting, 'env:place', { attributes: { variable: name } })
  const { text } = word
  if (text !== null && isInsecure(name, text)) change(setting, 'security:insecure', { attributes: { insecure: true } })
  if (text !== null && isForgetting(name, text)) change(setting, 'history:clear', { reversible: false })
}

/** A prompt is expanded whenever it is shown, wherever the shell is by then. */
function runPrompt(text: string, { site, span }: { readonly site: ExecutionContext; readonly span: Span }): void {
  runTemplate(text, site, span)
  if (!/\$\(|`/.test(text)) return
  const scope = site.scope.clone()
  scope.cwd = null
  scope.also = null
  scope.certainty = 'possible'
  runTemplate(text, { ...site, scope }, span)
}

function change({ name, site, span }: Setting, action: string, options: EffectOptions): void {
  emitAt(site, target('variable', name), { ...options, verb: 'change', action, span })
}

/** Options of ruby that load nothing. */
const WARNINGS = /^(?:|-[wW][\w:-]*|--(?:yjit|jit|enable|disable)[\w=,-]*)$/

function searched(setting: Setting, kind: 'loading' | 'searching' | 'flags'): void {
  const { name, word } = setting
  if (word.text === '') return
  const written = `${word.text ?? word.prefix}\n${word.raw ?? ''}`
  const tame = name === 'RUBYOPT' && word.text?.split(/\s+/).every((each) => WARNINGS.test(each)) === true
  const everyday = tame || (kind !== 'loading' && !word.dynamic && !isRiskyValue(written, kind))
  change(setting, 'env:inject', { attributes: { variable: name, value: word.text, ...(everyday ? { literal: true } : {}) } })
  const command = word.text === null ? null : startsWith(name, word.text)
  if (command !== null) runText(setting, command)
}

/** What other programs do first because of the variable, as a command; null where nothing of that can be read. */
function startsWith(name: string, value: string): string | null {
  const words = value.trim().split(/\s+/)
  switch (name) {
    case 'ENV':
      // `ENV=production` names no file.
      return /^\/dev\/null$|^[\w-]*$/.test(value) ? null : `. ${quote(value)}`
    case 'PYTHONSTARTUP':
      return `python3 ${quote(value)}`
    case 'NODE_OPTIONS':
      return /^(?:-r|--(?:require|import|loader|experimental-loader))(?:=|$)/m.test(words.join('\n'))
        ? `node ${words.map(quote).join(' ')} -e 0`
        : null
    case 'PERL5OPT':
      return `perl ${words.map(quote).join(' ')} -e 0`
    case 'RUBYOPT':
      return `ruby ${words.map(quote).join(' ')} -e 0`
    case 'LUA_INIT':
      return value.startsWith('@') ? `lua ${quote(value.slice(1))}` : `lua -e ${quote(value)}`
    case 'VIMINIT':
    case 'EXINIT':
      return `vim -c ${quote(value)}`
    default:
      return null
  }
}

/** Clients are led to another server than the one they are made for. */
function redirected(setting: Setting): void {
  const { name, word, site, span } = setting
  const away = word.text === null ? null : leadsAway(name, word.text)
  if (away === null) return
  const attributes = { variable: name, service: away.service }
  const reason = `\`${name}\` leads ${away.service} there`
  emitAt(site, urlTarget(away.address), { verb: 'change', action: 'net:redirect', span, attributes, reason })
}

/** Every bash that is started to run a script runs this file first. */
function runsFile(setting: Setting): void {
  const { word, span } = setting
  if (word.text === null || word.text === '') return
  const site = insteadOf(setting)
  site.scope.certainty = 'possible'
  site.walker.command([knownWord('.', span), word], site, span)
}

/** Where that runs which is run because of the variable: a level deeper, fed by nothing, and read by nobody. */
function insteadOf({ name, site, span }: Setting): ExecutionContext {
  const scope = site.scope.clone()
  scope.wrappers = [...scope.wrappers, name]
  scope.depth++
  const frame = { pointer: span.pointer, fixed: span }
  return { ...site, scope, captured: false, piped: false, input: { kind: 'none' }, frame }
}

function runsCommand(setting: Setting): void {
  const { name, word } = setting
  const { text } = word
  if (text === null) {
    change(setting, 'env:inject', { reason: 'the command is not known before it runs', attributes: { variable: name } })
    return
  }
  // `|program %s`, `||-program %s` of less: the marks are its own.
  const command = name.startsWith('LESS') ? text.replace(/^[|-]+/, '') : text
  if (['', 'none'].includes(command.trim())) return
  const foreign = isForeignProgram(command) ? 'the program is no installed one' : null
  const reason = isBareShell(command) ? 'a shell takes for commands what it is given to show' : foreign
  if (reason !== null) change(setting, 'env:inject', { reason, attributes: { variable: name, value: text } })
  runText(setting, command)
}

/** Runs text in place of what reads the variable. */
function runText(setting: Setting, command: string): void {
  const { name } = setting
  if (setting.site.scope.wrappers.includes(name)) return
  const site = insteadOf(setting)
  site.scope.attributes = { ...site.scope.attributes, in_place_of: name }
  site.walker.text(command, site)
}
