import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { ranUnread } from '../loads.ts'
import { byName, list, takes } from '../tool.ts'
import { runUnread } from '../unknown/code.ts'
import { addressWords } from './bus-address.ts'
import { HELP, prefix, wrapping } from './words.ts'

/** Programs that run what one of their options names, or what stands in the file that they are given: terminals, filters, macros. */

/** `option` names a program; what else is given are its own words. */
const calls = (flags: string, valued: string, programs: string): CommandSpec => ({
  flags: list(flags),
  options: { ...takes(valued), ...takes(programs, 'program') },
  inert: HELP,
  operands: ['data'],
})

/** `esyscmd(…)`, `syscmd(…)` and the files that `include` names. */
function runMacros(text: string, { span }: Pick<Word, 'span'>, context: CommandContext): void {
  for (const match of text.slice(0, LONGEST).matchAll(/\b(e?syscmd|s?include)\(\s{0,8}[`"[]{0,2}([^)`"'\]]{1,1024})/g)) {
    const [, name = '', inside = ''] = match
    if (name.endsWith('cmd')) context.shell(inside.trim(), span, 'm4')
    else context.emit('read', context.path(knownWord(inside.trim(), span)), { span })
  }
}

const LONGEST = 65_536

const m4: CommandSpec = {
  flags: list('-E -e -i -P -Q -s -c --interactive --prefix-builtins --quiet --silent --synclines --fatal-warnings'),
  options: { ...takes('-D -I -U -L -B -N -d -l -W --define --include --undefine'), ...takes('-o --error-output', 'write'), '-R': 'read' },
  inert: HELP,
  operands: ['read'],
  refine: ({ operands, invocation: { input, span } }, context) => {
    if (input.kind === 'text' && input.text !== null && operands.every(({ text }) => text === '-')) runMacros(input.text, { span }, context)
    for (const word of operands) {
      const text = context.written(word)?.text
      if (text != null) runMacros(text, word, context)
    }
  },
}

/** `pidstat -e program arguments`: what stands behind `-e` runs. */
const pidstat: CommandSpec = {
  operands: ['data'],
  inert: ['-V', '--help', '--version'],
  refine: ({ invocation: { args, name } }, context) => {
    const at = args.findIndex(({ text }) => text === '-e')
    if (at >= 0 && at + 1 < args.length) context.command(args.slice(at + 1), name)
  },
}

/** `logsave [-asv] file command`: what it prints goes into the file. */
const logsave: CommandSpec = {
  ...prefix('-a -s -v', '', 1),
  operands: [],
  refine: ({ operands: [file, ...command], invocation }, context) => {
    if (file !== undefined && file.text !== '-' && file.text !== '/dev/null') context.emit('write', context.path(file), { span: file.span })
    if (command.length > 0) context.command(command, invocation.name)
  },
}

/** `csvtool call COMMAND file…`: the command runs for each row. */
const csvtool: CommandSpec = {
  options: { ...takes('-t -u -z'), '-o': 'write' },
  inert: HELP,
  operands: [],
  refine: ({ operands: [verb, ...words], invocation }, context) => {
    const [first, ...files] = words
    const called = verb?.text === 'call'
    if (called && first !== undefined) context.shell(first.text, first.span, invocation.name)
    const takesFirst = called || /^(?:(?:named)?col|format|setcolumns|setrows|head|drop|take|sub|join|trim)$/.test(verb?.text ?? '')
    for (const word of takesFirst ? files : words) if (word.text !== '-') context.emit('read', context.path(word), { span: word.span })
  },
}

/** A debugger of scripts: `byebug script.rb arguments`. */
const debugsRuby: CommandSpec = {
  flags: list('-d -l -m -q -s -x --debug --no-quit --no-stop --no-rc --trace --stop --quit'),
  options: { ...takes('-R --remote -I --include'), ...takes('-r --require', 'load') },
  inert: [...HELP, '-h', '-v'],
  inertFirst: true,
  stopAtOperand: true,
  operands: [],
  refine: ({ operands: [script, ...args] }, context) => {
    if (script !== undefined) context.script('ruby', script, args)
  },
}

/** `gimp -i -b '(code)' -b '(gimp-quit 0)'`: Script-Fu, or Python where the interpreter is said to be that. */
const gimp: CommandSpec = {
  flags: list('-i -d -f -s -n -v --no-interface --no-data --no-fonts --no-splash --new-instance --verbose --console-messages --quit'),
  options: takes('-b --batch --batch-interpreter -g --gimprc --system-gimprc --session --pdb-compat-mode'),
  inert: [...HELP, '-h'],
  operands: ['read'],
  refine: (parsed, context) => {
    const python = /python/.test(parsed.value('--batch-interpreter')?.text ?? '')
    for (const word of parsed.values('-b', '--batch')) {
      if (python) context.code('python', word.text, word.span)
      else if (word.text !== '-' && !/^\(gimp-quit \d\)$/.test(word.text ?? '')) runUnread(word, 'gimp', context)
    }
  },
}

/** `elvish -c CODE`, `rc -c CODE`: shells of a language of their own, in which a command is still a word with its words. */
const otherShell: CommandSpec = {
  flags: list('-e -i -l -n -p -s -v -x -d -o -compileonly -norc -log'),
  options: { '-c': 'code:shell' },
  inert: HELP,
  stopAtOperand: true,
  operands: [],
  refine: (parsed, context) => {
    const [script, ...args] = parsed.operands
    if (parsed.value('-c') !== null) return
    if (script !== undefined) context.script('shell', script, args)
    else context.stdin('shell')
  },
}

/** `minicom -S script`, `runscript script`: a line that begins with `!` goes to a shell. */
function runsBangs(word: Word, context: CommandContext): void {
  const text = context.written(word)?.text ?? null
  if (text === null) ranUnread(word, context)
  else
    for (const line of text.split('\n', 256))
      if (/^\s{0,16}!/.test(line)) context.shell(line.replace(/^\s{0,16}!/, ''), word.span, 'minicom')
}

/** Programs on the message bus: an address may be that of a program which is started to speak to. */
const busctl: CommandSpec = {
  flags: list(
    '--system --user --show-machine --unique --acquired --activatable --list --no-pager --no-legend -l --full -q --quiet --verbose',
  ),
  options: takes('--address -H --host -M --machine --match --size --timeout --augment-creds --watch-bind --destination --json'),
  operands: ['data'],
  inert: HELP,
  refine: (parsed, context) => {
    for (const word of parsed.values('--address')) {
      const words = addressWords(word)
      if (words.length > 0) context.command(words, 'busctl')
    }
    if (parsed.operands.some((word) => /^(?:call|set-property|emit)$/.test(word.text ?? '')))
      context.emit('change', context.thing('service', 'message bus'), { action: 'service:call' })
  },
}

/** `run-mailcap --action=edit text/plain:file`. */
const mailcap: CommandSpec = {
  flags: list('--debug --nopager --norun'),
  options: takes('--action --priority'),
  inert: [...HELP, '--norun'],
  operands: [],
  refine: (parsed, context) => {
    const { name } = parsed.invocation
    const action = parsed.value('--action')?.text ?? name
    for (const word of parsed.operands) {
      const text = word.text?.replace(/^[\w.+-]+\/[\w.+-]+:(?:[\w-]+:)?/, '') ?? null
      const target = context.path({ ...word, text, prefix: text ?? '' })
      context.emit('read', target, { span: word.span })
      if (/^(?:edit|compose)/.test(action)) context.emit('write', target, { span: word.span, certainty: 'possible' })
    }
  },
}

const editsReport = (parsed: ParsedCommand, context: CommandContext): void => {
  for (const word of parsed.values('-e')) context.shell(word.text, word.span, parsed.invocation.name)
}

export const namedWrappers: CommandTable = wrapping(
  byName({
    m4,
    pidstat,
    logsave,
    csvtool,
    'byebug rdbg': debugsRuby,
    'gimp gimp-console': gimp,
    'elvish rc': otherShell,
    busctl,
    'run-mailcap': mailcap,
    'aoss padsp esddsp artsdsp': prefix('-d -n -m -q -S -M', '-s'),
    pexec: prefix('-c -R -u -z -a --shell-command --no-shell', '-n -p -f -e -l -o -r -i -t --number --parameters --environment --log'),
    openvt: prefix('-f -l -s -u -v -w -e --exec --force --login --switch --user --verbose --wait', '-c --console'),
    'agetty getty mingetty': calls(
      '-8 -a -c -i -J -L -m -n -N -o -p -R -U -w --noreset --noclear --skip-login',
      '-a --autologin -E -f -H -I -r -t',
      '-l --login-program',
    ),
    plymouth: calls('--ping --quit --debug --has-active-vt', '--prompt --number-of-tries --dont-pause-progress --text', '--command'),
    zic: { ...calls('-v -s', '-b -d -l -L -p -r -t', '-y'), operands: ['read'] },
    enscript: {
      flags: list('-1 -2 -B -c -g -G -h -K -l -q -r -R -w -Z'),
      options: {
        ...takes('-a -A -b -C -d -D -E -f -F -H -i -I -J -L -M -n -N -P -s -S -t -T -U -u -v -W -X --filter --media --color'),
        ...takes('-o -p --output', 'write'),
      },
      inert: HELP,
      operands: ['read'],
      refine: (parsed, context) => {
        for (const word of parsed.values('-I', '--filter')) context.shell(word.text, word.span, 'enscript')
      },
    },
    minicom: {
      flags: list('-s -o -m -M -z -l -L -w -8 -b -h'),
      options: { ...takes('-a -b -c -d -D -p -R -t -T -O'), '-C': 'write', '-S': 'data' },
      inert: ['-h', '-v', '--help', '--version'],
      operands: ['data'],
      refine: (parsed, context) => {
        for (const word of parsed.values('-S')) runsBangs(word, context)
      },
    },
    runscript: {
      operands: [],
      refine: ({ operands: [script] }, context) => (script === undefined ? undefined : runsBangs(script, context)),
    },
    perlbug: { options: takes('-s -r -c -e -f -S -a'), operands: ['data'], inert: HELP, refine: editsReport },
    'cowsay cowthink': {
      flags: list('-b -d -g -l -n -p -s -t -w -y'),
      options: { ...takes('-e -T -W'), '-f': 'data' },
      operands: ['data'],
      refine: cow,
    },
    easyrsa: {
      options: { ...takes('--pki-dir --batch --days --req-cn --subca-len'), ...takes('--vars', 'load') },
      operands: ['data'],
      inert: HELP,
    },
  }),
)

/** A picture named by a path is a Perl script. */
function cow(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.values('-f')) if (word.prefix.includes('/')) context.script('perl', word, [])
}
