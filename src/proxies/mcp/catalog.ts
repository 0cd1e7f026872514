/** What a server says of its tools, as its lists told it: a call is judged with the definition that its client was shown. */
import type { ToolDefinition } from '../../core/call.ts'
import { isJsonObject, type Json, type JsonObject, own } from '../../core/json.ts'
import { toolIdentity } from '../../core/tool-name.ts'
import { type ParamHeader, paramHeadersOf } from './http/headers.ts'

export interface Catalog {
  /** Takes in one page of `tools/list`; `first`: it begins a new list. Answers the page's `nextCursor`, or null where it is the last. */
  readonly learn: (result: Json | undefined, first: boolean) => string | null
  /** The server said that its list is another one now: what is known of it does not hold any more. */
  readonly forget: () => void
  /** What the server says of the tool; what it does not list has a definition without content. Null: no whole list is known. */
  readonly definitionOf: (name: string) => ToolDefinition | null
  /** The arguments of the tool that headers repeat; none where no list is known. */
  readonly headersOf: (name: string) => readonly ParamHeader[]
  /** What an entry of a list says of its tool. */
  readonly definitionIn: (tool: JsonObject) => ToolDefinition
  /** True where two tools have this name, so that nobody can tell which one is meant. */
  readonly isAmbiguous: (name: string) => boolean
  /** Of a tool that the server does not list: nothing but where the server is. */
  readonly unlisted: ToolDefinition
}

/** `server`: by which the policy knows it. `origin`: where it is, in the operator's words: its command line or its address. */
export function createCatalog({ server, origin }: { readonly server: string; readonly origin: string }): Catalog {
  let tools = new Map<string, ToolDefinition>()
  const headers = new Map<string, readonly ParamHeader[]>()
  let listed: string[] = []
  let ambiguous: ReadonlySet<string> = new Set()
  let complete = false
  const unlisted: ToolDefinition = { description: null, inputSchema: null, annotations: null, origin }
  return {
    unlisted,
    learn: (result, first) => {
      if (first) {
        tools = new Map()
        listed = []
        headers.clear()
        complete = false
      }
      for (const tool of toolsOf(result)) {
        const name = own(tool, 'name')
        if (typeof name !== 'string') continue
        listed.push(name)
        if (!tools.has(name)) tools.set(name, { ...definitionIn(tool), origin })
      }
      ambiguous = repeatedNames(server, listed)
      const cursor = isJsonObject(result) ? own(result, 'nextCursor') : undefined
      if (typeof cursor === 'string') return cursor
      complete = true
      return null
    },
    definitionIn: (tool) => ({ ...definitionIn(tool), origin }),
    isAmbiguous: (name) => ambiguous.has(name),
    headersOf: (name) => {
      const known = headers.get(name)
      if (known !== undefined) return known
      const found = paramHeadersOf(tools.get(name)?.inputSchema ?? null)
      headers.set(name, found)
      return found
    },
    forget: () => {
      complete = false
    },
    definitionOf: (name) => {
      if (complete) return tools.get(name) ?? unlisted
      return null
    },
  }
}

/** The tools of a `tools/list` result; what is no object is no tool. */
export function toolsOf(result: Json | undefined): readonly JsonObject[] {
  const tools = isJsonObject(result) ? own(result, 'tools') : undefined
  return Array.isArray(tools) ? tools.filter(isJsonObject) : []
}

function definitionIn(tool: JsonObject): ToolDefinition {
  const [description, inputSchema, annotations] = [own(tool, 'description'), own(tool, 'inputSchema'), own(tool, 'annotations')]
  const [title, outputSchema] = [own(tool, 'title'), own(tool, 'outputSchema')]
  return {
    title: typeof title === 'string' ? title : null,
    outputSchema: isJsonObject(outputSchema) ? outputSchema : null,
    description: typeof description === 'string' ? description : null,
    inputSchema: isJsonObject(inputSchema) ? inputSchema : null,
    annotations: isJsonObject(annotations) ? annotations : null,
  }
}

/** Names that two tools of one server have, as the gate knows them. */
function repeatedNames(server: string, names: readonly string[]): ReadonlySet<string> {
  const seen = new Map<string, string>()
  const repeated = new Set<string>()
  for (const name of names) {
    const identity = toolIdentity(server, name).name
    const before = seen.get(identity)
    if (before !== undefined) for (const each of [before, name]) repeated.add(each)
    seen.set(identity, name)
  }
  return repeated
}
