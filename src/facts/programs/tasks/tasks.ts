import { isJsonObject, type Json } from '../../../core/json.ts'
import type { CommandSpec, CommandTable } from '../../host.ts'
import { wordOf } from '../../resources/acts.ts'
import { knownWord } from '../../resources/text/word.ts'
import { byName } from '../tool.ts'
import { justCommand } from './just/command.ts'
import { field, items, yamlOf } from './project-yaml.ts'
import { type Reader, runner } from './runner.ts'

/** Task runners: `just`, `task`, `tox`, `nox`, `invoke`, `direnv`. What they run stands in a file of the project. */

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

export const taskRunners: CommandTable = byName({
  direnv,
  just: justCommand,
  'task go-task': runner({
    files: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml', 'Taskfile.dist.yml'],
    reader: goTask,
  }),
  tox: runner({ files: ['tox.ini'], named: ['-e', '--env'], reader: toxTask }),
  nox: runner({ files: ['noxfile.py'], named: ['-s', '-e', '--session'], reader: pythonTask }),
  'invoke inv': runner({ files: ['tasks.py'], reader: pythonTask }),
  'rake-task': runner({ files: [], reader: () => false }),
})
