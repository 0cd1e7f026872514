import type { EffectOptions } from '../../effect.ts'
import type { CommandContext, CommandSpec, CommandTable } from '../../host.ts'
import { changePath, readPath, writePath } from '../../resources/acts.ts'
import { byName, known, list, runsLine, takes } from '../tool.ts'
import { isUnheard } from '../wording.ts'

/**
 * Programs that only macOS has.
 * Actions: security:disable · security:change · secret:read, secret:change · user:* · disk:* · system:setting · firewall:network ·
 * backup:delete · fs:attributes · app:open, app:script · capture:screen · os-package:*.
 */

const HELP = ['--help', '-h', 'help']

function change(context: CommandContext, what: string, options: string | EffectOptions): void {
  context.emit('change', context.thing('resource', what), typeof options === 'string' ? { action: options } : options)
}

interface Words {
  readonly what: string
  /** Each pattern is matched against all words joined by blanks; unknown words are NUL. The first that matches decides. */
  readonly rules: readonly (readonly [RegExp, string])[]
  readonly valued?: string
}

/** Words that only ask, joined to what they ask for: `listbackups`. */
const ASKS = /^(?:list|show|get|find|dump|info|verify|latest|compare|unique|calculate|destinationinfo|machinedirectory|print|query|is)/

/** A program whose words say what it does. */
function byWords({ what, rules, valued = '' }: Words): CommandSpec {
  return {
    options: takes(valued),
    operands: ['data'],
    inert: ['--help'],
    refine: ({ invocation }, context) => {
      const words = invocation.args.map((word) => word.text ?? '\0').join(' ')
      const rule = rules.find(([pattern]) => pattern.test(words))
      if (rule === undefined) {
        if (words.startsWith('\0')) context.opaque(`what \`${invocation.name}\` does is not known before it runs`)
        else if (isUnheard(words) && !ASKS.test(words))
          context.emit('execute', context.thing('program', invocation.name), { action: 'program:unknown', certainty: 'likely' })
      } else if (rule[1].startsWith('secret:read')) context.emit('read', context.thing('resource', what), { action: rule[1] })
      else if (rule[1] === 'disk:erase' || rule[1] === 'backup:delete')
        context.emit('delete', context.thing('resource', what), { action: rule[1] })
      else if (rule[1] !== '') change(context, what, rule[1])
    },
  }
}

const security = byWords({
  what: 'keychain',
  rules: [
    [/^(?:list-keychains|default-keychain|login-keychain).* -s\b/, 'secret:change'],
    [/^cms .*-S\b|^trust-settings-export/, 'secret:export'],
    [
      new RegExp(
        String.raw`^(?:list-smartcards|translocate-|requirement-evaluate|leaks|find-key|find-certificate|list-keychains|default-keychain$` +
          String.raw`|login-keychain$|find-identity|verify-cert|show-keychain-info|cms|error|help|version|trust-settings-export` +
          String.raw`|dump-trust-settings)`,
      ),
      '',
    ],
    [/^(?:find-(?:generic|internet)-password).*(?: -[A-Za-z]*[gw])/, 'secret:read'],
    [/^(?:find-(?:generic|internet)-password)/, ''],
    [/^(?:dump-keychain|export|unlock-keychain|find-key)/, 'secret:read'],
    [/^authorizationdb read/, ''],
    [/^authorizationdb/, 'security:change'],
    [/^(?:add-trusted-cert|trust-settings-import)/, 'security:change'],
    [/^(?:delete-keychain|delete-)/, 'secret:change'],
    [/^\S+/, 'secret:change'],
  ],
})

const csrutil = byWords({
  what: 'system integrity protection',
  rules: [
    [/^(?:disable|clear|authenticated-root disable)/, 'security:disable'],
    [/^(?:enable|netboot)/, 'security:change'],
  ],
})

const spctl = byWords({
  what: 'Gatekeeper',
  rules: [
    [/--(?:master-disable|global-disable|disable)|^kext-consent disable/, 'security:disable'],
    [/--(?:add|remove|enable|master-enable|global-enable|reset)/, 'security:change'],
  ],
})

const DEFAULTS_OFF =
  /(?:LSQuarantine|com\.apple\.alf|loginwindow|screensaver askForPassword|SoftwareUpdate|XProtect|DisableGatekeeper|GKAutoRearm|MRT)/i

