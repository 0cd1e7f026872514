/** Which results of a session reach which arguments. Pure. */
import type { FlowEdge } from '../../../src/core/decision.ts'
import type { DecisionRow } from '../api/types.ts'

/** The value of an argument of the call `to` stands in the result of the call `from`; both are ids of records. */
export interface Arrow {
  readonly from: string
  readonly to: string
  readonly edge: FlowEdge
}

/** Only between calls that are shown: a number alone is not believed, the call there must have the tool that the arrow names. */
export function arrowsIn(rows: readonly DecisionRow[]): readonly Arrow[] {
  const byStep = new Map(rows.flatMap((row) => (row.step === undefined ? [] : [[row.step, row] as const])))
  return rows.flatMap((row) =>
    row.flows.flatMap((edge) => {
      const from = edge.source === null ? undefined : byStep.get(edge.source.step)
      return from !== undefined && isOf(from, edge.source?.tool ?? '') && from.id !== row.id ? [{ from: from.id, to: row.id, edge }] : []
    }),
  )
}

function isOf({ tool }: DecisionRow, named: string): boolean {
  return tool !== null && (named === tool || named.endsWith(`/${tool}`) || named.endsWith(`__${tool}`))
}

const ORIGINS: Readonly<Record<string, string>> = {
  approved: 'somebody agreed to it before',
  derived: 'it follows from what the user said',
  nowhere: 'nothing says where it comes from',
}

/** One edge in words. */
export function edgeText({ argument, origin, source, by }: FlowEdge): string {
  const where = source === null ? (ORIGINS[origin] ?? origin) : `stands in the result of ${source.tool}, field ${source.field}`
  const vouched = by === undefined ? '' : `; ${by} vouches for it`
  return `${argument === '*' ? 'a value' : argument}: ${where}${vouched}`
}
