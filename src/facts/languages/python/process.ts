import {
  all,
  at,
  calls,
  deletes,
  directoryOf,
  does,
  evaluates,
  forks,
  moves,
  named,
  OUTPUT,
  passes,
  reads,
  runaway,
  runs,
  shells,
} from '../api/act.ts'
import { deserializes, deserializesFile } from '../api/deserialize.ts'
import { outputTaint, outputValue } from '../api/output.ts'
import { nameOf } from '../interpret/call.ts'
import { member } from '../interpret/expression.ts'
import { elementOf, has, known, pieces } from '../interpret/reading.ts'
import { argument, type Call, type Handler, type Table } from '../interpret/run.ts'
import { FROM, flag, list, object, type Taint, taintOf, text, UNKNOWN, unknown, type Value } from '../interpret/value.ts'
import { setVariable } from './files.ts'

/** Python: programs, shells, code from text, processes, imports by name. */

function processObject(taint: Taint = flag(FROM.process), printed: Value | null = null): Value {
  return object(
    'process',
    {
      stdout: printed?.kind === 'part' && printed.pieces.length > 1 ? printed : object('pipe', {}, taint),
      stderr: object('pipe', {}, flag(FROM.process)),
      stdin: object('pipe', {}, flag(FROM.process)),
    },
    taint,
  )
}

/** `subprocess.*`: a list is a program with arguments; a text goes to a shell, as `shell=True` or as what POSIX would run. */
const subprocess: Handler = (call) => {
  const first = argument(call, 0, 'args', 'cmd')
  runaway(call)
  streams(call)
  if (first === undefined) return processObject()
  const shell = call.named.get('shell')
  const inShell = shell !== undefined && !(shell.kind === 'constant' && shell.value === false)
  const program = call.named.get('executable')
  variables(call)
  call.run.acts.inside(directoryOf(call), () => {
    if (first.kind === 'list' && !(inShell && first.items.length > 0)) {
      const items = program === undefined ? first.items : [program, ...first.items.slice(1)]
      call.run.acts.command(items, call.name, { open: first.open, input: call.named.get('input') })
    } else call.run.acts.shell(first.kind === 'list' ? (first.items[0] ?? UNKNOWN) : first, call.name)
  })
  const printed = outputValue(call, first)
  return call.name.endsWith('check_output') ? printed : processObject(outputTaint(call, first), printed)
}

/** What a process is given of its own: `env={'LD_PRELOAD': …}`. */
function variables(call: Call): void {
  const env = call.named.get('env')
  if (env?.kind === 'dict')
    for (const [name, value] of call.run.acts.first([...env.entries], 64)) setVariable({ ...call, args: [text(name), value] })
}

/** A process whose streams are a connection. */
function streams(call: Call): void {
  for (const name of ['stdin', 'stdout', 'stderr']) {
    const value = call.named.get(name)
    if (value !== undefined && has(value, FROM.socket)) call.run.acts.joinStreams()
  }
}

const dup2: Handler = (call) => {
  const first = call.args[0]
  if (first !== undefined && has(first, FROM.socket)) call.run.acts.joinStreams()
  return undefined
}

const getattr: Handler = (call) => {
  const [of, name] = call.args
  const key = known(name)
  return of === undefined || key === null ? UNKNOWN : member(call.run, of, key)
}

const importModule: Handler = (call) => {
  const name = known(call.args[0])
  return name === null ? UNKNOWN : { kind: 'ref', name: call.run.profile.canonical(name) }
}

const kill: Handler = (call) => {
  const [pid, signal] = call.args
  const zero = signal?.kind === 'number' && signal.value === 0
  if (zero) return undefined
  const number = pid?.kind === 'number' ? pid.value : null
  const found = pid !== undefined && (has(pid, FROM.process | FROM.file) || pid.kind === 'part')
  call.run.acts.emit('change', call.run.context.thing('process', number === null ? '' : String(number)), {
    action: 'proc:kill',
    reversible: false,
    attributes: { ...(number !== null && number <= 1 ? { mass: true } : {}), ...(number === null && found ? { pattern: true } : {}) },
  })
  return undefined
}

/** `psutil.Process(pid).kill()`. */
const killOne: Handler = (call) => {
  const pid = call.self?.kind === 'object' ? call.self.fields.get('pid') : undefined
  return kill({ ...call, args: pid === undefined ? [] : [pid] })
}

