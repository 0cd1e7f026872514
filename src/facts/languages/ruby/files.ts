import { chmods, copies, deletes, links, moves, passes, reads, shells, TREE, writes, wrote } from '../api/act.ts'
import { dropped, EMPTY, emits, flattened, forEach, globbed, openedAs, processObject, withoutBlock, yields } from '../api/lists.ts'
import { joinPath } from '../interpret/operators.ts'
import { known, pieces } from '../interpret/reading.ts'
import type { Call, Handler, Table } from '../interpret/run.ts'
import { CLEAN, list, object, part, taintOf, text, UNKNOWN, unknown, type Value } from '../interpret/value.ts'
import { pathObject } from '../python/files.ts'

/** Ruby: files, directories, paths. */

/** The path behind a Pathname. */
function bare(value: Value | undefined): Value {
  return value?.kind === 'object' ? (value.fields.get('text') ?? value) : (value ?? UNKNOWN)
}

const open: Handler = (call) => {
  const [path, mode] = withoutBlock(call.args)
  if (path === undefined) return undefined
  const first = pieces(path)[0] ?? ''
  if (/^(?:open|IO\.(?:read|readlines|foreach|binread|write|binwrite|open))$/.test(call.name) && first.startsWith('|')) {
    shells(0)({ ...call, args: [dropped(path, 1)] })
    return yields(call, processObject())
  }
  if (call.name === 'open' && /^(?:https?|ftp):/i.test(first)) return yields(call, fetched(call, path))
  const given = known(mode ?? call.named.get('mode')) ?? (mode === undefined || mode.kind === 'dict' ? 'r' : 'r+')
  return yields(call, openedAs(call, bare(path), given))
}

/** `open-uri`: an address is opened like a file. */
function fetched(call: Call, address: Value): Value {
  return object('response', {}, call.run.acts.reach(address, { verb: 'fetch', method: 'GET' }))
}

const uriOpen: Handler = (call) => yields(call, fetched(call, bare(call.args[0])))

const eachLine: Handler = (call) => {
  const taint = call.run.acts.read(bare(call.args[0]))
  return yields(call, unknown(taint))
}

const many = (act: (path: Value, call: Call) => void, start = 0): Handler =>
  forEach((path, call) => {
    if (path.kind !== 'dict' && path.kind !== 'function') act(bare(path), call)
  }, start)

/** `FileUtils.cp(%w[a b], dir)`. */
const copy =
  (recursive: boolean): Handler =>
  (call) => {
    const goal = call.args[1]
    const { items } = flattened(call.args.slice(0, 1))
    for (const item of call.run.acts.first(items, 64)) copies()({ ...call, args: [bare(item), bare(goal)] })
    return recursive ? goal : undefined
  }

const move: Handler = (call) => {
  const { items } = flattened(call.args.slice(0, 1))
  for (const item of call.run.acts.first(items, 64)) moves()({ ...call, args: [bare(item), bare(call.args[1])] })
  return undefined
}

/** `File.chmod(mode, path…)` and `FileUtils.chmod(mode, list)`. */
const chmod: Handler = (call) => {
  for (const path of call.run.acts.first(flattened(call.args.slice(1)).items, 64))
    chmods(0, 1)({ ...call, args: [bare(path), call.args[0] ?? UNKNOWN] })
  return undefined
}

const glob: Handler = (call) => {
  const { items } = flattened(withoutBlock(call.args))
  const found = list(items.map((item) => globbed(bare(item))))
  const fn = call.args.at(-1)
  if (fn?.kind === 'function') for (const item of found.items) call.run.call(fn, { args: [item], named: new Map(), make: false })
  return found
}

/** Names in a directory, without the directory. */
const entries: Handler = (call) => {
  yields(call, UNKNOWN)
  return list([UNKNOWN], true)
}

const expand: Handler = (call) => {
  const whole = known(bare(call.args[0]))
  const base = call.args[1]
  if (whole === null) return bare(call.args[0])
  if (/^~(?:\/|$)/.test(whole)) return text(call.run.context.view.home + whole.slice(1))
  return base === undefined ? text(whole) : joinPath([bare(base), text(whole)])
}

