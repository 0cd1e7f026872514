import type { CommandContext, ParsedCommand, Word } from '../../host.ts'
import { isBareShell } from '../../resources/environment/names.ts'
import { changedWord, knownWord } from '../../resources/text/word.ts'
import { describeUrl } from '../../resources/url/index.ts'
import { nameOf } from '../tool.ts'

/**
 * The ways in which git runs other people's programs: configuration keys, environment variables, transports. A `git log`
 * with `-c core.pager=…` is a shell command in disguise.
 */

/** Keys whose value is a shell command line; `*` stands for one name. Lower case, as git compares them. */
const COMMAND_KEYS = (
  'core.sshcommand core.pager core.editor core.askpass core.gitproxy core.fsmonitor core.alternaterefscommand sequence.editor ' +
  'diff.external diff.*.command diff.*.textconv difftool.*.cmd mergetool.*.cmd merge.*.driver filter.*.clean filter.*.smudge ' +
  'filter.*.process gpg.program gpg.*.program gpg.ssh.defaultkeycommand interactive.difffilter pager.* ' +
  'uploadpack.packobjectshook remote.*.uploadpack remote.*.receivepack browser.*.cmd man.*.cmd sendemail.sendmailcmd ' +
  'sendemail.tocmd sendemail.cccmd trailer.*.command trailer.*.cmd tar.*.command web.browser'
).split(' ')

/** Keys that change where code or credentials come from, or what is trusted. */
const TRUST_KEYS = (
  'core.hookspath credential.helper credential.*.helper alias.* include.path includeif.*.path url.*.insteadof ' +
  'url.*.pushinsteadof remote.*.url remote.*.pushurl init.templatedir protocol.ext.allow protocol.*.allow http.proxy ' +
  'http.sslverify http.*.sslverify safe.directory submodule.*.update submodule.*.url'
).split(' ')

function matches(key: string, pattern: string): boolean {
  const star = pattern.indexOf('*')
  if (star < 0) return key === pattern
  const head = pattern.slice(0, star)
  const tail = pattern.slice(star + 1)
  return key.length > head.length + tail.length && key.startsWith(head) && key.endsWith(tail)
}

/** What setting a key means: its value runs as a command, it moves trust, or neither. */
export function configKind(key: string): 'command' | 'trust' | 'plain' {
  const name = key.toLowerCase()
  if (COMMAND_KEYS.some((pattern) => matches(name, pattern))) return 'command'
  return TRUST_KEYS.some((pattern) => matches(name, pattern)) ? 'trust' : 'plain'
}

const BOOLEANS: ReadonlySet<string> = new Set(['true', 'false', 'yes', 'no', 'on', 'off', '0', '1', ''])

/** A configuration value on the command line or in the environment; null where it is not known. */
interface Setting {
  readonly key: string
  readonly value: string | null
  readonly word: Word
}

/** A configuration value in force for this one command: runs what git would run for it. */
function configured(setting: Setting, context: CommandContext): void {
  const { value, word } = setting
  const name = setting.key.toLowerCase()
  if (name === 'core.hookspath') {
    context.emit('execute', context.path(value === null ? word : knownWord(value, word.span)), {
      action: 'git:hooks',
      certainty: 'likely',
      reason: 'hooks are run from a directory named on the command line',
    })
    return
  }
  if (name === 'credential.helper' || matches(name, 'credential.*.helper')) {
    if (value === null || value.startsWith('!')) context.shell(value === null ? null : value.slice(1), word.span, 'git')
    else if (value.startsWith('/')) context.shell(value, word.span, 'git')
    return
  }
  if (forgetsAtOnce(name, value)) {
    const attributes = { operation: 'expire' }
    context.emit('change', context.thing('variable', setting.key), { action: 'git:history', reversible: false, attributes })
    return
  }
  if (leadsAway(name, value)) {
    const attributes = { key: setting.key, value, scope: 'command' }
    context.emit('change', context.thing('variable', setting.key), { action: 'git:config', attributes })
    return
  }
  if (configKind(name) !== 'command' || (value !== null && BOOLEANS.has(value.toLowerCase()))) return
  inPlaceOf(setting.key, setting, context)
}

