import { isJsonObject, type Json } from '../../../core/json.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { wordOf } from '../../resources/acts.ts'
import { doubtPlace } from '../../resources/doubt.ts'
import { knownWord } from '../../resources/text/word.ts'
import { ranUnread } from '../loads.ts'
import { each, list, takes } from '../tool.ts'
import { recipesOf } from './justfile.ts'
import { type Found, firstOf, nearest, ran } from './nearest.ts'
import { field, items, yamlOf } from './project-yaml.ts'

/** Task runners: `just`, `task`, `tox`, `nox`, `invoke`, `direnv`. What they run stands in a file of the project. */

interface Task {
  readonly name: Word
  readonly context: CommandContext
}

/** Hands on what a task runs; false where the file does not say all of it. */
type Reader = (file: Found, task: Task) => boolean

interface Runner {
  readonly files: readonly string[]
  /** Options that name the task, instead of operands. */
  readonly named?: readonly string[]
  readonly reader: Reader
}

/** Runs a task of the nearest of the files; where it cannot be read, something of the project. */
function runner({ files, named = [], reader }: Runner): CommandSpec {
  return {
    options: takes('-f --justfile -d --working-directory -t --taskfile --dir -c --collection -C -e -s --session --env -p -k --set --shell'),
    inert: ['--help', '--version', '-h', '--list', '-l', '--list-all', '--summary', '--show', '--dry-run', '--dry', '-n', '--evaluate'],
    operands: [],
    refine: (parsed, context) => {
      const { operands, rest, invocation } = parsed
      if (operands[0]?.text === 'exec' && rest.length > 0) {
        context.command(rest, invocation.name)
        return
      }
      const chosen = parsed.values(...named)
      const own = operands.filter((word) => !rest.includes(word) && !word.prefix.includes('='))
      const names = chosen.length > 0 ? chosen : own.length > 0 && named.length === 0 ? own : [knownWord('', invocation.span)]
      const file = fileOf(parsed, files, context)
      const given = parsed.value('-f', '--justfile', '-t', '--taskfile')
      if (given?.text === null) context.opaque(`which file \`${invocation.name}\` follows is not known before it runs`, given.span)
      else if (file === null && given !== null) ranUnread(given, context)
      for (const name of names) runTask(name, { file, reader, context, runner: invocation.name })
    },
  }
}

function fileOf(parsed: ParsedCommand, files: readonly string[], context: CommandContext): Found | null {
  const given = parsed.value('-f', '--justfile', '-t', '--taskfile')?.text ?? null
  const looking = { context, span: parsed.invocation.span }
  if (given !== null) return firstOf([given], looking)
  for (const name of files) {
    const found = nearest(name, looking)
    if (found !== null) return found
  }
  return null
}

interface Running {
  readonly file: Found | null
  readonly reader: Reader
  readonly context: CommandContext
  readonly runner: string
}

function runTask(name: Word, { file, reader, context, runner }: Running): void {
  const said = `${runner} ${name.text === '' ? 'default' : (name.text ?? name.prefix)}`
  if (file === null) doubtPlace(`\`${runner}\` looks for its tasks`, { span: name.span, context })
  context.emit('execute', context.thing('script', said), {
    action: 'dev:task',
    span: name.span,
    certainty: file === null ? 'likely' : 'certain',
  })
  if (file === null) return
  ran(file, context)
  const directory = wordOf(file.path.slice(0, file.path.lastIndexOf('/')), name)
  context.within({ attributes: {}, remote: false, directory, files: [file.path] }, (inner) => {
    const seen = name.text !== null && reader(file, { name, context: inner })
    if (!seen) inner.opaque(`\`${file.path}\` does not say plainly what \`${said}\` runs`, name.span)
  })
}

const justTask: Reader = (file, { name, context }) => {
  const { commands, whole } = recipesOf(file.text, name.text ?? '')
  for (const { text, shell } of commands) {
    if (shell) context.shell(text, name.span, 'just')
    else context.opaque('a recipe in another language is not analysed', name.span)
  }
  return whole
}

