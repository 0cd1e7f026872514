/** Hazard packs: dangerous effects, whatever causes them. Which packs run, and at which level, is the policy's choice. */
import type { ToolCall } from '../../core/call.ts'
import type { Code } from '../../core/codes.ts'
import type { Finding } from '../../core/finding.ts'
import { own } from '../../core/json.ts'
import { type Enforcement, enforced } from '../../core/verdict.ts'
import { type Effect, resolvedName } from '../../facts/effect.ts'
import type { HazardsSection, Policy } from '../../policy/policy.ts'
import { isRegistered, isSpokenOf } from '../../policy/registered.ts'
import { finding, spanJson } from '../finding.ts'
import type { Layer, LayerInput } from '../layer.ts'
import { deferredFindings } from './deferred.ts'
import { PACKS } from './packs/index.ts'
import { byProject, isTargetKnown } from './packs/match.ts'
import type { HazardRule } from './rule.ts'
import { type ActiveRule, admits, indexRules, type RulesFor } from './rule-index.ts'

export const hazard: Layer = {
  name: 'hazard',
  onError: 'ask',
  evaluate: ({ call, facts, policy, state }: LayerInput): readonly Finding[] => {
    const rulesFor = activeRules(policy.hazards)
    const hits = new Map<ActiveRule, Hit>()
    for (const effect of facts.effects) {
      for (const active of rulesFor(effect)) {
        const before = hits.get(active)
        if (before !== undefined && before.level === active.level) continue
        if (isKnown(active.rule, call, policy)) continue
        const level = levelAt(active, effect)
        if (before === undefined || level === active.level)
          if (holds(active.rule, effect, { facts, state })) hits.set(active, { active, effect, level })
      }
    }
    const own = [...hits.values()]
      .sort((a, b) => a.active.place - b.active.place)
      .map(({ active, effect, level }) => violation(active.rule, level, effect))
    return facts.deferred === undefined
      ? own
      : [...own, ...deferredFindings(facts, state, { rulesFor, asks: policy.hazards.written === 'ask' })]
  },
}

/** The rule is about tools that the operator does not know, and this one the operator does. */
function isKnown({ unregistered }: HazardRule, call: ToolCall, policy: Policy): boolean {
  return unregistered !== undefined && (unregistered === 'unnamed' ? isSpokenOf : isRegistered)(call, policy)
}

/** What is known besides the effect. */
type Known = Pick<LayerInput, 'facts' | 'state'>

function holds(rule: HazardRule, effect: Effect, known: Known): boolean {
  if (!(rule.when?.(effect, known.facts, known.state) ?? true)) return false
  return rule.otherwise !== true || !SPECIFIC.some((other) => isAbout(other, effect, known))
}

/** Rules that an effect may be the business of: what the last pack marks, it marks of any. */
const SPECIFIC = PACKS.filter(({ name }) => name !== 'review').flatMap(({ rules }) => rules.filter(({ otherwise }) => otherwise !== true))

function isAbout(rule: HazardRule, effect: Effect, { facts, state }: Known): boolean {
  return admits(rule, effect.verb, effect.action) && (rule.when?.(effect, facts, state) ?? true)
}

/** A rule and the first effect that it is about. */
interface Hit {
  readonly active: ActiveRule
  readonly effect: Effect
  readonly level: Enforcement
}

/** What is asked about in code of the project that a program loads by itself, such as tests: they start servers and send to them all day. */
const IN_LOADED: ReadonlySet<Code> = new Set<Code>([
  'hazard.remote_code',
  'hazard.hidden_code',
  'hazard.reverse_shell',
  'hazard.credential_access',
  'hazard.exfiltration',
  'hazard.persistence',
  'hazard.privilege',
  'hazard.security_disabled',
  'hazard.destruction',
  'hazard.payment',
])

/** Of what the project itself does, that counts which can be told; the rest is marked. A level that the policy chose holds. */
function levelAt({ rule, level }: ActiveRule, effect: Effect): Enforcement {
  if (level !== rule.level || !byProject(effect)) return level
  const loaded = typeof own(effect.attributes, 'loaded') === 'string'
  return isTargetKnown(effect) && (!loaded || IN_LOADED.has(rule.code)) ? level : 'advisory'
}

/** A policy never changes once compiled, so which rules run, and at which level, is told once for each. */
const ACTIVE = new WeakMap<HazardsSection, RulesFor>()

function activeRules(section: HazardsSection): RulesFor {
  const known = ACTIVE.get(section)
  if (known !== undefined) return known
  const active = PACKS.filter(({ name }) => section.packs.has(name)).flatMap(({ rules }) =>
    rules.flatMap((rule) => {
      const level = levelOf(rule, section)
      return level === 'off' ? [] : [{ rule, level }]
    }),
  )
  const rulesFor = indexRules(active.map(({ rule, level }, place) => ({ rule, level, place })))
  ACTIVE.set(section, rulesFor)
  return rulesFor
}

/** Names a policy may use: every pack, and groups that stand for several. */
export const PACK_GROUPS: ReadonlyMap<string, readonly string[]> = new Map([
  ...PACKS.map((pack): [string, readonly string[]] => [pack.name, [pack.name]]),
  ['core', ['destruction', 'code', 'exfiltration', 'secrets', 'system', 'network', 'review']],
  ['cloud', ['outside']],
])

/** Every rule of every pack. */
export const HAZARD_RULES: readonly HazardRule[] = PACKS.flatMap((pack) => pack.rules)

function levelOf(rule: HazardRule, section: HazardsSection): Enforcement | 'off' {
  if (section.onlyNamed === true) return section.rules.get(rule.id) ?? 'off'
  return section.rules.get(rule.id) ?? section.enforcement ?? rule.level
}

function violation(rule: HazardRule, level: Enforcement, effect: Effect): Finding {
  const { target } = effect
  return finding({
    layer: 'hazard',
    rule: rule.id,
    verdict: enforced(level),
    code: rule.code,
    message: `${rule.reason}: ${saidOf(effect)}`,
    advice: rule.advice,
    evidence: {
      verb: effect.verb,
      action: effect.action,
      target: target.value,
      certainty: effect.certainty,
      reversible: effect.reversible,
      reason: effect.reason,
      span: spanJson(effect.span),
    },
  })
}

/** What happens to what; where no target is named, what could not be told. */
export function saidOf(effect: Effect): string {
  const { action, verb, target, reason } = effect
  const file = own(effect.attributes, 'project_file')
  const place = typeof file === 'string' ? ` (in \`${file}\`)` : ''
  return (target.value === '' && reason !== null ? reason : `${action ?? verb} of \`${resolvedName(target)}\``) + place
}
