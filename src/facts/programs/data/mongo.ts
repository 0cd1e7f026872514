import type { JsonObject } from '../../../core/json.ts'
import type { CommandContext, CommandSpec, ParsedCommand, Word } from '../../host.ts'
import { reachUrl } from '../../resources/acts.ts'
import { list, takes } from '../tool.ts'
import { onServer, placeIn, serverOf } from './servers.ts'

/** The shell of MongoDB: what its text drops, deletes, writes and administers, and on which collection or other database. */

interface Shell {
  readonly context: CommandContext
  readonly database: string
}

const CONNECTS = /\b(?:connect|Mongo|getDB)\b/
const SIBLINGS = /\bgetSiblingDB\b|\buse\s{0,9}\(/g
const NAMED = /\b(?:getSiblingDB|use)\s{0,9}\(\s{0,9}["']([\w-]{1,64})["']\s{0,9}\)/g

/** What is known of where the text acts beside the database of the command: another one, or one collection of it alone. */
function placeOf(text: string, database: string): JsonObject {
  if (CONNECTS.test(text)) return { host: null }
  const own = /^mongodb(?:\+srv)?:\/\/[^/]*\/([^?]*)/.exec(database)?.[1] ?? database
  const called = [...text.matchAll(NAMED)].map(([, name = '']) => name)
  const lines = text.split(/[;\n]/).map((line) => line.trim().split(/\s/))
  const used = lines.flatMap(([word, ...rest]) => (word === 'use' && rest.length > 0 ? [rest.join('')] : []))
  if ([...text.matchAll(SIBLINGS)].length > called.length || [...called, ...used].some((name) => name !== own)) return { database: null }
  const collection = called.length + used.length > 0 ? null : collectionOf(text)
  return collection === null ? {} : { collection }
}

/** The text with `"0"`, `"1"` … where texts stand in it, and those texts; null where one has no end. */
function withoutTexts(text: string): { readonly bare: string; readonly texts: readonly string[] } | null {
  const texts: string[] = []
  let bare = ''
  for (let at = 0; at < text.length; at++) {
    const mark = text[at] ?? ''
    if (mark !== '"' && mark !== "'") {
      bare += mark
      continue
    }
    let end = at + 1
    while (end < text.length && text[end] !== mark && text[end] !== '\n') end += text[end] === '\\' ? 2 : 1
    if (text[end] !== mark) return null
    bare += `"${texts.push(text.slice(at + 1, end)) - 1}"`
    at = end
  }
  return { bare, texts }
}

const METHOD =
  'drop|deleteOne|deleteMany|remove|insert|insertOne|insertMany|update|updateOne|updateMany|replaceOne|save|bulkWrite|findOneAndDelete|' +
  'findOneAndUpdate|findOneAndReplace|findAndModify|createIndex|createIndexes|dropIndex|dropIndexes|find|findOne'
/** One call of a method of a collection whose arguments are values. Texts stand in it as their numbers. */
const STATEMENT = new RegExp(
  String.raw`^\s*db(?:\.getCollection\(\s*"(\d+)"\s*\)|\[\s*"(\d+)"\s*\]|((?:\.[A-Za-z_$][\w$]*)+))\.(?:${METHOD})\([\w\s{}[\]:,.$"+-]*\)\s*$`,
)

/** The one collection that all statements are about; null where there are several, or a statement is not plain. */
function collectionOf(text: string): string | null {
  const { bare, texts } = withoutTexts(text) ?? { bare: '?', texts: [] }
  const statements = bare.split(/[;\n]/).filter((line) => line.trim() !== '')
  const names = statements.map((line) => {
    const [, called, indexed, dotted] = STATEMENT.exec(line) ?? []
    const number = called ?? indexed
    return number === undefined ? (dotted?.slice(1) ?? '') : (texts[Number(number)] ?? '')
  })
  const [name = ''] = names
  // What a server keeps of its own is not restored by its name.
  return /^(?!system\.)[\w.$-]{1,120}$/.test(name) && names.every((each) => each === name) ? name : null
}

/** Methods of the Mongo shell that drop, delete, write or administer. */
const DROPS = /\.(?:drop|dropDatabase|dropIndexes|dropUser|dropAllUsers)\s*\(/
const EMPTIES = /\.(?:deleteMany|remove)\s*\(\s*(?:\{\s*\}\s*)?[,)]/
const DELETES = /\.(?:deleteOne|deleteMany|remove|findOneAndDelete|findAndModify)\s*\(/
const WRITES = new RegExp(
  String.raw`\.(?:insert\w*|update\w*|replaceOne|save|bulkWrite|findOneAndUpdate|findOneAndReplace|createIndex\w*|createCollection` +
    String.raw`|renameCollection)\s*\(|\$(?:out|merge)\b`,
)
const CHANGES_ALL = /\.updateMany\s*\(\s*\{\s*\}\s*,/
const ADMIN =
  /\.(?:adminCommand|runCommand|setProfilingLevel|auth)\s*\(|\b(?:rs|sh)\.(?!status|conf|help|hello|print|isMaster|getBalancer|is)\w+/
const STOPS =
  /\.(?:shutdownServer|fsyncLock|killOp)\s*\(|\brs\.(?:remove|stepDown|freeze|reconfig|initiate|add|addArb)\s*\(|shutdown\s*:\s*1/
const ACCESS = /\.(?:createUser|updateUser|changeUserPassword|createRole|updateRole|dropRole|grant\w{1,30}|revoke\w{1,30})\s*\(/

function mongoText(text: string | null, word: Word | null, { context, database }: Shell): void {
  const target = context.thing('database', database)
  const span = word === null ? {} : { span: word.span }
  if (text === null) {
    context.opaque('the script of the database shell is not known before it runs', word?.span)
    return
  }
  const place = placeOf(text, database)
  const say = (verb: 'delete' | 'write' | 'change' | 'read', action: string, attributes: JsonObject = {}) =>
    context.emit(verb, target, { action, attributes: { ...attributes, ...place }, ...span })
  if (DROPS.test(text)) say('delete', 'sql:drop')
  if (EMPTIES.test(text)) say('delete', 'sql:delete', { where: false })
  else if (DELETES.test(text)) say('delete', 'sql:delete', { where: true })
  if (CHANGES_ALL.test(text))
    context.emit('write', target, { action: 'sql:update', reversible: false, attributes: { where: false, ...place }, ...span })
  else if (WRITES.test(text)) say('write', 'sql:write')
  if (ACCESS.test(text)) say('change', 'access:grant')
  if (STOPS.test(text)) say('change', 'sql:kill')
  else if (ADMIN.test(text)) say('change', 'sql:admin')
  if (/\b(?:require|eval|Function|load|run|runProgram|import)\s*\(|child_process|process\./.test(text))
    context.code('node', text, word?.span ?? { pointer: '', start: 0, end: 0 })
  if (![DROPS, DELETES, WRITES, ADMIN, STOPS, ACCESS].some((pattern) => pattern.test(text))) say('read', 'sql:read')
}

export const mongo: CommandSpec = {
  flags: list('--quiet --norc --nodb --shell --verbose --tls --ssl --json --tlsAllowInvalidCertificates'),
  options: takes('--eval -u -p --host --port --username --password --authenticationDatabase --file -f --apiVersion --tlsCAFile'),
  inert: ['--help', '--version', '-h'],
  refine: (parsed, context) => {
    const [first, ...scripts] = parsed.operands
    const isUrl = first !== undefined && /^mongodb(?:\+srv)?:\/\//.test(first.prefix)
    if (isUrl && first !== undefined) reachUrl(context, first, { verb: 'fetch', action: 'sql:connect' })
    for (const host of parsed.values('--host')) reachUrl(context, host, { verb: 'fetch', action: 'sql:connect' })
    const [, place, name] = /^([\w.-]{1,255}(?::\d{1,5})?)\/([^/]{1,64})$/.exec(isUrl ? '' : (first?.text ?? '')) ?? []
    const database = name ?? first?.text ?? 'test'
    const server = { ...(place === undefined ? {} : placeIn(place)), ...serverOf(parsed, context, { hosts: ['--host'] }) }
    onServer(server, context, (inside) => mongoRun(parsed, scripts, { context: inside, database }))
  },
}

function mongoRun(parsed: ParsedCommand, scripts: readonly Word[], mongo: Shell): void {
  const [first] = parsed.operands
  for (const word of parsed.values('--eval')) mongoText(word.text, word, mongo)
  const files = [...parsed.values('-f', '--file'), ...scripts, ...(first?.text?.endsWith('.js') === true ? [first] : [])]
  for (const word of files) mongo.context.script('node', word, [])
  const { input } = parsed.invocation
  if (files.length > 0 || parsed.values('--eval').length > 0 || input.kind === 'none') return
  mongoText(input.kind === 'text' ? input.text : null, null, mongo)
}
