import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { readPath } from '../../resources/acts.ts'
import { byName, list, takes } from '../tool.ts'
import { wording } from '../wording.ts'

/**
 * Configuration of this machine's network and packet filters. Showing emits nothing.
 * Actions: security:disable (a filter is emptied or switched off) · firewall:change · firewall:network (addresses, routes,
 * links, names).
 */

const HELP = ['--help', '--version', '-h', '-V']

function change(parsed: ParsedCommand, context: CommandContext, action: string): void {
  const what = parsed.operands.map((word) => word.text ?? word.prefix).join(' ')
  const target = context.thing('resource', `${parsed.invocation.name} ${what}`.trim())
  context.emit('change', target, { action, attributes: action === 'security:disable' ? { protection: parsed.invocation.name } : {} })
}

/** A program whose operand words say what it does: off switches, changes, and all else shows. */
function byWord(off: RegExp, changes: RegExp, more: CommandSpec = {}): CommandSpec {
  return {
    operands: ['data'],
    inert: HELP,
    ...more,
    refine: (parsed, context) => {
      const text = parsed.operands.map((word) => word.text ?? '\0').join(' ')
      const options = parsed.unknown.map((word) => word.text ?? '\0').join(' ')
      const all = `${options} ${text}`.trim()
      if (off.test(all)) change(parsed, context, 'security:disable')
      else if (changes.test(all)) change(parsed, context, 'firewall:change')
      else if (all.includes('\0')) context.opaque(`what \`${parsed.invocation.name}\` does is not known before it runs`)
    },
  }
}

const CONNECTIONS = byWord(/^$a/, /\b(?:add|modify|mod|delete|del|up|down|off|on|connect|disconnect|edit|import|clone|set|rescan)\b/, {
  flags: list('-t -p -a -s --show-secrets --terse --pretty --ask'),
  options: takes('-f -m -e -c -g -w --fields --get-values --mode --wait --escape --colors'),
})

/** `nmcli -s`: passwords of networks are shown, too. */
const NMCLI: CommandSpec = {
  ...CONNECTIONS,
  refine: (parsed, context) => {
    CONNECTIONS.refine?.(parsed, context)
    const tells = parsed.operands.some(({ text }) => text === 'show' || text === 'show-password')
    if (tells && (parsed.flag('-s', '--show-secrets') || parsed.operands.some(({ text }) => text === 'show-password')))
      context.emit('read', context.thing('resource', 'passwords of networks'), { action: 'secret:read' })
  },
}

const iptables: CommandSpec = {
  flags: list('-L -S -n -v -x -w -4 -6 -f --list --list-rules --numeric --verbose --line-numbers --wait -C'),
  options: takes('-t --table'),
  inert: HELP,
  refine: (parsed, context) => {
    const words = parsed.invocation.args.map((word) => word.text ?? '\0')
    const has = (...names: readonly string[]) => words.some((word) => names.includes(word))
    const opensPolicy = has('-P', '--policy') && has('ACCEPT')
    if (has('-F', '--flush', '-X', '--delete-chain') || opensPolicy) change(parsed, context, 'security:disable')
    else if (has(...'-A -I -D -R -N -P -E -Z --append --insert --delete --replace --policy --new-chain --zero --rename-chain'.split(' '))) {
      change(parsed, context, 'firewall:change')
    } else if (has('\0')) context.opaque(`what \`${parsed.invocation.name}\` does is not known before it runs`)
  },
}

const SHOWS = /^(?:show|list|lst|ls|get|s|l|sh|sho|help|monitor)$/

/** `ip l s eth0 down`: of a link, `s` is `set`. */
function setsLink(object: Word | undefined, { text }: Word, others: readonly Word[]): boolean {
  return text === 's' && others.length > 1 && /^l(?:i(?:nk?)?)?$/.test(object?.text ?? '')
}

/** `ip [options] object command …`: no command, or one that shows, changes nothing. */
const ip: CommandSpec = {
  flags: list('-4 -6 -s -d -r -h -o -c -j -p -br -a -brief -color -json -details -statistics -oneline -human -all'),
  options: { ...takes('-f -family -l -loops -n -netns -rc -rcvbuf'), '-b': 'read', '-batch': 'read' },
  singleDashLong: true,
  stopAtOperand: true,
  inert: ['-V', '-Version', '--version', '-help', '--help'],
  refine: (parsed, context) => {
    const [object, command, ...others] = parsed.operands
    const { args } = parsed.invocation
    const exec = args.findIndex(({ text }) => text === 'exec')
    if ((object?.text === 'netns' || object?.text === 'vrf') && command?.text === 'exec' && exec >= 0) {
      // Behind `-a` every namespace is meant.
      const named = args[exec - 1]?.text === object.text && !parsed.flag('-a', '-all')
      context.command(args.slice(exec + (named ? 2 : 1)), `ip ${object.text}`)
      return
    }
    if (parsed.value('-b', '-batch') !== null) context.opaque('the commands of `ip` come from a file')
    const shows =
      command === undefined ||
      object?.text === 'monitor' ||
      (command.text !== null && SHOWS.test(command.text) && !setsLink(object, command, others)) ||
      /^(?:dev|to|from|up)$/.test(command.text ?? '\0')
    if (!shows) change(parsed, context, 'firewall:network')
  },
}

