/** What an argument is by its name and the shape of its value: a path, a URL, a command, a recipient, an amount. */

import { wordsOf } from '../resources/text/identifier.ts'
import { changesGraph } from '../sql/index.ts'

export type ArgumentKind =
  | 'path'
  | 'cwd'
  | 'url'
  | 'host'
  | 'command'
  | 'code'
  | 'sql'
  | 'recipient'
  | 'amount'
  | 'currency'
  | 'package'
  | 'reference' // a branch, tag or revision
  | 'secret'
  | 'connection'
  | 'plain'

/** Names that decide alone. */
const EXACT: ReadonlyMap<string, ArgumentKind> = new Map(
  Object.entries({
    path: 'path paths filepath filepaths filename filenames absolutepath relativepath dirpath folderpath searchpath targetfile pathtofile',
    cwd: 'cwd workdir workingdirectory workingdir basedir rootdir projectdir',
    url: 'url urls uri uris href webhook webhookurl callbackurl endpoint baseurl',
    host: 'host hosts hostname ip ipaddress ipaddr serverip targethost remotehost',
    command: 'command commands cmd cmds commandline shellcommand bash shell script shellscript powershell exec runcommand',
    code: 'code sourcecode python javascript snippet',
    sql: 'sql sqlquery statement statements',
    recipient:
      'to cc bcc recipient recipients receiver payee emailto emailaddress phonenumber channel channelid channelname chatid vendor beneficiary',
    amount: 'amount total sum price totalamount amountcents paymentamount',
    currency: 'currency asset token coin',
    package: 'package packages packagename module modules',
    reference: 'branch branchname ref revision rev commit tag sha basebranch head base',
    secret: 'secret secretname secretid password passphrase apikey accesstoken privatekey credential credentials',
    connection: 'dsn connectionstring databaseurl connectionurl connection',
  } satisfies Partial<Record<ArgumentKind, string>>).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, kind as ArgumentKind] as const),
  ),
)

/** Last words of a name that decide where the whole name does not: `outputPath`, `targetUrl`. */
const LAST: ReadonlyMap<string, ArgumentKind> = new Map([
  ...(['path', 'paths', 'filepath', 'filename', 'file', 'files', 'dir', 'directory', 'folder'] as const).map(
    (word) => [word, 'path'] as const,
  ),
  ...(['url', 'urls', 'uri', 'href', 'endpoint', 'webhook'] as const).map((word) => [word, 'url'] as const),
  ...(['host', 'hostname', 'ip'] as const).map((word) => [word, 'host'] as const),
  ...(['command', 'cmd', 'commandline'] as const).map((word) => [word, 'command'] as const),
  ...(['sql'] as const).map((word) => [word, 'sql'] as const),
  ...(['recipient', 'recipients', 'iban'] as const).map((word) => [word, 'recipient'] as const),
  ...(['amount'] as const).map((word) => [word, 'amount'] as const),
  ...(['password', 'secret'] as const).map((word) => [word, 'secret'] as const),
])

/** Names of paths that are as often something else; the value's shape decides. */
const SHAPED: ReadonlySet<string> = new Set([
  ...'file files directory dir folder source src destination dest dst target from input output location'.split(' '),
  ...['root', 'resource', 'document', 'attachment', 'attachments', 'image', 'link', 'site', 'website', 'page', 'server', 'address'],
  ...['query', 'expression', 'config', 'configuration', 'repository', 'repo', 'remote'],
])

/** Of those, the ones whose value may be a bare `name.ext`. */
const FILE_LIKE: ReadonlySet<string> = new Set([
  ...'file files source src destination dest dst input output document attachment attachments image config'.split(' '),
])

/** `file_name`, `dir_name`, `file_name2`. */
const NAMES_OF_FILES = /(?:^|_)(?:file|dir|folder|directory|path)_?name\d?$/

/** `id_or_url`, `urlOrId`: an identifier is no address. */
const ID_OR = /(?:^|_)(?:id|name|key)_or_|_or_(?:id|name|key)$/
const IDENTIFIER = /^(?!localhost$)[A-Za-z0-9]+(?:[_-][A-Za-z0-9]+){0,20}$/

const SQL_START = new RegExp(
  String.raw`^[\s(]*(?:select|insert|update|delete|drop|alter|create|truncate|grant|revoke|merge|replace|with|pragma|copy|call|exec` +
    String.raw`|attach|vacuum|show|describe|explain)\s`,
  'i',
)
const GRAPH_START =
  /^\s*(?:match|optional|unwind|merge|create|detach|foreach|load|call|clear|drop|insert|delete|prefix|base|with|copy|move|add|g\s?\.)/i
