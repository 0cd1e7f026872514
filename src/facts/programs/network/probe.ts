import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { reachUrl, readPath, wordOf } from '../../resources/acts.ts'
import { sliceWord } from '../../resources/text/word.ts'
import { byName, each, list, takes } from '../tool.ts'

/**
 * Asking and listening on the network.
 * Actions: net:resolve · net:probe (ping, traceroute) · net:scan · net:attack · net:capture.
 */

const HELP = ['--help', '--version', '-h', '-V']

/** Hosts among the operands, each contacted under the action. */
function contacts(action: string, more: CommandSpec = {}, from = 0): CommandSpec {
  return {
    inert: HELP,
    ...more,
    refine: (parsed, context) => {
      for (const word of parsed.operands.slice(from)) reachUrl(context, word, { verb: 'fetch', action })
    },
  }
}

const RECORD = /^(?:IN|CH|HS|ANY|AAAA|A|CNAME|MX|NS|PTR|SOA|SRV|TXT|CAA|DS|DNSKEY|AXFR|IXFR|HTTPS|SVCB|TLSA|NAPTR)(?:=\d+)?$/i

/** `dig @server name TYPE +short`: the server and every name are asked. */
function resolve(parsed: ParsedCommand, context: CommandContext): void {
  // A zone transfer asks for every name there is.
  const action = parsed.operands.some(({ text }) => /^[AI]XFR(?:=\d+)?$/i.test(text ?? '')) ? 'net:scan' : 'net:resolve'
  for (const word of [...parsed.operands, ...parsed.values('-x', '-q')]) {
    if (word.prefix.startsWith('+') || (word.text !== null && RECORD.test(word.text))) continue
    if (word.prefix.startsWith('@')) {
      const server = sliceWord(word, 1)
      reachUrl(context, server, { verb: 'fetch', action })
    } else reachUrl(context, word, { verb: 'fetch', action })
  }
  for (const word of parsed.values('-f')) readPath(context, word)
}

const dns: CommandSpec = {
  flags: list('-4 -6 -m -r -u -v -a -C -d -l -n -s -T -w'),
  options: takes('-b -c -f -k -p -q -t -x -y -R -W -N -type -class'),
  singleDashLong: true,
  inert: ['-V', '--version', '-h', '--help'],
  refine: resolve,
}

const ping: CommandSpec = {
  flags: list('-4 -6 -a -A -b -B -D -d -f -L -n -O -q -r -R -U -v -o'),
  options: takes('-c -F -i -I -l -m -M -N -p -P -Q -s -S -t -T -w -W -z -G -g -h'),
  inert: ['-V', '--version', '--help'],
  refine: (parsed, context) => {
    const [host] = parsed.operands.slice(-1)
    if (host !== undefined) reachUrl(context, host, { verb: 'fetch', action: parsed.flag('-f') ? 'net:attack' : 'net:probe' })
  },
}

const SCAN_OUTPUT = takes('-oN -oX -oG -oA -oS -oJ -oL -o --output-filename --output -w --report', 'write')

const scanner: CommandSpec = {
  flags: list('-sS -sT -sV -sn -sU -sP -sC -sL -A -O -F -Pn -n -R -v -vv -d -6 -T4 -T5 -T3 -r --open -k'),
  options: {
    ...takes(
      '-p -T -D -S -e -g -iR -u -U --script --script-args --min-rate --max-rate --rate --exclude --top-ports --ports --host-timeout --threads -t -H -m -c -x',
    ),
    ...SCAN_OUTPUT,
    '-iL': 'read',
    '--excludefile': 'read',
    '--datadir': 'data',
  },
  singleDashLong: true,
  inert: HELP,
  refine: (parsed, context) => {
    const named = [...parsed.operands, ...parsed.values('-u', '-H', '--url', '--host')]
    const targets = named.length > 0 ? named : [wordOf('unknown', parsed.invocation.program)]
    for (const word of targets) reachUrl(context, word, { verb: 'fetch', action: 'net:scan' })
    const script = parsed.value('--script')
    if (script?.text?.includes('/') === true) context.script('lua', script, [])
  },
}

/** Asks the agent of one device for values by their names. */
const managed: CommandSpec = {
  options: takes('-v -c -u -l -a -A -x -X -n -t -r -m -M -O -C -L -e -E -Z -P'),
  inert: ['-h', '--help', '-H', '-V', '--version'],
  refine: ({ operands: [host] }, context) => {
    if (host !== undefined) reachUrl(context, host, { verb: 'fetch', action: 'net:probe' })
  },
}

/** Tools whose one use is to attack: passwords, injections, poisoned answers, exploits. */
const attack: CommandSpec = {
  options: takes('-u -h -host -p -o -P -L -l -U -M --url --target'),
  inert: ['--help', '--version', '-V'],
  refine: (parsed, context) => {
    const host = parsed.value('-u', '-h', '-host', '--url', '--target') ?? parsed.operands[0]
    if (host === undefined || host === null)
      context.emit('execute', context.thing('program', parsed.invocation.name), { action: 'net:attack' })
    else reachUrl(context, host, { verb: 'send', action: 'net:attack' })
    context.emit('execute', context.thing('program', parsed.invocation.name), { action: 'net:scan', attributes: { offensive: true } })
  },
}

