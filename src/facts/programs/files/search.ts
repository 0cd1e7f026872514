import type { CommandContext, CommandSpec, CommandTable, ParsedCommand } from '../../host.ts'
import { readPath, wordOf } from '../../resources/acts.ts'
import { byName, list, takes } from '../tool.ts'

/** Programs that search text: the first operand is the pattern unless an option gives it, the others are read. */

const HELP = ['--help', '--version']

interface Search {
  /** Searches the working directory where nothing is named and nothing is piped in. */
  readonly recursive: boolean
  /** Options that stand for the pattern. */
  readonly patterns: readonly string[]
  /** Flags after which there is no pattern at all. */
  readonly listing?: readonly string[]
}

const RECURSIVE = ['-r', '-R', '--recursive', '--dereference-recursive']

function search(kind: Search): (parsed: ParsedCommand, context: CommandContext) => void {
  return (parsed, context) => {
    const given = parsed.value(...kind.patterns) !== null || parsed.flag(...(kind.listing ?? []))
    const files = given ? parsed.operands : parsed.operands.slice(1)
    const recursive = kind.recursive || parsed.flag(...RECURSIVE) || parsed.value('-d', '--directories')?.text === 'recurse'
    const attributes = recursive ? { recursive: true } : {}
    for (const word of files) readPath(context, word, { attributes })
    const { invocation } = parsed
    const fromInput = kind.recursive && invocation.input.kind !== 'none'
    if (files.length === 0 && recursive && !fromInput) readPath(context, wordOf('.', invocation.program), { attributes })
  }
}

const grep: CommandSpec = {
  flags: list(
    '-i -v -w -x -c -l -L -n -h -H -o -q -s -r -R -E -F -G -P -a -I -z -Z -b -U -y -T --ignore-case --invert-match ' +
      '--recursive --dereference-recursive --count --quiet',
  ),
  options: {
    ...takes('-e -m -A -B -C -d -D --regexp --max-count --after-context --before-context --context --directories --devices'),
    ...takes('--include --exclude --exclude-dir --binary-files --label --group-separator'),
    '-f': 'read',
    '--file': 'read',
    '--exclude-from': 'read',
  },
  optionalValues: ['--color', '--colour'],
  inert: HELP,
  refine: search({ recursive: false, patterns: ['-e', '--regexp', '-f', '--file'] }),
}

const ripgrep: CommandSpec = {
  flags: list('-i -v -w -x -c -l -n -N -h -H -o -q -s -S -F -P -a -z -u -U -L -p --files --hidden --no-ignore --type-list --json -0'),
  options: {
    ...takes('-e -m -A -B -C -g -t -T -r -d -j -M -E --regexp --glob --iglob --type --type-not --replace --max-depth --max-count'),
    ...takes('--context --after-context --before-context --threads --sort --sortr --color --colors --encoding --max-columns --type-add'),
    ...takes('--max-filesize --pre-glob --engine --context-separator --path-separator'),
    '-f': 'read',
    '--file': 'read',
    '--ignore-file': 'read',
    '--pre': 'program',
    '--hostname-bin': 'program',
  },
  inert: [...HELP, '-V'],
  refine: search({ recursive: true, patterns: ['-e', '--regexp', '-f', '--file'], listing: ['--files', '--type-list'] }),
}

const silver: CommandSpec = {
  flags: list('-i -v -w -l -L -c -n -r -R -Q -s -S -a -u -f -H -o -q -z --hidden --literal'),
  options: { ...takes('-G -A -B -C -m -g -d --ignore --ignore-dir --depth --type --pager --match --file-search-regex'), '-p': 'read' },
  inert: HELP,
  refine: search({ recursive: true, patterns: ['--match'] }),
}

const rgrep: CommandSpec = { ...grep, refine: search({ recursive: true, patterns: ['-e', '--regexp', '-f', '--file'] }) }

