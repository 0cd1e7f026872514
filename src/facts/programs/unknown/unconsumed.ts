/**
 * Options that no table looks into and that are called as if they took a command line: `--post-hook 'rm x'`, `--config ui.ssh=…`.
 * The names of options are a habit, no grammar, so what runs by them is likely at most.
 */

import type { CommandContext, ParsedCommand, Word } from '../../host.ts'
import { sliceWord } from '../../resources/text/word.ts'
import { list } from '../tool.ts'
import { loadNamed, sendNamed, writeNamed, writeUnknown } from './files.ts'

/** Last parts of names that programs give to options where they run what they are given. */
const LINES: ReadonlySet<string> = new Set(
  list(
    'exec execute executable hook pager editor browser shell rsh ssh program prog proxy run runner linker launcher wrapper ' +
      'under askpass script callback handler notify trigger invoke before after pre post prologue epilogue filter eval ' +
      'sendmail tool',
  ),
)

/** Those among them whose value may be a mere path of a program. */
const PROGRAMS: ReadonlySet<string> = new Set(
  list('exec execute executable hook pager editor rsh ssh program linker launcher wrapper invoke under askpass runner callback sendmail'),
)

/** The last part of an option's name: `hook` of `--post-hook`, `command` of `-sshcommand`. Null where it is no long name. */
function lastPart(name: string): string | null {
  if (name.length < 3 || name.length > 64 || !/^--?[A-Za-z]/.test(name)) return null
  const part = (name.split(/[-_.]/).at(-1) ?? '').toLowerCase()
  return part.endsWith('command') || part.endsWith('cmd') ? 'exec' : part
}

function namesLine(name: string): boolean {
  const part = lastPart(name)
  return part !== null && LINES.has(part)
}

/** Options whose value is a setting, and a setting; its name ends in that of an option. */
const SETS = /^(?:-[cCDopSX]|--?(?:config(?:-option|uration)?|option|opt|setting|set|define|property|prop|param|parameter)s?)$/
const SETTING = /^([\w.:@-]{1,120})[ \t]{0,8}[= \t][ \t]{0,8}(["']?)(\S[^\0]*)$/
const ALIAS = /(?:^|:)(?:alias|aliases|hook|hooks|tunnels)[.:]/

/** The longest value that is looked at, in characters. */
const LONGEST = 16_384

/** Whether a name is a program of the tables. */
export type Knows = (program: string) => boolean

/** Runs, as likely, the values of options that the table of a known program left aside, and of those it does not know; or writes them. */
export function runUnconsumed(parsed: ParsedCommand, context: CommandContext, knows: Knows): void {
  if (parsed.inert) return
  for (const { name, value } of parsed.unconsumed()) {
    runNamed(name, value, { by: parsed.invocation.name, context, knows })
    writeNamed(name, value, context)
    loadNamed(name, value, context)
    sendNamed(name, value, context)
  }

  if (parsed.unknown.length === 0) return
  runOptions(parsed.unknown, parsed.invocation.args, { by: parsed.invocation.name, context, knows })
  writeUnknown(parsed, context)
}

/** An option that the table of a known program does not know, and that says what is lost: `--purge-all`, `--delete-topic`. */
const LOSES = /^--(?:delete|destroy|purge|erase|wipe|obliterate|unpublish|revoke|terminate|factory-?reset)(?:[-_=]|$)/

/** Of a program whose table told nothing of it. */
export function sayDeletes({ inert, unknown, invocation }: ParsedCommand, context: CommandContext): void {
  const word = inert ? undefined : unknown.find(({ text }) => text !== null && LOSES.test(text))
  if (word === undefined) return
  const reason = 'the name of an unknown option says so'
  const how = { action: 'cli:delete', span: word.span, certainty: 'likely', reversible: false, reason } as const
  context.emit('delete', context.thing('resource', `${invocation.name} ${word.text}`), how)
}

export interface Handing {
  readonly by: string
  readonly context: CommandContext
  readonly knows: Knows
}

/** The same for `words` that are options, with a value of their own or the word after them in `args`. */
export function runOptions(words: readonly Word[], args: readonly Word[], handing: Handing): void {
  for (const word of words) {
    const known = word.text ?? word.prefix
    const equals = known.indexOf('=')
    if (equals > 0) runNamed(known.slice(0, equals), sliceWord(word, equals + 1), handing)
    else if (namesLine(known) || SETS.test(known)) {
      const next = args[args.indexOf(word) + 1]
      if (next !== undefined) runNamed(known, next, handing)
    }
  }
}

/** Runs the value of one option, where it is called as if it took a command line. */
export function runNamed(name: string, value: Word, handing: Handing): void {
  const { text } = value
  if (text === null || text.length > LONGEST) return
  if (namesLine(name)) runLine(name, value, handing)
  else if (SETS.test(name)) runSetting(value, handing)
}

/** `ui.ssh=…`, `alias.x=!…`, `config:tunnels:ssh=…`. */
function runSetting(word: Word, handing: Handing): void {
  const [, key = '', quoted = '', rest = ''] = SETTING.exec(word.text ?? '') ?? []
  if (rest === '') return
  const value = quoted !== '' && rest.endsWith(quoted) ? rest.slice(0, -1) : rest
  const path = key.replace(/:{1,2}$/, '')
  const name = ALIAS.test(key) ? 'command' : path.slice(Math.max(path.lastIndexOf(':'), path.lastIndexOf('.')) + 1)
  if (!namesLine(`--${name}`)) return
  runLine(name, { ...word, text: value, prefix: value }, handing)
}

/** Runs it where it reads as a command line: a program of the tables and more, or a path. */
function runLine(name: string, word: Word, { by, context, knows }: Handing): void {
  const text = word.text?.replace(/^!/, '') ?? null
  const first = /^\s{0,16}(?:[A-Za-z_]\w*=\S*\s{1,16})*([\w./~-]+)(?=\s|$)/.exec(text ?? '')?.[1]
  if (text === null || first === undefined) return
  const line = first.length < text.length && knows(first.slice(first.lastIndexOf('/') + 1))
  const path = /^[~.]{0,2}\//.test(first) && PROGRAMS.has(lastPart(`--${name.replace(/^--?/, '')}`) ?? '')
  if (line || path) context.within({ attributes: {}, remote: false, certainty: 'likely' }, (inner) => inner.shell(text, word.span, by))
}
