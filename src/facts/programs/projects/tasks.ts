import { isJsonObject, type Json, parseJson } from '../../../core/json.ts'
import { knownWord } from '../../resources/text/word.ts'
import { field, items } from '../tasks/project-yaml.ts'
import { type Follow, type Follower, optionOf, yamlIn } from './follow.ts'
import { fieldOf, type Toml, textsOf, tomlOf } from './toml.ts'

/** Tasks that stand in settings of a project: mise, poe, hatch, pdm, tox, lefthook, molecule, notebooks. */

const PYPROJECT = 'pyproject.toml'

/** A command as text, or as `{ cmd = … }` and the like; several in their order. */
function linesOf(task: Toml | undefined): readonly string[] {
  if (task === undefined || typeof task === 'string') return task === undefined ? [] : [task]
  if (Array.isArray(task)) return task.flatMap((item: Toml) => linesOf(item))
  return ['cmd', 'shell', 'run', 'sequence', 'composite', 'script'].flatMap((name) => linesOf(fieldOf(task, name)))
}

/** Words of a list are one command. */
const asLine = (command: Toml): string => (Array.isArray(command) ? textsOf(command).map(quoted).join(' ') : (textsOf(command)[0] ?? ''))
const quoted = (word: string): string => (/^[\w./:@%+=,{}-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)

/** `mise run x`, `mise x`: with the tasks that it depends on. */
export const mise: Follower = ({ loader, operands }) => {
  const file = ['mise.toml', '.mise.toml', 'mise/config.toml', '.config/mise.toml'].find((name) => loader.isThere(name))
  const named = /^(?:run|r|watch|w)$/.test(operands[0] ?? '') ? operands.slice(1) : operands
  if (file === undefined) return
  const settings = tomlOf(loader.text(file) ?? '')
  const pending = [...named]
  const seen = new Set<string>()
  for (let name = pending.shift(); name !== undefined && seen.size < 32; name = pending.shift()) {
    if (seen.has(name)) continue
    seen.add(name)
    const section = settings.get(`tasks.${name}`)
    const inline = settings.get('tasks')?.get(name)
    pending.push(...textsOf(section?.get('depends') ?? fieldOf(inline, 'depends')))
    loader.lines(file, [...linesOf(section?.get('run')), ...linesOf(inline)])
  }
}

/** A task of `pyproject.toml` by the name that the command has. */
const inPyproject =
  (sections: (name: string) => readonly (readonly [section: string, key: string])[], skips: RegExp): Follower =>
  ({ loader, operands }) => {
    if (!loader.isThere(PYPROJECT)) return
    const settings = tomlOf(loader.text(PYPROJECT) ?? '')
    const [first = '', second] = operands
    const name = skips.test(first) ? second : first
    if (name === undefined || name === '') return
    for (const [section, key] of sections(name)) {
      const own = settings.get(`${section}.${key}`)
      const task = settings.get(section)?.get(key)
      loader.lines(PYPROJECT, [...linesOf(task), ...(own === undefined ? [] : linesOf(Object.fromEntries(own)))])
    }
  }

export const poe = inPyproject((name) => [['tool.poe.tasks', name]], /^$/)
export const pdm = inPyproject(
  (name) => [
    ['tool.pdm.scripts', name],
    ['tool.rye.scripts', name],
  ],
  /^run$/,
)
export const hatch = inPyproject((name) => {
  const [env, script] = name.includes(':') ? name.split(':', 2) : ['default', name]
  return [[`tool.hatch.envs.${env}.scripts`, script ?? '']]
}, /^run$/)

/** Every command of settings in TOML that a runner of tasks, or a host of sites, takes from there. */
export function linesOfTasks(text: string): readonly string[] {
  return [...tomlOf(text)].flatMap(([section, values]) => {
    if (/^(?:tool\.(?:poe\.tasks|pdm\.scripts|rye\.scripts)|tool\.hatch\.envs\..*\.scripts|tasks)$/.test(section))
      return [...values.values()].flatMap(linesOf)
    if (/^tasks\.|^tool\.poe\.tasks\./.test(section)) return linesOf(Object.fromEntries(values))
    if (/^(?:tool\.tox\.)?env(?:_run_base|\.)/.test(section)) return listsOf(values.get('commands')).map(filled)
    return section === 'build' || section.startsWith('context.') ? textsOf(values.get('command')) : []
  })
}

/** tox by its own settings and those of `pyproject.toml`; `tox.ini` is followed as a file of tasks. */
export const tox: Follower = ({ loader, words }) => {
  const file = ['tox.toml', PYPROJECT].find((name) => loader.isThere(name))
  if (file === undefined) return
  const settings = tomlOf(loader.text(file) ?? '')
  const at = (section: string): ReadonlyMap<string, Toml> | undefined => settings.get(file === PYPROJECT ? `tool.tox.${section}` : section)
  const named = (optionOf(words, '-e', '--env') ?? '').split(',').filter((name) => name !== '')
  const sections = [at('env_run_base'), ...named.map((name) => at(`env.${name}`))]
  const lines = sections.flatMap((section) => ['commands_pre', 'commands', 'commands_post'].flatMap((key) => listsOf(section?.get(key))))
  loader.lines(file, lines.map(filled))
  const legacy = textsOf(settings.get(file === PYPROJECT ? 'tool.tox' : '')?.get('legacy_tox_ini'))[0] ?? ''
  loader.lines(
    file,
    [...legacy.matchAll(/^commands\s*=((?:.*\n?)(?:[ \t]+.*\n?)*)/gm)]
      .flatMap(([, text = '']) => text.split('\n').map((line) => filled(line.trim())))
      .filter((line) => line !== ''),
  )
}

/** Places that tox fills: words that are handed on, or something of its own. */
const filled = (line: string): string =>
  line.replace(/\{(posargs|tty)(?::([^{}]*))?\}/g, (_, _name, otherwise) => otherwise ?? '').replace(/\{[^{}]*\}/g, '"$UNKNOWN"')

function listsOf(value: Toml | undefined): readonly string[] {
  return Array.isArray(value) ? value.map((item: Toml) => asLine(item)).filter((line) => line !== '') : []
}

/** JSON with lines that are comments, and commas behind the last item. */
const withoutComments = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('//'))
    .join('\n')
    .replace(/,(\s{0,200}[}\]])/g, '$1')

