import type { Effect } from '../../effect.ts'
import { decodeBase64 } from '../../resources/text/decode-bytes.ts'
import type { Session } from './session.ts'
import {
  fetchedFrom,
  joinValues,
  knownValue,
  readFrom,
  scalars,
  splitArguments,
  unknownValue,
  type Value,
  variableOf,
  wordFrom,
} from './value.ts'

/** .NET from PowerShell: the classes that open files, connections, processes and code; what is not known of is opaque. */

export interface Member {
  readonly of: Value
  readonly name: string
  /** Null where it is a property. */
  readonly args: readonly Value[] | null
  /** Of the type itself: `[IO.File]::Delete`. */
  readonly fixed: boolean
}

/** Types whose methods only compute. */
const PURE = new RegExp(
  String.raw`^(?:string|char|int\d*|u?int(?:16|32|64)|long|double|float|decimal|bool(?:ean)?|byte|datetime|timespan|guid|math|array` +
    String.raw`|regex|version|uri|io\.path|object|void|psobject|pscustomobject|hashtable|ordered|xml|ipaddress|net\.ipaddress` +
    String.raw`|stringsplitoptions|stringcomparison|text\.encoding|bitconverter|console|collections\..*|linq\..*|globalization\..*` +
    String.raw`|text\.(?:stringbuilder|regularexpressions\..*)|stringbuilder|enum|convert|dayofweek|consolecolor|text\.json\..*` +
    String.raw`|io\.(?:searchoption|filemode|fileaccess)|security\.cryptography\..*|net\.securityprotocoltype` +
    String.raw`|environment\+specialfolder)$`,
)

export function typeName(name: string): string {
  return name.replace(/^system\./, '').replace(/\[\]$/, '')
}

/** `[char]114`, `[string]$x`. */
export function castTo(type: string, value: Value): Value {
  const name = typeName(type)
  const items = scalars(value)
  const codes = items.map((item) => Number(item.text ?? Number.NaN))
  if (name === 'char' && items.length > 0 && codes.every((code) => Number.isInteger(code) && code >= 0 && code < 0x10000)) {
    const letters = codes.map((code) => knownValue(String.fromCharCode(code), { decoded: true }))
    return letters.length === 1 ? (letters[0] ?? value) : unknownValue({ items: letters })
  }
  if (name === 'scriptblock') return value
  return PURE.test(name) ? value : { ...value, type: name }
}

/** Parts of the interface by which Windows has scripts scanned: whoever asks for them by name takes them away. */
const SCANNER = /^amsi(?:initfailed|context|session)$|\.amsiutils$/i

/** The value of a member, with the effects of getting it. */
export function callMethod(member: Member, walk: Session): Value {
  const { of, name, args } = member
  if (args?.some(({ text }) => text !== null && SCANNER.test(text)) === true)
    walk.context.emit('change', walk.context.thing('service', 'AMSI'), { action: 'security:disable', span: walk.span, reversible: false })
  const type = of.type === null ? null : typeName(of.type)
  if (args === null) return property(member, type)
  if (name === '[]') return of.items === null ? unknownValue({ from: of.from, decoded: of.decoded }) : element(of.items, args[0])
  if (type !== null) {
    const found = member.fixed ? ofType(type, { name, args }, walk) : ofObject(type, { of, name, args }, walk)
    if (found !== null) return found
    const pure = PURE.test(type) || (!member.fixed && type === 'net.webclient' && name === 'dispose')
    if (!pure) walk.context.opaque(`\`${type}.${name}\` of .NET is not analysed`, walk.span)
    return unknownValue({ from: [...of.from, ...args.flatMap((arg) => arg.from)] })
  }
  if (of.block !== null && /^(?:invoke|invokereturnasis)$/.test(name)) return walk.block(of.block, null)
  return ofText(of, { name, args }, walk)
}

function property({ of, name }: Member, type: string | null): Value {
  if (type === 'text.encoding') return unknownValue({ type: name === 'unicode' ? 'text.encoding.wide' : 'text.encoding' })
  const entry = of.table?.get(name)
  if (entry !== undefined) return entry
  // `$PROFILE.AllUsersAllHosts`
  if (/^(?:allusers|currentuser)(?:allhosts|currenthost)$/.test(name)) return { ...of, type: null }
  const kept = name === 'content' || name === 'fullname' || name === 'value' || name === 'path' || name === 'rawcontent'
  return kept ? { ...of, type: null } : unknownValue({ from: of.from, decoded: of.decoded })
}

