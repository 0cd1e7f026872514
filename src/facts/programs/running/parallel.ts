import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { readPath, wordOf } from '../../resources/acts.ts'
import { HOLE } from '../../resources/text/hole.ts'
import { EVERY } from '../../resources/text/template.ts'
import { knownWord } from '../../resources/text/word.ts'
import { arriving, MOST } from '../files/names.ts'
import { NO_INPUT, replaced } from '../files/wrappers.ts'
import { list, takes } from '../tool.ts'
import { across, HELP, joined, joining, quote, wrapping } from './words.ts'

/** GNU parallel and its semaphore, and the program of the same name that takes its values after `--`. */

/** What stands before values, and before files of them. */
const SOURCES: ReadonlySet<string> = new Set([':::', ':::+'])
const FILES: ReadonlySet<string> = new Set(['::::', '::::+'])

/** Replacement strings that stand for a part of a value, or for its number. */
const PARTLY = /\{(?:[.#%]|\/{1,2}|\/\.|[+-]?\d{1,4}[./]{0,2}|=[^{}=]*=)\}/

/** The words of a call, told apart. */
interface Line {
  readonly template: readonly Word[]
  /** Each stands for one run. */
  readonly values: readonly Word[]
}

function lineOf(parsed: ParsedCommand, context: CommandContext): Line {
  const { invocation, operands } = parsed
  const unknown: Word = { ...knownWord('', invocation.span), text: null, dynamic: true }
  const file = parsed.value('-a', '--arg-file')
  if (file !== null) readPath(context, file)
  const [own, ownFile] = [parsed.value('--arg-sep')?.text, parsed.value('--arg-file-sep')?.text]
  const values = (text: string | null) => text !== null && (SOURCES.has(text) || text === own || (own === undefined && text === '--'))
  const files = (text: string | null) => text !== null && (FILES.has(text) || text === ownFile)
  const at = operands.findIndex(({ text }) => values(text) || files(text))
  if (at < 0) return { template: operands, values: file === null ? arriving(invocation, '\n') : [unknown] }
  const template = operands.slice(0, at)
  const named = operands.slice(at + 1).filter(({ text }) => !values(text) && !files(text))
  if (values(operands[at]?.text ?? null)) return { template, values: named }
  for (const word of named) readPath(context, word)
  return { template, values: [unknown] }
}

/** GNU parallel joins its words, puts values in, and hands the line to a shell. */
function runParallel(parsed: ParsedCommand, context: CommandContext): void {
  const { invocation, rest, operands } = parsed
  const { template, values } = lineOf(parsed, context)
  if (operands.length === 0) {
    context.stdin('shell')
    return
  }
  if (template.length === 0 || (rest.length > 0 && values === arriving(invocation, '\n'))) {
    // Without a command, each value is one.
    for (const word of values.slice(0, MOST)) context.shell(word.text, word.span, 'parallel')
    return
  }
  for (const value of values.slice(0, MOST)) one({ template, value, mark: parsed.value('-I')?.text ?? '{}' }, parsed, context)
}

interface Run {
  readonly template: readonly Word[]
  readonly value: Word
  readonly mark: string
}

function one({ template, value, mark }: Run, { invocation }: ParsedCommand, context: CommandContext): void {
  const at = across(template, invocation.span)
  const marked = template.some(({ prefix }) => prefix.includes(mark) || PARTLY.test(prefix))
  const words = marked ? partly(replaced(template, mark, value)) : [...template, value]
  const text = joined(words.map((word) => (word === value && word.text !== null ? wordOf(quote(word.text), word) : word)))
  if (text !== null) context.shell(text, at, 'parallel')
  else if (value.glob && !value.dynamic && template.every((word) => word.text !== null && !PARTLY.test(word.text))) {
    // It quotes what it puts in: a name that was found is one word, whatever is in it.
    const name = value.text?.endsWith('/*') === true ? value.prefix.slice(0, -1) + EVERY : value.prefix + HOLE
    const line = template.map((word) => word.text?.replaceAll(mark, name)).join(' ')
    context.shell(marked ? line : `${line} ${name}`, at, 'parallel')
  } else if (template.length > 1) context.command(words, 'parallel', NO_INPUT)
  else runQuoted({ template, value, mark }, at, context)
}

/** A line into which a value is put, quoted, of which only its origin is known: outside of quotes it is one word. */
function runQuoted({ template, value, mark }: Run, at: Word['span'], context: CommandContext): void {
  const line = template[0]?.text ?? null
  if (line === null || /['"\\`]|<<|\{[^}]/.test(line)) context.shell(null, at, 'parallel')
  else {
    const words = ['sh', '-c', line.replaceAll(mark, '"$1"'), 'parallel'].map((text) => knownWord(text, at))
    context.command([...words, value], 'parallel', NO_INPUT)
  }
}

/** Words in which a part of a value stands are not known from there on. */
function partly(words: readonly Word[]): readonly Word[] {
  return words.map((word) => {
    const found = PARTLY.exec(word.text ?? '')
    return found === null ? word : { ...word, text: null, prefix: word.prefix.slice(0, found.index), dynamic: false }
  })
}

const FLAGS =
  '-0 -h -i -k -m -p -q -r -t -u -v -V -X -x --bar --bg --bibtex --citation --cleanup --color --color-failed --cf ' +
  '--compress --csv --ctag --dry-run --dr --dryrun --embed --eta --fast --fg --fifo --files --files0 --gnu --group --hgrp ' +
  '--hostgroups --interactive --keep-order --latest-line --ll --lb --line-buffer --line-buffered --link --linebuffer ' +
  '--minversion --no-notice --no-run-if-empty --noswap --null --number-of-cpus --number-of-cores --onall --nonall ' +
  '--open-tty --tty --pipe --pipe-part --pipepart --plain --plus --progress --quote --record-env --remove-rec-sep ' +
  '--resume --resume-failed --retry-failed --round-robin --rr --roundrobin --semaphore --sem --shebang --hashbang ' +
  '--shebang-wrap --shellquote --show-limits --shuf --silent --skip-first-line --spreadstdin --sql-and-worker --tag --tee ' +
  '--tmux --tmuxpane --tollef --total-jobs --transfer --trim --ungroup --unsafe --verbose --wait --wc --will-cite ' +
  '--xapply --xargs --zenity --ctrlc'

const VALUED =
  '-a --arg-file -C --colsep -d --delimiter -D -E -I -U -J --profile -j --jobs --max-procs -P --procs -L -n --max-args -N ' +
  '--max-replace-args -s --max-chars -S --sshlogin --sshloginfile --slf --arg-sep --arg-file-sep --basefile --bf --block ' +
  '--block-size --blocktimeout --bt --cat --compress-program --decompress-program --combineexec --delay --env --filter ' +
  '--filter-hosts --halt --halt-on-error --header --id --semaphore-id --semaphorename --semaphoretimeout --st --joblog ' +
  '--limit --load --max-line-length-allowed --memfree --memsuspend --nice --results --res --recend --recstart --regexp ' +
  '--retries --return --rpl --rsync-opts --seqreplace --basenamereplace --bnr --basenameextensionreplace --bner ' +
  '--dirnamereplace --dnr --extensionreplace --er --sqlmaster --sqlworker --ssh --sshdelay --tagstring --tag-string ' +
  '--template --tmpl --termseq --timeout --tmpdir --tempdir --tf --transferfile --trc --workdir --wd --pipe-block ' +
  '--group-by --groupby --shard --bin --tmux-session --parset'

const parallel: CommandSpec = {
  flags: list(FLAGS),
  options: takes(VALUED),
  optionalValues: list('-e --eof -l --max-lines --replace'),
  inert: [...HELP, '--dry-run', '--dryrun', '--dr', '--bibtex', '--citation'],
  stopAtOperand: true,
  operands: [],
  refine: runParallel,
}

/** `sem command`: one line for a shell, when there is room for it. */
const sem: CommandSpec = { ...joining(FLAGS, VALUED), optionalValues: parallel.optionalValues ?? [] }

export const parallelWrappers: CommandTable = wrapping({ parallel, sem }, ['parallel', 'sem'])
