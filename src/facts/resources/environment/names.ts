/**
 * Environment variables that make other programs run code, load libraries, forget, or talk to somebody else: the names and
 * the values that matter. Pure data; bash/walk/environment.ts says what setting one means.
 */

const set = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(' ')))

/** Always: the value names code that is loaded or run. */
const LOADING = set(
  'LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH DYLD_FRAMEWORK_PATH BASH_ENV ENV SHELLOPTS BASHOPTS',
  'PYTHONSTARTUP PYTHONHOME PERL5OPT PERL5DB RUBYOPT GCONV_PATH GIT_EXEC_PATH GIT_TEMPLATE_DIR GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM GIT_CONFIG_PARAMETERS ZDOTDIR LUA_INIT R_PROFILE R_ENVIRON PHPRC PHP_INI_SCAN_DIR TCLLIBPATH INPUTRC',
  'DOTNET_STARTUP_HOOKS COR_PROFILER_PATH CORECLR_PROFILER_PATH VIMINIT EXINIT GTK_MODULES GTK3_MODULES MAKESHELL',
  'GIO_EXTRA_MODULES PSQLRC SSH_SK_PROVIDER ELECTRON_EXTRA_LAUNCH_ARGS',
)

/** Lists of directories or options: harmless values are everyday work. */
const SEARCHING = set(
  'PATH LD_LIBRARY_PATH PYTHONPATH NODE_PATH PERL5LIB PERLLIB RUBYLIB CLASSPATH LUA_PATH LUA_CPATH GOFLAGS',
  'NODE_OPTIONS JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS MAKEFLAGS RUSTFLAGS CDPATH FPATH TAR_OPTIONS RSYNC_OPTIONS',
  // What a build runs or loads.
  'AUTOM4TE AUTOCONF AUTOHEADER AUTOMAKE ACLOCAL AUTOPOINT LIBTOOLIZE M4 GROFF_BIN_PATH GROFF_COMMAND_PREFIX',
  'CC CXX CPP LD AR AS NM RANLIB STRIP HOSTCC RUSTC RUSTDOC CMAKE_TOOLCHAIN_FILE GCC_EXEC_PREFIX COMPILER_PATH SHELL',
  // Where plug-ins and settings that name programs are looked for.
  'OPENSSL_CONF OPENSSL_ENGINES OPENSSL_MODULES QT_PLUGIN_PATH GTK_PATH LIBGL_DRIVERS_PATH VK_ICD_FILENAMES VK_LAYER_PATH',
  'MANOPT ERL_FLAGS ERL_AFLAGS ERL_ZFLAGS ELIXIR_ERL_OPTIONS PYTHONBREAKPOINT',
  'GST_PLUGIN_PATH MAGICK_CONFIGURE_PATH VIM VIMRUNTIME EMACSLOADPATH HELM_PLUGINS KREW_ROOT ANSIBLE_CONFIG ANSIBLE_LIBRARY',
  'RIPGREP_CONFIG_PATH WGETRC CURL_HOME TF_CLI_CONFIG_FILE TF_PLUGIN_CACHE_DIR YARN_RC_FILENAME BUNDLE_GEMFILE TERMINFO',
)

/** The same, by how names are made. */
const SEARCHING_NAME = new RegExp(
  String.raw`^(?:\w+_(?:JAVA_)?OPTS|CARGO_(?:ENCODED_|TARGET_\w+_|BUILD_)?RUSTFLAGS|CARGO_(?:BUILD_|TARGET_)\w*(?:RUNNER|LINKER` +
    String.raw`|WRAPPER)|CMAKE_(?:C|CXX)_COMPILER(?:_LAUNCHER)?|npm_config_(?:node_options|script_shell|shell|git|onload_script` +
    String.raw`|init_module|python|node_gyp)|NPM_CONFIG_(?:NODE_OPTIONS|SCRIPT_SHELL|SHELL|GIT|ONLOAD_SCRIPT|INIT_MODULE|PYTHON` +
    String.raw`|NODE_GYP))$`,
)

/** Options of compilers and linkers: only those that make them load or run something matter. */
const FLAGS = set('CFLAGS CXXFLAGS CPPFLAGS LDFLAGS CGO_CFLAGS CGO_CXXFLAGS CGO_LDFLAGS CMAKE_C_FLAGS CMAKE_CXX_FLAGS')

