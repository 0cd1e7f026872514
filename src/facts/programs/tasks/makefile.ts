/** Makefiles as text: rules, variables, and what is run while they are read. What is expanded is bounded for the whole of a file. */

export interface Rule {
  readonly targets: string
  /** Those of which only the order counts included: they are made too. */
  readonly needs: string
  readonly recipe: readonly string[]
}

/** UTF-16 units that the variables of one line add to it, and those of all lines together with what they are added to. */
const LONGEST_LINE = 32_768
const MAX_EXPANDED = 524_288
/** Rules of a file, and command lines that run while it is read. */
const MAX_RULES = 5_000
const MAX_READ = 1_000

export class Makefile {
  /** Command lines that run while the file is read. */
  readonly read: string[] = []
  /** Libraries that make loads. */
  readonly loads: string[] = []
  /** More had to be expanded than can be: what is asked for from then on is not known. */
  exhausted = false
  readonly #rules: Rule[] = []
  readonly #variables = new Map<string, string>()
  readonly #named = new Map<string, Rule[]>()
  readonly #patterns: { readonly start: string; readonly end: string; readonly rule: Rule }[] = []
  readonly #oneShell: boolean
  #targets: readonly string[] | undefined
  #room = MAX_EXPANDED

  /** @param own variables of the command line, which those of the file do not change */
  constructor(text: string, own: ReadonlyMap<string, string>) {
    this.#oneShell = text.includes('.ONESHELL')
    this.#parse(text)
    for (const [name, value] of own) this.#variables.set(name, value)
    for (const rule of this.#rules) for (const name of this.words(rule.targets)) this.#index(name, rule)
  }

  /** Every target as it is written, in the order of the file. */
  get targets(): readonly string[] {
    this.#targets ??= this.#rules.flatMap(({ targets }) => targets.split(/\s+/))
    return this.#targets
  }

  /** Rules for a target: its own, or else those whose pattern it fits. */
  rulesFor(target: string): readonly Rule[] {
    const own = this.#named.get(target) ?? []
    if (own.some(({ recipe }) => recipe.length > 0) || !this.#spend(this.#patterns.length * 4)) return own
    const fits = this.#patterns.filter(
      ({ start, end }) => target.length > start.length + end.length && target.startsWith(start) && target.endsWith(end),
    )
    return [...own, ...fits.map(({ rule }) => rule)]
  }

  /** The words that a line comes to. */
  words(line: string): readonly string[] {
    return this.expanded(line, '')
      .split(/\s+/)
      .filter((word) => word !== '')
  }

  /** Texts that run in one shell: a line each unless one shell is asked for; those that go nowhere may as well run together. */
  shells({ recipe }: Rule, target: string): readonly string[] {
    const lines = recipe.map((line) => line.replace(/^[@+\- \t]+/, '')).filter((line) => line !== '')
    const moves = lines.some((line) => /\b(?:cd|pushd|exit|exec|set|export|[A-Za-z_]\w*=)/.test(line)) && !this.#oneShell
    return (moves ? lines : lines.length === 0 ? [] : [lines.join('\n')]).map((group) => this.expanded(group, target))
  }

  /** `$(VAR)` and `$@` as far as known, `$$` as `$`, `$(shell x)` as `$(x)`; the rest becomes a shell variable nobody knows. */
  expanded(line: string, target: string): string {
    if (!this.#spend(line.length)) return '$UNKNOWN'
    if (!line.includes('$')) return line
    // Values that name each other may grow without end.
    let room = LONGEST_LINE
    const once = (text: string): string =>
      text.replace(/\$\$|\$\(([\w.-]+)\)|\$\{([\w.-]+)\}/g, (whole, round: string | undefined, curly: string | undefined) => {
        if (whole === '$$') return whole
        const value = this.#variables.get(round ?? curly ?? '') ?? unknownOf(round ?? curly ?? '')
        room -= value.length
        return room < 0 || !this.#spend(value.length) ? '$UNKNOWN' : value
      })
    return once(once(once(line))).replaceAll(/\$(?:[$@<^*?]|\(shell )/g, (part) => {
      if (part === '$$') return '$'
      if (part === '$@') return target
      return part === '$(shell ' ? '$(' : '"$UNKNOWN"'
    })
  }

  #spend(units: number): boolean {
    this.#room -= units
    if (this.#room < 0) this.exhausted = true
    return !this.exhausted
  }

  #index(name: string, rule: Rule): void {
    const known = this.#named.get(name)
    if (known === undefined) this.#named.set(name, [rule])
    else if (known.at(-1) !== rule) known.push(rule)
    const at = name.indexOf('%')
    if (at >= 0) this.#patterns.push({ start: name.slice(0, at), end: name.slice(at + 1), rule })
  }

  #parse(text: string): void {
    let recipe: string[] | null = null
    let prefix = '\t'
    for (const line of this.#withoutDefinitions(text.replaceAll('\\\n', ' ').split('\n'))) {
      if (this.#rules.length > MAX_RULES || this.read.length > MAX_READ) this.exhausted = true
      if (this.exhausted) return
      if (line.startsWith(prefix)) {
        recipe?.push(line.slice(1).trim())
        continue
      }
      const [, variable, sign = '', value = ''] = ASSIGNED.exec(line) ?? []
      const [, targets, needs = '', beside = ''] = RULE.exec(line) ?? []
      if (variable === '.RECIPEPREFIX') prefix = value.trim()[0] ?? '\t'
      if (variable !== undefined) this.#assign(variable, sign, value.trim())
      else if (targets !== undefined) {
        recipe = beside.trim() === '' ? [] : [beside.trim()]
        this.#rule({ targets, needs, recipe })
      } else if (line.trim() !== '') {
        recipe = null
        this.#directive(line)
      }
    }
  }

  #rule({ targets, needs, recipe }: Rule): void {
    for (const call of shellCalls(`${targets} ${needs}`)) this.read.push(call)
    this.#rules.push({ targets: targets.trim(), needs: (needs.split('#')[0] ?? '').replaceAll('|', ' '), recipe })
  }

  /** The lines outside of `define NAME … endef`, which are the value of a variable. */
  #withoutDefinitions(lines: readonly string[]): readonly string[] {
    let name: string | undefined
    let value: string[] = []
    return lines.filter((line) => {
      const within = name
      if (within === undefined) {
        name = DEFINED.exec(line)?.[1]
        value = []
      } else if (/^\s*endef\b/.test(line)) {
        this.#variables.set(within, value.join('\n'))
        name = undefined
      } else value.push(line.trim())
      return within === undefined && name === undefined
    })
  }

