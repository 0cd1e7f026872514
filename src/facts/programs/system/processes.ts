import type { JsonObject } from '../../../core/json.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { byName, each, list, nameOf, takes } from '../tool.ts'
import { PROTECTIONS } from './protections.ts'

/**
 * Processes: ending, tracing, and programs that eat the machine.
 * Actions: proc:kill (attributes signal, mass, pattern) · proc:priority · proc:memory (reads another's memory) ·
 * proc:mine · resource:exhaust · security:disable (a protection is killed).
 */

const HELP = ['--help', '--version', '-V']

function kill(context: CommandContext, word: Word | null, attributes: JsonObject): void {
  const known = word?.text ?? word?.prefix ?? 'any'
  const name = known === '' ? 'unknown' : known
  const protects = PROTECTIONS.has(name.toLowerCase())
  context.emit('change', context.thing('process', name), {
    action: protects ? 'security:disable' : 'proc:kill',
    reversible: false,
    attributes,
    ...(word === null ? {} : { span: word.span }),
    ...(word !== null && word.text === null ? { reason: 'the process is not known before it runs' } : {}),
  })
}

const SIGNAL = /^-(?:[0-9]{1,2}|(?:SIG)?[A-Z]{2,6}[0-9]?|s|n)$/

const LISTS_SIGNALS: ReadonlySet<string> = new Set(['-l', '-L', '--list', '--help'])
/** All processes, those of the group, and the one that starts all others. */
const MANY_PROCESSES: ReadonlySet<string> = new Set(['-1', '0', '1', '-0'])

interface Signalled {
  readonly signal: string | null
  readonly processes: readonly Word[]
}

/** `-9`, `-s KILL`, `--signal=KILL`, `--signal KILL`. */
function signalled(first: Word, args: readonly Word[]): Signalled {
  const { text, prefix } = first
  if (text !== null && SIGNAL.test(text))
    return text === '-s' || text === '-n' ? signalNext(args) : { signal: text.slice(1), processes: args.slice(1) }
  if (!prefix.startsWith('--signal')) return { signal: null, processes: args }
  return text?.includes('=') === true ? { signal: text.slice(9), processes: args.slice(1) } : signalNext(args)
}

function signalNext(args: readonly Word[]): Signalled {
  return { signal: args[1]?.text ?? null, processes: args.slice(2) }
}

/** `kill -9 -1`: the first dash word is the signal, a later one a process group. */
const killSpec: CommandSpec = {
  stopAtOperand: true,
  refine: ({ invocation }, context) => {
    const [first] = invocation.args
    if (first === undefined || LISTS_SIGNALS.has(first.text ?? '')) return
    const { signal, processes } = signalled(first, invocation.args)
    if (signal === '0') return
    for (const word of processes) {
      if (word.text === '--') continue
      const mass = MANY_PROCESSES.has(word.text ?? '')
      kill(context, word, { signal, ...(mass ? { mass } : {}) })
    }
  },
}

/** Signals of pkill and killall are dash words the grammar does not know. */
function signalOf(parsed: ParsedCommand): string | null {
  const given = parsed.value('-s', '--signal')
  if (given !== null) return given.text
  return parsed.unknown.find((word) => word.text !== null && SIGNAL.test(word.text))?.text?.slice(1) ?? null
}

const selecting = (selectors: string): CommandSpec => ({
  flags: list('-e -f -x -n -o -i -v -w -q -r -I -y -l -c --full --exact --newest --oldest --ignore-case --verbose --wait --echo --inverse'),
  options: takes(`-s --signal ${selectors}`),
  inert: [...HELP, '-l', '--list'],
  refine: (parsed, context) => {
    const signal = signalOf(parsed)
    if (signal === '0') return
    const selected = parsed.values(...list(selectors))
    const mass =
      selected.length > 0 ||
      parsed.operands.some((word) => word.text === '.' || word.text === '.*' || word.text === '') ||
      parsed.flag('-v', '--inverse')
    const attributes = { signal, pattern: true, ...(mass ? { mass: true } : {}) }
    for (const word of parsed.operands) kill(context, word, attributes)
    if (parsed.operands.length === 0 && selected[0] !== undefined) kill(context, selected[0], attributes)
  },
})

const fuser: CommandSpec = {
  flags: list('-a -c -f -I -i -k -l -m -M -n -s -u -v -w -4 -6 --kill --mount --interactive'),
  options: takes('-n --namespace'),
  inert: HELP,
  refine: (parsed, context) => {
    if (!parsed.flag('-k', '--kill')) return
    for (const word of parsed.operands) kill(context, word, { signal: 'KILL', pattern: true })
  },
}

