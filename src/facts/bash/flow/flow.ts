import type { JsonObject } from '../../../core/json.ts'
import { type Certainty, type Effect, effect, hasClass, resolvedName, type Span, type Target, target } from '../../effect.ts'
import type { Input, Language, Word } from '../../host.ts'
import { secretName } from '../../resources/secret/names.ts'
import { HOLE, withHoles } from '../../resources/text/hole.ts'
import { type Analysis, type ExecutionContext, emitAt, opaqueAt } from '../state/state.ts'
import { fetchedAbove } from '../state/trees.ts'
import { isVisited, sentWords } from './sent.ts'

/** Data flow: what a pipe, a substitution or a file carries, where it came from, and what it means to run or to send it. */

/** Where bytes come from. */
export interface Provenance {
  /** Effects of the commands that made them. */
  readonly from: readonly Effect[]
  /** Programs on the way. */
  readonly producers: readonly string[]
  readonly decoded: boolean
}

export const NOWHERE: Provenance = { from: [], producers: [], decoded: false }

/** Where the bytes on standard input come from. */
export function inputProvenance(input: Input): Provenance {
  if (input.kind === 'pipe') return { from: input.from, producers: input.producers, decoded: input.decoded === true }
  if (input.kind === 'file') return { ...NOWHERE, from: input.from ?? [] }
  return input.kind === 'text' ? { ...NOWHERE, decoded: input.decoded === true } : NOWHERE
}

/** Where what is unknown in words comes from. */
export function wordProvenance(words: readonly Word[]): Provenance {
  if (!words.some((word) => word.from !== undefined || word.decoded === true)) return NOWHERE
  const from = new Set(words.flatMap((word) => word.from ?? []))
  return { from: [...from], producers: [], decoded: words.some((word) => word.decoded === true) }
}

const NETWORK_KINDS: ReadonlySet<Target['kind']> = new Set(['url', 'host', 'address', 'repository'])
/** Programs that only hand on what they get; what they read themselves is the data. */
const PASSING: ReadonlySet<string> = new Set(['cat', 'tee', 'head', 'tail', 'pv', 'bat', 'stdbuf'])

/** True where the effect brings bytes in from another machine. */
function isRemote(item: Effect): boolean {
  return (item.verb === 'fetch' || item.verb === 'send') && NETWORK_KINDS.has(item.target.kind)
}

/** Fetches of what is named neither by an address nor by a host. */
const BRINGING: ReadonlySet<string | null> = new Set(['cloud:download', 'data:download', 'gh:read'])

