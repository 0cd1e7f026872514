/**
 * What a program that no table knows is handed to run: a command line after `--`, `exec` or `run`, code after `-e` or `--eval`, calls
 * such as `system("…")` inside of it, `!command` in what it reads. No grammar is known, so all of it is likely at most.
 */

import type { CommandContext, Invocation, Word } from '../../host.ts'
import { knownWord } from '../../resources/text/word.ts'
import { quote } from '../running/words.ts'
import { type Knows, runOptions } from './unconsumed.ts'
import { commandAmong } from './unknown.ts'

/** Options whose value is a command line or code. */
const TAKES_CODE = /^(?:-[cexEX]|--?(?:eval|evaluate|exec|execute|expr|expression|command|cmd|run|code|shell|call|do|on-\w+|\w+-command))$/i
const CODE_ATTACHED = /^--?(?:eval|evaluate|exec|execute|expr|expression|command|cmd|run|code|shell|call|do|run[_-]under)=/i

/** Names by which languages hand text to a shell or start a program. */
const STARTS = new RegExp(
  String.raw`(?:^|[^\w$])(?:system[vp]?|exec[lv]?[pe]?|execute|execSync|execFile|popen\d?|shell_exec|passthru|spawn(?:Sync)?` +
    String.raw`|callCommand|callProcess|readProcess|runCommand|run_program|run|sh|shell|shelltext|cmd|qx|write18|ShellExecute` +
    String.raw`|ProcessBuilder|Process\.(?:run|start|spawn))(?=[\s({["'\x60:])`,
  'g',
)

