/**
 * Whether the user's request authorises a call: by what it says itself, or by the graph that a judge made of it before any result was
 * read. Checked value by value; what is not covered is left to the rules. Pure.
 */
import type { Sought } from '../authorization/located.ts'
import type { ToolCall } from '../core/call.ts'
import type { Authorization } from '../facts/facts.ts'
import { keyedHash } from '../provenance/keyed-hash.ts'
import { comparedForms, fold } from '../provenance/text.ts'
import type { KeptOrigin, KeptPermit } from '../session/memory/graph.ts'
import type { Doubt, Traced } from './doubt.ts'
import type { Known, Origin, Provenance } from './origin.ts'
import { isField } from './trust.ts'

export interface Asked {
  readonly call: Pick<ToolCall, 'tool' | 'context'>
  readonly doubt: Doubt
  /** The call decides how somebody is let in. */
  readonly sensitive: boolean
}

/** Null: nothing covers the call. */
export function authorizationOf(asked: Asked, known: Known): Authorization | null {
  if (known.task.empty) return null
  return byGraph(asked, known) ?? byWords(asked, known)
}

/** What the user named, what people agreed to or vouch for. */
const GIVEN: ReadonlySet<Origin> = new Set<Origin>(['user', 'approved', 'declassified', 'derived'])

/**
 * "Invite her to my repository, you can find her email in /user/info": what is to be done was asked for, and each value that the user
 * did not name stands in the file in which they say that it stands.
 */
function byWords({ doubt, sensitive }: Asked, known: Known): Authorization | null {
  const { match, traced, carries } = doubt
  if (match !== 'full' || sensitive || carries.length > 0) return null
  let place: string | null = null
  for (const each of traced) {
    const located = locatedFor(each, known)
    if (located === null && !OWN.has(each.origin)) return null
    place ??= located
  }
  return place === null ? null : { by: 'words', judge: null, permit: `says that \`${place}\` holds it` }
}

const OWN: ReadonlySet<Origin> = new Set<Origin>([...GIVEN, 'own', 'trusted'])

/** The place in which the user says that such a value stands; null where they do not, or it stands elsewhere. */
function locatedFor({ argument: { role, sort }, source, located, hidden }: Traced, { task, key }: Known): string | null {
  if (located !== true || hidden || source === null) return null
  const kind: Sought | null = role === 'credential' ? 'credential' : sort === 'party' || sort === 'place' ? sort : null
  const found = task.located.find(({ place, sought }) => {
    return kind !== null && sought.has(kind) && (source.places ?? []).includes(keyedHash(key, place))
  })
  return found?.place ?? null
}

/** By the first permit of the judge's graph that names the tool and covers every value. */
function byGraph({ call, doubt }: Asked, known: Known): Authorization | null {
  const graph = graphOf(call, known)
  if (graph === null) return null
  const { server, name } = call.tool
  const tool = server === null ? name : `${server}/${name}`
  const permit = graph.permits.find((each) => each.tool === tool && covers(each, doubt, known))
  return permit === undefined ? null : { by: 'judge', judge: graph.by, permit: permit.id }
}

/** The graph of exactly this request; null where there is none. */
export function graphOf({ context }: Pick<ToolCall, 'context'>, { memory, key }: Known): MadeGraph | null {
  if (memory.graphs.length === 0 || context.vouched !== true || context.task === null) return null
  const task = keyedHash(key, context.task)
  const graph = memory.graphs.find((each) => each.task === task)
  return graph === undefined || graph.permits === null ? null : { by: graph.by, permits: graph.permits }
}

interface MadeGraph {
  readonly by: string
  readonly permits: readonly KeptPermit[]
}

function covers(permit: KeptPermit, { traced, listed, carries }: Doubt, known: Known): boolean {
  const limits = new Map(permit.arguments)
  const limitOf = (name: string): readonly KeptOrigin[] | undefined => limits.get(name.split('.')[0] ?? '')
  // A target or a credential that the graph says nothing of may only hold what the user named.
  const aimed = traced.every((each) => {
    const limit = limitOf(each.argument.name)
    return limit === undefined ? GIVEN.has(each.origin) : fits(each.argument.text, each, { limit, known })
  })
  // What is listed is held to its list whatever its role is; texts are held to what they carry.
  const others = listed.every((each) => {
    const limit = limitOf(each.argument.name)
    return limit === undefined || fits(each.argument.text, each, { limit, known })
  })
  const sent = carries.every((each) => {
    const limit = limitOf(each.name)
    return limit !== undefined && fits(each.text, each, { limit, known })
  })
  return aimed && others && sent
}

interface Limit {
  readonly limit: readonly KeptOrigin[]
  readonly known: Known
}

function fits(text: string, { source, hidden }: Provenance, { limit, known: { key } }: Limit): boolean {
  const forms = comparedForms(fold(text)).map((form) => keyedHash(key, form))
  return limit.some((origin) => {
    if ('says' in origin) return forms.some((form) => origin.says.includes(form))
    if (hidden || source === null || source.tool !== origin.from) return false
    if (origin.place !== null && !(source.places ?? []).includes(origin.place)) return false
    return origin.field === null || isField(source.field, origin.field)
  })
}
