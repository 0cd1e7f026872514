/**
 * Which files hold commands that somebody runs later, told by their names, and the commands in them. A text may be all of the file
 * or the lines that are put into it, so each format is read line by line, and what is no command in it is passed over.
 */

import { isJsonObject, type Json, own, parseJson } from '../../core/json.ts'
import type { Language } from '../host.ts'
import { buildLines } from '../programs/projects/written.ts'
import { managerOf } from '../resources/environment/managers.ts'
import { shellWords } from '../resources/text/quote.ts'
import { LOADED_JAVASCRIPT, LOADED_PYTHON, LOADED_RUBY, NOTEBOOK, ofJavaScript, ofNotebook, ofPython, ofRuby } from './loaded.ts'

/** Where the commands run: inside of an image that is thrown away, or where the user works. */
export type Ground = 'container' | 'host'

export interface Format {
  readonly name: string
  readonly ground: Ground
  /** Shell texts, in their order; source texts where a language is named. */
  readonly commands: (text: string) => readonly string[]
  readonly language?: Language
  /** What people run it in at once, where no gate stands before it. */
  readonly runner?: string
}

interface Known extends Format {
  readonly file: RegExp
}

const IMAGE = /^(?:dockerfile|containerfile)(?:\.[\w.-]+)?$|\.(?:dockerfile|containerfile)$/i
const SHELL = /^\.envrc$|^procfile\.sh$|\.(?:sh|bash|zsh|ksh|command)$/i
const SHEBANG = /^#!\s*\/(?:usr\/)?bin\/(?:env\s+(?:-S\s+)?)?(?:ba|z|k|da)?sh\b/

/** Formats by the name of the file; those whose every change is asked about, such as pipelines, need no look inside. */
const FORMATS: readonly Known[] = [
  { name: 'Dockerfile', ground: 'container', file: IMAGE, commands: ofImage },
  { name: 'makefile', ground: 'host', file: /^(?:gnu)?makefile(?:\.[\w.-]+)?$|\.mk$/i, commands: ofMake },
  { name: 'justfile', ground: 'host', file: /^\.?justfile$|\.just$/i, commands: ofJust },
  { name: 'package.json', ground: 'host', file: /^package\.json$/i, commands: ofPackage },
  { name: 'shell script', ground: 'host', file: SHELL, commands: (text) => [text] },
  { name: 'Procfile', ground: 'host', file: /^procfile(?:\.\w+)?$/i, commands: (text) => captures(text, /^[\w-]{1,40}:[ \t]*(\S.*)$/gm) },
  {
    name: 'unit of systemd',
    ground: 'host',
    file: /\.(?:service|socket|timer)$/i,
    commands: (text) => captures(text, /^Exec\w{1,20}[ \t]*=[-@:+!]{0,4}[ \t]*(\S.*)$/gm),
  },
  { name: 'crontab', ground: 'host', file: /(?:^|[._-])cron(?:tab|jobs?)?(?:\.txt)?$/i, commands: ofCron },
  { name: 'tasks', ground: 'host', file: /^(?:tasks|devcontainer|\.devcontainer)\.json$/i, commands: ofTasks },
  {
    name: 'compose file or task file',
    ground: 'container',
    file: /^(?:docker-)?compose(?:\.[\w-]+)?\.ya?ml$/i,
    commands: (text) => ofYaml(text),
  },
  {
    name: 'task file',
    ground: 'host',
    file: /^(?:taskfile(?:\.dist)?|action|\.?lefthook(?:-local)?|user-data|cloud-init|cloud-config)\.ya?ml$/i,
    commands: ofYaml,
  },
  { name: 'loaded Python', ground: 'host', file: LOADED_PYTHON, commands: ofPython },
  { name: 'notebook', ground: 'host', file: NOTEBOOK, commands: ofNotebook, runner: 'Jupyter' },
  { name: 'settings in JavaScript', ground: 'host', file: LOADED_JAVASCRIPT, commands: ofJavaScript },
  { name: 'tasks in Ruby', ground: 'host', file: LOADED_RUBY, commands: ofRuby },
  { name: 'tests in Python', ground: 'host', file: /^(?:test_.{1,80}|.{1,80}_test)\.py$/, commands: ofPython },
  { name: 'tests in JavaScript', ground: 'host', file: /[.-](?:test|spec|e2e|cy)\.[cm]?[jt]sx?$/, commands: ofJavaScript },
  { name: 'tests in Ruby', ground: 'host', file: /_(?:spec|test)\.rb$|^(?:spec|rails|test)_helper\.rb$/, commands: ofRuby },
  { name: 'build of native code', ground: 'host', file: /^(?:binding|common)\.gypi?$/, commands: ofGyp },
]

