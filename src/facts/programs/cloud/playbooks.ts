import { isJsonObject, type Json, type JsonObject } from '../../../core/json.ts'
import type { CommandContext, Word } from '../../host.ts'
import { shellWord, shellWords } from '../../resources/text/quote.ts'
import { directoryOf } from '../projects/follow.ts'
import { Loader } from '../projects/load.ts'
import { field, items, yamlOf } from '../tasks/project-yaml.ts'

/** Playbooks of ansible that run on this very machine, task by task, as the commands that mean the same. */

/** Files of tasks that one playbook may lead to, and how deep. */
const MAX_FILES = 32
const MAX_DEPTH = 8
const MAX_ITEMS = 16

type Told = (args: JsonObject, free: string) => readonly string[] | null

const of = (args: JsonObject, ...names: readonly string[]): string => {
  for (const name of names) if (typeof args[name] === 'string' || typeof args[name] === 'number') return String(args[name])
  return ''
}
const NOTHING: Told = () => []

const command: Told = (args, free) => {
  const list = items(field(args, 'argv')).map(String)
  const line = list.length > 0 ? shellWords(list) : of(args, 'cmd', '_raw_params') || free
  if (line === '') return null
  const chdir = of(args, 'chdir')
  return [chdir === '' || chdir === '.' ? line : `cd ${shellWord(chdir)} && ${line}`]
}

const file: Told = (args) => {
  const path = shellWord(of(args, 'path', 'dest', 'name'))
  const mode = of(args, 'mode')
  const made: Readonly<Record<string, string>> = {
    absent: `rm -rf ${path}`,
    directory: `mkdir -p ${path}`,
    touch: `touch ${path}`,
    link: `ln -s ${shellWord(of(args, 'src'))} ${path}`,
    hard: `ln ${shellWord(of(args, 'src'))} ${path}`,
  }
  const line = made[of(args, 'state') || 'touch']
  return line === undefined ? null : [line, ...(mode === '' ? [] : [`chmod ${shellWord(mode)} ${path}`])]
}

const copy: Told = (args) => {
  const [src, dest] = [of(args, 'src'), shellWord(of(args, 'dest'))]
  return [src === '' ? `printf %s ${shellWord(of(args, 'content'))} > ${dest}` : `cp -r ${shellWord(src)} ${dest}`]
}

const edit: Told = (args) => {
  const path = shellWord(of(args, 'path', 'dest', 'name'))
  return [`printf %s ${shellWord(of(args, 'line', 'block', 'replace'))} >> ${path}`]
}

const installs =
  (line: string): Told =>
  (args) =>
    of(args, 'state') === 'absent' ? null : [`${line} ${shellWords(items(field(args, 'name') ?? field(args, 'pkg')).map(String))}`.trim()]

/** What a module does, as shell lines; null where that is not known. */
const MODULES: Readonly<Record<string, Told>> = {
  ...Object.fromEntries(
    (
      'debug set_fact assert fail pause stat setup ping meta wait_for gather_facts include_vars add_host group_by find slurp tempfile ' +
      'package_facts service_facts'
    )
      .split(' ')
      .map((name) => [name, NOTHING]),
  ),
  command,
  shell: command,
  raw: command,
  script: (args, free) => [`sh ${of(args, 'cmd', '_raw_params') || free}`],
  file,
  copy,
  template: copy,
  lineinfile: edit,
  blockinfile: edit,
  replace: edit,
  get_url: (args) => [`curl -fsSL -o ${shellWord(of(args, 'dest'))} ${shellWord(of(args, 'url'))}`],
  uri: (args) => {
    const body = args.body === undefined ? '' : `-d ${shellWord(JSON.stringify(args.body))} `
    return [`curl -X ${shellWord(of(args, 'method') || 'GET')} ${body}${shellWord(of(args, 'url'))}`]
  },
  unarchive: (args) => [`tar -xf ${shellWord(of(args, 'src'))} -C ${shellWord(of(args, 'dest'))}`],
  git: (args) => [`git clone ${shellWord(of(args, 'repo', 'name'))} ${shellWord(of(args, 'dest'))}`],
  pip: (args) => [
    of(args, 'requirements') === ''
      ? ((installs('pip install')(args, '') ?? [''])[0] ?? '')
      : `pip install -r ${shellWord(of(args, 'requirements'))}`,
  ],
  npm: installs('npm install'),
  apt: installs('sudo apt-get install -y'),
  package: installs('sudo apt-get install -y'),
  dnf: installs('sudo dnf install -y'),
  yum: installs('sudo yum install -y'),
  apk: installs('sudo apk add'),
  homebrew: installs('brew install'),
  authorized_key: (args) => [`printf %s ${shellWord(of(args, 'key'))} >> ~/.ssh/authorized_keys`],
  cron: (args) => [`printf %s ${shellWord(of(args, 'job'))} | crontab -`],
}

