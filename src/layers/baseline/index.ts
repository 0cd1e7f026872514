/** How far a call is from what its role does: flagged, or asked about once the role is known. It raises, and lowers nothing. */

import { observationJson } from '../../baseline/lesson.ts'
import { observe } from '../../baseline/observe.ts'
import { explain, roleText } from '../../baseline/words.ts'
import type { RoleBaseline, Surprise, Term } from '../../core/behaviour.ts'
import type { Code } from '../../core/codes.ts'
import type { Finding } from '../../core/finding.ts'
import type { BaselineSection } from '../../policy/baseline/model.ts'
import { finding } from '../finding.ts'
import type { Layer } from '../layer.ts'

const MAX_PARTS = 4

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
    const observed = section.learns ? [observation(section, { known, surprise, terms })] : []
    return raised === null ? observed : [...observed, raised]
  },
}

function isWatched({ roles }: BaselineSection, role: string | null): boolean {
  return roles === null || (role !== null && roles.has(role))
}

/** What the log keeps, so that it can be learned from. It says nothing of the call. */
function observation({ warmUp }: BaselineSection, { known: { role, sessions }, surprise: { bits }, terms }: Observed): Finding {
  const cold = sessions < warmUp ? `; cold start, ${sessions} of ${warmUp} sessions` : ''
  return finding({
    layer: 'baseline',
    rule: 'observed',
    verdict: 'abstain',
    code: 'baseline.observed',
    message: `${roleText(role)}: ${bits.toFixed(1)} bits${cold}`,
    evidence: observationJson(role, terms, bits),
  })
}

interface Observed {
  readonly known: RoleBaseline
  readonly surprise: Surprise
  readonly terms: readonly Term[]
}

function raisedBy({ flagAt, askAt, warmUp }: BaselineSection, known: RoleBaseline, surprise: Surprise): Finding | null {
  const { bits, withoutOrder } = surprise
  const cold = known.sessions < warmUp
  if (!cold && askAt !== null && withoutOrder >= askAt) return unusual(known, surprise, { verdict: 'ask', code: 'baseline.asked', warmUp })
  if (flagAt === null || bits < flagAt) return null
  return unusual(known, surprise, { verdict: 'flag', code: cold ? 'baseline.cold' : 'baseline.unusual', warmUp })
}

interface Raised {
  readonly verdict: 'flag' | 'ask'
  readonly code: Code
  /** Sessions after which the role is known. */
  readonly warmUp: number
}

function unusual(known: RoleBaseline, surprise: Surprise, { verdict, code, warmUp }: Raised): Finding {
  const { role, sessions, version } = known
  const against = version === null ? '' : ` (held to ${version})`
  const cold = sessions < warmUp ? `; only ${sessions} of ${warmUp} sessions are known, so it is no more than flagged` : ''
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
      parts: surprise.parts
        .slice(0, MAX_PARTS)
        .map(({ unit, context, value, bits, seen, of }) => ({ unit, context, value, bits, seen, of })),
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
    message:
      'what was learned of the role is not signed by this gate or cannot be read: `countersign baseline learn --rebuild` learns it again',
  })
}
