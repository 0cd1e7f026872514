/** Addresses that ask for an act although they are only opened: `…/bot1:x/sendMessage?chat_id=1`, `…/unsubscribe?token=x`, `…/exec/…`. */
import { ACT_OF, type Act, AMBIGUOUS } from '../../../facts/resources/text/act-words.ts'
import { wordsOf } from '../../../facts/tools/words.ts'

const GRAVE: ReadonlySet<Act> = new Set<Act>(['send', 'delete', 'pay', 'grant', 'execute'])
/** Where acts are written about. */
const PAGES = new Set(
  'docs doc documentation reference references wiki blog guide guides help questions issues manual man learn articles tutorial'.split(' '),
)
const PAGE_HOST = /^https?:\/\/(?:docs?|developers?|wiki|help|support|learn|blog)\./i
const MAX_SEGMENTS = 32

/** Whether the path of an address ends in an act that it is given something for, or names one that runs what follows. */
export function asksToAct(address: string): boolean {
  if (address.length > 2048 || PAGE_HOST.test(address)) return false
  const from = address.indexOf('/', address.indexOf('://') + 3)
  if (from < 0) return false
  const [path = '', query = ''] =
    address
      .slice(from + 1)
      .split('#', 1)[0]
      ?.split('?') ?? []
  const segments = path
    .split('/')
    .slice(0, MAX_SEGMENTS)
    .filter((segment) => segment !== '')
  if (segments.some((segment) => PAGES.has(segment.toLowerCase()))) return false
  const last = segments.at(-1) ?? ''
  const given = query.split('&').some((part) => part.indexOf('=') > 0 && part.indexOf('=') < part.length - 1)
  return (given && isAct(last)) || segments.slice(0, -1).some((segment) => segment === 'exec' || segment === 'execute')
}

function isAct(segment: string): boolean {
  const words = wordsOf(segment)
  const [first = ''] = words
  if (words.length === 0 || words.length > 3 || AMBIGUOUS.has(first) || segment.includes('.')) return false
  const act = ACT_OF.get(first)
  if (act !== undefined) return GRAVE.has(act)
  const undone = first.startsWith('un') ? ACT_OF.get(first.slice(2)) : undefined
  return undone !== undefined && undone !== 'read' && undone !== 'fetch'
}
