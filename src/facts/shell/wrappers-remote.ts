import { each, list, literal, takes } from './commands/tool.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from './spec.ts'
import { across, joined, prefix } from './wrappers-words.ts'

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

function runSsh(parsed: ParsedCommand, context: CommandContext): void {
  const { operands, invocation } = parsed
  localCommands(parsed, context)
  const [first, ...after] = operands
  if (first === undefined) return
  const rest = after[0]?.text === '--' ? after.slice(1) : after
  const host = hostOf(first)
  const target = { ...context.url(host), kind: 'host' as const }
  const forwards = [...parsed.values('-L', '-R', '-D', '-w'), ...(parsed.value('-J') === null ? [] : [])]
  for (const word of forwards)
    context.emit('change', context.thing('host', word.text ?? word.prefix), { action: 'net:forward', span: word.span })
  const fed = invocation.input.kind !== 'none'
  const action = rest.length > 0 || fed ? 'net:remote-shell' : 'net:remote-login'
  const silent = parsed.flag('-N') && forwards.length > 0
  if (!silent) context.emit('send', target, { action, span: first.span, attributes: { remote: host.text ?? host.prefix } })
  context.within({ attributes: { remote: host.text ?? host.prefix }, remote: true }, (inner) => {
    if (rest.length > 0) inner.shell(joined(rest), across(rest, invocation.span), 'ssh')
    else if (fed) inner.stdin('shell')
  })
}

const ssh: CommandSpec = {
  flags: list('-4 -6 -A -a -C -f -G -g -K -k -M -N -n -q -s -T -t -V -v -X -x -Y -y'),
  options: { ...takes(SSH_OPTIONS), ...takes('-i') },
  inert: ['-V', '-Q', '-G', '--help', '--version'],
  inertFirst: true,
  stopAtOperand: true,
  operands: [],
  refine: runSsh,
}

/** `sshpass -p secret ssh …`. */
const sshpass: CommandSpec = prefix('-e -v -h -V', '-p -f -d -P')

/** Another root directory: paths are not those of this machine's root. */
const chroot: CommandSpec = {
  options: takes('--userspec --groups -u -g -G -n'),
  flags: ['--skip-chdir'],
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
const namespaces = (flags: string, options: string): CommandSpec => ({
  ...prefix(flags, options),
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

const MOSH: CommandSpec = { ...ssh, options: { ...ssh.options, ...takes('--ssh --predict --family --port -p') } }

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
    const machine = literal(named === undefined || named === null || named.startsWith('-') ? invocation.name : named, invocation.span)
    const text = args[option + 1]
    context.emit('send', context.thing('host', machine.text ?? ''), { action: 'net:remote-shell' })
    if (option < 0 || text === undefined) return
    context.within({ attributes: { remote: invocation.name }, remote: true }, (inner) => inner.shell(text.text, text.span, invocation.name))
  },
}

export const remoteWrappers: CommandTable = {
  ...each('ssh autossh slogin', ssh),
  mosh: MOSH,
  sshpass,
  vagrant: byOption,
  chroot,
  unshare: namespaces(
    '-c -C -f -i -m -n -p -r -T -u -U --fork --mount --net --pid --ipc --uts --user --map-root-user',
    '-S -G -R -w --root --wd --setuid --setgid',
  ),
  nsenter: namespaces(
    '-a -F -m -u -i -n -p -U -C -T -Z --all --mount --uts --ipc --net --pid --user --no-fork',
    '-t --target -S -G -r -w --root --wd --setuid --setgid',
  ),
  bwrap: { operands: [], refine: runBwrap },
  proot: prefix('-0 -l --link2symlink --kill-on-exit', '-r -b -w -q -k --rootfs --bind --cwd'),
  'flatpak-spawn': flatpakSpawn,
}

/** bubblewrap: options with one to three values, then the command. */
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
    if (/^--(?:ro-|dev-)?bind(?:-try)?$|^--(?:symlink|setenv|file|ro-bind-data|bind-data|chmod)$/.test(text)) at += 2
    else if (
      /^--(?:chdir|tmpfs|proc|dev|dir|uid|gid|hostname|unsetenv|seccomp|lock-file|args|exec-label|mqueue|perms|size|cap-\w+)$/.test(text)
    )
      at += 1
  }
  context.command(args.slice(at), 'bwrap')
}
