import { all, chmods, copies, deletes, enters, links, moves, passes, reads, TREE, writes, wrote } from '../api/act.ts'
import { cutBack, directory, dropped, EMPTY, emits, forEach, globbed, openedAs, processObject } from '../api/lists.ts'
import { joinPath } from '../interpret/operators.ts'
import { has, itemsOf, known, pieces } from '../interpret/reading.ts'
import { argument, type Call, type Handler, type Table } from '../interpret/run.ts'
import { CLEAN, FROM, flag, joinTaint, list, object, part, taintOf, text, UNKNOWN, unknown, type Value } from '../interpret/value.ts'

/** Perl: files, directories, handles. */

/** `open(FH, '<', $path)`, `open(FH, ">$path")`, `open(FH, "cmd |")`, `open(FH, '-|', 'cmd', …)`. */
const open: Handler = (call) => {
  const [, mode, first, ...rest] = call.args
  if (mode === undefined) return undefined
  const sign = known(mode)?.trim().split(':')[0]?.trim() ?? ''
  if (first === undefined) return openOne(call, mode)
  if (sign === '-|' || sign === '|-') {
    const program = known(first)
    if (program === '-') return processObject()
    if (rest.length === 0) call.run.acts.shell(first, 'open')
    else call.run.acts.command([first, ...rest], 'open')
    return pipeTo(first, sign === '|-')
  }
  // `>&STDOUT` duplicates a handle.
  if (sign.includes('&')) return duplicated(call, first)
  return openedAs(call, first, sign)
}

/** A standard stream that becomes a connection. */
function duplicated(call: Call, handle: Value | undefined): Value | undefined {
  if (call.run.state.connection !== null || (handle !== undefined && has(handle, FROM.socket))) call.run.acts.joinStreams()
  return handle?.kind === 'object' ? handle : undefined
}

function pipeTo(program: Value, written: boolean): Value {
  const shell = /^(?:\/bin\/)?(?:ba|da|z)?sh\b/.test(known(program) ?? '')
  return object('process', written && shell ? { shell: program } : {}, flag(FROM.process))
}

/** Two arguments: the mode is in the name, and so may be a command. */
function openOne(call: Call, name: Value): Value {
  const all = pieces(name)
  const first = (all[0] ?? '').trimStart()
  const last = (all.at(-1) ?? '').trimEnd()
  if (first.startsWith('|') && first !== '||') {
    call.run.acts.shell(dropped(name, (all[0] ?? '').indexOf('|') + 1), 'open')
    return pipeTo(dropped(name, (all[0] ?? '').indexOf('|') + 1), true)
  }
  if (last.endsWith('|')) {
    call.run.acts.shell(cutBack(name, /\|\s{0,20}$/), 'open')
    return processObject()
  }
  const sign = /^[+<>]{1,3}/.exec(first)?.[0] ?? ''
  if (first.startsWith(`${sign}&`)) return duplicated(call, undefined) ?? UNKNOWN
  return openedAs(call, sign === '' ? name : dropped(name, (all[0] ?? '').indexOf(sign) + sign.length), sign)
}

const sysopen: Handler = (call) => {
  const flags = call.args[2]
  const name = flags?.kind === 'ref' ? flags.name : flags === undefined ? 'O_RDONLY' : 'O_RDWR'
  return openedAs(call, call.args[1] ?? UNKNOWN, name.includes('RDONLY') ? '<' : '+<')
}

const print: Handler = (call) => {
  const [handle, ...data] = call.args
  if (handle?.kind === 'object') emits(call, handle, data)
  return undefined
}

const readline: Handler = (call) => {
  const handle = call.args[0]
  if (handle?.kind === 'ref' && /^\$?[A-Z]*DATA$/.test(handle.name)) return undefined
  return handle === undefined || (handle.kind === 'ref' && !handle.name.startsWith('$'))
    ? unknown(flag(FROM.input))
    : unknown(taintOf(handle))
}

const readdir: Handler = (call) => unknown(taintOf(call.args[0] ?? UNKNOWN))

const glob: Handler = (call) => {
  const names = known(call.args[0])
  return names !== null && / /.test(names.trim())
    ? list(
        names
          .trim()
          .split(/\s+/)
          .map((n) => globbed(text(n))),
      )
    : list([globbed(call.args[0] ?? UNKNOWN)])
}