function element(items: readonly Value[], index: Value | undefined): Value {
  const at = Number(index?.text ?? Number.NaN)
  const found = Number.isInteger(at) ? items.at(at) : undefined
  return found ?? unknownValue({ from: items.flatMap((item) => item.from) })
}

interface Method {
  readonly name: string
  readonly args: readonly Value[]
}

const SAME_TEXT: ReadonlySet<string> = new Set(['tolower', 'toupper', 'trim', 'tostring'])

/** Methods of strings, and of files that are known by their path; null: not known. */
function ofKnownText(of: Value, { name, args: [first, second] }: Method, walk: Session): Value | null {
  if (SAME_TEXT.has(name)) return of
  if (name === 'replace') return replaced(of, first?.text ?? '', second?.text ?? null)
  if (name === 'delete' && of.text !== '') return walk.native('rm', [knownValue('-rf'), of], { paths: true })
  if (name === 'moveto' && first !== undefined) return walk.native('mv', [of, first], { paths: true })
  if (name === 'copyto' && first !== undefined) return walk.native('cp', [of, first], { paths: true })
  return null
}

function replaced({ text, from, decoded }: Value, part: string, by: string | null): Value | null {
  return text === null || part === '' || by === null ? null : knownValue(text.replaceAll(part, by), { from, decoded })
}

/** Methods of strings; of anything else nothing is known but where it came from. */
function ofText(of: Value, { name, args }: Method, walk: Session): Value {
  const known = of.text === null ? null : ofKnownText(of, { name, args }, walk)
  if (known !== null) return known
  if (name === 'invokescript') return walk.run(joinValues(args, '\n'))
  if (name === 'invoke') return walk.run(joinValues([of, ...args], '\n'))
  return unknownValue({ from: [...of.from, ...args.flatMap((arg) => arg.from)], decoded: of.decoded })
}

function ofProcess({ name, args: [program, words] }: Method, walk: Session): Value | null {
  if (name === 'start') return walk.native(program?.text ?? '', scalars(words ?? null).flatMap(splitArguments))
  return /^get/.test(name) ? unknownValue() : null
}

function ofString({ name, args }: Method): Value {
  const [glue, parts] = args
  if (name === 'join') return joinValues(scalars(parts ?? null), glue?.text ?? '')
  return name === 'concat' ? joinValues(args) : unknownValue()
}

/** Static methods. Null: not known. */
function ofType(type: string, { name, args }: Method, walk: Session): Value | null {
  const [first] = args
  const given = first ?? unknownValue()
  switch (type) {
    case 'convert':
      return name === 'frombase64string' ? { ...given, type: 'bytes', decoded: true } : unknownValue({ from: given.from })
    case 'text.encoding':
      return decodedText(name, first, false)
    case 'scriptblock':
      return name === 'create' ? given : null
    case 'io.file':
    case 'io.directory':
      return ofFile({ name, args }, walk, type === 'io.directory')
    case 'diagnostics.process':
      return ofProcess({ name, args }, walk)
    case 'environment':
      return environment({ name, args }, walk)
    case 'activator':
      return null
    case 'console':
    case 'string':
      return ofString({ name, args })
    default:
      return name === 'new' ? newObject(type, args, walk) : null
  }
}

function environment({ name, args }: Method, walk: Session): Value | null {
  const [variable, value, scope] = args
  if (name === 'getenvironmentvariable' && variable?.text != null) return variableOf(`env:${variable.text.toLowerCase()}`, walk.context)
  if (name.startsWith('get') || name === 'expandenvironmentvariables') return unknownValue({ from: variable?.from ?? [] })
  if (name !== 'setenvironmentvariable') return null
  const lasting = /^(?:machine|user)$/i.test(scope?.text ?? '')
  const what = walk.context.thing('variable', variable?.text ?? '')
  const attributes = { variable: variable?.text ?? '', value: value?.text ?? null }
  walk.context.emit(lasting ? 'persist' : 'change', what, { action: 'env:inject', span: walk.span, attributes })
  return unknownValue()
}

