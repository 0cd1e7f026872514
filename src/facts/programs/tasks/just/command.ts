import type { CommandContext, CommandSpec, ParsedCommand, Word } from '../../../host.ts'
import { knownWord } from '../../../resources/text/word.ts'
import { ranUnread } from '../../loads.ts'
import { list, takes } from '../../tool.ts'
import { type Found, firstOf } from '../nearest.ts'
import { fileOf, type Reader, runTask } from '../runner.ts'
import { evaluationOf, type JustCall, recipesOf } from './justfile.ts'

/** `just`: the recipes of the file that it finds, with their arguments. */

const FILES = ['justfile', 'Justfile', '.justfile']

interface Asked {
  readonly words: readonly Word[]
  readonly given: ReadonlyMap<string, string>
}

/** Words that name recipes, and variables that are set: `name=value` before them, `--set name value`. */
function askedFor({ operands, invocation: { args } }: ParsedCommand): Asked {
  const given = new Map<string, string>()
  const set = new Set<Word>()
  for (const [at, { text }] of args.entries()) {
    const value = args[at + 2]
    if (text !== '--set' || value === undefined) continue
    given.set(args[at + 1]?.text ?? '', value.text ?? '"$UNKNOWN"')
    set.add(value)
  }
  const words: Word[] = []
  for (const word of operands.filter((operand) => !set.has(operand))) {
    const found = words.length === 0 ? /^([A-Za-z_][\w-]*)=(.*)$/s.exec(word.text ?? '') : null
    if (found === null) words.push(word)
    else given.set(found[1] ?? '', found[2] ?? '')
  }
  return { words, given }
}

function reader(parsed: ParsedCommand, { words, given }: Asked): Reader {
  return (file, { name, context }) => {
    const shell = parsed.value('--shell')
    const call: JustCall = {
      words: words.map(({ text }) => text ?? '"$UNKNOWN"'),
      given,
      shell: shell === null ? null : [shell, ...parsed.values('--shell-arg')].map(({ text }) => text ?? '"$UNKNOWN"'),
      load: loading(file, { context, span: name.span }),
    }
    const { commands, whole } = parsed.flag('--evaluate') ? evaluationOf(file.text, call) : recipesOf(file.text, call)
    for (const text of commands) context.shell(text, name.span, 'just')
    return whole && words.every(({ text }) => text !== null)
  }
}

/** Reads files that the justfile names, once each. */
function loading(file: Found, looking: { readonly context: CommandContext; readonly span: Word['span'] }): (path: string) => string | null {
  const directory = file.path.slice(0, file.path.lastIndexOf('/'))
  const known = new Map<string, string | null>()
  return (path) => {
    const place = path.startsWith('/') ? path : `${directory}/${path}`
    const text = known.get(place)
    if (text !== undefined) return text
    const found = firstOf([place], looking)
    if (found?.answer !== null && found !== null) looking.context.ran(found.path, found.answer)
    known.set(place, found?.text ?? null)
    return found?.text ?? null
  }
}

function run(parsed: ParsedCommand, context: CommandContext): void {
  const { invocation } = parsed
  const at = invocation.args.findIndex(
    ({ text }, index) => (text === '-c' || text === '--command') && invocation.args[index - 1]?.text !== '--shell-arg',
  )
  if (at >= 0) {
    context.command(invocation.args.slice(at + 1), 'just')
    return
  }
  const chooser = parsed.value('--chooser')
  if (chooser !== null) context.shell(chooser.text, chooser.span, 'just')
  const asked = askedFor(parsed)
  const given = parsed.value('-f', '--justfile')
  const own = parsed.flag('-g', '--global-justfile')
  const file = own ? null : fileOf(parsed, FILES, context)
  if (own) context.opaque('recipes of the home run that are not known', invocation.span)
  else if (given?.text === null) context.opaque('which file `just` follows is not known before it runs', given.span)
  else if (file === null && given !== null) ranUnread(given, context)
  const name = asked.words[0] ?? knownWord('', invocation.span)
  runTask(name, { file, reader: reader(parsed, asked), context, runner: 'just' })
}

/** `-c` and `--command` of just end its options. */
export const justCommand: CommandSpec = {
  inertFirst: true,
  flags: list('-c --command -g --global-justfile --evaluate --choose -q --quiet -v --verbose --yes --no-deps --unstable'),
  options: takes(
    '-f --justfile -d --working-directory --dotenv-path --dotenv-filename -E --set --shell --shell-arg --color --dump-format --chooser',
  ),
  inert: list(
    '--help --version -h -V --list -l --summary --show -s --dry-run -n --dump --fmt --variables --groups --completions --man --init',
  ),
  operands: [],
  refine: run,
}
