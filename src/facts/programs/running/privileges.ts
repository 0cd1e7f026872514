import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { byName, list, takes } from '../tool.ts'
import { HELP, prefix, quote, wrapping } from './words.ts'

/** Programs that run other programs as somebody else, with another environment, under a lock or by another name: what they run counts. */

/** Says that rights are gained, then runs the rest with them. Nothing where neither a command nor one of `alone` is given. */
function elevated(
  spec: CommandSpec,
  run: (parsed: ParsedCommand, context: CommandContext) => void,
  alone: readonly string[] = [],
): CommandSpec {
  return {
    ...spec,
    refine: (parsed, context) => {
      if (parsed.operands.length === 0 && parsed.flag(...alone)) return
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

/** `-k` forgets the password before a command runs, or only that; `-h` names a host, or asks for help where none follows. */
const sudo: CommandSpec = elevated(
  {
    flags: list(
      '-A -B -b -E -e -H -i -K -k -l -N -n -P -S -s -v -V --askpass --background --bell --edit --login --list --no-update ' +
        '--non-interactive --preserve-env --preserve-groups --reset-timestamp --set-home --stdin --shell --validate',
    ),
    options: takes(
      '-a --auth-type -c --login-class -u --user -g --group -h --host -p --prompt -C --close-from -r --role -t --type -T ' +
        '--command-timeout -U --other-user -D --chdir -R --chroot',
    ),
    inert: ['-V', '--version', '--help', '-l', '--list', '-v', '--validate', '-K', '--remove-timestamp'],
    inertFirst: true,
    stopAtOperand: true,
    operands: [],
  },
  runSudo,
  ['-k', '--reset-timestamp', '-h'],
)

const doas: CommandSpec = elevated(
  { flags: list('-n -s -L'), options: takes('-u -C -a'), inert: ['-L'], stopAtOperand: true, operands: [] },
  (parsed, context) => {
    if (parsed.operands.length > 0) context.command(parsed.operands, parsed.invocation.name)
    else if (parsed.flag('-s')) context.stdin('shell')
  },
)

/** `pkexec command`, `gosu user command`: the command begins at operand `skip`. */
const asUser = (flags: string, options: string, skip: number): CommandSpec =>
  elevated({ flags: list(flags), options: takes(options), inert: HELP, stopAtOperand: true, operands: [] }, (parsed, context) =>
    context.command(parsed.operands.slice(skip), parsed.invocation.name),
  )

/** `runuser -u user [--] command`, or as `su`: options stand before and after the user, and what follows goes to the shell. */
const runuser: CommandSpec = elevated(
  {
    flags: list('-f -l -m -p -P -h -V -T --fast --login --preserve-environment --pty --no-pty'),
    options: takes('-u --user -g --group -G --supp-group -w --whitelist-environment -s --shell -c --command --session-command'),
    inert: HELP,
    operands: [],
  },
  (parsed, context) => {
    const { invocation, operands } = parsed
    const command = parsed.value('-c', '--command', '--session-command')
    const words = operands.filter((word, index) => index > 0 || word.text !== '-')
    const [first, ...rest] = words
    if (first !== undefined && parsed.value('-u', '--user') !== null)
      context.command(invocation.args.slice(invocation.args.indexOf(first)), invocation.name)
    else if (command !== null) context.shell(command.text, command.span, invocation.name)
    else if (rest.length > 0) context.command([knownWord('sh', invocation.span), ...rest], invocation.name)
    else context.stdin('shell')
  },
)

/** `sg [-] group [-c] text`. */
const sg: CommandSpec = {
  operands: [],
  refine: ({ invocation }, context) => {
    const [group, ...rest] = invocation.args.filter((word, index) => index > 0 || word.text !== '-')
    const text = rest[0]?.text === '-c' ? rest[1] : rest[0]
    context.emit('change', context.thing('account', group?.text ?? 'self'), { action: 'privilege:switch' })
    if (text !== undefined) context.shell(text.text, text.span, 'sg')
    else context.stdin('shell')
  },
}

/** `capsh --drop=all -- -c text`: what follows `--` are the words of a shell, what follows `==` those of another capsh. */
const capsh: CommandSpec = {
  operands: [],
  refine: ({ invocation }, context) => {
    const { args, span } = invocation
    const at = args.findIndex(({ text }) => text === '--' || text === '==')
    const shell = args.find((word, index) => (at < 0 || index < at) && word.prefix.startsWith('--shell='))
    const program = args[at]?.text === '==' ? 'capsh' : (shell?.text?.slice('--shell='.length) ?? 'bash')
    if (args.some(({ text }) => text !== null && /^--(?:uid|user)=(?:0|root)$/.test(text)))
      context.emit('change', context.thing('account', 'root'), { action: 'privilege:switch' })
    if (at >= 0) context.command([knownWord(program, span), ...args.slice(at + 1)], 'capsh')
  },
}

const SETPRIV: CommandSpec = prefix(
  '-d -h -V --dump --clear-groups --keep-groups --init-groups --list-caps --no-new-privs --nnp --reset-env',
  '--ambient-caps --inh-caps --bounding-set --ruid --euid --reuid --rgid --egid --regid --groups --securebits --pdeathsig ' +
    '--ptracer --selinux-label --apparmor-profile --landlock-access --landlock-rule --seccomp-filter',
)

/** `setpriv --reuid=0 command`: as somebody else; rights that are only dropped ask for nothing. */
const setpriv: CommandSpec = {
  ...SETPRIV,
  refine: (parsed, context) => {
    if (parsed.values('--reuid', '--ruid', '--euid').some(({ text }) => text === '0' || text === 'root'))
      context.emit('change', context.thing('account', 'root'), { action: 'privilege:switch' })
    SETPRIV.refine?.(parsed, context)
  },
}

/** `env`: variables, another directory, a split string; alone it prints the environment. */
const env: CommandSpec = {
  flags: list('-i -0 -v - --ignore-environment --null --debug --list-signal-handling'),
  options: takes('-u --unset -C --chdir -S --split-string -P -a --argv0 -L -U'),
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

/** A lock is a file that is made where it is missing, or a descriptor. The directories of the system for locks are there for everybody. */
function lockWith(lock: Word | undefined, context: CommandContext): void {
  if (lock === undefined || /^(?:\d+$|\/(?:var|run)\/lock\/[\w.-]+$)/.test(lock.text ?? '')) return
  const target = context.path(lock)
  const there = target.real !== null && context.view.realpath(target.real).type !== 'missing'
  if (!there) context.emit('write', target, { action: 'fs:touch', span: lock.span, certainty: 'likely' })
}

const flock: CommandSpec = {
  flags: list('-s -x -e -u -n -o -F --shared --exclusive --unlock --nonblock --nb --close --no-fork --fcntl --verbose'),
  options: takes('-w --timeout --wait -E --conflict-exit-code --start --length'),
  inert: HELP,
  stopAtOperand: true,
  operands: [],
  refine: ({ operands: [lock, ...rest], invocation }, context) => {
    const [first, text] = rest
    lockWith(lock, context)
    if (first?.text === '-c' || first?.text === '--command') context.shell(text?.text ?? null, text?.span ?? invocation.span, 'flock')
    else context.command(first?.text === '--' ? rest.slice(1) : rest, 'flock')
  },
}

const busybox: CommandSpec = {
  inert: [...HELP, '--list', '--install'],
  inertFirst: true,
  stopAtOperand: true,
  operands: [],
  refine: ({ operands, invocation }, context) => context.command(operands, invocation.name),
}

/** Programs that run their operands as somebody else, in another environment, or by another name. */
export const privilegeWrappers: CommandTable = wrapping(
  byName({
    sudo,
    doas,
    pkexec: asUser('--disable-internal-agent --keep-cwd', '-u --user', 0),
    run0: asUser(
      '-i -q --no-ask-password --no-block --slice-inherit --pty --pipe --pty-late --via-shell --lightweight --empower',
      '-u --user -g --group --property --description --slice --nice -D --chdir --setenv --background -M --machine --unit ' +
        '--job-mode --shell-prompt-prefix --area',
      0,
    ),
    runuser,
    'gosu su-exec': asUser('', '', 1),
    sg,
    capsh,
    setpriv,
    'env genv': env,
    printenv,
    flock,
    'busybox toybox': busybox,
  }),
  list('sudo doas pkexec run0 gosu runuser sg capsh setpriv env flock busybox'),
)