/** Words of a task that name no module. */
const WORDS = new RegExp(
  '^(?:name|when|register|become\\w*|tags|vars|args|with_\\w+|loop\\w*|until|retries|delay|notify|listen|changed_when|failed_when|ignore_\\w+' +
    '|environment|no_log|delegate_\\w+|run_once|check_mode|diff|any_errors_fatal|connection|async|poll|throttle|timeout|module_defaults' +
    '|collections|block|rescue|always)$',
)

interface Play {
  readonly loader: Loader
  readonly span: Word['span']
  /** Where files that are named stand. */
  readonly directory: string
  readonly file: string
  readonly root: boolean
  readonly depth: number
  readonly count: { files: number }
  /** What plays, roles and tasks gave names to until now. */
  readonly vars: Map<string, string>
}

/** Follows a playbook; false where it reaches other machines, or where a part of it could not be told. */
export function followPlaybook(word: Word, context: CommandContext, isLocal: boolean): boolean {
  if (word.text === null) return false
  const loader = new Loader({ context, span: word.span, by: 'ansible-playbook' })
  return playbook(
    word.text,
    {
      loader,
      span: word.span,
      directory: directoryOf(word.text),
      file: word.text,
      root: false,
      depth: 0,
      count: { files: 0 },
      vars: new Map(),
    },
    isLocal,
  )
}

function yamlIn(name: string, { loader, count, depth }: Play): Json {
  const text = count.files++ >= MAX_FILES || depth > MAX_DEPTH ? null : loader.text(name)
  return text === null ? null : yamlOf({ path: name, text, answer: null })
}

function playbook(name: string, play: Play, isLocal: boolean): boolean {
  const content = yamlIn(name, play)
  return (
    Array.isArray(content) &&
    content.length > 0 &&
    content.map((each: Json) => ofPlay(each, { ...play, file: name }, isLocal)).every(Boolean)
  )
}

function ofPlay(each: Json, play: Play, isLocal: boolean): boolean {
  if (!isJsonObject(each)) return false
  const imported = moduleOf(each, ['import_playbook'])
  if (imported !== null) return playbook(near(String(imported), play), { ...play, depth: play.depth + 1 }, isLocal)
  const hosts = String(field(each, 'hosts') ?? '')
  const here = isLocal || field(each, 'connection') === 'local' || /^(?:localhost|127\.0\.0\.1)$/.test(hosts)
  const inner = { ...play, root: field(each, 'become') === true }
  name(field(each, 'vars'), play)
  for (const path of items(field(each, 'vars_files'))) name(yamlIn(near(String(path), play), play), play)
  const parts = ['pre_tasks', 'tasks', 'post_tasks', 'handlers'].map((part) => tasks(field(each, part), inner, here))
  const roles = items(field(each, 'roles')).map((role) =>
    ofRole(String(isJsonObject(role) ? (field(role, 'role') ?? field(role, 'name')) : role), inner, here),
  )
  return [...parts, ...roles].every(Boolean) && here
}

const near = (name: string, { directory }: Play): string => (name.startsWith('/') || directory === '' ? name : `${directory}/${name}`)

function ofRole(role: string, play: Play, here: boolean): boolean {
  if (!/^[\w.-]+$/.test(role)) return false
  const directory = near(`roles/${role}/tasks`, play)
  for (const part of ['defaults', 'vars']) {
    const path = near(`roles/${role}/${part}/main.yml`, play)
    if (play.loader.isThere(path)) name(yamlIn(path, play), play)
  }
  return ['tasks', 'handlers']
    .map((part) => {
      const name = near(`roles/${role}/${part}/main.yml`, play)
      if (!play.loader.isThere(name)) return part === 'handlers'
      return tasks(yamlIn(name, play), { ...play, directory, file: name, depth: play.depth + 1 }, here)
    })
    .every(Boolean)
}

/** Values that later texts are filled with. */
function name(given: Json, { vars }: Play): void {
  if (!isJsonObject(given)) return
  for (const [key, value] of Object.entries(given)) if (typeof value === 'string' || typeof value === 'number') vars.set(key, String(value))
}

function tasks(list: Json, play: Play, here: boolean): boolean {
  return items(list)
    .map((task) => isJsonObject(task) && ofTask(task, play, here))
    .every(Boolean)
}

