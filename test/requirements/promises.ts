import type { Requirement } from '../requirements.ts'

export const promises: readonly Requirement[] = [
  { id: 'P1', text: 'Default deny: No applicable permit ⇒ not allowed.' },
  { id: 'P2', text: 'Deny dominates: No finding, grant, judge or human can lift a deny (or halt); only changing the policy can.' },
  {
    id: 'P3',
    text:
      'Order-free, monotone: Rule and layer order never matters. Adding an ask or deny finding never lowers a verdict. A permit ' +
      'lifts only the *default*, never another finding',
  },
  { id: 'P4', text: 'Errors never allow: A throw, a timeout, a parse failure or exhaustion ⇒ ask where a human can answer, else deny.' },
  { id: 'P5', text: 'No record, no allow: An allow is returned only after its audit record is durable.' },
  {
    id: 'P6',
    text:
      'What was judged is what runs: Approvals and grants bind to a digest of the normalised call, with tool identity, policy ' +
      'digest and the digests of referenced scripts. Proxies forward the call that was judged',
  },
  { id: 'P7', text: 'Once: An approval is consumed at most once, within two clocks.' },
  { id: 'P8', text: 'The requester cannot approve: Approver identity ≠ requester identity.' },
  { id: 'P9', text: 'The gate protects itself: From the agent it gates.' },
  { id: 'P10', text: 'Explainable and replayable: Every decision, from its own record.' },
  { id: 'P11', text: "Secrets do not enter: The log, a judge's prompt, or a notification." },
  {
    id: 'P12',
    text: 'No silent rewrite of history: Checkpoint + external anchor; audit verify detects any edit, deletion, reorder or fork.',
  },
]
