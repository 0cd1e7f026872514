import { evaluated, quoted, singly, UNKNOWN, type Values } from './evaluate.ts'
import { type Dependency, type Items, itemsOf, lineOf, type Parameter, type Recipe } from './parse.ts'

/** Justfiles: what a recipe and those before it run, as command lines of a shell. */

const MAX_RECIPES = 128
const MAX_FILES = 16
/** Characters that expressions of one file come to. */
const MAX_EVALUATED = 262_144

export interface JustCall {
  /** The recipe and its arguments, and more recipes; none: the first of the file. */
  readonly words: readonly string[]
  /** Values that the command gives to variables. */
  readonly given: ReadonlyMap<string, string>
  /** The shell that the command names, with its options. */
  readonly shell: readonly string[] | null
  /** The text of a file beside the justfile; null where there is none. */
  readonly load: (path: string) => string | null
}

export interface JustRun {
  /** Command lines in their order, what those need before them. */
  readonly commands: readonly string[]
  /** Every recipe that is needed is among them, and all of it could be read. */
  readonly whole: boolean
}

/** What `just words…` runs. */
export function recipesOf(text: string, call: JustCall): JustRun {
  const run = new Run(call)
  const root = run.file(text, '')
  if (root !== null) run.start(root)
  return { commands: run.commands, whole: run.whole }
}

/** What is computed before any recipe runs: `just --evaluate`. */
export function evaluationOf(text: string, call: JustCall): JustRun {
  const run = new Run(call)
  run.file(text, '')
  return { commands: run.commands, whole: run.whole }
}

class File {
  readonly items: Items
  /** Where its recipes run, seen from the first file; empty: there. */
  readonly directory: string
  readonly modules = new Map<string, File>()
  readonly #given: ReadonlyMap<string, string>
  readonly #known = new Map<string, string>()
  readonly #run: Run

  constructor(items: Items, directory: string, run: Run) {
    this.items = items
    this.directory = directory
    this.#run = run
    this.#given = run.call.given
  }

  /** Each variable is computed once, whether it is used or not. */
  compute(): void {
    for (const name of this.items.variables.keys()) this.variable(name)
  }

  variable(name: string): string | null {
    const known = this.#given.get(name) ?? this.#known.get(name)
    if (known !== undefined) return known
    const said = this.items.variables.get(name)
    if (said === undefined) return null
    this.#known.set(name, UNKNOWN)
    const text = evaluated(said.value, this.values(new Map()))
    this.#known.set(name, text)
    return text
  }

  values(parameters: ReadonlyMap<string, string>): Values {
    return {
      variable: (name) => parameters.get(name) ?? this.variable(name),
      runs: (command) => this.#run.does(command, this),
      spend: (units) => this.#run.spend(units),
    }
  }

  setting(name: string): readonly string[] | null {
    const said = this.items.settings.get(name)
    return said === undefined ? null : said.map((value) => evaluated(value, this.values(new Map())))
  }
}

class Run {
  readonly call: JustCall
  readonly commands: string[] = []
  whole = true
  readonly #seen = new Set<string>()
  #files = 0
  #room = MAX_EVALUATED

  constructor(call: JustCall) {
    this.call = call
  }