/** The format of a file, by its name or by how its text begins; null where it is none that is run. */
export function formatOf(path: string, text: string): Format | null {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  const found = FORMATS.find(({ file }) => file.test(name))
  if (found !== undefined) return found
  const source = SOURCES.find(({ file, below = '' }) => file.test(path) && path.includes(below))
  if (source !== undefined) return { name: source.name, ground: 'host', commands: (code) => [code], language: source.language }
  if (/[/\\]\.husky[/\\][\w-]+$/.test(path)) return { name: 'hook', ground: 'host', commands: (script) => [script] }
  const [settings, build] = [managerOf(path), buildLines(path)]
  if (build !== null) return { name: 'build file', ground: 'host', commands: (lines) => [...build(lines), ...(settings?.(lines) ?? [])] }
  if (settings !== null) return { name: 'settings of a package manager', ground: 'host', commands: settings }
  return SHEBANG.test(text) ? { name: 'shell script', ground: 'host', commands: (script) => [script] } : null
}

interface Source {
  readonly name: string
  readonly file: RegExp
  /** Directories that stand in the path. */
  readonly below?: string
  readonly language: Language
}

/** Programs that a build or a test run compiles and starts. */
const SOURCES: readonly Source[] = [
  { name: 'build script in Rust', file: /(?:^|\/)build\.rs$/, language: 'rust' },
  { name: 'tests in Rust', file: /\.rs$/, below: '/tests/', language: 'rust' },
  { name: 'tests in Go', file: /_test\.go$/, language: 'go' },
  { name: 'build script of Gradle', file: /\.gradle(?:\.kts)?$/, language: 'java' },
  { name: 'tests for the JVM', file: /\.(?:java|kt|groovy)$/, below: '/src/test/', language: 'java' },
  { name: 'build in Zig', file: /(?:^|\/)build\.zig$/, language: 'zig' },
  { name: 'build rules', file: /(?:^|\/)(?:BUILD|WORKSPACE)(?:\.bazel)?$|\.bzl$|(?:^|\/)meson\.build$/, language: 'starlark' },
  { name: 'project of Elixir', file: /(?:^|\/)(?:mix|test_helper|config)\.exs$|_test\.exs$/, language: 'elixir' },
]

const CODE: readonly (readonly [RegExp, (text: string) => readonly string[]])[] = [
  [/\.py$/, ofPython],
  [/\.[cm]?[jt]sx?$/, ofJavaScript],
  [/\.rb$/, ofRuby],
]

/** A program in a language that is read, whatever it is called; null for anything else. */
export function codeOf(path: string): Format | null {
  const commands = CODE.find(([file]) => file.test(path))?.[1]
  return commands === undefined ? null : { name: 'program', ground: 'host', commands }
}

const PIPELINE =
  /^\.github\/(?:workflows|actions)\/.{1,200}\.ya?ml$|(?:^|\/)(?:\.gitlab-ci|azure-pipelines|bitbucket-pipelines)\.ya?ml$|^\.circleci\/config\.yml$/

/** A pipeline of a code host, which runs what is pushed to it; null for anything else. */
export function pipelineOf(path: string): Format | null {
  return PIPELINE.test(path) ? { name: 'pipeline', ground: 'container', commands: ofPipeline } : null
}

/** All secrets of the service are what the environment is to a shell. */
function ofPipeline(text: string): readonly string[] {
  return ofYaml(text).map((command) => command.replace(/\$\{\{\s{0,9}toJSON\(\s{0,9}secrets\s{0,9}\)\s{0,9}\}\}/gi, '$(env)'))
}

function captures(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].flatMap(([, found]) => (found === undefined ? [] : [found]))
}

/** Lines with those that a backslash continues joined to them. */
function joinedLines(text: string): readonly string[] {
  const lines: string[] = []
  let open = false
  for (const line of text.split(/\r?\n/)) {
    if (open) lines.push(`${lines.pop() ?? ''}\n${line}`)
    else lines.push(line)
    open = line.endsWith('\\')
  }
  return lines
}

function ofImage(text: string): readonly string[] {
  const found: string[] = []
  const lines = joinedLines(text)
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const command = /^[ \t]*(?:ONBUILD[ \t]+)?(?:RUN|CMD|ENTRYPOINT)[ \t]+((?:--\w[\w-]*(?:=\S*)?[ \t]+)*)(\S[\s\S]*)$/i.exec(line)?.[2]
    if (command === undefined) continue
    const document = /^<<-?["']?(\w+)["']?[ \t]*$/.exec(command)?.[1]
    if (document === undefined) found.push(listed(command) ?? command)
    else {
      const end = lines.findIndex((other, index) => index > at && other.trim() === document)
      found.push(lines.slice(at + 1, end < 0 ? undefined : end).join('\n'))
      if (end < 0) break
      at = end
    }
  }
  return found
}

/** `["sh", "-c", "…"]` as a command line; null for anything else. */
function listed(text: string): string | null {
  if (!text.startsWith('[')) return null
  const words = parseJson(text)
  return Array.isArray(words) && words.every(isText) ? shellWords(words) : null
}

function isText(value: Json | undefined): value is string {
  return typeof value === 'string'
}

