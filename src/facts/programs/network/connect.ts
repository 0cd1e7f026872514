import type { JsonObject } from '../../../core/json.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { reachUrl, readPath, wordOf, writePath } from '../../resources/acts.ts'
import { knownWord, sliceWord } from '../../resources/text/word.ts'
import { byName, list, takes } from '../tool.ts'
import { runEscapes } from '../unknown/code.ts'

/**
 * Programs that join streams to a connection: netcat, socat, telnet, openssl s_client, tunnels.
 * Actions: net:connect · net:listen · net:scan (`nc -z`) · net:reverse-shell, net:bind-shell (a program gets the connection)
 * · net:tunnel · net:forward.
 */

const HELP = ['--help', '--version']

/** A host word with a port after it, as one address. */
function withPort(host: Word, port: Word | undefined): Word {
  if (host.text === null || port === undefined || port.text === null || !/^[0-9]+$/.test(port.text)) return host
  return wordOf(host.text.includes(':') && !host.text.startsWith('[') ? `[${host.text}]:${port.text}` : `${host.text}:${port.text}`, host)
}

/** A program is handed the connection: its input and output are the other machine's. */
function handsOver(
  context: CommandContext,
  program: Word,
  { host, listens }: { readonly host: Word | null; readonly listens: boolean },
): void {
  const target = host === null ? context.thing('host', 'any') : context.url(host)
  context.emit('execute', target, {
    action: listens ? 'net:bind-shell' : 'net:reverse-shell',
    span: program.span,
    reversible: false,
    attributes: { program: program.text },
  })
}

function netcat(parsed: ParsedCommand, context: CommandContext): void {
  const listens = parsed.flag('-l', '--listen', '-L')
  const [host, port] = parsed.operands
  const programs = parsed.values('-e', '-c', '--exec', '--sh-exec', '--lua-exec')
  const address = host === undefined ? null : withPort(host, port)
  for (const program of programs) {
    handsOver(context, program, { host: listens ? null : address, listens })
    context.shell(program.text, program.span, 'nc')
  }
  for (const proxy of parsed.values('-x', '--proxy')) reachUrl(context, proxy, { verb: 'send', action: 'net:connect' })
  if (listens) {
    const at = parsed.value('-p', '--source-port')?.text ?? port?.text ?? host?.text ?? 'any port'
    context.emit('change', context.thing('host', at), { action: 'net:listen', attributes: { port: at } })
    return
  }
  if (address === null) return
  if (parsed.flag('-U', '--unixsock')) writePath(context, address, { action: 'net:socket', attributes: { socket: true } })
  else if (parsed.flag('-z')) reachUrl(context, address, { verb: 'fetch', action: probeAction(port) })
  else connect(parsed, context, address)
}

/** One port is asked about often and harmlessly; a range is a scan. */
function probeAction(port: Word | undefined): string {
  return port?.text !== null && port?.text !== undefined && /^[0-9]+$/.test(port.text) ? 'net:probe' : 'net:scan'
}

/** What comes back may go on into a shell, what is piped in goes out. */
function connect(parsed: ParsedCommand, context: CommandContext, address: Word): void {
  reachUrl(context, address, { verb: 'send', action: 'net:connect' })
  if (parsed.invocation.piped || parsed.invocation.input.kind === 'none')
    reachUrl(context, address, { verb: 'fetch', action: 'net:connect' })
}

const nc: CommandSpec = {
  flags: list(
    '-4 -6 -b -C -D -d -F -h -k -l -L -N -n -r -S -t -U -u -v -z --listen --keep-open --udp --ssl --verbose --unixsock --nodns --sctp --broker --chat --telnet',
  ),
  options: takes(
    '-e -c -i -I -M -m -O -P -p -q -s -T -V -w -W -X -x --exec --sh-exec --lua-exec --source-port --source --wait ' +
      '--idle-timeout --delay --proxy --proxy-type --proxy-auth --output --hex-dump --allow --deny --max-conns -g -G',
  ),
  inert: ['--help', '--version', '-h'],
  refine: netcat,
}

const LISTENING =
  /^(?:TCP[46]?|UDP[46]?|SSL|OPENSSL|SCTP|UNIX|ABSTRACT|VSOCK)-(?:LISTEN|L|RECV|RECVFROM)(?=:)|^(?:OPENSSL-LISTEN|SSL-L)(?=:)/i
