/**
 * Lists of tools on their way to the client: what the server says of its tools is held to what it said before, and a tool that could
 * not be called anyway is left out of them.
 */

import type { ToolCall, ToolDefinition } from '../../core/call.ts'
import type { Finding } from '../../core/finding.ts'
import { type Json, type JsonObject, own } from '../../core/json.ts'
import type { Policy } from '../../policy/policy.ts'
import { toolCallOf } from './call.ts'
import { toolsOf } from './catalog.ts'
import { encode, type Request, type Response } from './message.ts'
import type { Shared } from './shared.ts'

/** Findings that hold for every call of a tool, whatever its arguments are. */
const ALWAYS: ReadonlySet<string> = new Set([
  'registry.unregistered',
  'registry.critical',
  'registry.tier_exceeded',
  'roles.denied',
  'roles.not_allowed',
  'integrity.definition_changed',
  'integrity.definition_unpinned',
  'integrity.lookalike_tool',
])

/** Tools that are judged before others have their turn. */
const AT_ONCE = 20

/** The list as the client gets it: its bytes, where nothing is left out. Never rejects. */
export async function shownList(message: Response, request: Request, shared: Shared): Promise<Uint8Array> {
  const { parts, side } = shared
  const tools = toolsOf(message.result)
  const policy = parts.policy()
  if (tools.length === 0 || policy === null) return message.bytes
  const offered = tools.map((tool) => ({ tool, call: emptyCall(tool, request, shared) }))
  await learn(offered, shared)
  if (!policy.mcpProxy.hide || policy.mode === 'shadow') return message.bytes
  const shown: Json[] = []
  for (const [index, { tool, call }] of offered.entries()) {
    const why = call === null ? 'its name cannot be read' : await hiddenWhy(tool, call, { policy, shared })
    if (why === null) shown.push(tool)
    else parts.note(`\`${side.server}/${nameOf(tool)}\` is left out of the list of tools: ${why}`)
    if (index % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve))
  }
  if (shown.length === tools.length) return message.bytes
  const result = message.result as JsonObject
  return encode({ ...message.value, result: { ...result, tools: shown } })
}

interface Listed {
  readonly tool: JsonObject
  /** Null where no call of it can be read. */
  readonly call: ToolCall | null
}

async function learn(listed: readonly Listed[], { parts, side }: Shared): Promise<void> {
  try {
    const offered = await parts.learn(listed.flatMap(({ call }) => call ?? []))
    for (const tool of offered) if (tool.news && tool.state !== 'pinned') parts.note(noteOf(tool))
  } catch (error) {
    // Without a store no call of them runs, either.
    parts.note(`what \`${side.server}\` offers could not be kept: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function nameOf(tool: JsonObject): string {
  const name = own(tool, 'name')
  return typeof name === 'string' ? name : ''
}

/** A call of the tool without arguments; null where no call of it can be read. */
function emptyCall(tool: JsonObject, request: Request, { parts, side, catalog }: Shared): ToolCall | null {
  const definition: ToolDefinition = catalog.definitionOf(nameOf(tool)) ?? catalog.definitionIn(tool)
  const asked: Request = { ...request, params: { name: own(tool, 'name') ?? null } }
  const read = toolCallOf(asked, { side, definition, digester: parts.digester, callId: 'list' })
  return read.ok ? read.call : null
}

interface Showing {
  readonly policy: Policy
  readonly shared: Shared
}

async function hiddenWhy(tool: JsonObject, call: ToolCall, { policy, shared: { parts, catalog } }: Showing): Promise<string | null> {
  if (catalog.isAmbiguous(nameOf(tool))) return 'two tools have this name'
  const [hidden] = parts.inspect(tool).filter(({ rule }) => rule === 'hidden' || rule === 'canary')
  if (hidden !== undefined) return hidden.message
  const { findings } = await parts.consider(call)
  const always = findings.find((finding) => isDenial(finding) && (ALWAYS.has(finding.code) || isUnconditional(finding, policy)))
  return always === undefined ? null : `${always.message} (${always.code})`
}

function isDenial({ verdict }: Finding): boolean {
  return verdict === 'deny' || verdict === 'halt'
}

/** A rule that asks nothing of the arguments. */
function isUnconditional({ layer, rule }: Finding, { rules }: Policy): boolean {
  if (layer !== 'rules') return false
  const found = rules.all.find(({ id, kind }) => id === rule && kind === 'deny')
  return found !== undefined && found.filters.always && found.filters.argumentContains === null
}

function noteOf({ tool, digest, state, details }: Awaited<ReturnType<Shared['parts']['learn']>>[number]): string {
  const more = details.length === 0 ? '' : ` (${details.join(', ')})`
  const accept = `look at it with \`countersign pins show ${tool}\`, and accept it with \`countersign pins accept ${tool} ${digest}\``
  if (state === 'changed') return `\`${tool}\` is not what it was${more}; ${accept}`
  if (state === 'lookalike') return `\`${tool}\` can be taken for \`${details[0] ?? ''}\`; ${accept}`
  return `\`${tool}\` is new; ${accept}`
}
