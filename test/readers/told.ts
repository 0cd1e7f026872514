import { facts } from '../../src/facts/bash/harness.ts'
import { target } from '../../src/facts/effect.ts'
import { analyseSql } from '../../src/facts/sql/index.ts'

/** Whether what hostile programs do is told: their act itself, or that a part could not be read. */

export function isToldByTool(command: string, files: Readonly<Record<string, string>>): boolean {
  return facts(command, { files })
    .effects.filter(({ verb }) => verb !== 'read')
    .some(({ verb, action, target: { value } }) => /^(?:opaque|send)$/.test(verb) || action === 'code:load' || value.includes('/srv/data'))
}

const HARMLESS: ReadonlySet<string> = new Set(['sql:select', 'sql:insert', 'sql:create', 'sql:transaction'])

export function isToldBySql(code: string): boolean {
  const effects = analyseSql(code, { span: null, database: target('database', 'db') })
  return effects.some(({ verb, action }) => verb === 'opaque' || (action !== null && !HARMLESS.has(action)))
}
