import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { isStream, reachUrl, readPath, wordOf } from '../../resources/acts.ts'
import { byName, list, takes } from '../tool.ts'

/**
 * Programs whose one use is to hand local data to others: paste services, message brokers, shared file systems, stores of other
 * people, tunnels through names. Actions: net:upload · net:publish · net:tunnel.
 */

const HELP = ['--help', '--version', '-h', '-V']

/** Files among the operands and in options go to a service. */
function gives(service: string, spec: CommandSpec = {}, files = ''): CommandSpec {
  return {
    inert: HELP,
    ...spec,
    options: { ...spec.options, ...takes(files) },
    refine: (parsed, context) => {
      const { operands, invocation } = parsed
      const given = [...operands, ...parsed.values(...list(files))].filter((word) => !isStream(word))
      for (const word of given) readPath(context, word)
      if (given.length === 0 && invocation.input.kind === 'none') return
      context.emit('send', context.thing('host', service), { action: 'net:upload', attributes: { service: 'paste' } })
    },
  }
}

/** A message to everybody who listens: text of an option, lines of a file, standard input. */
interface Broadcast {
  readonly host: string
  readonly files: string
  /** Options with the message itself: devices of another machine's broker obey it. */
  readonly messages: string
}

function broadcasts(spec: CommandSpec, { host, files, messages }: Broadcast): CommandSpec {
  return {
    inert: ['--help', '--version'],
    ...spec,
    options: { ...spec.options, ...takes(host), ...takes(files) },
    refine: (parsed, context) => {
      for (const word of parsed.values(...list(files))) if (!isStream(word)) readPath(context, word)
      const [to] = parsed.values(...list(host))
      reachUrl(context, to ?? wordOf('localhost', parsed.invocation.program), { verb: 'send', action: 'net:upload' })
      if (to !== undefined && parsed.values(...list(messages)).length > 0 && context.url(to).scope !== 'loopback')
        context.emit('change', context.thing('resource', to.text ?? to.prefix), { action: 'device:act', reversible: false, span: to.span })
    },
  }
}

const ADDRESS = /^(?:[a-z][a-z0-9+.-]*:\/\/|[\w.-]+\.(?:blob|file|dfs)\.core\.)/i

/** `azcopy copy FROM TO`: whichever end is an address. */
function copiesTo(parsed: ParsedCommand, context: CommandContext): void {
  const [mode, from, to] = parsed.operands
  if (mode === undefined || !/^(?:copy|cp|c|sync|remove|rm)$/.test(mode.text ?? '')) return
  const ends: readonly (Word | undefined)[] = [from, to]
  for (const [index, word] of ends.entries()) {
    if (word === undefined) continue
    const removes = /^(?:remove|rm)$/.test(mode.text ?? '')
    if (removes) context.emit('delete', context.url(word), { action: 'cloud:delete', span: word.span, reversible: false })
    else if (ADDRESS.test(word.prefix))
      reachUrl(context, word, { verb: index === 0 ? 'fetch' : 'send', action: index === 0 ? 'net:download' : 'net:upload' })
    else if (index === 0) readPath(context, word)
    else context.emit('write', context.path(word), { span: word.span })
  }
}

/** Whatever is added to it, everybody can ask for. */
const ipfs: CommandSpec = {
  flags: list('-r -q -Q -w --recursive --quiet --pin --offline'),
  options: takes('--api -c --repo-dir'),
  inert: ['--help', '-h'],
  refine: ({ operands: [mode, ...files] }, context) => {
    if (mode?.text !== 'add') return
    for (const word of files) readPath(context, word)
    context.emit('publish', context.thing('host', 'ipfs'), {
      action: 'net:upload',
      attributes: { service: 'file-sharing' },
      reversible: false,
    })
  },
}

/** A connection to another machine inside of questions for names, of echoes, or of another protocol. */
const hiddenTunnel: CommandSpec = {
  inert: ['--help', '-h', '-v', '--version'],
  options: takes('-P -m -M -T -O -L -I -d -z -u -t -p -x -r --secret --dns'),
  refine: ({ operands, invocation }, context) => {
    const to = operands.at(-1)
    if (to === undefined)
      context.emit('change', context.thing('host', 'any'), { action: 'net:tunnel', attributes: { via: invocation.name } })
    else reachUrl(context, to, { verb: 'send', action: 'net:tunnel' })
  },
}

/** `ncftpput -u me host /dir FILE…` */
const put: CommandSpec = {
  options: takes('-u -p -P -d -e -j -t -U -B -A -T -S -r -f'),
  flags: list('-m -R -z -Z -F -V -v -a -E -DD'),
  inert: ['--help', '--version'],
  refine: ({ operands: [host, , ...files] }, context) => {
    for (const word of files) readPath(context, word)
    if (host !== undefined) reachUrl(context, host, { verb: 'send', action: 'net:upload' })
  },
}

/** `kcat -P` produces what it is given, `-C` consumes. */
const kafka: CommandSpec = {
  flags: list('-P -C -L -l -e -q -u'),
  options: takes('-b -t -p -K -D -X -G -o -c'),
  inert: ['-h', '-V'],
  refine: (parsed, context) => {
    const to = parsed.value('-b') ?? wordOf('localhost', parsed.invocation.program)
    if (!parsed.flag('-P')) reachUrl(context, to, { verb: 'fetch', action: 'net:download' })
    else {
      for (const word of parsed.operands) readPath(context, word)
      reachUrl(context, to, { verb: 'send', action: 'net:upload' })
    }
  },
}

/** Commands begin with a plus, and each takes the words up to the next one: what is built by a script is published for everybody who plays it. */
const steamcmd: CommandSpec = {
  operands: ['data'],
  refine: ({ operands }, context) => {
    for (const [at, { text, span }] of operands.entries()) {
      const script = operands[at + 1]
      if (text === '+runscript') context.opaque('commands of `steamcmd` come from a file', span)
      if (text === null || !/^\+(?:run_app_build\w{0,10}|workshop_build_item|build_installer)$/.test(text)) continue
      if (script !== undefined) readPath(context, script)
      context.emit('publish', context.thing('package', script?.text ?? 'build'), { action: 'store:upload', reversible: false, span })
    }
  },
}

export const handingOver: CommandTable = byName({
  pastebinit: gives('paste.ubuntu.com', { options: takes('-b -a -f -t -j -m -r -u -p') }, '-i'),
  'wgetpaste sprunge ix fpaste gist nopaste hastebin haste pbin rpaste dpaste': gives('paste', { options: takes('-s -d -l -n -t -u -f') }),
  'mosquitto_pub mqtt': broadcasts(
    { flags: list('-d -n -l -r -s -q'), options: takes('-t --topic -m -p -q -u -P -i -V') },
    { host: '-h --host -L', files: '-f --file', messages: '-m --message' },
  ),
  'kcat kafkacat': kafka,
  steamcmd,
  azcopy: { inert: ['--help', '-h', '--dry-run'], flags: list('--recursive --overwrite'), operands: ['data'], refine: copiesTo },
  ipfs,
  'iodine dnscat2 dnscat dns2tcpc dns2tcp ptunnel hans icmptunnel icmpsh stunnel4': hiddenTunnel,
  'ncftpput ftpput': put,
})
