import type { CommandContext, CommandSpec, CommandTable, Word } from '../../host.ts'
import { joinWord } from '../../resources/acts.ts'
import { byName, list, takes } from '../tool.ts'
import { PROTECTIONS } from './protections.ts'

/**
 * What runs later or in the background: services, timers, scheduled jobs.
 * Actions: service:start, service:stop, service:restart, service:reload, service:change · service:enable (persist) ·
 * service:disable · security:disable (the service protects the machine) · schedule:install (persist) · schedule:remove · power:*.
 */

const HELP = ['--help', '--version']

const STOPS: ReadonlySet<string> = new Set(list('stop disable mask kill unload bootout remove try-stop force-stop off del delete'))

/** One act on one service; stopping what protects the machine is switching a protection off. */
function onService(context: CommandContext, word: Word | undefined, operation: string): void {
  const name = word?.text ?? word?.prefix ?? 'unknown'
  const protects = STOPS.has(operation) && PROTECTIONS.has(name.toLowerCase())
  context.emit(PERSISTS.has(operation) ? 'persist' : 'change', context.thing('service', name), {
    action: protects ? 'security:disable' : `service:${operation}`,
    ...(word === undefined ? {} : { span: word.span }),
    ...(word !== undefined && word.text === null ? { reason: 'the service is not known before it runs' } : {}),
  })
}

const PERSISTS: ReadonlySet<string> = new Set(
  list('enable reenable preset link load bootstrap submit add defaults install on edit set-property'),
)

const QUIET = list(
  'status show cat list-units list-unit-files list-timers list-sockets list-jobs list-dependencies list-machines ' +
    'is-active is-enabled is-failed is-system-running help get-default show-environment list-paths list-automounts',
)
const ACTING = list(
  'start stop restart reload try-restart reload-or-restart isolate kill clean freeze thaw enable disable reenable preset ' +
    'mask unmask link revert edit add-wants add-requires set-property reset-failed daemon-reload daemon-reexec set-default ' +
    'set-environment unset-environment import-environment service-log-level',
)
const POWER = list('reboot poweroff halt suspend hibernate hybrid-sleep kexec soft-reboot rescue emergency default exit')

const acts = (operation: string): CommandSpec => ({
  refine: ({ operands }, context) => {
    if (operands.length === 0) onService(context, undefined, operation)
    for (const word of operands) onService(context, word, operation)
  },
})

const power = (operation: string): CommandSpec => ({
  effects: [{ verb: 'change', action: `power:${operation}`, target: { kind: 'resource', value: 'machine' }, reversible: false }],
})

function table(names: readonly string[], make: (name: string) => CommandSpec): Readonly<Record<string, CommandSpec>> {
  return Object.fromEntries(names.map((name) => [name, make(name)]))
}

const systemctl: CommandSpec = {
  flags: list(
    '-a -l -q -f -r --all --full --quiet --force --now --no-block --user --system --global --runtime --no-pager --no-legend --plain --failed --recursive',
  ),
  options: takes(
    '-t -p -P -s -n -o -H -M --type --state --property --signal --lines --output --host --machine --root --job-mode ' +
      '--kill-who --kill-whom --what --image --preset-mode --check-inhibitors --message --timestamp --boot-loader-menu ' +
      '--boot-loader-entry --legend --drop-in --when',
  ),
  inert: [...HELP, '-h'],
  subcommands: { ...table(QUIET, () => ({ operands: ['data'] })), ...table(ACTING, acts), ...table(POWER, power) },
}

/** `service NAME ACTION`, and programs with the same order. */
const serviceWord = (name: number, action: number): CommandSpec => ({
  flags: list('-s -f -v --skip-redirect --full-restart'),
  inert: [...HELP, '--status-all'],
  refine: ({ operands, invocation }, context) => {
    const verb = operands[action]
    // The name is looked for below /etc/init.d, and may lead out of there.
    const named = operands[name]
    if (named?.prefix.includes('/')) context.command([joinWord('/etc/init.d/', named), ...operands.slice(1)], invocation.name)
    if (verb === undefined) return
    if (verb.text === null) context.opaque('what happens to the service is not known before it runs', verb.span)
    else if (
      !/^(?:status|list|show|info|describe|logs?|monit|avail|tail|pid|version|help|jlist|prettylist|ls|maintail|reread)$/.test(verb.text)
    ) {
      onService(context, operands[name], verb.text.replaceAll('_', '-').toLowerCase())
    }
  },
})

const LAUNCH_QUIET = list(
  'list getenv print print-disabled print-cache hostinfo procinfo resolveport examine version help managername manageruid ' +
    'managerpid blame dumpstate error plist',
)
const LAUNCH_ACTING = list(
  'load unload bootstrap bootout enable disable start stop kickstart kill submit remove setenv unsetenv limit config attach debug asuser bsexec reboot',
)

