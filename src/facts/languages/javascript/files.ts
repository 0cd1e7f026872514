import { changes, chmods, copies, deletes, does, enters, links, moves, passes, reads, TREE, writes, wrote } from '../api/act.ts'
import { joinPath } from '../interpret/operators.ts'
import { known } from '../interpret/reading.ts'
import type { Handler, Table } from '../interpret/run.ts'
import { CLEAN, list, object, taintOf, text, UNKNOWN, unknown } from '../interpret/value.ts'
import { everyVariable, setVariable, variable } from '../python/files.ts'
import { answering, answers } from './names.ts'

/** Node, Deno and Bun: files, paths, the environment. */

const openFile: Handler = (call) => {
  const path = call.args[0] ?? UNKNOWN
  const flags = known(call.args[1]) ?? 'r'
  const taint = flags.startsWith('r') ? call.run.acts.read(path) : CLEAN
  if (/[wa+]/.test(flags)) call.run.acts.write(path)
  const file = object('file', { path }, taint)
  answers(call, file)
  return file
}

const removeTree: Handler = (call) => {
  const settings = call.args[1]
  const recursive = settings?.kind === 'dict' && settings.entries.has('recursive')
  return deletes(0, recursive ? TREE : {})(call)
}

/** One path or pattern, or a list of them. */
const removeEach: Handler = (call) => {
  const [first] = call.args
  if (first === undefined || first.kind === 'function') return undefined
  for (const path of first.kind === 'list' ? call.run.acts.first(first.items, 64) : [first])
    call.run.acts.delete(path.kind === 'text' ? { ...path, glob: /[*?[{]/.test(path.text) } : path, TREE)
  return undefined
}

/** `tar.c({ file }, paths)`. */
const packs: Handler = (call) => {
  const [settings, paths] = call.args
  const file = settings?.kind === 'dict' ? (settings.entries.get('file') ?? settings.entries.get('f')) : undefined
  for (const path of paths?.kind === 'list' ? call.run.acts.first(paths.items, 64) : [])
    call.run.acts.read(path, { action: 'archive:create' })
  if (file !== undefined) call.run.acts.write(file, { action: 'archive:create' })
  return undefined
}

export const FILES: Table = {
  'fs.readFile': answering(reads(0)),
  'fs.createReadStream fs.readv': (call) => object('stream', {}, taintOf(reads(0)(call) ?? UNKNOWN)),
  'fs.readJson fs.readJSON fs.readlink': reads(0),
  'fs.writeFile fs.appendFile fs.outputFile fs.writeJson': answering(writes(0, 1)),
  'fs.createWriteStream': (call) => {
    writes(0)(call)
    return object('file', { path: call.args[0] ?? UNKNOWN })
  },
  'fs.open': openFile,
  'fs.write': (call) => {
    const path = call.args[0]?.kind === 'object' ? call.args[0].fields.get('path') : undefined
    if (path !== undefined) wrote(call, path, call.args[1] ?? UNKNOWN)
    return undefined
  },
  'fs.unlink': deletes(0),
  'fs.rm rimraf rimraf.sync rimraf.rimraf rimraf.rimrafSync rimraf.native rimraf.manual': removeTree,
  'del del.sync del.deleteSync del.deleteAsync trash': removeEach,
  'tar.c tar.create': packs,
  'URLSearchParams FormData Blob querystring.stringify qs.stringify Object.entries Object.values Object.fromEntries': (call) =>
    unknown(call.taint),
  'keytar.getPassword keytar.findCredentials keytar.findPassword': does('read', 'secret:read', {
    kind: 'resource',
    value: 0,
    reversible: true,
  }),
  'fs.remove fs.emptyDir fs.emptydir': deletes(0, TREE),
  'fs.rmdir': removeTree,
  'fs.rename fs.move': moves(),
  'fs.copyFile fs.cp fs.copy': copies(),
  'fs.symlink fs.link fs.ensureSymlink': links(),
  'fs.chmod fs.lchmod': chmods(0, 1),
  'fs.chown fs.lchown': changes(0, 'fs:chown'),
  'fs.mkdir fs.mkdirp fs.ensureDir fs.mkdtemp': writes(0, null, { action: 'fs:mkdir' }),
  'fs.truncate': writes(0, null, { action: 'fs:truncate' }),
  'fs.readdir fs.opendir': answering((call) => list([], true, taintOf(call.args[0] ?? UNKNOWN))),
  'path.join path.resolve': (call) => joinPath(call.args),
  'path.normalize path.basename fs.realpath url.fileURLToPath': passes(0),
  'path.dirname': (call) => {
    const whole = known(call.args[0])
    return whole === null ? undefined : text(whole.slice(0, Math.max(1, whole.lastIndexOf('/'))))
  },
  'os.homedir': (call) => text(call.run.context.view.home),
  'os.tmpdir': () => text('/tmp'),
  'process.chdir Deno.chdir': enters(0),
  'process.cwd': (call) => (call.run.context.cwd === null ? UNKNOWN : text(call.run.context.cwd)),
  'process.env[]': variable,
  'process.env[]=': setVariable,
  'Deno.env.get': variable,
  'Deno.env.toObject': everyVariable,
  'Deno.readTextFile Deno.readFile Deno.readTextFileSync Deno.readFileSync': reads(0),
  'Deno.writeTextFile Deno.writeFile Deno.writeTextFileSync Deno.writeFileSync Bun.write': writes(0, 1),
  'Deno.remove Deno.removeSync': removeTree,
  'Bun.file': (call) => object('path', { text: call.args[0] ?? UNKNOWN }),
}
