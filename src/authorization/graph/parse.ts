/**
 * JSON → authorisation graph, or everything that is wrong with it. Strict: a graph with one problem is none, so that a model that makes
 * something up authorises nothing. What it calls the user's words must stand in the request; tools and arguments must exist. Pure.
 */
import { childPointer, isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { says, type Task } from '../task.ts'
import { type AuthorizationGraph, GRAPH_LIMITS, type KnownTool, type Origin, type Permit } from './model.ts'

export type GraphProblemCode =
  | 'graph.shape'
  | 'graph.unknown_field'
  | 'graph.too_large'
  | 'graph.unknown_tool'
  | 'graph.unknown_argument'
  | 'graph.not_said'

export interface GraphProblem {
  readonly code: GraphProblemCode
  /** JSON pointer to what is wrong. */
  readonly pointer: string
  readonly message: string
}

export type ReadGraph = { readonly graph: AuthorizationGraph; readonly problems: readonly [] } | GraphRefused

export interface GraphRefused {
  readonly graph: null
  readonly problems: readonly GraphProblem[]
}

export interface GraphContext {
  readonly task: Task
  readonly tools: readonly KnownTool[]
}

export function readGraph(value: Json, { task, tools }: GraphContext): ReadGraph {
  const reader = new Reader(task, new Map(tools.map((tool) => [tool.name, tool])))
  const graph = reader.graph(value)
  return reader.problems.length === 0 && graph !== null ? { graph, problems: [] } : { graph: null, problems: reader.problems }
}

const MAX_PROBLEMS = 20

class Reader {
  readonly problems: GraphProblem[] = []
  readonly #task: Task
  readonly #tools: ReadonlyMap<string, KnownTool>

  constructor(task: Task, tools: ReadonlyMap<string, KnownTool>) {
    this.#task = task
    this.#tools = tools
  }

  graph(value: Json): AuthorizationGraph | null {
    const root = this.#object(value, '', ['version', 'permits'])
    if (root === null) return null
    if (JSON.stringify(value).length > GRAPH_LIMITS.units)
      this.#fail('graph.too_large', '', `a graph has at most ${GRAPH_LIMITS.units} characters`)
    if (own(root, 'version') !== 1) this.#fail('graph.shape', '/version', '`version` must be 1')
    const permits = this.#list(own(root, 'permits'), '/permits', GRAPH_LIMITS.permits)
    return { permits: permits.flatMap((permit, at) => this.#permit(permit, at) ?? []) }
  }

  #permit(value: Json, at: number): Permit | null {
    const pointer = childPointer('/permits', at)
    const object = this.#object(value, pointer, ['tool', 'arguments', 'reason'])
    if (object === null) return null
    const tool = this.#text(own(object, 'tool'), `${pointer}/tool`)
    const known = tool === null ? undefined : this.#tools.get(tool)
    if (tool !== null && known === undefined) this.#fail('graph.unknown_tool', `${pointer}/tool`, `there is no tool \`${tool}\``)
    const reason = own(object, 'reason')
    return {
      id: `permits[${at}]`,
      tool: tool ?? '',
      arguments: this.#arguments(own(object, 'arguments') ?? {}, `${pointer}/arguments`, known),
      reason: reason === undefined ? '' : (this.#text(reason, `${pointer}/reason`) ?? ''),
    }
  }

  #arguments(value: Json, pointer: string, tool: KnownTool | undefined): Permit['arguments'] {
    const found = new Map<string, readonly Origin[]>()
    if (!isJsonObject(value)) {
      this.#fail('graph.shape', pointer, 'must be an object of arguments')
      return found
    }
    const names = Object.keys(value)
    if (names.length > GRAPH_LIMITS.arguments)
      this.#fail('graph.too_large', pointer, `a permit lists at most ${GRAPH_LIMITS.arguments} arguments`)
    for (const name of names.slice(0, GRAPH_LIMITS.arguments)) {
      const at = childPointer(pointer, name)
      const known = tool?.arguments ?? null
      if (known !== null && !known.has(name)) this.#fail('graph.unknown_argument', at, `\`${tool?.name}\` has no argument \`${name}\``)
      const origins = this.#list(own(value, name), at, GRAPH_LIMITS.origins)
      if (origins.length === 0) this.#fail('graph.shape', at, 'an argument needs at least one origin')
      found.set(
        name,
        origins.flatMap((origin, index) => this.#origin(origin, childPointer(at, index)) ?? []),
      )
    }
    return found
  }

  #origin(value: Json, pointer: string): Origin | null {
    if (isJsonObject(value) && own(value, 'says') !== undefined) {
      const object = this.#object(value, pointer, ['says'])
      const text = object === null ? null : this.#said(own(object, 'says'), `${pointer}/says`)
      return text === null ? null : { says: text }
    }
    const object = this.#object(value, pointer, ['from', 'field', 'place'])
    if (object === null) return null
    const from = this.#text(own(object, 'from'), `${pointer}/from`)
    if (from !== null && !this.#tools.has(from)) this.#fail('graph.unknown_tool', `${pointer}/from`, `there is no tool \`${from}\``)
    const [field, place] = [own(object, 'field'), own(object, 'place')]
    return {
      from: from ?? '',
      field: field === undefined ? null : this.#text(field, `${pointer}/field`),
      place: place === undefined ? null : this.#said(place, `${pointer}/place`),
    }
  }

  /** Nobody but the user names a value or a place. */
  #said(value: Json | undefined, pointer: string): string | null {
    const text = this.#text(value, pointer)
    if (text === null || says(this.#task, text)) return text
    this.#fail('graph.not_said', pointer, `\`${text}\` does not stand in the request`)
    return null
  }

  #text(value: Json | undefined, pointer: string): string | null {
    if (typeof value === 'string' && value.trim() !== '' && value.length <= GRAPH_LIMITS.text) return value
    this.#fail('graph.shape', pointer, `must be a text of 1 to ${GRAPH_LIMITS.text} characters`)
    return null
  }

  #list(value: Json | undefined, pointer: string, most: number): readonly Json[] {
    if (!Array.isArray(value)) {
      this.#fail('graph.shape', pointer, 'must be a list')
      return []
    }
    if (value.length > most) this.#fail('graph.too_large', pointer, `must have at most ${most} entries`)
    return value.slice(0, most)
  }

  #object(value: Json | undefined, pointer: string, known: readonly string[]): JsonObject | null {
    if (!isJsonObject(value)) {
      this.#fail('graph.shape', pointer, 'must be an object')
      return null
    }
    for (const key of Object.keys(value)) {
      if (!known.includes(key)) this.#fail('graph.unknown_field', childPointer(pointer, key), `\`${key}\` is none of ${known.join(', ')}`)
    }
    return value
  }

  #fail(code: GraphProblemCode, pointer: string, message: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ code, pointer, message })
  }
}