/** `[Text.Encoding]::UTF8.GetString(…)`. */
function decodedText(name: string, bytes: Value | undefined, wide: boolean): Value {
  if (name !== 'getstring' || bytes?.type !== 'bytes') return bytes ?? unknownValue()
  const text = bytes.text === null ? null : decodeBase64(bytes.text, wide)
  return text === null ? unknownValue({ decoded: true, from: bytes.from }) : knownValue(text, { decoded: true, from: bytes.from })
}

const READS = /^(?:readall|readlines|open(?:read|text))/
const WRITES = /^(?:writeall|appendall|create(?:text)?$|openwrite|setattributes|createdirectory|encrypt|setaccesscontrol)/

function ofFile({ name, args }: Method, walk: Session, directory: boolean): Value | null {
  const [first, second] = args
  if (first === undefined) return null
  if (READS.test(name)) {
    walk.native('cat', [first])
    return readFrom(walk.context, wordFrom(first, walk.span))
  }
  if (WRITES.test(name))
    return walk.native('tee', [...(name.startsWith('append') ? [knownValue('-a')] : []), first], { input: second ?? null })
  if (name === 'delete') return walk.native('rm', [knownValue(directory ? '-rf' : '-f'), first])
  if (name === 'copy' || name === 'move' || name === 'replace') {
    return walk.native(name === 'copy' ? 'cp' : 'mv', [first, second ?? unknownValue()])
  }
  return /^(?:exists|get)/.test(name) ? unknownValue() : null
}

/** An object of a class that PowerShell makes. */
export function newObject(type: string, args: readonly Value[], walk: Session): Value {
  const name = typeName(type)
  if (name === 'net.webclient' || name === 'net.http.httpclient') return unknownValue({ type: 'net.webclient' })
  if (name === 'net.sockets.tcpclient' || name === 'net.sockets.udpclient') {
    return unknownValue({ type: 'net.sockets.tcpclient', from: connect(args, walk) })
  }
  if (name.startsWith('io.stream') || name === 'io.filestream') {
    const [path] = args
    if (path?.type === null && path.from.length === 0) walk.native(name.endsWith('reader') ? 'cat' : 'tee', [path])
    return unknownValue({ from: path?.from ?? [] })
  }
  if (!PURE.test(name)) walk.context.opaque(`\`${name}\` of .NET is not analysed`, walk.span)
  return unknownValue({ type: PURE.test(name) ? null : name })
}

/** What comes out of the connection comes from there. */
function connect(args: readonly Value[], walk: Session): readonly Effect[] {
  const [host, port] = args
  if (host === undefined) return []
  const address = wordFrom(joinValues([host, knownValue(':'), port ?? knownValue('')]), walk.span)
  walk.context.emit('send', walk.context.url(address), { action: 'net:socket', span: walk.span, reversible: false })
  return fetchedFrom(walk.context, address).from
}

/** Methods of objects whose class is known. Null: not known. */
function ofObject(type: string, { of, name, args }: Method & { readonly of: Value }, walk: Session): Value | null {
  const [first, second] = args
  if (type.startsWith('text.encoding')) return decodedText(name, first, type.endsWith('wide'))
  if (type === 'net.sockets.tcpclient') {
    const from = name === 'connect' ? connect(args, walk) : of.from
    return unknownValue({ type: name === 'getstream' ? type : null, from })
  }
  if (type !== 'net.webclient' || first === undefined) return null
  if (/^(?:download(?:string|data|file)|getstring|getbytearray|getstream|get|openread)/.test(name)) {
    walk.native('curl', [...(name.startsWith('downloadfile') && second !== undefined ? [knownValue('-o'), second] : []), first])
    return fetchedFrom(walk.context, wordFrom(first, walk.span))
  }
  if (/^upload/.test(name)) {
    const data = args.at(-1) ?? unknownValue()
    const file = name.startsWith('uploadfile') && data.text !== null ? knownValue(`@${data.text}`) : data
    return walk.native('curl', [knownValue('--data-binary'), file, first])
  }
  return /^(?:post|put|patch|send|delete)/.test(name) ? walk.native('curl', [knownValue('-X'), knownValue('POST'), first]) : null
}
