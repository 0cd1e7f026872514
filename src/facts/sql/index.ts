import { type Effect, opaque, type Span, type Target } from '../effect.ts'
export function analyseSql(_sql: string, { span }: { span: Span | null; database: Target }): readonly Effect[] {
  return [opaque('SQL is not analysed yet', span)]
}