/** Lines of recipes: what begins with a tab, without the marks that make takes off; its variables as those of the shell. */
function ofMake(text: string): readonly string[] {
  return joinedLines(text).flatMap((line) => {
    const recipe = line.startsWith('\t') ? line.replace(/^[\t @+-]+/, '') : ''
    return recipe === '' ? [] : [recipe.replace(/\$\(([A-Za-z_]\w*)\)/g, '$${$1}').replaceAll('$$', '$')]
  })
}

function ofJust(text: string): readonly string[] {
  return joinedLines(text).flatMap((line) => {
    const recipe = /^[ \t]+[@-]*(\S[\s\S]*)$/.exec(line)?.[1]
    return recipe === undefined ? [] : [recipe.replace(/\{\{[^{}]*\}\}/g, 'x')]
  })
}

/** Values of `scripts`; of a part of the file, every value that more than one word makes. */
function ofPackage(text: string): readonly string[] {
  const whole = parseJson(text)
  const scripts = isJsonObject(whole) ? own(whole, 'scripts') : undefined
  if (isJsonObject(scripts)) return Object.values(scripts).filter(isText)
  if (whole !== undefined) return []
  return captures(text, /"[\w:.-]{1,60}"[ \t]*:[ \t]*("(?:[^"\\\n]|\\.)*")/g)
    .map(parseJson)
    .filter(isText)
    .filter((value) => value.includes(' '))
}

function ofCron(text: string): readonly string[] {
  return captures(
    text,
    /^[ \t]*(?:@(?:reboot|yearly|annually|monthly|weekly|daily|midnight|hourly)|(?:[\d*/,A-Za-z-]+[ \t]+){4}[\d*/,A-Za-z-]+)[ \t]+(\S.*)$/gm,
  )
}

const COMMAND_KEY = /"(?:command|args|\w{1,30}Command)"[ \t]*:[ \t]*(\[[^\][]{0,400}\]|"(?:[^"\\\n]|\\.)*")/g

function ofTasks(text: string): readonly string[] {
  return captures(text, COMMAND_KEY).flatMap((value) => {
    const said = parseJson(value)
    if (isText(said)) return [said]
    return Array.isArray(said) ? [shellWords(said.filter(isText))] : []
  })
}

/** `'action': ['sh', '-c', '…']` and `<!(…)`, which node-gyp runs when the package is installed. */
function ofGyp(text: string): readonly string[] {
  const actions = captures(text, /["']action["'][ \t]*:[ \t]*(\[[^\][]{0,400}\])/g)
  const lists = actions.map((words) => listed(words.replaceAll("'", '"'))).filter((line) => line !== null)
  return [...lists, ...captures(text, /<!@?\(([^()\n]{1,400})\)/g)]
}

const YAML_KEY = /^[ \t]*(?:-[ \t]+)?(?:run|script|command|cmd|entrypoint|before_script|after_script|test)[ \t]{0,4}:(.*)$/
/** The same keys in a mapping that is written on one line. */
const YAML_FLOW = new RegExp(
  String.raw`[{,][ \t]{0,9}["']?(?:run|script|command|cmd|entrypoint|before_script|after_script)["']?[ \t]{0,4}:[ \t]{0,9}` +
    String.raw`(\[[^\]]{0,2000}\]|"(?:[^"\\]|\\.){0,2000}"|'[^']{0,2000}'|[^,}"'\s][^,}]{0,2000})`,
  'g',
)
const YAML_LIST = /^[ \t]*(?:cmds|runcmd|bootcmd|commands|script|command|entrypoint)[ \t]*:[ \t]*$/

/** Scalars, blocks and items below keys that name commands. */
function ofYaml(text: string): readonly string[] {
  const lines = text.split(/\r?\n/)
  const found: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (YAML_LIST.test(line)) {
      const items = below(lines, at)
      for (const item of items) {
        const value = /^[ \t]*-[ \t]+(\S.*)$/.exec(item)?.[1]
        if (value !== undefined && !YAML_KEY.test(item)) found.push(listed(value) ?? unquoted(value))
      }
      continue
    }
    const value = YAML_KEY.exec(line)?.[1]?.trim()
    if (value === undefined) found.push(...captures(line, YAML_FLOW).map((each) => listed(each) ?? unquoted(each.trim())))
    if (value === undefined || value === '') continue
    if (/^[|>][+-]?\d?$/.test(value)) {
      const block = below(lines, at)
      found.push(block.join('\n'))
      at += block.length
    } else found.push(listed(value) ?? unquoted(value))
  }
  return found
}

function unquoted(value: string): string {
  const first = value[0] ?? ''
  return (first === '"' || first === "'") && value.length > 1 && value.endsWith(first) ? value.slice(1, -1) : value
}

/** The lines that are further in than the one at `at`. */
function below(lines: readonly string[], at: number): readonly string[] {
  const depth = indent(lines[at] ?? '')
  let end = at + 1
  while (end < lines.length && ((lines[end] ?? '').trim() === '' || indent(lines[end] ?? '') > depth)) end++
  return lines.slice(at + 1, end)
}

function indent(line: string): number {
  return line.length - line.trimStart().length
}
