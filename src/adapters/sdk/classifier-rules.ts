/** A classifier's rules as a policy, and those with predicates as rules in code. */
import type { ToolCall } from '../../core/call.ts'
import type { JsonObject } from '../../core/json.ts'
import { HAZARD_RULES } from '../../layers/hazard/index.ts'
import type { CodeRule } from '../../layers/rules/code.ts'
import { VOCABULARY } from '../../open.ts'
import { compilePolicy } from '../../policy/compile.ts'
import { formatPolicyError } from '../../policy/errors.ts'
import { sha256 } from '../../policy/file.ts'
import type { Policy } from '../../policy/policy.ts'
import { argumentText } from '../../policy/reading/input.ts'

export interface ApprovalRequest {
  readonly toolName: string
  readonly arguments: JsonObject
  readonly callerUserId?: string | null
  readonly agentId?: string | null
  readonly sessionId?: string | null
}

/** Every filter that is given must hold; a rule without filters matches every call. */
export interface ApprovalRule {
  readonly tool?: string
  readonly argumentContains?: string
  readonly user?: string
  readonly predicate?: (request: ApprovalRequest) => boolean | Promise<boolean>
  readonly reason?: string
}

export interface RuleOptions {
  readonly allowRules?: readonly ApprovalRule[]
  readonly denyRules?: readonly ApprovalRule[]
  readonly askRules?: readonly ApprovalRule[]
  /** `first-match` gives the order of Promptise up to 1.2.1, where an allow hides denies. Default `severity`. */
  readonly order?: 'severity' | 'first-match'
  /** Default true. */
  readonly readOnlyAutoAllow?: boolean
  /**
   * Name prefixes that you vouch for; `default` is the fifteen of Promptise. Default none, as in a policy: a name alone permits
   * nothing. Names never outweigh what a call does.
   */
  readonly readOnlyPrefixes?: 'default' | readonly string[]
  /** Milliseconds that one predicate may take; then it counts as one that threw. Default 5000. */
  readonly predicateTimeoutMs?: number
  /** Which dangerous effects stop a call that a rule permits: those that are denied (the default), those that are asked about, too, or none. */
  readonly hazards?: 'denied' | 'asked' | 'none'
}

const KINDS = [
  ['deny', 'denyRules'],
  ['ask', 'askRules'],
  ['allow', 'allowRules'],
] as const

/** Rules with a predicate; their other filters are asked first, so that the predicate sees only what they let through. */
export function codeRules(options: RuleOptions): readonly CodeRule[] {
  return KINDS.flatMap(([kind, key]) =>
    (options[key] ?? []).flatMap((rule, index): readonly CodeRule[] => {
      const { predicate } = rule
      if (predicate === undefined) return []
      return [
        {
          id: `${kind}[${index}]`,
          kind,
          ...(rule.tool === undefined || rule.tool === '' ? {} : { tool: rule.tool }),
          reason: rule.reason ?? `matched ${kind} rule`,
          predicate: async (call) => holds(rule, call) && (await inTime(predicate(requestOf(call)), options.predicateTimeoutMs ?? 5_000)),
        },
      ]
    }),
  )
}

/** @throws where nothing came in time. */
export async function inTime<T>(work: T | Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function holds({ user, argumentContains }: ApprovalRule, { principal, args }: ToolCall): boolean {
  if (user !== undefined && user !== '' && user !== principal.user) return false
  return argumentContains === undefined || argumentText(args).includes(argumentContains)
}

export function policyOf(options: RuleOptions): Policy {
  const written = (rules: readonly ApprovalRule[] | undefined, kind: string) =>
    (rules ?? []).flatMap((rule) =>
      rule.predicate !== undefined
        ? []
        : [
            {
              ...(rule.tool === undefined || rule.tool === '' ? {} : { tool: rule.tool }),
              ...(rule.user === undefined || rule.user === '' ? {} : { user: rule.user }),
              ...(rule.argumentContains === undefined || rule.argumentContains === '' ? {} : { argument_contains: rule.argumentContains }),
              reason: rule.reason ?? `matched ${kind} rule`,
            },
          ],
    )
  const prefixes = options.readOnlyPrefixes
  const text = JSON.stringify({
    version: 1,
    default: 'ask',
    rules: {
      order: options.order ?? 'severity',
      deny: written(options.denyRules, 'deny'),
      ask: written(options.askRules, 'ask'),
      allow: written(options.allowRules, 'allow'),
      read_only: {
        auto_allow: options.readOnlyAutoAllow ?? true,
        ...(prefixes === undefined ? {} : { prefixes }),
      },
    },
    hazards: hazardsOf(options.hazards ?? 'denied'),
  })
  const compiled = compilePolicy(text, { path: null, sha256, vocabulary: VOCABULARY })
  if (compiled.ok) return compiled.policy
  throw new TypeError(compiled.errors.map(formatPolicyError).join('\n'))
}

function hazardsOf(choice: NonNullable<RuleOptions['hazards']>): JsonObject {
  if (choice === 'asked') return {}
  if (choice === 'none') return { packs: [] }
  return { rules: Object.fromEntries(HAZARD_RULES.filter(({ level }) => level !== 'hard').map(({ id }) => [id, 'off'])) }
}

function requestOf({ tool, args, principal, session }: ToolCall): ApprovalRequest {
  return { toolName: tool.name, arguments: args, callerUserId: principal.user, agentId: principal.agent, sessionId: session }
}
