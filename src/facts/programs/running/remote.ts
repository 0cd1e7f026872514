import type { CommandContext, CommandSpec, CommandTable, Invocation, ParsedCommand, Word } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { hostKind } from '../../resources/url/services.ts'
import { readCommand } from '../options.ts'
import { byName, list, takes } from '../tool.ts'
import { across, joined, prefix, wrapping } from './words.ts'

/** Programs that run commands on another machine or in another root: `ssh`, `chroot`, namespaces. */

const SSH_OPTIONS = '-b -B -c -D -E -e -F -I -J -L -l -m -O -o -P -p -Q -R -S -W -w'

/** `user@host` and `ssh://user@host:port` as the host. */
function hostOf(word: Word): Word {
  const known = word.text ?? word.prefix
  const start = known.startsWith('ssh://') ? 6 : 0
  const host = known.slice(Math.max(start, known.lastIndexOf('@') + 1))
  return { ...word, text: word.text === null ? null : host, prefix: host }
}

/** Options through which ssh runs commands of this machine. */
function localCommands(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.values('-o')) {
    const match = /^\s*(?:proxycommand|localcommand|knownhostscommand)\s*[= ]\s*/i.exec(word.text ?? word.prefix)
    if (match !== null) context.shell(word.text === null ? null : word.text.slice(match[0].length), word.span, 'ssh')
    else if (word.text === null) context.opaque('an option of `ssh` is not known before it runs', word.span)
    else if (/stricthostkeychecking[\s=]{1,8}(?:no|off)/i.test(word.text)) {
      context.emit('change', context.thing('host', 'host key check'), {
        action: 'net:host-key',
        span: word.span,
        attributes: { unchecked: true },
      })
    }
  }
  for (const word of parsed.values('-F')) context.emit('read', context.path(word), { span: word.span, certainty: 'likely' })
}

/** Reads what follows the host: options again, up to the first word of the command. */
function afterHost(parsed: ParsedCommand, after: readonly Word[]): ParsedCommand {
  const { invocation } = parsed
  return readCommand(invocation.name === 'autossh' ? AUTOSSH_GRAMMAR : SSH_GRAMMAR, { ...invocation, args: after }).parsed
}

function runSsh(before: ParsedCommand, context: CommandContext): void {
  const { operands, invocation } = before
  localCommands(before, context)
  const [first, ...after] = operands
  if (first === undefined) return
  const parsed = afterHost(before, after)
  localCommands(parsed, context)
  const forwards = [before, parsed].flatMap((part) => part.values('-L', '-R', '-D', '-w'))
  const silent = (before.flag('-N') || parsed.flag('-N')) && forwards.length > 0
  toHost({ host: first, words: parsed.operands, forwards, silent, invocation }, context)
}

/** A way to another machine, and the words that run there. */
interface Login {
  readonly host: Word
  readonly words: readonly Word[]
  readonly forwards: readonly Word[]
  /** No shell is opened. */
  readonly silent: boolean
  readonly invocation: Invocation
}

function toHost({ host: word, words, forwards, silent, invocation }: Login, context: CommandContext): void {
  const host = hostOf(word)
  const target = { ...context.url(host), kind: 'host' as const }
  for (const forward of forwards)
    context.emit('change', context.thing('host', forward.text ?? forward.prefix), { action: 'net:forward', span: forward.span })
  const fed = invocation.input.kind !== 'none'
  const action = words.length > 0 || fed ? 'net:remote-shell' : 'net:remote-login'
  if (action === 'net:remote-login' && greets(word, host) && !silent && forwards.length === 0) {
    context.emit('fetch', target, { action: 'net:contact', span: word.span })
    return
  }
  if (!silent) context.emit('send', target, { action, span: word.span, attributes: { remote: host.text ?? host.prefix } })
  context.within({ attributes: { remote: host.text ?? host.prefix }, remote: true }, (inner) => {
    if (words.length > 0) inner.shell(joined(words), across(words, invocation.span), 'ssh')
    else if (fed) inner.stdin('shell')
  })
}

/** `ssh -T git@github.com`: hosts of repositories say who is asking, and give nobody a shell. */
function greets(word: Word, host: Word): boolean {
  return word.text?.startsWith('git@') === true && host.text !== null && hostKind(host.text) === 'code-host'
}