/** `{{.VAR}}`: a text that the file gives it, a command that computes it, or else a variable of the environment. */
function templated(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(/\{\{([^{}]{0,200})\}\}/g, (_, inner: string) => {
    const name = /^\s*\.(\w+)\s*$/.exec(inner)?.[1]
    return name === undefined ? '"$UNKNOWN"' : (values.get(name) ?? `\${${name}}`)
  })
}

/** Variables of the file and of a task, as texts of a shell. */
function valuesOf(...owners: readonly Json[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const owner of owners) {
    const vars = field(owner, 'vars')
    for (const [name, value] of isJsonObject(vars) ? Object.entries(vars) : []) {
      const computed = field(value, 'sh')
      if (typeof value === 'string') values.set(name, templated(value, values))
      else if (typeof computed === 'string') values.set(name, `$(${templated(computed, values)})`)
    }
  }
  return values
}

const MAX_TASKS = 64

/** `Taskfile.yml`: commands, the tasks that a task calls, and what is run to learn values and whether there is something to do. */
const goTask: Reader = (file, { name, context }) => {
  const root = yamlOf(file)
  const tasks = field(root, 'tasks')
  const pending = [name.text === '' ? 'default' : (name.text ?? '')]
  const seen = new Set<string>()
  let whole = true
  const run = (text: string, ...owners: readonly Json[]): void =>
    context.shell(templated(text, valuesOf(root, ...owners)), name.span, 'task')
  for (const text of askedBy(root)) run(text)
  for (let next = 0; next < pending.length; next++) {
    const at = pending[next] as string
    if (seen.has(at)) continue
    seen.add(at)
    const task = seen.size > MAX_TASKS ? null : field(tasks, at)
    if (task === null) {
      whole = false
      continue
    }
    for (const text of askedBy(task)) run(text, task)
    for (const need of items(field(task, 'deps'))) pending.push(typeof need === 'string' ? need : String(field(need, 'task')))
    for (const step of stepsOf(task)) {
      if (step.task !== null) pending.push(step.task)
      else run(step.text, task)
    }
  }
  return whole
}

interface Step {
  readonly task: string | null
  readonly text: string
}

/** Command lines of a task, and the tasks that it calls. */
function stepsOf(task: Json): readonly Step[] {
  const list = isJsonObject(task) ? [...items(field(task, 'cmds')), ...items(field(task, 'cmd'))] : items(task)
  return list.flatMap((item): readonly Step[] => {
    const step = field(item, 'defer') ?? item
    const [called, text] = [field(step, 'task'), typeof step === 'string' ? step : field(step, 'cmd')]
    if (typeof called === 'string') return [{ task: called, text: '' }]
    return typeof text === 'string' ? [{ task: null, text }] : []
  })
}

/** Commands of variables, of conditions and of what tells whether a task is up to date. */
function askedBy(of: Json): readonly string[] {
  const values = ['vars', 'env'].flatMap((key) => {
    const mapping = field(of, key)
    return isJsonObject(mapping) ? Object.values(mapping) : []
  })
  const asked = [...values.map((value) => field(value, 'sh')), ...['status', 'preconditions'].flatMap((key) => items(field(of, key)))]
  return asked.flatMap((item) => {
    const text = typeof item === 'string' ? item : field(item, 'sh')
    return typeof text === 'string' ? [text] : []
  })
}

