/** Names at a host of repositories that may stand in an address and in a command: none of them begins like an option. Pure. */
import type { Effect } from '../../core/effect.ts'
import type { Json } from '../../core/json.ts'

const PART = /^[A-Za-z0-9_][\w.-]{0,99}$/
const REF = /^[A-Za-z0-9_][\w.+@/-]{0,199}$/

export const isRepository = (text: string): boolean => {
  const parts = text.split('/')
  return parts.length === 2 && parts.every((part) => PART.test(part) && !part.includes('..'))
}
export const isTag = (text: string): boolean => REF.test(text) && !text.includes('..') && !text.includes('//')
/** Also `owner:branch`, of a fork. */
export const isBranch = (text: string): boolean => isTag(text.replace(/^[A-Za-z0-9][A-Za-z0-9-]{0,38}:/, ''))
export const numberIn = (value: Json | undefined): number | null =>
  typeof value === 'string' && /^#?[1-9]\d{0,9}$/.test(value) ? Number(value.replace('#', '')) : null

const HOST = /^[a-z0-9][a-z0-9.-]{0,252}$/i

/** True where the client itself does it here, and the call says enough to ask about it beforehand. */
export function isKnownAtHub({ verb, action, target, attributes }: Effect): boolean {
  if (attributes.client !== 'gh' || target.scope === 'elsewhere' || !isPlace(target.value)) return false
  if (action === 'gh:release') return verb === 'publish' && typeof attributes.tag === 'string' && isTag(attributes.tag)
  if (action === 'gh:pr-create') return attributes.head === undefined || (typeof attributes.head === 'string' && isBranch(attributes.head))
  if (action === 'gh:pr-merge') return numberIn(attributes.number) !== null && attributes.auto !== true
  return action === 'gh:repo-edit'
}

function isPlace(value: string): boolean {
  const parts = value.replace(/^https:\/\//, '').split('/')
  return (
    value === 'origin' || (parts.length === 3 ? HOST.test(parts[0] ?? '') && isRepository(parts.slice(1).join('/')) : isRepository(value))
  )
}
