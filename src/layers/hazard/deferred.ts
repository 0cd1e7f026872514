/** Hazards in what the call writes for later: marked where it is written, asked about where it can only be meant badly. */
import type { Code } from '../../core/codes.ts'
import type { Finding } from '../../core/finding.ts'
import { enforced } from '../../core/verdict.ts'
import type { Effect } from '../../facts/effect.ts'
import type { DeferredFact, Facts } from '../../facts/facts.ts'
import type { SessionState } from '../../session/state.ts'
import { finding, spanJson } from '../finding.ts'
import { isTargetKnown } from './packs/match.ts'
import type { ActiveRule, RulesFor } from './rule-index.ts'

/** What a reviewer wants to see in a file that runs where the user works. */
const ON_HOST: ReadonlySet<Code> = new Set<Code>([
  'hazard.remote_code',
  'hazard.hidden_code',
  'hazard.reverse_shell',
  'hazard.credential_access',
  'hazard.exfiltration',
  'hazard.persistence',
  'hazard.privilege',
  'hazard.security_disabled',
  'hazard.denial_of_service',
  'hazard.destruction',
  'hazard.payment',
])
/** Inside of an image the machine is a throw-away one: only what comes in and goes out counts. */
const IN_IMAGE: ReadonlySet<Code> = new Set<Code>([
  'hazard.remote_code',
  'hazard.hidden_code',
  'hazard.reverse_shell',
  'hazard.exfiltration',
  'hazard.denial_of_service',
])
/** What every build and its cleaning does; it is asked about when it runs. */
const EVERYDAY: ReadonlySet<string> = new Set([
  'delete-unknown',
  'delete-workspace',
  'delete-temporary',
  'delete-directory',
  'delete-outside',
])

/** Settings in a file choose where packages come from, and who is believed, as variables do. */
const LEADS_AWAY: ReadonlySet<string> = new Set(['redirected-service', 'insecure-transport'])

/** Rules that nothing harmless meets, wherever the text is. */
const GRAVE: ReadonlySet<string> = new Set(['send-credential', 'reverse-shell'])
/** The same where the user's own files are. */
const GRAVE_ON_HOST: ReadonlySet<string> = new Set([...GRAVE, 'delete-root', 'destroy-device'])

/** What is asked about when it is written, where nobody decides about it when it runs: what is pushed to another machine, too. */
const UNSEEN_LATER: ReadonlySet<Code> = new Set<Code>([
  'hazard.remote_code',
  'hazard.hidden_code',
  'hazard.reverse_shell',
  'hazard.exfiltration',
])

interface Judging {
  readonly rulesFor: RulesFor
  /** What runs later does not come to the gate. */
  readonly asks: boolean
}

/** One finding for each file and rule. */
export function deferredFindings(facts: Facts, state: SessionState, { rulesFor, asks }: Judging): readonly Finding[] {
  return (facts.deferred ?? []).flatMap((file) => {
    const inner: Facts = { ...facts, effects: file.effects, commands: [], secrets: [] }
    const met = new Map<ActiveRule, Effect>()
    for (const effect of file.effects) {
      for (const active of rulesFor(effect)) {
        if (counts(active, file, effect) && !met.has(active) && (active.rule.when?.(effect, inner, state) ?? true)) met.set(active, effect)
      }
    }
    return [...met].map(([active, effect]) => violation(active, { effect, file, asks }))
  })
}

function counts({ rule }: ActiveRule, { ground, watched }: DeferredFact, effect: Effect): boolean {
  if (rule.level === 'advisory') return false
  if (watched !== undefined) return ON_HOST.has(rule.code) && isTargetKnown(effect)
  if (EVERYDAY.has(rule.id)) return false
  return ground === 'host' ? ON_HOST.has(rule.code) || LEADS_AWAY.has(rule.id) : IN_IMAGE.has(rule.code)
}

interface Written {
  readonly effect: Effect
  readonly file: DeferredFact
  readonly asks: boolean
}

function violation({ rule, level }: ActiveRule, { effect, file, asks }: Written): Finding {
  const away = file.pushed === true && UNSEEN_LATER.has(rule.code) && isTargetKnown(effect)
  const listed = (file.ground === 'host' ? GRAVE_ON_HOST : GRAVE).has(rule.id)
  const unseen = asks && UNSEEN_LATER.has(rule.code)
  const grave = (listed || away || unseen) && effect.certainty !== 'possible' && level !== 'advisory'
  const { target } = effect
  const { watched } = file
  const when = watched === undefined ? 'when it is run' : `at once, since \`${watched}\` runs what changes there`
  return finding({
    layer: 'hazard',
    rule: rule.id,
    verdict: watched !== undefined ? enforced(level) : grave ? 'ask' : 'flag',
    code: rule.code,
    message: `writes \`${file.path}\` (${file.format}), which ${rule.reason} ${when}: ${effect.action ?? effect.verb} of \`${target.value}\``,
    advice: grave || watched !== undefined ? rule.advice : null,
    evidence: { verb: effect.verb, action: effect.action, target: target.value, written: file.path, span: spanJson(null) },
  })
}