/** `[testenv]` of `tox.ini`: its commands, and those of the environments that are named. */
const toxTask: Reader = (file, { name, context }) => {
  const names = new Set((name.text ?? '').split(',').map((item) => `testenv:${item}`))
  let section = ''
  let key = ''
  let found = false
  for (const line of file.text.split('\n')) {
    const heading = /^\[([^\]]+)\]/.exec(line)?.[1]
    const pair = /^(\w+)[ \t]{0,8}=(.*)$/.exec(line)
    if (heading !== undefined) section = heading
    else if (pair?.[1] !== undefined) key = pair[1]
    else if (!/^[ \t]/.test(line)) key = ''
    if (!key.startsWith('commands') || !(section === 'testenv' || names.has(section))) continue
    const text = (pair?.[2] ?? line).trim().replace(/^-\s*/, '')
    if (heading !== undefined || text === '' || text.startsWith('#')) continue
    found = true
    const command = text
      .replace('{toxinidir}', '.')
      .replace(/\{(?:posargs|envpython)(?::([^{}]*))?\}/g, (whole, otherwise) =>
        whole.startsWith('{envpython') ? 'python' : (otherwise ?? ''),
      )
    context.shell(command.replace(/\{[^{}]*\}/g, '"$UNKNOWN"'), name.span, 'tox')
  }
  return found
}

const CALL = /\b(?:session\.run(?:_always|_install)?|(?:c|ctx|context)\.(?:run|sudo))\(([^()]{0,2000})\)/g

/** `noxfile.py`, `tasks.py`: Python, whose commands are calls of the session; all of them where it is not known which run. */
const pythonTask: Reader = ({ path, text: program }, { name, context }) => {
  context.script('python', wordOf(path, name), [])
  let found = false
  for (const [whole, words = ''] of program.matchAll(CALL)) {
    const texts = [...words.matchAll(/(?<![\w=])["']([^"'\n]*)["']/g)].map(([, text = '']) => text)
    if (texts.length === 0) continue
    found = true
    if (whole.startsWith('session'))
      context.command(
        texts.map((text) => wordOf(text, name)),
        'nox',
      )
    else context.shell(texts[0] ?? '', name.span, 'invoke')
  }
  return found
}

/** `direnv exec dir command`; what is allowed runs at the next prompt. */
const direnv: CommandSpec = {
  operands: [],
  refine: ({ invocation }, context) => {
    const [verb, place, ...rest] = invocation.args
    if (verb?.text === 'exec') {
      context.command(rest, 'direnv')
      return
    }
    if (!/^(?:allow|permit|grant|reload|edit)$/.test(verb?.text ?? '')) return
    const word = place ?? knownWord('.envrc', invocation.span)
    if (verb?.text !== 'reload') context.emit('persist', context.path(word), { action: 'env:allow', span: word.span })
    const { real } = context.path(word)
    const file = real === null || context.view.realpath(real).type !== 'directory' ? word : wordOf(`${real}/.envrc`, word)
    if (file.text !== null && context.view.realpath(context.path(file).real ?? '').type === 'file') context.script('shell', file, [])
  },
}

const justRunner = runner({ files: ['justfile', 'Justfile', '.justfile'], reader: justTask })
/** `-c` and `--command` of just end its options. */
const justfile: CommandSpec = {
  ...justRunner,
  inertFirst: true,
  flags: list('-c --command'),
  options: {
    ...takes('-f --justfile -d --working-directory --dotenv-path --dotenv-filename --set --shell-arg --color --dump-format --chooser'),
    ...takes('--shell', 'program'),
  },
  refine: (parsed, context) => {
    const { args } = parsed.invocation
    const at = args.findIndex(({ text }) => text === '-c' || text === '--command')
    if (at < 0) justRunner.refine?.(parsed, context)
    else context.command(args.slice(at + 1), 'just')
  },
}

export const taskRunners: CommandTable = {
  direnv,
  just: justfile,
  ...each(
    'task go-task',
    runner({ files: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml', 'Taskfile.dist.yml'], reader: goTask }),
  ),
  tox: runner({ files: ['tox.ini'], named: ['-e', '--env'], reader: toxTask }),
  nox: runner({ files: ['noxfile.py'], named: ['-s', '-e', '--session'], reader: pythonTask }),
  ...each('invoke inv', runner({ files: ['tasks.py'], reader: pythonTask })),
  'rake-task': runner({ files: [], reader: () => false }),
}
