/** How far a call is from what its role does: flagged, or asked about once the role is known. It raises, and lowers nothing. */
import { explain, roleText } from '../../baseline/words.ts'
import { observationJson } from '../../baseline/lesson.ts'
import { observe } from '../../baseline/observe.ts'
import type { RoleBaseline, Surprise } from '../../core/behaviour.ts'
import type { Code } from '../../core/codes.ts'
import type { Finding } from '../../core/finding.ts'
import type { BaselineSection } from '../../policy/baseline/model.ts'
import { finding } from '../finding.ts'
import type { Layer } from '../layer.ts'

const MOST_PARTS = 4

export const baseline: Layer = {
  name: 'baseline',
  onError: 'ask',
  evaluate: ({ call, facts, policy, state }): readonly Finding[] => {
    const { baseline: section } = policy
    if (section === null || !isWatched(section, call.principal.role)) return []
    const known = state.baseline()
    if (known === null) return []
    if (known === 'unreadable') return [unreadable(section)]
    const steps = state.memory()?.memory.steps ?? null
    const terms = observe(call, facts, { previous: known.previous, steps })
    const surprise = known.surprise(terms)
    const raised = raisedBy(section, known, surprise)
    const observed = section.learns ? [observation(known, surprise, observationJson(known.role, terms, surprise.bits))] : []
    return raised === null ? observed : [...observed, raised]
  },
}

function isWatched({ roles }: BaselineSection, role: string | null): boolean {
  return roles === null || (role !== null && roles.has(role))
}

/** What the log keeps, so that it can be learned from. It says nothing of the call. */
function observation({ role, sessions, needed }: RoleBaseline, { bits }: Surprise, evidence: Finding['evidence']): Finding {
  const cold = sessions < needed ? `; cold start, ${sessions} of ${needed} sessions` : ''
  return finding({
    layer: 'baseline',
    rule: 'observed',
    verdict: 'abstain',
    code: 'baseline.observed',
    message: `${roleText(role)}: ${bits.toFixed(1)} bits${cold}`,
    evidence,
  })
}

function raisedBy({ flagAt, askAt }: BaselineSection, known: RoleBaseline, surprise: Surprise): Finding | null {
  const { bits, withoutOrder } = surprise
  const cold = known.sessions < known.needed
  if (!cold && askAt !== null && withoutOrder >= askAt) return unusual(known, surprise, { verdict: 'ask', code: 'baseline.asked' })
  if (flagAt === null || bits < flagAt) return null
  return unusual(known, surprise, { verdict: 'flag', code: cold ? 'baseline.cold' : 'baseline.unusual' })
}

interface Raised {
  readonly verdict: 'flag' | 'ask'
  readonly code: Code
}

function unusual(known: RoleBaseline, surprise: Surprise, { verdict, code }: Raised): Finding {
  const { role, sessions, needed, version } = known
  const against = version === null ? '' : ` (held to ${version})`
  const cold = sessions < needed ? `; only ${sessions} of ${needed} sessions are known, so it is no more than flagged` : ''
  return finding({
    layer: 'baseline',
    rule: 'surprise',
    verdict,
    code,
    message: `${surprise.bits.toFixed(1)} bits from what ${roleText(role)} does${against}: ${explain(surprise)}${cold}`,
    evidence: {
      role,
      bits: surprise.bits,
      version,
      sessions,
      parts: surprise.parts.slice(0, MOST_PARTS).map(({ unit, context, value, bits, seen, of }) => ({ unit, context, value, bits, seen, of })),
    },
    resolvers: verdict === 'ask' ? ['judge', 'human'] : [],
  })
}

/** Somebody changed what was learned, or another version of this program wrote it. */
function unreadable({ askAt }: BaselineSection): Finding {
  return finding({
    layer: 'baseline',
    rule: 'unreadable',
    verdict: askAt === null ? 'flag' : 'ask',
    code: 'baseline.unreadable',
    message: 'what was learned of the role is not signed by this gate or cannot be read: `countersign baseline learn --rebuild` learns it again',
  })
}
