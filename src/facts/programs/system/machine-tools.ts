import type { CommandSpec, CommandTable } from '../../host.ts'
import { deletePath } from '../../resources/acts.ts'
import { byName, refined, takes } from '../tool.ts'
import { wording } from '../wording.ts'
import { countersign } from './countersign.ts'

/**
 * Programs of Linux and macOS that set up the machine itself: firmware, boot menu, radios, directories of accounts, sessions,
 * printers. What they show is everyday; what they set outlives the session.
 */

const FIRMWARE = wording({
  on: 'firmware',
  lines: [
    [
      null,
      /^(?:get-\S+|search|verify|verify-update|security|report-\S+|quit|hwids|device-\S+|refresh|check-\S+|download|dump-\S+|bios-settings?)\b/,
    ],
  ],
  otherwise: 'change kernel:boot',
})

const BOOT_MENU = 'change kernel:boot'

/** `swaymsg exit`, `i3-msg exec CMD`: what `exec` is given runs in the session. */
const windowControl: CommandSpec = refined(
  ({ operands }, context) => {
    const words = operands[0]?.text === 'dispatch' ? operands.slice(1) : operands
    const [verb, ...rest] = words.length === 1 ? (words[0]?.text ?? '').split(' ') : words.map((word) => word.text ?? '')
    if (verb === 'exit') context.emit('change', context.thing('resource', 'session'), { action: 'power:off' })
    const [first] = words
    if (verb !== 'exec' || first === undefined) return
    context.shell(rest.join(' '), first.span, 'window manager')
  },
  {
    operands: ['data'],
    stopAtOperand: true,
    options: takes('-t -s --type --socket -i --instance'),
    inert: ['--help', '--version', '-h', '-v'],
  },
)

const gio: CommandSpec = refined(
  (parsed, context) => {
    const [verb, ...files] = parsed.operands
    if (verb?.text === 'trash' && parsed.flag('--empty'))
      context.emit('delete', context.thing('resource', 'trash'), { action: 'fs:trash', reversible: false })
    else if (verb?.text === 'remove' || verb?.text === 'trash') {
      for (const word of files)
        deletePath(context, word, { action: verb.text === 'trash' ? 'fs:trash' : 'fs:remove', reversible: verb.text === 'trash' })
    } else if (verb?.text === 'mount') context.emit('change', context.thing('resource', 'volume'), { action: 'mount:mount' })
  },
  { operands: ['data'], flags: ['--empty', '--list', '--restore', '-f', '--force'], inert: ['--help', '--version', '--list'] },
)

