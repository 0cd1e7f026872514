/**
 * Names for what was judged: domain-separated SHA-256 over canonical JSON. The frame is always a JSON array, never a
 * concatenation, so that no two different inputs share a preimage (A6). The hash itself is handed in: `node:crypto` is
 * 8 times faster than SHA-256 in TypeScript on a call of 500 bytes, and core may not import it.
 */
import type { ToolCall, ToolDefinition } from './call.ts'
import { canonicalJson } from './canonical.ts'
import type { Json } from './json.ts'

/** SHA-256 over the UTF-8 bytes of a text, as 64 lower-case hexadecimal digits. */
export type Sha256 = (text: string) => string

/** Digests, each `sha256:` and 64 hexadecimal digits. */
export interface Digester {
  /**
   * What an approval or a grant is bound to (P6): the tool with its server and definition, the arguments, the directory, the
   * principal and the session. Not the context, arguments that change nothing (`inert`), the approval token or the host's call
   * id: a resubmission is the same call.
   */
  readonly callDigest: (call: ToolCall) => string
  /** Which definition a tool was offered with: any changed byte is another tool (T11). */
  readonly definitionDigest: (definition: ToolDefinition) => string
  /** Any value under a domain of its own, such as `countersign/policy/v1`; `undefined` differs from `null` (PIT-10). */
  readonly digest: (domain: string, value: Json | undefined) => string
}

/** A digester on the given hash. */
export function createDigester(sha256: Sha256): Digester {
  const hash = (frame: readonly Json[]) => `sha256:${sha256(canonicalJson(frame))}`
  return {
    callDigest: (call) => hash(callFrame(call)),
    definitionDigest: (definition) => hash(definitionFrame(definition)),
    digest: (domain, value) => hash([domain, present(value)]),
  }
}

/** A definition that says nothing of its title and its output has the digest that it always had. */
function definitionFrame({ description, inputSchema, annotations, title = null, outputSchema = null, origin }: ToolDefinition): Json[] {
  const said = title === null && outputSchema === null ? [] : [{ title, outputSchema }]
  return ['countersign/definition/v1', description, inputSchema, annotations, ...present(origin ?? undefined), ...said]
}

function callFrame({ tool, args: all, principal, session, cwd, inert = [] }: ToolCall): Json[] {
  const { agent, role, user, tenant, chain } = principal
  const args = inert.length === 0 ? all : Object.fromEntries(Object.entries(all).filter(([name]) => !inert.includes(name)))
  return ['countersign/call/v1', [tool.server, tool.name, tool.definition], present(args), [agent, role, user, tenant, chain], session, cwd]
}

/** Wrapped, so that a missing value, `null` and `{}` stay three things. */
function present(value: Json | undefined): readonly Json[] {
  return value === undefined ? [] : [value]
}
