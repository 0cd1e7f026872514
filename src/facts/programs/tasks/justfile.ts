/** Justfiles as text: what a recipe and those before it run. */

interface Recipe {
  readonly needs: readonly string[]
  readonly lines: string[]
}

/** One recipe for a shell; `shell` is false where its first line names another program. */
export interface JustCommand {
  readonly text: string
  readonly shell: boolean
}

const NAME = /^@?(?:export\s)?([A-Za-z_][\w-]*)/
/** A name with its parameters, up to the colon that ends them. */
const HEAD = /^(?:[^:"'`]|"[^"]*"|'[^']*'|`[^`]*`)*:/

/** `name := value` or `name arguments: needs`; null for any other line. */
function headOf(line: string): { readonly name: string; readonly value: string | null; readonly needs: string } | null {
  const name = NAME.exec(line)?.[1]
  const head = HEAD.exec(line)?.[0]
  if (name === undefined || head === undefined) return null
  const after = line.slice(head.length)
  return after.startsWith('=') ? { name, value: after.slice(1).trim(), needs: '' } : { name, value: null, needs: after.split('#')[0] ?? '' }
}

/** Names of recipes; of one in parentheses, what follows its name are its arguments. */
function namesIn(needs: string): readonly string[] {
  const names: string[] = []
  let depth = 0
  let named = false
  for (const [word] of needs.matchAll(/[()]|"[^"]*"|'[^']*'|[A-Za-z_][\w-]*(?:::[\w-]+)*/g)) {
    if (word === '(') named = depth++ > 0 && named
    else if (word === ')') depth--
    else if (/^\w/.test(word) && (depth === 0 || !named)) {
      names.push(word)
      named = depth > 0
    }
  }
  return names
}

/** Programs that recipes are handed to; anything else reads them as another language. */
const SHELL_SET = /^set\s+(?:windows-)?shell\s*:=\s*\[\s*["']([^"']*)/

interface Justfile {
  /** Those of one name stand for different systems. */
  readonly recipes: ReadonlyMap<string, readonly Recipe[]>
  readonly values: ReadonlyMap<string, string>
  /** Its recipes are for a shell. */
  readonly shell: boolean
  /** Command lines that compute values while the file is read. */
  readonly read: readonly string[]
}

function readRecipes(text: string): Justfile {
  const recipes = new Map<string, Recipe[]>()
  const values = new Map<string, string>()
  let shell = true
  const read: string[] = []
  let current: Recipe | null = null
  for (const line of text.split('\n')) {
    if (/^[ \t]/.test(line) || line === '') {
      current?.lines.push(line.trim())
      continue
    }
    const head = headOf(line)
    current = null
    const set = SHELL_SET.exec(line)?.[1]
    if (set !== undefined) shell &&= /(?:^|[/\\])(?:ba|da|z|k)?sh(?:\.exe)?$/.test(set) || /^(?:powershell|pwsh|cmd)(?:\.exe)?$/.test(set)
    if (set === undefined) read.push(...computing(line))
    if (head === null) continue
    if (head.value !== null) values.set(head.name, assignedTo(head.value))
    else {
      current = { needs: namesIn(head.needs), lines: [] }
      const same = recipes.get(head.name)
      if (same === undefined) recipes.set(head.name, [current])
      else same.push(current)
    }
  }
  return { recipes, values, shell, read }
}

/** Commands that a line outside of recipes computes values with: between backticks, and by `shell(…)`. */
function computing(line: string): readonly string[] {
  const ticked = [...line.matchAll(/```((?:(?!```)[\s\S]){1,4096})```|`([^`]{1,4096})`/g)].map(([, long, short]) => long ?? short ?? '')
  const called = [...line.matchAll(/\bshell\(\s{0,8}(?:"([^"]*)"|'([^']*)')?/g)].map(
    ([, double, single]) => double ?? single ?? '"$UNKNOWN"',
  )
  return [...ticked, ...called]
}

/** A string, or the command between backticks that the value is computed by. */
function assignedTo(said: string): string {
  const literal = /^"([^"]*)"|^'([^']*)'/.exec(said)?.slice(1).join('')
  if (literal !== undefined) return literal
  const computed = /^`([^`]*)`/.exec(said)?.[1]
  return computed === undefined ? '"$UNKNOWN"' : `$(${computed})`
}

const MAX_RECIPES = 128

export interface JustRun {
  /** Prerequisites first. */
  readonly commands: readonly JustCommand[]
  /** Every recipe that is needed is among them. */
  readonly whole: boolean
}

/** What `just name` runs, the first recipe where `name` is empty. */
export function recipesOf(text: string, name: string): JustRun {
  const { recipes, values, shell, read } = readRecipes(text)
  const start = name === '' ? recipes.keys().next().value : name
  const commands: JustCommand[] = []
  const seen = new Set<string>()
  const pending = start === undefined ? [] : [start]
  let whole = start !== undefined
  for (let at = 0; at < pending.length; at++) {
    const called = pending[at] as string
    if (seen.has(called)) continue
    seen.add(called)
    const found = seen.size > MAX_RECIPES ? undefined : recipes.get(called)
    if (found === undefined) {
      whole = false
      continue
    }
    for (const recipe of found) {
      for (const need of recipe.needs) pending.push(need)
      const command = commandOf(recipe, values)
      commands.unshift({ ...command, shell: command.shell && (shell || recipe.lines[0]?.startsWith('#!') === true) })
    }
  }
  if (read.length > 0) commands.unshift({ text: read.join('\n'), shell: true })
  return { commands, whole }
}

function commandOf({ lines }: Recipe, values: ReadonlyMap<string, string>): JustCommand {
  const first = lines[0] ?? ''
  const script = first.startsWith('#!')
  const text = lines.map((line) => filled(script ? line : line.replace(/^[@-]+/, ''), values)).join('\n')
  return { text, shell: !script || /\b(?:ba|da|z|k)?sh\b/.test(first) }
}

/** `{{name}}` as far as known. */
function filled(line: string, values: ReadonlyMap<string, string>): string {
  return line.replace(/\{\{([^{}]{0,200})\}\}/g, (_, name: string) => {
    const [command] = computing(name)
    return values.get(name.trim()) ?? (command === undefined ? '"$UNKNOWN"' : `$(${command})`)
  })
}
