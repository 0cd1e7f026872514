/** What the policy says of judges: who they are, where they stand as gates, and which tools they need not see. */
import type { ToolPattern } from './glob.ts'
import type { Calibration } from './judge-evidence.ts'

export const JUDGE_PROVIDERS = ['anthropic', 'openai', 'google', 'ai-sdk', 'http', 'command', 'function', 'embedded', 'tribunal'] as const
export type JudgeProvider = (typeof JUDGE_PROVIDERS)[number]

/** Those whose models can ask for tools, over a wire that we speak ourselves. */
export const MODEL_PROVIDERS: ReadonlySet<JudgeProvider> = new Set<JudgeProvider>(['anthropic', 'openai', 'google'])

/** By the names of AEGIS. */
export const JUDGE_TOOLS = ['read_file', 'grep', 'ast_grep.search', 'cmd.run'] as const
export type JudgeTool = (typeof JUDGE_TOOLS)[number]

/** What a judge may use to look around before it answers: in a sandbox only, which shows it files and lets it change none. */
export interface JudgeToolsPolicy {
  readonly allow: readonly JudgeTool[]
  /** What `cmd.run` may run: words that must be exactly these; a last `*` stands for any more of them. */
  readonly commands: readonly (readonly string[])[]
  /** Directories that it sees; empty: the one that the call comes from. */
  readonly mounts: readonly string[]
  /** Directories with programs besides the system's. */
  readonly programs: readonly string[]
  /** True: commands run on a throw-away copy of the mounts. */
  readonly copy: boolean
  /** How often it may ask for tools before it must answer. */
  readonly maxSteps: number
  /** For each use of a tool. */
  readonly timeoutMs: number
  readonly memoryBytes: number
  readonly outputBytes: number
  /** For copies and temporary files. */
  readonly spaceBytes: number
}

export const JUDGE_TOOL_DEFAULTS = {
  maxSteps: 8,
  timeoutMs: 60_000,
  memoryBytes: 2_048 * 1_048_576,
  outputBytes: 32 * 1_024,
  spaceBytes: 512 * 1_048_576,
} as const

export interface JudgesSection {
  readonly named: ReadonlyMap<string, JudgePolicy>
  /** Every one that a call meets must accept it, in order. */
  readonly gates: readonly JudgeGate[]
  readonly skip: readonly JudgeSkip[]
  /** Those that only advise, in the order of the policy. */
  readonly advisers: readonly JudgePolicy[]
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
  /** Null: nobody said what it costs, and no cost is recorded. */
  readonly price: JudgePrice | null
  /** In the currency of `price`: what it may have cost at most when it is asked once more. */
  readonly maxCost: { readonly perSession: number | null; readonly perDay: number | null }
  /** Headers, and the variables that hold their values. */
  readonly headersEnv: ReadonlyMap<string, string>
  readonly recentCalls: number
  /** Bytes of UTF-8 up to which it is shown all of a call. */
  readonly maxPayloadBytes: number
  /** Turns its figures into probabilities before the thresholds; null: they are used as they are. */
  readonly calibration: Calibration | null
  /** Null: it has none. */
  readonly tools: JudgeToolsPolicy | null
  /** How long an answer is used again for the same question; null: never. */
  readonly cache: { readonly ms: number; readonly irreversible: boolean } | null
  /** True: the answer is read while it is written. */
  readonly stream: boolean
  /** Null: the model's own. */
  readonly temperature: number | null
  /** `shadow`: what it says is recorded and changes nothing. */
  readonly mode: 'enforce' | 'shadow'
  /** Where it only advises: what it rejects is flagged, and anything else changes nothing (Role OS's consult). */
  readonly advises: ReadonlySet<'contract'>
  /** Of `ai-sdk`: the package that provides the model, and the name that it exports it under. */
  readonly module: { readonly name: string; readonly export: string } | null
}

/** In any currency: of a million tokens that are read, of a million that are written, and of each call. */
export interface JudgePrice {
  readonly input: number
  readonly output: number
  readonly call: number
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

/** Of the words that models are asked with: other words are another judge, with other answers. A test holds it to them. */
export const PROMPT_VERSION = 4

/** The statistical model that ships with this version. A test holds it to its weights. */
export const EMBEDDED_MODEL = 'embedded/1-f3cf2fc18192'

/** What fields that are left out mean, as in AEGIS; the time is in milliseconds. */
export const JUDGE_DEFAULTS = { minScore: 0.7, minConfidence: 0, timeoutMs: 300_000, maxPayloadBytes: 65_536 } as const

const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/claude|anthropic|\b(?:opus|sonnet|haiku)\b/i, 'claude'],
  [/gpt|codex|openai|^o\d(?:-|$)/i, 'gpt'],
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

/** Who makes the models that are asked at their own address. */
const MAKERS: ReadonlyMap<JudgeProvider, string> = new Map<JudgeProvider, string>([
  ['anthropic', 'claude'],
  ['openai', 'gpt'],
  ['google', 'gemini'],
])

/** The family of a judge: as the policy says, by its model, or by who is asked; null where nothing tells. */
export function familyOfJudge({ family, model, provider, url }: Pick<JudgePolicy, 'family' | 'model' | 'provider' | 'url'>): string | null {
  return family ?? familyOf(model) ?? (url === null ? (MAKERS.get(provider) ?? null) : null)
}
