import type { EffectOptions } from '../../effect.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { deletePath, readPath } from '../../resources/acts.ts'
import { byName, list, takes } from '../tool.ts'

/**
 * Kernel, power, clock, logs, and the switches of what protects the machine.
 * Actions: kernel:setting · kernel:module · kernel:boot · power:off, power:cancel · system:clock · security:disable ·
 * security:change · history:clear (logs and histories) · log:write.
 */

const HELP = ['--help', '--version', '-h', '-V']

function change(context: CommandContext, what: string, options: string | EffectOptions): void {
  context.emit('change', context.thing('resource', what), typeof options === 'string' ? { action: options } : options)
}

/** Kernel settings that protect: `kernel.randomize_va_space=0`. */
const GUARDS = new RegExp(
  String.raw`^(?:kernel[./](?:randomize_va_space|yama[./]ptrace_scope|kptr_restrict|dmesg_restrict|unprivileged_bpf_disabled` +
    String.raw`|modules_disabled|perf_event_paranoid)|fs[./]protected_\w+|net[./]ipv4[./]tcp_syncookies` +
    String.raw`|vm[./]mmap_min_addr)\s*=\s*-?0?1?\b`,
)

const sysctl: CommandSpec = {
  flags: list('-a -A -n -e -N -q -w -b -x -X --all --values --names --ignore --write --system -d -o'),
  options: takes('-r --pattern'),
  optionalValues: list('-p --load -f'),
  inert: HELP,
  refine: (parsed, context) => {
    for (const word of parsed.operands) {
      const sets = word.prefix.includes('=') || (parsed.flag('-w', '--write') && word.text === null)
      if (!sets) continue
      change(context, word.text ?? word.prefix, {
        action: GUARDS.test(word.prefix) && /=\s*0$/.test(word.prefix) ? 'security:disable' : 'kernel:setting',
        span: word.span,
      })
    }
    const loads = parsed.flag('-p', '--load', '-f')
    const files = [...parsed.values('-p', '--load', '-f'), ...(loads ? parsed.operands.filter((word) => !word.prefix.includes('=')) : [])]
    for (const word of files) readPath(context, word)
    if (loads || parsed.flag('--system')) change(context, 'kernel settings', 'kernel:setting')
  },
}

const module_ = (action: string): CommandSpec => ({
  flags: list('-r -f -q -v -s -a -i -n --remove --force --show-depends --dry-run --show'),
  options: takes('-C -d -S -w --wait --dirname --config'),
  inert: [...HELP, '-n', '--dry-run', '--show', '-D', '--show-depends'],
  refine: ({ operands: [word] }, context) => {
    if (word !== undefined) change(context, word.text ?? word.prefix, { action, span: word.span })
  },
})

const shutdown: CommandSpec = {
  flags: list('-h -H -P -r -k -c -f -F -n -p -w -d -i --halt --poweroff --reboot --no-wall --force'),
  options: takes('-t'),
  inert: ['--help', '--version', '-k', '-w'],
  refine: (parsed, context) => {
    const cancels = parsed.flag('-c') && parsed.invocation.name === 'shutdown'
    context.emit('change', context.thing('resource', 'machine'), { action: cancels ? 'power:cancel' : 'power:off', reversible: cancels })
  },
}

const init: CommandSpec = {
  inert: HELP,
  refine: ({ operands: [word] }, context) => {
    if (word !== undefined) change(context, `run level ${word.text ?? 'unknown'}`, { action: 'power:off', span: word.span })
  },
}

const date: CommandSpec = {
  flags: list('-u -R -j -n --utc --universal --rfc-email --debug'),
  options: { ...takes('-d -v -f --date --set -s --rfc-3339'), '-r': 'data', '--reference': 'data', '--file': 'read' },
  optionalValues: ['-I', '--iso-8601'],
  inert: HELP,
  refine: (parsed, context) => {
    const set = parsed.value('-s', '--set')
    const bare = parsed.operands.find((word) => !word.prefix.startsWith('+') && /^[0-9.]{8,}$/.test(word.text ?? ''))
    const word = set ?? (parsed.flag('-j') ? undefined : bare)
    if (word !== undefined && word !== null) change(context, 'clock', { action: 'system:clock', span: word.span })
  },
}

