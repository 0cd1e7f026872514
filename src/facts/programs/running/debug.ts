import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { readPath, writePath } from '../../resources/acts.ts'
import { byName, list, takes } from '../tool.ts'
import { HELP, prefix, wrapping } from './words.ts'

/** Programs that run another to look into it: tracers, debuggers, profilers. */

/** `-o file`, `-o '|command'`; `-p` looks into a process that already runs. */
function tracer(flags: string, optional: string, options: string): CommandSpec {
  const spec = prefix(flags, `-o --output -p --attach ${options}`)
  return {
    ...spec,
    optionalValues: list(optional),
    refine: (parsed, context) => {
      const { name } = parsed.invocation
      const output = parsed.value('-o', '--output')
      if (output !== null && /^[|!]/.test(output.prefix)) context.shell(output.text?.slice(1) ?? null, output.span, name)
      else if (output !== null) writePath(context, output)
      for (const word of parsed.values('-p', '--attach'))
        context.emit('read', context.thing('process', word.text ?? word.prefix), { action: 'proc:trace', span: word.span })
      if (parsed.operands.length > 0) spec.refine?.(parsed, context)
    },
  }
}

const strace = tracer(
  '-A -c -C -d -D -DD -DDD -f -ff -F -h -i -k -n -N -q -qq -qqq -r -t -tt -ttt -T -v -V -w -x -xx -y -yy -Y -z -Z --debug ' +
    '--failed-only --follow-forks --instruction-pointer --no-abbrev --output-append-mode --output-separately --seccomp-bpf ' +
    '--stack-traces --successful-only --summary --summary-only --summary-wall-clock --syscall-number',
  '--absolute-timestamps --timestamps --relative-timestamps --syscall-times --daemonize --decode-fds --quiet --silent ' +
    '--silence --strings-in-hex --secontext --tips',
  '-a -b -e -E -I -O -P -s -S -u -U -X --abbrev --argv0 --columns --const-print-style --decode-pids --detach-on --env ' +
    '--fault --inject --interruptible --kvm --raw --read --signal --signals --status --string-limit --summary-columns ' +
    '--summary-sort-by --summary-syscall-overhead --syscall-limit --trace --trace-fds --trace-path --user --verbose --write',
)

const ltrace = tracer(
  '-b -c -C -f -h -i -L -r -S -t -tt -ttt -T -V --demangle --no-signals',
  '',
  '-A -a -D -e -F -l -n -s -u -w -x --align --config --debug --indent --library --where',
)

/** `truss` and `dtruss`. */
const truss = tracer('-a -c -d -D -e -f -F -H -i -l -L -S', '', '-b -m -n -r -s -t -u -v -w -W -x -M -T -U')

/** Words of a debugger that only look at or steer the program at hand. */
const HARMLESS = /^\s*(?:bt|run|r|info|quit|q|thread|frame|print|continue|c|where|backtrace|set pagination)\b/

function debugs(parsed: ParsedCommand, context: CommandContext, said: readonly string[]): void {
  const attached = parsed.value('-p', '--pid', '--attach-pid')
  if (attached !== null) context.emit('read', context.thing('process', attached.text ?? ''), { action: 'proc:memory', span: attached.span })
  for (const word of parsed.values(...said)) {
    const shell = /^\s*(?:shell|!|platform shell)\s(.*)$/.exec(word.text ?? '')
    if (shell?.[1] !== undefined) context.shell(shell[1], word.span, parsed.invocation.name)
    else if (!HARMLESS.test(word.text ?? '')) context.opaque('a debugger command is not analysed', word.span)
  }
}

const DEBUGGER: CommandSpec = {
  singleDashLong: true,
  inert: ['--version', '--help', '-v', '-h'],
  inertFirst: true,
  stopAtOperand: true,
  operands: [],
}

/** `gdb --args program …`; an operand without that is a program or a core too. */
const gdb: CommandSpec = {
  ...DEBUGGER,
  flags: list(
    '-q -n -nx -nh -w -f -r -batch -batch-silent -quiet -silent -args -tui -fullname -write -readnow -readnever ' +
      '-return-child-result -configuration -nw -windows --batch --batch-silent --nx --nh --nw --quiet --silent --args --tui ' +
      '--fullname --write --readnow --readnever --return-child-result --configuration --windows',
  ),
  options: {
    ...takes(
      '-p -pid --pid -ex --ex -eval-command --eval-command -iex --iex -init-eval-command --init-eval-command -eiex ' +
        '-early-init-eval-command --early-init-eval-command -d -directory --directory -D -data-directory --data-directory -cd ' +
        '--cd -b -l -tty --tty -i -interpreter --interpreter -ui --ui -u',
    ),
    ...takes(
      '-x -command --command -ix -init-command --init-command -eix -early-init-command --early-init-command -s -symbols ' +
        '--symbols -e -exec --exec -se --se -c -core --core',
      'read',
    ),
  },
  refine: (parsed, context) => {
    debugs(
      parsed,
      context,
      list(
        '-ex --ex -eval-command --eval-command -iex --iex -init-eval-command --init-eval-command -eiex -early-init-eval-command ' +
          '--early-init-eval-command -x -command --command -ix -init-command --init-command -eix -early-init-command ' +
          '--early-init-command',
      ),
    )
    if (parsed.operands.length > 0) context.command(parsed.operands, parsed.invocation.name)
  },
}

