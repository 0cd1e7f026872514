import type { Finding } from '../../core/finding.ts'
import type { Verdict } from '../../core/verdict.ts'
import type { Facts, HiddenCharacters } from '../../facts/facts.ts'
import { finding, spanJson } from '../finding.ts'

/** Arguments that are the text of a document: a joiner inside an emoji is nothing there, in a command it is a disguise. */
const PROSE = new Set([
  '/content',
  '/new_string',
  '/old_string',
  '/new_source',
  '/prompt',
  '/description',
  '/body',
  '/message',
  '/text',
  '/file_text',
])

/** Characters that a reader cannot see or would misread (T07). What runs is never rewritten; what is shown is. */
export function hiddenFindings(facts: Facts): readonly Finding[] {
  return facts.hidden.flatMap((hidden) => {
    const verdict = verdictOf(hidden)
    if (verdict === 'abstain') return []
    return [
      finding({
        layer: 'integrity',
        rule: `unicode-${hidden.kind}`,
        verdict,
        code: 'integrity.hidden_characters',
        message: `${hidden.count} ${hidden.kind} character${hidden.count === 1 ? '' : 's'} at \`${hidden.span.pointer}\`, position ${hidden.span.start}`,
        evidence: { kind: hidden.kind, severity: hidden.severity, span: spanJson(hidden.span) },
        resolvers: ['human'],
      }),
    ]
  })
}

function verdictOf(hidden: HiddenCharacters): Verdict {
  const prose = PROSE.has(hidden.span.pointer) || hidden.span.pointer.startsWith('/edits/')
  switch (hidden.severity) {
    case 'critical':
      return prose ? 'ask' : 'deny'
    case 'high':
      return prose ? 'flag' : 'ask'
    case 'medium':
      return prose ? 'abstain' : 'flag'
    case 'low':
      return 'abstain'
  }
}
