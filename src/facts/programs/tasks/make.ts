import type { Span } from '../../effect.ts'
import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { doubt, doubtPlace } from '../../resources/doubt.ts'
import { knownWord } from '../../resources/text/word.ts'
import { ranUnread } from '../loads.ts'
import { wrapping } from '../running/words.ts'
import { each, list, takes } from '../tool.ts'
import { Makefile } from './makefile.ts'
import { firstOf, type Looking, ran } from './nearest.ts'

/** `make`: the recipes of the targets that would be made, with what they need, what is included, and what is run on the way. */

/** UTF-16 units read of all rules together, and files included in each other. */
const LONGEST = 262_144
const MAX_INCLUDED = 32
const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile']

/** With these, no recipe runs; what is computed while the rules are read does. */
const ONLY_SHOWS = list('-n --dry-run --just-print --recon -q --question')

function runMake(parsed: ParsedCommand, context: CommandContext): void {
  for (const word of parsed.operands) runVariable(word, context)
  const directory = parsed.value('-C', '--directory')
  const run = (inner: CommandContext): void => {
    const rules = makefile(parsed, inner)
    const file = rules === null ? null : new Makefile(rules.text, assignedIn(parsed.operands))
    const files = rules?.files ?? []
    if (!parsed.flag(...ONLY_SHOWS)) makeAll(file, files, { parsed, context: inner })
    else if (file !== null) inner.within({ attributes: {}, remote: false, files }, (at) => readLines(file, at, parsed.invocation.span))
  }
  if (directory === null) run(context)
  else context.within({ attributes: {}, remote: false, directory }, run)
}

const ASSIGNS = /^([A-Za-z_]\w*)[:+?]*=(.*)$/s

function assignedIn(operands: readonly Word[]): ReadonlyMap<string, string> {
  return new Map(
    operands.flatMap(({ text }): readonly [string, string][] => {
      const [, name, value = ''] = ASSIGNS.exec(text ?? '') ?? []
      return name === undefined ? [] : [[name, value]]
    }),
  )
}

/** Makes the targets that are named, or the first. */
function makeAll(
  file: Makefile | null,
  files: readonly string[],
  { parsed: { operands, invocation }, context }: { readonly parsed: ParsedCommand; readonly context: CommandContext },
): void {
  const targets = operands.filter((word) => !/^[A-Za-z_]\w*[:+?]*=/.test(word.prefix))
  for (const word of targets.length > 0 ? targets : [knownWord('', invocation.span)]) {
    const { span, text, prefix } = word
    const certainty = file === null ? 'likely' : 'certain'
    context.emit('execute', context.thing('script', text === '' ? 'make' : `make ${text ?? prefix}`), {
      action: 'dev:make',
      span,
      certainty,
    })
    if (file === null) continue
    context.within({ attributes: {}, remote: false, files, certainty: text === null ? 'possible' : 'certain' }, (at) =>
      recipes(file, word, { context: at, span }),
    )
  }
}

interface Rules {
  readonly text: string
  /** Where they all stand; empty where the call says some of them itself. */
  readonly files: readonly string[]
}

/** The text of all rules; null where there is none or it is not known, which is said where this call put it there. */
function makefile(parsed: ParsedCommand, context: CommandContext): Rules | null {
  const given = parsed.values('--eval', '-E')
  for (const word of given) evaluatedFiles(word, context)
  const file = parsed.value('-f', '--file', '--makefile')
  const piped = file?.text === '-' || file?.text === '/dev/stdin'
  const files: string[] = []
  const looking: LookingForRules = { context, span: parsed.invocation.span, files }
  const text = piped ? makefileOnInput(parsed, context) : standing(file, looking)
  const evaluated = given.flatMap((word) => word.text ?? '').join('\n')
  if (text === null) return evaluated === '' ? null : { text: evaluated, files: [] }
  const all = withIncluded(text, looking)
  return { text: `${evaluated}\n${all}`.slice(0, LONGEST), files: evaluated !== '' || piped ? [] : files }
}

/** The file that is named, or one by its usual name. */
function standing(file: Word | null, looking: LookingForRules): string | null {
  const { context } = looking
  if (file?.text === null) context.opaque('which rules `make` follows is not known before it runs', file.span)
  const text = firstFile(file === null ? MAKEFILES : file.text === null ? [] : [file.text], looking)
  if (text === null && file === null) doubtPlace('`make` looks for its rules', looking)
  else if (text === null && file !== null) ranUnread(file, context)
  return text
}