const journalctl: CommandSpec = {
  flags: list(
    '-a -b -e -f -k -l -m -q -r -x --no-pager --dmesg --follow --reverse --flush --rotate --sync --user --system ' +
      '--list-boots --disk-usage --no-tail --utc --verify',
  ),
  options: takes(
    '-n -o -p -S -t -u -U -g -D -M -F --lines --output --unit --user-unit --since --until --priority --grep --identifier ' +
      '--vacuum-size --vacuum-time --vacuum-files --directory --file --root --output-fields --cursor --after-cursor --field',
  ),
  inert: ['--help', '--version', '-h'],
  refine: (parsed, context) => {
    const clears = parsed.value('--vacuum-size', '--vacuum-time', '--vacuum-files')
    if (clears !== null || parsed.flag('--rotate')) change(context, 'journal', clears === null ? 'log:rotate' : 'history:clear')
  },
}

const dmesg: CommandSpec = {
  flags: list('-c -C -D -E -H -k -L -r -T -t -u -w -x -d -e --clear --read-clear --console-off --console-on'),
  options: { ...takes('-l -n -s -f --level --facility --console-level'), '-F': 'read', '--file': 'read' },
  inert: ['--help', '--version', '-h'],
  refine: (parsed, context) => {
    if (parsed.flag('-c', '-C', '--clear', '--read-clear')) change(context, 'kernel log', 'history:clear')
    else if (parsed.flag('-D', '-E', '--console-off', '--console-on') || parsed.value('-n', '--console-level') !== null)
      change(context, 'kernel log', 'log:change')
  },
}

const auditctl: CommandSpec = {
  flags: list('-s -l -v -D -t -c -i'),
  options: { ...takes('-e -f -b -r -a -A -d -w -W -p -k -F -S -m --loginuid-immutable --backlog_wait_time --signal'), '-R': 'read' },
  inert: ['-h', '--help', '-v'],
  refine: (parsed, context) => {
    const enabled = parsed.value('-e')
    if ((enabled !== null && enabled.text !== '1' && enabled.text !== '2') || parsed.flag('-D') || parsed.value('-d', '-W') !== null) {
      change(context, 'auditing', 'security:disable')
    } else if (!parsed.flag('-s', '-l')) change(context, 'auditing', 'security:change')
  },
}

/** A program that switches a protection off by what its first operand is. */
const offSwitch = (what: string, off: RegExp, changes: RegExp): CommandSpec => ({
  operands: ['data'],
  inert: HELP,
  refine: (parsed, context) => {
    const words = [...parsed.unknown, ...parsed.operands].map((word) => word.text ?? '\0').join(' ')
    if (off.test(words) || words.includes('\0')) change(context, what, 'security:disable')
    else if (changes.test(words)) change(context, what, 'security:change')
  },
})

const logger: CommandSpec = {
  flags: list('-i -s -e -d -T'),
  optionalValues: ['--id', '--journald'],
  options: {
    ...takes('-n -P -p -t -u -S --server --port --priority --tag --socket --size --msgid --sd-id --sd-param --prio-prefix-level'),
    '-f': 'read',
    '--file': 'read',
  },
  inert: HELP,
  refine: (parsed, context) => {
    const server = parsed.value('-n', '--server')
    if (server !== null) context.emit('send', context.url(server), { action: 'log:write', span: server.span })
  },
}

const grub: CommandSpec = { options: { '-o': 'write' }, inert: HELP, effects: [{ verb: 'change', action: 'kernel:boot' }] }

function removesPath(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.operands.slice(1)) if (word.prefix.includes('/')) deletePath(context, word, { certainty: 'possible' })
}