/** The value of the first of these modules that a task names, whatever collection it is written with. */
function moduleOf(task: JsonObject, names: readonly string[]): Json {
  const key = Object.keys(task).find((name) => names.includes(name.replace(/^ansible\.(?:builtin|legacy)\./, '')))
  return key === undefined ? null : (task[key] ?? null)
}

function ofTask(task: JsonObject, play: Play, outer: boolean): boolean {
  const here =
    outer || field(task, 'connection') === 'local' || /^(?:localhost|127\.0\.0\.1)$/.test(String(field(task, 'delegate_to') ?? ''))
  const inner = { ...play, root: play.root || field(task, 'become') === true }
  name(field(task, 'vars'), play)
  if (task.block !== undefined) return ['block', 'rescue', 'always'].map((part) => tasks(field(task, part), inner, here)).every(Boolean)
  const more = moduleOf(task, ['include_tasks', 'import_tasks', 'include'])
  if (more !== null) {
    const name = near(String(isJsonObject(more) ? field(more, 'file') : more), play)
    return tasks(yamlIn(name, play), { ...inner, file: name, depth: play.depth + 1 }, here) && play.loader.isThere(name)
  }
  const role = moduleOf(task, ['include_role', 'import_role'])
  if (role !== null) return ofRole(String(field(role, 'name') ?? ''), inner, here)
  return ofModule(task, inner, here)
}

function ofModule(task: JsonObject, play: Play, outer: boolean): boolean {
  const local = task.local_action
  const named = local === undefined ? Object.entries(task).filter(([key]) => !WORDS.test(key)) : [localAction(local)]
  const [only] = named
  if (only === undefined || named.length > 1) return false
  // What is done on other machines is not this machine's.
  if (!outer && local === undefined) return true
  const [module, value] = only
  const free = typeof value === 'string' ? value : ''
  const args = { ...(isJsonObject(value) ? value : paired(free)), ...(isJsonObject(task.args) ? task.args : {}) }
  if (/set_fact$/.test(module)) name(args, play)
  const lines = MODULES[module.replace(/^(?:ansible|community)\.(?:builtin|legacy|posix|general)\./, '')]?.(args, free) ?? null
  if (lines === null) return false
  for (const vars of turns(task, play)) {
    play.loader.lines(
      play.file,
      lines.map((line) => asRoot(filled(line, vars), play.root)),
    )
  }
  return true
}

/** One for each item of a loop. */
function turns(task: JsonObject, { vars }: Play): readonly ReadonlyMap<string, string>[] {
  const list = Object.entries(task).find(([key]) => /^(?:loop|with_(?:items|list))$/.test(key))?.[1] ?? null
  const named = items(list).flatMap((item) => (typeof item === 'string' ? [item] : []))
  return named.length === 0 ? [vars] : named.slice(0, MAX_ITEMS).map((item) => new Map([...vars, ['item', item]]))
}

const localAction = (value: Json): readonly [string, Json] => {
  const text = typeof value === 'string' ? value : String(field(value, 'module') ?? '')
  const [name = '', ...rest] = text.split(' ')
  return [name, typeof value === 'string' ? rest.join(' ') : value]
}

/** `path=a state=absent`. */
function paired(text: string): JsonObject {
  return Object.fromEntries(
    [...text.matchAll(/(?:^|\s)(\w{1,40})=("[^"]{0,2000}"|'[^']{0,2000}'|\S{1,2000})/g)].map(([, key = '', value = '']) => [
      key,
      value.replace(/^(["'])(.*)\1$/s, '$2'),
    ]),
  )
}

const LOOKUP = /\b(?:lookup|query|q)\(\s*["'](?:ansible\.builtin\.)?(\w+)["']\s*,\s*["']([^"']+)["']/

/** A text with what its templates stand for; what is not known is a variable, what a lookup fetches or runs is no part of the project. */
function filled(line: string, vars: ReadonlyMap<string, string>, depth = 0): string {
  return line.replace(/\{\{([^{}]{0,400})\}\}/g, (_, inner: string) => {
    const [, kind, from] = LOOKUP.exec(inner) ?? []
    if (kind === 'url') return `$(curl -s ${shellWord(from ?? '')})`
    if (kind === 'pipe') return `$(${from})`
    const value = vars.get(/^\s*([A-Za-z_]\w*)/.exec(inner)?.[1] ?? '')
    return value === undefined || depth > MAX_DEPTH ? '"$ANSIBLE_VALUE"' : filled(value, vars, depth + 1)
  })
}

const asRoot = (line: string, root: boolean): string => (root ? `sudo sh -c ${shellWord(line)}` : line)
