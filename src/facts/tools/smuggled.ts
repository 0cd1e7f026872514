/**
 * Code in an argument of plain data: a second command, an option, a piece of SQL, of a template, of a filter or a header, or an
 * object that is brought to life where it is read. Servers paste such arguments into commands and queries. Only ever raises.
 */
import { childPointer, isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { wordsOf } from '../resources/text/identifier.ts'
import type { Argument } from './spec.ts'

export type Smuggled = 'shell' | 'option' | 'sql' | 'template' | 'filter' | 'header' | 'object'

/** Longer arguments are texts; they are read up to here. */
const LONGEST = 2000

/** What a value carries besides plain data; null where it is that. `name` is the argument's: lists of fields name columns, not programs. */
export function smuggled(name: string, value: string): Smuggled | null {
  const whole = wordsOf(name).join('')
  const text = value.slice(0, LONGEST)
  if (text.length < 3) return null
  if (runsProgram(text, LISTS.has(whole))) return 'shell'
  if (!OPTIONS_WELCOME.has(whole) && OPTION.test(text)) return 'option'
  if (STEERING_OPTION.test(text) || TRANSPORT.test(text)) return 'option'
  if (speaksSql(text)) return 'sql'
  if (speaksTemplate(text)) return 'template'
  if (DIRECTORY_FILTER.test(text)) return 'filter'
  return startsHeader(text) ? 'header' : null
}

/** True for a value of a header, or of one line of a form, that goes on with a header of its own. */
export function startsHeader(text: string): boolean {
  return HEADER.test(text.slice(0, LONGEST))
}

/** What a pattern or an address may carry that is neither: patterns hold any sign, addresses `&` and `;`. */
export function smuggledOption(text: string): Smuggled | null {
  const head = text.slice(0, LONGEST)
  return PATTERN_OPTION.test(head) || steersFind(head) || TRANSPORT.test(head) ? 'option' : null
}

/** `*.py -delete`, `-exec rm {} ;`. */
function steersFind(text: string): boolean {
  const at = text.search(FIND_OPTION)
  return (at >= 0 && /\{\}|[;+]/.test(text.slice(at))) || / -delete$/.test(text)
}

// ---- a shell

const OPENERS = /\$\(|`|&&|\|\||[;|&\n]|%0[ad]/gi
const WORD = /^[ \t"']{0,8}(?:[\w.-]{0,30}\/){0,6}([a-z][a-z0-9]{0,15})(?:\.exe)?(?=$|[\s;|&)`<>$'"%])/

/** They say something alone. */
const ALONE: ReadonlySet<string> = new Set('whoami id uname ifconfig ipconfig netstat printenv systeminfo reboot'.split(' '))

/** Words of every day and names of languages: they are programs only with a path, an option or an address behind them. */
const EVERYDAY: ReadonlySet<string> = new Set(
  (
    'cat find sort time date cut make more less head tail open start type kill net at who last look w env set dir ' +
    'python perl ruby node php go java git docker npm ls host ping dig touch sleep ip echo service mail fetch tar dd'
  ).split(' '),
)

/** With any argument. */
const PROGRAMS: ReadonlySet<string> = new Set(
  (
    'rm curl wget nc ncat netcat socat bash sh zsh dash ksh python2 python3 sudo su chmod chown mkfs xterm telnet ssh scp sftp ftp tftp ' +
    'nslookup base64 xxd eval exec source awk sed xargs tee cp mv ln crontab useradd usermod passwd systemctl killall pkill mount ' +
    'busybox osascript powershell pwsh cmd certutil bitsadmin mshta rundll32 regsvr32 wmic schtasks del rmdir rsync npx pip pip3 lua'
  ).split(' '),
)

/** A flag, a place, an address, a file. */
const TELLING = /^[ \t]+(?:[-/~$<>]|\.{1,2}\/|[a-z]{2,10}:\/\/|[\w-]{1,60}\.[a-z]|\d{1,3}(?:\.|$|[ \t;|&)`]))/i
const ANYTHING = /^[ \t]+[^\s=|&;:]/

/** Lists of names are parted by the signs that part commands. */
const LISTS: ReadonlySet<string> = new Set(
  'fields field columns column select include includes expand sort sortby orderby groupby properties tags labels keys categories languages tools'.split(
    ' ',
  ),
)

function runsProgram(text: string, isList: boolean): boolean {
  if (/\$\{?IFS\b|\bdo shell script\b/.test(text)) return true
  for (const { index, 0: opener } of text.matchAll(OPENERS)) {
    const rest = text.slice(index + opener.length, index + opener.length + 160)
    const word = WORD.exec(rest)
    if (word?.[1] === undefined) continue
    const after = rest.slice(word[0].length)
    const inside = opener === '$(' || opener === '`'
    // `a | b` and `a & b` part alternatives; a value that begins with `|` has nothing to be an alternative of.
    const parts =
      !inside && (opener === '|' || opener === '&') && index > 0 && !/\.\w{1,20} ?$/.test(text.slice(Math.max(0, index - 24), index))
    if (ALONE.has(word[1]) ? inside || !(parts || isList) : isRun(word[1], after)) return true
  }
  return /^\s*\|\s*(?:ba|z|da|k)?sh\s*$/.test(text)
}

function isRun(program: string, after: string): boolean {
  return EVERYDAY.has(program) ? TELLING.test(after) : PROGRAMS.has(program) && ANYTHING.test(after)
}

// ---- options

/** Arguments that are there for options. */
const OPTIONS_WELCOME: ReadonlySet<string> = new Set(
  'options option args arguments argv flags flag extra extraargs params parameters switches expression equation value default'.split(' '),
)
const OPTION = /^--[a-z][a-z-]*(?:=|$|\s)|^-o[A-Z][A-Za-z]+=|^-e\s+\S/
/** They make a program run, load or write what the call names, whoever takes options. */
const STEERING_OPTION = new RegExp(
  String.raw`^--(?:upload-pack|receive-pack|exec|exec-path|pre|to-command|checkpoint-action|open-files-in-pager|ext-diff|rsh` +
    String.raw`|rsync-path|use-compress-program|proxy-command|load-extension|post-file|index-url|extra-index-url|output)[= ]\s*\S` +
    String.raw`|\s--privileged\b`,
)
const PATTERN_OPTION = /^--(?:pre|open-files-in-pager|to-command|exec|upload-pack|output)=\S*[/ ]/
const FIND_OPTION = /(?:^|\s)-(?:exec|execdir|ok)\s\S/
/** Ways of git and of image tools to run a program or a script by an address; `-` where a host should be. */
const TRANSPORT = /^ext::\S|^[a-z][a-z+]{1,12}:\/\/-|^(?:msl|mvg|ephemeral|vid:msl):\S|^(?:text|label|caption):@/i

// ---- SQL

const UNION = /\bunion (?:all |distinct )?\(? ?select\b/i
const STACKED = new RegExp(
  String.raw`; ?(?:drop (?:table|database|schema|view|index|user)|delete from|insert into|update [\w.]+ set|truncate ` +
    String.raw`|alter (?:table|user|role|login)|exec(?:ute)? |create (?:table|user|function|login)|grant |shutdown\b|declare ` +
    String.raw`|select pg_sleep|waitfor )`,
  'i',
)
const CUT_OFF = /['")] ?;? ?(?:--|#|\/\*)[ +-]*$/
const TIMED =
  /(?:\b(?:and|or|select)\b|[;,'")]) ?\(? ?(?:if ?\( ?)?(?:sleep|pg_sleep|benchmark|extractvalue|updatexml) ?\(|\bwaitfor delay\b/i
const CATALOGUE = /\b(?:information_schema|pg_catalog|sqlite_master|sysobjects)\b|' ?\|\| ?\( ?select\b/i
const COMPARED = /\b(?:or|and) ?\(? ?(['"]?)([^'"\s=<>()]{1,20})['"]? ?\)? ?(?:=|like\b) ?\(? ?(['"]?)([^'"\s=<>()]{1,20})/gi

function speaksSql(raw: string): boolean {
  const text = plainSql(raw)
  if (UNION.test(text) || STACKED.test(text) || CUT_OFF.test(text) || TIMED.test(text) || CATALOGUE.test(text)) return true
  for (const [, left, a = '', right, b = ''] of text.matchAll(COMPARED)) {
    const constant = (quote: string | undefined, word: string): boolean => quote !== '' || /^\d+(?![\w.])/.test(word)
    if (constant(left, a) && constant(right, b)) return true
  }
  return false
}

/** Without the comments that stand for blanks, without runs of blanks, and without one layer of percent signs. */
function plainSql(text: string): string {
  const decoded = text.includes('%')
    ? text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
  let out = ''
  let from = 0
  for (let at = decoded.indexOf('/*'); at >= 0; at = decoded.indexOf('/*', from)) {
    const end = decoded.indexOf('*/', at + 2)
    if (end < 0) break
    out += `${decoded.slice(from, at)} `
    from = end + 2
  }
  return (out + decoded.slice(from)).replace(/\s+/g, ' ')
}

// ---- templates

const PLACEHOLDER = /\{\{|\{%|[$#*%]\{|<%|<#|#set\s*\(|\{php\}|@\(/i
/** A calculation that only a prober wants done. */
const SUM = /(?:\{\{|[$#*%]\{|<%=?|@\()\s*['"]?\d+['"]?\s*[*+]\s*['"]?\d/
const LOOKUP = /\$\{(?:jndi|[^{}]{0,40}\$\{[^{}]{0,40}\}[^{}]{0,40}:)|\$\{\$?\{?(?:lower|upper|env|sys|::-)/i
const REACHES = new RegExp(
  String.raw`__[a-z]+__|\bT\(\s*java|java\.lang|@java|getClass|forName|getRuntime|\bpopen\b` +
    String.raw`|\b(?:system|exec|eval|passthru|shell_exec|require|readFile|spawn)\s*\(|\bimport\s+os\b|\bsubprocess\b|\bconstructor\b` +
    String.raw`|process\.(?:env|main)|\bconfig\.items\b|\|\s*attr\s*\(|\?new\s*\(|\bfreemarker\b|\b(?:cycler|lipsum|joiner)\b|self\._`,
)

function speaksTemplate(text: string): boolean {
  return PLACEHOLDER.test(text) && (SUM.test(text) || LOOKUP.test(text) || REACHES.test(text) || /\{\{\s*config\b/.test(text))
}

// ---- the rest

/** A filter of a directory that is closed before its end. */
const DIRECTORY_FILTER = /\)\s*\(\s*[|&!]|\*\)\s*\(|\)\(&\)/
const HEADER = /(?:\n|%0a)[ \t]{0,8}(?:set-cookie|location|bcc|cc|content-type|content-length|transfer-encoding|x-[\w-]{1,40})[ \t]{0,8}:/i

/** Objects of PHP, Java, Python, .NET and YAML that run code of their class when they are read. */
const SERIALISED =
  /^(?:O:\d{1,4}:"[\w\\]{1,100}":\d{1,4}:\{|a:\d{1,4}:\{[is]:|rO0AB|gAS[Vl]|AAEAAAD\/{4})|!!(?:python|javax|java|ruby)[/.]|!ruby\/(?:object|hash|struct)/

/** True for what some reader turns into an object of a class that the text names. */
export function isSerialised(text: string): boolean {
  return SERIALISED.test(text.slice(0, LONGEST))
}

/** Whom somebody is or says to be: compared with what is kept, never with an operator. */
const IDENTITY = /(?:pass(?:word|wd|phrase)?|secret|token|pin|otp|username|user|login|email)$/i
const MAX_OBJECTS = 500

/** Objects where a value belongs: an operator for a password, a prototype, code in a `$where`. Bounded, iterative. */
export function smuggledObjects(args: JsonObject): readonly Argument[] {
  const found: Argument[] = []
  const open: { value: Json; pointer: string; name: string }[] = [{ value: args, pointer: '', name: '' }]
  for (let seen = 0, next = open.pop(); next !== undefined && seen < MAX_OBJECTS; next = open.pop(), seen += 1) {
    const { value, pointer, name } = next
    if (Array.isArray(value)) for (const [i, item] of value.entries()) open.push({ value: item, pointer: childPointer(pointer, i), name })
    else if (isJsonObject(value)) {
      for (const key of Object.keys(value)) {
        const at = childPointer(pointer, key)
        if (key === '__proto__' || (key.startsWith('$') && IDENTITY.test(name))) found.push({ text: key, pointer: at })
        open.push({ value: own(value, key) ?? null, pointer: at, name: key })
      }
    }
  }
  return found
}
