/**
 * Files that this call or an earlier one of the session wrote, and that a program is handed as its settings or runs: lines that name what
 * runs (`ExecStart = x`, `command: x`, `!x`), and calls such as `system("x")`. The program's own language is not known, so all of it is
 * likely at most.
 */

import type { Effect } from '../../effect.ts'
import type { CommandContext, Invocation, Word } from '../../host.ts'
import { isSharp } from '../../resources/text/sharp.ts'
import { knownWord, sliceWord } from '../../resources/text/word.ts'
import { scriptLanguage } from '../loads.ts'
import { list } from '../tool.ts'
import { runCalls, runEscapes } from './code.ts'
import { type Knows, runNamed } from './unconsumed.ts'

/** Last parts of the names of options that are told where settings stand. */
const SETTINGS: ReadonlySet<string> = new Set(
  list('-c -f -F -C -S config conf configfile rcfile kubeconfig settings setup profile vars init cfg ini'),
)

/** `key: value`, `key = value`, `- key: "value"`, `"key": "value",` on a line of its own. */
const LINE = /^[\s-]{0,64}["']?([A-Za-z][\w.-]{0,63})["']?\s{0,16}[:=]\s{0,16}(\S.{0,2000})$/

const MAX_LINES = 256
const LONGEST = 65_536

interface Handed {
  readonly invocation: Invocation
  readonly context: CommandContext
  readonly knows: Knows
}

/** Every file that a program without a table is given: a script of a known language may be what it runs. */
export function runWritten(handed: Handed): void {
  for (const word of handed.invocation.args) {
    const equals = word.prefix.startsWith('-') ? word.prefix.indexOf('=') : -1
    if (equals >= 0 || !word.prefix.startsWith('-')) runGiven(equals < 0 ? word : sliceWord(word, equals + 1), handed)
  }
}

function runGiven(word: Word, handed: Handed): void {
  const language = scriptLanguage(word.text ?? '')
  if (language === null || handed.context.broughtText(word) === null) runText(word, handed)
  else handed.context.within({ attributes: {}, remote: false, certainty: 'likely' }, (inner) => inner.script(language, word, []))
}

const UNSEEN: ReadonlySet<string | null> = new Set(['script:unseen', 'dev:load'])

/** What a known program was said to run or load, in languages that are not read: where harm stands in it, that cannot be told. */
export function runUnseen(handed: Handed, found: readonly Effect[]): void {
  for (const { verb, action, target, span } of found) {
    if (verb !== 'execute' || !UNSEEN.has(action) || target.real === null || span === null) continue
    const word = knownWord(target.real, span)
    const text = handed.context.broughtText(word)
    if (text === null) continue
    runText(word, handed)
    if (isSharp(text))
      handed.context.opaque(
        `\`${target.value}\` is no file of the project, is in a language that is not read, and names what can do harm`,
        span,
      )
  }
}

/** The files of settings that a known program is given. */
export function runWrittenSettings(handed: Handed): void {
  const { args } = handed.invocation
  for (const [at, word] of args.entries()) {
    const known = word.text ?? word.prefix
    if (!known.startsWith('-')) continue
    const equals = known.indexOf('=')
    if (!namesSettings(equals < 0 ? known : known.slice(0, equals))) continue
    const value = equals < 0 ? args[at + 1] : sliceWord(word, equals + 1)
    if (value !== undefined) runText(value, handed)
  }
}

function namesSettings(name: string): boolean {
  return name.length === 2 ? SETTINGS.has(name) : SETTINGS.has((name.split(/[-_.]/).at(-1) ?? '').toLowerCase())
}

function runText(word: Word, { invocation, context, knows }: Handed): void {
  if (word.text === null || word.text === '') return
  const text = context.broughtText(word)?.slice(0, LONGEST) ?? ''
  if (text === '') return
  context.within({ attributes: {}, remote: false, certainty: 'likely' }, (inner) => {
    runEscapes({ ...word, text }, inner)
    runCalls(text, word, inner)
    for (const line of text.split('\n', MAX_LINES)) {
      const [, key = '', rest = ''] = LINE.exec(line) ?? []
      if (key === '') continue
      const value = bare(rest)
      runNamed(`--${key}`, { ...word, text: value, prefix: value }, { by: invocation.name, context: inner, knows })
    }
  })
}

/** A value without the quotes, brackets and commas around it. */
function bare(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && '"\'['.includes(text[start] ?? '')) start++
  while (end > start && '"\'],} \t\r'.includes(text[end - 1] ?? '')) end--
  return text.slice(start, end)
}