export const machineTools: CommandTable = byName({
  countersign,
  fwupdmgr: FIRMWARE,
  fwupdtool: FIRMWARE,
  flashrom: wording({
    on: 'firmware',
    lines: [['change kernel:boot', / -(?:[wE]|-write|-erase|-wp-(?:enable|disable|range|region))\b/]],
    otherwise: null,
    valued: '-p --programmer -c --chip -l --layout -i --include -o --output',
    roles: { '-r': 'write', '--read': 'write', '-v': 'read', '--verify': 'read', '-w': 'read', '--write': 'read' },
  }),
  'grub-reboot grub2-reboot grub-set-default grub2-set-default kernel-install': wording({
    on: 'boot menu',
    lines: [[null, /^(?:inspect|list)\b| --print\b/]],
    otherwise: BOOT_MENU,
  }),
  'grub-editenv grub2-editenv': wording({ on: 'boot menu', lines: [[null, /\blist\b/]], otherwise: BOOT_MENU }),
  grubby: wording({
    on: 'boot menu',
    lines: [[null, / --(?:info|default-kernel|default-index|default-title|bootloader-probe)\b/]],
    otherwise: BOOT_MENU,
  }),
  mokutil: wording({
    on: 'keys of secure boot',
    lines: [
      ['change security:disable', / --disable-validation\b/],
      [null, / -(?:-sb-state|-list-\S+|-test-key|-pk|-kek|-db|-dbx|l|N|x|t)\b/],
    ],
    otherwise: BOOT_MENU,
  }),
  cpupower: wording({
    on: 'processor',
    lines: [
      ['change kernel:setting', /^(?:frequency-set|idle-set|set|powercap-set)\b/],
      [null, /^(?:frequency-info|idle-info|powercap-info|info|monitor)\b/],
    ],
  }),
  'cgcreate cgset cgdelete cgclassify cgconfigparser': wording({ on: 'control groups', lines: [], otherwise: 'change kernel:setting' }),
  udevadm: wording({
    on: 'devices',
    lines: [
      ['change kernel:setting', /^(?:trigger|control|lock)\b/],
      [null, /^(?:info|monitor|settle|test|test-builtin|verify|hwdb|wait|cat)\b/],
    ],
  }),
  ipmitool: wording({
    on: 'machine behind its controller',
    lines: [
      [
        null,
        new RegExp(
          String.raw`^(?:(?:chassis|power) (?:status|poh|restart_cause|selftest)|sel (?:info|list|elist|get|time get)` +
            String.raw`|(?:sdr|sensor|fru|lan|mc|bmc|user|channel|session|pef|sol|dcmi|event|firewall|raw --help) ?(?:info|list|elist|get` +
            String.raw`|print|summary|type|status|test)?$|(?:sdr|sensor|fru|lan|mc|bmc|user|channel|session|pef|sol) (?:info|list|elist|get` +
            String.raw`|print|summary|type|status|test)\b)`,
        ),
      ],
      ['change user:change', /^(?:user|channel setaccess)\b/],
      ['change power:off', /^\S+/],
    ],
    valued: '-H -U -P -I -L -f -p -t -o -C -y -k -K',
    flags: '-E -a -v -c -g',
  }),
  networkctl: wording({
    on: 'network links',
    lines: [[null, /^(?:list|status|lldp|label|cat)\b|^ /]],
    otherwise: 'change firewall:network',
  }),
  rfkill: wording({
    on: 'radios',
    lines: [
      ['change firewall:network', /^(?:block|unblock|toggle)\b/],
      [null, /^(?:list|event)\b/],
    ],
  }),
  iw: wording({
    on: 'radio',
    lines: [
      [
        'change firewall:network',
        /\b(?:connect|disconnect|auth|set|add|del|join|leave|start|stop|roc|wowlan (?:enable|disable)|offchannel|switch)\b/,
      ],
    ],
    otherwise: null,
  }),
  conntrack: wording({
    on: 'tracked connections',
    lines: [['change firewall:change', / -(?:[DFIU]|-delete|-flush|-create|-update)\b/]],
    otherwise: null,
  }),
  brctl: wording({
    on: 'bridge',
    lines: [
      ['change firewall:network', /^(?:addbr|delbr|addif|delif|set\S+|stp|hairpin)\b/],
      [null, /^show/],
    ],
  }),
  'systemd-creds': wording({
    on: 'credentials of services',
    lines: [
      ['read secret:read', /^(?:decrypt|cat)\b/],
      [null, /^(?:list|encrypt|setup|has-tpm2)\b/],
    ],
    valued: '--name --with-key',
  }),
  'systemd-sysext systemd-confext': wording({ on: 'system', lines: [['change system:setting', /^(?:merge|unmerge|refresh)\b/]] }),
  'systemd-firstboot': wording({ on: 'system', lines: [['change user:password', / --root-password/]], otherwise: 'change system:setting' }),
  's6-svc svc': wording({
    on: 'service',
    kind: 'service',
    lines: [[null, /^(?:list|listall|diff|help)\b| --help/]],
    otherwise: 'change service:stop',
  }),
  realm: wording({ on: 'domain', kind: 'account', lines: [[null, /^(?:list|discover)\b/]], otherwise: 'change user:change' }),
  ipa: wording({
    on: 'directory',
    kind: 'account',
    lines: [
      [null, /^(?:\S+-(?:find|show|status|test|verify)|ping|env|help|plugins|whoami|schema|console --help)\b/],
      ['read secret:read', /^vault-retrieve\b/],
    ],
    otherwise: 'change user:change',
  }),
  'ldapadd ldapmodify ldapdelete ldapmodrdn ldappasswd dsrm dsadd dsmod dsmove': wording({
    on: 'directory',
    kind: 'account',
    lines: [[null, /^ *$/]],
    otherwise: 'change user:change',
    valued: '-D -w -H -h -p -b',
    inert: '-n /?',
  }),
  smbpasswd: wording({ on: 'account of file shares', kind: 'account', lines: [], otherwise: 'change user:password' }),
  pdbedit: wording({
    on: 'accounts of file shares',
    kind: 'account',
    lines: [[null, / -(?:[A-Za-z]*L|-list)/]],
    otherwise: 'change user:change',
  }),
  'kadmin kadmin.local': wording({
    on: 'principals',
    kind: 'account',
    lines: [
      [null, /\b(?:list\w*|get\w*|help)\b/],
      ['read secret:read', /\b(?:ktadd|xst)\b/],
    ],
    otherwise: 'change user:change',
    valued: '-p -r -s -w -k -t',
  }),
  'pwconv pwunconv grpconv grpunconv createhomedir dsconfigad dsconfigldap': wording({
    on: 'accounts',
    kind: 'account',
    lines: [[null, / -show\b/]],
    otherwise: 'change user:change',
  }),
  dsenableroot: wording({ on: 'root', kind: 'account', lines: [], otherwise: 'change privilege:grant' }),
  kickstart: wording({ on: 'remote management', lines: [[null, /^ *$/]], otherwise: 'change privilege:grant' }),
  pwpolicy: wording({
    on: 'password policy',
    lines: [[null, /\bget|-get|authentication-allowed/]],
    otherwise: 'change security:change',
    valued: '-a -u -n -p',
  }),
  mas: wording({
    on: 'App Store',
    lines: [
      [null, /^(?:list|search|outdated|info|account|version|config|lookup|home|open|vendor|region)\b|^ /],
      ['change os-package:remove', /^uninstall\b/],
      ['change os-package:install', /^(?:install|lucky|purchase|get|upgrade|update)\b/],
      ['change tool:auth', /^sign(?:in|out)\b/],
    ],
  }),
  'xbps-remove': wording({ on: 'packages', lines: [], otherwise: 'change os-package:remove', inert: '-n --dry-run' }),
  'xbps-install': wording({ on: 'packages', lines: [], otherwise: 'change os-package:install', inert: '-n --dry-run' }),
  'do-release-upgrade': wording({
    on: 'system',
    lines: [[null, / (?:-c|--check-dist-upgrade-only)\b/]],
    otherwise: 'change os-package:upgrade',
  }),
  bluetoothctl: wording({
    on: 'radio',
    lines: [
      [
        'change system:setting',
        /^(?:remove|power|pair|connect|disconnect|trust|untrust|block|unblock|discoverable|pairable|cancel-pairing|advertise|system-alias)\b/,
      ],
      [null, /^(?:list|show|devices|paired-devices|info|scan|agent|default-agent|select|menu|monitor|mgmt|version|help)\b/],
    ],
    valued: '-t --timeout --agent',
  }),
  'gnome-session-quit xfce4-session-logout lxqt-leave': wording({ on: 'session', lines: [], otherwise: 'change power:off' }),
  'swaymsg i3-msg hyprctl': windowControl,
  'lpadmin cupsenable cupsdisable cupsctl lpmove lpoptions': wording({
    on: 'printer',
    kind: 'service',
    lines: [[null, /^ *$| -l\b/]],
    otherwise: 'change service:change',
  }),
  'cancel lprm': wording({ on: 'printer', kind: 'service', lines: [[null, /^ *$/]], otherwise: 'change service:change' }),
  'wf-recorder wl-screenrec': {
    options: { ...takes('-g -c -r --audio -a -o'), '-f': 'write', '--file': 'write', '--filename': 'write' },
    inert: ['--help', '--version', '-h', '-v'],
    effects: [{ verb: 'read', action: 'capture:screen', target: { kind: 'resource', value: 'screen' } }],
  },
  gio,
})