/** `$(file >path,text)` and `$(file <path)` of a text that is evaluated. */
function evaluatedFiles({ text, span }: Word, context: CommandContext): void {
  if (text === null) context.opaque('`make` evaluates text that is not known', span)
  for (const [, way = '', name = ''] of (text ?? '').slice(0, LONGEST).matchAll(/\$[({]file\s{1,8}(>{1,2}|<)\s{0,8}([^\s,(){}$]{1,1024})/g))
    if (!name.startsWith('/dev/std')) context.emit(way === '<' ? 'read' : 'write', context.path(knownWord(name, span)), { span })
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

/** Every file that is found is put down. */
interface LookingForRules extends Looking {
  readonly files: string[]
}

function firstFile(names: readonly string[], looking: LookingForRules): string | null {
  const found = firstOf(names, looking)
  if (found === null) return null
  ran(found, looking.context)
  looking.files.push(found.path)
  return found.text
}

/** What `include` names stands in its place. */
function withIncluded(text: string, looking: LookingForRules): string {
  const pattern = /^ *[-s]?include[ \t]([^\n#]*)/gm
  let all = text
  let count = 0
  let unknown = false
  for (let found = pattern.exec(all); found !== null && count < MAX_INCLUDED && all.length <= LONGEST; found = pattern.exec(all)) {
    const names = (found[1] ?? '').split(/\s+/).filter((name) => name !== '')
    const known = names.filter((name) => !/[$*?[]/.test(name))
    unknown ||= known.length < names.length
    count += Math.max(1, known.length)
    const parts = known.slice(0, MAX_INCLUDED).map((name) => firstFile([name], looking) ?? '')
    all = `${all.slice(0, found.index)}\n${parts.join('\n')}\n${all.slice(found.index + found[0].length)}`
    pattern.lastIndex = found.index
  }
  if (unknown) doubt('which rules `make` includes is not known', looking)
  if (count > MAX_INCLUDED || all.length > LONGEST || pattern.lastIndex > 0)
    looking.context.opaque('the rules of `make` with those they include are more than is read', looking.span)
  return all.slice(0, LONGEST)
}

interface Making {
  readonly context: CommandContext
  readonly span: Span
}

/** Rules that are walked for one target. */
const MAX_TARGETS = 128

/** What runs while the rules are read. */
function readLines(file: Makefile, context: CommandContext, span: Span): void {
  for (const line of file.read) if (!file.exhausted) context.shell(file.expanded(line, ''), span, 'make')
  for (const library of file.loads) context.emit('execute', context.path(knownWord(library, span)), { action: 'code:load', span })
}

function recipes(file: Makefile, target: Word, { context, span }: Making): void {
  readLines(file, context, span)
  const pending = startsOf(target, file.targets)
  const seen = new Set<string>()
  for (let at = 0; at < pending.length && !file.exhausted; at++) {
    const name = pending[at] as string
    if (seen.has(name)) continue
    if (seen.size >= MAX_TARGETS) {
      context.opaque('`make` makes more targets than can be followed', span)
      return
    }
    seen.add(name)
    for (const rule of file.rulesFor(name)) {
      for (const need of file.words(rule.needs)) pending.push(need)
      for (const shell of file.shells(rule, name)) if (!file.exhausted) context.shell(shell, span, 'make')
    }
  }
  if (file.exhausted) context.opaque('the rules of `make` come to more than can be followed', span)
}

/** The target; the first of the file for an empty one, and every one that may be meant where it is not known. */
function startsOf({ text, prefix }: Word, targets: readonly string[]): string[] {
  if (text === null) return targets.filter((name) => /[$%]/.test(name) || name.startsWith(prefix))
  const start = text === '' ? targets.find((name) => !name.startsWith('.')) : text
  return start === undefined ? [] : [start]
}

const make: CommandSpec = {
  flags: list(
    '-B -b -d -e -i -k -L -m -n -p -q -r -R -s -S -t -v -w --always-make --dry-run --just-print --recon --silent --quiet ' +
      '--keep-going --question --print-data-base --touch --trace --no-print-directory',
  ),
  options: takes('-C --directory -f --file --makefile -I --include-dir -o --old-file -W --what-if --eval -E'),
  optionalValues: list('-j --jobs -l --load-average --max-load -O --output-sync --debug'),
  inert: ['--version', '--help', '-v', '-h'],
  operands: [],
  refine: runMake,
}

export const makeWrappers: CommandTable = wrapping(each('make gmake', make))
