import { changes, chmods, copies, deletes, enters, links, moves, named, passes, wrote } from '../api/act.ts'
import { directory, emits, globbed, openedAs } from '../api/lists.ts'
import { joinPath } from '../interpret/operators.ts'
import { known, pieces } from '../interpret/reading.ts'
import type { Call, Handler, Table } from '../interpret/run.ts'
import { CLEAN, FROM, flag, list, object, part, taintOf, text, UNKNOWN, unknown, type Value } from '../interpret/value.ts'

/** PHP: files, directories, streams. An address is opened like a file; `php://input` is what a client sent. */

const ADDRESS = /^(?:https?|ftps?|ssh2\.\w{1,8}):\/\//i

/** What a path or an address gives. */
function content(call: Call, path: Value): Value {
  const first = pieces(path)[0] ?? ''
  if (/^php:\/\/stdin/i.test(first)) return unknown(flag(FROM.input))
  if (/^php:\/\/input/i.test(first)) return unknown(flag(FROM.network))
  if (/^(?:php:\/\/(?:memory|temp|output|stdout|stderr)|data:)/i.test(first)) return unknown(call.taint)
  if (ADDRESS.test(first)) return unknown(fetched(call, path))
  const filtered = /^php:\/\/filter\/[^=]{0,200}=(.{1,500})$/is.exec(first)?.[1]
  return unknown(call.run.acts.read(filtered === undefined ? path : text(filtered)))
}

/** `stream_context_create(['http' => ['method' => 'POST', 'content' => …]])` says what goes along. */
function fetched(call: Call, address: Value) {
  const context = call.args.find((v) => v.kind === 'object' && v.type === 'context')
  const settings = context?.kind === 'object' ? context.fields.get('settings') : undefined
  const http = settings?.kind === 'dict' ? (settings.entries.get('http') ?? settings.entries.get('https')) : undefined
  const get = (name: string) => (http?.kind === 'dict' ? http.entries.get(name) : undefined)
  const method = (known(get('method')) ?? 'GET').toUpperCase()
  return call.run.acts.reach(address, { verb: /^(?:GET|HEAD)$/.test(method) ? 'fetch' : 'send', method, payload: get('content') })
}

const reads: Handler = (call) => (call.args[0] === undefined ? undefined : content(call, call.args[0]))

const put: Handler = (call) => {
  const [path, data, flags] = call.args
  if (path === undefined) return undefined
  if (ADDRESS.test(pieces(path)[0] ?? '')) {
    call.run.acts.reach(path, { verb: 'send', method: 'PUT', payload: data })
    return undefined
  }
  if (/^php:\/\/(?:output|stdout|stderr|memory|temp)/i.test(pieces(path)[0] ?? '')) return undefined
  const append = flags?.kind === 'ref' && flags.name.toUpperCase().includes('APPEND')
  call.run.acts.write(path, append ? { attributes: { append: true } } : {})
  if (data !== undefined) wrote(call, path, data)
  return undefined
}

