import type { Span } from '../effect.ts'
import { each, list, literal, takes } from './commands/tool.ts'
import { ranUnread } from './loads.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from './spec.ts'
import { firstOf, type Looking, ran } from './wrappers-nearest.ts'

/** `make`: the recipes of the targets that would be made, with what they need, what is included, and what is run on the way. */

/** UTF-16 units read of all rules together, and files included in each other. */
const LONGEST = 262_144
const MOST_INCLUDED = 8
/** UTF-16 units that the variables of one recipe add to it. */
const LONGEST_LINE = 32_768
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']

function runMake(parsed: ParsedCommand, context: CommandContext): void {
  const { operands, invocation } = parsed
  for (const word of operands) runVariable(word, context)
  const directory = parsed.value('-C', '--directory')
  const run = (inner: CommandContext): void => {
    const own = new Map<string, string>()
    for (const { text } of operands) {
      const assigned = /^([A-Za-z_]\w*)[:+?]*=(.*)$/s.exec(text ?? '')
      if (assigned?.[1] !== undefined) own.set(assigned[1], assigned[2] ?? '')
    }
    const targets = operands.filter((word) => !/^[A-Za-z_]\w*[:+?]*=/.test(word.prefix))
    const text = makefile(parsed, inner)
    for (const word of targets.length > 0 ? targets : [literal('', invocation.span)]) {
      inner.emit('execute', inner.thing('script', word.text === '' ? 'make' : `make ${word.text ?? word.prefix}`), {
        action: 'dev:make',
        span: word.span,
        certainty: text === null ? 'likely' : 'certain',
      })
      const made = (at: CommandContext): void => {
        if (text !== null) recipes(text, word, { context: at, span: word.span, own })
      }
      if (word.text === null) inner.within({ attributes: {}, remote: false, certainty: 'possible' }, made)
      else made(inner)
    }
  }
  if (directory === null) run(context)
  else context.within({ attributes: {}, remote: false, directory }, run)
}

/** The text of all rules; null where there is none or it is not known, which is said where this call put it there. */
function makefile(parsed: ParsedCommand, context: CommandContext): string | null {
  const given = parsed.values('--eval', '-E')
  for (const word of given) if (word.text === null) context.opaque('`make` evaluates text that is not known', word.span)
  const file = parsed.value('-f', '--file', '--makefile')
  if (file?.text === null) context.opaque('which rules `make` follows is not known before it runs', file.span)
  const names = file === null ? MAKEFILES : file.text === null ? [] : [file.text]
  const piped = file?.text === '-' || file?.text === '/dev/stdin'
  const text = piped ? makefileOnInput(parsed, context) : firstFile(names, { context, span: parsed.invocation.span })
  if (text === null && !piped && file !== null) ranUnread(file, context)
  if (text === null && file === null && context.cwd === null) unknownDirectory(parsed.invocation.span, context)
  const evaluated = given.flatMap((word) => word.text ?? []).join('\n')
  if (text === null) return evaluated === '' ? null : evaluated
  return `${evaluated}\n${withIncluded(text, { context, span: parsed.invocation.span })}`.slice(0, LONGEST)
}

function unknownDirectory(span: Span, context: CommandContext): void {
  const reason = 'in which directory `make` looks for its rules is not known'
  context.emit('opaque', context.thing('code', ''), {
    span,
    reason,
    certainty: 'possible',
    reversible: false,
    attributes: { severity: 'low' },
  })
}

/** `make -f -`. */
function makefileOnInput({ invocation: { input, span } }: ParsedCommand, context: CommandContext): string | null {
  if (input.kind === 'text' && input.text !== null) return input.text
  if (input.kind !== 'none') context.opaque('`make` follows rules from standard input that are not known before it runs', span)
  return null
}

/** Variables of make whose value is a program, and where compilers are told to load a plugin. */
const PROGRAM_VARIABLE = /^(?:SHELL|CC|CXX|CPP|LD|AR|AS|FC|RM|INSTALL|MAKE|PYTHON|NODE|TEST_RUNNER)[:+?]?=/
const PLUGIN = /^\w*FLAGS[:+?]?=.*-f(?:pass-)?plugin=(\S+)/

