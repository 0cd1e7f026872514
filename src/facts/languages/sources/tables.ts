import type { SourceLanguage } from '../../host.ts'
import type { Shape } from '../lexical/lex.ts'

/** What calls do in languages that are read for what they start, delete and send. */

export interface Act {
  readonly how: /** Words of a command: all arguments, or the items of a list among them. */
    | 'command'
    /** A command line for a shell. */
    | 'shell'
    | 'read'
    | 'write'
    | 'delete'
    /** A request that carries something, and a connection. */
    | 'send'
    | 'connect'
    /** A request that only asks. */
    | 'fetch'
    /** Code that is fetched and run. */
    | 'remote'
  /** Which argument; default the first. */
  readonly at?: number
  /** An argument of that name, where there is one. */
  readonly key?: string
  readonly tree?: true
  /** Also where the name is given a value: `cmd = "…"`, `from: "…"`. */
  readonly assigned?: true
  /** All arguments are parts of a path. */
  readonly joins?: true
  /** Only where the rest of the statement says so. */
  readonly when?: RegExp
}

export interface Knowledge {
  readonly title: string
  readonly shape: Shape
  /** By name, with as much before it as is needed to tell it: `Command.new`; `.` for `::` and `->`. */
  readonly calls: ReadonlyMap<string, Act>
  /** Methods of what a `command` call returned that add words to it. */
  readonly adds: ReadonlySet<string>
  /** The home directory, by the name of a call or a value. */
  readonly home: ReadonlySet<string>
  /** All of the environment. */
  readonly environment: ReadonlySet<string>
}

const set = (names = ''): ReadonlySet<string> => new Set(names.split(' ').filter((name) => name !== ''))

const acts = (...rows: readonly (readonly [names: string, how: Act['how'], more?: Omit<Act, 'how'>])[]): ReadonlyMap<string, Act> =>
  new Map(rows.flatMap(([names, how, more]) => names.split(' ').map((name): [string, Act] => [name, { how, ...more }])))

const NAMES = /[A-Za-z_]\w*/y
const C_LIKE = { names: NAMES, comments: ['//'], block: ['/*', '*/'] } as const

const TREE = { tree: true } as const

const RUST: Knowledge = {
  title: 'Rust',
  shape: { ...C_LIKE, quotes: '"' },
  calls: acts(
    ['Command.new', 'command'],
    ['fs.remove_dir_all', 'delete', TREE],
    ['fs.remove_file fs.remove_dir', 'delete'],
    ['fs.read fs.read_to_string File.open', 'read'],
    ['fs.write File.create', 'write'],
    ['TcpStream.connect UdpSocket.connect', 'connect'],
    ['post put request ureq.post', 'send'],
    ['reqwest.get blocking.get ureq.get', 'fetch'],
  ),
  adds: set('arg args'),
  home: set('home_dir'),
  environment: set('env.vars env.vars_os'),
}

const GO: Knowledge = {
  title: 'Go',
  shape: { ...C_LIKE, quotes: '"\'', raw: '`' },
  calls: acts(
    ['exec.Command', 'command'],
    ['exec.CommandContext', 'command', { at: 1 }],
    ['os.RemoveAll', 'delete', TREE],
    ['os.Remove', 'delete'],
    ['os.ReadFile ioutil.ReadFile os.Open', 'read'],
    ['os.WriteFile ioutil.WriteFile os.Create os.OpenFile', 'write'],
    ['net.Dial net.DialTimeout tls.Dial', 'connect', { at: 1 }],
    ['http.Post http.PostForm client.Post', 'send'],
    ['http.Get http.Head client.Get', 'fetch'],
    ['http.NewRequest http.NewRequestWithContext', 'send', { at: 1 }],
  ),
  adds: set(),
  home: set('UserHomeDir HomeDir'),
  environment: set('os.Environ'),
}

const JAVA: Knowledge = {
  title: 'Java',
  shape: { ...C_LIKE, quotes: '"\'', inside: '${' },
  calls: acts(
    ['ProcessBuilder', 'command'],
    ['getRuntime.exec runtime.exec', 'command'],
    // Gradle and Groovy: `commandLine 'sh', '-c', '…'`, `["sh", "-c", "…"].execute()`.
    ['commandLine commandLine.set', 'command', { assigned: true }],
    ['execute', 'command', { at: -1 }],
    ['deleteRecursively deleteDirectory forceDelete cleanDirectory deleteDir', 'delete', { at: -1, tree: true }],
    ['delete project.delete', 'delete', TREE],
    ['Files.delete Files.deleteIfExists', 'delete'],
    ['Files.readString Files.readAllBytes Files.readAllLines FileInputStream FileReader', 'read'],
    ['File file Paths.get Path.of', 'read', { joins: true }],
    ['Files.write Files.writeString FileWriter FileOutputStream', 'write'],
    ['Socket InetSocketAddress', 'connect'],
    [
      'URL URI URI.create postForObject',
      'send',
      { when: /\b(?:doOutput|getOutputStream|outputStream|setDoOutput|POST|PUT|BodyPublishers|upload)\b/ },
    ],
    ['from', 'remote', { assigned: true }],
    ['Eval.me evaluate', 'remote'],
  ),
  adds: set('command args'),
  home: set('user.home'),
  environment: set('System.getenv'),
}

const CSHARP: Knowledge = {
  title: 'C#',
  shape: { ...C_LIKE, quotes: '"\'' },
  calls: acts(
    ['Process.Start ProcessStartInfo', 'command'],
    ['Directory.Delete', 'delete', TREE],
    ['File.Delete', 'delete'],
    ['File.ReadAllText File.ReadAllBytes File.OpenRead', 'read'],
    ['File.WriteAllText File.AppendAllText File.WriteAllBytes', 'write'],
    ['TcpClient Connect', 'connect'],
    ['PostAsync PutAsync UploadString UploadData UploadFile', 'send'],
    ['GetAsync GetStringAsync DownloadString', 'fetch'],
  ),
  adds: set(),
  home: set('UserProfile Personal'),
  environment: set('Environment.GetEnvironmentVariables'),
}

const ZIG: Knowledge = {
  title: 'Zig',
  shape: { names: /@?[A-Za-z_]\w*/y, comments: ['//', '\\\\'], quotes: '"\'' },
  calls: acts(['addSystemCommand Child.run Child.init process.Child', 'command'], ['deleteTree', 'delete', TREE]),
  adds: set('addArg addArgs'),
  home: set(),
  environment: set(),
}

/** Bazel, Buck and Meson: `cmd = "…"` of a rule, `run_command('sh', …)`, `ctx.execute([…])`. */
const STARLARK: Knowledge = {
  title: 'build rules',
  shape: { names: NAMES, comments: ['#'], quotes: '"\'' },
  calls: acts(
    ['run_command find_program meson.add_install_script meson.add_postconf_script', 'command'],
    ['repository_ctx.execute ctx.execute rctx.execute module_ctx.execute', 'command'],
    ['run_shell', 'shell', { key: 'command' }],
    ['genrule', 'shell', { key: 'cmd' }],
    ['custom_target run_target', 'command', { key: 'command' }],
    ['download download_and_extract', 'read'],
  ),
  adds: set(),
  home: set(),
  environment: set(),
}

export const SOURCES: Readonly<Record<SourceLanguage, Knowledge>> = {
  rust: RUST,
  go: GO,
  java: JAVA,
  csharp: CSHARP,
  zig: ZIG,
  starlark: STARLARK,
}

export function isSourceLanguage(language: string): language is SourceLanguage {
  return Object.hasOwn(SOURCES, language)
}
