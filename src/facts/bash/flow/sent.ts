import { isJsonObject, type Json, parseJson } from '../../../core/json.ts'
import { type Effect, resolvedName } from '../../effect.ts'
import type { CommandFact } from '../../facts.ts'
import type { Word } from '../../host.ts'
import type { Analysis } from '../state/state.ts'

/** Which words of a command leave with its request, and which only say where it goes. */

const HEADERS: ReadonlySet<string> = new Set('-H --header --proxy-header -A --user-agent -U -e --referer -b --cookie'.split(' '))
const HEADER = /^["']?--(?:header|user-agent|referer|cookie)=/
/** `Name:value` among the words of HTTPie is a header. */
const ITEM = /^["']?[\w-]+:(?!\/\/)/
const HTTPIE: ReadonlySet<string> = new Set(['http', 'https', 'xh', 'xhs'])
const WITH_HEADERS: ReadonlySet<string> = new Set(['curl', 'curlie', 'wget', 'wget2', 'websocat', ...HTTPIE])

export interface Asking {
  readonly name: string
  readonly words: readonly Word[]
}

/** The words that the request to `item` takes along: its address, and the headers. */
export function sentWords(item: Effect, { name, words }: Asking, carrying: readonly Word[]): readonly Word[] {
  return carrying.filter((word) => {
    const { text, raw, prefix, span } = word
    if (text === item.target.value || raw === item.target.value || raw?.includes('://') === true) return true
    if (text === null && raw === undefined && prefix === '' && span === item.span) return true
    return WITH_HEADERS.has(name) && isHeader(word, words[words.indexOf(word) - 1], name)
  })
}

function isHeader({ raw, prefix }: Word, before: Word | undefined, name: string): boolean {
  const begin = raw ?? prefix
  return HEADERS.has(before?.text ?? '') || HEADER.test(begin) || (HTTPIE.has(name) && ITEM.test(begin))
}

/**
 * Words that say where a request goes, out of what holds addresses: a list is visited, and its contents are not sent. Nothing else may
 * come out of what was read: each line of the file is an address, or the command that read it takes nothing but addresses out.
 */
export function isVisited(word: Word, analysis: Analysis): boolean {
  if (word.text !== null) return isOfLists(word.text, word.from ?? [], analysis)
  if (!isPlace(word)) return false
  const built = analysis.commands.some(buildsAddress)
  return (word.from ?? []).every(
    (item) =>
      item.verb !== 'read' || (!built && (item.target.kind === 'process' || isList(item, analysis))) || isTakenOut(item, word, analysis),
  )
}

/** The whole address, or the whole name of its host. */
function isPlace({ text, prefix, pieces }: Word): boolean {
  if (text !== null || !/^(?:\w{1,12}:\/\/)?$/.test(prefix)) return false
  const known = (pieces ?? []).filter((piece, index) => index > 0 || piece !== prefix)
  const behind = known.find((piece) => piece !== null)
  return behind === undefined || (known[0] === null && /^[/:?#]/.test(behind) && known.filter((piece) => piece === null).length === 1)
}

const FILTERS: ReadonlySet<string> = new Set('sed gsed awk gawk mawk perl python python3 ruby node php jq yq paste join'.split(' '))
const BUILT = /:\/\/|[\w-]\.[a-z]{2,}\b/
/** A script without what `s/…/` looks for, which is taken away and not put in. */
function inserted(script: string): string {
  let kept = ''
  let at = 0
  for (const { index, 0: begin, 1: mark = '' } of script.matchAll(/(?:^|[\s;{}\d$])s([|#/,@!:;%~+])/g)) {
    const from = index + begin.length
    const end = script.indexOf(mark, from)
    if (index < at || end < 0) continue
    kept += script.slice(at, from)
    at = end
  }
  return kept + script.slice(at)
}

function buildsAddress({ program, argv }: CommandFact): boolean {
  if (program === null || !FILTERS.has(program)) return false
  return argv.slice(1).some((text) => text === null || text === '-f' || BUILT.test(inserted(text)))
}

/** Most characters of a list that are looked at. */
const LONGEST = 65_536
const HOST = /^(?:[\w-]{1,63}\.){1,10}[\w-]{1,63}(?::\d{1,5})?$/
const ADDRESS = /^[a-z][a-z0-9+.-]{0,15}:\/\/[^\s/]\S*$/i

/** The text of a file of the workspace; null where it is not known, the empty text where there is no such file. */
function heldBy({ target }: Effect, { files, view }: Analysis): string | null {
  if (target.kind !== 'path' || target.scope !== 'workspace' || target.classes.includes('credential')) return null
  const path = resolvedName(target)
  const written = files.written.get(path)
  if (written !== undefined) return written.from.length === 0 ? written.text : null
  const answer = view.read(path, LONGEST)
  // Nothing leaves of a file that is not there.
  return answer === null ? (view.realpath(path).type === 'missing' ? '' : null) : answer.text
}

/** A known word that came out of lists alone: it is a line of each, or begins with one behind its scheme. */
function isOfLists(text: string, from: readonly Effect[], analysis: Analysis): boolean {
  const place = text.replace(/^\w{1,12}:\/\//, '')
  const begins = (line: string) => place.startsWith(line) && /^(?:[/:?#]|$)/.test(place.slice(line.length))
  const linesOf = (item: Effect) => (isList(item, analysis) ? (heldBy(item, analysis)?.split('\n') ?? []) : [])
  return (
    from.length > 0 &&
    from.every((item) => item.verb === 'read' && linesOf(item).some((line) => line !== '' && (text === line || begins(line))))
  )
}

/** A file whose lines are addresses or names of hosts, remarks apart. */
function isList(item: Effect, analysis: Analysis): boolean {
  const lines = heldBy(item, analysis)
    ?.split('\n')
    .map((line) => line.trim())
  return lines?.every((line) => line === '' || line.startsWith('#') || ADDRESS.test(line) || HOST.test(line)) === true
}

/** Programs behind it that only leave some of the lines out, or put them in another order. */
const LEAVING: ReadonlySet<string> = new Set(['head', 'tail', 'sort', 'uniq', 'shuf', 'tac'])
/** Programs that hand lines to others. */
const HANDING: ReadonlySet<string> = new Set(['xargs', 'parallel'])
/** How a pattern begins that finds an address, or an element which holds one. */
const FINDS_ADDRESS = /^(?:https?|<(?:loc|a|link|url)>)/
/** Options of grep that take no value. */
const PLAIN_OPTION = /^-[A-Dabcdg-zE-Z]+$|^--[a-z-]+$/

/** Whether the command that read a file prints nothing of it but addresses, and what stands between it and the word leaves them as they are. */
function isTakenOut(item: Effect, word: Word, analysis: Analysis): boolean {
  const { span } = item
  if (span === null || span.pointer !== word.span.pointer) return false
  const within = (fact: CommandFact): boolean =>
    fact.span.pointer === span.pointer && fact.span.start <= span.start && span.end <= fact.span.end && fact.wrappers.length === 0
  const reader = analysis.commands.find(within)
  if (reader === undefined || !takesAddresses(reader, item, analysis)) return false
  const between = analysis.commands.filter(({ span: at }) => at.start > reader.span.end && at.end < word.span.start)
  return between.every((fact) => leavesAlone(fact))
}

function takesAddresses({ program, argv }: CommandFact, item: Effect, analysis: Analysis): boolean {
  const words = argv.slice(1)
  if (program === 'jq') return takesKey(words, heldBy(item, analysis))
  if (!/^(?:[ef]?grep|rg)$/.test(program ?? '')) return false
  const options = words.filter((text) => text === null || text.startsWith('-'))
  const only = options.some((text) => text === '--only-matching' || /^-\w*o/.test(text ?? ''))
  const pattern = words.find((text) => text?.startsWith('-') === false) ?? ''
  return only && options.every((text) => PLAIN_OPTION.test(text ?? '')) && FINDS_ADDRESS.test(pattern) && !/[|\n]/.test(pattern)
}

/** `jq -r '.[].url'`, where all that stands under the key is an address. */
function takesKey(words: readonly (string | null)[], text: string | null): boolean {
  const program = words.find((word) => word === null || !word.startsWith('-'))
  const [begin, ...steps] = (program ?? '').split('.')
  const plain = begin === '' && steps.every((step) => /^(?:\[\d*\])?\w*(?:\[\d*\])?$/.test(step))
  const key = plain ? /^[A-Za-z_]\w*/.exec(steps.at(-1) ?? '')?.[0] : undefined
  const content = key === undefined || text === null ? null : (parseJson(text) ?? null)
  return (
    content !== null && key !== undefined && valuesUnder(content, key).every((value) => typeof value === 'string' && ADDRESS.test(value))
  )
}

function valuesUnder(content: Json, key: string): readonly Json[] {
  if (Array.isArray(content)) return content.flatMap((item: Json) => valuesUnder(item, key))
  if (!isJsonObject(content)) return []
  return Object.entries(content).flatMap(([name, value]) => (name === key ? items(value) : valuesUnder(value, key)))
}

const items = (value: Json): readonly Json[] => (Array.isArray(value) ? value : [value])

/** `sed 's/<loc>//'` takes away what a template is; anything else may put something in. */
function leavesAlone({ program, argv }: CommandFact): boolean {
  if (program === null) return false
  if (HANDING.has(program)) return true
  const words = argv.slice(1)
  if (program === 'sed') return words.every((text) => /^s([/#|])<?\/?\w+>?\1\1g?$|^-[nE]$/.test(text ?? ''))
  return LEAVING.has(program) && words.every((text) => /^-{0,2}[\w=-]*$/.test(text ?? '\0'))
}

/** Programs that print a version, a hash or the kind of machine: what names a release, and holds nothing of its owner. */
const IDENTIFIES: ReadonlyMap<string, RegExp> = new Map([
  ['uname', /^(?:-[smpor]+)?$/],
  ['arch', /^$/],
  ['nproc', /^/],
  ['uuidgen', /^/],
  ['dpkg', /^--print-architecture$/],
  ['rpm', /^-E %(?:fedora|rhel)$/],
  ['go', /^env GO(?:OS|ARCH|VERSION)$|^version$/],
  [
    'git',
    /^(?:rev-parse (?:--short(?:=\d+)? |--verify )?[\w./~^@-]+|describe(?: --[\w=*-]+)*|branch --show-current|rev-list --count [\w./-]+)$/,
  ],
  ['jq', /^(?:-[rMc]+ )?\.(?:name|version|(?:(?:dev|peer)D|d)ependencies ?\| ?keys\[\])(?: [\w./-]*(?:package|composer|deno|jsr)\.json)?$/],
  ['node', /^-pe? require\((['"])\.\/package(?:\.json)?\1\)\.(?:name|version)$/],
  ['cat', /^(?:\.\/)?(?:VERSION|version\.txt|\.nvmrc|\.node-version|\.python-version|\.ruby-version|\.terraform-version)$/],
])

/** What a file with a version in it holds. */
const VERSION = /^(?:v?\d{1,6}(?:\.\d{1,6}){0,3}(?:[-+][\w.]{1,20})?|lts\/[\w*]{1,12})\s{0,4}$/

/** Filters that show some of what they get. */
const CHOOSING: ReadonlySet<string> = new Set(['head', 'tail', 'sort', 'uniq', 'tr', 'cut', 'xargs', 'grep', 'sed'])

/** Where the output of these commands comes from; where it only identifies a release, its reads say so. */
export function identified(from: readonly Effect[], facts: readonly CommandFact[], { view }: Analysis): readonly Effect[] {
  const [first, ...others] = facts
  if (first === undefined || from.length === 0 || !identifies(first)) return from
  if (first.program === 'cat' && !from.every(({ target }) => VERSION.test(view.read(resolvedName(target), 256)?.text ?? ''))) return from
  if (!others.every(({ program }) => program !== null && CHOOSING.has(program))) return from
  return from.map((item) => (item.verb === 'read' ? { ...item, attributes: { ...item.attributes, identifier: true } } : item))
}

function identifies({ program, argv }: CommandFact): boolean {
  return (
    IDENTIFIES.get(program ?? '')?.test(
      argv
        .slice(1)
        .map((text) => text ?? '\0')
        .join(' '),
    ) === true
  )
}