  #directive(line: string): void {
    const library = LOADED.exec(line)?.[1]
    if (library !== undefined) this.loads.push(library)
    const whole = line.includes('$(eval') ? this.#evaluated(line) : line
    for (const call of shellCalls(whole)) this.read.push(call)
  }

  /** A line with the values of its variables, as `$(eval $(NAME))` reads them. */
  #evaluated(line: string): string {
    if (!this.#spend(line.length)) return line
    return line
      .replace(/\$\((\w[\w.-]*)\)/g, (whole, name: string) => (this.#variables.get(name) ?? whole).slice(0, LONGEST_LINE))
      .replaceAll('$$', '$')
  }

  #assign(name: string, sign: string, value: string): void {
    this.#variables.set(name, sign === '+' ? `${this.#variables.get(name) ?? ''} ${value}` : value)
    if (sign === '!') this.read.push(value)
    else if (sign.startsWith(':')) for (const call of shellCalls(value)) this.read.push(call)
  }
}

const DEFINED = /^ *(?:export +|override +)?define[ \t]+([^\s:=?+!]+)/
const LOADED = /^ *-?load[ \t]+([^\s(:]+)/
const ASSIGNED = /^ *(?:(?:export|override)[ \t]+)?([A-Za-z_.][\w.-]*)[ \t]*(::?:?|[?+!])?=(.*)$/
const RULE = /^([^:=#\s][^:=#]*)::?(?!=)([^=;]*)(?:;(.*))?$/

/** A variable of the environment, if of anything. */
const unknownOf = (name: string): string => `\${${/^[A-Za-z_]\w*$/.test(name) ? name : 'UNKNOWN'}}`

/** The command lines of `$(shell …)`. */
function shellCalls(text: string): readonly string[] {
  const calls: string[] = []
  for (let at = text.indexOf('$(shell '); at >= 0 && calls.length < 32; at = text.indexOf('$(shell ', at + 1)) {
    let depth = 1
    let end = at + 2
    for (; end < text.length && depth > 0; end++) depth += text[end] === '(' ? 1 : text[end] === ')' ? -1 : 0
    calls.push(text.slice(at + 8, depth === 0 ? end - 1 : end))
  }
  return calls
}
