/**
 * What is left of a policy that only raises. Its permits are dropped where its findings are joined; here goes everything that holds
 * without having been said, and, where the operator does not answer for it, everything that would start or reach anything.
 */
import type { Policy } from '../policy.ts'

const NO_JUDGES: Policy['judges'] = { named: new Map(), gates: [], skip: [], advisers: [] }

/** The operator's own, beneath another of his: its default and what it says of unregistered tools are the governing policy's to say. */
export function lowered(policy: Policy): Policy {
  return { ...policy, registry: { ...policy.registry, unregistered: 'abstain' } }
}

/** A repository's: only what it says itself counts, and it starts, reaches and hands out nothing. */
export function tightening(policy: Policy): Policy {
  const { registry, contracts, guards, capabilities, approvals, audit, flow, risk, undo, stated } = policy
  return {
    ...policy,
    // A family registers tools, which permits; its tiers are the operator's to set.
    registry: { ...registry, families: new Set(), unregistered: 'abstain' },
    contracts: { ...contracts, schemas: { ...contracts.schemas, check: contracts.schemas.check && stated.schemas }, providers: [] },
    capabilities: { ...capabilities, grants: [], compensators: [] },
    // A dump starts programs that reach servers.
    undo: undo === null ? null : { ...undo, databases: [] },
    hazards: hazardsOf(policy),
    guards: {
      ...guards,
      scanners: [],
      canary: { tokens: [] },
      ssrf: { ...guards.ssrf, resolve: false },
      unicode: { enabled: guards.unicode.enabled && stated.unicode },
    },
    flow: { ...flow, askAt: stated.askAt ? flow.askAt : null },
    risk: { ...risk, flagAt: stated.flagAt ? risk.flagAt : null },
    // A question of its own is lifted by nothing that it did not see.
    authorization: { words: false, judge: null, uncoveredAt: null },
    // What holds by default is the operator's to set.
    sequences: policy.sequences.filter(({ place }) => place !== null),
    // What is learned is the operator's; a project may only have calls flagged or asked about sooner.
    baseline: policy.baseline === null ? null : { ...policy.baseline, learns: false },
    judges: NO_JUDGES,
    approvals: { ...approvals, channels: [] },
    audit: { ...audit, headCopies: [] },
  }
}

function hazardsOf({ hazards, stated }: Policy): Policy['hazards'] {
  switch (stated.hazards) {
    case 'packs':
      return hazards
    case 'named':
      return { ...hazards, onlyNamed: true }
    case 'nothing':
      return { ...hazards, packs: new Set() }
  }
}