/** Interfaces and routes: named alone they are shown, with more words changed. */
const interfaces = (shown: number): CommandSpec => ({
  flags: list('-a -s -n -e -v -l -4 -6 -ee'),
  options: takes('-A'),
  inert: HELP,
  refine: (parsed, context) => {
    if (parsed.operands.length + parsed.unknown.length > shown) change(parsed, context, 'firewall:network')
  },
})

const hostname: CommandSpec = {
  flags: list('-a -A -d -f -i -I -s -y -b --fqdn --ip-address --all-ip-addresses --short --domain'),
  options: takes('-F'),
  inert: HELP,
  refine: (parsed, context) => {
    // Asked for an address or another form of its name, it sets none.
    const asks = parsed.flag(...'-a -A -d -f -i -I -s -y --fqdn --ip-address --all-ip-addresses --short --domain'.split(' '))
    if ((parsed.operands.length > 0 && !asks) || parsed.value('-F') !== null) change(parsed, context, 'firewall:network')
    const file = parsed.value('-F')
    if (file !== null) readPath(context, file)
  },
}

/** A network of machines: what joins, leaves, shares or opens it. `serve status` and the like only look. */
const tailscale = wording({
  on: 'tailscale',
  lines: [
    [
      null,
      new RegExp(
        String.raw`^(?:(?:serve|funnel|lock|drive|exit-node|switch|file) (?:status|list|--list|log|suggest)|status|ip|netcheck|ping|whois` +
          String.raw`|version|bugreport|metrics|debug|dns|licenses|completion)\b|^switch {1,2}--list`,
      ),
    ],
    ['publish net:tunnel', /^funnel\b/],
    ['send net:upload', /^file cp\b/],
    ['execute net:remote-shell', /^(?:ssh|nc)\b/],
    ['change firewall:network', /^\S+/],
  ],
  valued: '--socket',
})

export const networkSettings: CommandTable = byName({
  'iptables ip6tables iptables-legacy iptables-nft ebtables arptables': iptables,
  'iptables-save ip6tables-save': { inert: HELP, options: { '-f': 'write' } },
  'iptables-restore ip6tables-restore': { inert: HELP, effects: [{ verb: 'change', action: 'firewall:change' }] },
  nft: byWord(/\b(?:flush|delete) (?:ruleset|table|chain)\b/, /\b(?:add|insert|create|delete|replace|reset|rename|destroy|flush)\b|^-f/),
  ufw: byWord(/\b(?:disable|reset)\b/, /\b(?:allow|deny|reject|limit|delete|enable|default|route|insert|reload|logging)\b/, {
    flags: ['--force', '--dry-run'],
    inert: ['--dry-run', '--help', '--version'],
  }),
  'firewall-cmd firewall-offline-cmd': byWord(
    /--panic-off|--set-default-zone=trusted|--remove-lockdown|--lockdown-off/,
    /--(?:add|remove|change|set|new|delete|reload|complete-reload|runtime|load|panic-on)/,
  ),
  pfctl: byWord(/(?:^|\s)-[A-Za-z]*[dF]/, /(?:^|\s)-[A-Za-z]*[ef]/),
  ip: ip,
  bridge: ip,
  tc: ip,
  'ifconfig iwconfig': interfaces(1),
  route: interfaces(0),
  'ifup ifdown dhclient dhcpcd wpa_supplicant': { inert: HELP, effects: [{ verb: 'change', action: 'firewall:network' }] },
  ethtool: byWord(/^$a/, /^-[sAGKCLUEfW]\b/, { inert: ['-h', '--help', '--version'] }),
  nmcli: NMCLI,
  'hostname domainname': hostname,
  tailscale,
  'nsupdate knsupdate': {
    inert: ['-V', '-h'],
    options: { ...takes('-y -p -t -u -r -R -L'), ...takes('-k', 'read') },
    operands: ['read'],
    effects: [{ verb: 'change', action: 'cloud:update', target: { kind: 'resource', value: 'records of a name server' } }],
  },
  wg: wording({
    on: 'wg',
    lines: [
      ['read secret:read', /^(?:showconf|genkey|genpsk)\b|^show \S+ (?:private-key|preshared-keys|dump)\b/],
      ['change firewall:network', /^(?:set|setconf|addconf|syncconf)\b/],
      [null, /^(?:show|pubkey)\b/],
    ],
  }),
  'wg-quick openvpn zerotier-cli': byWord(/^$a/, /\b(?:set|setconf|addconf|syncconf|up|down|save|join|leave|login|logout)\b|--config/),
})
