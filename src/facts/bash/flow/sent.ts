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
 * Words that say where a request goes, out of what holds addresses: a list is visited, and its contents are not sent. Where a filter
 * of the call puts an address together, nobody knows what stands behind the host.
 */
export function isVisited(word: Word, analysis: Analysis): boolean {
  if (!isPlace(word) || analysis.commands.some(buildsAddress)) return false
  if (analysis.commands.some(choosesAddresses)) return true
  return (word.from ?? []).every((item) => item.verb !== 'read' || item.target.kind === 'process' || holdsAddresses(item, analysis))
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

/** `grep -o 'https://[^ ]*'`: what it prints stands in the file as an address. */
const choosesAddresses = ({ program, argv }: CommandFact) =>
  /^(?:[ef]?grep|rg)$/.test(program ?? '') && argv.some((text) => text?.includes('://') === true)

/** Most characters of a list that are looked at. */
const LONGEST = 65_536
const HOST = /^(?:[\w-]{1,63}\.){1,10}[\w-]{1,63}(?::\d{1,5})?$/

/** A file of the workspace with addresses or names of hosts in it. */
export function holdsAddresses({ target }: Effect, { files, view }: Analysis): boolean {
  if (target.kind !== 'path' || target.scope !== 'workspace' || target.classes.includes('credential')) return false
  const path = resolvedName(target)
  const written = files.written.get(path)
  const answer = written === undefined ? view.read(path, LONGEST) : null
  // Nothing leaves of a file that is not there.
  if (written === undefined && answer === null) return view.realpath(path).type === 'missing'
  const text = written === undefined ? answer?.text : written.from.length === 0 ? written.text : null
  if (text === null || text === undefined) return false
  if (text.includes('://')) return true
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  return lines.length > 0 && lines.every((line) => HOST.test(line.trim()))
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
