import type { Finding } from '../../core/finding.ts'
import type { Facts } from '../../facts/facts.ts'
import { finding, spanJson } from '../finding.ts'

/** A canary token in the arguments means that somebody read what nobody should (FUL-9..13). The token is never repeated. */
export function canaryFindings(facts: Facts): readonly Finding[] {
  return facts.canaries.map((match) =>
    finding({
      layer: 'integrity',
      rule: 'canary',
      verdict: 'deny',
      code: 'integrity.canary',
      message: `canary token ${match.token + 1} is in the arguments of \`${facts.tool.name}\` (${match.form} form)`,
      evidence: { token: match.token, form: match.form, span: spanJson(match.span) },
    }),
  )
}
