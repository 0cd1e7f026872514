/** Which environment variables facts may know. Names only decide where things lie; values that are secrets never enter. */

const NAMES: ReadonlySet<string> = new Set([
  ...['HOME', 'USER', 'LOGNAME', 'SHELL', 'PATH', 'CDPATH', 'PWD', 'OLDPWD', 'TMPDIR', 'TMP', 'TEMP', 'LANG', 'TERM', 'CI', 'HOSTNAME'],
  ...['EDITOR', 'VISUAL', 'PAGER', 'GIT_PAGER', 'GIT_EDITOR', 'GIT_DIR', 'GIT_WORK_TREE', 'GIT_SSH_COMMAND', 'GIT_EXTERNAL_DIFF'],
  ...['BASH_ENV', 'ENV', 'NODE_OPTIONS', 'LD_PRELOAD', 'PYTHONPATH', 'PYTHONSTARTUP', 'VIRTUAL_ENV', 'CONDA_PREFIX', 'GOPATH', 'GOBIN'],
  ...['CARGO_HOME', 'RUSTUP_HOME', 'KUBECONFIG', 'DOCKER_HOST', 'DOCKER_CONTEXT', 'AWS_PROFILE', 'AWS_REGION', 'AWS_CONFIG_FILE'],
  ...['AWS_SHARED_CREDENTIALS_FILE', 'CLOUDSDK_CONFIG', 'GNUPGHOME', 'ZDOTDIR', 'CLAUDE_PROJECT_DIR', 'CLAUDE_CONFIG_DIR', 'CODEX_HOME'],
  ...['GEMINI_PROJECT_DIR', 'COUNTERSIGN_HOME', 'COUNTERSIGN_POLICY', 'GITHUB_WORKSPACE', 'RUNNER_TEMP'],
])

const PREFIXES = ['XDG_', 'npm_config_', 'NPM_CONFIG_']
const SECRET_WORDS = ['auth', 'token', 'password', 'passwd', 'secret', 'key', 'cert', 'otp', 'proxy']

/** True where the View may answer for the variable. */
export function isAllowedVariable(name: string): boolean {
  if (NAMES.has(name)) return true
  if (!PREFIXES.some((prefix) => name.startsWith(prefix))) return false
  const lower = name.toLowerCase()
  return !SECRET_WORDS.some((word) => lower.includes(word))
}
