import { remoteSource } from '../flow/flow.ts'
import { type Execution, type Marks, NO_MARKS } from './execution.ts'

/** Marks deletes of what another machine names: `rm $(curl …)`. It may name anything. Attribute `given`, as of code that is told what to delete. */
export function reportChosen({ site: { analysis }, invocation: { args }, start }: Execution): Marks {
  const from = args.flatMap((word) => (word.text === null ? (word.from ?? []) : []))
  if (from.length === 0 || remoteSource(from, analysis) === null) return NO_MARKS
  const { effects } = analysis
  const deletes = effects.flatMap(({ verb, target }, at) => (at >= start && verb === 'delete' && target.scope === 'unknown' ? [at] : []))
  return new Map(deletes.map((at) => [at, { given: true }]))
}
