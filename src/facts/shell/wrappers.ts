import { writePath } from './acts.ts'
import { each, list, takes } from './commands/tool.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from './spec.ts'
import { fileWrappers } from './wrappers-files.ts'
import { interpreterNamed, interpreters } from './wrappers-interpreters.ts'
import { projectWrappers } from './wrappers-project.ts'
import { remoteWrappers } from './wrappers-remote.ts'
import { sessionWrappers } from './wrappers-sessions.ts'
import { shellPrograms } from './wrappers-shells.ts'
import { across, HELP, joined, joining, prefix, quote } from './wrappers-words.ts'

/** Programs that run other programs in their place: what they run is what counts. */

export { isShell } from './wrappers-shells.ts'

/** Says that rights are gained, then runs the rest with them. */
function elevated(spec: CommandSpec, run: (parsed: ParsedCommand, context: CommandContext) => void): CommandSpec {
  return {
    ...spec,
    refine: (parsed, context) => {
      const user = parsed.value('-u', '--user')
      context.emit('change', context.thing('account', user?.text ?? 'root'), {
        action: 'privilege:elevate',
        attributes: { by: parsed.invocation.name },
      })
      run(parsed, context)
    },
  }
}

function runSudo(parsed: ParsedCommand, context: CommandContext): void {
  const { operands, invocation } = parsed
  if (parsed.flag('-e', '--edit')) {
    for (const word of operands) context.emit('write', context.path(word), { span: word.span })
    return
  }
  const directory = parsed.value('-D', '--chdir')
  const run = (inner: CommandContext): void => {
    if (operands.length > 0) inner.command(operands, invocation.name)
    else if (parsed.flag('-i', '--login', '-s', '--shell')) inner.stdin('shell')
  }
  if (directory === null) run(context)
  else context.within({ attributes: {}, remote: false, directory }, run)
}

const sudo: CommandSpec = elevated(
  {
    flags: list(
      '-A -b -E -e -H -i -K -k -l -n -P -S -s -v -V --askpass --background --edit --login --list --non-interactive --preserve-env --reset-timestamp --stdin --shell --validate',
    ),
    options: takes(
      '-u --user -g --group -p --prompt -C --close-from -r --role -t --type -T --command-timeout -U --other-user -D --chdir -R --chroot --host',
    ),
    inert: ['-V', '--version', '--help', '-l', '--list', '-v', '--validate', '-K', '-k'],
    inertFirst: true,
    stopAtOperand: true,
    operands: [],
  },
  runSudo,
)

const doas: CommandSpec = elevated(
  { flags: list('-n -s -L'), options: takes('-u -C -a'), inert: ['-L'], stopAtOperand: true, operands: [] },
  (parsed, context) => {
    if (parsed.operands.length > 0) context.command(parsed.operands, parsed.invocation.name)
    else if (parsed.flag('-s')) context.stdin('shell')
  },
)

/** `gosu user command`, `runuser -u user -- command`, `setpriv …`. */
const asUser = (skip: number): CommandSpec =>
  elevated(
    {
      flags: list('-n -P --no-block --wait --pty -p -l -f -m --login'),
      options: takes('-u --user -g --group -G -w --unit --slice -E --setenv -c --command -s --shell'),
      inert: HELP,
      stopAtOperand: true,
      operands: [],
    },
    (parsed, context) => {
      const command = parsed.value('-c', '--command')
      if (command !== null) context.shell(command.text, command.span, parsed.invocation.name)
      else context.command(parsed.operands.slice(parsed.value('-u', '--user') === null ? skip : 0), parsed.invocation.name)
    },
  )

/** `env`: variables, another directory, a split string; alone it prints the environment. */
const env: CommandSpec = {
  flags: list('-i -0 -v - --ignore-environment --null --debug --list-signal-handling'),
  options: takes('-u --unset -C --chdir -S --split-string -P -a --argv0'),
  optionalValues: list('--block-signal --default-signal --ignore-signal'),
  inert: HELP,
  stopAtOperand: true,
  operands: [],
  refine: (parsed, context) => {
    const operands = parsed.operands.filter((word, index) => index > 0 || word.text !== '-')
    const split = parsed.value('-S', '--split-string')
    const directory = parsed.value('-C', '--chdir')
    const run = (inner: CommandContext): void => {
      if (split !== null) splitString(split, operands, inner)
      else if (operands.some((word) => !/^[A-Za-z_]\w*=/.test(word.prefix))) inner.command(operands, parsed.invocation.name)
      else listVariables(inner)
    }
    if (directory === null) run(context)
    else context.within({ attributes: {}, remote: false, directory }, run)
  },
}