function runVariable(word: Word, context: CommandContext): void {
  const { text } = word
  if (PROGRAM_VARIABLE.test(word.prefix)) context.shell(text === null ? null : text.slice(text.indexOf('=') + 1), word.span, 'make')
  const plugin = PLUGIN.exec(text ?? '')?.[1]
  if (plugin !== undefined)
    context.emit('execute', context.path({ ...word, text: plugin, prefix: plugin }), { action: 'code:load', span: word.span })
}

function firstFile(names: readonly string[], looking: Looking): string | null {
  const found = firstOf(names, looking)
  if (found !== null) ran(found, looking.context)
  return found?.text ?? null
}

/** What `include` names stands in its place. */
function withIncluded(text: string, at: Looking): string {
  let all = text
  for (let count = 0; count < MOST_INCLUDED; count++) {
    const found = /^[-s]?include[ \t]([^\n#]*)/m.exec(all)
    if (found?.[1] === undefined) break
    const parts = found[1]
      .trim()
      .split(/\s+/)
      .filter((name) => !name.includes('$'))
      .map((name) => firstFile([name], at) ?? '')
    all = `${all.slice(0, found.index)}\n${parts.join('\n')}\n${all.slice(found.index + found[0].length)}`.slice(0, LONGEST)
  }
  return all
}

interface Rule {
  readonly targets: readonly string[]
  readonly needs: readonly string[]
  readonly recipe: string[]
}

interface Rules {
  readonly rules: readonly Rule[]
  readonly variables: Map<string, string>
  /** Command lines that run while the file is read. */
  readonly read: readonly string[]
}

const ASSIGNED = /^(?:(?:export|override)[ \t]+)?([A-Za-z_]\w*)[ \t]*(::?:?|[?+!])?=(.*)$/
const RULE = /^([^:=#\s][^:=#]*)::?(?!=)([^=;]*)(?:;(.*))?$/

function rulesOf(text: string): Rules {
  const rules: Rule[] = []
  const variables = new Map<string, string>()
  const read: string[] = []
  let current: Rule | null = null
  for (const line of text.replaceAll('\\\n', ' ').split('\n')) {
    if (line.startsWith('\t')) {
      current?.recipe.push(line.trim())
      continue
    }
    const assigned = ASSIGNED.exec(line)
    const rule = RULE.exec(line)
    if (assigned?.[1] !== undefined) {
      const [, name, sign = '', value = ''] = assigned
      variables.set(name, sign === '+' ? `${variables.get(name) ?? ''} ${value.trim()}` : value.trim())
      if (sign === '!') read.push(value)
      else if (sign.startsWith(':')) read.push(...shellCalls(value))
    } else if (rule?.[1] !== undefined) {
      current = { targets: rule[1].trim().split(/\s+/), needs: (rule[2] ?? '').split(/[#|]/)[0]?.trim().split(/\s+/) ?? [], recipe: [] }
      const beside = rule[3]?.trim() ?? ''
      if (beside !== '') current.recipe.push(beside)
      rules.push(current)
    } else if (line.trim() !== '') {
      current = null
      read.push(...shellCalls(line))
    }
  }
  return { rules, variables, read }
}

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

interface Making {
  readonly context: CommandContext
  readonly span: Span
  /** Variables of the command line. */
  readonly own: ReadonlyMap<string, string>
}

/** Rules that are walked for one target. */
const MOST_TARGETS = 128

function recipes(text: string, target: Word, { context, span, own }: Making): void {
  const { rules, variables, read } = rulesOf(text)
  for (const [key, value] of own) variables.set(key, value)
  for (const line of read) context.shell(substituted(line, variables, ''), span, 'make')
  const pending = startsOf(target, rules)
  const seen = new Set<string>()
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (seen.has(name)) continue
    if (seen.size >= MOST_TARGETS) {
      context.opaque('`make` makes more targets than can be followed', span)
      return
    }
    seen.add(name)
    for (const rule of rulesFor(name, rules, variables)) {
      pending.push(...rule.needs.flatMap((need) => substituted(need, variables, '').split(/\s+/)).filter((need) => need !== ''))
      for (const group of shellsOf(rule.recipe, text)) context.shell(substituted(group, variables, name), span, 'make')
    }
  }
}

/** The target; the first of the file for an empty one, and every one that may be meant where it is not known. */
function startsOf({ text, prefix }: Word, rules: readonly Rule[]): string[] {
  if (text === null) return rules.flatMap(({ targets }) => targets).filter((name) => /[$%]/.test(name) || name.startsWith(prefix))
  const start = text === '' ? rules.find((rule) => rule.targets[0]?.startsWith('.') !== true)?.targets[0] : text
  return start === undefined ? [] : [start]
}

/** Lines that run in one shell: each by itself unless one shell is asked for; those that go nowhere may as well run together. */
function shellsOf(recipe: readonly string[], text: string): readonly string[] {
  const lines = recipe.map((line) => line.replace(/^[@+\- \t]+/, '')).filter((line) => line !== '')
  const moves = lines.some((line) => /\b(?:cd|pushd|exit|exec|set|export|[A-Za-z_]\w*=)/.test(line)) && !text.includes('.ONESHELL')
  return moves ? lines : lines.length === 0 ? [] : [lines.join('\n')]
}

/** Rules for a target: its own, or else those whose pattern it fits. */
function rulesFor(target: string, rules: readonly Rule[], variables: ReadonlyMap<string, string>): readonly Rule[] {
  const names = (rule: Rule): readonly string[] => rule.targets.flatMap((name) => substituted(name, variables, '').split(/\s+/))
  const own = rules.filter((rule) => names(rule).includes(target))
  if (own.some(({ recipe }) => recipe.length > 0)) return own
  const fits = (pattern: string): boolean => {
    const at = pattern.indexOf('%')
    if (at < 0 || target.length < pattern.length) return false
    return target.startsWith(pattern.slice(0, at)) && target.endsWith(pattern.slice(at + 1))
  }
  return [...own, ...rules.filter((rule) => names(rule).some(fits))]
}

/** `$(VAR)` and `$@` as far as known, `$$` as `$`, `$(shell x)` as `$(x)`; the rest becomes a shell variable nobody knows. */
function substituted(line: string, variables: ReadonlyMap<string, string>, target: string): string {
  // Values that name each other may grow without end.
  let room = LONGEST_LINE
  const once = (text: string): string =>
    text.replace(/\$\((\w+)\)|\$\{(\w+)\}/g, (whole, round: string | undefined, curly: string | undefined) => {
      const value = variables.get(round ?? curly ?? '') ?? (whole.startsWith('$(') ? `$${round}` : whole)
      room -= value.length
      return room < 0 ? '$UNKNOWN' : value
    })
  return once(once(once(line)))
    .replaceAll('$@', target)
    .replaceAll('$(shell ', '$(')
    .replaceAll(/\$[<^*?]/g, '"$UNKNOWN"')
    .replaceAll('$$', '$')
}

const make: CommandSpec = {
  flags: list(
    '-B -b -d -e -i -k -L -m -n -p -q -r -R -s -S -t -v -w --always-make --dry-run --just-print --recon --silent --quiet --keep-going --question --print-data-base --touch --trace --no-print-directory',
  ),
  options: takes('-C --directory -f --file --makefile -I --include-dir -o --old-file -W --what-if --eval -E'),
  optionalValues: list('-j --jobs -l --load-average --max-load -O --output-sync --debug'),
  inert: ['--version', '--help', '-v', '-h', '-n', '--dry-run', '--just-print', '--recon', '-q', '--question'],
  operands: [],
  refine: runMake,
}

export const makeWrappers: CommandTable = each('make gmake', make)