const CONNECTING = /^(?:TCP[46]?|UDP[46]?|SSL|OPENSSL|SCTP|PROXY|SOCKS4A?|SOCKS5)(?:-CONNECT|-SENDTO|-DATAGRAM)?:/i
const RUNNING = /^(?:EXEC|SYSTEM|SHELL):/i
const FILES = /^(?:FILE|OPEN|GOPEN|CREATE|CREAT|PIPE|UNIX|UNIX-CONNECT|UNIX-CLIENT):/i

interface Ends {
  readonly hosts: readonly Word[]
  readonly listeners: readonly Word[]
  readonly programs: readonly Word[]
}

function cut(word: Word, pattern: RegExp): Word | null {
  const match = pattern.exec(word.prefix)
  return match === null ? null : sliceWord(word, match[0].length)
}

/** The part of a socat address before its options: `host:port` of `TCP:host:port,retry=3`. */
function address(word: Word): Word {
  const comma = word.text?.indexOf(',') ?? -1
  return comma < 0 || word.text === null ? word : wordOf(word.text.slice(0, comma), word)
}

function socatEnds(parsed: ParsedCommand, context: CommandContext): Ends {
  const ends = { hosts: [] as Word[], listeners: [] as Word[], programs: [] as Word[] }
  for (const word of parsed.operands) {
    const listener = cut(word, LISTENING)
    const host = listener === null ? cut(word, CONNECTING) : null
    const program = cut(word, RUNNING)
    const file = cut(word, FILES)
    if (listener !== null) ends.listeners.push(address(word))
    else if (host !== null) ends.hosts.push(address(host))
    else if (program !== null) ends.programs.push(program)
    else if (file !== null || word.prefix.includes('/')) {
      readPath(context, address(file ?? word))
      writePath(context, address(file ?? word), { certainty: 'likely' })
    } else if (word.text === null) context.opaque('an address of `socat` is not known before it runs', word.span)
  }
  return ends
}

function socat(parsed: ParsedCommand, context: CommandContext): void {
  const { hosts, listeners, programs } = socatEnds(parsed, context)
  for (const host of hosts) connect(parsed, context, host)
  for (const word of listeners) {
    const action = hosts.length > 0 ? 'net:forward' : 'net:listen'
    context.emit('change', context.thing('host', word.text ?? word.prefix), { action, span: word.span })
  }
  for (const program of programs) {
    const host = hosts[0] ?? null
    if (host !== null || listeners.length > 0) handsOver(context, address(program), { host, listens: host === null })
    context.shell(address(program).text, program.span, 'socat')
  }
}

const WEBSOCKET_PROGRAM = /^(?:sh-c|cmd|exec):(?:@)?/i
const WEBSOCKET_LISTENER = /^(?:ws-(?:l|listen|u):|tcp-(?:l|listen):|l-|listen-)/i

/** websocat: two ends, each an address, a listener or a program; with `-s` it listens itself. */
const websocat: CommandSpec = {
  flags: list('-s -k -v -1 -b -t -E -n -u -U -q -Z --server-mode --insecure --binary --text --exit-on-eof --one-message --unidirectional'),
  options: takes('-H --header --protocol --origin --basic-auth --ping-interval --client-pkcs12-der --pkcs12-der --exec-args'),
  inert: HELP,
  refine: (parsed, context) => {
    const serves = parsed.flag('-s', '--server-mode')
    const programs = parsed.operands.flatMap((word) => cut(word, WEBSOCKET_PROGRAM) ?? [])
    const ends = parsed.operands.filter(({ prefix }) => !WEBSOCKET_PROGRAM.test(prefix))
    const listens = serves || ends.some(({ prefix }) => WEBSOCKET_LISTENER.test(prefix))
    const host = ends.find(({ prefix }) => /^(?:wss?|autoreconnect:wss?):/i.test(prefix)) ?? null
    for (const program of programs) {
      handsOver(context, program, { host, listens })
      context.shell(program.text, program.span, 'websocat')
    }
    if (listens) context.emit('change', context.thing('host', ends[0]?.text ?? 'any port'), { action: 'net:listen' })
    else if (host !== null)
      reachUrl(context, host, {
        verb: 'send',
        action: 'http:request',
        attributes: parsed.flag('-k', '--insecure') ? { insecure: true } : {},
      })
  },
}

const telnet: CommandSpec = {
  flags: list('-8 -E -K -L -a -c -d -r -x -F -f'),
  options: takes('-l -b -e -n -X -k -S'),
  inert: HELP,
  refine: (parsed, context) => {
    const [host, port] = parsed.operands
    if (host !== undefined) connect(parsed, context, withPort(host, port))
  },
}

