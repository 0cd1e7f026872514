/** What a result leaves in the memory of its session: the values in it by keyed hash, each with its field and what led to it. Pure. */
import type { ToolCall } from '../../core/call.ts'
import type { Json } from '../../core/json.ts'
import { ACTS, actsOf, topicsOf } from '../../authorization/language.ts'
import { covers, says, sharedWords, type Task } from '../../authorization/task.ts'
import { type HashKey, keyedHash } from '../../provenance/keyed-hash.ts'
import { type Leaf, readResult } from '../../provenance/result.ts'
import { compact, entitiesOf, fold, namesIn, quotedIn, urlText, wordsIn } from '../../provenance/text.ts'
import type { ResultEvent, SeenValue } from './events.ts'
import { SEEN } from './values.ts'

/** Who may have written what a tool returned. */
export type Reach = 'workspace' | 'own' | 'tool' | 'network'

export interface Observed {
  readonly call: Pick<ToolCall, 'args' | 'tool'>
  readonly id: string
  readonly at: number
  readonly result: Json
  readonly reach: Reach
  readonly task: Task
  readonly key: HashKey
}

const MAX_FIELDS = 64
const MAX_VALUES = 1500
const MAX_NAMES = 200
const MAX_ENTITIES = 300
/** Words of a text that the user handed the decision on to. */
const MAX_WORDS = 600
const MAX_WHOLE = 300

export function observe({ call, id, at, result, reach, task, key }: Observed): ResultEvent {
  const { leaves } = readResult(result)
  const pointed = isPointedAt(call.args, task)
  const named = reach !== 'own' && pointed
  const selected = selectedRecords(leaves, task)
  const fields = new Map<string, number>()
  const values = new Map<number, SeenValue>()
  // Of many things that were listed, the user pointed only at those that share a word with what they said.
  const many = leaves.some(({ record }) => record > 1)
  let words = 0
  let acts = 0
  const topics = new Set<number>()
  for (const leaf of leaves) {
    const source = numberOf(fields, leaf.field)
    const prose = leaf.prose || reach === 'network'
    const pointedAt = named && (!many || selected.has(leaf.record))
    const flags =
      (prose ? SEEN.prose : 0) |
      (named || selected.has(leaf.record) ? SEEN.selected : 0) |
      (pointedAt ? SEEN.named : 0) |
      (reach === 'own' ? SEEN.own : 0) |
      (reach === 'workspace' ? SEEN.workspace : 0) |
      (reach === 'network' ? SEEN.fetched : 0)
    const add = (text: string): void => {
      const hash = keyedHash(key, text)
      if (values.size < MAX_VALUES || values.has(hash)) keepBetter(values, { hash, source, flags })
    }
    addTexts(leaf, add)
    if (pointedAt && prose && words < MAX_WORDS) {
      for (const word of wordsIn(leaf.value, MAX_WORDS - words)) {
        words += 1
        add(word)
        if (task.handsOn) for (const act of actsOf(word)) acts |= 1 << ACTS.indexOf(act)
        if (task.handsOn) for (const topic of topicsOf(word)) topics.add(topic)
      }
    }
  }
  return {
    kind: 'result',
    at,
    id,
    tool: call.tool.name,
    fields: [...fields.keys()],
    values: [...values.values()],
    untrusted: leaves.length > 0 && (reach === 'tool' || reach === 'network'),
    handed: words > 0 && task.handsOn ? { acts, topics: [...topics] } : null,
  }
}

function addTexts({ value, prose, keyed }: Leaf, add: (text: string) => void): void {
  const folded = fold(value)
  if (folded.length <= MAX_WHOLE) {
    add(folded)
    const short = compact(folded)
    if (short.length >= 6 && short !== folded) add(short)
    const url = urlText(folded)
    if (url !== folded) add(url)
  }
  if (prose) for (const line of [...labelled(value), ...quotedIn(value, MAX_NAMES)]) add(line)
  for (const { text } of entitiesOf(value, MAX_ENTITIES)) if (text !== folded) add(text)
  if (prose || keyed === true || folded.includes(' ')) for (const name of namesIn(value, MAX_NAMES)) add(name)
}

/** What stands behind a label on a line of its own: `Username: alice`. */
function labelled(text: string): string[] {
  const values: string[] = []
  for (const [, value] of text.matchAll(/^[ \t>*-]*[\p{L}][\p{L}\p{N} _/-]{0,40}: +(\S[^\n]{0,120})$/gmu)) {
    values.push(fold(value ?? ''))
    if (values.length >= MAX_NAMES) break
  }
  return values
}

function keepBetter(values: Map<number, SeenValue>, value: SeenValue): void {
  const known = values.get(value.hash)
  if (known === undefined) values.set(value.hash, value)
  else if ((known.flags & SEEN.prose) !== 0 && (value.flags & SEEN.prose) === 0) values.set(value.hash, { ...value, flags: value.flags | SEEN.alsoProse })
  else if ((value.flags & SEEN.selected) > (known.flags & SEEN.selected) && (value.flags & SEEN.prose) === (known.flags & SEEN.prose)) values.set(value.hash, value)
}

function numberOf(fields: Map<string, number>, field: string): number {
  const known = fields.get(field)
  if (known !== undefined) return known
  if (fields.size >= MAX_FIELDS) return MAX_FIELDS - 1
  fields.set(field, fields.size)
  return fields.size - 1
}

/** The user named what was read: an argument of the reading call stands in their words. */
export function isPointedAt(args: ToolCall['args'], task: Task): boolean {
  return Object.values(args).some((value) => texts(value).some((text) => text.length >= 3 && (says(task, text) || covers(task, text))))
}

function texts(value: Json): readonly string[] {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((item: Json): item is string => typeof item === 'string') : []
}

/** Records of which some value, a text aside, shares a telling word with the task. */
function selectedRecords(leaves: readonly Leaf[], task: Task): ReadonlySet<number> {
  const selected = new Set<number>()
  for (const { value, record, prose } of leaves) {
    if (!prose && record > 0 && !selected.has(record) && ((value.length >= 3 && says(task, value)) || sharedWords(task, value, 40) > 0)) selected.add(record)
  }
  return selected
}
