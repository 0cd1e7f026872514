/** What a judge says, in either of the two forms there are; and that it said nothing, which is never a verdict. */
import type { Code } from '../core/codes.ts'

/** One aspect with a score of its own. */
export interface Signal {
  readonly category: string
  readonly score: number
  readonly message: string
}

/** AEGIS's `GradientResult`; both numbers are from 0 to 1. */
export interface Gradient {
  readonly score: number
  readonly confidence: number
  readonly reasoning: string
  readonly signals: readonly Signal[]
}

export const RISK_LEVELS = ['low', 'medium', 'high', 'critical'] as const
export type RiskLevel = (typeof RISK_LEVELS)[number]

export const RISK_CATEGORIES = [
  'command_injection',
  'path_traversal',
  'data_exposure',
  'privilege_escalation',
  'destructive_operation',
  'unauthorized_network_access',
  'scope_violation',
] as const

/** Fullsend's verdict. */
export interface Risk {
  readonly level: RiskLevel
  /** Null where nothing is wrong. */
  readonly category: (typeof RISK_CATEGORIES)[number] | null
  /** One sentence. */
  readonly reason: string
}

/** Either form, or both: then the worse holds (T52). */
export interface Answer {
  readonly gradient: Gradient | null
  readonly risk: Risk | null
}

/** Why there is no answer: each reason has its own code, and none of them is a rejection. */
export type NoAnswerCode = Extract<
  Code,
  | 'judge.unavailable'
  | 'judge.malformed'
  | 'judge.refused'
  | 'judge.over_budget'
  | 'judge.same_family'
  | 'judge.depth'
  | 'judge.sandbox'
  | 'judge.steps'
  | 'timeout.judge'
>

export class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
  readonly code: NoAnswerCode

  constructor(code: NoAnswerCode, message: string) {
    super(message)
    this.code = code
  }
}
