import { at, does, evaluates, forks, OUTPUT, passes, runaway, shells } from '../api/act.ts'
import { deserializes, deserializesFile } from '../api/deserialize.ts'
import { emits, flattened, processObject, runsOneOrMany } from '../api/lists.ts'
import { outputValue } from '../api/output.ts'
import { kills, native } from '../api/processes.ts'
import { known, pieces } from '../interpret/reading.ts'
import type { Handler, Table } from '../interpret/run.ts'
import { list, object, text, UNKNOWN } from '../interpret/value.ts'

/** Perl: programs, code from text, processes, native code. */

const runs: Handler = (call) => {
  runsOneOrMany(call.args, call)
  return outputValue(call, list(flattened(call.args).items))
}

/** `open3($in, $out, $err, cmd…)`, `open2($out, $in, cmd…)`. */
const piped =
  (handles: number): Handler =>
  (call) => {
    runsOneOrMany(call.args.slice(handles), call)
    return processObject()
  }

/** `IPC::Run::run([qw(cmd args)], …)`. */
const ipcRun: Handler = (call) => {
  runaway(call)
  const first = call.args[0]
  if (first?.kind === 'list') call.run.acts.command(first.items, call.name, { open: first.open })
  else if (first !== undefined) call.run.acts.shell(first, call.name)
  return OUTPUT
}

const script: Handler = (call) => {
  const path = call.args[0]
  // `require Module;` is a name, `require 5.010` a version.
  if (path === undefined || path.kind === 'number' || (path.kind === 'ref' && !path.name.startsWith('$'))) return undefined
  const name = known(path)
  if (name === null) call.run.acts.code(path, 'perl', call.name)
  else if (call.name === 'do' || /[./]/.test(name)) call.run.context.script('perl', call.run.acts.word(path), [])
  return undefined
}

/** `can('system')` and symbolic names give a function by its name. */
const byName: Handler = (call) => {
  const name = known(call.args.at(-1))
  return name === null ? undefined : { kind: 'ref', name: call.run.profile.canonical(name) }
}

const privilege: Handler = (call) =>
  at(call, 0)?.kind === 'number' && known(at(call, 0)) === '0'
    ? does('change', 'privilege:switch', { kind: 'account', value: 'root' })(call)
    : undefined

export const PROCESS: Table = {
  'system exec POSIX.system IPC.System.Simple.system IPC.System.Simple.systemx IPC.System.Simple.run IPC.System.Simple.runx CORE.system':
    runs,
  'IPC.System.Simple.capture IPC.System.Simple.capturex capture capturex': runs,
  '` readpipe': shells(0),
  'open3 IPC.Open3.open3': piped(3),
  'open2 IPC.Open2.open2': piped(2),
  'IPC.Run.run IPC.Run.start IPC.Run3.run3 run3 IPC.Cmd.run': ipcRun,
  'eval evalbytes': evaluates(0, 'perl'),
  'do require': script,
  fork: forks,
  // `<>` opens what it is given, and runs what ends in a bar.
  '@ARGV=': (call) => {
    for (const item of flattened(call.args).items) {
      const line = /^\s*\||\|\s*$/.test(pieces(item).join('')) ? known(item) : null
      if (line !== null) call.run.acts.shell(text(line.replace(/^\s*\||\|\s*$/g, '')), '<>')
    }
    return undefined
  },
  kill: kills([UNKNOWN]),
  syscall: native,
  'Inline DynaLoader.dl_load_file XSLoader.load FFI.Platypus.new Win32.API.new': native,
  'UNIVERSAL.can': byName,
  'Storable.thaw Storable.fd_retrieve thaw YAML.Load YAML.XS.Load': deserializes(0),
  'Storable.retrieve retrieve YAML.LoadFile YAML.XS.LoadFile': deserializesFile(0),
  'POSIX.setuid POSIX.setgid setuid setgid': privilege,
  'POSIX._exit POSIX.nice': () => undefined,
  'POSIX.dup2': (call) => {
    if (call.args.some((v) => v.kind === 'object' && v.type === 'socket')) call.run.acts.joinStreams()
    return undefined
  },
  chroot: does('change', 'privilege:root', { kind: 'path', value: 0 }),
  'mount umount': (call) => {
    call.run.acts.emit('change', call.run.context.thing('resource', known(call.args[0]) ?? ''), { action: 'fs:mount' })
    return undefined
  },
  'threads.new threads.create': (call) => {
    const [fn, ...args] = call.args
    return fn === undefined ? undefined : call.run.call(fn, { args, named: new Map(), make: false })
  },
  'Safe.new': () => object('safe'),
  'String.ShellQuote.shell_quote shell_quote': passes(0),
  local: passes(0),
}

export const PROCESS_METHODS: Table = {
  'safe.reval': evaluates(0, 'perl'),
  'process.print': (call) => {
    emits(call, call.self ?? UNKNOWN, call.args)
    return undefined
  },
}
