import type { CommandContext, CommandSpec, CommandTable, Word } from '../../host.ts'
import { writePath } from '../../resources/acts.ts'
import { exCommand, exInput } from '../files/ex-commands.ts'
import { ranUnread } from '../loads.ts'
import { byName, list, takes } from '../tool.ts'
import { HELP, prefix, wrapping } from './words.ts'

/** Programs that run a command later, elsewhere in the session, or from inside another tool: schedulers, multiplexers, editors, debuggers. */

/** `at`, `batch`: standard input runs later. */
const at: CommandSpec = {
  flags: list('-m -M -v -b -l -r -d -c -V'),
  options: { ...takes('-q -t'), '-f': 'script' },
  inert: ['-V', '-l', '-c'],
  operands: [],
  refine: (parsed, context) => {
    if (parsed.flag('-r', '-d')) return
    context.emit('persist', context.thing('service', parsed.invocation.name), { action: 'schedule:job' })
    context.stdin('shell')
  },
}

/** A crontab: five fields or `@daily`, then a command for the shell. */
function crontabLines(text: string, word: { readonly span: Word['span'] }, context: CommandContext): void {
  for (const line of text.split('\n').slice(0, 200)) {
    const match = /^\s*(?:@\w+|(?:\S+\s+){4}\S+)\s+(\S.*)$/.exec(line)
    if (match?.[1] !== undefined && !line.trimStart().startsWith('#')) context.shell(match[1].split(/(?<!\\)%/)[0] ?? '', word.span, 'cron')
  }
}

const crontab: CommandSpec = {
  flags: list('-l -r -e -i -V'),
  options: takes('-u -s -T -n'),
  inert: ['-V'],
  operands: [],
  refine: (parsed, context) => {
    const { input, span } = parsed.invocation
    if (parsed.value('-T') !== null) return
    const jobs = context.thing('service', 'crontab')
    if (parsed.flag('-l')) {
      context.emit('read', jobs, { action: 'schedule:list' })
      return
    }
    if (parsed.flag('-r')) {
      context.emit('delete', jobs, { action: 'schedule:remove' })
      return
    }
    const [file] = parsed.operands
    context.emit('persist', jobs, { action: 'schedule:cron', span: file?.span ?? span })
    if (file !== undefined && file.text !== '-') context.emit('read', context.path(file), { span: file.span })
    else if (input.kind === 'text' && input.text !== null) crontabLines(input.text, { span: input.span }, context)
    else if (input.kind === 'pipe') context.opaque('the jobs are not known before they are installed', span)
  },
}

/** `systemd-run command`: a transient service, or a timer that leaves something behind. */
const systemdRun: CommandSpec = {
  ...prefix(
    '-r -t -P -q -v -G -S -d --user --system --scope --remain-after-exit --pty --pty-late --pipe --quiet --verbose ' +
      '--collect --wait --same-dir --shell --slice-inherit --no-block --no-ask-password --send-sighup --ignore-failure ' +
      '--on-clock-change --on-timezone-change',
    '-u --unit -p --property --description --slice --service-type --uid --gid --nice -E --setenv --on-active --on-boot ' +
      '--on-startup --on-unit-active --on-unit-inactive --on-calendar --timer-property --path-property --socket-property -M ' +
      '--machine -C --capsule -H --host --working-directory --root-directory --job-mode --background --json ' +
      '--expand-environment --output --area',
  ),
  refine: (parsed, context) => {
    const properties =
      '--on-active --on-boot --on-startup --on-unit-active --on-unit-inactive --on-calendar --path-property --socket-property'
    const timed = parsed.value(...list(properties)) !== null || parsed.flag('--on-clock-change', '--on-timezone-change')
    const unit = context.thing('service', parsed.value('-u', '--unit')?.text ?? 'transient')
    if (timed) context.emit('persist', unit, { action: 'schedule:timer' })
    for (const word of parsed.values('-p', '--property')) {
      const command = /^Exec\w{4,12}=[-@:+!|]{0,4}(.*)$/s.exec(word.text ?? '')?.[1]
      if (command !== undefined) context.shell(command, word.span, 'systemd-run')
    }
    if (parsed.operands.length > 0) context.command(parsed.operands, 'systemd-run')
    else if (parsed.flag('-S', '--shell')) context.stdin('shell')
  },
}

/** Words that are neither options nor values of the single-letter options in `valued`, the last of a bundle included (`-dmS name`). */
function operandsOf(words: readonly Word[], valued: string): readonly Word[] {
  let at = 0
  for (; at < words.length; at++) {
    const text = words[at]?.text ?? ''
    if (text === '--') return words.slice(at + 1)
    if (!text.startsWith('-') || text === '-') break
    const before = text.slice(1, -1)
    const last = text.slice(-1)
    if (last !== 'd' && valued.includes(last) && ![...before].some((letter) => valued.includes(letter))) at++
  }
  return words.slice(at)
}

/** Commands of a session that only arrange or end it. */
const DISPLAYING: ReadonlySet<string> = new Set(
  list(
    'title number select next prev other windows focus split remove only resize fit redisplay info time version lastmsg detach quit kill clear reset',
  ),
)

/** The word after the first that matches. */
function behind(args: readonly Word[], option: RegExp): Word | undefined {
  const at = args.findIndex(({ text }) => option.test(text ?? ''))
  return at < 0 ? undefined : args[at + 1]
}