/** Tunnels that put something of this machine on the public network. */
function tunnel(more: CommandSpec = {}): CommandSpec {
  return {
    inert: ['--help', '--version', '-h', '-v'],
    ...more,
    refine: (parsed, context) => {
      const words = parsed.operands.slice(0, 4).map(({ text }) => text ?? '')
      if (QUIET.has(words[0] ?? '') || (words[0] !== 'run' && words[1] !== 'run' && words.slice(1).some((word) => LOOKS.has(word)))) return
      const shared = parsed.operands.at(-1)?.text ?? parsed.invocation.name
      context.emit('publish', context.thing('service', shared), { action: 'net:tunnel', attributes: { via: parsed.invocation.name } })
    },
  }
}

/** `tunnel route ip show`. */
const LOOKS: ReadonlySet<string> = new Set(['help', 'list', 'ls', 'info', 'show', 'get'])
const QUIET: ReadonlySet<string> = new Set(['version', 'help', 'update', 'config', 'login', 'list', 'status', 'completion'])

/** Terminals shared over the network: whoever has the address has the shell. */
const shared: CommandSpec = {
  options: takes(
    '-p --port -i --interface -c --credential -u --uid -g --gid -s --signal -t --client-option -S -f -a --address -w --server',
  ),
  flags: list('-W --writable -o --once -O --check-origin -6 --ipv6 -a -R -F'),
  inert: ['--help', '--version', '-h', '-v', '-V'],
  stopAtOperand: true,
  refine: (parsed, context) => {
    const attributes: JsonObject = { via: parsed.invocation.name }
    context.emit('execute', context.thing('host', 'any'), { action: 'net:bind-shell', reversible: false, attributes })
    if (parsed.operands.length > 0) context.command(parsed.operands, parsed.invocation.name)
  },
}

const ftp: CommandSpec = {
  flags: list('-4 -6 -A -a -d -e -g -i -n -p -v -V'),
  options: { ...takes('-P -q -r -s -T -u -N -c -e -B -b -F -l -o -R -S -i -J -D'), '-f': 'read' },
  inert: HELP,
  refine: (parsed, context) => {
    const [host] = parsed.operands
    if (host !== undefined) reachUrl(context, host, { verb: 'send', action: 'net:connect' })
    const { input } = parsed.invocation
    if (input.kind === 'text' && input.text !== null) runEscapes(knownWord(input.text, input.span), context)
    const batch = parsed.value('-b', '-f')
    if (batch !== null && batch.text !== '-') readPath(context, batch)
    const opaque = parsed.value('-c', '-e') ?? batch
    if (opaque !== null) context.opaque(`\`${parsed.invocation.name}\` takes commands of its own`, opaque.span)
  },
}

/** sftp: an OpenSSH program, which runs another to get there. */
const sftp: CommandSpec = {
  flags: list('-4 -6 -A -a -C -f -N -p -q -r -v'),
  options: takes('-b -B -c -D -F -i -J -l -o -P -R -S -s -X'),
  inert: HELP,
  refine: (parsed, context) => {
    for (const word of parsed.values('-D', '-S')) context.shell(word.text, word.span, 'sftp')
    for (const word of parsed.values('-o')) {
      const command = /^\s*(?:proxycommand|knownhostscommand)\s*[= ]\s*/i.exec(word.prefix)
      if (command !== null) context.shell(word.text === null ? null : word.text.slice(command[0].length), word.span, 'sftp')
    }
    const [host] = parsed.operands
    if (host !== undefined) reachUrl(context, host, { verb: 'send', action: 'net:connect' })
    const batch = parsed.value('-b')
    for (const word of parsed.values('-F')) readPath(context, word)
    if (batch === null) return
    if (batch.text !== '-') readPath(context, batch)
    context.opaque('`sftp` takes commands of its own', batch.span)
  },
}

export const connecting: CommandTable = byName({
  'nc ncat netcat nc.openbsd nc.traditional pwncat cryptcat': nc,
  socat: { flags: list('-d -D -v -x -u -U -g -h'), options: takes('-b -t -T -s -L -W -lf -lp -ly'), inert: ['-V', '-h'], refine: socat },
  websocat,
  'telnet rlogin': telnet,
  'ftp tftp lftp ncftp smbclient': ftp,
  sftp,
  'ngrok cloudflared bore zrok localtunnel lt frpc chisel serveo inlets pagekite localxpose playit tunnelto expose pinggy gost sshuttle':
    tunnel(),
  'tmate gotty ttyd upterm sshx wetty': shared,
})