/** Objects of a store in the cloud are other machines' too; what is said of data that leaves does not ask for them. */
function bringsIn(item: Effect): boolean {
  if (isRemote(item)) return true
  const { action, target: from, verb } = item
  return verb === 'fetch' && from.kind === 'resource' && (BRINGING.has(action) || /^(?:s3|gs|az|swift):\/\//.test(from.value))
}

/** The effects and all that stands behind the files they read, as far as this script wrote them. */
function behind(from: readonly Effect[], analysis: Analysis): readonly Effect[] {
  const { written: files, trees } = analysis.files
  if (files.size + trees.size === 0 || from.length === 0) return from
  const seen = new Set<Effect>(from)
  // All that one command wrote came from the same things.
  const origins = new Set<readonly Effect[]>()
  for (const item of seen) {
    if (item.verb !== 'read' || seen.size > 512) continue
    const key = resolvedName(item.target)
    const written = files.get(key)
    const above = written === undefined ? fetchedAbove(key, analysis) : null
    if (above !== null) seen.add(above)
    if (written === undefined || origins.has(written.from)) continue
    origins.add(written.from)
    for (const source of written.from) seen.add(source)
  }
  return [...seen]
}

/** Where remote bytes came from, or null where none of it came over the network. */
export function remoteSource(from: readonly Effect[], analysis: Analysis): Effect | null {
  return behind(from, analysis).find(bringsIn) ?? null
}

/** The one local file that is passed on unchanged (`cat x.sh | sh`); null where it is anything else. */
export function passedFile(provenance: Provenance): Target | null {
  const [only, ...more] = provenance.from
  if (only === undefined || more.length > 0 || only.verb !== 'read' || only.target.kind !== 'path') return null
  return provenance.producers.every((name) => PASSING.has(name)) ? only.target : null
}

export interface Running {
  readonly language: Language
  readonly span: Span
  /** What runs it: `bash`, `eval`, `a command name`. */
  readonly by: string
  /** It went through a file that can be looked at. */
  readonly staged?: boolean
}

/** Code of unknown text runs: remote, decoded or merely dynamic. Returns the effect that stands for it. */
export function runUnknown(site: ExecutionContext, provenance: Provenance, running: Running): Effect {
  const { language, span, by } = running
  const source = remoteSource(provenance.from, site.analysis)
  if (source !== null) return runRemote(site, source.target, running)
  const attributes: JsonObject = { language, by }
  const action = provenance.decoded ? 'code:decoded' : 'code:dynamic'
  const reason = provenance.decoded
    ? `\`${by}\` runs code that is hidden by an encoding`
    : `\`${by}\` runs code that is not known before it runs`
  opaqueAt(site, reason, span)
  return emitAt(site, target('code', ''), { verb: 'execute', action, span, reversible: false, certainty: 'likely', reason, attributes })
}

export interface Remote extends Omit<Running, 'language'> {
  readonly language?: Language
  /** Default: certain. */
  readonly certainty?: Certainty
}

/** Code from the network runs, in whatever language. Returns the effect that stands for it. */
export function runRemote(site: ExecutionContext, from: Target, { language, span, by, staged, certainty }: Remote): Effect {
  site.analysis.partial = true
  return emitAt(site, from, {
    verb: 'execute',
    action: staged === true ? 'code:downloaded' : 'code:remote',
    span,
    reversible: false,
    ...(certainty === undefined ? {} : { certainty }),
    reason: `\`${by}\` runs what comes from the network`,
    attributes: { ...(language === undefined ? {} : { language }), by },
  })
}

/** Known code that was hidden by an encoding: said besides its own effects. */
export function runDecoded(site: ExecutionContext, text: string, running: Running): void {
  emitAt(site, target('code', text.slice(0, 200)), {
    verb: 'execute',
    action: 'code:decoded',
    span: running.span,
    reason: `\`${running.by}\` runs code that was hidden by an encoding`,
    attributes: { language: running.language, by: running.by },
  })
}

type Payload = 'credential' | 'environment' | 'file' | 'command-output'

/** What leaves, at its worst, and from where; null where nothing local is in it. */
export function payloadOf(provenance: Provenance, analysis: Analysis): { readonly carries: Payload; readonly from: string | null } | null {
  const all = behind(provenance.from, analysis).filter((item) => item.attributes.identifier !== true)
  const reads = all.filter((item) => item.verb === 'read')
  const secret = reads.find((item) => hasClass(item.target, 'credential'))
  if (secret !== undefined) return { carries: 'credential', from: secret.target.value }
  const variable = reads.find((item) => item.target.kind === 'variable')
  if (variable !== undefined) return { carries: 'environment', from: variable.target.value }
  const file = reads.find((item) => item.target.kind === 'path')
  if (file !== undefined) return { carries: 'file', from: file.target.value }
  if (all.some(isRemote)) return null
  return provenance.producers.some((name) => !SILENT.has(name)) || all.length > 0 ? { carries: 'command-output', from: null } : null
}

/** Programs whose output is what the call itself says. */
export const SILENT: ReadonlySet<string> = new Set(['echo', 'printf', 'seq', 'yes', 'true', ':', 'date', 'jq', 'sed', 'tr', 'base64'])

/** Programs that look names up: data in a name leaves through the resolver. */
const RESOLVERS: ReadonlySet<string> = new Set(
  'dig nslookup host drill kdig ping ping6 getent resolvectl delv adnshost unbound-host dog doggo dnsx systemd-resolve'.split(' '),
)

/** A question for a name that is asked over the web: the name is in the address. */
function asksForName(address: string): boolean {
  const at = address.indexOf('?')
  return at > 0 && /\/(?:dns-query|resolve|dns)$/i.test(address.slice(0, at)) && /[?&](?:name|dns)=/i.test(address.slice(at))
}

/** `https://$KEY.x.example/`: what is not known stands in the name of the host, and names a secret. */
function isInHost({ pieces, from }: Word): boolean {
  const text = withHoles(pieces ?? [])
  const host = /^["']?\w{1,12}:\/\/([^/?#]{1,300})/.exec(text)?.[1] ?? ''
  const name = host.slice(host.lastIndexOf('@') + 1)
  return (
    name.includes(HOLE) &&
    name.includes('.') &&
    from?.some(({ target: { kind, value } }) => kind === 'variable' && secretName(value) !== null) === true
  )
}

export interface Sending {
  readonly name: string
  readonly start: number
  /** What arrives on standard input. */
  readonly input: Provenance
  readonly words: readonly Word[]
  /** Connections that its output goes to. */
  readonly sockets: readonly Effect[]
}

/**
 * Says of each effect of one command that goes out what it takes along: the files the command reads itself, its standard
 * input and the substitutions in its arguments. A plain fetch whose address holds local data becomes a sending too.
 */
export function annotateSends(site: ExecutionContext, sending: Sending): void {
  const { effects } = site.analysis
  const outgoing: number[] = []
  for (let at = sending.start; at < effects.length; at++) {
    const item = effects[at]
    if (item !== undefined && isRemote(item)) outgoing.push(at)
  }
  for (const socket of sending.sockets) if (effects.includes(socket)) outgoing.push(effects.indexOf(socket))
  if (outgoing.length === 0) return
  const reads = effects.slice(sending.start).filter((item) => item.verb === 'read' && item.attributes.key !== true)
  // Worked out once for all: a command may name thousands of addresses.
  const carrying = sending.words.filter((word) => word.from !== undefined && word.from.length > 0 && !authenticates(word))
  const payload = payloadOf(provenanceOf(sending, reads, carrying), site.analysis)
  for (const at of outgoing) {
    const item = effects[at]
    if (item === undefined) continue
    if (item.verb !== 'send') leak(item, at, { site, sending, carrying })
    else if (payload !== null && typeof item.attributes.carries !== 'string')
      effects[at] = { ...item, attributes: { ...item.attributes, ...payload } }
  }
}

function provenanceOf({ input }: Sending, reads: readonly Effect[], carrying: readonly Word[]): Provenance {
  return { from: [...reads, ...input.from, ...wordProvenance(carrying).from], producers: input.producers, decoded: false }
}

/** `Authorization: …` and `user:$TOKEN`: a secret of the environment that says who is asking. Files in headers still count. */
function authenticates(word: Word): boolean {
  const own = word.from?.every((item) => item.target.kind === 'variable') === true
  return own && /^["']?[\w-]+:/.test(word.raw ?? '') && !/^["']?\w+:\/\//.test(word.raw ?? '')
}

interface Leaking {
  readonly site: ExecutionContext
  readonly sending: Sending
  /** Words with something of this machine in them. */
  readonly carrying: readonly Word[]
}

function leak(item: Effect, index: number, { site, sending, carrying }: Leaking): void {
  if (carrying.length === 0) return
  const address = sentWords(item, sending, carrying).filter((word) => !isVisited(word, site.analysis))
  const origins = address.reduce((sum, word) => sum + (word.from?.length ?? 0), 0)
  if (!site.analysis.spend(origins, item.span)) return
  const payload = payloadOf(wordProvenance(address), site.analysis)
  const byName = RESOLVERS.has(sending.name) || asksForName(item.target.value) || address.some(isInHost)
  // One named secret in an address is how many services are asked; the whole environment is not, and no name is.
  if (
    payload === null ||
    (payload.carries === 'environment' && payload.from !== '*' && !(byName && secretName(payload.from ?? '') !== null))
  )
    return
  const { effects } = site.analysis
  effects[index] = { ...item, attributes: { ...item.attributes, ...payload } }
  if (payload.carries === 'command-output' && !byName) return
  const options = { action: byName ? 'net:dns-exfiltration' : 'net:exfiltration', span: item.span, certainty: item.certainty }
  site.analysis.add(effect('send', item.target, { ...options, attributes: { ...payload } }))
}

/** Programs that connect their standard streams to another machine. */
const CONNECTORS: ReadonlySet<string> = new Set('nc ncat netcat nc.openbsd nc.traditional socat telnet openssl busybox websocat'.split(' '))

/**
 * A shell fed from standard input whose output goes into a connection, whichever way the pipe is laid: `… | sh | nc host`,
 * `nc host < fifo | sh > fifo`.
 */
export function pipedShell(
  site: ExecutionContext,
  stage: { readonly start: number; readonly names: readonly string[]; readonly span: Span },
): void {
  const made = site.analysis.effects.slice(stage.start)
  const shell = made.findIndex((item) => site.analysis.fed.has(item))
  if (shell < 0 || !stage.names.some((name) => CONNECTORS.has(name))) return
  const connection = made.find((item) => isRemote(item)) ?? null
  emitAt(site, connection?.target ?? target('unknown', ''), {
    verb: 'execute',
    action: 'net:reverse-shell',
    span: stage.span,
    reversible: false,
    reason: 'a shell is connected to another machine',
  })
}
