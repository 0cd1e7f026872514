import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { readPath, wordOf, writePath } from '../../resources/acts.ts'
import { knownWord } from '../../resources/text/word.ts'
import { ranUnread } from '../loads.ts'
import { byName, list, takes } from '../tool.ts'
import { across, HELP, joined, joining, prefix, wrapping, writing } from './words.ts'

/** Programs that run their operands with other limits, other streams or another keeper. Options with a value are those of their manuals. */

/** Runs its operands, unless one of the options names processes that run already. */
function unless(idle: readonly string[], spec: CommandSpec): CommandSpec {
  return {
    ...spec,
    refine: (parsed, context) => {
      if (!parsed.flag(...idle)) spec.refine?.(parsed, context)
    },
  }
}

/** Options whose value may only be attached, besides those of `spec`. */
function attached(names: string, spec: CommandSpec): CommandSpec {
  return { ...spec, optionalValues: list(names) }
}

/** `chrt 5 command`; without a priority where the policy has none. */
const chrt: CommandSpec = unless(list('-p --pid -m --max'), {
  ...prefix(
    '-a -b -d -e -f -i -m -o -p -r -R -v --all-tasks --batch --deadline --ext --fifo --idle --max --other --pid --reset-on-fork --rr --verbose',
    '-T --sched-runtime -P --sched-period -D --sched-deadline',
  ),
  refine: ({ operands, invocation }, context) => {
    const [first] = operands
    const prioritised = first === undefined || first.text === null || /^\d+$/.test(first.text)
    context.command(prioritised ? operands.slice(1) : operands, invocation.name)
  },
})

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

function entr(parsed: ParsedCommand, context: CommandContext): void {
  if (parsed.flag('-s')) context.shell(joined(parsed.operands), across(parsed.operands, parsed.invocation.span), 'entr')
  else context.command(parsed.operands, 'entr')
}

/** `dotenv -f .env run -- command` of Python, `dotenv -e .env -- command` of Node. */
const dotenv: CommandSpec = {
  ...prefix('--overload --override --no-override -o -h', '-e --export -f --file -v -p -q --quote'),
  optionalValues: ['-c'],
  refine: (parsed, context) => {
    const { operands, invocation } = parsed
    const [verb, ...rest] = operands
    const file = parsed.value('-f', '--file', '-e') ?? wordOf('.env', knownWord('', invocation.span))
    if (verb?.text === 'run') context.command(afterDashes(rest), invocation.name)
    else if (/^(?:set|unset)$/.test(verb?.text ?? '')) writePath(context, file, { action: 'fs:edit' })
    else if (/^(?:get|list)$/.test(verb?.text ?? '')) readPath(context, file)
    else context.command(operands, invocation.name)
  },
}

/** The words after the options before the command: `run --override -- command`. */
function afterDashes(words: readonly Word[]): readonly Word[] {
  const start = words.findIndex(({ prefix: known }) => !known.startsWith('-'))
  const dashes = words.findIndex(({ text }) => text === '--')
  return dashes >= 0 && (dashes < start || start < 0) ? words.slice(dashes + 1) : start < 0 ? [] : words.slice(start)
}

/** `start-stop-daemon --start --exec program -- arguments`. */
const startStop: CommandSpec = {
  flags: list(
    '-S --start -K --stop -T --status -H --help -b --background -C --no-close -m --make-pidfile --remove-pidfile -o ' +
      '--oknodo -t --test -q --quiet -v --verbose --notify-await',
  ),
  options: {
    ...takes(
      '-x --exec -a --startas -n --name -p --pidfile -u --user --ppid --pid -s --signal -c --chuid -g --group -r --chroot -d ' +
        '--chdir -N --nicelevel -P --procsched -I --iosched -k --umask -R --retry --notify-timeout',
    ),
    ...takes('-O --output', 'append'),
  },
  inert: [...HELP, '-t', '--test', '-T', '--status'],
  operands: [],
  refine: (parsed, context) => {
    const program = parsed.value('-a', '--startas') ?? parsed.value('-x', '--exec')
    const pid = parsed.value('-p', '--pidfile')
    if (parsed.flag('-K', '--stop')) {
      const named = parsed.value('-n', '--name') ?? program ?? pid
      context.emit('change', context.thing('process', named?.text ?? ''), { action: 'proc:kill' })
      return
    }
    if (pid !== null && parsed.flag('-m', '--make-pidfile')) writePath(context, pid)
    if (program !== null) context.command([program, ...parsed.operands], parsed.invocation.name)
  },
}

/** `run-parts directory`: every program in it runs. */
const runParts: CommandSpec = {
  flags: list('--test --list -v --verbose --report --reverse --exit-on-error --stdin --new-session --lsbsysinit -h -V'),
  options: takes('-a --arg -u --umask --regex'),
  inert: [...HELP, '--test', '--list', '-h', '-V'],
  operands: [],
  refine: ({ operands }, context) => {
    for (const word of operands) ranUnread(word, context)
  },
}