/** The service is the last operand: `launchctl bootstrap gui/501 file.plist`. */
const lastOf = (operation: string): CommandSpec => ({
  refine: ({ operands }, context) => onService(context, operands.at(-1), operation),
})

const launchctl: CommandSpec = {
  flags: list('-w -F -k -p -s'),
  options: takes('-S -D -l -o -e'),
  subcommands: {
    ...table(LAUNCH_QUIET, () => ({ operands: ['data'] })),
    ...table(LAUNCH_ACTING, (name) => (name === 'bootstrap' || name === 'kill' ? lastOf(name) : acts(name))),
  },
}

/** `loginctl`, `hostnamectl` and kin: words that begin with set, terminate … change, the others show. */
const control = (changes: RegExp): CommandSpec => ({
  flags: list('-a -l --no-pager --static --pretty --transient --all --full'),
  options: takes('-p -H -M -n -o -s --property --host --machine'),
  operands: ['data'],
  inert: [...HELP, '-h'],
  refine: ({ operands: [word, ...others], invocation }, context) => {
    if (word === undefined) return
    if (word.text === null) context.opaque(`what \`${invocation.name}\` does is not known before it runs`, word.span)
    else if (changes.test(word.text) || (word.text === 'hostname' && others.length > 0)) {
      context.emit('change', context.thing('resource', `${invocation.name} ${word.text}`), { action: 'service:change', span: word.span })
    }
  },
})

const CHANGES = new RegExp(
  String.raw`^(?:set-|terminate|kill|lock|unlock|enable|disable|attach|activate|flush|start|stop|poweroff|reboot|clone|rename` +
    String.raw`|remove|import|pull|create|update|install|passwd|resize|detach|ntp)`,
)

const MACHINE = control(CHANGES)

/** `machinectl shell [[USER@]MACHINE [COMMAND…]]`: without a machine, or with `.host`, on this one. */
const machinectl: CommandSpec = {
  ...MACHINE,
  refine: (parsed, context) => {
    const { args } = parsed.invocation
    const at = args.findIndex(({ text }) => text === 'shell' || text === 'login')
    if (at < 0 || parsed.operands[0]?.text !== args[at]?.text) {
      MACHINE.refine?.(parsed, context)
      return
    }
    const words = args.slice(at + 1)
    const first = words.findIndex(({ prefix }) => !prefix.startsWith('-'))
    const machine = first < 0 ? '.host' : (words[first]?.text ?? '…')
    const remote = !/^(?:[^@]*@)?\.host$/.test(machine)
    context.emit('execute', context.thing('resource', machine), { action: remote ? 'net:remote-shell' : 'privilege:elevate' })
    const command = first < 0 ? [] : words.slice(first + 1)
    if (command.length > 0)
      context.within({ attributes: remote ? { remote: machine } : {}, remote }, (inside) => inside.command(command, 'machinectl'))
  },
}

export const services: CommandTable = byName({
  systemctl,
  'service rc-service invoke-rc.d': serviceWord(0, 1),
  'update-rc.d chkconfig': serviceWord(0, 1),
  'rc-update': serviceWord(1, 0),
  'initctl supervisorctl svcadm s6-rc sv runit monit god': serviceWord(1, 0),

  launchctl,
  atrm: { effects: [{ verb: 'delete', action: 'schedule:remove', target: { kind: 'service', value: 'at queue' } }] },
  atq: { inert: HELP },
  'hostnamectl timedatectl localectl loginctl portablectl homectl bootctl': control(CHANGES),
  machinectl,
  'dbus-send gdbus qdbus': {
    operands: ['data'],
    inert: HELP,
    refine: ({ operands, invocation, unknown }, context) => {
      const calls =
        operands.some((word) => /^(?:call|set-property|emit)$/.test(word.text ?? '')) ||
        invocation.name === 'dbus-send' ||
        invocation.name === 'qdbus'
      const shows = unknown.some((word) => word.text === '--introspect') || operands[0]?.text === 'introspect'
      if (calls && !shows) context.emit('change', context.thing('service', 'message bus'), { action: 'service:call' })
    },
  },
  schtasks: {
    refine: ({ invocation }, context) => {
      const words = invocation.args.map((word) => word.text?.toLowerCase() ?? '/create')
      if (words.includes('/create') || words.includes('/change'))
        context.emit('persist', context.thing('service', 'scheduled task'), { action: 'schedule:install' })
      else if (words.includes('/delete')) context.emit('delete', context.thing('service', 'scheduled task'), { action: 'schedule:remove' })
    },
  },
})
