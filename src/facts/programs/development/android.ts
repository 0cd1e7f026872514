import type { CommandContext, CommandTable, ParsedCommand } from '../../host.ts'
import { writePath } from '../../resources/acts.ts'
import { installs, LISTS } from '../packages/packages.ts'
import { byName, does, list, takes, tool } from '../tool.ts'
import { type Develops, develops } from './develop.ts'

/** Android: adb, fastboot and the SDK. What runs on the device is not this machine's. Actions: dev:device, disk:flash, disk:erase. */

const BUILD: Develops = { action: 'dev:build', operands: 'data' }

/** Commands on the device: what runs there is not this machine's. */
function adbShell(parsed: ParsedCommand, context: CommandContext): void {
  const words = parsed.operands
  context.emit('execute', context.thing('host', 'android device'), { action: words.length === 0 ? 'dev:device-login' : 'dev:device' })
  const text = words.some((word) => word.text === null) ? null : words.map((word) => word.text).join(' ')
  if (words.length > 0)
    context.within({ attributes: { remote: 'android device' }, remote: true }, (inner) => inner.shell(text, parsed.invocation.span, 'adb'))
}

const ADB = tool('dev', {
  flags: list('-a -d -e'),
  options: takes('-s -t -H -P -L'),
  subcommands: byName({
    shell: { flags: ['-n', '-T', '-t', '-x'], stopAtOperand: true, operands: [], refine: adbShell },
    'install install-multiple sideload': does(
      { verb: 'execute', action: 'dev:device', kind: 'resource', value: 'android device' },
      { operands: ['read'], flags: list('-r -t -d -g -l') },
    ),
    uninstall: does({ verb: 'delete', action: 'dev:device', kind: 'package', at: 0 }, { flags: ['-k'] }),
    push: {
      flags: ['--sync', '-z', '-Z'],
      operands: ['read'],
      lastOperand: 'data',
      effects: [{ verb: 'execute', action: 'dev:device' }],
    },
    pull: {
      flags: ['-a', '-z'],
      refine: ({ operands }, context) => {
        const into = operands.length > 1 ? operands.at(-1) : undefined
        if (into !== undefined) writePath(context, into)
        context.emit('read', context.thing('resource', 'android device'), { action: 'dev:device' })
      },
    },
    'devices logcat get-state get-serialno bugreport version help forward reverse jdwp features wait-for-device': LISTS,
    'connect disconnect pair tcpip usb start-server kill-server reconnect': does({
      verb: 'change',
      action: 'dev:device',
      kind: 'resource',
      at: 0,
      value: 'android device',
    }),
    'reboot root unroot remount disable-verity enable-verity': does({
      verb: 'change',
      action: 'dev:device',
      kind: 'resource',
      value: 'android device',
      reversible: false,
    }),
    backup: does(
      [
        { verb: 'read', action: 'dev:device', kind: 'resource', value: 'android device' },
        // Of every application: its accounts and tokens are among them.
        {
          verb: 'read',
          action: 'secret:read',
          kind: 'account',
          value: 'all applications of the device',
          when: (parsed) => parsed.flag('-all'),
        },
      ],
      {
        options: { '-f': 'write' },
        flags: list('-all -apk -noapk -obb -noobb -shared -noshared -system -nosystem -keyvalue'),
        singleDashLong: true,
      },
    ),
  }),
  operands: ['data'],
  refine: (_, context) => context.emit('execute', context.thing('program', 'adb'), { action: 'tool:help' }),
})

const ERASES = does({ verb: 'delete', action: 'disk:erase', kind: 'resource', from: 0, value: 'android device', reversible: false })
const FASTBOOT = tool('dev', {
  everywhere: (parsed, context) => {
    if (!parsed.flag('-w')) return
    context.emit('delete', context.thing('resource', 'android device'), { action: 'disk:erase', reversible: false })
  },
  flags: ['-w', '--slot', '--force', '--skip-reboot'],
  options: takes('-s -S --set-active'),
  subcommands: byName({
    'devices getvar help': LISTS,
    flash: {
      ...does({ verb: 'change', action: 'disk:flash', kind: 'resource', at: 0, value: 'android device', reversible: false }),
      operands: ['data', 'read'],
    },
    'flashall update': does({ verb: 'change', action: 'disk:flash', kind: 'resource', value: 'android device', reversible: false }),
    'erase format': ERASES,
    'flashing oem': does({ verb: 'change', action: 'disk:flash', kind: 'resource', from: 0, value: 'android device', reversible: false }),
    'reboot reboot-bootloader continue boot set_active': does({
      verb: 'change',
      action: 'dev:device',
      kind: 'resource',
      value: 'android device',
    }),
  }),
})

export const android: CommandTable = byName({
  adb: ADB,
  fastboot: FASTBOOT,
  'emulator avdmanager apkanalyzer aapt aapt2 bundletool d8 r8 zipalign apksigner': develops({
    ...BUILD,
    flags: '-list-avds -no-window',
    valued: '-avd -n --ks --ks-key-alias',
    writes: '--out --output',
  }),
  sdkmanager: installs(
    { manager: 'sdkmanager', manifest: 'android sdk' },
    { flags: ['--licenses', '--update'], inert: ['--list', '--help', '--version', '--list_installed'] },
  ),
})