export const system: CommandTable = byName({
  sysctl,
  'modprobe insmod': module_('kernel:module'),
  rmmod: module_('kernel:module'),
  'kmod depmod dkms': {
    operands: ['data'],
    inert: HELP,
    refine: ({ operands: [word] }, context) => {
      if (word !== undefined && !/^(?:list|status|static-nodes)$/.test(word.text ?? ''))
        change(context, 'kernel modules', { action: 'kernel:module', span: word.span })
    },
  },
  'modinfo sestatus getenforce getsebool aa-status lsinitrd uname hostid nvidia-smi lshw hwinfo inxi sensors': {
    inert: HELP,
  },
  dmidecode: {
    options: { ...takes('-d --dev-mem -s --string -t --type -H --handle --oem-string'), '--dump-bin': 'write', '--from-dump': 'read' },
    inert: HELP,
  },
  'shutdown reboot poweroff halt': shutdown,
  'init telinit runlevel': init,
  kexec: { inert: HELP, effects: [{ verb: 'change', action: 'power:off', reversible: false }] },
  'pm-suspend pm-hibernate rtcwake': { inert: HELP, effects: [{ verb: 'change', action: 'power:off' }] },
  'date gdate': date,
  'hwclock ntpdate chronyc sntp': {
    operands: ['data'],
    flags: list('-r --show -w -s --systohc --hctosys -q'),
    inert: [...HELP, '-r', '--show', '-q'],
    refine: ({ operands, invocation }, context) => {
      const shows =
        invocation.name === 'chronyc' && /^(?:tracking|sources|sourcestats|activity|ntpdata)$/.test(operands[0]?.text ?? 'tracking')
      if (!shows) change(context, 'clock', 'system:clock')
    },
  },
  journalctl,
  dmesg,
  auditctl,
  'ausearch aureport': { options: { '-if': 'read' }, singleDashLong: true, inert: HELP },
  setenforce: offSwitch('SELinux', /^(?:0|permissive)$/i, /./),
  'setsebool semanage semodule': offSwitch('SELinux', /\bpermissive\b|(?:^|\s)-(?:r|d|D)\b|\boff\b/i, /./),
  'restorecon chcon audit2allow': offSwitch('SELinux', /^$a/, /./),
  'aa-disable aa-teardown aa-complain aa-remove-unknown': {
    inert: HELP,
    effects: [{ verb: 'change', action: 'security:disable' }],
  },
  apparmor_parser: offSwitch('AppArmor', /(?:^|\s)(?:-[A-Za-z]*[RC]|--remove|--Complain)/, /./),
  'fail2ban-client': offSwitch('fail2ban', /\b(?:stop|unban|unload)\b/, /\b(?:set|start|reload|add)\b/),
  logger,
  // macOS: runs a program as another architecture; alone it prints the name.
  arch: {
    flags: list('-32 -64 -x86_64 -arm64 -arm64e -i386 -h -c'),
    options: takes('-arch -d -e'),
    singleDashLong: true,
    stopAtOperand: true,
    refine: ({ operands }, context) => {
      if (operands.length > 0) context.command(operands, 'arch')
    },
  },
  wevtutil: {
    operands: ['data'],
    refine: ({ operands: [word] }, context) => {
      if (/^(?:cl|clear-log)$/i.test(word?.text ?? 'cl')) change(context, 'event log', 'history:clear')
    },
  },
  logrotate: {
    options: takes('-s'),
    flags: list('-f -d -v'),
    inert: [...HELP, '-d', '--debug'],
    operands: ['read'],
    effects: [{ verb: 'change', action: 'log:rotate' }],
  },
  'update-grub grub-install grub-mkconfig grub2-mkconfig update-initramfs mkinitcpio dracut kernelstub': grub,
  efibootmgr: offSwitch('boot entries', /^$a/, /-/),
  'ldconfig update-alternatives alternatives update-ca-certificates update-ca-trust trust locale-gen dpkg-reconfigure authconfig authselect pam-auth-update':
    {
      operands: ['data'],
      inert: [...HELP, '-p', '--display', '--list', '--query'],
      effects: [{ verb: 'change', action: 'system:setting' }],
    },
  tmpreaper: { inert: [...HELP, '-t', '--test'], refine: removesPath },
  keyctl: {
    operands: ['data'],
    inert: HELP,
    refine: ({ operands: [word] }, context) => {
      if (/^(?:read|print|pipe)$/.test(word?.text ?? 'read'))
        context.emit('read', context.thing('resource', 'kernel keyring'), { action: 'secret:read' })
      else if (!/^(?:show|list|rlist|describe|rdescribe|search|request|get_persistent|session|id|supports)$/.test(word?.text ?? ''))
        change(context, 'kernel keyring', { action: 'secret:change', ...(word === undefined ? {} : { span: word.span }) })
    },
  },
})