/** Runs a command that a setting puts in the place of git's own; what it runs says so. */
function inPlaceOf(name: string, { value, word }: Pick<Setting, 'value' | 'word'>, context: CommandContext): void {
  if (value !== null && isBareShell(value)) {
    const reason = 'a shell takes for commands what it is given to show'
    context.emit('change', context.thing('variable', name), {
      action: 'env:inject',
      span: word.span,
      reason,
      attributes: { variable: name },
    })
  }
  context.within({ attributes: { in_place_of: name }, remote: false }, (inner) => inner.shell(value, word.span, 'git'))
}

/** A transfer that this one command makes by another way than the repository says, or without looking at certificates. */
function leadsAway(name: string, value: string | null): boolean {
  if (value === '') return false
  if (/^http\.(?:.*\.)?sslverify$/.test(name)) return /^(?:false|no|off|0)$/i.test(value ?? '')
  if (/^(?:http|remote)\.(?:.*\.)?proxy$/.test(name)) return value === null || describeUrl(value).scope !== 'loopback'
  const rewritten = /^url\.(.*)\.(?:push)?insteadof$/.exec(name)?.[1]
  return rewritten !== undefined && (value === null || hostIn(rewritten) !== hostIn(value.toLowerCase()))
}

const EXPIRY = /^gc\.(?:.*\.)?(?:reflogexpire|reflogexpireunreachable|pruneexpire)$/

/** With such a setting the next collection of garbage, which git starts by itself, drops all that no branch names. */
export function forgetsAtOnce(key: string, value: string | null): boolean {
  return EXPIRY.test(key.toLowerCase()) && /^(?:now|all|0)$/i.test(value ?? '')
}

/** The host of an address of a repository: `git@host:path` too, and without a key that stands before it. */
function hostIn(address: string): string {
  return (/^(?:[a-z+]+:\/\/)?(?:[^/@]*@)?([^/:]*)/.exec(address)?.[1] ?? '').toLowerCase()
}

/** One `key=value` of `-c`; the key alone means true. */
export function configOption(word: Word, context: CommandContext): void {
  const text = word.text ?? word.prefix
  const equals = text.indexOf('=')
  if (word.text === null && equals < 0) {
    context.opaque('a git configuration key is not known before it runs', word.span)
    return
  }
  if (equals < 0) return
  configured({ key: text.slice(0, equals), value: word.text === null ? null : text.slice(equals + 1), word }, context)
}

const COMMAND_VARIABLES = (
  'GIT_SSH_COMMAND GIT_SSH GIT_EXTERNAL_DIFF GIT_PAGER PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR EDITOR VISUAL GIT_ASKPASS ' +
  'SSH_ASKPASS GIT_PROXY_COMMAND'
).split(' ')

/** `VAR=value git …`: variables that git runs, and configuration that comes by environment. */
export function environment(parsed: ParsedCommand, context: CommandContext): void {
  const env = parsed.invocation.env
  for (const name of COMMAND_VARIABLES) {
    const word = env.get(name)
    if (word !== undefined && word.text !== '') inPlaceOf(name, { value: word.text, word }, context)
  }
  for (const [name, word] of env) {
    if (name.startsWith('GIT_CONFIG_KEY_')) {
      const value = env.get(`GIT_CONFIG_VALUE_${name.slice('GIT_CONFIG_KEY_'.length)}`)
      if (word.text !== null && value !== undefined) configured({ key: word.text, value: value.text, word: value }, context)
    }
    if (name === 'GIT_CONFIG_PARAMETERS') context.opaque('git configuration comes from `GIT_CONFIG_PARAMETERS`', word.span)
    if (name === 'GIT_EXEC_PATH' || name === 'GIT_TEMPLATE_DIR') {
      context.emit('execute', context.path(word), { action: 'git:exec-path', certainty: 'likely' })
    }
  }
}

/** `git -c …`, `--config-env`, `--exec-path=…` and the environment: runs for every subcommand. */
export function gitCode(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.values('-c')) configOption(word, context)
  for (const word of parsed.values('--config-env')) {
    const key = (word.text ?? '').split('=')[0] ?? ''
    if (configKind(key) !== 'plain') context.opaque(`git takes \`${key}\` from the environment`, word.span)
  }
  for (const word of parsed.values('--exec-path')) {
    context.emit('execute', context.path(word), { action: 'git:exec-path', certainty: 'likely' })
  }
  environment(parsed, context)
}

