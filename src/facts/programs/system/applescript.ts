import type { TargetKind, Verb } from '../../effect.ts'
import type { CommandContext, Word } from '../../host.ts'

/**
 * AppleScript, and JavaScript in its place: a language that steers programs. What it hands to a shell or types is followed, and what it
 * tells programs to do is known by their words; the rest is said to steer a program.
 */

/** A text literal, and what is put at its end. */
const LITERAL = String.raw`"((?:[^"\\]|\\.)*)"(\s*&)?`
/** Ways to a shell: of its own, in a terminal, of iTerm. */
const SHELLS = new RegExp(String.raw`\b(?:do shell script|do script|write text)\b(?:\s+(?:command\s+)?${LITERAL})?`, 'gi')
const TYPES = new RegExp(String.raw`\bkeystroke\b(?:\s+${LITERAL})?`, 'gi')
const NESTED = new RegExp(String.raw`\brun script\b(?:\s+${LITERAL})?`, 'gi')
/** The same in JavaScript. */
const JS_SHELLS = /\bdo(?:Shell)?Script\(\s*(?:(["'`])((?:[^"'`\\]|\\.)*)\1(\s*[+,])?)?/g
const JS_TYPES = /\bkeystroke\(\s*(?:(["'`])((?:[^"'`\\]|\\.)*)\1)?/g
/** Bridges out of the language. */
const BRIDGES = /\$\.(?:system|popen|exec\w*|posix_spawn\w*|NSTask|NSAppleScript)\b|\bNSTask\b/

interface Act {
  readonly when: RegExp
  readonly verb: Verb
  readonly action: string
  readonly kind: TargetKind
  readonly value: string
  readonly reversible?: false
}

/** What programs are told to do. */
const ACTS: readonly Act[] = [
  {
    when: /\bwith administrator privileges\b|administratorPrivileges/i,
    verb: 'change',
    action: 'privilege:elevate',
    kind: 'account',
    value: 'root',
  },
  { when: /\b(?:hidden|default) ?answer\b/i, verb: 'read', action: 'secret:read', kind: 'account', value: 'user input' },
  { when: /\b(?:shut ?down|log ?out)\b/i, verb: 'change', action: 'power:off', kind: 'service', value: 'system', reversible: false },
  {
    when: /"(?:System Events|Finder|loginwindow)"[^;]{0,40}\b(?:restart|sleep)\b/i,
    verb: 'change',
    action: 'power:restart',
    kind: 'service',
    value: 'system',
    reversible: false,
  },
  { when: /\bempty\s*(?:the )?trash\b/i, verb: 'delete', action: 'fs:trash', kind: 'resource', value: 'trash', reversible: false },
  { when: /\b(?:make|new) (?:new )?login item\b/i, verb: 'persist', action: 'schedule:install', kind: 'service', value: 'login item' },
  { when: /\bthe clipboard\b(?! to\b)|theClipboard\(/i, verb: 'read', action: 'clipboard:read', kind: 'resource', value: 'clipboard' },
  {
    when: /\bset the clipboard to\b|setTheClipboardTo\(/i,
    verb: 'change',
    action: 'clipboard:write',
    kind: 'resource',
    value: 'clipboard',
  },
]

const DELETES_ALL = /\bdelete\s+(?:every\b|all\b|\(every\b|(?:the\s+)?(?:items|files|folders|contents)\b)/i
const TELLS_TO_SEND = /"(?:Messages|Mail|Microsoft Outlook|Slack|WhatsApp|Telegram|Signal)"/i
const SENDS = /\bsend\b|\.send\(/i
const HOLDS = /"(?:Mail|Notes|Reminders|Calendar|Contacts|Photos|Microsoft Outlook)"/i
const DELETES = /\bdelete\b|\.delete\(/i
const QUIET = /^\s*(?:display (?:notification|dialog|alert)|say|beep|return|set volume|delay)\b/i

const DEPTH = 3

/** Analyses a text of the language; `language` as `osascript -l` has it. Null text becomes opaque. */
export function appleScript(word: Word, context: CommandContext, language = 'AppleScript'): void {
  if (word.text === null) context.opaque('an AppleScript is not known before it runs', word.span)
  else steers(word.text, { word, context, script: /^javascript$/i.test(language), depth: 0 })
}

interface Reading {
  readonly word: Word
  readonly context: CommandContext
  readonly script: boolean
  readonly depth: number
}

function steers(text: string, reading: Reading): void {
  const { context, script } = reading
  const { span } = reading.word
  const shells = handed(text, script ? JS_SHELLS : SHELLS, reading)
  const typed = script ? typedJavaScript(text, reading) : typedText(text, reading)
  const acts = ACTS.filter(({ when }) => when.test(text))
  for (const { verb, action, kind, value, reversible } of acts)
    context.emit(verb, context.thing(kind, value), {
      action,
      span,
      certainty: 'likely',
      ...(reversible === undefined ? {} : { reversible }),
    })
  if (TELLS_TO_SEND.test(text) && SENDS.test(text))
    context.emit('send', context.thing('address', ''), { action: 'message:send', span, reversible: false, certainty: 'likely' })
  if (HOLDS.test(text) && DELETES.test(text))
    context.emit('delete', context.thing('resource', 'mail or notes'), {
      action: 'mail:delete',
      span,
      reversible: false,
      certainty: 'likely',
    })
  else if (DELETES_ALL.test(text))
    context.emit('delete', context.thing('resource', 'what a program holds'), {
      action: 'app:delete',
      span,
      reversible: false,
      certainty: 'likely',
    })
  const further = script ? nothing(text, reading) : nested(text, reading)
  if (!shells && !typed && !further && !QUIET.test(text))
    context.emit('execute', context.thing('code', 'AppleScript'), { action: 'app:script', span, certainty: 'likely' })
}

/** Gives literal commands to the shell; a command that is put together is not known. */
function handed(text: string, pattern: RegExp, { word, context }: Reading): boolean {
  let found = false
  for (const match of text.matchAll(pattern)) {
    found = true
    const [command, more] = pattern === JS_SHELLS ? [match[2], match[3]?.includes('+') === true] : [match[1], match[2] !== undefined]
    if (command === undefined || more)
      context.opaque('a shell command that an AppleScript puts together is not known before it runs', word.span)
    if (command !== undefined) context.shell(unescaped(command), word.span, 'osascript')
  }
  return found
}

function typedText(text: string, reading: Reading): boolean {
  return (
    types(
      [...text.matchAll(TYPES)].map((match) => match[1]),
      reading,
    ) || /\bkey code \d/.test(text)
  )
}

function typedJavaScript(text: string, reading: Reading): boolean {
  return (
    types(
      [...text.matchAll(JS_TYPES)].map((match) => match[2]),
      reading,
    ) || /\bkeyCode\(/.test(text)
  )
}

function types(texts: readonly (string | undefined)[], { word, context }: Reading): boolean {
  if (texts.length === 0) return false
  context.emit('execute', context.thing('resource', 'keyboard and mouse'), { action: 'app:input', span: word.span })
  for (const text of texts) if (text !== undefined) typed(unescaped(text), word, context)
  return true
}

/** A command line that is typed into whatever window is in front: a terminal runs it. */
export function typed(text: string, word: Word, context: CommandContext): void {
  if (!/^\s*[\w./~$-]+\s+\S/.test(text) || !/[-/~|$;&>]/.test(text)) return
  context.within({ attributes: { typed: true }, remote: false, certainty: 'possible' }, (inside) => inside.shell(text, word.span, 'typed'))
}

function nested(text: string, reading: Reading): boolean {
  let found = false
  for (const match of text.matchAll(NESTED)) {
    found = true
    if (match[1] === undefined || reading.depth >= DEPTH)
      reading.context.opaque('an AppleScript runs another that is not known', reading.word.span)
    else steers(unescaped(match[1]), { ...reading, depth: reading.depth + 1 })
  }
  return found
}

function nothing(text: string, { word, context }: Reading): boolean {
  if (BRIDGES.test(text)) context.opaque('a script for programs calls into the system itself', word.span)
  return BRIDGES.test(text)
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, '$1')
}
