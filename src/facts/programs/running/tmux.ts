import type { CommandContext, CommandSpec, CommandTable, ParsedCommand, Word } from '../../host.ts'
import { readPath } from '../../resources/acts.ts'
import { ranUnread } from '../loads.ts'
import { across, joined, quote, wrapping } from './words.ts'

/** tmux: commands of new windows, keys that are typed into a pane, and tmux's own commands that hold others. */

/** What the words after the options of a command of tmux are. */
type Meaning =
  | 'shell' // text for a shell
  | 'keys' // typed into a pane
  | 'branch' // a shell condition, then commands of tmux
  | 'commands' // commands of tmux
  | 'after' // a name, then commands of tmux
  | 'option' // a name, then what may be a command by it
  | 'format' // text in which `#(…)` runs
  | 'file' // a file of commands

/** Letters of a command that take a value, and what its words are. */
const COMMANDS: ReadonlyMap<string, readonly [valued: string, meaning: Meaning]> = new Map([
  ['new-session', ['ceFfnstxy', 'shell']],
  ['new-window', ['ceFnt', 'shell']],
  ['split-window', ['ceFlpt', 'shell']],
  ['respawn-pane', ['cet', 'shell']],
  ['respawn-window', ['cet', 'shell']],
  ['display-popup', ['bcdehsStTwxy', 'shell']],
  ['run-shell', ['cdt', 'shell']],
  ['pipe-pane', ['t', 'shell']],
  ['if-shell', ['t', 'branch']],
  ['send-keys', ['cNt', 'keys']],
  ['set-hook', ['t', 'after']],
  ['bind-key', ['NT', 'after']],
  ['confirm-before', ['cpt', 'commands']],
  ['command-prompt', ['IpTt', 'commands']],
  ['set-option', ['t', 'option']],
  ['set-window-option', ['t', 'option']],
  ['display-message', ['cdtF', 'format']],
  ['source-file', ['t', 'file']],
])

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['new', 'new-session'],
  ['neww', 'new-window'],
  ['splitw', 'split-window'],
  ['respawnp', 'respawn-pane'],
  ['respawnw', 'respawn-window'],
  ['popup', 'display-popup'],
  ['run', 'run-shell'],
  ['if', 'if-shell'],
  ['pipep', 'pipe-pane'],
  ['send', 'send-keys'],
  ['bind', 'bind-key'],
  ['confirm', 'confirm-before'],
  ['set', 'set-option'],
  ['setw', 'set-window-option'],
  ['display', 'display-message'],
  ['source', 'source-file'],
])

const KEYS = /^(?:Enter|C-\w|KPEnter|Escape|Tab|Space|Up|Down|M-\w)$/

/** Options whose value is a command for a shell. */
const RUNS = /^(?:default-command|default-shell|editor|copy-command|lock-command|update-environment)$/

/** The command of that name, alias or unambiguous beginning. */
function commandOf(name: string): readonly [string, Meaning] | undefined {
  const exact = COMMANDS.get(ALIASES.get(name) ?? name)
  if (exact !== undefined || name.length < 4) return exact
  const matching = [...COMMANDS].filter(([full]) => full.startsWith(name))
  return matching.length === 1 ? matching[0]?.[1] : undefined
}

function runTmux(parsed: ParsedCommand, context: CommandContext): void {
  const { args, span } = parsed.invocation
  const { words, values } = optionsOf(args, 'cfLST')
  for (const word of values.get('c') ?? []) context.shell(word.text, word.span, 'tmux')
  for (const word of values.get('f') ?? []) {
    readPath(context, word)
    if (word.text !== '/dev/null') ranUnread(word, context)
  }
  for (const [command, ...rest] of split(words)) {
    const known = commandOf(command?.text ?? '')
    if (known !== undefined) act(known, rest, { context, span })
  }
}

interface Place {
  readonly context: CommandContext
  readonly span: Word['span']
}

function act([valued, meaning]: readonly [string, Meaning], args: readonly Word[], { context, span }: Place): void {
  const { words, letters } = optionsOf(args, valued)
  const [first, ...rest] = words
  if (first === undefined) return
  const runs = meaning === 'option' && RUNS.test(first.text ?? '')
  const shell = (part: readonly Word[]): void => {
    if (part.length > 0) context.shell(joined(part), across(part, span), 'tmux')
  }
  const inner = (part: readonly Word[]): void => nested(part, { context, span })
  const branch = (test: readonly Word[], commands: readonly Word[]): void => {
    shell(test)
    for (const word of commands) inner([word])
  }
  switch (meaning) {
    case 'shell':
      ;(letters.has('C') ? inner : shell)(words)
      break
    case 'keys':
      shell(letters.has('l') ? words : words.filter(isTyped))
      break
    case 'commands':
      inner(words)
      break
    case 'after':
      inner(rest)
      break
    case 'branch':
      branch(letters.has('F') ? [] : [first], rest)
      break
    case 'file':
      for (const word of words) context.opaque('a file of tmux commands is not analysed', word.span)
      break
    default:
      if (runs) shell(rest)
      else formats(words, context)
  }
}

const isTyped = ({ text }: Word): boolean => !KEYS.test(text ?? '')

/** `#(command)` in a format runs a shell. */
function formats(words: readonly Word[], context: CommandContext): void {
  for (const word of words)
    for (const match of (word.text ?? '').matchAll(/#\(([^()]*)\)/g)) context.shell(match[1] ?? '', word.span, 'tmux')
}

/** Commands of tmux in one word or in several: its quoting is that of a shell. */
function nested(words: readonly Word[], { context, span }: Place): void {
  if (words.length === 0) return
  const known = words.every(({ text }) => text !== null)
  const [first] = words
  const text = words.length === 1 ? (first?.text ?? '') : words.map((word) => quote(word.text ?? '')).join(' ')
  context.shell(known ? `tmux ${text}` : null, across(words, span), 'tmux')
}

function split(words: readonly Word[]): readonly (readonly Word[])[] {
  const groups: Word[][] = [[]]
  for (const word of words) {
    if (word.text === ';') groups.push([])
    else groups.at(-1)?.push(word)
  }
  return groups
}

interface Options {
  /** What follows the options. */
  readonly words: readonly Word[]
  readonly letters: ReadonlySet<string>
  readonly values: ReadonlyMap<string, readonly Word[]>
}

/** Reads letters as getopt does: they end at the first word that is no option. */
function optionsOf(args: readonly Word[], valued: string): Options {
  const letters = new Set<string>()
  const values = new Map<string, Word[]>()
  let at = 0
  for (; at < args.length; at++) {
    const word = args[at] as Word
    const known = word.text ?? word.prefix
    if (known === '--') return { words: args.slice(at + 1), letters, values }
    if (!known.startsWith('-') || known === '-') break
    for (let index = 1; index < known.length; index++) {
      const letter = known[index] ?? ''
      letters.add(letter)
      if (!valued.includes(letter)) continue
      const rest = known.slice(index + 1)
      const value = rest === '' ? args[++at] : { ...word, text: word.text === null ? null : rest, prefix: rest }
      if (value !== undefined) values.set(letter, [...(values.get(letter) ?? []), value])
      break
    }
  }
  return { words: args.slice(at), letters, values }
}

const tmux: CommandSpec = { inert: ['-V'], inertFirst: true, operands: [], refine: runTmux }

/** byobu is tmux with other keys. */
export const tmuxWrappers: CommandTable = wrapping({ tmux, byobu: tmux })