const capture: CommandSpec = {
  flags: list('-A -D -e -n -nn -q -v -vv -X -S -t -tt -U -p -l -x'),
  options: { ...takes('-i -c -s -C -G -W -z -f -Y -T -E -y -B -F'), '-r': 'read', '-w': 'write' },
  inert: [...HELP, '-D'],
  refine: (parsed, context) => {
    const command = parsed.value('-z')
    if (command !== null) context.command([command], parsed.invocation.name)
    if (parsed.value('-r') !== null) return
    const on = parsed.value('-i')?.text ?? 'any interface'
    context.emit('read', context.thing('resource', on), { action: 'net:capture', attributes: { interface: on } })
  },
}

const ONLY_FOR_ATTACKS =
  'sqlmap nikto hydra medusa ncrack john hashcat aircrack-ng airodump-ng aireplay-ng ettercap bettercap responder mitm6 ' +
  'msfconsole msfvenom setoolkit beef-xss crackmapexec nxc netexec impacket-secretsdump evil-winrm mimikatz kerbrute ' +
  'slowloris hping3 patator commix xsser wpscan wfuzz ffuf gobuster dirb dirbuster feroxbuster nuclei amass subfinder ' +
  'sublist3r theharvester recon-ng spiderfoot dnsrecon dnsenum fierce enum4linux windapsearch ldeep bloodhound-python ' +
  'linpeas.sh linpeas httpx waybackurls gau gospider hakrawler katana sfcli sn1per arjun dalfox kiterunner'

export const probing: CommandTable = byName({
  'dig nslookup host drill kdig delv dog doggo': dns,
  resolvectl: {
    flags: ['-4', '-6'],
    subcommands: { query: { operands: ['host'] }, status: {}, statistics: {} },
    operands: ['data'],
  },
  'whois jwhois': contacts('net:resolve', { options: takes('-h -p'), inert: ['--help', '--version'] }),
  'ping ping6 gping': ping,
  fping: {
    flags: list('-4 -6 -a -A -d -D -e -g -l -m -n -N -o -q -R -s -u -v'),
    options: { ...takes('-b -B -c -C -H -I -i -k -M -O -p -P -Q -r -S -t -T -x'), '-f': 'read' },
    inert: ['-h', '--help', '--version'],
    refine: ({ operands }, context) => {
      for (const word of operands) reachUrl(context, word, { verb: 'fetch', action: 'net:probe' })
    },
  },
  'traceroute traceroute6 tracepath mtr tcptraceroute arping speedtest speedtest-cli': contacts('net:probe', {
    options: takes('-m -q -w -i -p -f -c -s -I -t -P --report-cycles'),
    flags: list('-n -r -I -T -4 -6 --report -s'),
  }),
  'iperf iperf3': {
    options: { ...takes('-p -t -i -b -P -w -l -n -B'), ...takes('-c --client', 'host') },
    flags: list('-s -u -R -J -4 -6 -D'),
    inert: ['--help', '-h', '-v', '--version'],
  },
  'nmap masscan zmap rustscan naabu unicornscan netdiscover arp-scan nbtscan zenmap whatweb': scanner,
  'snmpget snmpgetnext snmpwalk snmpbulkget snmpbulkwalk snmptable snmpstatus snmpdf': managed,
  ...each(ONLY_FOR_ATTACKS, attack),
  'shodan censys searchsploit': { inert: HELP, effects: [{ verb: 'fetch', action: 'net:scan' }] },
  'tcpdump tshark dumpcap ngrep dsniff wireshark tcpflow': capture,
  'netstat sockstat iftop nethogs bmon vnstat': { inert: HELP },
  ss: {
    options: {
      ...takes('-f --family -A --query --socket -N --net -E --events'),
      ...takes('-F --filter', 'read'),
      ...takes('-D --diag', 'write'),
    },
    inert: HELP,
  },
  arp: {
    flags: list('-a -n -v -e'),
    options: takes('-i -H'),
    inert: HELP,
    refine: (parsed, context) => {
      changed(parsed, context, ['-s', '-d', '-f'])
      const { args } = parsed.invocation
      const file = args[args.findIndex(({ text }) => text === '-f' || text === '--file') + 1]
      if (file !== undefined && file !== args[0]) readPath(context, file)
    },
  },
})

function changed(parsed: ParsedCommand, context: CommandContext, marks: readonly string[]): void {
  const hit: Word | undefined = parsed.unknown.find((word) => marks.includes(word.text ?? '-s'))
  if (hit !== undefined) context.emit('change', context.thing('resource', 'arp table'), { action: 'firewall:change', span: hit.span })
}
