import { facts } from '../../src/facts/bash/harness.ts'
import { type Effect, target } from '../../src/facts/effect.ts'
import type { Language } from '../../src/facts/host.ts'
import { record } from '../../src/facts/languages/harness.ts'
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

/** What code does is seen, or it is said that something is not: a command or a deletion, or what it reaches besides its input. */
export function isToldByCode(language: Language, code: string): boolean {
  const { shells, commands, codes, effects } = record(language, code)
  const seen = [...shells, ...commands, ...codes, ...effects.map((e) => e.target.value)]
  const unknown = commands.some((line) => /^(?:\?|rm .*\?|invoke-expression \?)/.test(line))
  return unknown || seen.some((text) => text.includes('/srv/data')) || effects.some(isGrave)
}

function isGrave({ verb, target: { kind } }: Effect): boolean {
  return verb === 'delete' || verb === 'opaque' || kind === 'variable'
}