/** A call, or several statements: what `-e` is given is more than a word or a pattern. */
const IS_CODE = /\w\s?\(\s?["'$\w)]|;\s*\S|^\s*(?:import|require|use|load)\s/

/** The most that is looked through, in characters, and the most calls that are followed in one text. */
const LONGEST = 16_384
const MOST = 16
/** The most places that are looked at for one. */
const MAX_TRIED = 256

/** Reads what the program is handed; `knows` says whether a name is a program of the tables. */
export function runHanded(invocation: Invocation, context: CommandContext, knows: Knows): void {
  const { args, name, input } = invocation
  context.within({ attributes: {}, remote: false, certainty: 'likely' }, (inner) => {
    const line = commandAmong(args, knows)
    if (line !== null) inner.command(line, name)
    else runAfterExec(invocation, inner, knows)
    // What stands in that line is read with it.
    const before = line === null ? args : args.slice(0, args.length - line.length)
    for (const [index, word] of before.entries()) {
      const code = codeOf(args[index - 1], word)
      if (code === null && word.prefix.startsWith('-') && !TAKES_CODE.test(word.prefix))
        runOptions([word], before, { by: name, context: inner, knows })
      if (code !== null) runText(code, { inner, name, knows })
      else if (word.text !== null && /[\s(]/.test(word.text) && word.text.length <= LONGEST) runCalls(word.text, word, inner)
    }
    if (input.kind === 'text' && input.text !== null && input.text.length <= LONGEST)
      runInput(input.text, knownWord(input.text, input.span), inner)
  })
}

/** Subcommands after which a command line follows, whatever the tool; the short ones where they stand first. */
const LAUNCHES: ReadonlySet<string> = new Set(['exec', 'execute', 'spawn'])
/** The same where `--` follows. */
const LAUNCHES_DASHED: ReadonlySet<string> = new Set('watch lock shell bind enter with wrap inject console'.split(' '))
const LAUNCHES_FIRST: ReadonlySet<string> = new Set(['x', 'run'])
const LONGEST_LAUNCH = 'execute'.length
/** `npm:run` is `run` of a part of the tool. */
const PART = /^[\w-]+:/

/** The most words of a subcommand before it: `simctl spawn booted rm`. */
const MAX_BEFORE = 3

/** The word among the first ones that says that a command follows; null where there is none. */
function launching(args: readonly Word[]): Word | null {
  let left = MAX_BEFORE
  let dashed: boolean | null = null
  for (const word of args) {
    if (word.prefix.startsWith('-')) continue
    if (left-- === 0) return null
    const text = word.text ?? ''
    const name = text.includes(':') ? text.replace(PART, '') : text
    if (name.length > LONGEST_LAUNCH) continue
    if (LAUNCHES.has(name) || (word === args[0] && LAUNCHES_FIRST.has(name))) return word
    if (!LAUNCHES_DASHED.has(text)) continue
    dashed ??= args.some((other) => other.text === '--')
    if (dashed) return word
  }
  return null
}

/** `tool exec rm -rf x`, `tool task exec 'rm -rf x'`, of a tool whose table says nothing more of it: `exec` means the same for all of them. */
export function runAfterExec({ args, name }: Invocation, context: CommandContext, knows: Knows): void {
  const launch = launching(args)
  if (launch === null) return
  const after = args.slice(args.indexOf(launch))
  const runs = launch.text?.endsWith('run') === true
  // What stands behind `run --` are the words of the program that is run.
  if (runs && after.some(({ text }) => text === '--')) return
  const found = commandAmong(after, knows)
  // `run . rm`: what stands first is what is run.
  const line = runs && found?.[0] !== after.slice(1).find(({ prefix }) => !prefix.startsWith('-')) ? null : found
  const within = (body: (inner: CommandContext) => void) => context.within({ attributes: {}, remote: false, certainty: 'likely' }, body)
  // A script of the project may be called as a program is: only with words of its own it surely is one.
  if (line !== null && !(runs && line.length === 1)) within((inner) => inner.command(line, name))
  else runTexts(after.slice(1), { name, knows, within })
}

/** `./wait-for.sh host:1 -- rm -rf x`: the words behind `--` of a script that nobody has read, where they begin with a known program. */
export function runAfterDashes({ args, name }: Invocation, context: CommandContext, knows: Knows): void {
  const line = args.slice(args.findIndex(({ text }) => text === '--') + 1)
  if (line.length > 1 && line.length < args.length && knows(line[0]?.text?.split('/').at(-1) ?? ''))
    context.within({ attributes: {}, remote: false, certainty: 'likely' }, (inner) => inner.command(line, name))
}

interface Texts {
  readonly name: string
  readonly knows: Knows
  readonly within: (body: (inner: CommandContext) => void) => void
}

/** A command line in one word: `exec 'rm -rf x'`. */
function runTexts(words: readonly Word[], { name, knows, within }: Texts): void {
  const word = words.find(
    ({ text }) => text !== null && !text.startsWith('-') && knows(/^\s*([\w./-]+)\s+\S/.exec(text)?.[1]?.split('/').at(-1) ?? ''),
  )
  if (word !== undefined && word.text !== null) within((inner) => inner.shell(word.text, word.span, name))
}

function codeOf(before: Word | undefined, word: Word): Word | null {
  if (word.text === null || word.text.length > LONGEST) return null
  if (before?.text !== undefined && before.text !== null && TAKES_CODE.test(before.text) && !word.text.startsWith('-')) return word
  const attached = CODE_ATTACHED.exec(word.text)?.[0].length ?? 0
  return attached === 0 ? null : { ...word, text: word.text.slice(attached), prefix: word.text.slice(attached) }
}

interface Reader {
  readonly inner: CommandContext
  readonly name: string
  readonly knows: Knows
}

/** Code of a language that is not analysed, which a table says this is: the programs that it starts are followed, the rest is not known. */
export function runUnread(word: Word, name: string, context: CommandContext): void {
  const { text } = word
  if (text === null || text.length > LONGEST || (!runEscaped(text, word, context) && runCalls(text, word, context) === 0))
    context.opaque(`\`${name}\` is handed code in a language that is not analysed`, word.span)
}

/** A value that is a command line or code: as a command line where it begins with a program, else by the calls in it. */
function runText(word: Word, { inner, name, knows }: Reader): void {
  const text = word.text ?? ''
  if (runEscaped(text, word, inner)) return
  const first = /^\s*(?:[A-Za-z_]\w*=\S*\s+)*([\w./-]+)(?=\s)/.exec(text)?.[1]
  if (first !== undefined && knows(first.slice(first.lastIndexOf('/') + 1))) inner.shell(text, word.span, name)
  else if (runCalls(text, word, inner) === 0 && IS_CODE.test(text)) {
    inner.opaque(`\`${name}\` is handed code in a language that is not analysed`, word.span)
  }
}

/** Lines of a program that reads commands: `!command` runs it in a shell, as in most of them. */
function runInput(text: string, word: Word, inner: CommandContext): void {
  runEscapes({ ...word, text }, inner)
  runCalls(text, word, inner)
}

/** Lines that begin with `!` go to a shell. */
export function runEscapes(word: Word, inner: CommandContext): void {
  for (const line of word.text?.split('\n', 256) ?? []) runEscaped(line, word, inner)
}

function runEscaped(line: string, { span }: Word, inner: CommandContext): boolean {
  const command = /^\s*(?:\\?!|(?:shell|system|sh X)\s)\s*([A-Za-z_./].*)/.exec(line)?.[1]
  if (command === undefined) return false
  inner.shell(command, span, 'shell escape')
  return true
}

/** Follows the calls in a text that start programs with literal words; how many there were. */
export function runCalls(text: string, { span }: Word, inner: CommandContext): number {
  let [seen, tried] = [0, 0]
  for (const match of text.slice(0, LONGEST).matchAll(STARTS)) {
    if (seen >= MOST || ++tried > MAX_TRIED) {
      inner.opaque('a text starts more programs than are followed', span)
      break
    }
    const words = literals(text, match.index + match[0].length)
    const [first, ...more] = words
    if (first === undefined || first.trim() === '') continue
    seen++
    const line = more.length === 0 || /\s/.test(first) ? first : words.map(quote).join(' ')
    inner.shell(line, span, match[0].replace(/^\W/, ''))
  }
  return seen
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['{', '}'],
])

/** Quoted texts one after another from `at` on, with nothing but brackets, commas and blanks between them. */
function literals(text: string, at: number): readonly string[] {
  const found: string[] = []
  let index = at
  while (index < text.length && found.length < MOST) {
    const char = text[index] ?? ''
    const close = CLOSING.get(char)
    if (close !== undefined) {
      const end = endOf(text, index + 1, close)
      if (end < 0) break
      found.push(text.slice(index + 1, end).replace(/\\(["'\\])/g, '$1'))
      index = end + 1
      if (close === '}') break
    } else if (/[\s([,%q]/.test(char) && !(found.length > 0 && char === '(')) index++
    else break
  }
  return found
}

function endOf(text: string, from: number, close: string): number {
  for (let index = from; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text[index] === close) return index
  }
  return -1
}
