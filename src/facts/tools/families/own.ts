/** Calls by which the gate itself changes files for people: what it takes back, and what it makes of a preview. */
import type { ToolFamily } from '../spec.ts'

export const own: ToolFamily = {
  family: 'countersign',
  servers: [],
  tools: {
    countersign_apply: {
      tier: 'low',
      args: { approval: 'ignore', changes: 'ignore', write: 'write', 'write.*': 'write', remove: 'delete', 'remove.*': 'delete' },
    },
  },
}