const shlexSplit: Handler = (call) => {
  const parts = pieces(call.args[0] ?? UNKNOWN)
  const whole = parts.length === 1 ? parts[0] : null
  if (typeof whole !== 'string') return list([text(parts[0] ?? '')], true)
  const words = whole.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []
  return list(words.map((w) => text(/^["']/.test(w) ? w.slice(1, -1) : w)))
}

/** A partial call keeps what is called, and with what. */
const partial: Handler = (call) => {
  const [fn, ...rest] = call.args
  return fn === undefined ? undefined : object('partial', { fn, rest: list(rest) })
}

const completes: Handler = (call) => {
  const { self } = call
  const fn = self?.kind === 'object' ? self.fields.get('fn') : undefined
  const rest = self?.kind === 'object' ? self.fields.get('rest') : undefined
  if (fn === undefined) return undefined
  return call.run.call(fn, { args: [...(rest?.kind === 'list' ? rest.items : []), ...call.args], named: call.named, make: false })
}

/** `pool.starmap(f, [(a, b), …])`. */
const starmap: Handler = (call) => {
  const [fn, source] = call.args
  if (fn === undefined || source?.kind !== 'list') return undefined
  for (const item of call.run.acts.first(source.items, 64))
    call.run.call(fn, { args: item.kind === 'list' ? item.items : [item], named: new Map(), make: false })
  return list([], true)
}

const thread: Handler = (call) => {
  const target = argument(call, 1, 'target')
  const args = argument(call, 3, 'args')
  if (call.run.state.endless && call.name !== 'threading.Thread') forks(call)
  return target === undefined
    ? undefined
    : call.run.call(target, { args: args?.kind === 'list' ? args.items : [], named: new Map(), make: false })
}

/** `map(f, xs)`: `f` is called with what is in `xs`. */
const map: Handler = (call) => {
  const [fn, ...sources] = call.args
  if (fn === undefined || sources.length === 0) return undefined
  const source = sources[0] as Value
  if (source.kind === 'list' && !source.open && source.items.length <= 256 && call.run.roomy()) {
    return list(source.items.map((item) => call.run.call(fn, { args: [item], named: new Map(), make: false })))
  }
  return list([call.run.call(fn, { args: [elementOf(source)], named: new Map(), make: false })], true, call.taint)
}

const pipMain: Handler = (call) => {
  const args = call.args[0]
  call.run.acts.command([text('pip'), ...(args?.kind === 'list' ? args.items : [])], call.name, { open: args?.kind !== 'list' })
  return undefined
}

const runModule: Handler = (call) => {
  const module = call.args[0]
  call.run.acts.command([text('python3'), text('-m'), module ?? UNKNOWN], call.name)
  return undefined
}

const runPath: Handler = (call) => {
  const path = at(call, call.name === 'imp.load_source' || call.name === 'importlib.util.spec_from_file_location' ? 1 : 0)
  if (path !== undefined && path.kind !== 'constant') call.run.context.script('python', call.run.acts.word(path), [])
  return undefined
}

/** Native code: what it does cannot be seen. */
const native: Handler = (call) => {
  const name = nameOf(call.args[0])
  call.run.acts.once('execute', call.run.context.thing('program', name), { action: 'code:native', reason: 'calls into native code' })
  return object('native')
}

/** Newer versions read weights only, unless they are told otherwise: a file of one's own is no code, a download may be. */
const torchLoad: Handler = (call) => {
  const only = argument(call, -1, 'weights_only')
  if (only?.kind === 'constant' && only.value === true) return undefined
  const path = argument(call, 0, 'f')
  if (path === undefined) return undefined
  if (only?.kind === 'constant') return deserializesFile([0, 'f'])(call)
  const data = unknown(call.run.acts.read(path))
  const taint = taintOf(data)
  const remote = (taint.bits & FROM.network) !== 0 || call.run.context.downloaded(taint.from) !== null
  return remote ? deserializes(0)({ ...call, args: [data] }) : data
}

/**
 * Code of a named repository runs, as `npx github:owner/repo` and `pip install git+https://…` run it: somebody can look at it before, so
 * a person is asked. An address alone, as in `curl … | sh`, names nothing that could be looked at.
 */
function runsRepository(
  call: Call,
  name: string | null,
  { manager, reason }: { readonly manager: string; readonly reason: string },
): Value {
  call.run.acts.once('execute', call.run.context.thing('package', name === null || name === '' ? '(unknown)' : name), {
    action: 'pkg:run',
    certainty: 'likely',
    reversible: false,
    reason,
    attributes: { manager, source: 'git' },
  })
  return UNKNOWN
}

/** `torch.hub.load('owner/repo', …)` runs `hubconf.py` of the repository. */
const torchHub: Handler = (call) => {
  if (known(argument(call, -1, 'source')) === 'local') return undefined
  const repository = known(argument(call, 0, 'repo_or_dir'))?.split(':')[0] ?? null
  return runsRepository(call, repository, { manager: 'torch.hub', reason: '`torch.hub.load` runs code of a repository' })
}

/** `trust_remote_code=True`: the code beside a model or a data set is fetched and runs. */
const trusting: Handler = (call) => {
  const trust = argument(call, -1, 'trust_remote_code')
  if (trust?.kind !== 'constant' || trust.value !== true) return undefined
  const name = known(call.args[0])
  if (name !== null && /^[./~]/.test(name)) return undefined
  return runsRepository(call, name, { manager: 'huggingface', reason: 'code beside a model or a data set is fetched and runs' })
}

export const PROCESS: Table = {
  '*.from_pretrained datasets.load_dataset transformers.pipeline sentence_transformers.SentenceTransformer': trusting,
  ...named(
    'AutoModel AutoModelForCausalLM AutoModelForSeq2SeqLM AutoModelForSequenceClassification AutoTokenizer AutoConfig AutoProcessor'
      .split(' ')
      .map((name) => `transformers.${name}.from_pretrained`)
      .join(' '),
    trusting,
  ),
  ...named(
    'os.system os.popen os.popen2 os.popen3 os.startfile commands.getoutput commands.getstatusoutput subprocess.getoutput ' +
      'subprocess.getstatusoutput asyncio.create_subprocess_shell pexpect.run invoke.run fabric.run fabric.local',
    shells([0, 'command', 'cmd']),
  ),
  'subprocess.run subprocess.call subprocess.Popen subprocess.check_call subprocess.check_output subprocess32.run subprocess32.Popen psutil.Popen':
    subprocess,
  'asyncio.create_subprocess_exec': runs(0),
  'os.execl os.execle os.execlp os.execlpe': (call) => {
    call.run.acts.command([call.args[0] ?? UNKNOWN, ...call.args.slice(2)], call.name)
    return undefined
  },
  'os.execv os.execve os.execvp os.execvpe os.posix_spawn os.posix_spawnp': (call) => {
    const argv = call.args[1]
    call.run.acts.command([call.args[0] ?? UNKNOWN, ...(argv?.kind === 'list' ? argv.items.slice(1) : [])], call.name, {
      open: argv?.kind !== 'list' || argv.open,
    })
    return undefined
  },
  'os.spawnl os.spawnle os.spawnlp os.spawnlpe': (call) => {
    runaway(call)
    call.run.acts.command([call.args[1] ?? UNKNOWN, ...call.args.slice(3)], call.name)
    return undefined
  },
  'os.spawnv os.spawnve os.spawnvp os.spawnvpe': (call) => {
    runaway(call)
    const argv = call.args[2]
    call.run.acts.command([call.args[1] ?? UNKNOWN, ...(argv?.kind === 'list' ? argv.items.slice(1) : [])], call.name)
    return undefined
  },
  'pty.spawn pexpect.spawn': (call) => {
    const [line] = call.args
    const argv = call.args[1] ?? call.named.get('args')
    if (line?.kind === 'list') call.run.acts.command(line.items, call.name, { open: line.open })
    else if (line !== undefined && argv?.kind === 'list') call.run.acts.command([line, ...argv.items], call.name, { open: argv.open })
    else call.run.acts.shell(line ?? UNKNOWN, call.name)
    return OUTPUT
  },
  'os.dup2': dup2,
  'os.fork os.forkpty pty.fork': forks,
  'threading.Thread multiprocessing.Process multiprocessing.context.Process': thread,
  'os.kill os.killpg': kill,
  'psutil.process_iter': () => object('processes', { each: object('found-process') }),
  'psutil.Process': (call) => object('one-process', call.args[0] === undefined ? {} : { pid: call.args[0] }),
  'eval exec execfile': evaluates(0, 'python'),
  'timeit.timeit timeit.repeat cProfile.run cProfile.runctx profile.run profile.runctx pdb.run pdb.runeval bdb.Bdb.run trace.Trace.run doctest.debug_src':
    evaluates(0, 'python'),
  setattr: ({ run, args: [of, name, value] }) => {
    const key = known(name)
    if (of !== undefined && value !== undefined && key !== null) run.assignMember(of, key, value)
    return undefined
  },
  iter: passes(0),
  next: (call) => elementOf(call.args[0] ?? UNKNOWN),
  // `globals().update(…)`
  update: ({ run, args, named: given }) => {
    for (const value of args)
      if (value.kind === 'dict' && !value.open) for (const [key, item] of value.entries) run.setNamed(key, item)
      else run.setNamed(null, value)
    for (const [key, item] of given) run.setNamed(key, item)
    return undefined
  },
  compile: passes(0),
  'code.InteractiveInterpreter.runsource code.InteractiveConsole.push': evaluates(0, 'python'),
  'runpy.run_path imp.load_source importlib.util.spec_from_file_location': runPath,
  'runpy.run_module': runModule,
  '__import__ importlib.import_module importlib.__import__': importModule,
  'sys.modules[]': importModule,
  getattr,
  'globals locals vars': (call) => (call.args.length === 0 ? { kind: 'ref', name: '' } : call.args[0]),
  'functools.partial': partial,
  map,
  'shlex.split': shlexSplit,
  'shlex.quote pipes.quote': passes(0),
  'shlex.join': (call) =>
    call.args[0]?.kind === 'list' ? text(call.args[0].items.map((v) => known(v) ?? '$UNKNOWN_VALUE').join(' ')) : undefined,
  'pip.main pip._internal.main pip._internal.cli.main.main': pipMain,
  ...named(
    'pickle.loads pickle.load cPickle.loads cPickle.load _pickle.loads cloudpickle.loads cloudpickle.load dill.loads ' +
      'dill.load marshal.load jsonpickle.decode yaml.unsafe_load yaml.full_load_all pickle.Unpickler',
    deserializes(0),
  ),
  'numpy.load': (call) => {
    const pickled = argument(call, -1, 'allow_pickle')
    return (pickled?.kind === 'constant' && pickled.value === true ? deserializesFile([0, 'file']) : reads(0))(call)
  },
  'joblib.load pandas.read_pickle pandas.DataFrame.from_pickle shelve.open': deserializesFile([0, 'filename', 'path']),
  'torch.load': torchLoad,
  'torch.hub.load': torchHub,
  'yaml.load': (call) => (/safe|full|base/i.test(nameOf(argument(call, 1, 'Loader'))) ? undefined : deserializes(0)(call)),
  'types.FunctionType': (call) => {
    call.run.acts.dynamic(call.args[0] ?? UNKNOWN, call.name, 'python')
    return undefined
  },
  'ctypes.CDLL ctypes.cdll.LoadLibrary ctypes.WinDLL ctypes.PyDLL': native,
  'os.memfd_create': does('execute', 'code:dynamic', { kind: 'code', value: 'memfd' }),
  'os.setuid os.seteuid os.setgid os.setresuid os.setreuid': (call) =>
    call.args[0]?.kind === 'number' && call.args[0].value === 0
      ? does('change', 'privilege:switch', { kind: 'account', value: 'root' })(call)
      : undefined,
  'os.chroot': does('change', 'privilege:root', { kind: 'path', value: 0 }),
  'atexit.register': (call) =>
    call.args[0] === undefined ? undefined : call.run.call(call.args[0], { args: call.args.slice(1), named: call.named, make: false }),
  'signal.signal': calls(1),
}

export const PROCESS_METHODS: Table = {
  'found-process.kill found-process.terminate found-process.send_signal found-process.suspend': does('change', 'proc:kill', {
    kind: 'process',
    attributes: { pattern: true, mass: true },
  }),
  'one-process.kill one-process.terminate one-process.send_signal one-process.suspend': killOne,
  'process.communicate': (call) => {
    const input = call.args[0] ?? call.named.get('input')
    if (input?.kind === 'text' && call.run.state.shell) call.run.acts.shell(input, 'communicate')
    return object('pair', { pair: list([OUTPUT, OUTPUT]) }, flag(FROM.process))
  },
  'native.ptrace': does('read', 'proc:memory', { kind: 'process' }),
  'native.system': shells(0),
  'native.unlink native.remove native.rmdir': deletes(0),
  'native.rename': moves(0, 1),
  'partial.()': completes,
  '*.map *.imap *.imap_unordered *.map_async': map,
  '*.starmap *.starmap_async': starmap,
  'native.()': all(() => undefined),
  '*.runsource': evaluates(0, 'python'),
  '*.exec_command *.run_command': (call) => {
    const host = call.self?.kind === 'object' ? call.self.fields.get('host') : undefined
    if (host === undefined) return undefined
    call.run.acts.emit('send', call.run.context.url(call.run.acts.word(host)), {
      action: 'net:remote-shell',
      attributes: { command: known(call.args[0]) ?? '' },
    })
    return undefined
  },
}
