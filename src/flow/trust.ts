/**
 * Who may be believed for what: results of a tool, field by field. What a policy says comes first, then this table: what people keep
 * themselves (a contact book, their own profile) is believed; who a message says it is from is not.
 */
import { wordsOf } from '../facts/resources/text/identifier.ts'
import { isClaimed } from '../provenance/claim.ts'
import type { ValueSource } from '../session/memory/memory.ts'
import { MAX_NAME } from '../session/memory/names.ts'

export interface SourceTrust {
  readonly matches: (server: string | null, tool: string) => boolean
  /** Null: every field. */
  readonly fields: ReadonlySet<string> | null
  readonly trust: 'trusted' | 'untrusted'
}

/** A rule of the policy: values of a source may go into arguments of tools. */
export interface DeclassifyRule {
  readonly id: string
  readonly from: (server: string | null, tool: string) => boolean
  /** Lower case; null: every field. */
  readonly fields: ReadonlySet<string> | null
  readonly into: (server: string | null, tool: string) => boolean
  /** Null: every argument. */
  readonly arguments: ReadonlySet<string> | null
  /** Milliseconds since the epoch, exclusive; null: no end. */
  readonly until: number | null
}

/** Words of tools that tell what people keep themselves. */
const KEPT: ReadonlySet<string> = new Set('contact contacts addressbook phonebook whoami me my own profile iban'.split(' '))
const ACCOUNT: ReadonlySet<string> = new Set('user account'.split(' '))
const ABOUT: ReadonlySet<string> = new Set('info information details profile'.split(' '))

/** Null: nothing is known, so it is judged by how it was told. */
export function trustIn(
  policy: readonly SourceTrust[],
  { tool, field }: Pick<ValueSource, 'tool' | 'field'>,
  value: string,
): SourceTrust['trust'] | null {
  const { server, name } = namesOf(tool)
  const last = field.slice(field.lastIndexOf('.') + 1).toLowerCase()
  for (const { matches, fields, trust } of policy) {
    if (matches(server, name) && (fields === null || fields.has(field) || fields.has(last))) return trust
  }
  if (isClaimed(field, value)) return 'untrusted'
  const words = wordsOf(name)
  if (words.some((word) => KEPT.has(word))) return 'trusted'
  return words.some((word) => ACCOUNT.has(word)) && ABOUT.has(words.at(-1) ?? '') ? 'trusted' : null
}

/** True where a tool brought in what somebody else may have written, and nobody says that all of it is to be believed. */
export function tookInUntrusted(policy: readonly SourceTrust[], tools: Iterable<string>): boolean {
  for (const tool of tools) {
    const { server, name } = namesOf(tool)
    const said = policy.find(({ matches, fields }) => fields === null && matches(server, name))?.trust
    if (tool === '' || said !== 'trusted') return true
  }
  return false
}

/** As `ValueSource.tool` has it: with its server in front, where it has one. */
export function namesOf(tool: string): { readonly server: string | null; readonly name: string } {
  const at = tool.lastIndexOf('/')
  return at < 0 ? { server: null, name: tool } : { server: tool.slice(0, at), name: tool.slice(at + 1) }
}

/** By its whole way or by its last name; names are remembered cut. */
export function isField(field: string, wanted: string): boolean {
  const [known, asked] = [field.toLowerCase(), wanted.toLowerCase().slice(0, MAX_NAME)]
  return known === asked || known.slice(known.lastIndexOf('.') + 1) === asked
}
