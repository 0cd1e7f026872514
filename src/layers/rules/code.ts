/** Rules whose condition is a function of the host program. It may be asynchronous, so it is asked before the gate judges. */
import type { ToolCall } from '../../core/call.ts'
import type { Finding } from '../../core/finding.ts'
import { compileToolPattern, type ToolPattern } from '../../policy/glob.ts'
import { finding } from '../finding.ts'
import type { Layer } from '../layer.ts'

export interface CodeRule {
  /** Name of the rule in findings. */
  readonly id: string
  readonly kind: 'deny' | 'ask' | 'allow'
  /** Pattern on the tool name or `server/name`; default every tool. */
  readonly tool?: string
  readonly reason?: string
  /** True where the rule matches. A predicate that throws or rejects never opens: it counts as matched, at least as an ask (T13, PRO-6c). */
  readonly predicate: (call: ToolCall) => boolean | Promise<boolean>
}

type Answer = { readonly matched: boolean } | { readonly failed: string }

export interface CodeRules {
  readonly layer: Layer
  /** Asks every rule that names the tool; to be awaited before `gate.decide` is called with this very call. */
  readonly prepare: (call: ToolCall) => Promise<void>
}

interface Compiled {
  readonly rule: CodeRule
  readonly pattern: ToolPattern | null
}

/** @throws {SyntaxError} for a tool pattern that cannot be compiled. */
export function createCodeRules(rules: readonly CodeRule[]): CodeRules {
  const compiled = rules.map((rule): Compiled => {
    const strict = rule.kind === 'allow'
    return { rule, pattern: rule.tool === undefined ? null : compileToolPattern(rule.tool, { strict }) }
  })
  const answered = new WeakMap<ToolCall, ReadonlyMap<CodeRule, Answer>>()
  const named = ({ tool }: ToolCall) => compiled.filter(({ pattern }) => pattern === null || pattern.matches(tool.server, tool.name))
  return {
    layer: {
      name: 'code-rules',
      onError: 'deny',
      evaluate: ({ call }) => named(call).flatMap(({ rule }) => judged(rule, answered.get(call)?.get(rule))),
    },
    prepare: async (call) => {
      const answers = await Promise.all(named(call).map(async ({ rule }) => [rule, await ask(rule, call)] as const))
      answered.set(call, new Map(answers))
    },
  }
}

async function ask(rule: CodeRule, call: ToolCall): Promise<Answer> {
  try {
    // Only `true` is a match: an object or a text that a careless predicate returns is not.
    return { matched: (await rule.predicate(call)) === true }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}

const CODES = { deny: 'rules.denied', ask: 'rules.asked', allow: 'rules.allowed' } as const

function judged(rule: CodeRule, answer: Answer | undefined): readonly Finding[] {
  const base = { layer: 'code-rules', rule: rule.id, evidence: { kind: rule.kind } }
  if (answer !== undefined && 'matched' in answer) {
    if (!answer.matched) return []
    const message = rule.reason ?? `matched ${rule.kind} rule \`${rule.id}\``
    return [finding({ ...base, verdict: rule.kind, code: CODES[rule.kind], message, resolvers: ['human'] })]
  }
  const detail = answer === undefined ? 'it was not asked before the call was judged' : answer.failed
  const message = `the ${rule.kind} rule \`${rule.id}\` cannot be evaluated on this call: ${detail}`
  return [finding({ ...base, verdict: rule.kind === 'deny' ? 'deny' : 'ask', code: 'rules.error', message, resolvers: ['human'] })]
}