/** `deno task x`: the task, and those that it needs. */
export const deno: Follower = ({ loader, operands }) => {
  const [verb, name] = operands
  if (verb !== 'task' || name === undefined) return
  for (const file of ['deno.json', 'deno.jsonc', 'package.json']) {
    const text = loader.isThere(file) ? (loader.text(file) ?? '') : ''
    const plain = withoutComments(text)
    const task = field(field(parseJson(text) ?? parseJson(plain) ?? null, file === 'package.json' ? 'scripts' : 'tasks'), name)
    const needs = items(field(task, 'dependencies')).flatMap(textIn)
    loader.lines(file, [...needs.map((need) => `deno task ${need}`), ...textIn(task), ...textIn(field(task, 'command'))])
  }
}

/** The commands of a hook. */
export const lefthook: Follower = (follow) => {
  const { loader, operands } = follow
  if (operands[0] !== 'run') return
  for (const name of ['lefthook.yml', '.lefthook.yml', 'lefthook.yaml', 'lefthook-local.yml']) {
    const hook = field(yamlIn(name, follow), operands[1] ?? '')
    const commands = field(hook, 'commands')
    const all = [...(isJsonObject(commands) ? Object.values(commands) : []), ...items(field(hook, 'jobs'))]
    loader.lines(
      name,
      all.flatMap((command) => textIn(field(command, 'run'))).map((line) => line.replace(/\{\w{1,40}\}/g, '')),
    )
  }
}

/** What molecule does on this machine before it starts containers. */
export const molecule: Follower = (follow) => {
  const { loader, context } = follow
  const root = loader.path('molecule')
  for (const scenario of root === null ? [] : (context.view.list(root, 32) ?? [])) {
    const file = `molecule/${scenario}/molecule.yml`
    loader.lines(file, textIn(field(field(yamlIn(file, follow), 'dependency'), 'command')))
  }
}

/** Keys of `skaffold.yaml` whose values run on this machine: custom builders, tests and hooks. */
const SKAFFOLD_COMMANDS: ReadonlySet<string> = new Set(['buildCommand', 'command'])
/** How deep settings are looked through. */
const MAX_DEPTH = 16

/** Commands that skaffold runs where it builds, tests or deploys. */
export const skaffold: Follower = (follow) => {
  const { loader, words, operands } = follow
  if (!/^(?:run|dev|debug|build|test|deploy|apply|render|exec|verify)$/.test(operands[0] ?? words[0] ?? '')) return
  const named = optionOf(words, '-f', '--filename')
  for (const name of named === null ? ['skaffold.yaml', 'skaffold.yml'] : [named])
    loader.lines(name, commandsBelow(yamlIn(name, follow), MAX_DEPTH))
}

function commandsBelow(value: Json, depth: number): readonly string[] {
  if (depth === 0) return []
  if (Array.isArray(value)) return value.flatMap((item) => commandsBelow(item, depth - 1))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    if (!SKAFFOLD_COMMANDS.has(key)) return commandsBelow(inner, depth - 1)
    return Array.isArray(inner) ? [inner.flatMap(textIn).map(quoted).join(' ')] : textIn(inner)
  })
}

const textIn = (value: Json): readonly string[] => (typeof value === 'string' ? [value] : [])

const MAX_NOTEBOOKS = 4

/** `jupyter execute`, `nbconvert --execute`, `papermill`: the cells of the notebook. */
export const notebook: Follower = ({ loader, operands, words, invocation }) => {
  const runs = invocation.name === 'papermill' || words.includes('--execute') || operands[0] === 'execute' || operands[0] === 'run'
  // Papermill's second notebook is what it writes.
  const files = operands.filter((word) => word.endsWith('.ipynb')).slice(0, invocation.name === 'papermill' ? 1 : MAX_NOTEBOOKS)
  for (const file of runs ? files : []) {
    if (loader.context.fetched(knownWord(file, invocation.span))) continue
    const content = parseJson(loader.text(file) ?? '')
    for (const cell of items(isJsonObject(content) ? field(content, 'cells') : null)) {
      if (field(cell, 'cell_type') !== 'code') continue
      const source = field(cell, 'source')
      runCell(Array.isArray(source) ? source.filter((line) => typeof line === 'string').join('') : String(source ?? ''), file, loader)
    }
  }
}

function runCell(source: string, file: string, loader: Follow['loader']): void {
  const magic = /^%%(?:bash|sh|script)\b/.test(source) ? source.slice(source.indexOf('\n') + 1) : undefined
  const lines = source.split('\n')
  loader.lines(file, magic === undefined ? lines.flatMap((line) => /^\s*!(.+)/.exec(line)?.[1] ?? []) : [magic])
  if (magic === undefined) loader.code(file, 'python', lines.filter((line) => !/^\s*[!%]/.test(line)).join('\n'))
}
