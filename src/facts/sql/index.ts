import type { Effect } from '../effect.ts'
import { opaque } from '../effect.ts'
import { reportGraph } from './graph.ts'
import { lexSql, SQL_LIMITS, SqlUnreadable } from './lex.ts'
import { Report, type SqlOptions } from './report.ts'
import { reportStatements } from './statement.ts'

export { changesGraph } from './graph.ts'
export type { SqlOptions } from './report.ts'

/**
 * Reads SQL text of any dialect, and statements of graphs, into effects on `database`, with client commands (psql, sqlite, mysql). Where dialects read
 * a backslash in strings or the end of a comment differently, both readings count. What cannot be read is opaque.
 */
export function analyseSql(sql: string, options: SqlOptions): readonly Effect[] {
  if (sql.length > SQL_LIMITS.text) return [opaque('the SQL is longer than what is analysed', options.span)]
  let files = 0
  const report: Report = new Report(options, (text) => {
    files += 1
    if (files > SQL_LIMITS.files) report.opaque('more files of SQL run than are analysed')
    else {
      const { part } = report
      report.part = null
      read(text, report, false)
      report.part = part
    }
  })
  const { span } = options
  if (reportGraph(sql, report)) return report.effects
  read(sql, report, span !== null && span.end - span.start === sql.length)
  return report.effects
}

/** `placed`: offsets in the text are offsets in the span. */
function read(sql: string, report: Report, placed: boolean): void {
  const failures: string[] = []
  const escapes = sql.includes("\\'") || sql.includes("\\\\'") ? [false, true] : [false]
  const comments = /--[^\s]/.test(sql) ? [false, true] : [false]
  const readings = escapes.flatMap((backslash) => comments.map((spaced) => [backslash, spaced] as const))
  for (const [backslash, spaced] of readings) {
    try {
      reportStatements(lexSql(sql, backslash, spaced), report, { depth: 0, length: placed ? sql.length : null })
    } catch (error) {
      if (!(error instanceof SqlUnreadable)) throw error
      failures.push(error.message)
    }
  }
  if (failures.length === readings.length && failures[0] !== undefined) report.opaque(failures[0])
}
