/** What layers said of a call, in the order in which a reader wants it. Pure. */
import type { WireFinding } from '../api/types.ts'

const ORDER = ['halt', 'deny', 'ask', 'flag', 'abstain', 'allow']

/** Gravest first; in the order they were found where they weigh the same. What permits says nothing of why it asks, and is left out. */
export function gravestFirst(findings: readonly WireFinding[]): readonly WireFinding[] {
  const rank = ({ verdict }: WireFinding) => ORDER.indexOf(verdict)
  return findings.filter(({ verdict }) => verdict !== 'allow').toSorted((a, b) => rank(a) - rank(b))
}

/** Whether the findings say all that the reason says: it is their messages, one after the other. */
export function isSaidBy(reason: string | null, findings: readonly WireFinding[]): boolean {
  let rest = reason ?? ''
  for (const { message } of findings.toSorted((a, b) => b.message.length - a.message.length)) rest = rest.replace(message, '')
  return reason !== null && /^[;\s]*$/.test(rest)
}