/** The value is itself a command line. */
const COMMANDS = set(
  'PAGER EDITOR VISUAL GIT_SSH_COMMAND GIT_SSH GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND LESSOPEN LESSCLOSE BROWSER RSYNC_RSH CVS_RSH',
  'SVN_SSH PROMPT_COMMAND FZF_DEFAULT_COMMAND FZF_CTRL_T_COMMAND RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER FCEDIT',
  'HGEDITOR HGMERGE KUBECTL_EXTERNAL_DIFF MANPAGER',
)

const COMMAND_NAME = /^(?:[A-Z0-9]+_)*(?:[A-Z0-9]{0,16}PAGER|EDITOR|BROWSER|ASKPASS|RSH|PASSCOMMAND|PASSWORD_COMMAND|SSH_COMMAND)$/

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

/** Prompts: what stands in them as a substitution runs when they are shown. */
const PROMPTS = set('PS0 PS1 PS2 PS3 PS4 PROMPT RPROMPT')

const RISKY_OPTIONS = new RegExp(
  String.raw`--(?:require|import|loader|experimental-loader|eval|inspect|to-command|use-compress-program|checkpoint-action|rsh)\b` +
    String.raw`|(?:^|\s)-r\s|-javaagent|-agent(?:lib|path)|-toolexec|--eval|(?:^|\s)-(?:eval|H)(?:\s|\S*/)` +
    String.raw`|^(?:os|pty|subprocess|builtins|runpy|code|posix)\.\w`,
)
const RISKY_PLACE = /(?:^|[:=\n\s]|-B)(?:\.\/?:|\/tmp(?:[/:]|$)|\/var\/tmp(?:[/:]|$)|\/dev\/shm(?:[/:]|$))/
const RISKY_FLAG =
  /(?:-fplugin=|-fpass-plugin=|-specs=|-B|-wrapper[ ,]|--ld-path=|-fuse-ld=|-Xclang -load -Xclang )(?:\/tmp|\/var\/tmp|\/dev\/shm)\//

/** What a variable is to programs that come after; null where nobody reads it in such a way. */
export function variableKind(name: string): 'loading' | 'searching' | 'flags' | 'command' | 'prompt' | null {
  if (LOADING.has(name) || name.startsWith('BASH_FUNC_') || name.startsWith('GIT_CONFIG_KEY_')) return 'loading'
  if (COMMANDS.has(name) || COMMAND_NAME.test(name)) return 'command'
  if (SEARCHING.has(name) || SEARCHING_NAME.test(name)) return 'searching'
  if (FLAGS.has(name)) return 'flags'
  return PROMPTS.has(name) ? 'prompt' : null
}

/** True where the value of a variable that programs search is none that people set every day. */
export function isRiskyValue(written: string, kind: 'searching' | 'flags'): boolean {
  return RISKY_FLAG.test(written) || (kind === 'searching' && (RISKY_OPTIONS.test(written) || RISKY_PLACE.test(written)))
}

/** A program that is no installed one: named by a path outside of the places where systems keep theirs. */
export function isForeignProgram(command: string): boolean {
  const [first = ''] = command.trim().split(/\s/, 1)
  return first.includes('/') && !INSTALLED.test(first)
}

const INSTALLED =
  /^(?:\/usr|\/usr\/local|\/opt\/[\w.-]+|\/run\/current-system\/sw|\/snap|\/nix\/[\w./-]+)?\/s?bin\/|^\/usr\/(?:lib|libexec|share)\//

/** A shell without a script: it takes for commands what it is given to show. */
export function isBareShell(command: string): boolean {
  return /^\s*(?:\S*\/)?(?:env\s+(?:\S*\/)?)?(?:ba|da|z|k|mk|a|fi)?sh(?:\s+-[ils]+)*\s*$/.test(command)
}

/** True where the value switches a check of identity off. */
export function isInsecure(name: string, value: string): boolean {
  return INSECURE.get(name)?.test(value) === true
}

/** True where the value makes the shell forget what was typed. */
export function isForgetting(name: string, value: string): boolean {
  return FORGETTING.get(name)?.test(value) === true
}
