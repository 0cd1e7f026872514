/** The candidates of one answer, or of one piece of a stream: calls are whole in Gemini's wire, wherever they come. */
import { isJsonObject, type Json } from '../../../core/json.ts'
import type { Begun, Judge, Ruling } from '../api.ts'
import { type Edit, type Located, type Part, partAt, reachList, reachText, replacing, sourceOf } from '../json.ts'
import { settled } from '../judge.ts'
import { holdsCall } from '../unknown.ts'

/** Parts of tools that the provider ran, by the kind of the tool. */
const PROVIDED: Readonly<Record<string, string>> = {
  executableCode: 'code_execution',
  codeExecutionResult: 'code_execution',
  toolCall: 'server_tool',
  toolResponse: 'server_tool',
}

/** Within one answer: a signature stands with the first of parallel calls, and must stay with the first that is left. */
export interface Turn {
  signature: string | null
  /** A call with its signature, or in its place, went on. */
  signed: boolean
}

/** What stands in the text instead of what may not run; null: it cannot be inspected. */
export async function judgedAnswer(body: Located, roots: readonly Part[], { judge, turn }: Context): Promise<readonly Edit[] | null> {
  const found = roots.map((root) => partsOf(body, root))
  if (found.some((each) => each === null)) return null
  const begun: (Here & { readonly said: Begun })[] = []
  for (const here of found.flatMap((each) => each ?? [])) {
    const kind = kindOfPart(here.part, judge)
    if (kind !== 'plain') begun.push({ ...here, said: await begin(here, judge, kind) })
  }
  const edits: Edit[] = []
  for (const { said, ...here } of begun) edits.push(...partEdits(here, await said.wait(), turn))
  return edits
}

/** Every part of every candidate; null where a call could be beside them. */
function partsOf(body: Located, root: Part): readonly Here[] | null {
  const value = JSON.parse(sourceOf(body, root)) as Json
  if (!isJsonObject(value)) return null
  const { candidates: _candidates, ...beside } = value
  if (holdsCall(beside)) return null
  const found: Here[] = []
  for (const [index, candidate] of reachList(value, 'candidates').entries()) {
    const { content = null, ...rest } = isJsonObject(candidate) ? candidate : {}
    const { parts = null, ...around } = isJsonObject(content) ? content : {}
    if (holdsCall(rest) || holdsCall(around)) return null
    const list = partAt(root, 'candidates', index, 'content', 'parts')
    for (const [at, part] of (Array.isArray(parts) ? (parts as readonly Json[]) : []).entries()) {
      const place = partAt(list, at)
      if (place !== undefined) found.push({ body, place, part })
    }
  }
  return found
}

export interface Context {
  readonly judge: Judge
  readonly turn: Turn
}

interface Here {
  readonly body: Located
  readonly place: Part
  readonly part: Json
}

function partEdits({ place, part }: Here, ruling: Ruling, turn: Turn): readonly Edit[] {
  const signature = reachText(part, 'thoughtSignature')
  if (ruling.kind === 'block') {
    turn.signature ??= signature
    const signed = signature === null ? {} : { thoughtSignature: signature }
    return [replacing(place, JSON.stringify({ text: ruling.text, ...signed }))]
  }
  const moves = signature === null && !turn.signed ? turn.signature : null
  turn.signed = true
  const args = partAt(place, 'functionCall', 'args')
  const changed = ruling.kind === 'change' && args !== undefined ? [replacing(args, ruling.input)] : []
  if (moves === null) return changed
  return [...changed, { start: place.end - 1, end: place.end - 1, text: `,"thoughtSignature":${JSON.stringify(moves)}` }]
}

type Kind = 'plain' | 'call' | 'odd'

function kindOfPart(part: Json, judge: Pick<Judge, 'offered'>): Kind {
  if (!isJsonObject(part)) return holdsCall(part) ? 'odd' : 'plain'
  const provided = Object.keys(PROVIDED).find((key) => Object.hasOwn(part, key))
  const { functionCall: call, [provided ?? '']: _ran, ...rest } = part
  if (holdsCall(rest) || (call !== undefined && provided !== undefined)) return 'odd'
  if (provided !== undefined) return judge.offered(PROVIDED[provided] ?? '') ? 'plain' : 'odd'
  if (call === undefined || call === null) return 'plain'
  return isPartial(call) ? 'odd' : 'call'
}

/** A call whose arguments come piece by piece: nobody can judge a piece. */
function isPartial(call: Json): boolean {
  return !isJsonObject(call) || call.partialArgs !== undefined || call.willContinue === true
}

async function begin({ body, place, part }: Here, judge: Judge, kind: Kind): Promise<Begun> {
  const name = reachText(part, 'functionCall', 'name')
  const args = partAt(place, 'functionCall', 'args')
  if (kind === 'call' && name !== null)
    return judge.begin({ server: null, name, form: 'json', input: args === undefined ? '{}' : sourceOf(body, args) })
  const what = kind === 'odd' ? 'a part of a kind that is not known, or that nobody asked for' : 'a call without a name'
  return settled(await judge.unjudged({ why: 'uninspected', what, name, sample: JSON.stringify(part) }))
}

export function freshTurn(): Turn {
  return { signature: null, signed: false }
}