  spend(units: number): boolean {
    this.#room -= units
    if (this.#room < 0) this.whole = false
    return this.#room >= 0
  }

  does(command: string, { directory }: File): void {
    if (command.trim() !== '') this.commands.push(directory === '' ? command : `cd ${directory}\n${command}`)
  }

  /** A file with what it imports and its modules. */
  file(text: string, directory: string): File | null {
    if (++this.#files > MAX_FILES) {
      this.whole = false
      return null
    }
    const items = this.#imported(itemsOf(text), directory)
    if (items.unread.length > 0) this.whole = false
    const file = new File(items, directory, this)
    for (const [name, path] of items.modules) {
      const places = path === null ? [`${name}.just`, `${name}/mod.just`, `${name}/justfile`, `${name}/.justfile`] : [path]
      const place = places.find((candidate) => this.call.load(directory + candidate) !== null)
      const inner = place === undefined ? null : this.call.load(directory + place)
      const within = `${directory}${place?.includes('/') === true ? place.slice(0, place.lastIndexOf('/') + 1) : ''}`
      const module = inner === null ? null : this.file(inner, within)
      if (module !== null) file.modules.set(name, module)
    }
    file.compute()
    return file
  }

  #imported(items: Items, directory: string): Items {
    let all = items
    for (const { path, optional } of items.imports) {
      const text = ++this.#files > MAX_FILES ? null : this.call.load(path.startsWith('/') ? path : directory + path)
      if (text !== null) all = merged(all, this.#imported(itemsOf(text), directory))
      else if (!optional) this.whole = false
    }
    return all
  }

  /** The recipes that the words name, with their arguments. */
  start(root: File): void {
    const words = [...this.call.words]
    if (words.length === 0) {
      const all = [...root.items.recipes.values()].flat()
      const chosen = all.find(({ marks }) => marks.some((text) => /[[,]\s*default\s*[\],]/.test(text))) ?? all[0]
      if (chosen === undefined) this.whole = false
      else for (const recipe of root.items.recipes.get(chosen.name) ?? []) this.#recipe(root, recipe, [])
    }
    while (words.length > 0) {
      const path = (words.shift() ?? '').split('::')
      // A module and its recipe may be two words.
      while (words.length > 0 && moduleAt(root, path) !== null) path.push(words.shift() ?? '')
      const found = this.#find(root, path)
      if (found === null) return
      const { parameters = [] } = found.recipes[0] ?? {}
      const count = parameters.some(({ rest }) => rest !== '') ? words.length : Math.min(words.length, parameters.length)
      const args = words.splice(0, count)
      for (const recipe of found.recipes) this.#recipe(found.file, recipe, args)
    }
  }

  #find(from: File, path: readonly string[]): { readonly file: File; readonly recipes: readonly Recipe[] } | null {
    const file = moduleAt(from, path.slice(0, -1))
    const name = path.at(-1) ?? ''
    const alias = file?.items.aliases.get(name)
    const recipes = file?.items.recipes.get(name)
    if (file !== null && recipes !== undefined) return { file, recipes }
    const meant = file === null || alias === undefined || alias.join('::') === name ? null : this.#find(file, alias)
    if (meant === null) this.whole = false
    return meant
  }

  #recipe(file: File, recipe: Recipe, args: readonly string[]): void {
    const key = `${file.directory}\0${recipe.name}\0${recipe.marks.join()}\0${args.join('\0')}`
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    if (this.#seen.size > MAX_RECIPES) {
      this.whole = false
      return
    }
    const parameters = this.#parameters(file, recipe.parameters, args)
    const values = file.values(parameters)
    for (const need of recipe.before) this.#needed(file, need, values)
    this.#body(file, recipe, { values, args, parameters })
    for (const need of recipe.after) this.#needed(file, need, values)
  }

  #needed(file: File, { path, args }: Dependency, values: Values): void {
    const found = this.#find(file, path)
    const given = args.map((arg) => evaluated(arg, values))
    for (const recipe of found?.recipes ?? []) this.#recipe(found?.file ?? file, recipe, given)
  }

  #parameters(file: File, parameters: readonly Parameter[], args: readonly string[]): ReadonlyMap<string, string> {
    const known = new Map<string, string>()
    for (const [at, { name, rest, value }] of parameters.entries()) {
      const own = rest === '' ? args.slice(at, at + 1) : args.slice(at)
      const otherwise = value === null ? (rest === '*' ? '' : UNKNOWN) : evaluated(value, file.values(known))
      known.set(name, own.length > 0 ? own.join(' ') : otherwise)
    }
    return known
  }

  #body(file: File, { lines, marks, parameters: said }: Recipe, given: Given): void {
    const [first = ''] = lines
    const script = marks.map((text) => /[[,]\s*script\b(?:\(([^)]*)\))?/.exec(text)).find((found) => found !== null)
    const text = (line: string): string => this.#line(line, given.values)
    const before = said.filter(({ exported }) => exported).map(({ name }) => `export ${name}=${quoted(given.parameters.get(name) ?? '')}`)
    const exported = [...file.items.variables].filter(([, { exported: out }]) => out || file.items.settings.has('export'))
    before.push(...exported.map(([name]) => `export ${name}=${quoted(file.variable(name) ?? UNKNOWN)}`))
    if (file.items.settings.has('positional-arguments')) before.push(`set -- ${given.args.map(quoted).join(' ')}`)
    const start = before.length === 0 ? '' : `${before.join('\n')}\n`
    if (first.startsWith('#!') || script !== undefined) {
      const interpreter = script === undefined ? first.slice(2).trim() : interpreterOf(script?.[1], file)
      this.does(start + scripted(interpreter, (script === undefined ? lines.slice(1) : lines).map(text).join('\n')), file)
      return
    }
    const kept = joinedLines(lines).map((line) => text(line).replace(/^[@?-]+/, ''))
    const moves = kept.some((line) => /\b(?:cd|pushd|exit|exec|set|export|[A-Za-z_]\w*=)/.test(line))
    const shell = this.call.shell ?? file.setting('shell') ?? []
    for (const group of moves ? kept : [kept.join('\n')]) this.does(start + shelled(group, shell), file)
  }

  #line(line: string, values: Values): string {
    const parts = line.includes('{{') ? lineOf(line) : null
    if (parts !== null) return evaluated(parts, values)
    if (line.includes('{{')) this.whole = false
    return this.spend(line.length) ? line : UNKNOWN
  }
}

