import { PROGRAMS, PYTHON_PACKAGES } from '../../resources/environment/installed.ts'
import { isRiskyValue, variableKind } from '../../resources/environment/names.ts'
import { type At, all, at, changes, chmods, copies, deletes, enters, links, moves, passes, reads, TREE, writes, wrote } from '../api/act.ts'
import { nameOf } from '../interpret/call.ts'
import { joinPath } from '../interpret/operators.ts'
import { known, pieces } from '../interpret/reading.ts'
import { argument, type Call, type Handler, type Table } from '../interpret/run.ts'
import {
  CLEAN,
  FROM,
  flag,
  joinTaint,
  list,
  object,
  part,
  type Taint,
  taintOf,
  text,
  UNKNOWN,
  unknown,
  type Value,
} from '../interpret/value.ts'

/** Python: files, paths, the environment. */

/** `open(path, mode)`: a file that is read, written or both. */
export function opens(where: At = [0, 'file', 'name', 'filename'], modeAt: At = [1, 'mode']): Handler {
  return (call) => {
    const path = at(call, where)
    if (path === undefined || path.kind === 'number') return undefined
    if (path.kind === 'object' && path.type === 'response') return path
    const given = at(call, modeAt)
    const mode = given === undefined ? 'r' : (known(given) ?? 'r+')
    const written = /[wax+]/.test(mode)
    const taint = !written || mode.includes('+') ? call.run.acts.read(path) : CLEAN
    if (written) call.run.acts.write(path, mode.includes('a') ? { attributes: { append: true } } : {})
    return file(path, taint)
  }
}

function file(path: Value, taint: Taint): Value {
  return object('file', { path, name: path, each: unknown(taint), buffer: unknown(taint) }, taint)
}

const fileWrite: Handler = (call) => {
  const path = call.self?.kind === 'object' ? call.self.fields.get('path') : undefined
  if (path !== undefined) wrote(call, path, call.args[0] ?? UNKNOWN)
  return undefined
}

const expanduser: Handler = (call) => {
  const value = at(call, call.self === null ? 0 : 'self') ?? UNKNOWN
  const parts = pieces(value)
  const first = parts[0]
  if (first === null || first === undefined || !/^~(?:\/|$)/.test(first)) return value
  const whole = part([call.run.context.view.home + first.slice(1), ...parts.slice(1)], taintOf(value))
  return call.self?.kind === 'object' ? pathObject([whole]) : whole
}

export function pathObject(parts: readonly Value[]): Value {
  const whole = joinPath(parts)
  const cut = parentOf(whole)
  return object('path', {
    text: whole,
    parent: object('path', { text: cut, parent: object('path', { text: parentOf(cut) }) }),
    path: whole,
  })
}

function parentOf(value: Value): Value {
  const parts = pieces(value)
  const first = parts[0] ?? ''
  if (parts.length > 1 || typeof parts[0] !== 'string')
    return part([first.includes('/') ? first.slice(0, first.lastIndexOf('/') + 1) : first, null], taintOf(value))
  const slash = first.lastIndexOf('/')
  return text(slash > 0 ? first.slice(0, slash) : slash === 0 ? '/' : '.')
}

const below = (call: Call, where: At): Value => {
  const directory = at(call, where) ?? text('.')
  return joinPath([directory, UNKNOWN])
}

const walk: Handler = (call) => {
  const top = at(call, 0) ?? text('.')
  const deeper = part([...pieces(top), '/', null], taintOf(top))
  return object('walk', { each: list([deeper, list([], true), list([], true)]) })
}