/** `exec [[fd-pattern] program …]`, `screen [-opts] [n] [program …]`. */
function programOf(operands: readonly Word[]): readonly Word[] {
  const words = operandsOf(operands.slice(1), 'SceshTtp')
  return words.slice(/^[.!:|]{1,4}$|^\d{1,3}$/.test(words[0]?.text ?? '') ? 1 : 0)
}

/** A command of a session that runs. */
function addressedTo(operands: readonly Word[], span: Word['span'], context: CommandContext): void {
  const name = operands[0]?.text ?? ''
  if (name === 'exec' || name === 'screen') {
    const program = programOf(operands)
    if (program.length > 0) context.command(program, 'screen')
  } else if (!DISPLAYING.has(name)) context.opaque('`screen` takes commands of its own', span)
}

const screen: CommandSpec = {
  operands: [],
  refine: ({ invocation }, context) => {
    const { args, span } = invocation
    const typed = behind(args, /^stuff$/)
    if (typed !== undefined) {
      context.shell(typed.text?.replace(/\\n|\^M|\\r/g, '\n') ?? null, typed.span, 'screen')
      return
    }
    const addressed = args.some((word) => word.text === '-X')
    const log = behind(args, /^-Logfile$/)
    if (log !== undefined) context.emit('write', context.path(log), { span: log.span })
    const settings = addressed ? undefined : behind(args, /^-[dDmRx]*c$/)
    if (settings !== undefined) ranUnread(settings, context)
    // With `-X` what attaches only names the session: the command comes after it.
    const operands = operandsOf(args, addressed ? 'SceshTtpxrdDR' : 'SceshTtp')
    const [first] = operands
    if (first === undefined) return
    if (!args.some((word) => /^-(?:ls|list|wipe|r|x|X)$/.test(word.text ?? ''))) context.command(operands, 'screen')
    else if (addressed) addressedTo(operands, span, context)
  },
}

/** `expect -c` and its like speak Tcl, which is not analysed. */
const expect: CommandSpec = {
  flags: list('-b -d -i -n -N -v'),
  options: takes('-c -f -D'),
  inert: ['-v'],
  stopAtOperand: true,
  operands: [],
  refine: (parsed, context) => {
    const code = parsed.value('-c')
    if (code !== null) {
      context.code('tcl', code.text, code.span)
      return
    }
    const word = parsed.value('-f') ?? parsed.operands[0]
    context.opaque(`\`${parsed.invocation.name}\` runs Tcl, which is not analysed`, word?.span ?? parsed.invocation.span)
  },
}

/** `script -c command file`: a shell whose terminal is recorded. BSD has `script [-t time] file command …`. */
const script: CommandSpec = {
  flags: list('-a -d -e -f -F -k -p -q -r --append --return --flush --force --quiet'),
  options: {
    ...takes('-c --command -E --echo -m --logging-format -o --output-limit'),
    ...takes('-B -I -O -T --log-in --log-io --log-out --log-timing', 'write'),
  },
  optionalValues: ['-t', '--timing'],
  inert: HELP,
  operands: [],
  refine: (parsed, context) => {
    const { args } = parsed.invocation
    const command = parsed.value('-c', '--command')
    const timing = parsed.value('-t', '--timing')
    if (timing !== null) writePath(context, timing)
    const interval = parsed.flag('-t') && timing === null && /^[\d.]+$/.test(parsed.operands[0]?.text ?? '')
    const [file, first] = interval ? parsed.operands.slice(1) : parsed.operands
    if (file !== undefined && file.text !== '/dev/null') context.emit('write', context.path(file), { span: file.span })
    if (command !== null) context.shell(command.text, command.span, 'script')
    else if (first !== undefined) context.command(args.slice(args.indexOf(first)), 'script')
    else context.stdin('shell')
  },
}

const vim: CommandSpec = {
  flags: list('-b -d -e -E -f -g -h -l -L -m -M -n -N -R -s -v -V -x -X -y -Z --clean --headless --noplugin --not-a-term'),
  options: { ...takes('-c --cmd -i -T -t -q -p'), ...takes('-S -u -U', 'read'), ...takes('-W -w', 'write') },
  inert: ['--help', '--version', '-h'],
  operands: [],
  refine: (parsed, context) => {
    const typed = parsed.invocation.args
      .filter((word) => word.text?.startsWith('+') === true)
      .map((word) => ({ ...word, text: word.text?.slice(1) ?? null }))
    for (const word of [...parsed.values('-c', '--cmd'), ...typed]) exCommand(word, context)
    for (const word of parsed.values('-S', '-u'))
      if (word.text !== 'NONE') context.opaque('a script of the editor is not analysed', word.span)
    const commanded = parsed.invocation.name === 'ex' || parsed.flag('-e', '-E')
    if (commanded) exInput(parsed, context)
    // Otherwise `-s` names a file of keys that are typed.
    else if (parsed.flag('-s')) context.opaque('the keys that the editor is given are not analysed')
    for (const word of parsed.operands) {
      if (word.text?.startsWith('+') === true || word.text === '-') continue
      context.emit('read', context.path(word), { span: word.span })
      if (!parsed.flag('-R', '-M')) context.emit('write', context.path(word), { span: word.span, certainty: 'possible' })
    }
  },
}

export const sessionWrappers: CommandTable = wrapping(
  byName({
    'at batch': at,
    crontab,
    'systemd-run': systemdRun,
    screen,
    'expect wish': expect,
    script,
    'vim vi nvim view ex vimdiff gvim rvim rview gview vimx': vim,
  }),
  ['systemd-run'],
)