/** Commands inside a key binding: `execute(…)`, `become(…)`, `reload:…`. */
const BOUND = /\b(?:execute|become|reload|transform|preview)[a-z-]{0,16}[(:]/g

/** The commands of a binding: up to its closing parenthesis, or to the end after a colon. */
function bound(text: string): readonly string[] {
  return [...text.matchAll(BOUND)].map(({ 0: opening, index }) => {
    const rest = text.slice(index + opening.length)
    const end = opening.endsWith('(') ? rest.indexOf(')') : -1
    return end === -1 ? rest : rest.slice(0, end)
  })
}

/** Commands of one `--bind` that are read. */
const MAX_BOUND = 64

/** fzf runs its preview and its key bindings as shell commands. */
const picker: CommandSpec = {
  flags: list(
    '-m -e -i -x -0 -1 -s +s +m --multi --exact --tac --ansi --reverse --cycle --no-sort --read0 --print0 --print-query --select-1 --exit-0 --no-mouse',
  ),
  options: takes(
    '-q -f -d -n --query --filter --delimiter --nth --with-nth --preview --bind --height --prompt --header --expect ' +
      '--layout --preview-window --color --tiebreak --border --history --margin -c --cmd -I',
  ),
  optionalValues: ['--listen', '--listen-unsafe'],
  inert: [...HELP, '-h'],
  refine: (parsed, context) => {
    if (parsed.flag('--listen', '--listen-unsafe')) context.emit('change', context.thing('host', 'this machine'), { action: 'net:listen' })
    for (const word of parsed.values('--preview', '-c', '--cmd')) context.shell(word.text, word.span, 'fzf')
    for (const word of parsed.values('--bind')) {
      if (word.text === null) context.shell(null, word.span, 'fzf')
      const commands = bound(word.text ?? '')
      for (const command of commands.slice(0, MAX_BOUND)) context.shell(command, word.span, 'fzf')
      if (commands.length > MAX_BOUND) context.opaque('`fzf` is given more commands than are read', word.span)
    }
  },
}

/** Benchmarks run their operands as shell commands. */
const bench: CommandSpec = {
  flags: list('-i -N --ignore-failure --show-output'),
  options: {
    ...takes(
      '-w -r -m -M -p -c -s -S -n -L -P -D -u --parameter-scan --parameter-list --parameter-step-size --warmup --runs ' +
        '--min-runs --max-runs --prepare --cleanup --setup --shell --command-name',
    ),
    ...takes('--export-json --export-csv --export-markdown --output-file', 'write'),
  },
  inert: HELP,
  refine: (parsed, context) => {
    const { args } = parsed.invocation
    // A scan is told its name, where it begins, and where it ends.
    const scan = args.findIndex(({ text }) => text === '-P' || text === '--parameter-scan')
    const ends = scan < 0 ? [] : args.slice(scan + 2, scan + 4)
    const benched = parsed.operands.filter((word) => !ends.includes(word))
    for (const word of [...benched, ...parsed.values('-p', '-c', '-s', '--prepare', '--cleanup', '--setup')])
      context.shell(word.text, word.span, 'hyperfine')
  },
}

const man: CommandSpec = {
  flags: list('-a -k -f -K -w -W -D -d -u'),
  options: { ...takes('-s -S -M -m -L -e -E -p -r -R'), ...takes('-P --pager'), '-H': 'program', '--html': 'program', '-C': 'read' },
  inert: HELP,
  refine: (parsed, context) => {
    for (const word of parsed.values('-P', '--pager')) context.shell(word.text, word.span, 'man')
  },
}

export const searching: CommandTable = byName({
  'fzf sk': picker,
  hyperfine: bench,
  man,
  'grep egrep fgrep zgrep zegrep zfgrep bzgrep xzgrep ggrep ugrep': grep,
  rgrep,
  'rg ripgrep': ripgrep,
  'ag ack pt sift ack-grep': silver,
})
