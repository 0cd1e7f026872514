import type { Code } from '../core/codes.ts'
import type { Span } from '../core/effect.ts'
import type { Finding, ResolverKind } from '../core/finding.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Verdict } from '../core/verdict.ts'

export interface FindingOptions {
  readonly layer: string
  readonly rule: string
  readonly verdict: Verdict
  readonly code: Code
  readonly message: string
  readonly advice?: string | null
  readonly evidence?: JsonObject
  /** Default for an `ask`: a grant, a judge or a human; for anything else nobody. */
  readonly resolvers?: readonly ResolverKind[]
}

const ANYONE: readonly ResolverKind[] = ['grant', 'judge', 'human']

/** A finding with defaults. */
export function finding(options: FindingOptions): Finding {
  return {
    layer: options.layer,
    rule: options.rule,
    verdict: options.verdict,
    code: options.code,
    message: options.message,
    advice: options.advice ?? null,
    evidence: options.evidence ?? {},
    resolvers: options.verdict === 'ask' ? (options.resolvers ?? ANYONE) : [],
  }
}

/** A span as evidence. */
export function spanJson(span: Span | null): Json {
  return span === null ? null : { pointer: span.pointer, start: span.start, end: span.end }
}
