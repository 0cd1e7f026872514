import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { reachUrl, readPath } from '../../resources/acts.ts'
import { across, joined } from '../running/words.ts'
import { byName, list, takes } from '../tool.ts'

/**
 * Shells on other machines beside ssh: one command for many of them, the old r-commands, those of Windows, desktops.
 * Actions: net:remote-shell (with a command) · net:remote-login.
 */

/** Where a program names its machines, and what it runs there. */
interface Fleet {
  readonly hosts: string
  /** Options whose value is a file with names of machines. */
  readonly lists?: string
  readonly others?: string
  readonly flags?: string
  /** The first operand is the machine. */
  readonly first?: boolean
}

const HELP = ['--help', '--version']

function fleet({ hosts, lists = '', others = '', flags = '', first = false }: Fleet): CommandSpec {
  return {
    flags: list(flags),
    options: { ...takes(hosts), ...takes(lists), ...takes(others) },
    inert: HELP,
    stopAtOperand: true,
    operands: [],
    refine: (parsed, context) => {
      for (const word of parsed.values(...list(lists))) readPath(context, word)
      const named = parsed.values(...list(hosts))
      const rest = first ? parsed.operands.slice(1) : parsed.operands
      const machines = first ? parsed.operands.slice(0, 1) : named
      runThere({ machines, words: rest }, parsed, context)
    },
  }
}

function runThere(
  there: { readonly machines: readonly Word[]; readonly words: readonly Word[] },
  parsed: ParsedCommand,
  context: CommandContext,
): void {
  const { machines, words } = there
  const { name, span, input } = parsed.invocation
  const fed = input.kind !== 'none'
  if (machines.length === 0 && words.length === 0 && !fed) return
  const action = words.length > 0 || fed ? 'net:remote-shell' : 'net:remote-login'
  const reached = machines.map((word) => ({ ...context.url(word), kind: 'host' as const }))
  for (const target of reached.length > 0 ? reached : [context.thing('host', 'listed machines')]) {
    context.emit('send', target, { action, attributes: { remote: target.value } })
  }
  context.within({ attributes: { remote: name }, remote: true }, (inner) => {
    if (words.length > 0) inner.shell(joined(words), across(words, span), name)
    else if (fed) inner.stdin('shell')
  })
}

/** `psexec \\host cmd`, `winrs -r:host cmd`: options begin with a dash or a slash, the machine is marked. */
const ofWindows: CommandSpec = {
  operands: ['data'],
  inert: ['/?', '-?'],
  refine: (parsed, context) => {
    const { args } = parsed.invocation
    const machines = args.filter(({ prefix }) => /^\\\\|^[/-]r(?:emote)?:/i.test(prefix))
    const words = args.filter(({ prefix }) => !/^(?:\\\\|[/-])/.test(prefix))
    const hosts = machines.map((word) => {
      const host = (word.text ?? word.prefix).replace(/^(?:\\\\|[/-]r(?:emote)?:)/i, '')
      return { ...word, text: word.text === null ? null : host, prefix: host }
    })
    runThere({ machines: hosts, words }, parsed, context)
  },
}

/** A screen of another machine. */
const desktopOf: CommandSpec = {
  inert: ['--help', '/help', '--version', '-v'],
  refine: ({ invocation }, context) => {
    for (const word of invocation.args) {
      const host = /^\/v:(.*)$/i.exec(word.text ?? '')?.[1] ?? (/^[-/+]/.test(word.prefix) ? null : word.text)
      if (host !== null && host !== '')
        reachUrl(context, { ...word, text: host, prefix: host }, { verb: 'send', action: 'net:remote-login' })
    }
  },
}

export const fleets: CommandTable = byName({
  'pssh parallel-ssh': fleet({
    hosts: '-H --host',
    lists: '-h --hosts',
    others: '-l --user -p --par -o --outdir -e --errdir -t --timeout -O --option -x --extra-args',
    flags: '-v -A -i -I -P',
  }),
  pdsh: fleet({ hosts: '-w -g', others: '-l -R -f -t -u -x', flags: '-S -b -k' }),
  'clush dsh': fleet({
    hosts: '-w -g -m --group --machine',
    lists: '--hostfile --machinefile -f --file',
    others: '-l -f -t -u -x -o',
    flags: '-a -b -B -L -q -v -M -c',
  }),
  mussh: fleet({ hosts: '-h -c', lists: '-H', others: '-l -m' }),
  'rsh remsh rexec': fleet({ hosts: '', others: '-l -k', flags: '-n -d -x', first: true }),
  'psexec psexec64 paexec winrs': ofWindows,
  'xfreerdp xfreerdp3 wlfreerdp rdesktop mstsc vncviewer remmina krdc': desktopOf,
})