const SSH_GRAMMAR: CommandSpec = {
  flags: list('-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y'),
  options: takes(`${SSH_OPTIONS} -i`),
  stopAtOperand: true,
}

const AUTOSSH_GRAMMAR: CommandSpec = {
  ...SSH_GRAMMAR,
  flags: SSH_GRAMMAR.flags?.filter((name) => name !== '-M') ?? [],
  options: { ...SSH_GRAMMAR.options, ...takes('-M') },
}

const RUNS_SSH: CommandSpec = {
  inert: ['-V', '-Q', '-G', '--help', '--version'],
  inertFirst: true,
  operands: [],
  refine: runSsh,
}

const ssh: CommandSpec = { ...SSH_GRAMMAR, ...RUNS_SSH }

/** `sshpass -p secret ssh …`. */
const sshpass: CommandSpec = prefix('-e -v -h -V', '-p -f -d -P')

/** Another root directory: paths are not those of this machine's root. */
const chroot: CommandSpec = {
  options: takes('--userspec --groups -u -g -G'),
  flags: ['--skip-chdir', '-n'],
  inert: ['--help', '--version'],
  stopAtOperand: true,
  operands: [],
  refine: ({ operands: [root, ...rest], invocation }, context) => {
    context.emit('change', context.thing('account', 'root'), { action: 'privilege:elevate', attributes: { by: invocation.name } })
    const place = { attributes: { root: root?.text ?? '' }, remote: root?.text !== '/' }
    context.within(place, (inner) => {
      if (rest.length > 0) inner.command(rest, invocation.name)
      else inner.stdin('shell')
    })
  },
}

/** Namespaces of this machine; entering those of another process is a way out of a sandbox. */
const namespaces = (flags: string, options: string, optional: string): CommandSpec => ({
  ...prefix(flags, options),
  optionalValues: list(optional),
  refine: (parsed, context) => {
    const { operands, invocation } = parsed
    const entering = invocation.name === 'nsenter'
    // As root of a namespace of its own a program reaches parts of the kernel that others do not.
    if (entering || parsed.flag('-U', '--user', '-r', '--map-root-user')) {
      const target = entering ? parsed.value('-t', '--target') : null
      const attributes = { by: invocation.name }
      context.emit('change', context.thing('process', target?.text ?? ''), { action: 'privilege:namespace', attributes })
    }
    if (operands.length > 0) context.command(operands, invocation.name)
    else context.stdin('shell')
  },
})

/** Sandboxes and desktop bridges: `flatpak-spawn --host command` runs outside of the sandbox. */
const flatpakSpawn: CommandSpec = {
  ...prefix('-v --host --watch-bus --clear-env --latest-version --no-network --sandbox', '--forward-fd --env --directory'),
  refine: (parsed, context) => {
    const { operands, invocation } = parsed
    if (parsed.flag('--host')) {
      context.emit('change', context.thing('process', 'host'), { action: 'privilege:sandbox-escape', attributes: { by: invocation.name } })
    }
    context.command(operands, invocation.name)
  },
}

/** `mosh [options] [user@]host [command …]`: `--ssh` names what runs here to get there. */
const mosh: CommandSpec = {
  flags: list('-a -n -4 -6 --no-ssh-pty --ssh-pty --no-init --local'),
  options: takes('--client --server --ssh --predict --predict-overwrite --family -p --port --bind-server --experimental-remote-ip'),
  inert: ['--help', '--version'],
  inertFirst: true,
  stopAtOperand: true,
  operands: [],
  refine: (parsed, context) => {
    for (const word of parsed.values('--ssh', '--client')) context.shell(word.text, word.span, 'mosh')
    const [first, ...rest] = parsed.operands
    const words = rest[0]?.text === '--' ? rest.slice(1) : rest
    if (first !== undefined) toHost({ host: first, words, forwards: [], silent: false, invocation: parsed.invocation }, context)
  },
}

