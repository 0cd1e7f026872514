/**
 * A scripted judge that writes authorisation graphs: deterministic, without a model. It is shown what every judge of graphs is shown (the
 * user's words and the tools), so it never sees a call, a result or a label. It stands for the least that a judge can do: an act that a
 * sentence asks for is permitted, with what the request names, and with what tools return that list such things.
 */
import { type Act, topicsOf } from '../src/authorization/language.ts'
import { readTask, type Sentence, type Task } from '../src/authorization/task.ts'
import { isJsonObject, type Json, type JsonObject } from '../src/core/json.ts'
import { wordsOf } from '../src/facts/resources/text/identifier.ts'
import { roleByName } from '../src/facts/tools/roles/names.ts'
import type { TargetSort } from '../src/facts/tools/roles/role.ts'
import { actOf, toolWords } from '../src/flow/acts.ts'
import { trustIn } from '../src/flow/trust.ts'
import { entitiesOf, namesIn, quotedIn } from '../src/provenance/text.ts'

interface Tool {
  readonly name: string
  readonly arguments: readonly string[]
  /** Null: it only reads. */
  readonly act: Act | null
}

interface Request {
  readonly text: string
  readonly task: Task
  readonly tools: readonly Tool[]
}

const MAX_PERMITS = 24
const MAX_ARGUMENTS = 8
const MAX_ORIGINS = 8
const MAX_SAID = 5
const MAX_UNITS = 4_000

/** What a judge of the host program answers, for the payload that it is shown. */
export function scriptedGraph(payload: JsonObject): JsonObject {
  const text = typeof payload.task === 'string' ? payload.task : ''
  const request: Request = { text, task: readTask(text), tools: toolsIn(payload.tools ?? null) }
  const permits: JsonObject[] = []
  for (const tool of request.tools) {
    const permit = tool.act === null ? null : permitFor(tool, tool.act, request)
    if (permit === null || permits.length >= MAX_PERMITS) continue
    if (JSON.stringify({ version: 1, permits: [...permits, permit] }).length > MAX_UNITS) break
    permits.push(permit)
  }
  return { version: 1, permits }
}

function toolsIn(value: Json): readonly Tool[] {
  if (!Array.isArray(value)) return []
  return value.filter(isJsonObject).map((tool: JsonObject): Tool => {
    const name = String(tool.name)
    const args = isJsonObject(tool.arguments ?? null) ? Object.keys(tool.arguments as JsonObject) : []
    return { name, arguments: args, act: actOf(name, [], args.length > 0) }
  })
}

function permitFor(tool: Tool, act: Act, request: Request): JsonObject | null {
  const { acts, topics } = toolWords(tool.name)
  const asked = request.task.sentences.filter(
    (sentence) => (sentence.acts.has(act) || overlaps(acts, sentence.acts)) && (topics.size === 0 || overlaps(topics, sentence.topics)),
  )
  if (asked.length === 0) return null
  const limits = tool.arguments.flatMap((name): readonly (readonly [string, Json])[] => {
    const role = roleByName(name)
    if (role === null || (role.role !== 'target' && role.role !== 'credential')) return []
    const origins = originsOf({ tool, name, sort: role.sort }, request, asked)
    return origins.length === 0 ? [] : [[name, origins]]
  })
  return { tool: tool.name, arguments: Object.fromEntries(limits.slice(0, MAX_ARGUMENTS)), reason: `the request asks to ${act}` }
}

interface Aimed {
  readonly tool: Tool
  readonly name: string
  /** Null: a credential. */
  readonly sort: TargetSort | null
}

function originsOf(aimed: Aimed, request: Request, asked: readonly Sentence[]): Json[] {
  const said = saidFor(aimed, request).map((says): JsonObject => ({ says }))
  const from = request.tools.filter(({ act }) => act === null).flatMap(({ name }) => sourceFor(name, aimed, { request, asked }))
  return [...said, ...from].slice(0, MAX_ORIGINS)
}

/** What the request names that is of the kind of the argument. */
function saidFor({ sort }: Aimed, { text }: Request): readonly string[] {
  const entities = entitiesOf(text, 40)
    .filter(({ kind }) =>
      sort === 'place' ? kind === 'url' || kind === 'host' : sort === 'party' ? kind === 'address' || kind === 'id' : true,
    )
    .map((entity) => entity.text)
  const named = [...quotedIn(text, MAX_SAID), ...(sort === 'party' ? namesIn(text, MAX_SAID) : [])]
  return [...new Set([...entities, ...named])].filter((each) => each.length <= 200).slice(0, MAX_SAID)
}

/** Of a message only who sent it, and only where the request is to answer: what stands in its text is nobody's word. */
const ANSWERS = /\b(?:reply|respond|answer)\b/i

interface Reading {
  readonly request: Request
  readonly asked: readonly Sentence[]
}

function sourceFor(reader: string, aimed: Aimed, { request, asked }: Reading): readonly JsonObject[] {
  const { topics } = toolWords(reader)
  const sought = aimed.sort === null ? 'credential' : aimed.sort
  const readsFiles = wordsOf(reader).some((word) => word === 'file')
  const located = request.task.located.filter((each) => readsFiles && sought !== 'thing' && each.sought.has(sought))
  if (located.length > 0) return located.slice(0, 2).map(({ place }) => ({ from: reader, place }))
  const spokenOf = asked.some((sentence) => overlaps(topics, sentence.topics))
  if (aimed.sort === 'party') {
    if (trustIn([], { tool: reader, field: '' }, '') === 'trusted') return [{ from: reader }]
    return spokenOf && ANSWERS.test(request.text) ? [{ from: reader, field: 'sender' }] : []
  }
  // A thing is named by its number, in a field of such a name: never in a text.
  if (aimed.sort === 'thing') return overlaps(topics, aboutOf(aimed)) ? idFields(aimed.name).map((field) => ({ from: reader, field })) : []
  if (aimed.sort !== 'place' || !spokenOf) return []
  // Pages and channels: those that a place lists which the request names, or a text that it hands the decision on to.
  const places = quotedIn(request.text, 2).filter((each) => each.length <= MAX_PLACE)
  if (places.length > 0) return places.map((place) => ({ from: reader, place }))
  return request.task.handsOn ? [{ from: reader }] : []
}

const MAX_PLACE = 60

function idFields(name: string): readonly string[] {
  const last = wordsOf(name).at(-1) ?? ''
  return last === 'id' || last === 'ids' ? [...new Set([name.replace(/s$/, ''), 'id', 'id_'])] : [name]
}

/** What a thing is: by the name of its argument, or by the tool that acts on it. */
function aboutOf({ tool, name }: Aimed): ReadonlySet<number> {
  const own = new Set(wordsOf(name).flatMap((word) => [...topicsOf(word)]))
  return own.size > 0 ? own : toolWords(tool.name).topics
}

function overlaps<T>(some: ReadonlySet<T>, others: ReadonlySet<T>): boolean {
  for (const one of some) if (others.has(one)) return true
  return false
}
