import { describe, expect, test } from 'vitest'
import type { Json } from '../../core/json.ts'
import { facts } from '../bash/harness.ts'
import { type Effect, resolvedName } from '../effect.ts'

/**
 * For tests of command tables through the whole walker, one case per line. An effect is written as
 * `likely delete fs:remove /x ! +recursive mode=600`: certainty where it is not certain, verb, action, target (relative to the
 * workspace, `~` for the home), `!` where it cannot be undone, flags and values of its attributes; `?` and a reason where it
 * is opaque. Effects are joined by ` | `; the empty string says that nothing happens.
 */

type Case = readonly [command: string, expected: string]

function attribute([name, value]: readonly [string, Json]): string {
  if (value === true) return ` +${name}`
  if (value === null || value === false) return ''
  return ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`
}

/** Said of a path, an address or a client by its spelling alone; the rooms of each test them. */
const SPELLED: ReadonlySet<string> = new Set(['glob', 'root', 'host', 'port', 'scheme', 'domain', 'notation', 'client'])

function short(path: string): string {
  if (path.startsWith('/repo/')) return path.slice('/repo/'.length)
  return path === '/repo' ? '.' : path.replace(/^\/home\/me(?=\/|$)/, '~')
}

function told(effect: Effect): string {
  if (effect.verb === 'opaque') return `? ${effect.reason ?? ''}`
  const { target } = effect
  const value = target.kind === 'path' || target.kind === 'script' ? short(resolvedName(target)) : target.value
  const certainty = effect.certainty === 'certain' ? '' : `${effect.certainty} `
  const action = effect.action === null ? '' : `${effect.action} `
  const attributes = Object.entries(effect.attributes).filter(([name]) => !SPELLED.has(name))
  return `${certainty}${effect.verb} ${action}${value}${effect.reversible ? '' : ' !'}${attributes.map(attribute).join('')}`
}

/** What a command would do, on one line. */
export function tell(command: string): string {
  return facts(command).effects.map(told).join(' | ')
}

/** One test for each case. */
export function cases(title: string, table: readonly Case[]): void {
  describe(title, () => {
    for (const [command, expected] of table) test(command, () => expect(tell(command)).toBe(expected))
  })
}
