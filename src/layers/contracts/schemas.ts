/** The schemas a call has: the one its definition brings, and the one the policy gives its tool. Prepared once per schema. */
import type { ToolCall } from '../../core/call.ts'
import type { JsonObject } from '../../core/json.ts'
import { type PreparedSchema, prepareSchema } from '../../policy/contracts/schema.ts'
import type { Policy } from '../../policy/policy.ts'

const NONE: readonly string[] = []

/** What the schemas prove wrong; empty where they prove nothing or cannot be used. */
export function schemaViolations(call: ToolCall, policy: Policy): readonly string[] {
  const given = call.definition?.inputSchema ?? null
  const own = policySchema(call, policy)
  if (given === null && own === null) return NONE
  const closed = policy.contracts.schemas.unknownArguments === 'violation'
  const { definition } = call.tool
  return [
    ...new Set([
      ...violations(given, { closed, definition, args: call.args }),
      ...violations(own, { closed, definition: null, args: call.args }),
    ]),
  ]
}

function policySchema({ tool: { server, name } }: ToolCall, { registry }: Policy): JsonObject | null {
  const qualified = server === null ? undefined : registry.tools.get(`${server}/${name}`)
  return (qualified ?? registry.tools.get(name))?.inputSchema ?? null
}

interface Checking {
  readonly closed: boolean
  /** Digest of the definition that the schema belongs to; null for a schema of the policy. */
  readonly definition: string | null
  readonly args: JsonObject
}

function violations(schema: JsonObject | null, { closed, definition, args }: Checking): readonly string[] {
  return schema === null ? NONE : (prepared(schema, closed, definition)?.check(args) ?? NONE)
}

type Prepared = { readonly value: PreparedSchema | null }

/** Definitions come with every call as new objects of the same content, so they are known by their digest; the rest by itself. */
const byDigest = new Map<string, Prepared>()
const byObject = { open: new WeakMap<JsonObject, Prepared>(), closed: new WeakMap<JsonObject, Prepared>() }
const MAX_REMEMBERED = 512

function prepared(schema: JsonObject, closed: boolean, digest: string | null): PreparedSchema | null {
  const objects = closed ? byObject.closed : byObject.open
  const key = `${closed} ${digest}`
  const known = digest === null ? objects.get(schema) : byDigest.get(key)
  if (known !== undefined) return known.value
  const made = { value: prepareSchema(schema, { closed }) }
  if (byDigest.size >= MAX_REMEMBERED) byDigest.clear()
  if (digest === null) objects.set(schema, made)
  else byDigest.set(key, made)
  return made.value
}