const URL_SHAPE = /^[a-z][a-z0-9+.-]{1,20}:\/\//i
const PATH_SHAPE = /^(?:\/|\.{1,2}\/|~\/|~$|[A-Za-z]:[\\/]|\\\\)/
const BARE_NAME = /^[^\s/\\@]+\.[A-Za-z0-9]{1,8}$/

/** The kind of an argument, by its name first and its value second; `plain` where neither says anything. */
export function argumentKind(name: string, value: string): ArgumentKind {
  const words = wordsOf(name)
  const whole = words.join('')
  const byShape = shapeOf(value)
  if (SHAPED.has(whole)) return byShape ?? kindOfShapeless(whole, value)
  const joined = kindByName(words.join('_'), value)
  if (joined !== null) return joined
  const exact = kindOfName(words, value)
  if (exact === 'plain') return byShape === 'url' || byShape === 'sql' ? (words.length > 0 && isText(whole) ? 'plain' : byShape) : 'plain'
  return byShape !== null && OVERRULES.get(exact) === byShape ? byShape : exact
}

function kindOfName(words: readonly string[], value: string): ArgumentKind {
  const named = EXACT.get(words.join('')) ?? LAST.get(words.at(-1) ?? '') ?? 'plain'
  return named === 'url' && IDENTITY_URI.test(value) ? 'plain' : named
}

/** `spotify:track:1`, `urn:isbn:1`: it names a thing and no place (RFC 8141). */
const IDENTITY_URI = /^(?!(?:https?|wss?|ftp|file|javascript|data|vbscript|jar|view-source|blob):)[a-z][a-z0-9+-]*:[a-z][\w-]*:[\w-]+$/i

/** The kind that several words of a name say together. */
function kindByName(name: string, value: string): ArgumentKind | null {
  if (NAMES_OF_FILES.test(name)) return 'path'
  return ID_OR.test(name) && IDENTIFIER.test(value) ? 'plain' : null
}

/** The shape of a value that counts for more than the kind that the name says. */
const OVERRULES: ReadonlyMap<ArgumentKind, ArgumentKind> = new Map([
  ['host', 'url'],
  ['url', 'path'],
  ['path', 'url'],
])

/** The kind of a value that has no shape of its own, under a name that leaves it to the shape. */
function kindOfShapeless(name: string, value: string): ArgumentKind {
  if (climbs(value)) return 'path'
  if (FILE_LIKE.has(name) && BARE_NAME.test(value)) return 'path'
  return name === 'website' || name === 'site' || name === 'link' ? hostOrPlain(value) : 'plain'
}

function hostOrPlain(value: string): ArgumentKind {
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:[/?#]|$)/i.test(value) ? 'url' : 'plain'
}

/** Names of free text, in which a URL is only mentioned. */
const TEXTS: ReadonlySet<string> = new Set([
  ...'content contents text body message messages prompt description title subject comment note notes query'.split(' '),
  ...'oldstring newstring oldstr newstr filetext newsource reason question answer summary details data value'.split(' '),
  ...'context instruction instructions task goal pattern regex replacement insertline inserttext patch diff'.split(' '),
])

/** Documents and records of what was said: besides the names above, no place for plain data either. */
const DOCUMENTS: ReadonlySet<string> = new Set(
  (
    'markdown html xml svg css json yaml csv article bio about reply remark remarks feedback review transcript thought thoughts reasoning ' +
    'log logs output stdout stderr error errors codesnippet story lyrics caption'
  ).split(' '),
)

/** True for an argument that holds prose, code or a pattern: any sign may stand in it. */
export function isFreeText(name: string): boolean {
  const whole = wordsOf(name).join('')
  return isText(whole) || DOCUMENTS.has(whole)
}

function isText(whole: string): boolean {
  return TEXTS.has(whole)
}

/** `..` beside a separator, in any of the spellings that a careless reader takes for one. */
const CLIMB = /\.\.(?:[/\\;%\u2044\u2215\u2216\uff0f]|0x2f)|[/\\]\.\.$|%(?:25)*2e|%u002e|0x2e|\uff0e\uff0e|\u2024\u2024/i

/** Whether a value of one word climbs, or may be read so. */
export function climbs(value: string): boolean {
  return value.length <= 1024 && CLIMB.test(value) && !/\s/.test(value)
}

function shapeOf(value: string): ArgumentKind | null {
  const start = value.slice(0, 64)
  if (URL_SHAPE.test(start)) return value.includes(' ') ? null : 'url'
  if (SQL_START.test(start) || (GRAPH_START.test(start) && changesGraph(value))) return 'sql'
  if (value.length > 1024 || value.includes('\n')) return null
  if (PATH_SHAPE.test(start)) return 'path'
  return null
}