function globbed(value: Value): Value {
  return value.kind === 'text' ? { ...value, glob: /[*?[]/.test(value.text) } : value
}

/** A search through all of a place for files of a name. */
function searched(call: Call, root: Value, pattern: Value): void {
  const name = known(pattern)?.split('/').at(-1) ?? ''
  if (!/[^*?]/.test(name)) return
  call.run.acts.read(root, { action: 'fs:list', attributes: { recursive: true, named: [name] } })
}

const glob: Handler = (call) => {
  const pattern = call.args[0] ?? UNKNOWN
  const [root = '', ...below] = known(pattern)?.split('/**/') ?? []
  if (below.length > 0) searched(call, text(root === '' ? '/' : root), text(below.join('/')))
  return list([globbed(pattern)])
}

const pathGlob: Handler = (call) => {
  const pattern = call.args[0] ?? UNKNOWN
  if (call.name.endsWith('rglob') || known(pattern)?.startsWith('**/') === true) searched(call, call.self ?? text('.'), pattern)
  return list([pathObject([globbed(joinPath([call.self ?? UNKNOWN, pattern]))])])
}

const listPath: Handler = (call) => object('walk', { each: pathObject([below(call, call.self === null ? 0 : 'self')]) })

const PLAIN =
  /^(?:PATH|PWD|USER|LOGNAME|SHELL|LANG|LC_\w+|TERM|TZ|TMPDIR|TEMP|TMP|DISPLAY|CI|COLUMNS|HOSTNAME|XDG_\w+|PYTHONPATH|VIRTUAL_ENV|NODE_ENV|EDITOR|PORT)$/

const ARCHIVE_ENDS: ReadonlyMap<string, string> = new Map([
  ['zip', '.zip'],
  ['tar', '.tar'],
  ['gztar', '.tar.gz'],
  ['bztar', '.tar.bz2'],
  ['xztar', '.tar.xz'],
  ['zstdtar', '.tar.zst'],
])

/** The name gets the end of its format. */
const makesArchive: Handler = (call) => {
  const [base, format] = [at(call, [0, 'base_name']) ?? UNKNOWN, at(call, [1, 'format'])]
  const [name, kind] = [known(base), known(format)]
  const end = kind === null ? undefined : ARCHIVE_ENDS.get(kind)
  call.run.acts.write(name === null || end === undefined ? base : text(name + end), { action: 'archive:create' })
  return undefined
}

/** One environment variable. */
export const variable: Handler = (call) => {
  const name = known(call.args[0])
  if (name === 'HOME' || name === 'USERPROFILE') return text(call.run.context.view.home)
  if (name !== null && PLAIN.test(name)) {
    const value = call.run.context.view.env(name)
    return value === null ? (call.args[1] ?? UNKNOWN) : text(value)
  }
  return unknown(call.run.acts.variable(name ?? ''))
}

export const everyVariable: Handler = (call) => unknown(call.run.acts.variable('*'))

export const setVariable: Handler = (call) => {
  const name = known(call.args[0])
  if (name !== null) call.run.context.assign(name, call.run.acts.word(call.args[1] ?? UNKNOWN))
  if (name !== null && isCode(name, pieces(call.args[1] ?? UNKNOWN)))
    call.run.acts.emit('change', call.run.context.thing('variable', name), {
      action: 'env:inject',
      attributes: { value: known(call.args[1]) ?? '' },
    })
  return undefined
}

/** Programs that come after load or run what the variable names; in a list of places, those that everybody may write. */
function isCode(name: string, value: readonly (string | null)[]): boolean {
  const kind = variableKind(name)
  if (kind === 'searching' || kind === 'flags') return isRiskyValue(value.map((piece) => piece ?? '/usr').join(''), kind)
  return kind === 'loading' || name === 'GIT_SSH_COMMAND' || name === 'PROMPT_COMMAND'
}

/** `os.environ.update({…}, NAME=value)`. */
const setVariables: Handler = (call) => {
  const [given] = call.args
  const all = [...(given?.kind === 'dict' ? given.entries : []), ...call.named]
  for (const [name, value] of call.run.acts.first(all, 64)) setVariable({ ...call, args: [text(name), value] })
  return undefined
}

const osOpen: Handler = (call) => {
  const path = call.args[0] ?? UNKNOWN
  const taint = nameOf(call.args[1]).endsWith('O_RDONLY') || call.args[1] === undefined ? call.run.acts.read(path) : CLEAN
  if (taint === CLEAN) call.run.acts.write(path)
  return object('descriptor', { path }, taint)
}

const temporary: Handler = () => part(['/tmp/', null], CLEAN)

/** Below a directory of the machine: which name, is not known. */
const installedIn =
  (directory: string): Handler =>
  () =>
    part([directory, null], CLEAN)

export const FILES: Table = {
  'shutil.which distutils.spawn.find_executable': installedIn(PROGRAMS),
  'site.getusersitepackages sysconfig.get_path distutils.sysconfig.get_python_lib': installedIn(PYTHON_PACKAGES),
  'site.getsitepackages': () => list([part([PYTHON_PACKAGES, null], CLEAN)], true),
  'open io.open codecs.open gzip.open bz2.open lzma.open tarfile.open zipfile.ZipFile aiofiles.open tokenize.open': opens(),
  'os.open': osOpen,
  'os.fdopen': (call) =>
    call.args[0]?.kind === 'object' ? file(call.args[0].fields.get('path') ?? UNKNOWN, taintOf(call.args[0])) : undefined,
  'os.write': (call) => fileWrite({ ...call, self: call.args[0] ?? null, args: call.args.slice(1) }),
  'fileinput.input': (call) =>
    file(argument(call, 0, 'files') ?? UNKNOWN, call.args.length > 0 ? call.run.acts.read(call.args[0] as Value) : flag(FROM.input)),
  'linecache.getline': reads(0),
  'os.remove os.unlink': deletes([0, 'path']),
  'send2trash.send2trash': deletes(0, { action: 'fs:trash', reversible: true }),
  'shutil.rmtree os.removedirs': deletes([0, 'path'], TREE),
  'os.rmdir': deletes([0, 'path'], { action: 'fs:rmdir', reversible: true }),
  'os.rename os.replace os.renames shutil.move': moves([0, 'src'], [1, 'dst']),
  'shutil.copy shutil.copy2 shutil.copyfile': copies([0, 'src'], [1, 'dst']),
  'shutil.copytree': copies([0, 'src'], [1, 'dst'], TREE),
  'shutil.copyfileobj': (call) => {
    const [from, to] = call.args
    const path = to?.kind === 'object' ? to.fields.get('path') : undefined
    if (path !== undefined && from !== undefined) wrote(call, path, from)
    return undefined
  },
  'os.symlink os.link': links([0, 'src'], [1, 'dst']),
  'os.mkdir os.makedirs': writes([0, 'name', 'path'], null, { action: 'fs:mkdir' }),
  'os.truncate': writes(0, null, { action: 'fs:truncate' }),
  'os.mknod': writes(0),
  'os.chmod os.lchmod os.fchmod': chmods([0, 'path'], [1, 'mode']),
  'os.chown os.lchown shutil.chown': changes([0, 'path'], 'fs:chown'),
  'os.setxattr os.removexattr': changes([0, 'path'], 'fs:attributes'),
  'shutil.unpack_archive': all(reads(0), writes([1, 'extract_dir'], null, { action: 'archive:extract' })),
  'shutil.make_archive': all(reads([2, 'root_dir']), makesArchive),
  'os.path.join posixpath.join': (call) => joinPath(call.args),
  'os.path.expanduser': expanduser,
  'os.path.expandvars os.path.abspath os.path.realpath os.path.normpath os.fspath os.path.normcase': passes(0),
  'os.path.dirname': (call) => parentOf(call.args[0] ?? UNKNOWN),
  'os.path.basename': (call) => {
    const name = known(call.args[0])
    return name === null ? undefined : text(name.slice(name.lastIndexOf('/') + 1))
  },
  'os.chdir os.fchdir contextlib.chdir': enters([0, 'path']),
  'os.getcwd pathlib.Path.cwd': (call) => (call.run.context.cwd === null ? UNKNOWN : text(call.run.context.cwd)),
  'pathlib.Path.home': (call) => pathObject([text(call.run.context.view.home)]),
  'pathlib.Path pathlib.PosixPath pathlib.PurePath pathlib.PurePosixPath': (call) =>
    pathObject(call.args.length === 0 ? [text('.')] : call.args),
  'os.walk os.fwalk': walk,
  'glob.glob glob.iglob': glob,
  'os.listdir': (call) => unknown(joinTaint(taintOf(call.args[0] ?? UNKNOWN))),
  'os.scandir': listPath,
  'tempfile.mkdtemp tempfile.mktemp tempfile.gettempdir tempfile.TemporaryDirectory': temporary,
  'tempfile.mkstemp': () => list([UNKNOWN, part(['/tmp/', null], CLEAN)]),
  'tempfile.NamedTemporaryFile tempfile.TemporaryFile': () => file(part(['/tmp/', null], CLEAN), CLEAN),
  'os.environ[] os.getenv os.environ.get os.environ.pop os.getenvb': variable,
  'os.environ[]= os.putenv os.environ.setdefault': setVariable,
  'os.environ.update': setVariables,
  'os.environ.copy': () => ({ kind: 'dict', entries: new Map(), open: true, taint: flag(FROM.environment) }),
  'os.environ.items os.environ.values': everyVariable,
  'json.load yaml.safe_load toml.load tomllib.load csv.reader csv.DictReader configparser.read': (call) => unknown(call.taint),
  'pandas.read_csv pandas.read_json pandas.read_excel pandas.read_parquet numpy.loadtxt': reads(0),
  'configparser.ConfigParser configparser.RawConfigParser': () => object('config'),
  input: () => unknown(flag(FROM.input)),
  raw_input: () => unknown(flag(FROM.input)),
}

const write = (...options: Parameters<typeof writes>): Handler => writes(...options)

const typed: Table = {
  read_text: reads('self'),
  read_bytes: reads('self'),
  open: opens('self', [0, 'mode']),
  write_text: write('self', 0),
  write_bytes: write('self', 0),
  unlink: deletes('self'),
  rmdir: deletes('self', { action: 'fs:rmdir', reversible: true }),
  rename: moves('self', 0),
  replace: moves('self', 0),
  move: moves('self', 0),
  copy: copies('self', 0),
  touch: write('self'),
  mkdir: write('self', null, { action: 'fs:mkdir' }),
  chmod: chmods('self', 0),
  symlink_to: links(0, 'self'),
  hardlink_to: links(0, 'self'),
  glob: pathGlob,
  rglob: pathGlob,
  iterdir: listPath,
  joinpath: (call) => pathObject([call.self ?? UNKNOWN, ...call.args]),
  __truediv__: (call) => pathObject([call.self ?? UNKNOWN, ...call.args]),
  expanduser,
  resolve: passes('self'),
  absolute: passes('self'),
  as_posix: (call) => part(pieces(call.self ?? UNKNOWN), CLEAN),
  with_suffix: (call) =>
    pathObject([part([(pieces(call.self ?? UNKNOWN)[0] ?? '').replace(/\.\w{0,20}$/, ''), known(call.args[0])], CLEAN)]),
  with_name: (call) => pathObject([parentOf(part(pieces(call.self ?? UNKNOWN), CLEAN)), ...call.args]),
}

/** Methods whose name alone says that the object is a path. */
const TELLING = ['read_text', 'read_bytes', 'write_text', 'write_bytes', 'unlink', 'symlink_to', 'hardlink_to'] as const

export const FILE_METHODS: Table = {
  ...Object.fromEntries(Object.entries(typed).map(([name, handler]) => [`path.${name}`, handler])),
  ...Object.fromEntries(TELLING.map((name) => [`*.${name}`, typed[name] as Handler])),
  'file.write file.writelines': fileWrite,
  'file.read file.readline file.readlines file.readinto': (call) => unknown(taintOf(call.self ?? UNKNOWN)),
  'file.extractall file.extract': (call) => {
    call.run.acts.write(argument(call, call.name === 'extract' ? 1 : 0, 'path') ?? text('.'), { action: 'archive:extract' })
    return undefined
  },
  'config.read': reads(0),
  'file.add': reads(0),
}
