/** Addresses that ask for an act although they are only opened: `…/bot1:x/sendMessage?chat_id=1`, `…/unsubscribe?token=x`, `…/exec/…`. */
import { ACT_OF, type Act, AMBIGUOUS } from '../../../facts/resources/text/act-words.ts'
import { wordsOf } from '../../../facts/resources/text/identifier.ts'

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
  const parts = query.split('&').slice(0, MAX_SEGMENTS)
  const given = parts.some((part) => part.indexOf('=') > 0 && part.indexOf('=') < part.length - 1)
  return (given && isAct(last)) || ENDS.test(last) || parts.some(switches) || segments.slice(0, -1).some(runsWhatFollows)
}

const runsWhatFollows = (segment: string): boolean => segment === 'exec' || segment === 'execute'

/** A program of a device's own page: nothing need be given to it. */
const ENDS = /^(?:re(?:boot|start|set)|shutdown|power_?o(?:ff|n)|factory_?(?:reset|default)|format)\.(?:cgi|php|pl|asp|htm|html|lua)$/i
/** Names of what a device or a page is told to do, and words for doing it. */
const COMMANDS = /^(?:cmnd|cmd|command|action|act|do|op|operation|turn|switch|power|relay\d{0,2}|output\d{0,2})$/i
const SWITCHES = new Set(
  'on off toggle power reboot restart reset shutdown open close unlock arm disarm poweroff poweron factoryreset'.split(' '),
)
const STATES = /^(?:turn|switch|power|relay\d{0,2}|output\d{0,2})$/i

/** `?cmnd=Power%20Off`, `?turn=on`, `?action=delete`. */
function switches(part: string): boolean {
  const equals = part.indexOf('=')
  const name = part.slice(0, Math.max(equals, 0))
  if (!COMMANDS.test(name)) return false
  const [first = '', ...rest] = wordsOf(part.slice(equals + 1).replace(/%20|\+/g, ' '))
  if (SWITCHES.has(first)) return rest.length > 0 || STATES.test(name) || !STATE_ALONE.has(first)
  const act = ACT_OF.get(first)
  return act !== undefined && GRAVE.has(act) && !AMBIGUOUS.has(first)
}

/** To do this to a machine or a device ends what it does. */
const POWER = new Set('reboot restart shutdown poweroff reset'.split(' '))

/** Without a word of what, these are as often how something is shown. */
const STATE_ALONE = new Set('on off toggle open close power reset'.split(' '))

function isAct(segment: string): boolean {
  const words = wordsOf(segment)
  const [first = ''] = words
  if (words.length === 0 || words.length > 3 || AMBIGUOUS.has(first) || segment.includes('.')) return false
  const act = ACT_OF.get(first)
  if (POWER.has(first)) return words.length > 1 || first !== 'reset'
  if (act !== undefined) return GRAVE.has(act)
  const undone = first.startsWith('un') ? ACT_OF.get(first.slice(2)) : undefined
  return undone !== undefined && undone !== 'read' && undone !== 'fetch'
}
