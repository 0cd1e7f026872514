import type { CommandSpec, CommandTable } from '../../host.ts'
import { readPath } from '../../resources/acts.ts'
import { byName, list, takes } from '../tool.ts'

/**
 * Servers started by hand that let others in: logins, screens, stores without a password, directories.
 * Actions: net:bind-shell (whoever connects has a shell) · net:listen.
 */

const HELP = ['--help', '--version', '-V', '-h']

/** A server that gives a login or a screen away. */
function lets(action: string, spec: CommandSpec = {}): CommandSpec {
  return {
    inert: HELP,
    ...spec,
    refine: ({ invocation }, context) =>
      context.emit(action === 'net:listen' ? 'change' : 'execute', context.thing('host', 'any'), {
        action,
        reversible: action === 'net:listen',
        attributes: { via: invocation.name },
      }),
  }
}

/** `tcpserver 0 4242 sh`: every connection gets the program. */
const perConnection: CommandSpec = {
  flags: list('-q -Q -v -p -P -h -H -d -D -o -O -r -R -1'),
  options: takes('-c -t -g -u -x -B -l -b'),
  stopAtOperand: true,
  refine: ({ operands, invocation }, context) => {
    const [host, , ...program] = operands
    if (program.length === 0) return
    const attributes = { program: program[0]?.text ?? null }
    context.emit('execute', context.thing('host', host?.text ?? 'any'), { action: 'net:bind-shell', reversible: false, attributes })
    context.command(program, invocation.name)
  },
}

/** Words with which a store or a notebook answers everybody, and asks nobody who he is. */
const OPEN = /^--?(?:bind_ip_all|noauth|protected-mode|nopw|insecure|no-auth|without-authentication|ip|bind|bind_ip|host|address|h)$/

/** A store that listens to this machine only, unless it is told to listen to all. */
function store(spec: CommandSpec): CommandSpec {
  return {
    inert: HELP,
    ...spec,
    refine: (parsed, context) => {
      const words = parsed.invocation.args.map((word) => word.text ?? word.prefix)
      const opened = words.some((word, index) => opens(word, words[index + 1]))
      if (opened)
        context.emit('change', context.thing('host', 'any'), { action: 'net:listen', attributes: { via: parsed.invocation.name } })
    },
  }
}

function opens(word: string, next: string | undefined): boolean {
  const [name = '', attached] = word.split('=', 2)
  if (!OPEN.test(name)) return false
  const value = attached ?? next ?? ''
  if (/^--?(?:bind_ip_all|noauth|nopw|insecure|no-auth|without-authentication)$/.test(name)) return true
  if (name === '--protected-mode') return value === 'no'
  return /^(?:0\.0\.0\.0|::|\*|0)$/.test(value)
}

/** `httpd -h /srv`: a directory is shown to everybody who asks. */
const shows: CommandSpec = {
  flags: list('-f -i'),
  options: takes('-p -u -c -r -h -d'),
  inert: ['-t', '-v', '-V', '-l', '-S', '--help'],
  refine: (parsed, context) => {
    const root = parsed.value('-h', '-d')
    if (root !== null) readPath(context, root)
    context.emit('change', context.thing('host', 'any'), { action: 'net:listen' })
  },
}

export const serving: CommandTable = byName({
  'sshd dropbear in.telnetd telnetd rshd': lets('net:bind-shell', { inert: ['-t', '-T', '-V', '--version', '--help', '-?'] }),
  'xinetd inetd': lets('net:listen', { flags: ['-d'], options: takes('-f -pidfile'), singleDashLong: true }),
  'x11vnc vncserver Xvnc x0vncserver wayvnc krfb rustdesk': lets('net:listen', {
    inert: ['-help', '--help', '-version', '-kill', '-list'],
    singleDashLong: true,
  }),
  'tcpserver ipsvd tcpsvd udpsvd': perConnection,
  httpd: shows,
  'redis-server valkey-server mongod memcached etcd mysqld postgres minio couchdb elasticsearch': store({}),
})
