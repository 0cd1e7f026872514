/** Names that a pattern may stand for where nobody can look: places that hold secrets on most machines. */

/** Below a home, and in `/root`. */
const IN_HOME = [
  ...['.ssh', '.ssh/id_rsa', '.ssh/id_ed25519', '.ssh/id_ecdsa', '.aws', '.aws/credentials', '.gnupg', '.gnupg/secring.gpg'],
  ...['.kube', '.kube/config', '.docker', '.docker/config.json', '.azure', '.config/gcloud', '.config/gcloud/credentials.db'],
  ...['.config/gh', '.config/gh/hosts.yml', '.netrc', '.pgpass', '.my.cnf', '.git-credentials', '.npmrc', '.pypirc', '.vault-token'],
  ...['.bash_history', '.zsh_history', '.password-store', '.local/share/keyrings', '.claude/.credentials.json', '.codex/auth.json'],
  ...['.gem/credentials', '.cargo/credentials.toml', '.terraform.d/credentials.tfrc.json', '.env'],
]

const OF_MACHINE = '/etc/shadow /etc/gshadow /etc/passwd /etc/sudoers /etc/master.passwd /etc/krb5.keytab /root/.ssh/id_rsa'.split(' ')

/** Beside the work: hidden files only, or every `*.json` would be one. */
const BESIDE = ['.env', '.env.local', '.env.production', '.netrc', '.git-credentials']

/** Deeper patterns match nothing here. */
const DEEPEST = 12

/** How one name is held against one segment of a pattern. */
type Match = (pattern: string, name: string) => boolean

/**
 * Absolute paths of the catalogue above that the absolute `pattern` matches, name by name; `cwd` is where the work lies. As in a
 * shell, a pattern that begins with no dot matches no hidden name.
 */
export function suspects(
  pattern: string,
  at: { readonly home: string; readonly cwd: string | null; readonly match: Match },
): readonly string[] {
  const segments = pattern.split('/')
  if (segments.length > DEEPEST) return []
  const fits = (names: readonly string[]): boolean =>
    names.length === segments.length && names.every((name, i) => isShown(segments[i] ?? '', name) && at.match(segments[i] ?? '', name))
  const places = at.cwd === null ? catalogue(at.home) : [...catalogue(at.home), ...below(at.cwd, BESIDE)]
  return places.filter(fits).map((names) => names.join('/'))
}

/** True of a directory below which programs of that home keep secrets. */
export function keepsSecrets(directory: string, home: string): boolean {
  const names = directory.split('/')
  return catalogue(home).some((path) => path.length > names.length && names.every((name, at) => path[at] === name))
}

const catalogues = new Map<string, readonly (readonly string[])[]>()

/** The places that do not depend on where the work lies, name by name; made once for a home. */
function catalogue(home: string): readonly (readonly string[])[] {
  const known = catalogues.get(home)
  if (known !== undefined) return known
  const made = [...OF_MACHINE.map((path) => path.split('/')), ...below(home, IN_HOME), ...below('/root', IN_HOME)]
  catalogues.clear()
  catalogues.set(home, made)
  return made
}

function below(place: string, names: readonly string[]): readonly (readonly string[])[] {
  return names.map((name) => `${place}/${name}`.split('/'))
}

function isShown(pattern: string, name: string): boolean {
  return pattern.startsWith('.') || !name.startsWith('.')
}
