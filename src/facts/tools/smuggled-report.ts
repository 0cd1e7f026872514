/** Effects for what arguments of plain data carry besides it: whatever a server would make of them. */

import { inspectPath } from '../resources/path/injection.ts'
import type { FoundUrl } from '../resources/url/index.ts'
import { type Collector, whole } from './collect.ts'
import { type ArgumentKind, climbs, isFreeText } from './keys.ts'
import { entities, inner } from './markup.ts'
import { isSerialised, type Smuggled, smuggled, smuggledObjects, smuggledOption, startsHeader } from './smuggled.ts'
import type { Argument } from './spec.ts'

/** An argument with the name it goes by. */
interface Named extends Argument {
  readonly name: string
}

/** Kinds that are plain data, which a server may paste into a command or a query. */
const PLAIN: ReadonlySet<ArgumentKind> = new Set<ArgumentKind>(['plain', 'reference', 'package', 'recipient', 'amount', 'currency'])
/** An option in the place of one of these is reported as an injection. */
const NAMED: ReadonlySet<ArgumentKind> = new Set<ArgumentKind>(['reference', 'package'])
const PATTERNS: ReadonlySet<string> = new Set(['pattern', 'query', 'regex'])

const CARRIES: Readonly<Record<Smuggled, string>> = {
  shell: 'a command',
  option: 'an option',
  sql: 'a piece of SQL',
  template: 'an expression of a template',
  filter: 'a piece of a filter',
  header: 'a header of its own',
  object: 'an object with a class or an operator',
}

/** Reports what one argument carries besides plain data. Free text may hold any sign. */
export function reportSmuggled(argument: Named, kind: ArgumentKind, collector: Collector): void {
  if (argument.text.startsWith('-') && NAMED.has(kind)) return
  if (climbsAway(argument, kind, collector)) collector.use('read', argument, { certainty: 'possible' })
  const found = carried(argument, kind)
  if (found !== null) emit(argument, found, collector)
}

/** A name that leads out of the directory it is put behind: of an entry of an archive, of a template. */
function climbsAway({ name, text }: Named, kind: ArgumentKind, { cwd, view }: Collector): boolean {
  return kind === 'plain' && !isFreeText(name) && climbs(text) && inspectPath(text, cwd, view).injection === 'traversal'
}

function carried({ name, text }: Named, kind: ArgumentKind): Smuggled | null {
  const free = isFreeText(name)
  if (PLAIN.has(kind) && !free) return smuggled(name, text)
  if (name === 'value' && startsHeader(text)) return 'header'
  return (free && PATTERNS.has(name)) || kind === 'url' ? smuggledOption(text) : null
}

/** Reports objects where values belong and, unless the call `writes` them to a file, texts that become objects when they are read. */
export function reportObjects(leaves: readonly Named[], collector: Collector, writes: boolean): void {
  for (const found of smuggledObjects(collector.args)) emit(found, 'object', collector)
  if (writes && collector.text('path', 'file_path') !== null) return
  for (const leaf of leaves) {
    if (isSerialised(leaf.text)) emit(leaf, 'object', collector)
    for (const drawn of [...entities(leaf.text), ...(PAGES.test(leaf.name) ? inner(leaf.text) : [])]) open(leaf, drawn, collector)
  }
}

/** Arguments that hold a page, which a server may draw. */
const PAGES = /(?:html|svg|markup|template|page|css)$/i

function open({ pointer }: Named, { text, start, end }: FoundUrl, collector: Collector): void {
  const span = { pointer, start, end }
  const reason = 'a document draws it in where it is read'
  if (/^[a-z][a-z0-9+.-]{1,20}:/i.test(text)) collector.use('fetch', { text, pointer }, { certainty: 'possible', reason, span })
  else collector.use('read', { text, pointer }, { certainty: 'possible', reason, span })
}

function emit(argument: Argument, what: Smuggled, collector: Collector): void {
  collector.emit('execute', collector.thing('code', argument.text), {
    certainty: 'possible',
    reason: `${CARRIES[what]} stands where plain data belongs`,
    span: whole(argument),
    attributes: { smuggled: what },
  })
}