/** A remote that runs a program instead of connecting to one: `ext::sh -c …`, `fd::`. True where it was one. */
export function helperTransport(word: Word, context: CommandContext): boolean {
  const text = word.text ?? word.prefix
  const mark = text.indexOf('::')
  if (mark <= 0) return false
  const transport = text.slice(0, mark).toLowerCase()
  if (transport === 'ext') runExternal(word, mark + 2, context)
  else if (transport !== 'http' && transport !== 'https') {
    context.emit('execute', context.thing('program', `git-remote-${transport}`), { action: 'git:transport', certainty: 'likely' })
  }
  return true
}

/** `ext::program argument…`: no shell reads it; blanks part the words, and `% ` is a blank within one. */
function runExternal(word: Word, from: number, context: CommandContext): void {
  if (word.text === null) {
    context.shell(null, word.span, 'git')
    return
  }
  const words = [...word.text.slice(from).matchAll(/(?:[^ %]|%.)+/gs)].map(([text]) =>
    text.replace(/%(.)/gs, (_, sign: string) => (/[ %]/.test(sign) ? sign : '')),
  )
  context.command(
    words.map((text) => ({ ...word, text, prefix: text, glob: false })),
    'git',
  )
}

/** Options whose value is run at the other end, or here for a local path. */
export function packPrograms(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.values('--upload-pack', '--receive-pack', '--exec', '-u')) {
    const text = word.text
    if (text === 'git-upload-pack' || text === 'git-receive-pack' || text === 'git-upload-archive') continue
    inPlaceOf('the other end of git', { value: text, word }, context)
  }
}

/** An option under its name or any abbreviation that git accepts (`--forc` is `--force`). */
export function gitFlag(parsed: ParsedCommand, ...names: readonly string[]): boolean {
  if (parsed.flag(...names)) return true
  const long = names.filter((name) => name.startsWith('--'))
  return parsed.unknown.some((word) => {
    const text = word.text
    return text !== null && text.length > 3 && text.startsWith('--') && long.some((name) => name.startsWith(text))
  })
}

const VALUED_GLOBALS: ReadonlySet<string> = new Set(['-c', '--git-dir', '--namespace', '--config-env', '--super-prefix', '--attr-source'])

/** Values of `-C` and `--work-tree` before the subcommand: after it, `-C` means something else. */
function directories(parsed: ParsedCommand): readonly string[] {
  return globalsOf(parsed).directories
}

/** One of the letters as an option of the subcommand: before it, `-C` and `-c` belong to git itself. */
export function ownLetter(parsed: ParsedCommand, letters: string): boolean {
  const own = parsed.invocation.args.slice(globalsOf(parsed).length)
  return own.some(({ text }) => text !== null && /^-[A-Za-z]+$/.test(text) && [...letters].some((letter) => text.includes(letter)))
}

/** What stands before the subcommand: how many words, and the directories among them. */
function globalsOf(parsed: ParsedCommand): { readonly length: number; readonly directories: readonly string[] } {
  const found: string[] = []
  const args = parsed.invocation.args
  let i = 0
  for (; i < args.length; i++) {
    const text = args[i]?.text
    if (text == null || !text.startsWith('-')) break
    const next = args[i + 1]
    if (text === '-C' || text === '--work-tree') {
      if (next !== undefined) found.push(nameOf(next))
      i++
    } else if (text.startsWith('--work-tree=')) found.push(text.slice('--work-tree='.length))
    else if (VALUED_GLOBALS.has(text)) i++
  }
  return { length: i, directories: found }
}

/** The directory a git command works in, as its `-C` and `--work-tree` name it; `.` where they are absent. */
export function workTree(parsed: ParsedCommand): string {
  const found = directories(parsed)
  return found.length === 0 ? '.' : found.reduce((all, part) => (part.startsWith('/') ? part : `${all}/${part}`))
}

/** A path operand as git resolves it: below `-C`. */
export function inTree(parsed: ParsedCommand, word: Word): Word {
  const tree = workTree(parsed)
  if (tree === '.' || word.prefix.startsWith('/') || word.prefix.startsWith('~')) return word
  return changedWord(word, (text) => `${tree}/${text}`)
}