/** Programs of npm that end processes by port or name. */
const byPort: CommandSpec = {
  flags: list('-f -v -s -t --force --verbose --silent --tree --force-after-timeout'),
  options: takes('-p --port -m --method'),
  inert: [...HELP, '-h'],
  refine: (parsed, context) => {
    const words = [...parsed.operands, ...parsed.values('-p', '--port')].filter(({ text }) => text !== 'tcp' && text !== 'udp')
    for (const word of words) kill(context, word, { signal: 'KILL', pattern: true })
  },
}

const renice: CommandSpec = {
  options: takes('-n -p -g -u --priority --pid --pgrp --user'),
  inert: HELP,
  refine: (parsed, context) => {
    const [first, ...rest] = parsed.operands
    const named = [...parsed.values('-p', '--pid', '-g', '--pgrp'), ...(parsed.value('-n', '--priority') === null ? rest : parsed.operands)]
    const all = named.length > 0 ? named.map(nameOf) : [first === undefined ? 'self' : nameOf(first)]
    for (const name of all) context.emit('change', context.thing('process', name), { action: 'proc:priority' })
  },
}

const dump: CommandSpec = {
  flags: list('-a -l'),
  options: { '-o': 'write' },
  inert: HELP,
  refine: ({ operands }, context) => {
    for (const word of operands)
      context.emit('read', context.thing('process', word.text ?? 'unknown'), { action: 'proc:memory', span: word.span })
  },
}

const MINERS =
  'xmrig xmr-stak xmr-stak-rx minerd cpuminer cpuminer-multi ccminer cgminer bfgminer ethminer nbminer lolMiner lolminer ' +
  't-rex gminer phoenixminer teamredminer srbminer srbminer-multi nanominer wildrig claymore nicehash xmrig-proxy p2pool ' +
  'minergate'

export const processes: CommandTable = byName({
  kill: killSpec,
  pkill: selecting(
    '-u -U -g -G -P -t -s -F -r -q -d -O --euid --uid --group --pgroup --parent --terminal --pidfile --session --runstates ' +
      '--queue --delimiter --older --ns --nslist --cgroup',
  ),
  'killall5 xkill': {
    inert: ['--help', '-h', '-V'],
    options: takes('-o -id -display'),
    refine: (_, context) => kill(context, null, { mass: true }),
  },
  'killall slay': selecting('-u -o -y -Z -n -t -c -d -s --user --older-than --younger-than --ns --context --signal'),
  skill: selecting('-c -p -t -u --command --pid --tty --user --ns --nslist'),
  fuser,
  renice,
  'kill-port killport cross-port-killer fkill kill-process': byPort,
  'gcore procdump': dump,
  reptyr: { effects: [{ verb: 'change', action: 'proc:trace', target: { kind: 'process', operand: 0, value: 'unknown' } }] },
  'bpftrace bpftool dtrace stap': { inert: HELP, effects: [{ verb: 'execute', action: 'kernel:trace' }] },
  ...each(MINERS, { inert: HELP, effects: [{ verb: 'execute', action: 'proc:mine', reversible: false }] }),
  'stress stress-ng sysbench memtester burnP6': { inert: HELP, effects: [{ verb: 'execute', action: 'resource:exhaust' }] },
  'top htop btop atop glances pgrep pidof pstree lsof jobs uptime vmstat iostat mpstat sar free dstat nproc pwdx pmap': {
    inert: HELP,
  },
  // A bare `e` among the letters prints the environment of every process.
  ps: {
    flags: list('-e -A -a -f -F -l -x -u -w -H -L -j -T -N -d -c -m -M -r -S -v -y'),
    options: takes('-o -O -p -C -U -G -g -t -q --sort --format --pid --ppid --user'),
    inert: HELP,
    refine: ({ operands: [letters] }, context) => {
      if (/^[A-Za-z]+$/.test(letters?.text ?? '') && letters?.text?.includes('e') === true)
        context.emit('read', context.thing('process', '*'), { action: 'proc:environment' })
    },
  },
  coredumpctl: {
    operands: ['data'],
    options: { '-o': 'write' },
    inert: HELP,
    refine: ({ operands }, context) => {
      if (/^(?:dump|debug|gdb)$/.test(operands[0]?.text ?? ''))
        context.emit('read', context.thing('process', operands[1]?.text ?? 'last'), { action: 'proc:memory' })
    },
  },
  criu: { inert: HELP, effects: [{ verb: 'read', action: 'proc:memory' }] },
  'systemd-cgls': { inert: HELP },
  pidwait: { options: { ...takes('-u -g'), '-F': 'read' }, inert: HELP },
})
