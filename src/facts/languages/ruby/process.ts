import { at, does, evaluates, forks, named, OUTPUT, passes, shells } from '../api/act.ts'
import { deserializes, deserializesFile } from '../api/deserialize.ts'
import { flattened, mapped, processObject, runsOneOrMany, withoutBlock, yields } from '../api/lists.ts'
import { outputTaint, outputValue } from '../api/output.ts'
import { kills, native } from '../api/processes.ts'
import { member } from '../interpret/expression.ts'
import { runsAway } from '../interpret/inspect.ts'
import { has, known } from '../interpret/reading.ts'
import type { Call, Handler, Table } from '../interpret/run.ts'
import { FROM, list, object, text, UNKNOWN, unknown, type Value } from '../interpret/value.ts'

/** Ruby: programs, code from text, methods by name, processes, native code. */

const STREAMS: ReadonlySet<string> = new Set(['socket', 'file', 'process'])

/** Words of a program; an environment before them and settings behind them are taken off, streams on a connection noticed. */
function words(call: Call): readonly Value[] {
  const args = withoutBlock(call.args)
  if (args.some((v) => v.kind === 'object' && has(v, FROM.socket))) call.run.acts.joinStreams()
  for (const settings of args) if (settings.kind === 'dict' && has(settings, FROM.socket)) call.run.acts.joinStreams()
  for (const value of call.named.values()) if (has(value, FROM.socket)) call.run.acts.joinStreams()
  return args.filter((v) => v.kind !== 'dict' && !(v.kind === 'object' && STREAMS.has(v.type)))
}

/** `["sh", "argv0"]` names a program and what it is told it is called. */
function program(args: readonly Value[]): readonly Value[] {
  const [first, ...rest] = args
  return first?.kind === 'list' && !first.open && first.items.length === 2 && rest.length > 0 ? [first.items[0] as Value, ...rest] : args
}

const runs: Handler = (call) => {
  const args = program(words(call))
  runsOneOrMany(args, call)
  return outputValue(call, list(flattened(args).items))
}

/** `IO.popen`, `Open3.popen3`: the block gets the streams. */
const piped: Handler = (call) => {
  const all = words(call)
  const args = call.name === 'IO.popen' ? all.slice(0, 1) : all
  runsOneOrMany(args, call)
  const shell = /^(?:\/bin\/)?(?:ba|da|z)?sh\b/.test(known(flattened(args).items[0]) ?? '')
  const taint = outputTaint(call, list(flattened(args).items))
  const streams = object('process', shell ? { shell: flattened(args).items[0] ?? UNKNOWN } : {}, taint)
  const fn = call.args.at(-1)
  if (fn?.kind === 'function') call.run.call(fn, { args: [streams, streams, streams, UNKNOWN], named: new Map(), make: false })
  return /3|2/.test(call.name.slice(-2)) ? list([OUTPUT, OUTPUT, UNKNOWN]) : streams
}

const sends: Handler = (call) => {
  const [name, ...rest] = call.args
  const key = known(name)
  const bare = call.self === null || (call.self.kind === 'ref' && /^(?:Kernel|Object|self|)$/.test(call.self.name))
  if (key === null) {
    if (bare || call.self?.kind === 'ref') call.run.acts.opaque(`\`${call.name}\` calls a method that is not known before it runs`)
    return undefined
  }
  const callee: Value = bare ? { kind: 'ref', name: call.run.profile.canonical(key) } : member(call.run, call.self ?? UNKNOWN, key)
  return call.run.call(callee, { args: rest, named: call.named, make: false })
}

const methodNamed: Handler = (call) => {
  const key = known(call.args[0])
  if (key === null) return UNKNOWN
  const bare = call.self === null || (call.self.kind === 'ref' && /^(?:Kernel|Object|self|)$/.test(call.self.name))
  return bare ? { kind: 'ref', name: call.run.profile.canonical(key) } : member(call.run, call.self ?? UNKNOWN, key)
}

/** `x.instance_eval("code")` runs text; with a block it is a call. */
const evaluated: Handler = (call) => {
  const source = call.args[0]
  return source?.kind === 'function' ? yields(call, call.self ?? UNKNOWN) : evaluates(0, 'ruby')(call)
}

const script: Handler = (call) => {
  const path = call.args[0]
  const name = known(path)
  if (path === undefined || (name === null && call.name.startsWith('require'))) return undefined
  if (call.name === 'require' && !/^[./~]/.test(name ?? '')) return undefined
  // `require` takes the extension as said; `load` takes the name as it is.
  const whole = name !== null && call.name.startsWith('require') && !/\.(?:rb|so|bundle)$/.test(name)
  const file = whole ? `${name}.rb` : name
  const { acts, context } = call.run
  context.script('ruby', file === null ? acts.word(path) : acts.word(text(besideThe(file, call))), [])
  return undefined
}

/** What is relative lies beside the file that loads it. */
function besideThe(file: string, { name, run: { acts, context } }: Call): string {
  if (name !== 'require_relative' || file.startsWith('/')) return file
  const there = (path: string): boolean => context.view.realpath(path).type === 'file' || context.written(acts.word(text(path))) !== null
  return (
    context
      .beside()
      .map((place) => `${place}/${file}`)
      .find(there) ?? file
  )
}

/** `loop do … end` without a way out. */
const loop: Handler = (call) => {
  const fn = call.args.at(-1)
  if (fn?.kind !== 'function') return undefined
  const before = call.run.state.endless
  call.run.state.endless = before || runsAway(fn.fn.body)
  const result = call.run.call(fn, { args: [], named: new Map(), make: false })
  call.run.state.endless = before
  return result
}