const dirname: Handler = (call) => {
  const whole = known(bare(call.args[0]))
  return whole === null ? undefined : text(whole.includes('/') ? whole.slice(0, whole.lastIndexOf('/')) || '/' : '.')
}

const basename: Handler = (call) => {
  const whole = known(bare(call.args[0]))
  return whole === null ? undefined : text(whole.slice(whole.lastIndexOf('/') + 1))
}

/** With a block only as long as that runs. */
const chdir: Handler = (call) => {
  const [directory = UNKNOWN] = withoutBlock(call.args)
  if (withoutBlock(call.args).length === call.args.length) {
    call.run.acts.enter(directory)
    return undefined
  }
  let gives: Value | undefined
  call.run.acts.inside(directory, () => {
    gives = yields(call, directory)
  })
  return gives
}

const temporary: Handler = (call) => yields(call, object('file', { path: part(['/tmp/', null], CLEAN) }))

const reading: Handler = (call) => {
  const first = pieces(call.args[0] ?? UNKNOWN)[0] ?? ''
  if (!call.name.startsWith('IO.') || !first.startsWith('|')) return unknown(call.run.acts.read(bare(call.args[0])))
  return shells(0)({ ...call, args: [dropped(call.args[0] ?? UNKNOWN, 1)] })
}

const writing =
  (append = false): Handler =>
  (call) => {
    const path = bare(call.args[0])
    const appends = append || /a/.test(known(call.named.get('mode')) ?? '')
    call.run.acts.write(path, appends ? { attributes: { append: true } } : {})
    if (call.args[1] !== undefined) wrote(call, path, call.args[1])
    return undefined
  }

const FILE: Table = {
  'open File.open File.new IO.open': open,
  'URI.open OpenURI.open_uri': uriOpen,
  'File.read File.binread File.readlines IO.read IO.readlines IO.binread File.readlink': reading,
  'File.foreach IO.foreach CSV.foreach': eachLine,
  'CSV.read CSV.table YAML.load_file YAML.safe_load_file JSON.load_file': reading,
  'File.write File.binwrite IO.write IO.binwrite': writing(),
  'File.delete File.unlink Dir.delete Dir.rmdir Dir.unlink': many((path, call) =>
    call.run.acts.delete(path, call.name.startsWith('Dir') ? { action: 'fs:rmdir', reversible: true } : {}),
  ),
  'File.rename': moves(),
  'File.symlink File.link': links(),
  'File.chmod File.lchmod': chmod,
  'File.chown': many((path, call) => call.run.acts.change(path, { action: 'fs:chown' }), 2),
  'File.truncate': writes(0, null, { action: 'fs:truncate' }),
  'File.mkfifo': writes(0),
  'IO.copy_stream': (call) => {
    const [from, to] = call.args
    const taint = from === undefined ? CLEAN : from.kind === 'object' ? taintOf(from) : call.run.acts.read(from)
    const goal = to?.kind === 'object' ? to.fields.get('path') : to
    if (goal !== undefined && to?.kind !== 'object') call.run.acts.write(goal)
    if (goal !== undefined) wrote(call, goal, unknown(taint))
    if (to?.kind === 'object') emits(call, to, [unknown(taint)])
    return undefined
  },
  'File.join': (call) => joinPath(flattened(call.args).items.map(bare)),
  'File.expand_path File.absolute_path File.realpath': expand,
  'File.dirname': dirname,
  'File.basename': basename,
  'Dir.mkdir': writes(0, null, { action: 'fs:mkdir' }),
  'Dir.glob Dir.[] Dir[]': glob,
  'Dir.entries Dir.children Dir.each_child Dir.foreach Dir.each': entries,
  'Dir.home': (call) => text(call.run.context.view.home),
  'Dir.pwd Dir.getwd': (call) => (call.run.context.cwd === null ? UNKNOWN : text(call.run.context.cwd)),
  'Dir.chdir FileUtils.cd FileUtils.chdir': chdir,
  'Dir.tmpdir': () => text('/tmp'),
  'Dir.mktmpdir': (call) => yields(call, part(['/tmp/', null], CLEAN)),
  'Tempfile.new Tempfile.create Tempfile.open': temporary,
  'Pathname.new Pathname': (call) => pathObject(call.args),
  'Pathname.pwd': (call) => pathObject([text(call.run.context.cwd ?? '.')]),
  'Find.find': (call) => {
    for (const root of call.run.acts.first(flattened(withoutBlock(call.args)).items, 16))
      yields(call, part([...pieces(bare(root)), '/', null], CLEAN))
    return undefined
  },
  'Zip.File.open': open,
}