const shift: Handler = (call) => {
  const from = call.args[0]
  if (from?.kind !== 'list' || from.open) return undefined
  return (call.name === 'pop' ? from.items.pop() : from.items.shift()) ?? undefined
}

const push: Handler = (call) => {
  const [goal, ...values] = call.args
  if (goal?.kind !== 'list') return undefined
  const flat = values.flatMap((v) => (v.kind === 'list' ? v.items : [v]))
  if (goal.items.length + flat.length > 512) goal.open = true
  else if (call.name === 'push') goal.items.push(...flat)
  else goal.items.unshift(...flat)
  return goal
}

/** `s/…/…/` keeps nothing that is known; what `tr` or code rewrites was hidden before. */
const rewritten: Handler = (call) => {
  const [value, change] = call.args
  const kind = change?.kind === 'list' ? known(change.items[0]) : null
  return unknown(joinTaint(taintOf(value ?? UNKNOWN), kind === 's' ? CLEAN : flag(FROM.decoded)))
}

/** `map {…} @list`, `grep {…} @list`, and the expression forms, whose value is of no interest. */
const mapBlock: Handler = (call) => {
  const [fn, ...rest] = call.args
  if (fn === undefined || fn.kind !== 'function') return list(rest, true, call.taint)
  const flat = rest.flatMap((v) => itemsOf(v) ?? [v])
  const results = (flat.length === 0 || flat.length > 64 ? [UNKNOWN] : flat).map((item) =>
    call.run.call(fn, { args: [item], named: new Map(), make: false }),
  )
  return call.name === 'map' ? list(results, flat.length > 64, call.taint) : list(flat, false, call.taint)
}

const slurped = (call: Call): Value => unknown(call.run.acts.read(call.args[0] ?? UNKNOWN))

const ownPath: Handler = (call) => object('path', { text: joinPath(call.args) })

export const FILES: Table = {
  open,
  open_in_memory: () => object('memory'),
  sysopen,
  opendir: (call) => directory(call.args[1] ?? UNKNOWN),
  readdir,
  'print printf say syswrite': print,
  'readline getc': readline,
  'read sysread': readline,
  'glob bsd_glob File.Glob.bsd_glob': glob,
  'shift pop': shift,
  'push unshift': push,
  'map grep first any all sort': mapBlock,
  rewritten,
  unlink: forEach((path, call) => call.run.acts.delete(path)),
  rmdir: forEach((path, call) => call.run.acts.delete(path, { action: 'fs:rmdir', reversible: true })),
  'rmtree remove_tree File.Path.rmtree File.Path.remove_tree': forEach((path, call) => {
    if (path.kind !== 'dict' && path.kind !== 'number') call.run.acts.delete(path, TREE)
  }),
  mkdir: writes(0, null, { action: 'fs:mkdir' }),
  'mkpath make_path File.Path.make_path File.Path.mkpath': forEach((path, call) => {
    if (path.kind !== 'dict' && path.kind !== 'number') call.run.acts.write(path, { action: 'fs:mkdir' })
  }),
  rename: moves(),
  'File.Copy.copy File.Copy.cp File.Copy.syscopy File.Copy.Recursive.rcopy File.Copy.Recursive.fcopy': copies(),
  'File.Copy.move File.Copy.mv': moves(),
  'symlink link': links(),
  chmod: (call) => {
    for (const path of call.args.slice(1).flatMap((v) => (v.kind === 'list' ? v.items : [v])))
      chmods(0, 1)({ ...call, args: [path, call.args[0] ?? UNKNOWN] })
    return undefined
  },
  chown: forEach((path, call) => call.run.acts.change(path, { action: 'fs:chown' }), 2),
  truncate: writes(0, null, { action: 'fs:truncate' }),
  'File.Slurp.read_file File.Slurper.read_text File.Slurper.read_binary read_file read_text': slurped,
  'File.Slurp.write_file File.Slurper.write_text write_file write_text': writes(0, 1),
  'File.Slurp.append_file append_file': writes(0, 1, { attributes: { append: true } }),
  'IO.File.new IO.File.open': (call) => openedAs(call, call.args[0] ?? UNKNOWN, known(call.args[1]) ?? '<'),
  'Path.Tiny.path Path.Tiny.new Path.Class.file Path.Class.dir path': ownPath,
  'File.Spec.catfile File.Spec.catdir File.Spec.Functions.catfile catfile catdir': (call) => joinPath(call.args),
  'File.Basename.dirname dirname': (call) => {
    const whole = known(call.args[0])
    return whole === null ? undefined : text(whole.includes('/') ? whole.slice(0, whole.lastIndexOf('/')) || '/' : '.')
  },
  'File.Basename.basename basename': (call) => {
    const whole = known(call.args[0])
    return whole === null ? undefined : text(whole.slice(whole.lastIndexOf('/') + 1))
  },
  'File.Spec.tmpdir': () => text('/tmp'),
  'File.Temp.tempfile tempfile': () => list([object('file', { path: part(['/tmp/', null], CLEAN) }), part(['/tmp/', null], CLEAN)]),
  'File.Temp.tempdir tempdir': () => part(['/tmp/', null], CLEAN),
  'chdir Cwd.chdir': enters(0),
  'Cwd.getcwd Cwd.cwd getcwd cwd': (call) => (call.run.context.cwd === null ? UNKNOWN : text(call.run.context.cwd)),
  'Cwd.abs_path Cwd.realpath abs_path realpath File.Spec.rel2abs File.Spec.canonpath quotemeta': passes(0),
  'File.Find.find find File.Find.finddepth': (call) => {
    const [wanted, ...roots] = call.args
    const fn = wanted?.kind === 'dict' ? wanted.entries.get('wanted') : wanted
    const all = roots.flatMap((v) => (v.kind === 'list' ? v.items : [v]))
    for (const root of call.run.acts.first(all, 16))
      if (fn !== undefined) call.run.call(fn, { args: [part([...pieces(root), '/', null], CLEAN)], named: new Map(), make: false })
    return undefined
  },
  'File.Find.name': () => UNKNOWN,
}