const template: Handler = (call) => object('template', { source: call.args[0] ?? UNKNOWN })

/** ERB runs the code between its marks. */
const rendered: Handler = (call) => {
  const source = call.self?.kind === 'object' ? call.self.fields.get('source') : undefined
  const whole = known(source)
  if (whole === null) {
    if (source !== undefined) call.run.acts.code(source, 'ruby', 'ERB')
    return undefined
  }
  for (const match of whole.matchAll(/<%[=-]?([^%]{0,2000})%>/g)) call.run.context.code('ruby', match[1] ?? '', call.run.span)
  return undefined
}

const each: Handler = (call) => {
  const fn = call.args.at(-1)
  return fn?.kind === 'function' && call.self !== null ? mapped(call, fn, call.self) : undefined
}

const privilege: Handler = (call) =>
  known(at(call, 0)) === '0' ? does('change', 'privilege:switch', { kind: 'account', value: 'root' })(call) : undefined

export const PROCESS: Table = {
  'system sh exec spawn Process.spawn Process.exec PTY.spawn': runs,
  '`': shells(0),
  'IO.popen Open3.popen3 Open3.popen2 Open3.popen2e Open3.pipeline': piped,
  'Open3.capture2 Open3.capture2e Open3.capture3': (call) => {
    const args = words(call)
    runsOneOrMany(args, call)
    return list([unknown(outputTaint(call, list(flattened(args).items))), OUTPUT, UNKNOWN])
  },
  'fork Process.fork': (call) => {
    forks(call)
    return yields(call, UNKNOWN)
  },
  'Process.daemon': does('change', 'proc:daemon', { kind: 'process', reversible: true }),
  'Process.kill': kills([]),
  'Process.setuid Process.UID.change_privilege Process.Sys.setuid Process.euid=': privilege,
  'eval Kernel.eval TOPLEVEL_BINDING.eval RubyVM.InstructionSequence.eval': evaluates(0, 'ruby'),
  'RubyVM.InstructionSequence.compile RubyVM.InstructionSequence.new': passes(0),
  'instance_eval class_eval module_eval instance_exec': evaluated,
  'send __send__ public_send': sends,
  method: methodNamed,
  include: ({ run, args }) => {
    for (const value of args) if (value.kind === 'ref') run.opens(value.name)
    return undefined
  },
  'require require_relative load autoload': script,
  loop,
  'lambda proc Proc.new': passes(0),
  'Thread.new Thread.start Thread.fork Fiber.new Ractor.new at_exit trap Signal.trap define_method': (call) => yields(call, UNKNOWN),
  'Marshal.load Marshal.restore YAML.load YAML.unsafe_load Psych.load Psych.unsafe_load Oj.load Oj.object_load': deserializes(0),
  'Fiddle.dlopen Fiddle.Function.new Fiddle.Handle.new DL.dlopen Win32API.new FFI.Library.ffi_lib': native,
  'YAML.unsafe_load_file': deserializesFile(0),
  'ERB.new': template,
  'Object.const_get const_get Kernel.const_get Module.const_get': methodNamed,
  'Shellwords.split Shellwords.shellsplit shellsplit': (call) => {
    const whole = known(call.args[0])
    return whole === null
      ? list([], true, call.taint)
      : list(
          (whole.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? []).map((w) => ({
            kind: 'text',
            text: w.replace(/^["']|["']$/g, ''),
            bytes: false,
            glob: false,
            taint: call.taint,
          })),
        )
  },
  'Gem.install': (call) => {
    call.run.acts.command(
      [
        { kind: 'text', text: 'gem', bytes: false, glob: false, taint: call.taint },
        { kind: 'text', text: 'install', bytes: false, glob: false, taint: call.taint },
        ...call.args,
      ],
      call.name,
    )
    return undefined
  },
}

export const PROCESS_METHODS: Table = {
  '*.send *.__send__ *.public_send': sends,
  '*.method': methodNamed,
  '*.to_proc': ({ self }) => self ?? undefined,
  // A text that is changed where it stands is another one for every name of it.
  ...named(
    [
      'replace insert prepend concat clear setbyte << []= force_encoding',
      'sub! gsub! tr! tr_s! upcase! downcase! swapcase! capitalize! reverse! chomp! chop! strip! lstrip! rstrip! squeeze! slice! delete! next! succ! encode!',
    ]
      .join(' ')
      .split(' ')
      .map((name) => `text.${name}`)
      .join(' '),
    ({ run, self, taint }) => {
      run.here.blur((_, value) => value === self)
      return unknown(taint)
    },
  ),
  '*.reopen': (call) => {
    if (call.args.some((v) => has(v, FROM.socket))) call.run.acts.joinStreams()
    return undefined
  },
  '*.instance_eval *.class_eval *.module_eval *.instance_exec': evaluated,
  '*.const_get': methodNamed,
  '*.eval': (call) => evaluates(0, 'ruby')(call.args.length === 0 ? { ...call, args: [call.self ?? UNKNOWN] } : call),
  'template.result template.run template.result_with_hash': rendered,
  '*.each_slice *.each_with_object *.inject *.reduce *.sum *.filter_map *.flat_map *.group_by *.each_pair *.each_key *.each_value *.upto *.downto *.step':
    each,
  'socket.to_i socket.fileno process.to_i': (call) => call.self ?? undefined,
  'socket.accept': (call) => yields(call, object('socket', {}, { bits: FROM.socket, from: [] })),
  'process.close': () => processObject(),
}
