/** What the policy says of judges: who they are, where they stand as gates, and which tools they need not see. */
import type { ToolPattern } from './glob.ts'
import type { Calibration } from './judge-evidence.ts'

export const JUDGE_PROVIDERS = ['anthropic', 'openai', 'http', 'command', 'function', 'embedded', 'tribunal'] as const
export type JudgeProvider = (typeof JUDGE_PROVIDERS)[number]

export interface JudgesSection {
  readonly named: ReadonlyMap<string, JudgePolicy>
  /** Every one that a call meets must accept it, in order. */
  readonly gates: readonly JudgeGate[]
  readonly skip: readonly JudgeSkip[]
}

export interface JudgePolicy {
  readonly name: string
  readonly provider: JudgeProvider
  readonly model: string | null
  /** Where it listens; null: the provider's own address. */
  readonly url: string | null
  /** Name of the variable that holds its key; the key itself is never in a policy. */
  readonly apiKeyEnv: string | null
  /** Program and arguments; no shell reads them. */
  readonly command: readonly string[]
  /** The two of a tribunal. */
  readonly members: readonly string[]
  readonly criteria: string
  readonly minScore: number
  readonly minConfidence: number
  readonly timeoutMs: number
  /** What no answer counts as; null: deny as a gate, ask as a resolver (D4). */
  readonly onError: 'ask' | 'deny' | null
  /** Signals with the score that each needs, whatever the whole scores. */
  readonly veto: ReadonlyMap<string, number>
  /** Layers whose asks it may settle; empty: none. */
  readonly resolves: ReadonlySet<string>
  /** Whether an ask about what cannot be undone may be settled by it. */
  readonly permits: 'reversible' | 'any'
  /** Of model family `claude`, `gpt`, …; null: told from the model. */
  readonly family: string | null
  readonly allowSameFamily: boolean
  /** Share of calls that it sees as a gate, from 0 to 1, and tools of which it sees every call. */
  readonly sample: number
  readonly always: readonly ToolPattern[]
  readonly budget: { readonly perSession: number | null; readonly perDay: number | null }
  readonly recentCalls: number
  /** Bytes of UTF-8 up to which it is shown all of a call. */
  readonly maxPayloadBytes: number
  /** Turns its figures into probabilities before the thresholds; null: they are used as they are. */
  readonly calibration: Calibration | null
}

/** One entry of `tool_validation`. */
export interface JudgeGate {
  readonly judge: string
  readonly criteria: string | null
  readonly minScore: number | null
  readonly minConfidence: number | null
  readonly timeoutMs: number | null
}

export interface JudgeSkip {
  readonly text: string
  /** Of the tool and of its server: a bare name is a tool of the host (AEG-W4). */
  readonly matches: (server: string | null, name: string) => boolean
  /** True where it also holds for calls that change something. */
  readonly changes: boolean
}

/** What fields that are left out mean, as in AEGIS; the time is in milliseconds. */
export const JUDGE_DEFAULTS = { minScore: 0.7, minConfidence: 0, timeoutMs: 300_000, maxPayloadBytes: 65_536 } as const

const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/claude|anthropic/i, 'claude'],
  [/gpt|codex|openai|^o[134](?:-|$)/i, 'gpt'],
  [/gemini|gemma|google/i, 'gemini'],
  [/llama/i, 'llama'],
  [/mistral|mixtral|codestral/i, 'mistral'],
  [/qwen/i, 'qwen'],
  [/deepseek/i, 'deepseek'],
  [/grok/i, 'grok'],
]

/** The family of a model or of an agent that is built on one; null where the name does not tell. */
export function familyOf(name: string | null): string | null {
  if (name === null) return null
  return FAMILIES.find(([pattern]) => pattern.test(name))?.[1] ?? null
}