const defaults: CommandSpec = {
  flags: list('-currentHost -app -g -globalDomain'),
  options: takes('-host'),
  singleDashLong: true,
  operands: ['data'],
  inert: ['help'],
  refine: ({ operands: [verb, domain, key], invocation }, context) => {
    if (verb === undefined || /^(?:read|read-type|domains|find|help|export)$/.test(verb.text ?? '')) return
    const what = `${domain?.text ?? 'unknown'} ${key?.text ?? ''}`.trim()
    const words = invocation.args.map((word) => word.text ?? '').join(' ')
    change(context, what, { action: DEFAULTS_OFF.test(words) ? 'security:disable' : 'system:setting', span: verb.span })
  },
}

export const macos: CommandTable = byName({
  security,
  csrutil,
  spctl,
  defaults,
  nvram: byWords({ what: 'firmware variables', rules: [[/^-(?:c|d)\b|=/, 'kernel:boot']] }),
  bless: byWords({ what: 'boot volume', rules: [[/--(?:mount|setBoot|folder|device|netboot)/, 'kernel:boot']] }),
  fdesetup: byWords({
    what: 'FileVault',
    rules: [
      [/^disable/, 'security:disable'],
      [/^(?:enable|add|remove|changerecovery|removerecovery|authrestart|sync)/, 'security:change'],
    ],
  }),
  tmutil: byWords({
    what: 'backups',
    rules: [
      [/^(?:delete|deletelocalsnapshots|thinlocalsnapshots|deleteinprogress)/, 'backup:delete'],
      [/^disable/, 'security:disable'],
      [
        new RegExp(
          String.raw`^(?:addexclusion|removeexclusion|setdestination|removedestination|setquota|enable|restore|associatedisk|inheritbackup` +
            String.raw`|localsnapshot|snapshot|startbackup|stopbackup)`,
        ),
        'system:setting',
      ],
    ],
  }),
  profiles: byWords({
    what: 'configuration profiles',
    rules: [
      [/^(?:remove|-[RrD])/, 'security:disable'],
      [/^(?:install|renew|sync|-I)/, 'security:change'],
    ],
  }),
  dscl: byWords({
    what: 'directory accounts',
    rules: [
      [/ -?(?:append|merge) \/Groups\/(?:admin|wheel)/i, 'privilege:grant'],
      [/(?:^| )-?(?:create|append|merge|delete|change|passwd|authonly)(?:pl)?i?\b/i, 'user:change'],
    ],
  }),
  dseditgroup: byWords({ what: 'directory groups', rules: [[/-o (?:edit|create|delete)/, 'privilege:grant']] }),
  sysadminctl: byWords({
    what: 'accounts',
    rules: [
      [/-(?:addUser|deleteUser|resetPasswordFor|newPassword|secureTokenOn|secureTokenOff|adminUser)/i, 'user:change'],
      [/-(?:guestAccount|smbGuestAccess|autologin|screenLock)/i, 'security:change'],
    ],
  }),
  networksetup: byWords({
    what: 'network settings',
    rules: [[/^-(?:set|add|remove|create|delete|switch|order|enable|disable|detect|rename|duplicate|import)/i, 'firewall:network']],
  }),
  scutil: byWords({ what: 'system configuration', rules: [[/--(?:set|prefs|nc (?:start|stop))/, 'firewall:network']] }),
  systemsetup: byWords({
    what: 'system settings',
    rules: [
      [/-setremotelogin on/i, 'privilege:grant'],
      [/-set/i, 'system:setting'],
    ],
  }),
  pmset: byWords({
    what: 'power settings',
    rules: [[/^(?:-[abcu]|schedule|repeat|sleepnow|displaysleepnow|noidle|restoredefaults|touch)\b/, 'system:setting']],
  }),
  socketfilterfw: byWords({
    what: 'application firewall',
    rules: [
      [/--setglobalstate off|--setblockall off|--remove/, 'security:disable'],
      [/--(?:set|add|block|unblock)/, 'firewall:change'],
    ],
  }),
  diskutil: byWords({
    what: 'disks',
    rules: [
      [
        new RegExp(
          String.raw`^(?:erase|secureErase|zeroDisk|randomDisk|partitionDisk|reformat|splitPartition|mergePartitions` +
            String.raw`|(?:apfs|cs|coreStorage|ap) (?:delete|erase)|resetFusion)`,
          'i',
        ),
        'disk:erase',
      ],
      [/^(?:list|info|activity|listFilesystems|verify|(?:apfs|cs|coreStorage|ap|appleRAID) list)/i, ''],
      [/^\S+/, 'disk:attach'],
    ],
  }),
  hdiutil: byWords({
    what: 'disk images',
    rules: [
      [/^(?:info|imageinfo|verify|checksum|help|pmap|isencrypted|hfsanalyze)/, ''],
      [/^(?:erasekeys)/, 'disk:erase'],
      [/^\S+/, 'disk:attach'],
    ],
  }),
  asr: byWords({ what: 'disk', rules: [[/^restore/, 'disk:erase']] }),
  codesign: {
    flags: list('-v -d -h -f --verify --display --force --deep --remove-signature'),
    options: takes('-s -i -o -r -R --sign --entitlements --options'),
    refine: (parsed, context) => {
      if (parsed.value('-s', '--sign') === null && !parsed.flag('--remove-signature')) return
      for (const word of parsed.operands) changePath(context, word, { action: 'fs:attributes' })
      const identity = parsed.value('-s', '--sign')
      // `-` is nobody: a signature without an identity.
      if (identity === null || identity.text === '-') return
      for (const word of parsed.operands)
        context.emit('execute', context.thing('resource', word.prefix), { action: 'sign:file', attributes: { identity: known(identity) } })
    },
  },
  plutil: {
    flags: list('-bool -string -integer -float -date -data -xml -json -array -dictionary -append -lint -help -p -s -n -r -expect'),
    options: { ...takes('-replace -insert -remove -extract -convert'), '-o': 'write' },
    singleDashLong: true,
    refine: (parsed, context) => {
      const edits = parsed.value('-replace', '-insert', '-remove', '-convert') !== null && parsed.value('-o') === null
      for (const word of parsed.operands.slice(-1)) {
        readPath(context, word)
        if (edits) writePath(context, word, { action: 'text:edit' })
      }
    },
  },
  PlistBuddy: {
    options: takes('-c'),
    flags: ['-x', '-h'],
    refine: (parsed, context) => {
      const edits = parsed.values('-c').some((word) => !/^\s*(?:print|help|exit)/i.test(word.text ?? ''))
      for (const word of parsed.operands) {
        if (edits) writePath(context, word, { action: 'text:edit' })
        else readPath(context, word)
      }
    },
  },
  SetFile: {
    options: takes('-a -c -d -m -t'),
    refine: ({ operands }, context) => {
      for (const word of operands) changePath(context, word, { action: 'fs:attributes' })
    },
  },
  installer: {
    options: { '-pkg': 'read', '-target': 'data', '-dmg': 'read' },
    singleDashLong: true,
    flags: ['-list', '-info', '-dominfo', '-volinfo'],
    effects: [{ verb: 'change', action: 'os-package:install' }],
  },
  pkgutil: byWords({ what: 'package receipts', rules: [[/--forget|--learn|--edit-pkg/, 'os-package:remove']] }),
  softwareupdate: byWords({
    what: 'system software',
    rules: [
      [/--schedule off/, 'security:disable'],
      [/(?:^| )(?:-i|--install|-d|--download|-ia|-ir|--fetch-full-installer|--install-rosetta)\b/, 'os-package:upgrade'],
    ],
  }),
  // `leaks --atExit -- command`
  leaks: {
    ...runsLine({ flags: '--atExit -atExit --list --quiet', valued: '--outputGraph --exclude' }),
    inert: HELP,
  },
  'sw_vers system_profiler ioreg kextstat vm_stat heap vmmap': { inert: HELP },
  mdutil: byWords({ what: 'search index', rules: [[/-[iEXd]/, 'system:setting']] }),
  'kextload kextunload kmutil': { operands: ['data'], effects: [{ verb: 'change', action: 'kernel:module' }] },
  sample: { options: { '-file': 'write' }, singleDashLong: true, flags: list('-mayDie -wait') },
  tccutil: { effects: [{ verb: 'change', action: 'security:change' }] },
})
