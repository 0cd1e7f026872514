/**
 * Whether a tool that no table knows, and in whose name no verb is known, may act. Verbs cannot be listed to an end, so it counts as acting
 * unless something says that it only tells:
 * - it says of itself that it only reads;
 * - its name is one of something that is told (`cart_total`, `air_quality_forecast`), or is made of a verb of reading (`recipe_finder`);
 * - nothing that it is given is a thing to act on: all of it asks (a text to look for, a place, a time, a unit, a filter), switches
 *   something on or off, measures, or is a file, an address or code, whose use is judged by itself.
 * A name that ends as only an act does (`slew_to`, `shut_down`) acts whatever it is given; so does one of secrets
 * (`rotate_root_credentials`).
 */
import type { ToolDefinition } from '../../core/call.ts'
import { childPointer, isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { ACT_OF, type Act } from '../resources/text/act-words.ts'
import { wordsOf } from '../resources/text/identifier.ts'
import { SECRETS } from './intent-words.ts'
import { type ArgumentKind, argumentKind } from './keys.ts'

export interface Thing {
  readonly key: string
  readonly text: string
  readonly pointer: string
}

/** The first thing that such a tool is given to act on; null where it only tells, as far as can be told. */
export function actedOn(name: string, definition: ToolDefinition | null, args: JsonObject): Thing | null {
  const words = wordsOf(name)
  if (saysItReads(definition) || isTelling(words) || isOfThing(words, definition, args) || handsOut(words, args)) return null
  const acts = ENDS_OF_ACTS.has(words.at(-1) ?? '') || words.some((word) => SECRETS.has(word))
  return firstThing(args) ?? (words.length > 1 && acts ? { key: '', text: name, pointer: '' } : null)
}

/** `export_shapes` gives it to whoever asks, unless it is told where else it goes. */
function handsOut([first]: readonly string[], args: JsonObject): boolean {
  return first === 'export' && !Object.keys(args).some((key) => ELSEWHERE.test(wordsOf(key).join('_')))
}

const ELSEWHERE =
  /(?:^|_)(?:to|into|dest|destination|target|recipients?|emails?|mail|bucket|webhook|callback|share|upload|remote|host)(?:_|$)/

const ENDS_OF_ACTS = new Set('to into onto off on out down up over away back through'.split(' '))

export function saysItReads(definition: ToolDefinition | null): boolean {
  const annotations = definition?.annotations ?? null
  return annotations !== null && own(annotations, 'readOnlyHint') === true
}

/** What is told, asked for or measured: as the head of a name it says that the tool answers. */
const TOLD = new Set(
  [
    'info information detail details status state stat stats statistic statistics summary summaries history overview report reports result',
    'results metric metrics total totals average mean median sum max min maximum minimum rate rates ratio score scores rank ranking rankings',
    'probability odds forecast outlook quality level levels size length width height area volume distance duration speed velocity weight',
    'temperature humidity price prices cost costs value values amount balance balances currency time date dates age year schedule timetable',
    'route routes path direction directions location locations coordinates address rules docs documentation help version versions schema',
    'faq faqs definition definitions meaning example examples options suggestions recommendations reviews news headlines weather lyrics',
    'analysis analytics comparison difference diff conversion translation factor factors root roots factorial logarithm derivative integral',
    'screenshot screenshots snapshot snapshots',
    'gcd lcm hcf npv variance deviation correlation regression distribution test quote quotes inventory catalog catalogue directory index',
  ].flatMap((line) => line.split(' ')),
)

export function isTelling(words: readonly string[]): boolean {
  const first = words[0] ?? ''
  const last = words.at(-1) ?? ''
  // One word for several things is a list of them.
  if (words.length === 1 && /[^su]s$/.test(first)) return true
  if (last === 'of' || (words.length > 1 && ADJECTIVE.test(first)) || TOLD.has(last.replace(/s$/, ''))) return true
  return TOLD.has(last) || readsByForm(last) || (words.length > 1 && (readsByForm(first) || first === 'detail' || first === 'calc'))
}

/** `adoptable_animals`: what begins so describes. */
const ADJECTIVE = /^\w{3,20}(?:[ai]ble|ous|less|ical)$/

/** The act of the verb that a noun is made of: `finder` and `prediction` read, `cancellation` and `removal` delete. */
function actByForm(word: string): Act | null {
  const stem = /^(.{3,20}?)(?:ers?|ors?|ations?|ions?|ings?|ments?|als?)$/.exec(word)?.[1]
  if (stem === undefined) return null
  const undoubled = /([b-df-hj-np-tv-z])\1$/.test(stem) ? [stem.slice(0, -1)] : []
  const verb = [stem, `${stem}e`, `${stem}ate`, stem.replace(/i$/, 'y'), ...undoubled].find((form) => ACT_OF.has(form))
  return verb === undefined ? null : (ACT_OF.get(verb) ?? null)
}

const readsByForm = (word: string): boolean => actByForm(word) === 'read'

/** `parcel_whereabouts` of a `parcel`: what the name begins with is a thing, and the rest something of it. `berth_vessel` names its object. */
function isOfThing([first = '', ...rest]: readonly string[], definition: ToolDefinition | null, args: JsonObject): boolean {
  if (rest.length === 0 || rest.some((word) => actByForm(word) !== null || ENDS_OF_ACTS.has(word))) return false
  const schema = definition?.inputSchema ?? null
  const properties = schema === null ? null : own(schema, 'properties')
  const keys = Object.keys(isJsonObject(properties) ? properties : args).map((key) => wordsOf(key)[0] ?? '')
  return keys.includes(first) && !rest.some((word) => keys.includes(word))
}

/** What a call asks with: a text to look for, a place, a time, a unit, and how the answer is to look. */
const ASKS_WITH = new Set(
  [
    'q query question search keyword keywords term terms topic topics category categories genre filter filters sort page limit',
    'offset cursor count top location locations city cities country state region province place zip postcode zipcode address coordinates',
    'latitude longitude lat lon lng radius date dates time times day days week weeks month months year years period range interval since',
    'until before after start end begin timezone language lang locale unit units precision decimals format fields columns verbose details',
    'detail currency currencies symbol symbols ticker pattern expression function formula equation variable method mode season league',
    'origin version orderby sortby groupby returntype',
  ].flatMap((line) => line.split(' ')),
)
/** First words of such names: `from_date`, `include_details`, `max_results`; the rest says what of. */
const FILTERS = new Set('include exclude show with max min only is has as sort'.split(' '))
const TIMES = new Set('date time day month year timezone'.split(' '))

function asks(key: string): boolean {
  const words = wordsOf(key)
  const last = words.at(-1) ?? ''
  return ASKS_WITH.has(words.join('')) || FILTERS.has(words[0] ?? '') || TIMES.has(last) || (words.length > 1 && ASKING_ENDS.has(last))
}

const ASKING_ENDS = new Set('query keyword keywords term units unit format language location city country currency type'.split(' '))

/** Judged by themselves. */
const JUDGED: ReadonlySet<ArgumentKind> = new Set<ArgumentKind>(['path', 'cwd', 'url', 'command', 'code', 'sql', 'connection'])
const AMOUNT = /(?:^|_)(?:amount|sum|total|quantity|price|percent|percentage|level|dose|balance|budget|limit_to)$/

/** A document of GraphQL that asks; what it changes is told by itself. */
const GRAPHQL_QUERY = /^\s*(?:query\b[^{]{0,200})?\{/

const MAX_OPEN = 200

function firstThing(args: JsonObject): Thing | null {
  const open: { key: string; value: Json; pointer: string }[] = [{ key: '', value: args, pointer: '' }]
  for (let seen = 0; seen < MAX_OPEN; seen += 1) {
    const next = open.shift()
    if (next === undefined) return null
    const { key, value, pointer } = next
    if (isJsonObject(value)) {
      for (const name of Object.keys(value)) open.push({ key: name, value: own(value, name) ?? null, pointer: childPointer(pointer, name) })
    } else if (Array.isArray(value)) {
      for (const [at, item] of value.entries()) open.push({ key, value: item, pointer: childPointer(pointer, at) })
    } else if (isThing(key, value)) return { key, text: String(value), pointer }
  }
  return { key: '', text: 'more than can be looked at', pointer: '' }
}

function isThing(key: string, value: Json): boolean {
  if (typeof value === 'number') return AMOUNT.test(wordsOf(key).join('_'))
  if (typeof value !== 'string' || value.trim() === '') return false
  // A unit of measure has no number of its own.
  if (/^units?$/i.test(key) && /\d/.test(value)) return true
  if (GRAPHQL_QUERY.test(value)) return false
  return !asks(key) && !JUDGED.has(argumentKind(key, value))
}