function splitString(split: Word, operands: readonly Word[], context: CommandContext): void {
  const text = split.text === null || operands.some((word) => word.text === null) ? null : split.text
  context.shell(text === null ? null : [text, ...operands.map((word) => quote(word.text ?? ''))].join(' '), split.span, 'env')
}

function listVariables(context: CommandContext): void {
  context.emit('read', context.thing('variable', '*'), { action: 'env:list' })
}

const printenv: CommandSpec = {
  flags: ['-0', '--null'],
  inert: HELP,
  operands: [],
  refine: ({ operands }, context) => {
    if (operands.length === 0) listVariables(context)
    for (const word of operands) {
      context.emit('read', context.thing('variable', word.text ?? word.prefix), { action: 'env:get', span: word.span })
    }
  },
}

const flock: CommandSpec = {
  flags: list('-s -x -e -u -n -o -F --shared --exclusive --nonblock --nb --close --verbose'),
  options: takes('-w --timeout --wait -E --conflict-exit-code'),
  inert: HELP,
  stopAtOperand: true,
  operands: [],
  refine: ({ operands: [, ...rest], invocation }, context) => {
    const [first, text] = rest
    if (first?.text === '-c' || first?.text === '--command') context.shell(text?.text ?? null, text?.span ?? invocation.span, 'flock')
    else context.command(rest, 'flock')
  },
}

const busybox: CommandSpec = {
  inert: [...HELP, '--list', '--install'],
  inertFirst: true,
  stopAtOperand: true,
  operands: [],
  refine: ({ operands, invocation }, context) => context.command(operands, invocation.name),
}

const TRACE = prefix(
  '-c -C -d -f -ff -F -h -i -q -r -t -tt -ttt -T -v -V -w -x -xx -y -yy -k -Z -z -n -S',
  '-a -b -e -E -I -o -O -p -P -s -S -u -U -X -l -A -D',
)
/** `-o file`, `-o '|command'`; `-p` looks into a process that already runs. */
const tracer: CommandSpec = {
  ...TRACE,
  refine: (parsed, context) => {
    const output = parsed.value('-o')
    if (output !== null && /^[|!]/.test(output.prefix)) context.shell(output.text?.slice(1) ?? null, output.span, parsed.invocation.name)
    else if (output !== null) writePath(context, output)
    for (const word of parsed.values('-p'))
      context.emit('read', context.thing('process', word.text ?? word.prefix), { action: 'proc:trace', span: word.span })
    if (parsed.operands.length > 0) TRACE.refine?.(parsed, context)
  },
}

const ARCHITECTURE = /^(?:linux(?:32|64)|uname26|i[3-6]86|(?:x86_|aarch|arm|ppc|mips|s390|sparc|riscv)\w*)$/

/** `setarch [architecture] [options] command`: some options take protections of memory off. */
function runSetarch({ invocation }: ParsedCommand, context: CommandContext): void {
  const { args } = invocation
  let at = 0
  while (at < args.length && (args[at]?.prefix.startsWith('-') === true || ARCHITECTURE.test(args[at]?.text ?? ''))) at++
  const options = args.slice(0, at).map(({ text }) => text ?? '')
  if (options.some((text) => /^-\w*[RXZ]|^--(?:addr-no-randomize|read-implies-exec|mmap-page-zero)$/.test(text)))
    context.emit('change', context.thing('service', 'memory protection'), { action: 'security:change' })
  context.command(args.slice(at), invocation.name)
}