const lldb: CommandSpec = {
  ...DEBUGGER,
  flags: list('-b -X -x -Q -e -w -P --batch --no-lldbinit --local-lldbinit --source-quietly --no-use-colors --wait-for --editor'),
  options: {
    ...takes(
      '-o --one-line -O --one-line-before-file -k --one-line-on-crash -n --attach-name -p --attach-pid -a --arch -l --script-language -r --repl -d',
    ),
    ...takes('-s --source -S --source-before-file -K --source-on-crash -c --core', 'read'),
    ...takes('-f --file'),
  },
  refine: (parsed, context) => {
    debugs(
      parsed,
      context,
      list('-o --one-line -O --one-line-before-file -k --one-line-on-crash -s --source -S --source-before-file -K --source-on-crash'),
    )
    const file = parsed.value('-f', '--file')
    const words = file === null ? parsed.operands : [file, ...parsed.operands]
    if (words.length > 0) context.command(words, parsed.invocation.name)
  },
}

/** What every part of perf that runs a command has in common. */
const PERF = '-C --cpu -e --event -p --pid -t --tid -G --cgroup -D --delay --filter --filter-pids --control'

function profiling(flags: string, options: string, optional = ''): CommandSpec {
  const spec = prefix(flags, `${PERF} ${options}`)
  return {
    ...spec,
    inert: ['--help', '-h', '--version'],
    options: { ...spec.options, ...takes('-o --output', 'write') },
    optionalValues: list(optional),
    refine: (parsed, context) => {
      for (const word of parsed.values('--pre', '--post')) context.shell(word.text, word.span, 'perf')
      for (const word of parsed.values('-i', '--input')) readPath(context, word)
      if (parsed.operands.length > 0) spec.refine?.(parsed, context)
    },
  }
}

const RECORD = profiling(
  '-a -A -B -b -d -g -i -I -N -n -P -q -R -s -T -v -W --all-cpus --all-kernel --all-user --append --data --no-buildid ' +
    '--no-inherit --no-samples --overwrite --period --quiet --raw-samples --stat --timestamp --verbose --weight ' +
    '--tail-synthesize --kcore --sample-cpu',
  '-c --count -F --freq -m --mmap-pages -r --realtime -u --uid -j --branch-filter -k --clockid -M --call-graph --max-size ' +
    '--proc-map-timeout --user-regs --affinity --mmap-flush --switch-max-files --num-thread-synthesize --debuginfod --synth ' +
    '--off-cpu-thresh',
  '-S --snapshot --intr-regs -z --compression-level --aio --switch-output --threads',
)

const STAT = profiling(
  '-a -A -B -c -d -g -i -n -N -q -S -T -v --all-cpus --append --big-num --detailed --metric-only --no-aggr --no-inherit ' +
    '--no-merge --null --per-core --per-socket --per-thread --per-node --per-die --quiet --scale --summary --sync --table ' +
    '--transaction --verbose --all-kernel --all-user',
  '-r --repeat -x --field-separator -I --interval-print --interval-count --timeout -M --metrics --log-fd --pre --post ' +
    '--td-level --cputype -j --metric-groups --for-each-cgroup',
  '--bpf-prog --quiet-unmatched',
)

const TRACE = profiling(
  '-a -f -F -q -s -S -T -v --all-cpus --comm --failure --force --sched --summary --syscalls --time --verbose ' +
    '--with-summary --no-inherit --errno-summary --print-sample --sort-events',
  '--expr -m --mmap-pages -u --uid -i --input --duration --call-graph --max-events --max-stack --min-stack ' +
    '--proc-map-timeout --map-dump --switch-on --switch-off --libtraceevent_print',
)

const NESTED: CommandSpec = { subcommands: { record: RECORD, stat: { subcommands: { record: RECORD } } }, operands: [] }

const perf: CommandSpec = {
  options: takes('--debug --buildid-dir -c --config-env'),
  flags: list('-p --paginate --no-pager -v --list-cmds --list-opts'),
  optionalValues: ['--exec-path', '--debugfs-dir'],
  subcommands: byName({
    record: RECORD,
    stat: STAT,
    trace: TRACE,
    'mem c2c kvm sched lock timechart ftrace kwork kmem': {
      ...NESTED,
      options: takes('-i --input -o --output -t --type -e --event'),
    },
  }),
  inert: HELP,
  operands: [],
}

export const debugWrappers: CommandTable = wrapping(
  byName({
    strace,
    ltrace,
    'truss dtruss': truss,
    'gdb rust-gdb cgdb': gdb,
    'lldb rust-lldb': lldb,
    perf,
  }),
  list('strace ltrace truss dtruss gdb lldb perf'),
)