const open: Handler = (call) => {
  const [path, mode] = call.args
  if (path === undefined) return undefined
  const first = pieces(path)[0] ?? ''
  if (/^php:\/\//i.test(first) || ADDRESS.test(first)) return object('stream', {}, taintOf(content(call, path)))
  return openedAs(call, path, (mode === undefined ? 'r' : (known(mode) ?? 'r+')).replace(/[bt]/g, ''))
}

const write: Handler = (call) => {
  const [handle, ...data] = call.args
  if (handle !== undefined) emits(call, handle, data.slice(0, 1))
  return undefined
}

const read: Handler = (call) => {
  const handle = call.args[0]
  return handle?.kind === 'ref' && /stdin/i.test(handle.name) ? unknown(flag(FROM.input)) : unknown(taintOf(handle ?? UNKNOWN))
}

/** `copy('http://…', 'x.php')` downloads. */
const copy: Handler = (call) => {
  const [from, to] = call.args
  if (from === undefined || !ADDRESS.test(pieces(from)[0] ?? '')) return copies()(call)
  const taint = fetched(call, from)
  if (to !== undefined) {
    call.run.acts.write(to)
    wrote(call, to, unknown(taint))
  }
  return undefined
}

/** Names in a directory, without the directory. */
const scan: Handler = () => list([UNKNOWN], true)

const walk: Handler = (call) => {
  const all = directory(call.args[0] ?? UNKNOWN)
  return all.kind === 'object' ? object('directory', { each: all.fields.get('each') ?? UNKNOWN }) : undefined
}

const dirname: Handler = (call) => {
  const whole = known(call.args[0])
  return whole === null ? undefined : text(whole.includes('/') ? whole.slice(0, whole.lastIndexOf('/')) || '/' : '.')
}

const mkdir: Handler = (call) => {
  if (call.args[0] !== undefined) call.run.acts.write(call.args[0], { action: 'fs:mkdir' })
  return undefined
}

const uploaded: Handler = (call) => {
  const goal = call.args[1]
  if (goal !== undefined) {
    call.run.acts.write(goal)
    wrote(call, goal, unknown(flag(FROM.network)))
  }
  return undefined
}

export const FILES: Table = {
  ...named(
    'file_get_contents file readfile fgetss parse_ini_file simplexml_load_file show_source highlight_file ' +
      'php_strip_whitespace readlink gzfile readgzfile exif_read_data',
    reads,
  ),
  file_put_contents: put,
  'fopen gzopen bzopen splfileobject': open,
  'fwrite fputs gzwrite fputcsv': write,
  'fread fgets fgetc fgetcsv stream_get_contents fscanf stream_get_line gzread fpassthru': read,
  unlink: deletes(0),
  rmdir: deletes(0, { action: 'fs:rmdir', reversible: true }),
  rename: moves(),
  copy,
  'symlink link': links(),
  'chmod lchmod': chmods(0, 1),
  'chown chgrp lchown': changes(0, 'fs:chown'),
  mkdir,
  touch: (call) => {
    if (call.args[0] !== undefined) call.run.acts.write(call.args[0])
    return undefined
  },
  move_uploaded_file: uploaded,
  tempnam: () => part(['/tmp/', null], CLEAN),
  tmpfile: () => object('file', { path: part(['/tmp/', null], CLEAN) }),
  sys_get_temp_dir: () => text('/tmp'),
  glob: (call) => list([globbed(call.args[0] ?? UNKNOWN)]),
  scandir: scan,
  readdir: () => UNKNOWN,
  'opendir dir': walk,
  'recursivedirectoryiterator directoryiterator filesystemiterator': walk,
  recursiveiteratoriterator: passes(0),
  dirname,
  basename: (call) => {
    const whole = known(call.args[0])
    return whole === null ? undefined : text(whole.slice(whole.lastIndexOf('/') + 1))
  },
  chdir: enters(0),
  getcwd: (call) => (call.run.context.cwd === null ? UNKNOWN : text(call.run.context.cwd)),
  path_join: (call) => joinPath(call.args),
  ziparchive: () => object('zip'),
  stream_context_create: (call) => object('context', { settings: call.args[0] ?? UNKNOWN }),
}

export const FILE_METHODS: Table = {
  'file.fwrite': (call) => {
    emits(call, call.self ?? UNKNOWN, call.args)
    return undefined
  },
  'directory.read directory.current': (call) => (call.self?.kind === 'object' ? call.self.fields.get('each') : undefined),
  'zip.open': (call) => {
    const path = call.args[0]
    if (path !== undefined) call.run.acts.read(path)
    return undefined
  },
  'zip.extractTo': (call) => {
    if (call.args[0] !== undefined) call.run.acts.write(call.args[0], { action: 'archive:extract' })
    return undefined
  },
  'zip.addFile': (call) => {
    if (call.args[0] !== undefined) call.run.acts.read(call.args[0])
    return undefined
  },
  '*.getPathname *.getRealPath': (call) => call.self ?? undefined,
}
