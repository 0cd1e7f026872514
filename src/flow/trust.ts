/**
 * Who may be believed for what: results of a tool, field by field. What a policy says comes first, then this table: what people keep
 * themselves (a contact book, their own profile) is believed; who a message says it is from is not.
 */
import { wordsOf } from '../facts/tools/words.ts'
import type { ValueSource } from '../session/memory/memory.ts'

export interface SourceTrust {
  readonly matches: (server: string | null, tool: string) => boolean
  /** Null: every field. */
  readonly fields: ReadonlySet<string> | null
  readonly trust: 'trusted' | 'untrusted'
}

/** Words of tools that tell what people keep themselves. */
const KEPT: ReadonlySet<string> = new Set('contact contacts addressbook phonebook whoami me my own profile iban'.split(' '))
const ACCOUNT: ReadonlySet<string> = new Set('user account'.split(' '))
const ABOUT: ReadonlySet<string> = new Set('info information details profile'.split(' '))
const CLAIMS = /^(?:sender|from|from_\w+|reply_?to|return_path|author|submitted_by|name_of_sender)$/

/** Null: nothing is known, so it is judged by how it was told. */
export function trustIn(
  policy: readonly SourceTrust[],
  { tool, field }: Pick<ValueSource, 'tool' | 'field'>,
  value: string,
): SourceTrust['trust'] | null {
  const at = tool.lastIndexOf('/')
  const [server, name] = at < 0 ? [null, tool] : [tool.slice(0, at), tool.slice(at + 1)]
  const last = field.slice(field.lastIndexOf('.') + 1).toLowerCase()
  for (const { matches, fields, trust } of policy) {
    if (matches(server, name) && (fields === null || fields.has(field) || fields.has(last))) return trust
  }
  // Anybody can write any address there. A name in a chat is that of a member.
  if (CLAIMS.test(last) && value.includes('@')) return 'untrusted'
  const words = wordsOf(name)
  if (words.some((word) => KEPT.has(word))) return 'trusted'
  return words.some((word) => ACCOUNT.has(word)) && ABOUT.has(words.at(-1) ?? '') ? 'trusted' : null
}