/** `vagrant ssh -c`, `gcloud compute ssh --command`: the command stands in an option. */
const byOption: CommandSpec = {
  operands: [],
  refine: ({ invocation }, context) => {
    const { args } = invocation
    const at = args.findIndex((word) => word.text === 'ssh')
    const option = args.findIndex((word) => /^(?:-c|--command)$/.test(word.text ?? ''))
    if (at < 0) {
      const destroys = args.find((word) => !word.prefix.startsWith('-'))?.text === 'destroy'
      if (destroys) context.emit('delete', context.thing('resource', 'machine'), { action: 'vm:delete' })
      else context.emit('execute', context.thing('program', invocation.name), { action: 'dev:vm', certainty: 'likely' })
      return
    }
    const named = args[at + 1]?.text
    const machine = knownWord(named === undefined || named === null || named.startsWith('-') ? invocation.name : named, invocation.span)
    const text = args[option + 1]
    context.emit('send', context.thing('host', machine.text ?? ''), { action: 'net:remote-shell' })
    const dashes = args.findIndex((word) => word.text === '--')
    if (option < 0 && dashes >= 0) {
      const words = args.slice(dashes + 1)
      const place = { attributes: { remote: invocation.name }, remote: true }
      context.within(place, (inner) => inner.shell(joined(words), across(words, invocation.span), invocation.name))
      return
    }
    if (option < 0 || text === undefined) return
    context.within({ attributes: { remote: invocation.name }, remote: true }, (inner) => inner.shell(text.text, text.span, invocation.name))
  },
}

export const remoteWrappers: CommandTable = wrapping(
  byName({
    'ssh slogin': ssh,
    autossh: { ...AUTOSSH_GRAMMAR, ...RUNS_SSH },
    mosh,
    sshpass,
    vagrant: byOption,
    chroot,
    unshare: namespaces(
      '-c -C -f -h -i -m -n -p -r -T -u -U -V --fork --keep-caps --map-auto --map-root-user --map-current-user --forward-signals',
      '-S --setuid -G --setgid -R --root -w --wd -l --load-interp --map-user --map-group --map-users --map-groups ' +
        '--propagation --setgroups --monotonic --boottime --owner',
      '--mount --net --pid --ipc --uts --user --cgroup --time --mount-proc --mount-binfmt --kill-child',
    ),
    nsenter: namespaces(
      '-a -c -e -F -h -V -Z --all --env --follow-context --join-cgroup --keep-caps --no-fork --preserve-credentials --user-parent',
      '-t --target -S --setuid -G --setgid -N --net-socket -W --wdns',
      '-m --mount -u --uts -i --ipc -n --net -p --pid -U --user -C --cgroup -T --time -r --root -w --wd',
    ),
    bwrap: { inert: ['--help', '--version'], inertFirst: true, operands: [], refine: runBwrap },
    proot: prefix(
      '-0 -l -h -V -H -L -n --root-id --link2symlink --kill-on-exit --sysvipc --netcoop',
      '-r --rootfs -R -S -b --bind -m --mount -w --pwd --cwd -q --qemu -k --kernel-release -i --change-id -v --verbose -p --port',
    ),
    'flatpak-spawn': flatpakSpawn,
  }),
  list('chroot unshare nsenter'),
)

/** Options of bubblewrap by the number of their values, the rest has none. */
const BWRAP_VALUES: readonly RegExp[] = [
  new RegExp(
    String.raw`^--(?:args|argv0|userns2?|pidns|uid|gid|hostname|chdir|unsetenv|lock-file|sync-fd|remount-ro|exec-label|file-label` +
      String.raw`|proc|dev|tmpfs|mqueue|dir|seccomp|add-seccomp-fd|block-fd|userns-block-fd|info-fd|json-status-fd|cap-add|cap-drop` +
      String.raw`|perms|size|overlay-src|tmp-overlay|ro-overlay)$`,
  ),
  /^--(?:setenv|(?:ro-|dev-)?bind(?:-try)?|(?:ro-)?bind-(?:fd|data)|file|symlink|chmod)$/,
  /^--overlay$/,
]

/** bubblewrap: options with up to three values, then the command. */
function runBwrap({ invocation }: ParsedCommand, context: CommandContext): void {
  const { args } = invocation
  let at = 0
  for (; at < args.length; at++) {
    const text = args[at]?.text
    if (text === '--') {
      at++
      break
    }
    if (text?.startsWith('-') !== true) break
    at += BWRAP_VALUES.findIndex((pattern) => pattern.test(text)) + 1
  }
  context.command(args.slice(at), 'bwrap')
}
