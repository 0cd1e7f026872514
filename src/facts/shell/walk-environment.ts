import type { Span } from '../effect.ts'
import { target } from '../effect.ts'
import type { Word } from './spec.ts'
import { emitAt, type Site } from './walk-state.ts'

/** Environment variables that make other programs run code, load libraries or trust somebody else. */

/** Always: the value names code that is loaded or run. */
const LOADING: ReadonlySet<string> = new Set([
  ...[
    'LD_PRELOAD',
    'LD_AUDIT',
    'DYLD_INSERT_LIBRARIES',
    'DYLD_LIBRARY_PATH',
    'DYLD_FRAMEWORK_PATH',
    'BASH_ENV',
    'ENV',
    'SHELLOPTS',
    'BASHOPTS',
  ],
  ...[
    'PYTHONSTARTUP',
    'PYTHONHOME',
    'PERL5OPT',
    'PERL5DB',
    'RUBYOPT',
    'GCONV_PATH',
    'GIT_EXEC_PATH',
    'GIT_TEMPLATE_DIR',
    'GIT_CONFIG_GLOBAL',
  ],
  ...[
    'GIT_CONFIG_SYSTEM',
    'GIT_CONFIG_PARAMETERS',
    'ZDOTDIR',
    'LUA_INIT',
    'R_PROFILE',
    'R_ENVIRON',
    'PHPRC',
    'PHP_INI_SCAN_DIR',
    'TCLLIBPATH',
    'INPUTRC',
  ],
])

/** Lists of directories or options: harmless values are everyday work. */
const SEARCHING: ReadonlySet<string> = new Set([
  ...[
    'PATH',
    'LD_LIBRARY_PATH',
    'PYTHONPATH',
    'NODE_PATH',
    'PERL5LIB',
    'PERLLIB',
    'RUBYLIB',
    'CLASSPATH',
    'LUA_PATH',
    'LUA_CPATH',
    'GOFLAGS',
  ],
  ...[
    'NODE_OPTIONS',
    'JAVA_TOOL_OPTIONS',
    '_JAVA_OPTIONS',
    'JDK_JAVA_OPTIONS',
    'MAVEN_OPTS',
    'MAKEFLAGS',
    'RUSTFLAGS',
    'RUSTC_WRAPPER',
    'CDPATH',
  ],
])

/** The value is itself a command line. */
const COMMANDS: ReadonlySet<string> = new Set([
  ...[
    'PAGER',
    'MANPAGER',
    'GIT_PAGER',
    'EDITOR',
    'VISUAL',
    'GIT_EDITOR',
    'GIT_SEQUENCE_EDITOR',
    'GIT_SSH_COMMAND',
    'GIT_SSH',
    'GIT_EXTERNAL_DIFF',
  ],
  ...[
    'GIT_ASKPASS',
    'SSH_ASKPASS',
    'SUDO_ASKPASS',
    'GIT_PROXY_COMMAND',
    'LESSOPEN',
    'LESSCLOSE',
    'BROWSER',
    'RSYNC_RSH',
    'CVS_RSH',
    'SVN_SSH',
  ],
  ...['PROMPT_COMMAND', 'FZF_DEFAULT_COMMAND', 'RUSTC_WRAPPER', 'PS0', 'PS4', 'FCEDIT'],
])

/** Values that switch a check of identity off. */
const INSECURE: ReadonlyMap<string, RegExp> = new Map([
  ['NODE_TLS_REJECT_UNAUTHORIZED', /^0$/],
  ['PYTHONHTTPSVERIFY', /^0$/],
  ['GIT_SSL_NO_VERIFY', /^(?:1|true|yes)$/i],
  ['GONOSUMCHECK', /./],
  ['GOINSECURE', /./],
  ['GONOSUMDB', /^\*/],
  ['CURL_INSECURE', /./],
  ['PIP_TRUSTED_HOST', /./],
  ['NPM_CONFIG_STRICT_SSL', /^false$/i],
  ['npm_config_strict_ssl', /^false$/i],
])

/** Values with which the shell keeps no record of what was typed. */
const FORGETTING: ReadonlyMap<string, RegExp> = new Map([
  ['HISTFILE', /^(?:\/dev\/null)?$/],
  ['HISTSIZE', /^0$/],
  ['HISTFILESIZE', /^0$/],
  ['HISTIGNORE', /\*/],
  ['SAVEHIST', /^0$/],
])

const RISKY_OPTIONS =
  /--(?:require|import|loader|experimental-loader|eval|inspect)\b|(?:^|\s)-r\s|-javaagent|-agent(?:lib|path)|-toolexec|--eval/
const RISKY_PLACE = /(?:^|[:=\n])(?:\.\/?:|\/tmp(?:[/:]|$)|\/var\/tmp(?:[/:]|$)|\/dev\/shm(?:[/:]|$))/

/** True where the value is known and is what people set every day. */
function everyday(word: Word): boolean {
  const written = `${word.text ?? ''}\n${word.raw ?? ''}`
  return !word.dynamic && !RISKY_OPTIONS.test(written) && !RISKY_PLACE.test(written)
}

/** The effects of setting an environment variable for the commands that follow. */
export function setEnvironment(name: string, word: Word, at: { readonly site: Site; readonly span: Span }): void {
  const { site, span } = at
  const loading = LOADING.has(name) || name.startsWith('BASH_FUNC_') || name.startsWith('GIT_CONFIG_KEY_')
  const insecure = word.text !== null && INSECURE.get(name)?.test(word.text) === true
  if (loading || SEARCHING.has(name)) {
    if (word.text === '') return
    const attributes = { variable: name, value: word.text, ...(!loading && everyday(word) ? { literal: true } : {}) }
    emitAt(site, target('variable', name), { verb: 'change', action: 'env:inject', span, attributes })
  }
  if (insecure)
    emitAt(site, target('variable', name), { verb: 'change', action: 'security:insecure', span, attributes: { insecure: true } })
  if (word.text !== null && FORGETTING.get(name)?.test(word.text) === true)
    emitAt(site, target('variable', name), { verb: 'change', action: 'history:clear', span, reversible: false })
  if (COMMANDS.has(name) && /^\s*\.{0,2}\/(?!usr\/|bin\/)/.test(word.text ?? '')) {
    const attributes = { variable: name, value: word.text }
    const reason = 'the program is no installed one'
    emitAt(site, target('variable', name), { verb: 'change', action: 'env:inject', span, attributes, reason })
  }
  if (COMMANDS.has(name) && word.text !== null && word.text.trim() !== '') {
    const scope = site.scope.clone()
    scope.wrappers = [...scope.wrappers, name]
    scope.depth++
    site.walker.text(word.text, {
      ...site,
      scope,
      captured: false,
      piped: false,
      input: { kind: 'none' },
      frame: { pointer: span.pointer, fixed: span },
    })
  } else if (COMMANDS.has(name) && word.text === null) {
    emitAt(site, target('variable', name), {
      verb: 'change',
      action: 'env:inject',
      span,
      reason: 'the command is not known before it runs',
      attributes: { variable: name },
    })
  }
}