interface Given {
  readonly values: Values
  readonly args: readonly string[]
  readonly parameters: ReadonlyMap<string, string>
}

function moduleAt(from: File, path: readonly string[]): File | null {
  let file: File | null = from
  for (const name of path) file = file?.modules.get(name) ?? null
  return file
}

/** What the first says comes before what it imports. */
function merged(items: Items, more: Items): Items {
  return {
    ...items,
    variables: new Map([...more.variables, ...items.variables]),
    recipes: new Map([...items.recipes, ...[...more.recipes].filter(([name]) => !items.recipes.has(name))]),
    aliases: new Map([...more.aliases, ...items.aliases]),
    settings: new Map([...more.settings, ...items.settings]),
    modules: new Map([...more.modules, ...items.modules]),
    unread: [...items.unread, ...more.unread],
  }
}

/** Lines that end with a backslash go on. */
function joinedLines(lines: readonly string[]): readonly string[] {
  const all: string[] = []
  for (const [at, line] of lines.entries()) {
    const before = at === 0 ? '' : (lines[at - 1] ?? '')
    if (before.endsWith('\\')) all.push(`${all.pop() ?? ''}\n${line}`)
    else all.push(line)
  }
  return all
}

const SHELL = /^(?:\S*\/)?(?:ba|da|z|k|a)?sh(?:\.exe)?$/
/** Of Windows alone. */
const WINDOWS = /(?:^|[/\\])(?:powershell|pwsh|cmd)(?:\.exe)?$/i

/** A line as it is handed to the shell of the file. */
function shelled(text: string, [program, ...options]: readonly string[]): string {
  if (program === undefined || WINDOWS.test(program)) return text
  if (SHELL.test(program) && options.every((option) => /^[-+][A-Za-z]*$|^pipefail$|^--\w+$/.test(option))) return text
  return `${[program, ...options.map(singly)].join(' ')} ${singly(text)}`
}

function interpreterOf(said: string | undefined, file: File): string {
  const words = [...(said ?? '').matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, double, single]) => double ?? single ?? '')
  const named = words.map((word) => (/^[\w./+:=-]+$/.test(word) ? word : singly(word))).join(' ')
  return named !== '' ? named : (file.setting('script-interpreter') ?? ['sh']).join(' ')
}

/** A text for a program: those of a shell as they are, others on standard input. */
function scripted(interpreter: string, text: string): string {
  const program = interpreter.replace(/^\S*\/env\s+(?:-\S+\s+)?/, '')
  const [name = '', ...options] = program.split(/\s+/)
  if (SHELL.test(name) && !options.some((option) => /^-\w*c/.test(option))) return text
  return `${program}${/\bdeno\b/.test(name) ? ' -' : ''} <<'JUST_RECIPE'\n${text}\nJUST_RECIPE`
}
