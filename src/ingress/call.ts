/** The wire shape of a call to a `ToolCall`: only `tool` and `args` are required, nothing unknown passes, nothing is guessed. */
import type { CallContext, Principal, ToolCall, ToolDefinition } from '../core/call.ts'
import type { Digester } from '../core/digest.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { toolIdentity } from '../core/tool-name.ts'
import { type JsonLimits, readJson } from './json.ts'
import { type Refusal, refusalOf } from './refusal.ts'
import { nameOf, Shape, ShapeFault, wrongType } from './shape.ts'

export type CallResult = { readonly ok: true; readonly call: ToolCall } | { readonly ok: false; readonly refusal: Refusal }

export interface CallOptions {
  /** For the digest of the tool's definition. */
  readonly digester: Pick<Digester, 'definitionDigest'>
  /** Default: `DEFAULT_JSON_LIMITS`. */
  readonly limits?: Partial<JsonLimits>
}

const FIELDS = ['tool', 'server', 'args', 'principal', 'session', 'cwd', 'context', 'definition', 'approval', 'call_id', 'subagent']
const PRINCIPAL_FIELDS = ['agent', 'role', 'user', 'tenant', 'chain']
const CONTEXT_FIELDS = ['task', 'recent']
const DEFINITION_FIELDS = ['description', 'input_schema', 'annotations', 'title', 'output_schema', 'origin']

/** The longest directory and the longest approval token, in UTF-16 code units. */
const LONGEST_TEXT = 4096
const ABSOLUTE = /^(?:\/|[A-Za-z]:[\\/]|\\\\)/

/** Reads one call from the bytes a host sent. Never throws on input; see `readJson` for what is refused before the shape is. */
export function parseCall(input: Uint8Array | string, options: CallOptions): CallResult {
  const read = readJson(input, options.limits)
  return read.ok ? callFromJson(read.value, options) : read
}

/** Reads one call from JSON that `readJson` has already accepted. */
export function callFromJson(value: Json, options: CallOptions): CallResult {
  try {
    return { ok: true, call: toCall(value, options) }
  } catch (error) {
    if (error instanceof ShapeFault) return { ok: false, refusal: refusalOf(error.fault, '') }
    throw error
  }
}

function toCall(value: Json, { digester }: CallOptions): ToolCall {
  const shape = new Shape(value, [], FIELDS)
  const name = nameOf(shape.required('tool'), ['tool'])
  const args = argsOf(shape)
  const definition = definitionOf(shape.objectOrNull('definition'))
  const subagent = shape.name('subagent')
  return {
    tool: { ...toolIdentity(shape.name('server'), name), definition: definition === null ? null : digester.definitionDigest(definition) },
    args,
    principal: principalOf(shape.objectOrNull('principal')),
    session: shape.name('session'),
    cwd: directoryOf(shape),
    context: contextOf(shape.objectOrNull('context')),
    definition,
    approval: shape.text('approval', LONGEST_TEXT),
    callId: callIdOf(shape.name('call_id'), subagent),
    ...(subagent === null ? {} : { subagent }),
  }
}

/** Each agent of a session may count its calls for itself. */
function callIdOf(id: string | null, subagent: string | null): string | null {
  return id === null || subagent === null ? id : JSON.stringify([subagent, id])
}

function argsOf(shape: Shape): JsonObject {
  const args = shape.required('args')
  if (!isJsonObject(args)) throw wrongType(['args'], 'an object', args)
  return args
}

const NOBODY: Principal = Object.freeze({ agent: null, role: null, user: null, tenant: null, chain: Object.freeze([]) })

function principalOf(value: JsonObject | null): Principal {
  if (value === null) return NOBODY
  const shape = new Shape(value, ['principal'], PRINCIPAL_FIELDS)
  return {
    agent: shape.name('agent'),
    role: shape.name('role'),
    user: shape.name('user'),
    tenant: shape.name('tenant'),
    chain: shape.list('chain').map((link, index) => nameOf(link, ['principal', 'chain', index])),
  }
}

/** A relative directory would be resolved against ours, not the agent's. */
function directoryOf(shape: Shape): string | null {
  const cwd = shape.text('cwd', LONGEST_TEXT)
  if (cwd === null || ABSOLUTE.test(cwd)) return cwd
  throw new ShapeFault('ingress.wrong_type', ['cwd'], {
    what: 'the field `cwd` is no absolute path',
    help: 'send an absolute path or null',
  })
}

const NO_CONTEXT: CallContext = Object.freeze({ task: null, recent: Object.freeze([]) })

function contextOf(value: JsonObject | null): CallContext {
  if (value === null) return NO_CONTEXT
  const shape = new Shape(value, ['context'], CONTEXT_FIELDS)
  return { task: shape.text('task'), recent: shape.list('recent') }
}

function definitionOf(value: JsonObject | null): ToolDefinition | null {
  if (value === null) return null
  const shape = new Shape(value, ['definition'], DEFINITION_FIELDS)
  return {
    description: shape.text('description'),
    inputSchema: shape.objectOrNull('input_schema'),
    annotations: shape.objectOrNull('annotations'),
    title: shape.text('title'),
    outputSchema: shape.objectOrNull('output_schema'),
    origin: shape.text('origin', LONGEST_TEXT),
  }
}
