/** Compiles policies for tests, with real parts and small vocabularies. */
import type { ToolCall } from '../../core/call.ts'
import type { Json, JsonObject } from '../../core/json.ts'
import type { Facts } from '../../facts/facts.ts'
import { families, familyNames, runsCommands } from '../../facts/tools/index.ts'
import { type CompileOptions, type CompileResult, compilePolicy } from '../compile.ts'
import { formatPolicyError } from '../errors.ts'
import { sha256 } from '../file.ts'
import type { Policy } from '../policy.ts'

export const VOCABULARY: CompileOptions['vocabulary'] = {
  families: families(),
  packs: new Map([
    ['core', ['destruction', 'code']],
    ['destruction', ['destruction']],
    ['code', ['code']],
  ]),
  hazards: ['destruction.recursive', 'code.remote'],
  layers: ['integrity', 'registry', 'rules', 'hazard'],
  runsCommands,
  toolNames: familyNames,
}

export const OPTIONS: CompileOptions = {
  path: 'countersign.yaml',
  sha256,
  vocabulary: VOCABULARY,
}

export function compile(text: string, options: Partial<CompileOptions> = {}): CompileResult {
  return compilePolicy(text, { ...OPTIONS, ...options })
}

/** The texts of last, as tests hold one policy against many calls: to compile it takes longer than to judge by it. */
const KEPT = new Map<string, Policy>()
const MAX_KEPT = 16

/** The policy; a text that does not compile fails the test with its errors. */
export function policy(text: string, options?: Partial<CompileOptions>): Policy {
  const kept = options === undefined ? KEPT.get(text) : undefined
  if (kept !== undefined) return kept
  const result = compile(text.startsWith('version') ? text : `version: 1\n${text}`, options)
  if (!result.ok) throw new Error(result.errors.map(formatPolicyError).join('\n'))
  if (options !== undefined) return result.policy
  const [oldest = ''] = KEPT.size < MAX_KEPT ? [] : KEPT.keys()
  KEPT.delete(oldest)
  KEPT.set(text, result.policy)
  return result.policy
}

/** The errors as people read them. */
export function errorsOf(text: string, options: Partial<CompileOptions> = {}): string {
  const result = compile(text, options)
  return result.ok ? 'no errors' : result.errors.map(formatPolicyError).join('\n')
}

export interface CallParts {
  readonly server?: string | null
  readonly args?: JsonObject
  readonly user?: string | null
  readonly role?: string | null
  readonly chain?: readonly string[]
  readonly annotations?: JsonObject
}

export function call(name: string, parts: CallParts = {}): ToolCall {
  const { annotations } = parts
  return {
    tool: { server: parts.server ?? null, name, definition: null },
    args: parts.args ?? (Object.create(null) as Record<string, Json>),
    principal: { agent: null, role: parts.role ?? null, user: parts.user ?? null, tenant: null, chain: parts.chain ?? [] },
    session: null,
    cwd: null,
    context: { task: null, recent: [] },
    definition: annotations === undefined ? null : { description: null, inputSchema: null, annotations },
    approval: null,
    callId: null,
  }
}

/** Facts of a call nobody could say anything of, with what the test adds. */
export function facts(parts: Partial<Facts> = {}): Facts {
  return {
    tool: { family: null, name: 'tool' },
    effects: [],
    commands: [],
    hidden: [],
    secrets: [],
    canaries: [],
    scripts: [],
    coverage: 'partial',
    ...parts,
  }
}
