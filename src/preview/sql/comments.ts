/**
 * Takes comments out of SQL where every reader agrees on what they are: the servers and clients of PostgreSQL, MySQL and SQLite. Pure.
 */

/** A text or a quoted name without backslashes, a comment, or one other character. */
const PART = /'[^']*'|"[^"]*"|`[^`]*`|--[^\n]*|\/\*[\s\S]*?\*\/|[\s\S]/gy

/**
 * Null where they do not agree. `--1` is arithmetic for MySQL, `/*!` begins code for it and `/*+` a hint; PostgreSQL nests comments; a lone
 * carriage return ends a line for some; what does not end goes on to the end for some. Backslashes and dollar quotes are refused before.
 */
export function withoutComments(sql: string): string | null {
  let found = ''
  for (const [part] of sql.matchAll(PART)) {
    if (part.startsWith('--')) {
      if (!/^--(?:[ \t]|\r?$)/.test(part) || /\r(?!$)/.test(part)) return null
      found += ' '
    } else if (part.startsWith('/*')) {
      if (/^\/\*(?:[!+]|M!)/.test(part) || part.indexOf('/*', 2) !== -1) return null
      found += ' '
    } else if (part === "'" || part === '"' || part === '`') return null
    else found += part
  }
  return /\/\*|\*\//.test(withoutTexts(found)) ? null : found
}

const withoutTexts = (sql: string): string => sql.replaceAll(/'[^']*'|"[^"]*"|`[^`]*`/g, "''")