const FILE_UTILS: Table = {
  'FileUtils.rm FileUtils.rm_f FileUtils.remove FileUtils.safe_unlink FileUtils.remove_file': many((path, call) =>
    call.run.acts.delete(path),
  ),
  'FileUtils.rm_r FileUtils.rm_rf FileUtils.rmtree FileUtils.remove_dir FileUtils.remove_entry FileUtils.remove_entry_secure': many(
    (path, call) => call.run.acts.delete(path, TREE),
  ),
  'FileUtils.rmdir': many((path, call) => call.run.acts.delete(path, { action: 'fs:rmdir', reversible: true })),
  'FileUtils.cp FileUtils.copy FileUtils.copy_file FileUtils.install': copy(false),
  'FileUtils.cp_r FileUtils.copy_entry': copy(true),
  'FileUtils.mv FileUtils.move': move,
  'FileUtils.ln FileUtils.ln_s FileUtils.ln_sf FileUtils.symlink FileUtils.link': links(),
  'FileUtils.mkdir FileUtils.mkdir_p FileUtils.makedirs FileUtils.mkpath': many((path, call) =>
    call.run.acts.write(path, { action: 'fs:mkdir' }),
  ),
  'FileUtils.touch': many((path, call) => call.run.acts.write(path)),
  'FileUtils.chmod FileUtils.chmod_R': chmod,
  'FileUtils.chown FileUtils.chown_R': many((path, call) => call.run.acts.change(path, { action: 'fs:chown' }), 2),
}

export const FILES: Table = { ...FILE, ...FILE_UTILS }

const emit: Handler = (call) => {
  emits(call, call.self ?? UNKNOWN, call.args)
  return undefined
}

const taken: Handler = (call) => {
  const value = unknown(taintOf(call.self ?? UNKNOWN))
  yields(call, value)
  return value
}

const STREAM =
  'read readline readlines gets each_line each readpartial sysread recv readbyte getc body string text to_s scan lines readchar recvfrom'

export const FILE_METHODS: Table = {
  ...Object.fromEntries(
    ['file', 'socket', 'process', 'response'].flatMap((type) => STREAM.split(' ').map((name) => [`${type}.${name}`, taken] as const)),
  ),
  ...Object.fromEntries(
    ['file', 'socket', 'process'].flatMap((type) =>
      'write print puts << printf syswrite send write_nonblock putc'.split(' ').map((name) => [`${type}.${name}`, emit] as const),
    ),
  ),
  'path.read path.binread path.readlines path.each_line': reads('self'),
  'path.write path.binwrite': writes('self', 0),
  'path.delete path.unlink': deletes('self'),
  'path.rmtree': deletes('self', TREE),
  'path.rmdir': deletes('self', { action: 'fs:rmdir', reversible: true }),
  'path.rename': moves('self', 0),
  'path.mkpath path.mkdir': writes('self', null, { action: 'fs:mkdir' }),
  'path.chmod': chmods('self', 0),
  'path.make_symlink path.make_link': links(0, 'self'),
  'path.join path.+ path./': (call) => pathObject([call.self ?? EMPTY, ...call.args]),
  'path.expand_path path.realpath path.cleanpath': passes('self'),
  'path.glob path.children path.each_child path.find': (call) => {
    const below = pathObject([call.self ?? EMPTY, call.args[0]?.kind === 'text' ? globbed(call.args[0]) : UNKNOWN])
    yields(call, below)
    return list([below], true)
  },
  'path.open': (call) => open({ ...call, name: 'File.open', args: [call.self ?? UNKNOWN, ...call.args] }),
  'path.to_s': (call) => part(pieces(call.self ?? UNKNOWN), CLEAN),
  'process.close_write': () => undefined,
  'file.path': (call) => (call.self?.kind === 'object' ? call.self.fields.get('path') : undefined),
}