const handlePath = (call: Call): Value | undefined => (call.self?.kind === 'object' ? call.self.fields.get('path') : undefined)

/** Methods of Path::Tiny and of handles. */
export const FILE_METHODS: Table = {
  'path.slurp path.slurp_utf8 path.slurp_raw path.lines path.lines_utf8': reads('self'),
  'path.spew path.spew_utf8 path.spew_raw': writes('self', 0),
  'path.append path.append_utf8': writes('self', 0, { attributes: { append: true } }),
  'path.remove': deletes('self'),
  'path.remove_tree': deletes('self', TREE),
  'path.copy': copies('self', 0),
  'path.move': moves('self', 0),
  'path.touch': writes('self'),
  'path.mkpath path.mkdir': writes('self', null, { action: 'fs:mkdir' }),
  'path.chmod': chmods('self', 0),
  'path.child path.sibling': (call) => ownPath({ ...call, args: [call.self ?? UNKNOWN, ...call.args] }),
  'path.parent': (call) => ownPath({ ...call, args: [call.self ?? EMPTY, text('..')] }),
  'path.stringify path.absolute path.realpath': passes('self'),
  'path.openr path.filehandle': all(reads('self'), (call) => object('file', { path: call.self ?? UNKNOWN })),
  'path.openw path.opena': all(writes('self'), (call) => object('file', { path: call.self ?? UNKNOWN })),
  'file.print file.printf file.say file.write socket.print socket.printf socket.say socket.send socket.syswrite process.print': (call) => {
    emits(call, call.self ?? UNKNOWN, call.args)
    return undefined
  },
  'file.getline file.getlines file.read socket.getline socket.getlines socket.recv socket.sysread process.getline': (call) =>
    unknown(taintOf(call.self ?? UNKNOWN)),
  '*.fdopen': (call) => duplicated(call, call.args[0]),
  'file.truncate': (call) => {
    const path = handlePath(call)
    if (path !== undefined) wrote(call, path, argument(call, 0) ?? EMPTY)
    return undefined
  },
  'socket.recv': (call) => unknown(has(call.self ?? UNKNOWN, FROM.socket) ? taintOf(call.self ?? UNKNOWN) : CLEAN),
}
