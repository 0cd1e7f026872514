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

/** `name := value` or `name arguments: needs`; null for any other line. */
function headOf(line: string): { readonly name: string; readonly value: string | null; readonly needs: string } | null {
  const name = NAME.exec(line)?.[1]
  const colon = line.indexOf(':')
  if (name === undefined || colon < 0) return null
  const after = line.slice(colon + 1)
  return after.startsWith('=') ? { name, value: after.slice(1).trim(), needs: '' } : { name, value: null, needs: after.split('#')[0] ?? '' }
}

function readRecipes(text: string): { readonly recipes: ReadonlyMap<string, Recipe>; readonly values: ReadonlyMap<string, string> } {
  const recipes = new Map<string, Recipe>()
  const values = new Map<string, string>()
  let current: Recipe | null = null
  for (const line of text.split('\n')) {
    if (/^[ \t]/.test(line) || line === '') {
      current?.lines.push(line.trim())
      continue
    }
    const head = headOf(line)
    current = null
    if (head === null) continue
    if (head.value !== null) values.set(head.name, assignedTo(head.value))
    else {
      current = { needs: [...head.needs.matchAll(/[A-Za-z_][\w-]*/g)].map(([name]) => name), lines: [] }
      recipes.set(head.name, current)
    }
  }
  return { recipes, values }
}

/** A string, or the command between backticks that the value is computed by. */
function assignedTo(said: string): string {
  const literal = /^"([^"]*)"|^'([^']*)'/.exec(said)?.slice(1).join('')
  if (literal !== undefined) return literal
  const computed = /^`([^`]*)`/.exec(said)?.[1]
  return computed === undefined ? '"$UNKNOWN"' : `$(${computed})`
}

const MOST_RECIPES = 32

/** What `just name` runs, the first recipe where `name` is empty: prerequisites first. Empty where there is no such recipe. */
export function recipesOf(text: string, name: string): readonly JustCommand[] {
  const { recipes, values } = readRecipes(text)
  const start = name === '' ? recipes.keys().next().value : name
  const found: JustCommand[] = []
  const seen = new Set<string>()
  const pending = start === undefined ? [] : [start]
  for (let at = pending.shift(); at !== undefined && seen.size < MOST_RECIPES; at = pending.shift()) {
    const recipe = recipes.get(at)
    if (recipe === undefined || seen.has(at)) continue
    seen.add(at)
    pending.push(...recipe.needs)
    found.unshift(commandOf(recipe, values))
  }
  return found
}

function commandOf({ lines }: Recipe, values: ReadonlyMap<string, string>): JustCommand {
  const first = lines[0] ?? ''
  const script = first.startsWith('#!')
  const text = lines.map((line) => filled(script ? line : line.replace(/^[@-]+/, ''), values)).join('\n')
  return { text, shell: !script || /\b(?:ba|da|z|k)?sh\b/.test(first) }
}

/** `{{name}}` as far as known. */
function filled(line: string, values: ReadonlyMap<string, string>): string {
  return line.replace(/\{\{([^{}]{0,200})\}\}/g, (_, name: string) => values.get(name.trim()) ?? '"$UNKNOWN"')
}