/** GNU `watch`: joins its operands and hands them to a shell. */
const watch: CommandSpec = attached(
  '-d --differences',
  joining(
    '-b -c -C -e -f -g -h -p -r -t -v -w -x --beep --color --no-color --errexit --follow --chgexit --precise --no-rerun --no-title --no-wrap --exec',
    '-n --interval -q --equexit -s --shotsdir --shell --shell-options',
  ),
)

/** `faketime -f '-1d' command`: what it sets the clock to may begin with a dash. */
const faketime: CommandSpec = {
  operands: [],
  inert: HELP,
  inertFirst: true,
  refine: ({ invocation: { args, name } }, context) => {
    let at = 0
    while (/^-(?:m|f|-exclude-monotonic|p|-date-prog)$/.test(args[at]?.text ?? ''))
      at += /^-(?:p|-date-prog)$/.test(args[at]?.text ?? '') ? 2 : 1
    context.command(args.slice(at + 1), name)
  },
}

/** Runners whose first operands are not the command. */
export const RUNNERS: CommandTable = wrapping(
  byName({
    'nice gnice': prefix('', '-n --adjustment'),
    ionice: unless(list('-p --pid -P --pgid -u --uid'), prefix('-t --ignore', '-c --class -n --classdata -p --pid -P --pgid -u --uid')),
    chrt,
    choom: unless(list('-p --pid'), prefix('', '-n --adjust -p --pid')),
    uclampset: unless(list('-p --pid -s --system'), prefix('-a --all-tasks -s --system -R --reset-on-fork -v', '-m -M -p --pid')),
    nocache: prefix('', '-n'),
    multitime: { ...prefix('-l -q -v', '-f -I -n -s'), options: { ...takes('-f -I -n -s'), ...takes('-b', 'read') } },
    runcon: prefix('-c --compute', '-t --type -u --user -r --role -l --range', 1),
    'aa-exec': prefix('-d -i -v --debug --immediate --verbose', '-p --profile -n --namespace'),
    'sandbox-exec': { ...prefix('', '-n -p -D'), options: { ...takes('-n -p -D'), '-f': 'read' } },
    taskpolicy: unless(['-p'], prefix('-a -b -B', '-c -d -g -l -m -p -s -t')),
    'lckdo with-lock-ex': prefix('-w -s -e -t -x -q -f', '-W -E', 1),
    'prime-run mangohud gamemoderun optirun primusrun run-one run-this-one run-one-constantly keep-one-running': prefix('', ''),
    taskset: unless(list('-p --pid'), prefix('-a --all-tasks -c --cpu-list -p --pid', '', 1)),
    'timeout gtimeout': prefix('--preserve-status --foreground -v --verbose -p -f', '-s --signal -k --kill-after', 1),
    'nohup catchsegv eatmydata with-contenv pgrphack': prefix('-p', ''),
    unbuffer: prefix('-p', ''),
    chronic: prefix('-e -v', ''),
    fakeroot: {
      ...prefix('-u -h -v --unknown-is-real', '-l --lib --faked -b --fd-base'),
      options: { ...takes('-l --lib --faked -b --fd-base'), '-s': 'write', '-i': 'read' },
    },
    'systemd-inhibit': prefix('--list --no-pager --no-legend --no-ask-password', '--what --who --why --mode'),
    'systemd-cat': prefix('', '-t --identifier -p --priority --stderr-priority --level-prefix --namespace'),
    'proxychains proxychains4': { ...prefix('-q', ''), options: { '-f': 'read' } },
    'torsocks torify tsocks': prefix(
      '-q -i -d -v --quiet --isolate --debug --shell -on -off',
      '-a --address -P --port -u --user -p --pass',
    ),
    'setarch linux32 linux64 i386 x86_64': { operands: [], refine: runSetarch },
    'stdbuf gstdbuf': prefix('', '-i --input -o --output -e --error'),
    setsid: prefix('-c -f -w -h -V --ctty --fork --wait', ''),
    'time gtime': {
      ...prefix('-a -e -h -l -p -q -v --append --portability --verbose --quiet', '-f --format'),
      options: { ...takes('-f --format'), ...takes('-o --output', 'write') },
    },
    caffeinate: prefix('-d -i -m -s -u', '-t -w'),
    rlwrap: {
      ...writing(
        '-H -l --history-filename --logfile',
        prefix(
          '-c -E -i -I -n -N -o -r -R -u -v -V -X --case-insensitive --no-warnings --no-children --one-shot --remember --always-echo --complete-filenames',
          '-b -C -D -f -F -g -G -L -M -O -P -q -s -S -t -w -z --break-chars --command-name --history-no-dupes --file ' +
            '--forget-matching --mirror-arguments --only-cook --pre-given --quote-characters --histsize --substitute-prompt ' +
            '--set-term-name --wait-before-prompt --filter',
        ),
      ),
      optionalValues: list(
        '-a -A -e -m -p -U -W --always-readline --ansi-colour-aware --multi-line --prompt-colour --polling --extra-char-after-completion',
      ),
    },
    numactl: prefix(
      '-s -H -l -a -b -t -u --show --hardware --localalloc --all --balancing --strict --huge --touch --dump --dump-nodes --verify',
      '-i --interleave -w --weighted-interleave -m --membind -N --cpunodebind -C --physcpubind -p --preferred -P ' +
        '--preferred-many -f --file -o --offset -L --length -M --shmmode -S --shm -I --shmid',
    ),
    prlimit: unless(
      ['--pid', '-p'],
      attached(
        '-c --core -d --data -e --nice -f --fsize -i --sigpending -l --memlock -m --rss -n --nofile -q --msgqueue -r --rtprio ' +
          '-s --stack -t --cpu -u --nproc -v --as -x --locks -y --rttime',
        prefix('--noheadings --raw --verbose', '-p --pid -o --output'),
      ),
    ),
    cgexec: prefix('-b -h --sticky', '-g'),
    cpulimit: prefix(
      '-b -f -i -q -v -z -m --background --foreground --include-children --quiet --verbose --lazy',
      '-l --limit -p --pid -e --exe -P --path -c --cpu',
    ),
    trickle: prefix('-h -v -V -s', '-d -u -w -t -l -n -p -P'),
    timelimit: prefix('-p -q', '-s -S -t -T'),
    'softlimit s6-softlimit': prefix('-h', '-a -c -d -f -l -m -n -o -p -r -s -t'),
    chpst: prefix('-0 -1 -2 -P -v -V', '-u -U -b -e -/ -C -n -l -L -m -d -o -p -f -c -r -t'),
    'setuidgid s6-setuidgid envuidgid s6-envuidgid setlock s6-setlock': prefix('-n -N -x -X -w -r -i -D', '-t -u', 1),
    'envdir s6-envdir': prefix('-i -I -f -n -L', '', 1),
    'nq tsp detach': prefix('-n -f -c -q -w -B -d -m', '-L -D -W -N -E -l -O'),
    'dtach abduco': {
      ...prefix('-E -z -f -l -q -v', '-r -e'),
      options: takes('-A -a -c -n -N -r -e'),
      flags: list('-E -z -f -l -q -v'),
    },
    valgrind: {
      ...prefix('-q -v -d -h --quiet --verbose', ''),
      options: takes(
        '--log-file --xml-file --massif-out-file --callgrind-out-file --cachegrind-out-file --dhat-out-file --xtree-memory-file ' +
          '--xtree-leak-file --bb-out-file --pc-out-file',
        'write',
      ),
    },
    firejail: { ...prefix('--quiet --noprofile', ''), options: takes('--output --output-stderr', 'write') },
    tini: prefix('-s -g -v -w -l -h', '-p -e'),
    'dumb-init': prefix('-c -v --single-child --verbose', '-r --rewrite'),
    'xvfb-run': prefix(
      '-a --auto-servernum -d --auto-display -l --listen-tcp',
      '-e --error-file -f --auth-file -n --server-num -p --xauth-protocol -s --server-args -w --wait',
    ),
    'dbus-run-session': prefix('', '--dbus-daemon --config-file'),
    'dbus-launch': prefix(
      '--auto-syntax --sh-syntax --csh-syntax --binary-syntax --close-stderr --exit-with-session --exit-with-x11',
      '--autolaunch --config-file',
    ),
    faketime,
    'watch viddy': watch,
    entr: { ...prefix('-a -c -d -n -p -r -s -x -z', ''), refine: entr },
    dotenv,
    'env-cmd': prefix(
      '--fallback --no-override --silent --use-shell --verbose -x --expand-envs --recursive',
      '-e --environments -f --file -r --rc-file',
    ),
    'start-stop-daemon': startStop,
    'run-parts': runParts,
    // The loader runs what it is given, as emulators of another processor do.
    'ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-linux-armhf.so.3 ld-musl-x86_64.so.1 ld-musl-aarch64.so.1': {
      ...prefix(
        '--verify --list --list-diagnostics --list-tunables --inhibit-cache',
        '--library-path --inhibit-rpath --argv0 --glibc-hwcaps-prepend',
      ),
      options: { ...takes('--library-path --inhibit-rpath --argv0 --glibc-hwcaps-prepend'), ...takes('--preload --audit', 'load') },
    },
    'qemu-x86_64 qemu-i386 qemu-arm qemu-aarch64 qemu-riscv64 qemu-mips qemu-ppc64 qemu-s390x qemu-x86_64-static qemu-aarch64-static qemu-arm-static':
      {
        ...prefix('-strace -one-insn-per-tb', '-L -g -s -cpu -E -U -0 -r -B -R -d -D -p -seed -plugin'),
        singleDashLong: true,
      },
    'box64 box86 FEXInterpreter fexinterpreter': prefix('', ''),
    daemonize: prefix('-a -v', '-c -E -e -o -p -l -u'),
    daemon: prefix(
      '-r -f -i -B -S -v -V -h --respawn --foreground --inherit --bind --safe --verbose --running --stop --restart --list',
      '-n --name -u --user -U --chroot -R -D --chdir -m --umask -e --env -p -P --pidfiles -F --pidfile -L --delay -A ' +
        '--attempts -M --limit -l --errlog -b --dbglog -o --output -O --stdout -E --stderr -t',
    ),
  }),
  'all',
)