/** Runners whose first operands are not the command. */
const RUNNERS: CommandTable = {
  ...each('nice gnice', prefix('', '-n --adjustment')),
  ionice: prefix('-t --ignore', '-c --class -n --classdata -p --pid -P -u'),
  chrt: prefix('-a -b -f -i -m -o -r -R -v', '-p --pid -T -P -D', 1),
  taskset: prefix('-a --all-tasks -c --cpu-list', '-p --pid', 1),
  ...each('timeout gtimeout', prefix('--preserve-status --foreground -v --verbose -p -f', '-s --signal -k --kill-after', 1)),
  ...each(
    'nohup linux32 linux64 i386 x86_64 chronic unbuffer catchsegv fakeroot systemd-inhibit proxychains proxychains4 torsocks torify tsocks eatmydata',
    prefix('-q -p -f -R', ''),
  ),
  setarch: { operands: [], refine: runSetarch },
  ...each('stdbuf gstdbuf', prefix('', '-i --input -o --output -e --error')),
  setsid: prefix('-c -f -w --ctty --fork --wait', ''),
  ...each('time gtime', prefix('-a -p -v -q -l --append --portability --verbose --quiet', '-f --format -o --output')),
  caffeinate: prefix('-d -i -m -s -u', '-t -w'),
  rlwrap: prefix('-a -c -i -r -R', '-b -C -D -f -F -g -H -l -m -M -n -N -o -O -p -P -q -s -S -t -U -w -W -z -Z'),
  numactl: prefix(
    '-s -H -l --show --hardware --localalloc',
    '-i --interleave -m --membind -N --cpunodebind -C --physcpubind -p --preferred',
  ),
  prlimit: prefix('', '-p --pid -o --output'),
  cgexec: prefix('--sticky', '-g'),
  ...each('strace ltrace truss dtruss', tracer),
  valgrind: { ...prefix('-q -v -d --quiet --verbose', ''), singleDashLong: true },
  firejail: prefix('--quiet --noprofile --private --net --nosound', '--profile'),
  tini: prefix('-s -g -v', '-p -e'),
  'dumb-init': prefix('-c -v --single-child --verbose', '-r --rewrite'),
  'xvfb-run': prefix(
    '-a --auto-servernum -l --listen-tcp',
    '-e --error-file -f --auth-file -n --server-num -p --xauth-protocol -s --server-args -w --wait',
  ),
  'dbus-run-session': prefix('', '--dbus-daemon --config-file'),
  'with-contenv': prefix('', ''),
  faketime: prefix('-m -f', '', 1),
  ...each(
    'watch viddy',
    joining(
      '-b -c -d -e -g -p -t -x -w -C --beep --color --differences --errexit --chgexit --precise --no-title --exec',
      '-n --interval -q',
    ),
  ),
  entr: { ...prefix('-a -c -d -n -p -r -s -z', ''), refine: entr },
  dotenv: prefix('--overload', '-e -f -c -v'),
}

function entr(parsed: ParsedCommand, context: CommandContext): void {
  if (parsed.flag('-s')) context.shell(joined(parsed.operands), across(parsed.operands, parsed.invocation.span), 'entr')
  else context.command(parsed.operands, 'entr')
}

/** Wrappers that leave no trace of their own: the fact of the command they run stands for them. */
const TRANSPARENT: ReadonlySet<string> = new Set([
  ...Object.keys(RUNNERS),
  ...Object.keys(shellPrograms),
  ...list(
    'sudo doas pkexec run0 gosu su-exec runuser env flock busybox toybox xargs gxargs parallel perf gdb lldb direnv chroot unshare nsenter systemd-run',
  ),
  ...list('poetry pipenv uv conda mamba micromamba bundle'),
])

/** True where the program is a mere wrapper, once it ran something of known content. */
export function isTransparent(name: string): boolean {
  return TRANSPARENT.has(name)
}

/** Every wrapper by name. */
export const wrapperTable: CommandTable = {
  ...RUNNERS,
  sudo,
  doas,
  ...each('pkexec run0', asUser(0)),
  runuser: asUser(1),
  ...each('gosu su-exec', asUser(1)),
  ...each('env genv', env),
  printenv,
  flock,
  ...each('busybox toybox', busybox),
  ...shellPrograms,
  ...interpreters,
  ...fileWrappers,
  ...remoteWrappers,
  ...projectWrappers,
  ...sessionWrappers,
}

const names: ReadonlyMap<string, CommandSpec> = new Map([
  // `r` is no spelling of `R`: one letter is somebody's alias.
  ...Object.entries(wrapperTable).flatMap(([name, spec]) => (name.length > 1 ? [[name.toLowerCase(), spec] as const] : [])),
  ...Object.entries(wrapperTable),
])

/** The wrapper of that name in any letter case (file systems that fold it run `SUDO`), or null. */
export function wrapperNamed(name: string): CommandSpec | null {
  const exact = names.get(name)
  if (exact !== undefined) return exact
  const folded = name.toLowerCase().replace(/\.exe$/, '')
  return (folded === name ? undefined : names.get(folded)) ?? interpreterNamed(folded)
}
